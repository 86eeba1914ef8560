"""The shared graph as text: the events, what is kept of them, the ways from each to the rules, and the rules."""

from __future__ import annotations

from collections.abc import Iterator

from tocsin.draw.graph import Edge, Graph, Node
from tocsin.explain.blueprint import Built
from tocsin.explain.rule_summary import how_text


def network_text(graph: Graph, built: Built) -> list[str]:
    """The graph of `explain/network.py` as lines."""
    told = _Telling(graph)
    lines = [*told.events(), "", *told.kept(), *told.ways(), "", "rules"]
    for node in graph.nodes:
        if node.kind != "rule":
            continue
        running = built.rules[node.title]
        inner = [each.id for each in graph.nodes if each.kind == "pair" and node.title in each.rules]
        where = f": {', '.join(inner)}" if inner else ""
        lines += [f"  {node.title}: {'; '.join(node.lines)}", f"      runs {how_text(running)}{where}"]
        lines += [f"      {line}" for line in told.made_by(node)]
    return lines


class _Telling:
    """A graph being told, each part once."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes = {node.id: node for node in graph.nodes}
        self.out: dict[str, list[Edge]] = {node.id: [] for node in graph.nodes}
        self.into: dict[str, list[Edge]] = {node.id: [] for node in graph.nodes}
        for edge in graph.edges:
            self.out[edge.source].append(edge)
            self.into[edge.target].append(edge)
        self.told: set[str] = set()

    def events(self) -> Iterator[str]:
        """Where events come in."""
        yield "events"
        sources = [node for node in self.graph.nodes if node.kind in ("type", "clock")]
        wide = max((len(node.title) for node in sources), default=0)
        for node in sources:
            yield f"  {node.title.ljust(wide)}  for {', '.join(node.rules)}"

    def kept(self) -> Iterator[str]:
        """The chains of events that searches read."""
        chains = [node for node in self.graph.nodes if node.kind == "chain"]
        if not chains:
            return
        yield "kept, for searches to read"
        for node in chains:
            labels = [edge.label for edge in self.into[node.id] if edge.label]
            only = f" where {labels[0]}" if labels else ""
            yield f"  {node.id} {node.title}{only}{_shared(node)}"
        yield ""

    def ways(self) -> Iterator[str]:
        """What each event sets off, and what each moment that was waited for."""
        yield "when an event comes"
        for node in self.graph.nodes:
            if node.kind in ("type", "clock") and self._flow(node):
                yield f"  {node.title}"
                for edge in self._flow(node):
                    yield from self._follow(edge, "    ")

    def _flow(self, node: Node) -> list[Edge]:
        return [edge for edge in self.out[node.id] if edge.kind == "flow"]

    def _follow(self, edge: Edge, indent: str) -> Iterator[str]:
        node = self.nodes[edge.target]
        label = _label(edge.label)
        if node.kind == "rule":
            yield f"{indent}{label}=> {node.title}"
            return
        known = node.id in self.told
        self.told.add(node.id)
        inside = "; ".join(node.lines)
        reads = ", ".join(each.source for each in self.into[node.id] if each.kind == "read")
        more = " (see above)" if known else f"{f' [{reads}]' if reads else ''}{f': {inside}' if inside else ''}"
        yield f"{indent}{label}{node.id} {node.title}{more}{'' if known else _shared(node)}"
        if not known:
            for each in self._flow(node):
                yield from self._follow(each, indent + "  ")

    def made_by(self, node: Node) -> Iterator[str]:
        """What a rule makes for others."""
        for edge in self.out[node.id]:
            if edge.kind == "make":
                what = self.nodes[edge.target].title
                yield f"{edge.label} {what}" if edge.label else f"its detections are events of type {what}"


def _label(label: str) -> str:
    if not label:
        return ""
    return f"{label} " if label.startswith(("first", "then")) else f"if {label}: "


def _shared(node: Node) -> str:
    return f"  [shared by {', '.join(node.rules)}]" if node.is_shared else ""
