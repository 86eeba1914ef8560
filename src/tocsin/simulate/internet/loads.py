"""What flows over each link of a tree of sites, and what each site has to evaluate, for very many rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tocsin.sites.placement.demands import Demand, Piece, Placement, Stream
from tocsin.sites.placement.trees import Tree


@dataclass
class Loads:
    """Flows in a tree: a flow that is at a site already is not sent there once more."""

    tree: Tree
    cost: float = 0.0
    """Bytes a second, each times what it costs on the links it goes over."""
    events: dict[str, float] = field(default_factory=dict)
    """Events a second that parts take in, by site."""
    flows: int = 0
    _there: set[tuple[str, str]] = field(default_factory=set)
    _ends: dict[str, float] = field(default_factory=dict)
    """What ends or begins at a site, less twice what turns there: summed up from below it is what goes up its link."""

    def carry(self, name: str, origin: str, to: str, rate: float, *, is_shared: bool = True) -> None:
        """A flow goes to a site."""
        if is_shared:
            if (name, to) in self._there:
                return
            self._there.add((name, to))
        self.flows += 1
        if origin == to or not rate:
            return
        self.cost += rate * self.tree.cost(origin, to)
        ends = self._ends
        meeting = self.tree.meeting(origin, to)
        ends[origin] = ends.get(origin, 0.0) + rate
        ends[to] = ends.get(to, 0.0) + rate
        ends[meeting] = ends.get(meeting, 0.0) - 2 * rate

    def place(self, demand: Demand, placement: Placement, *, is_shared: bool = True) -> None:
        """The parts of a rule take what they need."""
        sites = {piece.name: site for piece, site in placement.pieces}
        outer_first = [piece for piece, _ in placement.pieces]
        self._take(demand.inputs(demand.everything, outer_first), placement.at, sites, is_shared)
        for place, (piece, site) in enumerate(placement.pieces):
            self._take(demand.inputs(piece.types, outer_first[place + 1 :]), site, sites, is_shared)

    def _take(self, taken: Iterable[Stream | Piece], at: str, sites: dict[str, str], is_shared: bool) -> None:
        for each in taken:
            origin = each.site if isinstance(each, Stream) else sites[each.name]
            self.carry(each.name, origin, at, each.rate, is_shared=is_shared)
            self.events[at] = self.events.get(at, 0.0) + each.events

    def busiest_link(self) -> tuple[str, float]:
        """The site below a link, and the bytes a second over it."""
        sums = dict.fromkeys(self.tree.depth, 0.0)
        for site, rate in self._ends.items():
            sums[site] += rate
        for site in reversed(list(self.tree.parent)):  # whoever is below comes after
            above = self.tree.parent[site]
            if above is not None:
                sums[above] += sums[site]
        root = next(iter(self.tree.parent))
        return max(((site, rate) for site, rate in sums.items() if site != root), key=lambda each: (each[1], each[0]))

    def busiest_site(self) -> tuple[str, float]:
        """The site that has most to evaluate, and how many events a second."""
        return max(self.events.items(), key=lambda each: (each[1], each[0]), default=("-", 0.0))
