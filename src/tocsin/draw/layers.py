"""Graphs laid out in columns: where each box stands, where each label stands, and which way each arrow takes.

The method is Sugiyama's: nodes in columns so that arrows go to the right, long arrows cut into pieces with a place of
their own in every column, columns ordered so that few arrows cross, then everything moved up or down towards what it
is joined to. Labels are things like any other and stand in columns between those of the nodes; so nothing that has
text in it can lie on anything else, whatever is drawn.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

APART = 16.0
"""Between what stands in one column."""
GAP, WIDEST_GAP = 26.0, 74.0
"""Between columns: more where arrows are steep."""
LANE = 12.0
"""The height that an arrow takes where it passes through a column."""
SWEEPS = 10


@dataclass
class Item:
    """A thing in a column: a node, a label, or (without a size) an arrow that passes."""

    width: float
    height: float
    rank: int = 0
    x: float = 0.0
    y: float = 0.0
    """The left edge and the middle."""
    before: list[Item] = field(default_factory=list)
    after: list[Item] = field(default_factory=list)


@dataclass
class Way:
    """An arrow's way: the items that it passes, from left to right. `is_back`: it points to the left."""

    items: list[Item]
    label: Item | None
    is_back: bool


@dataclass
class Layout:
    """What stands where. A way of None is that of an arrow from a node to itself."""

    nodes: list[Item]
    ways: list[Way | None]
    columns: list[tuple[float, float]]
    """The left and right edge of each column."""
    width: float
    height: float


def arranged(
    sizes: Sequence[tuple[float, float]],
    edges: Sequence[tuple[int, int]],
    labels: Sequence[tuple[float, float] | None],
    last: frozenset[int] = frozenset(),
) -> Layout:
    """The nodes of these sizes, joined by edges with labels of those sizes; the nodes `last` stand at the right."""
    nodes = [Item(width, height) for width, height in sizes]
    turned = _turned(len(nodes), edges)
    _rank(nodes, edges, turned, last)
    ways = [
        None if source == target else _way(nodes, (source, target), label, place in turned)
        for place, ((source, target), label) in enumerate(zip(edges, labels, strict=True))
    ]
    columns: list[list[Item]] = [[] for _ in range(max((node.rank for node in nodes), default=-1) + 1)]
    top = 0.0
    for part in _parts(nodes):
        own = _columns(part, len(columns))
        _order(own)
        top = _settle(own, top) + APART
        for column, more in zip(columns, own, strict=True):
            column.extend(more)
    edges_of = _place(columns)
    height = max((item.y + item.height / 2 for item in nodes), default=0.0)
    for way in ways:
        for item in way.items if way is not None else ():
            height = max(height, item.y + item.height / 2)
    return Layout(nodes, ways, edges_of, edges_of[-1][1] if edges_of else 0.0, height)


# -- columns ---------------------------------------------------------------------------------------------------------


def _turned(count: int, edges: Sequence[tuple[int, int]]) -> set[int]:
    """The edges that have to be turned round so that no way leads back to where it began."""
    out: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    entered = [0] * count
    for place, (source, target) in enumerate(edges):
        if source != target:
            out[source].append((place, target))
            entered[target] += 1
    state, turned = [0] * count, set[int]()
    for start in sorted(range(count), key=lambda node: entered[node] > 0):
        ahead = [(start, iter(out[start]))] if state[start] == 0 else []
        state[start] = state[start] or 1
        while ahead:
            node, rest = ahead[-1]
            step = next(rest, None)
            if step is None:
                state[node] = 2
                ahead.pop()
                continue
            place, target = step
            if state[target] == 1:
                turned.add(place)
            elif state[target] == 0:
                state[target] = 1
                ahead.append((target, iter(out[target])))
    return turned


def _rank(nodes: list[Item], edges: Sequence[tuple[int, int]], turned: set[int], last: frozenset[int]) -> None:
    """Puts nodes into every second column: each after all that lead to it. Labels stand in between."""
    ahead = [(t, s) if place in turned else (s, t) for place, (s, t) in enumerate(edges) if s != t]
    for _ in nodes:
        changed = False
        for source, target in ahead:
            if nodes[target].rank < nodes[source].rank + 2:
                nodes[target].rank = nodes[source].rank + 2
                changed = True
        if not changed:
            break
    end = max((node.rank for node in nodes), default=0)
    free = {node for node in last if not any(source == node for source, _ in ahead)}
    for node in free:
        nodes[node].rank = end


def _way(nodes: list[Item], edge: tuple[int, int], label: tuple[float, float] | None, is_back: bool) -> Way:
    """The items of an edge: one in each column that it passes, its label in the first of them."""
    source, target = (nodes[edge[1]], nodes[edge[0]]) if is_back else (nodes[edge[0]], nodes[edge[1]])
    passed = [Item(0.0, LANE, rank) for rank in range(source.rank + 1, target.rank)]
    written = None
    if label is not None:
        # At the side of where the arrow begins.
        written = passed[-1 if is_back else 0]
        written.width, written.height = label
    items = [source, *passed, target]
    for one, other in pairwise(items):
        one.after.append(other)
        other.before.append(one)
    return Way(items, written, is_back)


def _parts(nodes: list[Item]) -> list[list[Item]]:
    """The nodes in groups that no arrow joins: they are laid out one below the other."""
    found: list[list[Item]] = []
    mine = {id(node) for node in nodes}
    seen = set[int]()
    for root in nodes:
        part: list[Item] = []
        ahead = [] if id(root) in seen else [root]
        while ahead:
            item = ahead.pop()
            if id(item) not in seen:
                seen.add(id(item))
                ahead.extend((*item.before, *item.after))
                if id(item) in mine:
                    part.append(item)
        if part:
            found.append(part)
    return found


def _columns(nodes: list[Item], count: int) -> list[list[Item]]:
    """What stands in each column, in the order in which it is met from the left."""
    columns: list[list[Item]] = [[] for _ in range(count)]
    seen = set[int]()
    for root in sorted(nodes, key=lambda node: node.rank):
        ahead = [root]
        while ahead:
            item = ahead.pop()
            if id(item) not in seen:
                seen.add(id(item))
                columns[item.rank].append(item)
                ahead.extend(reversed(item.after))
    return columns


# -- order -----------------------------------------------------------------------------------------------------------


def _order(columns: list[list[Item]]) -> None:
    """Orders the columns so that few arrows cross: again and again by the middle of what an item is joined to."""
    best, fewest = [list(column) for column in columns], _crossings(columns)
    for sweep in range(SWEEPS):
        if fewest == 0:
            break
        forward = sweep % 2 == 0
        for place in range(1, len(columns)) if forward else range(len(columns) - 2, -1, -1):
            beside = {id(item): at for at, item in enumerate(columns[place - 1 if forward else place + 1])}
            keys = {id(item): _middle(item.before if forward else item.after, beside) for item in columns[place]}
            stays = {id(item): float(at) for at, item in enumerate(columns[place])}
            scale = max(1, len(beside)) / max(1, len(columns[place]))
            columns[place].sort(key=lambda item: stays[id(item)] * scale if (k := keys[id(item)]) is None else k)
        crossings = _crossings(columns)
        if crossings < fewest:
            best, fewest = [list(column) for column in columns], crossings
    columns[:] = best


def _middle(joined: list[Item], places: dict[int, int]) -> float | None:
    found = sorted(places[id(item)] for item in joined)
    return sum(found) / len(found) if found else None


def _crossings(columns: list[list[Item]]) -> int:
    """How many arrows cross between neighbouring columns."""
    count = 0
    for left, right in pairwise(columns):
        places = {id(item): at for at, item in enumerate(right)}
        met: list[int] = []
        for item in left:
            ends = sorted(places[id(other)] for other in item.after)
            count += sum(len(met) - bisect_left(met, end + 1) for end in ends)
            for end in ends:
                insort(met, end)
    return count


# -- places ----------------------------------------------------------------------------------------------------------


def _settle(columns: list[list[Item]], below: float) -> float:
    """Gives every item its height on the picture: near what it is joined to, apart from its neighbours.

    All stand below a height; how far down they reach is given back.
    """
    for column in columns:
        _spread(column, [0.0] * len(column))
    for sweep in range(2 * SWEEPS):
        forward = sweep % 2 == 0
        for column in columns if forward else reversed(columns):
            wanted = []
            for item in column:
                joined = item.before if forward else item.after
                joined = joined or (item.after if forward else item.before)
                wanted.append(sum(each.y for each in joined) / len(joined) if joined else item.y)
            _spread(column, wanted)
    items = [item for column in columns for item in column]
    top = min(item.y - item.height / 2 for item in items)
    for item in items:
        item.y += below - top
    return max(item.y + item.height / 2 for item in items)


def _spread(column: list[Item], wanted: list[float]) -> None:
    """The places nearest to those wanted that keep the order and the distances (pooling of neighbours that push)."""
    offsets, at = [], 0.0
    for place, item in enumerate(column):
        if place:
            at += column[place - 1].height / 2 + _apart(column[place - 1], item) + item.height / 2
        offsets.append(at)
    pools: list[tuple[float, int]] = []
    for want, offset in zip(wanted, offsets, strict=True):
        total, count = want - offset, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            before, many = pools.pop()
            total, count = total + before, count + many
        pools.append((total, count))
    place = 0
    for total, count in pools:
        for _ in range(count):
            column[place].y = total / count + offsets[place]
            place += 1


def _apart(one: Item, other: Item) -> float:
    """Arrows that pass may lie closer together than boxes."""
    return 2.0 if not one.width and not other.width else APART


def _place(columns: list[list[Item]]) -> list[tuple[float, float]]:
    """Gives every column its place: as wide as its widest item, and further from the last where arrows are steep."""
    found: list[tuple[float, float]] = []
    x = 0.0
    for place, column in enumerate(columns):
        width = max((item.width for item in column), default=0.0)
        if place:
            steepest = max((abs(item.y - one.y) for item in column for one in item.before), default=0.0)
            x += min(WIDEST_GAP, max(GAP, steepest / 4))
        for item in column:
            item.x = x
            if place % 2 == 0 and item.width:
                item.width = width
        found.append((x, x + width))
        x += width
    return found
