"""Very many demands planned together, whoever came first: the better of two beginnings, each moved while that pays.

What is placed one after the other is best for each beside those before it, and may be far from best for all: no demand
alone is worth the first step to a place where many would share their streams. So all begin either as they came, or
gathered at the one site to which all streams go for least: whichever costs less. Then each demand in turn is taken away
and placed anew, and stays there if all together costs less. What comes out never costs more than central detection.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from tocsin.sites.placement.demands import Demand, Piece, Placement, Stream
from tocsin.sites.placement.least_bytes import Known, least_bytes
from tocsin.sites.placement.policies import CENTRAL, NEAR_SOURCES, NO_HINTS, Hints, Planner
from tocsin.sites.placement.topologies import Topology

SWEEPS: Final = 2
"""How often each demand is placed anew."""
ENOUGH: Final = 0.01
"""A further round is gone if the last one saved more than that part."""
ONE_BY_ONE, GATHERED = "one by one", "gathered"


@dataclass(frozen=True)
class Wanted:
    """A demand, and the sites where it is subscribed to."""

    demand: Demand
    sinks: tuple[str, ...]


@dataclass(frozen=True)
class Together:
    """Where everything runs, what it costs, and what the beginnings would have cost."""

    placements: Mapping[str, Placement]
    cost: float
    beginnings: Mapping[str, float]


@dataclass
class _Fed:
    """A part that runs: where, and what it takes."""

    site: str
    takes: tuple[Stream | Piece, ...]


@dataclass
class Flows:
    """Demands at their places: what it costs to bring each stream to all the sites where it is taken, once to each."""

    topology: Topology
    cost: float = 0.0
    """Bytes a second, each times what it costs on the links it goes over."""
    placements: dict[str, Placement] = field(default_factory=dict)
    running: dict[str, str] = field(default_factory=dict)
    """Where pieces run, by name."""
    taken: dict[str, dict[str, int]] = field(default_factory=dict)
    """Where streams are taken, and by how many."""
    _fed: dict[str, _Fed] = field(default_factory=dict)

    def put(self, wanted: Wanted, placement: Placement) -> float:
        """A demand comes to a place. What it costs beside the others."""
        before, demand = self.cost, wanted.demand
        outer_first = [piece for piece, _ in placement.pieces]
        for place, (piece, site) in reversed(list(enumerate(placement.pieces))):
            if piece.name not in self.running:
                self.running[piece.name] = site
                self._feed(piece.name, site, demand.inputs(piece.types, outer_first[place + 1 :]))
        self._feed(demand.name, placement.at, demand.inputs(demand.everything, outer_first))
        self.cost += self._told(wanted, placement.at)
        self.placements[demand.name] = placement
        return self.cost - before

    def take(self, wanted: Wanted) -> Placement:
        """A demand goes, with what ran for it alone. Where it was."""
        placement = self.placements.pop(wanted.demand.name)
        self.cost -= self._told(wanted, placement.at)
        self._starve(wanted.demand.name)
        return placement

    def _told(self, wanted: Wanted, at: str) -> float:
        away = self.topology.cost
        return wanted.demand.told * sum(away(at, sink) for sink in wanted.sinks)

    def _feed(self, name: str, site: str, takes: Iterable[Stream | Piece]) -> None:
        fed = self._fed[name] = _Fed(site, tuple(takes))
        for each in fed.takes:
            takers = self.taken.setdefault(each.name, {})
            if site not in takers:
                self.cost += self._brought(each, site)
            takers[site] = takers.get(site, 0) + 1

    def _starve(self, name: str) -> None:
        fed = self._fed.pop(name)
        for each in fed.takes:
            takers = self.taken[each.name]
            takers[fed.site] -= 1
            if not takers[fed.site]:
                del takers[fed.site]
                self.cost -= self._brought(each, fed.site)
            if not takers and isinstance(each, Piece):
                self._starve(each.name)
                del self.running[each.name]

    def _brought(self, each: Stream | Piece, to: str) -> float:
        origin = each.site if isinstance(each, Stream) else self.running[each.name]
        return each.rate * self.topology.cost(origin, to)


def planned_together(some: Iterable[Wanted], topology: Topology, hints: Hints = NO_HINTS) -> Together:
    """Places all of them."""
    wanted = list(some)
    begun = {name: _begun(wanted, planner) for name, planner in _beginnings(wanted, topology, hints).items()}
    flows = min(begun.values(), key=lambda each: each.cost)
    beginnings = {name: each.cost for name, each in begun.items()}
    for _ in range(SWEEPS):
        before = flows.cost
        for each in wanted:
            _improve(flows, each, hints)
        if flows.cost >= before * (1 - ENOUGH):
            break
    return Together(flows.placements, flows.cost, beginnings)


def middle(wanted: Iterable[Wanted], topology: Topology, allowed: Iterable[str] | None = None) -> str:
    """The site to which all streams go for least."""
    streams = {each.name: each for one in wanted for some in one.demand.streams for each in some}
    weights: dict[str, float] = {}
    for each in streams.values():
        weights[each.site] = weights.get(each.site, 0.0) + each.rate
    if allowed is None and topology.tree is not None:
        return topology.tree.middle(weights)
    sites = sorted(topology.sites if allowed is None else allowed)
    return min(sites, key=lambda site: sum(rate * topology.cost(origin, site) for origin, rate in weights.items()))


def _beginnings(wanted: list[Wanted], topology: Topology, hints: Hints) -> dict[str, Planner]:
    centre = hints.centre or middle(wanted, topology, hints.sites)
    gathered = Planner(topology, CENTRAL, replace(hints, centre=centre))
    return {ONE_BY_ONE: Planner(topology, NEAR_SOURCES, hints), GATHERED: gathered}


def _begun(wanted: Iterable[Wanted], planner: Planner) -> Flows:
    flows = Flows(planner.topology)
    for each in wanted:
        flows.put(each, planner.place(each.demand, each.sinks[0]))
    return flows


def _improve(flows: Flows, wanted: Wanted, hints: Hints) -> None:
    """Places one anew, beside all others, if that costs less."""
    demand, sink, before = wanted.demand, wanted.sinks[0], flows.cost
    there = flows.take(wanted)
    terminals = {stream.site for streams in demand.streams for stream in streams} | {sink, there.at}
    names = [piece.name for piece in demand.pieces]
    terminals |= {flows.running[name] for name in names if name in flows.running}
    terminals |= {hints.pinned[name] for name in (demand.name, *names) if name in hints.pinned}
    region = flows.topology.region(terminals, hints.sites)
    known = Known(flows.running, flows.taken, hints.pinned, hints.sites)
    flows.put(wanted, least_bytes(demand, region, sink, known, hints.degree))
    if flows.cost > before:
        flows.take(wanted)
        flows.put(wanted, there)
