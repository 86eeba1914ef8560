"""Where the parts of a demand cost fewest bytes, exactly: which of its cuts are made, and on which site each part runs.

With the cuts given, what flows between two parts does not depend on where they are; so dynamic programming finds the
sites: what it costs to have a part's output at a site, for each site of a region at once. In a tree the virtual tree of
sources and sinks is enough (`trees`), and n parts over k sites take k x n steps; in a graph all pairs of its sites are
looked at. Which cuts are made is tried: every family of cuts that can be made together, while these are few; of more
the cut is added, or given up, that saves most, until none does.

What runs already costs nothing up to the site where it runs; a stream that is taken at a site is there.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tocsin.sites.placement.demands import Demand, Input, Piece, Placement, Stream
from tocsin.sites.placement.topologies import Region
from tocsin.sites.placement.trees import INFINITE

MOST_FAMILIES: Final = 512
"""So many families of cuts are all tried."""
_BEGINNINGS: Final = 8
_WORTH: Final = 1 - 1e-9
"""A cut is made if it costs less than without it, by more than rounding."""


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


def fit(one: int, other: int) -> bool:
    """Whether two cuts can be made together: one is inside the other, or they have nothing in common."""
    return one != other and one & other in (0, one, other)


def families(pieces: Sequence[Piece], degree: int | None, most: int) -> list[tuple[Piece, ...]] | None:
    """All families of cuts that can be made together, the smallest first; None if there are more."""
    found: list[tuple[Piece, ...]] = [()]
    for piece in sorted(pieces, key=_outer_first):
        for family in list(found):
            if (degree is None or len(family) < degree) and all(fit(piece.types, other.types) for other in family):
                found.append((*family, piece))
                if len(found) > most:
                    return None
    return sorted(found, key=len)


def _outer_first(piece: Piece) -> tuple[int, int, str]:
    return -piece.types.bit_count(), piece.types, piece.name


def least_bytes(
    demand: Demand, region: Region, sink: str, known: Known | None = None, degree: int | None = None
) -> Placement:
    """Where the parts of a demand cost fewest bytes a second, each times what it costs on the links it goes over.

    `degree`: so many cuts are made at most.
    """
    search = _Search(demand, region, sink, known or Known())
    found = families(demand.pieces, degree, MOST_FAMILIES)
    return search.best_of(iter(found)) if found is not None else search.improved(degree)


def placed(demand: Demand, family: Sequence[Piece], region: Region, sink: str, known: Known | None = None) -> Placement:
    """Where the parts of a demand cost fewest bytes a second if just these cuts are made."""
    return _Search(demand, region, sink, known or Known()).best(tuple(sorted(family, key=_outer_first)))


class _Search:
    def __init__(self, demand: Demand, region: Region, sink: str, known: Known) -> None:
        self._demand, self._region, self._known = demand, region, known
        self._sink = region.index[sink]
        self._width = len(region.sites)
        self._away: dict[str, list[float]] = {}

    def best_of(self, some: Iterator[tuple[Piece, ...]]) -> Placement:
        """The best family; of those that cost the same the one with fewest cuts."""
        found = self.best(next(some))
        for family in some:
            other = self.best(family)
            if other.cost < found.cost * _WORTH:
                found = other
        return found

    def improved(self, degree: int | None) -> Placement:
        """A family that no single cut more, less or in the place of another makes better, from several beginnings."""
        singles = sorted(
            ((self.best((piece,)).cost, (piece,)) for piece in self._demand.pieces), key=lambda each: each[0]
        )
        begins = [(), *(family for _, family in singles[:_BEGINNINGS])] if degree != 0 else [()]
        return min((self._climbed(begin, degree) for begin in begins), key=lambda each: each.cost)

    def _climbed(self, made: tuple[Piece, ...], degree: int | None) -> Placement:
        found = self.best(made)
        while True:
            better = self.best_of(iter([made, *self._next_to(made, degree)]))
            if not better.cost < found.cost * _WORTH:
                return found
            found, made = better, tuple(piece for piece, _ in better.pieces)

    def _next_to(self, made: tuple[Piece, ...], degree: int | None) -> Iterator[tuple[Piece, ...]]:
        for piece in made:
            yield tuple(each for each in made if each is not piece)
        for piece in self._demand.pieces:
            if piece not in made:
                beside = [each for each in made if fit(piece.types, each.types)]
                if degree is None or len(beside) < degree:
                    yield tuple(sorted((*beside, piece), key=_outer_first))

    # -- one family ------------------------------------------------------------------------------------------------

    def best(self, family: tuple[Piece, ...]) -> Placement:
        """Where everything costs least with these cuts, outer ones first."""
        rule, cuts = self._demand.wiring(family)
        made: dict[str, tuple[list[float], list[int]]] = {}
        running = self._known.running
        rates = {each.source.name: each.rate for some in (rule, *cuts) for each in some}
        for piece, taken in zip(reversed(family), reversed(cuts), strict=True):
            rate = rates[piece.name]
            if piece.name in running:
                made[piece.name] = self._from_where_it_runs(piece.name, rate)
            else:
                made[piece.name] = self._region.spread(self._hosted(piece.name, self._brought(taken, made)), rate)
        values = self._brought(rule, made)
        away = self._region.away(self._sink)
        told = self._demand.told
        values = self._hosted(self._demand.name, [a + told * b for a, b in zip(values, away, strict=True)])
        least = min(values)
        # Of sites that cost the same the one nearest to the sink: less delay.
        _, _, at = min(
            (away[place], self._region.sites[place], place) for place, value in enumerate(values) if value <= least
        )
        return Placement(self._region.sites[at], tuple(self._where(family, rule, cuts, made, at)), least)

    def _brought(self, taken: list[Input], made: Mapping[str, tuple[list[float], list[int]]]) -> list[float]:
        """What it costs to have all that a part takes at each site."""
        found = [0.0] * self._width
        for source, rate in taken:
            if isinstance(source, Piece):
                found = [a + b for a, b in zip(found, made[source.name][0], strict=True)]
            else:
                found = [a + rate * b for a, b in zip(found, self._straight(source), strict=True)]
        return found

    def _straight(self, stream: Stream) -> list[float]:
        """What a byte of a stream costs at each site."""
        away = self._away.get(stream.name)
        if away is None:
            away = self._unless_taken(stream.name, self._region.away(self._region.index[stream.site]))
            self._away[stream.name] = away
        return away

    def _unless_taken(self, name: str, values: list[float]) -> list[float]:
        there = self._known.taken.get(name)
        if not there:
            return values
        return [0.0 if site in there else value for site, value in zip(self._region.sites, values, strict=True)]

    def _from_where_it_runs(self, name: str, rate: float) -> tuple[list[float], list[int]]:
        place = self._region.index[self._known.running[name]]
        values = [rate * each for each in self._region.away(place)]
        return self._unless_taken(name, values), [place] * self._width

    def _hosted(self, name: str, values: list[float]) -> list[float]:
        """The same, but for sites that may not host a part."""
        pinned, allowed = self._known.pinned.get(name), self._known.allowed
        if pinned is not None:
            return [
                value if site == pinned else INFINITE for site, value in zip(self._region.sites, values, strict=True)
            ]
        if allowed is not None:
            return [
                value if site in allowed else INFINITE for site, value in zip(self._region.sites, values, strict=True)
            ]
        return values

    def _where(
        self,
        family: tuple[Piece, ...],
        rule: list[Input],
        cuts: list[list[Input]],
        made: Mapping[str, tuple[list[float], list[int]]],
        at: int,
    ) -> Iterator[tuple[Piece, str]]:
        """The sites of the cuts, given that of the rule; none of those inside a part that runs already."""
        places: dict[str, int] = {}

        def takes(taken: list[Input], place: int) -> None:
            for each in taken:
                if isinstance(each.source, Piece):
                    places[each.source.name] = made[each.source.name][1][place]

        takes(rule, at)
        for piece, taken in zip(family, cuts, strict=True):
            if piece.name in places:
                yield piece, self._region.sites[places[piece.name]]
                if piece.name not in self._known.running:
                    takes(taken, places[piece.name])
