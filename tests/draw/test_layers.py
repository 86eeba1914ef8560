"""Graphs are laid out so that nothing lies on anything else, and all arrows but those of cycles go to the right."""

from __future__ import annotations

from itertools import combinations
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.draw.boxes import draw_graphs, layout_of
from tocsin.draw.graph import Edge, Graph, Node
from tocsin.draw.layers import Item, Layout, arranged
from tocsin.draw.svg import text_width
from tocsin.draw.wrapped_text import MOST_LINES, wrapped

SVG = "{http://www.w3.org/2000/svg}"

SIZES = st.tuples(st.floats(10, 300), st.floats(10, 120))
EDGES = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11), st.none() | SIZES), max_size=25)


def items_of(layout: Layout) -> list[Item]:
    """Everything that takes room: boxes, labels, and arrows where they pass through columns."""
    found = {id(item): item for item in layout.nodes}
    for way in layout.ways:
        found |= {id(item): item for item in (way.items if way is not None else ())}
    return list(found.values())


def lie_on_each_other(one: Item, other: Item) -> bool:
    across = one.x < other.x + other.width and other.x < one.x + one.width
    return across and abs(one.y - other.y) < (one.height + other.height) / 2 - 1e-6


@given(st.lists(SIZES, min_size=12, max_size=12), EDGES, st.frozensets(st.integers(0, 11)))
def test_nothing_lies_on_anything_else(
    sizes: list[tuple[float, float]],
    edges: list[tuple[int, int, tuple[float, float] | None]],
    last: frozenset[int],
) -> None:
    layout = arranged(sizes, [edge[:2] for edge in edges], [edge[2] for edge in edges], last)
    items = items_of(layout)
    for one, other in combinations(items, 2):
        assert not lie_on_each_other(one, other)
        if one.rank == other.rank:  # an arrow that passes takes the whole column, though it has no width
            assert abs(one.y - other.y) >= (one.height + other.height) / 2 - 1e-6
    for (source, target, _), way in zip(edges, layout.ways, strict=True):
        assert (way is None) == (source == target)
        if way is not None:
            ends = (
                (layout.nodes[target], layout.nodes[source])
                if way.is_back
                else (layout.nodes[source], layout.nodes[target])
            )
            assert (way.items[0], way.items[-1]) == ends
            assert [item.rank for item in way.items] == list(range(ends[0].rank, ends[1].rank + 1))
    assert max(item.x + item.width for item in items) <= layout.width + 1e-6
    assert min(item.y - item.height / 2 for item in items) >= -1e-6


def test_arrows_go_to_the_right_where_there_is_no_cycle() -> None:
    random = Random(7)
    for _ in range(50):
        edges = [tuple(sorted(random.sample(range(15), 2))) for _ in range(20)]
        layout = arranged([(50.0, 20.0)] * 15, [(a, b) for a, b in edges], [None] * 20)
        assert not any(way is not None and way.is_back for way in layout.ways)


def test_a_chain_is_drawn_in_a_line() -> None:
    layout = arranged([(50.0, 20.0)] * 5, [(n, n + 1) for n in range(4)], [None] * 4)
    assert len({item.y for item in layout.nodes}) == 1


@pytest.mark.parametrize("text", ["", "word", "a b " * 400, "x" * 2000, "x.a == y.b && " * 30, "\u4e8b\u4ef6" * 99])
def test_wrapped_text_fits(text: str) -> None:
    lines = wrapped(text, 120, 11)
    assert 1 <= len(lines) <= MOST_LINES
    assert all(text_width(line, 11) <= 120 for line in lines)


def test_text_stays_inside_its_box() -> None:
    kinds = [
        "type",
        "chain",
        "step",
        "absence",
        "wait",
        "pair",
        "family",
        "plain",
        "state",
        "timed",
        "complete",
        "rule",
    ]
    nodes = [
        Node(f"n{n}", kind, f"{kind} {'w' * n * 7}", ("x.a == y.b && " * n,), ("r", "s"))
        for n, kind in enumerate(kinds)
    ]
    edges = [Edge(f"n{n}", f"n{(n * 5 + 1) % 12}", "flow", "guard < <&> " * n) for n in range(12)]
    graph = Graph("all kinds", tuple(nodes), (*edges, Edge("n8", "n8", "weak", "again")))
    root = ElementTree.fromstring(draw_graphs("all kinds", [graph]))
    boxes = [group for group in root.iter(f"{SVG}g") if (group.get("class") or "").startswith(("node", "label"))]
    assert len(boxes) == 12 + 11 + 1  # the first edge has no label
    for group in boxes:
        box = group.find(f"{SVG}rect")
        assert box is not None
        left, top, width, height = (float(box.attrib[name]) for name in ("x", "y", "width", "height"))
        for line in group.iter(f"{SVG}text"):
            assert left < float(line.attrib["x"])
            assert float(line.attrib["x"]) + text_width(line.text or "", int(line.attrib["font-size"])) <= left + width
            assert top < float(line.attrib["y"]) < top + height
    assert layout_of(graph).width < float(root.attrib["width"])
