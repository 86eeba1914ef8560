"""Where the parts of a demand cost fewest bytes, exactly: which of its cuts are made, and on which site each part runs.

Dynamic programming over sets of types, at each site of a region at once. What it costs to have everything of a set at a
site is the least over the ways to put the set together: a type straight from its birthplaces, or a cut that was made
somewhere and sent here. So the family of cuts and the sites are chosen together. In a tree the virtual tree of sources
and sinks is enough (`trees`), which makes a demand of k sites and n parts a matter of k x n steps; in a graph all pairs
of its sites are looked at.

What runs already costs nothing up to the site where it runs; a stream that is taken at a site is there.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Final

from tocsin.sites.placement.demands import Demand, Piece, Placement
from tocsin.sites.placement.topologies import Region
from tocsin.sites.placement.trees import INFINITE

_WORTH: Final = 1 - 1e-9
"""A cut is made if it costs less than without it, by more than rounding."""
_STRAIGHT: Final = 0
"""Instead of a cut: a type straight from its birthplaces."""
_NOBODY: Final[frozenset[str]] = frozenset()


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


class _Search:
    def __init__(self, demand: Demand, region: Region, known: Known) -> None:
        self._demand, self._region, self._known = demand, region, known
        self._width = len(region.sites)
        self._pieces = {piece.types: piece for piece in sorted(demand.pieces, key=lambda each: each.rate, reverse=True)}
        self._by_lowest: dict[int, list[int]] = {}
        for types in sorted(self._pieces, key=lambda each: (each.bit_count(), each)):
            self._by_lowest.setdefault(types & -types, []).append(types)
        self._straight: dict[int, list[float]] = {}
        self._had: dict[int, tuple[list[float], list[int]]] = {}
        """For a set: what it costs to have it at each site, and which of its parts with the lowest type comes first."""
        self._made: dict[int, tuple[list[float], list[int]]] = {}
        """For a cut: what it costs to make it at each site, and how."""
        self._sent: dict[int, tuple[list[float], list[int]]] = {}
        """... and to have it at each site, and from where."""

    def straight(self, kind: int) -> list[float]:
        """What it costs to have a type at each site straight from its birthplaces."""
        found = self._straight.get(kind)
        if found is None:
            found = [0.0] * self._width
            region, taken = self._region, self._known.taken
            for name, site, rate in self._demand.streams[kind.bit_length() - 1]:
                away = region.away(region.index[site])
                if taken and (there := taken.get(name, _NOBODY)):
                    sites = region.sites
                    away = [0.0 if sites[place] in there else each for place, each in enumerate(away)]
                found = [value + rate * each for value, each in zip(found, away, strict=True)]
            self._straight[kind] = found
        return found

    def had(self, types: int) -> tuple[list[float], list[int]]:
        """What it costs to have everything of a set of types at each site."""
        found = self._had.get(types)
        if found is None:
            found = self._had[types] = self._together(types, is_cut=False)
        return found

    def made(self, types: int) -> tuple[list[float], list[int]]:
        """What it costs to make a cut at each site."""
        found = self._made.get(types)
        if found is None:
            found = self._made[types] = self._together(types, is_cut=True)
        return found

    def _together(self, types: int, *, is_cut: bool) -> tuple[list[float], list[int]]:
        if not types:
            return [0.0] * self._width, [0] * self._width
        lowest = types & -types
        rest = self.had(types ^ lowest)[0] if types != lowest else None
        values = self.straight(lowest)
        values = list(values) if rest is None else [a + b for a, b in zip(values, rest, strict=True)]
        first = [_STRAIGHT] * self._width
        cuts = [cut for cut in self._by_lowest.get(lowest, ()) if not cut & ~types and not (is_cut and cut == types)]
        if cuts and self._demand.is_fixed:
            cuts = cuts[-1:]
            values = [INFINITE] * self._width
        for cut in cuts:
            sent = self.sent(cut)[0]
            rest = self.had(types ^ cut)[0] if types != cut else None
            for place, value in enumerate(sent):
                cost = value if rest is None else value + rest[place]
                if cost < values[place] * _WORTH:
                    values[place], first[place] = cost, cut
        return values, first

    def sent(self, cut: int) -> tuple[list[float], list[int]]:
        """What it costs to have what a cut passes on at each site."""
        found = self._sent.get(cut)
        if found is None:
            piece = self._pieces[cut]
            site = self._known.running.get(piece.name)
            if site is not None and site in self._region.index:
                found = self._sent_from(piece, self._region.index[site])
            else:
                found = self._region.spread(self._where_allowed(piece.name, self.made(cut)[0]), piece.rate)
            self._sent[cut] = found
        return found

    def _sent_from(self, piece: Piece, place: int) -> tuple[list[float], list[int]]:
        """What it costs to have what a part gives out that runs already: nothing where it is taken."""
        values = [piece.rate * each for each in self._region.away(place)]
        there = self._known.taken.get(piece.name, _NOBODY)
        if there:
            values = [0.0 if site in there else each for site, each in zip(self._region.sites, values, strict=True)]
        return values, [place] * self._width

    def _where_allowed(self, name: str, values: list[float]) -> list[float]:
        pinned, allowed = self._known.pinned.get(name), self._known.allowed
        if pinned is None and allowed is None:
            return values
        sites = self._region.sites
        if pinned is not None:
            return [value if site == pinned else INFINITE for value, site in zip(values, sites, strict=True)]
        assert allowed is not None
        return [value if site in allowed else INFINITE for value, site in zip(values, sites, strict=True)]

    # -- the answer ------------------------------------------------------------------------------------------------

    def best(self, sink: str) -> Placement:
        """The rule itself where all costs least."""
        demand, region = self._demand, self._region
        values, _ = self.had(demand.everything)
        away = region.away(region.index[sink])
        values = self._where_allowed(
            demand.name, [value + demand.told * each for value, each in zip(values, away, strict=True)]
        )
        least = min(values)
        # Of sites that cost the same the one nearest to the sink: less delay.
        nearest = [(away[place], region.sites[place], place) for place, value in enumerate(values) if value <= least]
        place = min(nearest)[2] if nearest else region.index[sink]
        pieces: list[tuple[Piece, str]] = []
        self._collect(demand.everything, place, False, pieces)
        return Placement(region.sites[place], tuple(pieces), least)

    def _collect(self, types: int, place: int, is_cut: bool, pieces: list[tuple[Piece, str]]) -> None:
        """The cuts of which a set is put together at a site, what is inside them first."""
        while types:
            _, first = (self._made if is_cut else self._had)[types]
            cut = first[place]
            is_cut = False
            if cut == _STRAIGHT:
                types ^= types & -types
                continue
            piece = self._pieces[cut]
            at = self._sent[cut][1][place]
            if piece.name not in self._known.running:
                self._collect(cut, at, True, pieces)
            pieces.append((piece, self._region.sites[at]))
            types ^= cut


def least_bytes(demand: Demand, region: Region, sink: str, known: Known | None = None) -> Placement:
    """Where the parts of a demand cost fewest bytes a second, each times what it costs on the links it goes over."""
    return _Search(demand, region, known or Known()).best(sink)
