"""The simulations by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from tocsin.simulate.environment.experiment import sites
from tocsin.simulate.inev.experiment import inev
from tocsin.simulate.internet.experiment import internet
from tocsin.simulate.office.experiment import office
from tocsin.simulate.placing.experiment import topology
from tocsin.simulate.reports import Report

Simulation: TypeAlias = Callable[..., Report]

SIMULATIONS: Final[Mapping[str, Simulation]] = {
    "office": office,
    "sites": sites,
    "topology": topology,
    "internet": internet,
    "inev": inev,
}
"""Each is given a seed, a fraction or multiple of its size, and whom to tell how far it is; `topology` also files."""
