"""The policies by name, and the hints that an application may give (001 section 6.2).

central       every rule whole, at one site: the one that is named, or where it is subscribed to
near-sources  parts where they cost fewest bytes a second on the links
near-sinks    parts where a detection is told soonest; of those plans the one with fewest bytes
balanced      parts where no site has to evaluate much more than the others
hash          parts anywhere: each where the hash with its key is highest. All sites agree without a word (section 7)
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tocsin.errors import UsageError
from tocsin.sites.placement.demands import Demand, Piece, Placement, Stream
from tocsin.sites.placement.families import fit
from tocsin.sites.placement.least_bytes import Known, least_bytes
from tocsin.sites.placement.least_delay import least_delay
from tocsin.sites.placement.topologies import Topology

CENTRAL, NEAR_SOURCES, NEAR_SINKS, BALANCED, HASH = "central", "near-sources", "near-sinks", "balanced", "hash"
POLICIES: Final = (CENTRAL, NEAR_SOURCES, NEAR_SINKS, BALANCED, HASH)


@dataclass(frozen=True)
class Hints:
    """What an application knows better."""

    degree: int | None = None
    """Into how many parts beside itself a rule may be cut: 0 for none, None for as many as there are."""
    centre: str | None = None
    """Of `central`: the site; None: where the rules are subscribed to."""
    pinned: Mapping[str, str] = field(default_factory=dict)
    """The sites of some rules, by name, or of some parts, by key."""
    replicas: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Where rules are to run besides, by name, since what they detect is wanted there as well."""
    slack: float = 0.1
    """Of `near-sinks`: how much later than soonest a detection may be told where that saves bytes."""
    sites: frozenset[str] | None = None
    """The sites that host parts; None: all."""
    shares: Mapping[str, int] = field(default_factory=dict)
    """Into how many shares of its key what is cut off a rule is divided, by name: each at a site of its own."""
    ways: Mapping[str, str] = field(default_factory=dict)
    """How the streams of some sites tell how far they have got, by site; of others: by requests."""


MOST_SHARES: Final = 1_000
EVEN: Final = 1.1
"""Sites that are so much more loaded than the least loaded one count as no more loaded."""
NO_HINTS: Final = Hints()


def hints_record(hints: Hints) -> dict[str, Any]:
    """Hints as plain JSON values."""
    replicas = {name: list(sites) for name, sites in hints.replicas.items()}
    sites = None if hints.sites is None else sorted(hints.sites)
    found = {"degree": hints.degree, "centre": hints.centre, "pinned": dict(hints.pinned), "replicas": replicas}
    return found | {"slack": hints.slack, "sites": sites, "shares": dict(hints.shares), "ways": dict(hints.ways)}


def hints_of(record: Mapping[str, Any]) -> Hints:
    """What `hints_record` wrote."""
    replicas = {name: tuple(sites) for name, sites in record["replicas"].items()}
    sites = None if record["sites"] is None else frozenset(record["sites"])
    pinned, ways, shares = dict(record["pinned"]), dict(record["ways"]), dict(record.get("shares", {}))
    return Hints(record["degree"], record["centre"], pinned, replicas, record["slack"], sites, shares, ways)


def checked(policy: str, hints: Hints, sites: Iterable[str]) -> None:
    """Raises a UsageError for what cannot be."""
    if policy not in POLICIES:
        raise UsageError(f"unknown policy '{policy}': expected one of {', '.join(POLICIES)}")
    if hints.degree is not None and hints.degree < 0:
        raise UsageError(f"degree: expected 0 or more, not {hints.degree}")
    if hints.slack < 0:
        raise UsageError(f"slack: expected 0 or more, not {hints.slack}")
    for rule, count in hints.shares.items():
        if not 1 <= count <= MOST_SHARES:
            raise UsageError(f"shares of '{rule}': expected 1 to {MOST_SHARES}, not {count}")
    known = set(sites)
    named = [hints.centre, *hints.pinned.values(), *(each for some in hints.replicas.values() for each in some)]
    for site in (*named, *sorted(hints.sites or ())):
        if site is not None and site not in known:
            raise UsageError(f"unknown site '{site}': there are {', '.join(sorted(known)) or 'none'}")
    if hints.sites is not None and not hints.sites:
        raise UsageError("no site is allowed to host parts")


def rendezvous(key: str, sites: Iterable[str]) -> str:
    """The site at which the hash of it and a key is highest: when a site comes or goes, few parts move."""

    def weight(site: str) -> tuple[bytes, str]:
        return hashlib.blake2b(f"{site}\0{key}".encode(), digest_size=8).digest(), site

    return max(sites, key=weight)


def family(pieces: Iterable[Piece], degree: int | None) -> list[Piece]:
    """As many cuts as can be made together, small ones first: a rule taken apart along its syntax tree."""
    found: list[Piece] = []
    for piece in sorted(pieces, key=lambda each: (each.types.bit_count(), each.types, each.name)):
        if degree is not None and len(found) >= degree:
            break
        if all(fit(piece.types, other.types) for other in found):
            found.append(piece)
    return found


class Planner:
    """Places one demand after the other, each beside what runs already."""

    def __init__(
        self, topology: Topology, policy: str = NEAR_SOURCES, hints: Hints = NO_HINTS, sites: Iterable[str] = ()
    ) -> None:
        self.topology = topology.with_sites(sites)
        self.policy, self.hints = policy, hints
        self.hosts = self.topology.sites if hints.sites is None else tuple(sorted(hints.sites))
        self.running: dict[str, str] = {}
        """Where pieces run, by name."""
        self.inside: dict[str, tuple[str, ...]] = {}
        """The pieces that are inside a piece that runs, by name."""
        self.rules: dict[str, Placement] = {}
        """Demands that were placed, by name."""
        self.taken: dict[str, dict[str, int]] = {}
        """Where streams are taken, and by how many."""
        self.loads: dict[str, float] = {}
        """Events a second that parts take in, by site."""
        self._place: Callable[[Demand, str], Placement] = {
            CENTRAL: self._central,
            NEAR_SOURCES: self._near_sources,
            NEAR_SINKS: self._near_sinks,
            BALANCED: self._balanced,
            HASH: self._hash,
        }[policy]

    def place(self, demand: Demand, sink: str) -> Placement:
        """Where the parts of a demand run from now on. One that runs already is used once more, up to its site."""
        placement = self.rules.get(demand.name)
        if placement is None:
            placement = self.rules[demand.name] = self._place(demand, sink)
            self._note(demand, placement)
        self._takes(demand.name, sink)
        return placement

    def _note(self, demand: Demand, placement: Placement) -> None:
        """Remembers what runs where and takes what."""
        outer_first = [piece for piece, _ in placement.pieces]
        self._hosts(demand.inputs(demand.everything, outer_first), placement.at)
        for place, (piece, site) in enumerate(placement.pieces):
            if piece.name not in self.running:
                self.running[piece.name] = site
                inner = outer_first[place + 1 :]
                self.inside[piece.name] = tuple(each.name for each in inner if each.types & piece.types == each.types)
                self._hosts(demand.inputs(piece.types, inner), site)

    def _hosts(self, taken: Iterable[Stream | Piece], site: str) -> None:
        load = 0.0
        for source in taken:
            load += source.events
            self._takes(source.name, site)
        self.loads[site] = self.loads.get(site, 0.0) + load

    def _takes(self, stream: str, site: str) -> None:
        takers = self.taken.setdefault(stream, {})
        takers[site] = takers.get(site, 0) + 1

    # -- policies --------------------------------------------------------------------------------------------------

    def _central(self, demand: Demand, sink: str) -> Placement:
        return Placement(self.hints.pinned.get(demand.name, self.hints.centre or sink), (), 0.0)

    def _hash(self, demand: Demand, sink: str) -> Placement:
        pinned, running = self.hints.pinned, self.running
        pieces = [
            (piece, running.get(piece.name) or pinned.get(piece.name) or rendezvous(piece.name, self.hosts))
            for piece in reversed(family(demand.pieces, self.hints.degree))
        ]
        return Placement(pinned.get(demand.name) or rendezvous(demand.name, self.hosts), tuple(pieces), 0.0)

    def _near_sources(self, demand: Demand, sink: str) -> Placement:
        region = self.topology.region(self._terminals(demand, sink), self.hints.sites)
        return least_bytes(demand, region, sink, self._known(), self.hints.degree)

    def _known(self) -> Known:
        return Known(self.running, self.taken, self.hints.pinned, self.hints.sites)

    def _terminals(self, demand: Demand, sink: str) -> set[str]:
        terminals = {stream.site for streams in demand.streams for stream in streams}
        terminals.add(sink)
        running, pinned = self.running, self.hints.pinned
        for piece in demand.pieces:
            if piece.name in running:
                terminals.add(running[piece.name])
            if piece.name in pinned:
                terminals.add(pinned[piece.name])
        if demand.name in pinned:
            terminals.add(pinned[demand.name])
        return terminals

    def _near_sinks(self, demand: Demand, sink: str) -> Placement:
        allowed = family(demand.pieces, self.hints.degree)
        fewer = demand if self.hints.degree is None else replace(demand, pieces=tuple(allowed))
        region = self.topology.region(self._terminals(demand, sink), self.hints.sites)
        return least_delay(fewer, region, self.topology, sink, self.hints.slack, self._known())

    def _balanced(self, demand: Demand, sink: str) -> Placement:
        loads = dict(self.loads)
        sites: dict[str, str] = {}
        made: list[Piece] = []
        for piece in family(demand.pieces, self.hints.degree):
            taken = list(demand.inputs(piece.types, reversed(made)))
            sites[piece.name] = self.running.get(piece.name) or self._least_loaded(loads, piece.name, taken, sites)
            made.append(piece)
        taken = list(demand.inputs(demand.everything, reversed(made)))
        told = Stream("", sink, demand.told)
        at = self._least_loaded(loads, demand.name, [*taken, told], sites)
        return Placement(at, tuple((piece, sites[piece.name]) for piece in reversed(made)), 0.0)

    def _least_loaded(
        self, loads: dict[str, float], name: str, taken: list[Stream | Piece], sites: Mapping[str, str]
    ) -> str:
        """The site that is least loaded with a part on it; of several the one to which its streams cost least."""
        capacities, cost = self.topology.capacities, self.topology.cost
        load = sum(each.events for each in taken)
        loaded = {site: (loads.get(site, 0.0) + load) / (capacities.get(site) or 1.0) for site in self.hosts}
        least = min(loaded.values())
        flows = [(each.site if isinstance(each, Stream) else sites[each.name], each.rate) for each in taken]
        costs = {
            site: sum(rate * cost(origin, site) for origin, rate in flows)
            for site, one in loaded.items()
            if one <= least * EVEN
        }
        site = self.hints.pinned.get(name) or min(costs, key=lambda each: (costs[each], loaded[each], each))
        loads[site] = loads.get(site, 0.0) + load
        return site
