"""Routes in a tree of sites, and the few of its sites that matter for a plan.

Whatever is placed for some terminals (sources and sinks) need never be anywhere but at a terminal or where the ways of
two terminals part, their lowest common ancestor: between two such sites costs change linearly. With k terminals these
are fewer than 2k sites, however large the tree is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

INFINITE: Final = float("inf")


class Tree:
    """Sites that are linked without a circle."""

    def __init__(self, neighbours: Mapping[str, Mapping[str, tuple[float, float]]]) -> None:
        self.depth: dict[str, float] = {}
        """What a byte costs from the root to a site."""
        self.delays: dict[str, float] = {}
        self.parent: dict[str, str | None] = {}
        self._place: dict[str, int] = {}
        self._order: list[str] = []
        """The sites from the root on, each before what hangs below it."""
        self._walk(neighbours)
        self._lowest = self._sparse_table()

    def _walk(self, neighbours: Mapping[str, Mapping[str, tuple[float, float]]]) -> None:
        root = min(neighbours)
        self.parent[root], self.depth[root], self.delays[root] = None, 0.0, 0.0
        waiting = [root]
        while waiting:
            site = waiting.pop()
            self._place[site] = len(self._order)
            self._order.append(site)
            for other, (cost, delay) in sorted(neighbours[site].items(), reverse=True):
                if other != self.parent[site]:
                    self.parent[other] = site
                    self.depth[other] = self.depth[site] + cost
                    self.delays[other] = self.delays[site] + delay
                    waiting.append(other)

    def _sparse_table(self) -> list[list[int]]:
        """For each stretch of the order whose length is a power of two, the parent that comes first in the order."""
        place, parent = self._place, self.parent
        row = [-1 if (above := parent[site]) is None else place[above] for site in self._order]
        table = [row]
        width = 1
        while 2 * width <= len(row):
            table.append([min(a, b) for a, b in zip(table[-1], table[-1][width:], strict=False)])
            width *= 2
        return table

    def meeting(self, left: str, right: str) -> str:
        """Where the ways of two sites to the root meet: their lowest common ancestor."""
        low, high = self._place[left], self._place[right]
        if low == high:
            return left
        if low > high:
            low, high = high, low
        level = (high - low).bit_length() - 1
        row = self._lowest[level]
        return self._order[min(row[low + 1], row[high + 1 - (1 << level)])]

    def cost(self, left: str, right: str) -> float:
        """What a byte costs from one site to another."""
        return self.depth[left] + self.depth[right] - 2 * self.depth[self.meeting(left, right)]

    def delay(self, left: str, right: str) -> float:
        """How long a message takes from one site to another."""
        return self.delays[left] + self.delays[right] - 2 * self.delays[self.meeting(left, right)]

    def route(self, left: str, right: str) -> list[str]:
        """The sites on the way from one to another, both included."""
        meeting = self.meeting(left, right)
        return [*self._up(left, meeting), meeting, *reversed(self._up(right, meeting))]

    def middle(self, weights: Mapping[str, float]) -> str:
        """The site to which so much from each of some sites goes for least: no link leads from it to more than half."""
        below = {site: weights.get(site, 0.0) for site in self._order}
        for site in reversed(self._order):
            above = self.parent[site]
            if above is not None:
                below[above] += below[site]
        half, root = below[self._order[0]] / 2, self._order[0]
        heavy = [site for site in self._order if below[site] > half]  # they lie on one way down from the root
        return heavy[-1] if heavy else root

    def _up(self, site: str, end: str) -> list[str]:
        found: list[str] = []
        while site != end:
            found.append(site)
            above = self.parent[site]
            assert above is not None
            site = above
        return found

    def region(self, terminals: Iterable[str]) -> TreeRegion:
        """The terminals and their lowest common ancestors: the virtual tree."""
        place, order = self._place, self._order
        places = sorted({place[site] for site in terminals})
        members = set(places)
        for left, right in pairwise(places):
            level = (right - left).bit_length() - 1
            row = self._lowest[level]
            members.add(min(row[left + 1], row[right + 1 - (1 << level)]))
        members_in_order = sorted(members)
        sites = [order[each] for each in members_in_order]
        above = self._parents_among(sites, members_in_order)
        depth = self.depth
        lengths = [0.0 if up < 0 else depth[site] - depth[sites[up]] for site, up in zip(sites, above, strict=True)]
        return TreeRegion(sites, above, lengths)

    def _parents_among(self, sites: Sequence[str], places: Sequence[int]) -> list[int]:
        """For each site of a virtual tree, in order, which of them is next above it."""
        above = [-1]
        for number in range(1, len(sites)):
            left, right = places[number - 1], places[number]
            level = (right - left).bit_length() - 1
            row = self._lowest[level]
            meeting = min(row[left + 1], row[right + 1 - (1 << level)])
            up = number - 1
            while places[up] != meeting:
                up = above[up]
            above.append(up)
        return above


class TreeRegion:
    """The virtual tree of some terminals: parts are placed at one of its sites."""

    def __init__(self, sites: list[str], above: list[int], lengths: list[float]) -> None:
        self.sites = sites
        self.index = {site: number for number, site in enumerate(sites)}
        self._above, self._lengths = above, lengths
        self._down = range(1, len(sites))
        self._up = range(len(sites) - 1, 0, -1)
        self._away: dict[int, list[float]] = {}

    def away(self, site: int) -> list[float]:
        """What a byte costs from a site to each."""
        found = self._away.get(site)
        if found is None:
            values = [INFINITE] * len(self.sites)
            values[site] = 0.0
            found = self._away[site] = self.spread(values, 1.0)[0]
        return found

    def spread(self, values: Sequence[float], rate: float) -> tuple[list[float], list[int]]:
        """Where something costs so much at each site, what it costs to have it there at each, and from which site."""
        above, lengths = self._above, self._lengths
        best, origin = list(values), list(range(len(values)))
        for number in self._up:
            up = above[number]
            cost = best[number] + rate * lengths[number]
            if cost < best[up]:
                best[up], origin[up] = cost, origin[number]
        for number in self._down:
            up = above[number]
            cost = best[up] + rate * lengths[number]
            if cost < best[number]:
                best[number], origin[number] = cost, origin[up]
        return best, origin
