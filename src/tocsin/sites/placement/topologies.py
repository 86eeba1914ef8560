"""Sites and their links: what a byte costs from one to another, and how long it takes.

Links make a tree, or any graph. Without links all pairs of sites are equal. A site that no link leads to is as far from
every other as sites are from each other in the mean: nothing is known of it.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, Protocol

from tocsin.errors import UsageError
from tocsin.sites.placement.trees import INFINITE, Tree, TreeRegion

DELAY: Final = 420.0
"""Of a link of which nothing is known, in microseconds: JetStream's on one machine, in the median."""
MOST_TRIED: Final = 64
"""In a graph of more sites only those are tried that lie on the ways between sources and sink."""


@dataclass(frozen=True)
class Link:
    """Two sites that hear each other: what a byte costs, how long a message takes, how many bytes a second fit."""

    one: str
    other: str
    cost: float = 1.0
    delay: float = DELAY
    bandwidth: float | None = None


class Region(Protocol):
    """The sites at which the parts of a demand may be placed."""

    sites: list[str]
    index: dict[str, int]

    def away(self, site: int) -> list[float]:
        """What a byte costs from a site to each."""

    def spread(self, values: Sequence[float], rate: float) -> tuple[list[float], list[int]]:
        """Where something costs so much at each site, what it costs to have it there at each, and from which site."""


class GraphRegion:
    """Some sites of a graph, each as far from the others as the cheapest way is long."""

    def __init__(self, sites: list[str], costs: list[list[float]]) -> None:
        self.sites, self._costs = sites, costs
        self.index = {site: number for number, site in enumerate(sites)}

    def away(self, site: int) -> list[float]:
        """What a byte costs from a site to each."""
        return self._costs[site]

    def spread(self, values: Sequence[float], rate: float) -> tuple[list[float], list[int]]:
        """Where something costs so much at each site, what it costs to have it there at each, and from which site."""
        best: list[float] = []
        origin: list[int] = []
        for number, costs in enumerate(self._costs):
            least, at = values[number], number
            for other, value in enumerate(values):
                cost = value + rate * costs[other]
                if cost < least:
                    least, at = cost, other
            best.append(least)
            origin.append(at)
        return best, origin


@dataclass
class _Ways:
    """The cheapest ways from a site."""

    cost: dict[str, float]
    delay: dict[str, float]
    before: dict[str, str]


@dataclass(frozen=True)
class Topology:
    """Sites and links."""

    sites: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    capacities: Mapping[str, float] = field(default_factory=dict)
    """How much load a site bears beside the others; 1 where nothing is said."""
    _neighbours: dict[str, dict[str, tuple[float, float]]] = field(init=False, compare=False, repr=False)
    _ways: dict[str, _Ways] = field(init=False, compare=False, repr=False, default_factory=dict)
    _names: frozenset[str] = field(init=False, compare=False, repr=False)
    narrow: dict[tuple[str, str], float] = field(init=False, compare=False, repr=False)
    """Links over which only so many bytes a second fit, in both directions."""
    tree: Tree | None = field(init=False, compare=False, repr=False, default=None)
    """Of sites that are linked without a circle."""

    def __post_init__(self) -> None:
        neighbours: dict[str, dict[str, tuple[float, float]]] = {}
        for link in self.links:
            if not (link.cost >= 0 and link.delay >= 0):
                raise UsageError(f"link {link.one} - {link.other}: cost and delay must not be negative")
            for one, other in ((link.one, link.other), (link.other, link.one)):
                known = neighbours.setdefault(one, {}).get(other)
                figures = (link.cost, link.delay)
                neighbours[one][other] = figures if known is None else min(known, figures)
        object.__setattr__(self, "_neighbours", neighbours)
        object.__setattr__(self, "_names", frozenset((*self.sites, *neighbours)))
        object.__setattr__(self, "sites", tuple(sorted(self._names)))
        narrow = {}
        for link in self.links:
            if link.bandwidth is not None:
                narrow[link.one, link.other] = narrow[link.other, link.one] = link.bandwidth
        object.__setattr__(self, "narrow", narrow)
        count = sum(map(len, neighbours.values())) // 2
        if neighbours and count == len(neighbours) - 1:
            tree = Tree(neighbours)
            if len(tree.depth) == len(neighbours):
                object.__setattr__(self, "tree", tree)

    def with_sites(self, sites: Iterable[str]) -> Topology:
        """The same with sites of which nothing more is known."""
        more = [site for site in sites if site not in self._names]
        return Topology((*self.sites, *more), self.links, self.capacities) if more else self

    def cost(self, one: str, other: str) -> float:
        """What a byte costs from one site to another."""
        if one == other:
            return 0.0
        if self._in_tree(one, other):
            assert self.tree is not None
            return self.tree.cost(one, other)
        return self._ways_from(one).cost.get(other, self._mean_cost)

    def delay(self, one: str, other: str) -> float:
        """How long a message takes from one site to another, in microseconds."""
        if one == other:
            return 0.0
        if self._in_tree(one, other):
            assert self.tree is not None
            return self.tree.delay(one, other)
        return self._ways_from(one).delay.get(other, self._mean_delay)

    def route(self, one: str, other: str) -> tuple[tuple[str, str], ...]:
        """The links on the way from one site to another."""
        if one == other:
            return ()
        if self._in_tree(one, other):
            assert self.tree is not None
            sites = self.tree.route(one, other)
        else:
            before = self._ways_from(one).before
            if other not in before:
                return ((one, other),)
            sites = [other]
            while sites[-1] != one:
                sites.append(before[sites[-1]])
            sites.reverse()
        return tuple(pairwise(sites))

    def _in_tree(self, one: str, other: str) -> bool:
        return self.tree is not None and one in self._neighbours and other in self._neighbours

    @property
    def _mean_cost(self) -> float:
        return sum(link.cost for link in self.links) / len(self.links) if self.links else 1.0

    @property
    def _mean_delay(self) -> float:
        return sum(link.delay for link in self.links) / len(self.links) if self.links else DELAY

    def _ways_from(self, site: str) -> _Ways:
        """Dijkstra's algorithm; of ways that cost the same the quicker one, then the first by name."""
        if site in self._ways:
            return self._ways[site]
        ways = self._ways[site] = _Ways({}, {}, {})
        waiting = [(0.0, 0.0, site, site)]
        while waiting:
            cost, delay, here, before = heapq.heappop(waiting)
            if here in ways.cost:
                continue
            ways.cost[here], ways.delay[here], ways.before[here] = cost, delay, before
            for other, (more, longer) in self._neighbours.get(here, {}).items():
                if other not in ways.cost:
                    heapq.heappush(waiting, (cost + more, delay + longer, other, here))
        return ways

    def region(self, terminals: Iterable[str], allowed: frozenset[str] | None = None) -> Region:
        """Where the parts of a demand with such sources and sinks may be placed with fewest bytes.

        `allowed`: the sites that host parts, where not all do; then more than the virtual tree may be needed.
        """
        found = sorted(set(terminals))
        if self.tree is not None and allowed is None and all(site in self._neighbours for site in found):
            region: TreeRegion = self.tree.region(found)
            return region
        sites = self._tried(found)
        if allowed is not None:
            sites = sorted({*found, *(site for site in sites if site in allowed), *self._nearest(found, allowed)})
        return GraphRegion(sites, [[self.cost(one, other) for other in sites] for one in sites])

    def _tried(self, terminals: list[str]) -> list[str]:
        if not self.links:
            return terminals  # any other is further from all
        if len(self.sites) <= MOST_TRIED:
            return sorted({*self.sites, *terminals})
        found = set(terminals)
        for number, one in enumerate(terminals):
            for other in terminals[number + 1 :]:
                found.update(site for link in self.route(one, other) for site in link)
        return sorted(found)

    def _nearest(self, terminals: list[str], allowed: frozenset[str]) -> list[str]:
        """Of the sites that host parts, one that is nearest to each terminal."""
        return [min(allowed, key=lambda site: (self.cost(one, site), site)) for one in terminals]


EVERYWHERE: Final = Topology()
"""Nothing is known: all pairs of sites are equal."""


def topology_of(record: Mapping[str, Any]) -> Topology:
    """A topology as people write it: `{"links": [{"from": "a", "to": "b", "cost": 1, "delay": 5}]}`, delays in ms."""
    if not isinstance(record, Mapping) or not isinstance(record.get("links", []), list):
        raise UsageError("a topology has 'links', each with 'from', 'to', and perhaps 'cost', 'delay', 'bandwidth'")
    links = [_link_of(number, each) for number, each in enumerate(record.get("links", []), 1)]
    sites = record.get("sites", {})
    names = tuple(map(str, sites))
    capacities = dict(_capacities(sites)) if isinstance(sites, Mapping) else {}
    return Topology(names, tuple(links), capacities)


def _capacities(sites: Mapping[str, Any]) -> Iterable[tuple[str, float]]:
    for name, about in sites.items():
        if about is not None and "capacity" in about:
            yield str(name), _number(about["capacity"], f"site {name}: capacity", 0.0)


def _link_of(number: int, record: Any) -> Link:
    known = {"from", "to", "cost", "delay", "bandwidth"}
    if not isinstance(record, Mapping) or not {"from", "to"} <= record.keys() or not record.keys() <= known:
        raise UsageError(f"link {number} of the topology: expected 'from' and 'to', and perhaps cost, delay, bandwidth")
    bandwidth = record.get("bandwidth")
    return Link(
        str(record["from"]),
        str(record["to"]),
        _number(record.get("cost", 1.0), f"link {number}: cost", 0.0),
        1000 * _number(record.get("delay", DELAY / 1000), f"link {number}: delay", 0.0),
        None if bandwidth is None else _number(bandwidth, f"link {number}: bandwidth", 0.0),
    )


def _number(value: Any, what: str, least: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value < INFINITE:
        raise UsageError(f"{what}: expected a number, not {value!r}")
    return float(value)


def topology_record(topology: Topology) -> dict[str, Any]:
    """A topology as people would write it."""
    links = [
        {"from": link.one, "to": link.other, "cost": link.cost, "delay": link.delay / 1000}
        | ({} if link.bandwidth is None else {"bandwidth": link.bandwidth})
        for link in topology.links
    ]
    capacities = topology.capacities
    sites = {site: {"capacity": capacities[site]} if site in capacities else None for site in topology.sites}
    return {"links": links, "sites": sites}


def measured(said: Mapping[str, Mapping[str, Any]]) -> Topology:
    """All pairs of sites linked, with the delays that the sites have measured by probing each other's clocks.

    `said`: what each site says of itself. What a byte costs is not measured: it costs the same everywhere.
    """
    links = [
        Link(site, other, delay=float(about["error"]))
        for site, told in sorted(said.items())
        for other, about in sorted(told.get("clocks", {}).items())
    ]
    return Topology(tuple(sorted(said)), tuple(links))
