"""How much flows: events and bytes a second, by type and birthplace, and by stream. Measured by the sites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from tocsin.sites.births import ANY


class Flow(NamedTuple):
    """Events a second, and bytes a second as they travel."""

    events: float
    bytes: float

    def plus(self, other: Flow) -> Flow:
        """Both together."""
        return Flow(self.events + other.events, self.bytes + other.bytes)

    def times(self, factor: float) -> Flow:
        """A part of it, or several of it."""
        return Flow(self.events * factor, self.bytes * factor)


NOTHING: Final = Flow(0.0, 0.0)
UNMEASURED: Final = Flow(1.0, 160.0)
"""Of a type at a birthplace where nothing has been measured: all are taken to be equal."""


@dataclass(frozen=True)
class Rates:
    """What was measured, or is expected."""

    births: Mapping[tuple[str, str], Flow] = field(default_factory=dict)
    """By birthplace and type."""
    streams: Mapping[str, Flow] = field(default_factory=dict)
    """By stream: what parts that run give out."""
    sources: Mapping[str, tuple[tuple[frozenset[str] | None, bool], ...]] = field(default_factory=dict)
    """By site: what each source makes, and whether it goes by the site's clock."""
    is_measured: bool = False
    """Whether a type of which nothing was seen at a measured site is one that does not occur there."""

    def born(self, site: str, kind: str) -> Flow:
        """How much of a type is born at a site."""
        if kind == ANY:
            total = NOTHING
            for (where, _), flow in self.births.items():
                if where == site:
                    total = total.plus(flow)
            return total if total.events or self.is_measured else UNMEASURED
        return self.births.get((site, kind), NOTHING if self.is_measured else UNMEASURED)

    def is_clocked(self, site: str, kind: str) -> bool:
        """Whether all that make a type at a site go by its clock: then it is known at once how far they have got."""
        makers = [
            is_clocked for types, is_clocked in self.sources.get(site, ()) if types is None or kind in (ANY, *types)
        ]
        return bool(makers) and all(makers)

    def given(self, stream: str) -> Flow | None:
        """How much a part gives out; None if it never ran."""
        return self.streams.get(stream)


def heard(said: Mapping[str, Mapping[str, Any]]) -> Rates:
    """What sites say of themselves (`Site.described`), by site."""
    births: dict[tuple[str, str], Flow] = {}
    streams: dict[str, Flow] = {}
    sources: dict[str, tuple[tuple[frozenset[str] | None, bool], ...]] = {}
    for site, told in sorted(said.items()):
        rates = told.get("rates", {})
        births |= {(site, kind): Flow(*flow) for kind, flow in rates.get("births", {}).items()}
        streams |= {stream: Flow(*flow) for stream, flow in rates.get("streams", {}).items()}
        sources[site] = tuple(
            (None if one["types"] is None else frozenset(one["types"]), bool(one.get("stamped")))
            for one in told.get("sources", {}).values()
        )
    return Rates(births, streams, sources, is_measured=bool(births))


def rates_of(record: Mapping[str, Any]) -> Rates:
    """Rates as people write them: `{"site": {"type": [events a second, bytes of one]}}`."""
    births = {
        (str(site), str(kind)): Flow(float(events), float(events) * float(size))
        for site, kinds in record.items()
        for kind, (events, size) in kinds.items()
    }
    return Rates(births, is_measured=bool(births))
