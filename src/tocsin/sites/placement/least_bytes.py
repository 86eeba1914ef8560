"""Where the parts of a demand cost fewest bytes, exactly: which of its cuts are made, and on which site each part runs.

With the cuts given, what flows between two parts does not depend on where they are; so dynamic programming finds the
sites: what it costs to have a part's output at a site, for each site of a region at once. In a tree the virtual tree of
sources and sinks is enough (`trees`), and n parts over k sites take k x n steps; in a graph all pairs of its sites are
looked at. Which cuts are made is tried: every family of cuts that can be made together, while these are few; of more
the cut is added, or given up, that saves most, until none does, from several beginnings.

What runs already costs nothing up to the site where it runs; a stream that is taken at a site is there.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from tocsin.sites.placement.demands import PATIENCE, Demand, Piece, Placement, Stream
from tocsin.sites.placement.families import MOST_FAMILIES, Family, Taken, families, fit, outer_first, wiring
from tocsin.sites.placement.topologies import Region
from tocsin.sites.placement.trees import INFINITE

_BEGINNINGS: Final = 8
_WORTH: Final = 1 - 1e-9
"""A cut is made if it costs less than without it, by more than rounding."""
Spread: TypeAlias = tuple[list[float], list[int]]
"""What it costs to have something at each site, and from which site it then comes."""


@dataclass
class Known:
    """What runs and what flows already, and what is fixed."""

    running: Mapping[str, str] = field(default_factory=dict)
    """Where pieces run that need not run once more, by their names."""
    taken: Mapping[str, Container[str]] = field(default_factory=dict)
    """Where streams are taken already."""
    pinned: Mapping[str, str] = field(default_factory=dict)
    """Where parts have to be."""
    allowed: frozenset[str] | None = None
    """The sites that host parts; None: all."""


def least_bytes(
    demand: Demand, region: Region, sink: str, known: Known | None = None, degree: int | None = None
) -> Placement:
    """Where the parts of a demand cost fewest bytes a second, each times what it costs on the links it goes over.

    `degree`: so many cuts are made at most.
    """
    search = _Search(demand, region, sink, known or Known())
    found = families(search.types, degree, MOST_FAMILIES)
    return search.placement(search.improved(degree) if found is None else search.best_of(found)[1])


def placed(demand: Demand, made: Iterable[Piece], region: Region, sink: str, known: Known | None = None) -> Placement:
    """Where the parts of a demand cost fewest bytes a second if just these cuts are made."""
    search = _Search(demand, region, sink, known or Known())
    places = {demand.pieces.index(piece) for piece in made}
    return search.placement(tuple(place for place in outer_first(search.types) if place in places))


class _Search:
    def __init__(self, demand: Demand, region: Region, sink: str, known: Known) -> None:
        self._demand, self._region, self._known = demand, region, known
        self.types = tuple([piece.types for piece in demand.pieces])
        self._kinds = [_Straight(self, streams) for streams in demand.streams]
        self._events = [sum([stream.events for stream in streams]) for streams in demand.streams]
        away = region.away(region.index[sink])
        self._away = away
        clocked = sum([1 << kind for kind, some in enumerate(demand.streams) if any(each.is_clocked for each in some)])
        self._is_patient = [not piece.types & clocked for piece in demand.pieces]
        """Whether what a cut takes is not asked more often than patience is, however often the cut itself is."""
        told = demand.told
        self._told = self._hosted(demand.name, [told * each for each in away])
        self._sent: dict[tuple[int, Family, float, float], Spread] = {}
        """What it costs to have what a cut passes on, with what is inside it, at such a rate, so often asked."""

    # -- families --------------------------------------------------------------------------------------------------

    def best_of(self, some: Sequence[Family]) -> tuple[float, Family]:
        """The best family and its cost; of those that cost the same the first."""
        least, best = INFINITE, some[0]
        for family in some:
            cost = min(self._costs(family)[0])
            if cost < least * _WORTH:
                least, best = cost, family
        return least, best

    def improved(self, degree: int | None) -> Family:
        """A family that no single cut more, less or in the place of others makes better."""
        begins: list[Family] = [()]
        if degree != 0:
            singles = [(place,) for place in range(len(self.types))]
            begins += sorted(singles, key=lambda each: min(self._costs(each)[0]))[:_BEGINNINGS]
        return min((self._climbed(begin, degree) for begin in begins), key=lambda each: each[0])[1]

    def _climbed(self, family: Family, degree: int | None) -> tuple[float, Family]:
        found = self.best_of([family])
        while True:
            better = self.best_of([found[1], *self._next_to(found[1], degree)])
            if not better[0] < found[0] * _WORTH:
                return found
            found = better

    def _next_to(self, family: Family, degree: int | None) -> Iterator[Family]:
        for place in family:
            yield tuple([each for each in family if each != place])
        in_order = outer_first(self.types)
        for place in in_order:
            if place not in family:
                beside = {each for each in family if fit(self.types[place], self.types[each])}
                if degree is None or len(beside) < degree:
                    yield tuple([each for each in in_order if each == place or each in beside])

    # -- one family ------------------------------------------------------------------------------------------------

    def _costs(self, family: Family) -> tuple[list[float], dict[int, Spread]]:
        """What all costs with the rule at each site, and what each cut costs there."""
        wired = wiring(self.types, len(self._kinds), family)
        asked: dict[int, float] = {}
        rates: dict[int, float] = {}
        often_rule = self._asking(wired.rule, 0.0, asked, rates)
        often = [self._asking(taken, asked[place], asked, rates) for place, taken, _ in wired.cuts]
        sent: dict[int, Spread] = {}
        for number in range(len(family) - 1, -1, -1):
            place, taken, inner = wired.cuts[number]
            key = place, inner, rates[place], asked[place]
            found = self._sent.get(key)
            if found is None:
                found = self._sent[key] = self._spread(place, taken, rates[place], often[number], sent)
            sent[place] = found
        return self._brought(wired.rule, often_rule, sent, self._told), sent

    def _asking(self, taken: Taken, asked_itself: float, asked: dict[int, float], rates: dict[int, float]) -> float:
        """How often a part asks in all; and so what the cuts that it takes cost, and how often they are asked."""
        demand, events = self._demand, self._events
        often = asked_itself
        for kind in taken.kinds:
            often += events[kind]
        pieces = demand.pieces
        for place in taken.cuts:
            often += pieces[place].events
        for place in taken.cuts:
            piece = pieces[place]
            asked[place] = often - piece.events
            if asked[place] > PATIENCE and self._is_patient[place]:
                asked[place] = PATIENCE
            rates[place] = piece.rate + demand.asking(piece.is_clocked, piece.events, often - piece.events)
        return often

    def _spread(self, place: int, taken: Taken, rate: float, often: float, sent: Mapping[int, Spread]) -> Spread:
        """What it costs to have what a cut passes on at each site."""
        name = self._demand.pieces[place].name
        site = self._known.running.get(name)
        if site is not None:
            at = self._region.index[site]
            values = [rate * each for each in self._region.away(at)]
            return self.unless_taken(name, values), [at] * len(values)
        brought = self._brought(taken, often, sent, None)
        return self._region.spread(self._hosted(name, brought), rate)

    def _brought(
        self, taken: Taken, often: float, sent: Mapping[int, Spread], besides: list[float] | None
    ) -> list[float]:
        """What it costs to have all that a part takes at each site."""
        some = [sent[place][0] for place in taken.cuts]
        some += [self._kinds[kind].costs(often) for kind in taken.kinds]
        if besides is not None:
            some.append(besides)
        if len(some) == 1:
            return some[0]
        if len(some) == 2:
            one, other = some
            return [a + b for a, b in zip(one, other, strict=True)]
        return [sum(each) for each in zip(*some, strict=True)]

    def away(self, stream: Stream) -> list[float]:
        """What a byte of a stream costs at each site."""
        region = self._region
        return self.unless_taken(stream.name, region.away(region.index[stream.site]))

    def unless_taken(self, name: str, values: list[float]) -> list[float]:
        """The same, but nothing where a stream is taken already."""
        there = self._known.taken.get(name)
        if not there:
            return values
        return [0.0 if site in there else value for site, value in zip(self._region.sites, values, strict=True)]

    def asking(self, stream: Stream, often: float) -> float:
        """What it costs to ask how far a stream has got."""
        return self._demand.asking(stream.is_clocked, stream.events, often)

    def _hosted(self, name: str, values: list[float]) -> list[float]:
        """The same, but for sites that may not host a part."""
        pinned, allowed = self._known.pinned.get(name), self._known.allowed
        if pinned is None and allowed is None:
            return values
        return [
            value if site == pinned or (pinned is None and allowed is not None and site in allowed) else INFINITE
            for site, value in zip(self._region.sites, values, strict=True)
        ]

    # -- the answer ------------------------------------------------------------------------------------------------

    def placement(self, family: Family) -> Placement:
        """The sites at which a family costs least."""
        values, sent = self._costs(family)
        sites, least = self._region.sites, min(values)
        # Of sites that cost the same the one nearest to the sink: less delay.
        nearest = [(self._away[place], sites[place], place) for place, value in enumerate(values) if value <= least]
        at = min(nearest)[2]
        wired = wiring(self.types, len(self._kinds), family)
        places = {place: sent[place][1][at] for place in wired.rule.cuts}
        found: list[tuple[Piece, str]] = []
        for place, taken, _ in wired.cuts:
            if place in places:  # else it is inside a part that runs already
                piece = self._demand.pieces[place]
                found.append((piece, sites[places[place]]))
                if piece.name not in self._known.running:
                    places |= {each: sent[each][1][places[place]] for each in taken.cuts}
        return Placement(sites[at], tuple(found), least)


class _Straight:
    """What it costs to have a type at each site straight from its birthplaces."""

    def __init__(self, search: _Search, streams: Sequence[Stream]) -> None:
        self._search, self._streams = search, streams
        self._aways = [search.away(stream) for stream in streams]
        self._known: dict[float, list[float]] = {}
        self._enough = max((stream.events for stream in streams), default=0.0) + 1.0
        self._is_plain = not any(stream.is_clocked for stream in streams)

    def costs(self, often: float) -> list[float]:
        """... where a part asks so often in all."""
        if self._is_plain and often > self._enough:  # nobody asks more often than that
            often = self._enough
        found = self._known.get(often)
        if found is None:
            rates = [each.rate + self._search.asking(each, often - each.events) for each in self._streams]
            if len(rates) == 1:
                rate = rates[0]
                found = [rate * each for each in self._aways[0]]
            else:
                found = [0.0] * len(self._search._away)
                for rate, away in zip(rates, self._aways, strict=True):
                    found = [a + rate * b for a, b in zip(found, away, strict=True)]
            self._known[often] = found
        return found
