"""Mermaid that Mermaid reads: every line is one of a few forms, every id is known, and no text breaks out of its quotes.

The forms are those of https://mermaid.js.org/syntax/flowchart.html; what this writes was read by Mermaid 11 itself.
"""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tocsin.draw.graph import Edge, Graph, Node
from tocsin.draw.mermaid import ARROWS, SHAPES, mermaid

QUOTED = r'"(?:[^"#;<>&`%{}|\\]|#\d+;|<br/>)*"'
NODE = re.compile("|".join(rf"(\w+){re.escape(a)}{QUOTED}{re.escape(b)}" for a, b in dict.fromkeys(SHAPES.values())))
EDGE = re.compile(rf"(\w+) (?:-->|-\.->|==>)(?:\|{QUOTED}\|)? (\w+)")
CLASS = re.compile(r"class (\w+) (\w+)")
STYLE = re.compile(r"classDef (\w+) [\w#:,-]+")
PART = re.compile(rf"subgraph \w+ \[{QUOTED}\]")


def assert_valid(text: str) -> tuple[int, int]:
    """How many nodes and edges a flowchart has, which must be right in every line."""
    first, *lines = text.splitlines()
    assert first == "flowchart LR"
    ids, used, classes, styles, edges, depth = set[str](), set[str](), set[str](), set[str](), 0, 0
    for line in map(str.strip, lines):
        if found := NODE.fullmatch(line):
            ids |= {each for each in found.groups() if each}
        elif found := EDGE.fullmatch(line):
            used |= set(found.groups())
            edges += 1
        elif found := CLASS.fullmatch(line):
            used.add(found[1])
            classes.add(found[2])
        elif found := STYLE.fullmatch(line):
            styles.add(found[1])
        else:
            assert line == "end" or PART.fullmatch(line), line
            depth += -1 if line == "end" else 1
            assert depth in (0, 1)
    assert used <= ids
    assert classes <= styles
    assert depth == 0
    return len(ids), edges


@given(st.text(), st.text(), st.text())
def test_any_text_may_stand_there(title: str, line: str, label: str) -> None:
    nodes = tuple(Node(f"n{n}", kind, title, (line,), (title, line)) for n, kind in enumerate(SHAPES))
    edges = tuple(Edge("n0", f"n{n}", kind, label) for n, kind in enumerate(ARROWS))
    graph = Graph(title, nodes, edges)
    assert assert_valid(mermaid([graph])) == (len(SHAPES), len(ARROWS))
    assert assert_valid(mermaid([graph, graph])) == (2 * len(SHAPES), 2 * len(ARROWS))


def test_what_mermaid_would_misread_is_written_as_codes() -> None:
    text = mermaid([Graph("g", (Node("n1", "rule", 'a "b" #1; <br/> `c`', ("x > 3 && y",)),))])
    assert 'n1["a #34;b#34; #35;1#59; #60;br/#62; #96;c#96;<br/>x #62; 3 #38;#38; y"]' in text
