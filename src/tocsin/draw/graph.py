"""Boxes and arrows as plain data: what a picture of a graph shows, however it is drawn or written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Node:
    """A box. `kind` decides its colour; `rules` are those that it is there for: it is shared if they are several."""

    id: str
    kind: str
    title: str
    lines: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def is_shared(self) -> bool:
        """Whether several rules use it."""
        return len(self.rules) > 1


@dataclass(frozen=True)
class Edge:
    """An arrow from one node to another; `label` says what must hold for what goes along it."""

    source: str
    target: str
    kind: str = "flow"
    label: str = ""


@dataclass(frozen=True)
class Graph:
    """Nodes and edges under a title. `notes` are lines that stand below the picture."""

    title: str
    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass
class Sketch:
    """A graph in the making: a thing that is met again is the same node, and has one more rule."""

    title: str
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[Edge, None] = field(default_factory=dict)
    ids: dict[object, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    """How many nodes there are whose ids begin with each prefix."""

    def node(
        self, what: object, prefix: str, kind: str, title: str, lines: tuple[str, ...], rules: Iterable[str] = ()
    ) -> str:
        """The id of the node for `what`, which these rules use."""
        known = self.ids.get(what)
        if known is None:
            self.counts[prefix] = self.counts.get(prefix, 0) + 1
            known = self.ids[what] = f"{prefix}{self.counts[prefix]}"
            self.nodes[known] = Node(known, kind, title, lines)
        self.use(known, rules)
        return known

    def use(self, node: str, rules: Iterable[str]) -> None:
        """More rules use a node."""
        one = self.nodes[node]
        more = tuple(rule for rule in rules if rule not in one.rules)
        if more:
            self.nodes[node] = replace(one, rules=(*one.rules, *more))

    def edge(self, source: str, target: str, kind: str = "flow", label: str = "") -> None:
        """An arrow; the same one is drawn once."""
        self.edges[Edge(source, target, kind, label)] = None

    def finished(self) -> Graph:
        """The graph."""
        return Graph(self.title, tuple(self.nodes.values()), tuple(self.edges), tuple(self.notes))
