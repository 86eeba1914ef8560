"""Where a detection is told soonest; and of the plans that are hardly slower, the one with fewest bytes.

Late is what its last event makes it: the longest way from a birthplace over the parts to the sink, with what each part
on the way takes. Straight to the sink is always soonest. But a part that lies on the way anyway, or a little beside it,
may save bytes: so for each set of types at each site those ways to put it together are kept of which no other is both
sooner and cheaper.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import Final, NamedTuple

from tocsin.sites.placement.demands import Demand, Piece, Placement
from tocsin.sites.placement.least_bytes import Known
from tocsin.sites.placement.topologies import Region, Topology

HANDLING: Final = 350.0
"""Microseconds at each site on the way of an event: what another hop adds over JetStream, in the median."""
MOST_WAYS: Final = 8
"""So many ways are kept of each set at each site."""


class _Way(NamedTuple):
    late: float
    cost: float
    pieces: tuple[tuple[Piece, str], ...]


@dataclass
class _Search:
    demand: Demand
    region: Region
    topology: Topology
    sink: str
    slack: float
    known: Known
    limit: float = 0.0
    had_ways: dict[tuple[int, int], list[_Way]] = field(default_factory=dict)
    sent_ways: dict[tuple[int, int], list[_Way]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        delay = self.topology.delay
        sites = self.region.sites
        self.delays = [[delay(one, other) for other in sites] for one in sites]
        self.to_sink = self.delays[self.region.index[self.sink]]
        self.pieces = {piece.types: piece for piece in self.demand.pieces}

    def best(self) -> Placement:
        sites = range(len(self.region.sites))
        name = self.demand.name
        rule_sites = [place for place in sites if self.may_be(name, place)]
        soonest = min(self.all_straight(place) + self.to_sink[place] for place in rule_sites)
        self.limit = (soonest + HANDLING) * (1 + self.slack)
        found: list[tuple[float, float, str, _Way]] = []
        for place in rule_sites:
            cost = self.demand.told * self.region.away(self.region.index[self.sink])[place]
            for way in self.had(self.demand.everything, place):
                late = way.late + HANDLING + self.to_sink[place]
                if late <= self.limit:
                    found.append((way.cost + cost, late, self.region.sites[place], way))
        cost, _, site, way = min(found, key=lambda each: (round(each[0], 6), len(each[3].pieces), each[1], each[2]))
        return Placement(site, way.pieces, cost)

    def may_be(self, name: str, place: int) -> bool:
        site = self.region.sites[place]
        pinned = self.known.pinned.get(name)
        if pinned is not None:
            return site == pinned
        return self.known.allowed is None or site in self.known.allowed

    def all_straight(self, place: int) -> float:
        return max((self.straight_late(1 << kind, place) for kind in range(len(self.demand.streams))), default=0.0)

    def straight_late(self, kind: int, place: int) -> float:
        index = self.region.index
        streams = self.demand.streams[kind.bit_length() - 1]
        return max((self.delays[index[stream.site]][place] for stream in streams), default=0.0)

    def straight(self, kind: int, place: int) -> _Way:
        """A type straight from its birthplaces."""
        cost = 0.0
        for stream in self.demand.streams[kind.bit_length() - 1]:
            if self.region.sites[place] not in self.known.taken.get(stream.name, ()):
                cost += stream.rate * self.region.away(self.region.index[stream.site])[place]
        return _Way(self.straight_late(kind, place), cost, ())

    def had(self, types: int, place: int, is_cut: bool = False) -> list[_Way]:
        """The ways to have everything of a set at a site."""
        if not types:
            return [_Way(0.0, 0.0, ())]
        if not is_cut and (types, place) in self.had_ways:
            return self.had_ways[types, place]
        lowest = types & -types
        found = [_joined(self.straight(lowest, place), rest) for rest in self.had(types ^ lowest, place)]
        for cut in self.pieces:
            if cut & lowest and not cut & ~types and not (is_cut and cut == types):
                rests = self.had(types ^ cut, place)
                found += [_joined(one, rest) for one, rest in product(self.sent(cut, place), rests)]
        found = _kept(way for way in found if way.late + HANDLING + self.to_sink[place] <= self.limit)
        if not is_cut:
            self.had_ways[types, place] = found
        return found

    def sent(self, cut: int, place: int) -> list[_Way]:
        """The ways to have what a cut passes on at a site."""
        if (cut, place) in self.sent_ways:
            return self.sent_ways[cut, place]
        piece = self.pieces[cut]
        running = self.known.running.get(piece.name)
        found: list[_Way] = []
        for number, site in enumerate(self.region.sites):
            if (site != running) if running is not None else not self.may_be(piece.name, number):
                continue
            cost = piece.rate * self.region.away(number)[place]
            ways = self.had(cut, number, is_cut=True)
            if running is not None:
                late = min((way.late for way in ways), default=self.limit)
                ways = [_Way(late, 0.0, ())]
            for way in ways:
                late = way.late + HANDLING + self.delays[number][place]
                found.append(_Way(late, way.cost + cost, ((piece, site), *way.pieces)))
        found = self.sent_ways[cut, place] = _kept(found)
        return found


def _joined(one: _Way, other: _Way) -> _Way:
    return _Way(max(one.late, other.late), one.cost + other.cost, one.pieces + other.pieces)


def _kept(ways: Iterable[_Way]) -> list[_Way]:
    """Those of which no other is both sooner and cheaper."""
    found: list[_Way] = []
    for way in sorted(ways, key=lambda each: (each.late, each.cost, len(each.pieces))):
        if not found or way.cost < found[-1].cost - 1e-9:
            found.append(way)
    return found if len(found) <= MOST_WAYS else [*found[: MOST_WAYS - 1], found[-1]]


def least_delay(
    demand: Demand, region: Region, topology: Topology, sink: str, slack: float, known: Known | None = None
) -> Placement:
    """Where a demand is told soonest, or so much later (a part of the delay) where that saves bytes."""
    return _Search(demand, region, topology, sink, slack, known or Known()).best()
