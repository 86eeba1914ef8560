"""Graphs as Mermaid: text that many pages draw by themselves (https://mermaid.js.org/syntax/flowchart.html)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tocsin.draw.boxes import LOOKS
from tocsin.draw.graph import Edge, Graph, Node

SHAPES: Final = {
    "type": ("([", "])"),
    "clock": ("([", "])"),
    "chain": ("[(", ")]"),
    "step": ("[", "]"),
    "absence": ("{{", "}}"),
    "wait": ("([", "])"),
    "pair": ("[[", "]]"),
    "family": ("([", "])"),
    "own": ("[", "]"),
    "plain": ("[", "]"),
    "shards": ("[[", "]]"),
    "state": ("(", ")"),
    "timed": ("(", ")"),
    "complete": ("([", "])"),
    "rule": ("[", "]"),
}
"""What stands around the text of each kind of node."""

ARROWS: Final = {"flow": "-->", "keep": "-->", "read": "-.->", "make": "-.->", "strong": "==>", "weak": "-.->"}

_CODES: Final = {letter: f"#{ord(letter)};" for letter in '#;"<>&`%{}|\\'}
"""What Mermaid would take for more than a letter, as the codes that it has for such."""


def mermaid(graphs: Sequence[Graph]) -> str:
    """One flowchart; several graphs are parts of it."""
    lines = ["flowchart LR"]
    alone = len(graphs) == 1
    for number, graph in enumerate(graphs, 1):
        prefix = "" if alone else f"g{number}"
        inner = list(_lines(graph, prefix))
        if not alone:
            inner = [f"subgraph {prefix} [{_quoted([graph.title])}]", *(f"  {line}" for line in inner), "end"]
        lines += [f"  {line}" for line in inner]
    kinds = dict.fromkeys(node.kind for graph in graphs for node in graph.nodes)
    for kind in kinds:
        look = LOOKS[kind]
        lines.append(f"  classDef {kind} fill:{look.fill},stroke:{look.line},color:#1F2933")
    lines.append("  classDef shared stroke-width:4px")
    return "\n".join(lines) + "\n"


def _lines(graph: Graph, prefix: str) -> Iterator[str]:
    for node in graph.nodes:
        before, after = SHAPES[node.kind]
        yield f"{prefix}{node.id}{before}{_quoted(_words(node))}{after}"
    for edge in graph.edges:
        yield _edge(edge, prefix)
    for node in graph.nodes:
        yield f"class {prefix}{node.id} {node.kind}"
        if node.is_shared and node.kind != "rule":
            yield f"class {prefix}{node.id} shared"


def _words(node: Node) -> list[str]:
    badge = [f"shared by {', '.join(node.rules)}"] if node.is_shared and node.kind != "rule" else []
    return [node.title, *node.lines, *badge]


def _edge(edge: Edge, prefix: str) -> str:
    label = f"|{_quoted([edge.label])}|" if edge.label else ""
    return f"{prefix}{edge.source} {ARROWS[edge.kind]}{label} {prefix}{edge.target}"


def _quoted(lines: Sequence[str]) -> str:
    """Text in quotes, in which nothing has a meaning of its own."""
    written = ("".join(_CODES.get(letter, letter) for letter in " ".join(line.split())) for line in lines)
    return f'"{"<br/>".join(written)}"'
