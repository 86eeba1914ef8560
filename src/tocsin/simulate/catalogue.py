"""The simulations by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tocsin.simulate.office.experiment import office
from tocsin.simulate.reports import Report, Say

Simulation = Callable[[int, float, Say], Report]

SIMULATIONS: Final[Mapping[str, Simulation]] = {"office": office}
"""Each is given a seed, a fraction or multiple of its size, and whom to tell how far it has got."""
