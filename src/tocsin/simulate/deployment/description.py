"""A deployment that is to be tried: sites, links, clocks, sources, rules, policies. `reading` reads it from a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import msgspec

from tocsin.algebra.event_records import plain
from tocsin.algebra.rules import Program
from tocsin.events import Event
from tocsin.simulate.networks import Hop, Line
from tocsin.sites.placement.topologies import Topology


@dataclass(frozen=True)
class Made:
    """Events of a type that are made up: so many a second, by chance."""

    type: str
    rate: float
    size: int
    data: Mapping[str, Any]

    def event_data(self, random: Random) -> dict[str, Any]:
        """What one event says; it is filled up to its size."""
        found = {name: _value(spec, random) for name, spec in self.data.items()}
        missing = self.size - len(msgspec.msgpack.encode(plain(found))) - _AROUND
        return found | {"text": "x" * missing} if missing > 0 else found


_AROUND: Final = 40
"""About what an event weighs besides its data."""


@dataclass(frozen=True)
class Description:
    """All of it."""

    name: str
    sink: str
    seconds: float
    program: Program
    topology: Topology
    lines: Mapping[Hop, Line]
    clocks: Mapping[str, tuple[int, float]]
    made: Mapping[str, Sequence[Made]]
    recorded: Mapping[str, Sequence[Event]]
    policies: Sequence[str]

    @property
    def sites(self) -> tuple[str, ...]:
        """All sites."""
        return self.topology.with_sites([self.sink, *self.made, *self.recorded, *self.clocks]).sites

    def types(self, site: str) -> list[str]:
        """What is born at a site."""
        return sorted({one.type for one in self.made.get(site, ())} | {one.type for one in self.recorded.get(site, ())})


def _value(spec: Any, random: Random) -> Any:
    if isinstance(spec, int):
        return random.randrange(spec)
    return random.choice(spec) if isinstance(spec, list) else round(random.uniform(spec["from"], spec["to"]), 3)
