"""The least that a demand can cost, by trying everything: each family of cuts, each part at each site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, combinations, product

from tocsin.sites.placement.demands import Demand, Piece, Stream
from tocsin.sites.placement.families import fit
from tocsin.sites.placement.topologies import Topology


def least(demand: Demand, topology: Topology, sites: Sequence[str], sink: str) -> float:
    """Bytes a second, each times what it costs; in as many steps as there are ways."""
    best = float("inf")
    some = chain.from_iterable(combinations(demand.pieces, count) for count in range(len(demand.pieces) + 1))
    for family in some:
        if all(fit(one.types, other.types) for one, other in combinations(family, 2)):
            for at, *where in product(sites, repeat=len(family) + 1):
                places = {piece.name: site for piece, site in zip(family, where, strict=True)}
                best = min(best, cost(demand, topology, sink, family, places, at))
    return best


def cost(
    demand: Demand, topology: Topology, sink: str, family: Sequence[Piece], sites: Mapping[str, str], at: str
) -> float:
    """What it costs to make these cuts and have the parts there, summed up part by part."""
    total = demand.told * topology.cost(at, sink)
    parts = [("", demand.everything, at, 0.0)]
    while parts:
        name, types, here, asked = parts.pop()
        inside = [one for one in family if one.types & types == one.types and one.name != name]
        largest = [one for one in inside if not any(one.types & two.types == one.types != two.types for two in inside)]
        left = types
        for one in largest:
            left &= ~one.types
        straight = [each for kind, some in enumerate(demand.streams) if left >> kind & 1 for each in some]
        taken: list[Stream | Piece] = [*largest, *straight]
        coming = sum(each.events for each in taken)
        for each in taken:
            often = coming - each.events + asked
            origin = each.site if isinstance(each, Stream) else sites[each.name]
            rate = each.rate + demand.asking(each.is_clocked, each.events, often)
            total += rate * topology.cost(origin, here)
            if isinstance(each, Piece):
                parts.append((each.name, each.types, origin, often))
    return total
