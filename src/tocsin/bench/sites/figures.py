"""The figures of `tocsin bench sites`, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from tocsin.bench.records import Record
from tocsin.bench.sites.failures import named
from tocsin.bench.sites.moving import move
from tocsin.bench.sites.office import FIGURES as OFFICE
from tocsin.bench.sites.planning import planning
from tocsin.bench.sites.simulator import simulator
from tocsin.bench.sites.wires import FIGURES as WIRES

FIGURES: Final[dict[str, Callable[[float], Iterator[Record]]]] = {
    "planning": planning,
    "move": move,
    "named": named,
    "simulator": simulator,
    **WIRES,
    **OFFICE,
}
"""Each is given the scale."""
