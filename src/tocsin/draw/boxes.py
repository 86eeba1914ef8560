"""Graphs as SVG: boxes of a colour for each kind, shared ones marked, arrows with what must hold on them, a legend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tocsin.draw.graph import Edge, Graph, Node
from tocsin.draw.layers import Item, Layout, Way, arranged
from tocsin.draw.svg import EDGE, GREY, INK, clean, page, shortened, tag, text_at, text_width
from tocsin.draw.wrapped_text import shortened_lines, wrapped

TITLE, SMALL, PAD = 13, 11, 10
WIDE, NARROW = 250.0, 190.0
"""How wide the text of a box, and of a label, may be."""
LOOP = 26.0
"""The height of an arrow from a node to itself."""


@dataclass(frozen=True)
class Look:
    """How a kind of node is drawn, and what the legend calls it."""

    said: str
    fill: str
    line: str
    rounded: float = 5


LOOKS: Final = {
    "type": Look("events of a type", "#DCEBF7", "#0072B2", 14),
    "clock": Look("time events", "#DCEBF7", "#0072B2", 14),
    "chain": Look("kept, by key", "#DFF3EC", "#009E73"),
    "step": Look("a step of a search", "#FFFFFF", "#66727F"),
    "absence": Look("must be absent", "#FBE9F1", "#CC79A7"),
    "wait": Look("waits", "#FDF3DC", "#E69F00", 14),
    "pair": Look("remembers", "#ECE6F5", "#5D3A9B"),
    "family": Look("rules that differ in a constant", "#EEF1F4", "#7A7A7A", 14),
    "own": Look("has a memory of its own", "#ECE6F5", "#5D3A9B", 14),
    "plain": Look("the plain meaning", "#EEF1F4", "#7A7A7A"),
    "shards": Look("shards", "#ECE6F5", "#5D3A9B"),
    "state": Look("a state", "#FFFFFF", "#0072B2", 14),
    "timed": Look("a generative state: a time event", "#FDF3DC", "#E69F00", 14),
    "complete": Look("a generative state: complete", "#FDEBDD", "#D55E00", 14),
    "rule": Look("a rule", "#FDEBDD", "#D55E00"),
}
"""Okabe and Ito's colours, as in the timelines, with pale ones of the same tone to write on."""

ARROWS: Final = {
    "flow": ("goes on to", "#3E4C59", ""),
    "keep": ("is kept", "#009E73", ""),
    "read": ("is read by", "#009E73", "5 4"),
    "make": ("makes events, switches", "#D55E00", "2 3"),
    "strong": ("strongly followed by", "#3E4C59", ""),
    "weak": ("weakly followed by", "#3E4C59", "6 4"),
}
"""What each kind of arrow says, its colour, and its dashes."""


def draw_graphs(title: str, graphs: Sequence[Graph], said: str = "") -> str:
    """A picture of one or more graphs below each other, as the text of an SVG file."""
    panels = [_Panel(graph) for graph in graphs]
    width = max([760.0, *(panel.layout.width for panel in panels)]) + 2 * EDGE
    body = [_markers(), text_at(EDGE, 34, shortened(title, width - 2 * EDGE, 22), size=20, font_weight=600)]
    y = 38.0
    for line in wrapped(said, width - 2 * EDGE, 12) if said else ():
        y += 18
        body.append(text_at(EDGE, y, line, size=12, fill=GREY))
    legend, y = _legend(graphs, width, y + 24)
    body += legend
    told = [graph.notes for graph in graphs]
    for number, (panel, graph) in enumerate(zip(panels, graphs, strict=True), 1):
        if len(graphs) > 1:
            body.append(text_at(EDGE, y + 16, graph.title, size=15, font_weight=600))
            y += 34
        body.append(tag("g", "\n".join(panel.drawn()), transform=f"translate({EDGE},{y:.1f})"))
        y += panel.layout.height + 14
        # What is said of several graphs in a row is said once, after the last.
        for note in () if graph.notes in told[number : number + 1] else graph.notes:
            for line in wrapped(note, width - 2 * EDGE, 12):
                y += 17
                body.append(text_at(EDGE, y, line, size=12, fill=GREY))
        y += 26
    return page(title, body, y, width)


def layout_of(graph: Graph) -> Layout:
    """Where everything of a graph stands."""
    return _Panel(graph).layout


class _Panel:
    """One graph with its texts wrapped, and laid out."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        places = {node.id: place for place, node in enumerate(graph.nodes)}
        self.texts = [_box_text(node) for node in graph.nodes]
        self.labels = [_label_lines(edge.label) for edge in graph.edges]
        loops: dict[str, list[int]] = {}
        for place, edge in enumerate(graph.edges):
            if edge.source == edge.target:
                loops.setdefault(edge.source, []).append(place)
        self.loops = loops
        sizes = [self._size(node, place) for place, node in enumerate(graph.nodes)]
        edges = [(places[edge.source], places[edge.target]) for edge in graph.edges]
        labels = [_label_size(lines) if lines else None for lines in self.labels]
        last = frozenset(place for place, node in enumerate(graph.nodes) if node.kind == "rule")
        self.layout = arranged(sizes, edges, labels, last)

    def _size(self, node: Node, place: int) -> tuple[float, float]:
        width, height = _box_size(node, self.texts[place])
        for loop in self.loops.get(node.id, ()):
            wide, high = _label_size(self.labels[loop])
            width, height = max(width, wide + 24), height + LOOP + high
        return width, height

    def drawn(self) -> Iterator[str]:
        """The picture: arrows first, then boxes and labels."""
        ports = self._ports()
        for place, (edge, way) in enumerate(zip(self.graph.edges, self.layout.ways, strict=True)):
            if way is not None:
                yield from _arrow(edge, way, self.layout, ports[place])
        for edge, way, lines in zip(self.graph.edges, self.layout.ways, self.labels, strict=True):
            if way is not None and way.label is not None:
                yield _label(way.label.x, way.label.y - way.label.height / 2, way.label, lines, edge)
        for node, item, text in zip(self.graph.nodes, self.layout.nodes, self.texts, strict=True):
            yield from self._node(node, item, text)

    def _node(self, node: Node, item: Item, text: tuple[list[str], list[str]]) -> Iterator[str]:
        top, height = item.y - item.height / 2, _box_size(node, text)[1]
        yield _box(node, item.x, top, item.width, height, text)
        at = top + height
        for loop in self.loops.get(node.id, ()):
            lines, edge = self.labels[loop], self.graph.edges[loop]
            wide, high = _label_size(lines)
            x = item.x + item.width / 2
            down = at + LOOP
            path = f"M{x + 14:.1f},{at:.1f}C{x + 30:.1f},{down:.1f} {x - 30:.1f},{down:.1f} {x - 14:.1f},{at:.1f}"
            yield _line(path, edge, "loop")
            if lines:
                yield _label(x - wide / 2, at + LOOP - 4, Item(wide, high), lines, edge)
            at += LOOP + high

    def _ports(self) -> list[tuple[float, float]]:
        """At which heights each arrow leaves and reaches its boxes: in the order of where it goes."""
        sides: dict[tuple[int, bool], list[tuple[float, int]]] = {}
        for number, one in enumerate(self.layout.ways):
            if one is not None:
                sides.setdefault((id(one.items[0]), True), []).append((one.items[1].y, number))
                sides.setdefault((id(one.items[-1]), False), []).append((one.items[-2].y, number))
        boxes = {id(item): place for place, item in enumerate(self.layout.nodes)}
        found = [[0.0, 0.0] for _ in self.layout.ways]
        for (item_id, leaves), ends in sides.items():
            item, place = self.layout.nodes[boxes[item_id]], boxes[item_id]
            high = _box_size(self.graph.nodes[place], self.texts[place])[1]
            middle = item.y - item.height / 2 + high / 2
            step = min(14.0, (high - 8) / len(ends))
            for number, (_, way) in enumerate(sorted(ends)):
                found[way][0 if leaves else 1] = middle + (number - (len(ends) - 1) / 2) * step
        return [(one, other) for one, other in found]


# -- pieces ----------------------------------------------------------------------------------------------------------


def _box_text(node: Node) -> tuple[list[str], list[str]]:
    lines = [piece for line in node.lines for piece in wrapped(line, WIDE, SMALL)]
    return wrapped(node.title, WIDE, TITLE), lines


def _box_size(node: Node, text: tuple[list[str], list[str]]) -> tuple[float, float]:
    titles, lines = text
    badge = text_width(_badge(node), SMALL) + 8 if node.is_shared and node.kind != "rule" else 0.0
    wide = max([text_width(line, TITLE) * 1.15 for line in titles] + [text_width(line, SMALL) for line in lines])
    return max(wide, badge, 30.0) + 2 * PAD, 17.0 * len(titles) + 15.0 * len(lines) + (15 if badge else 0) + 12


def _badge(node: Node) -> str:
    return f"shared by {len(node.rules)} rules"


def _box(node: Node, x: float, y: float, width: float, height: float, text: tuple[list[str], list[str]]) -> str:
    look = LOOKS[node.kind]
    shared = node.is_shared and node.kind != "rule"
    parts = [tag("title", clean(f"{node.title}\nrules: {', '.join(node.rules)}"))]
    parts.append(
        tag(
            "rect",
            x=x,
            y=y,
            width=width,
            height=height,
            rx=look.rounded,
            fill=look.fill,
            stroke=look.line,
            stroke_width=3 if shared else 1.3,
        )
    )
    if node.kind == "complete":
        inner = {"x": x + 3, "y": y + 3, "width": width - 6, "height": height - 6}
        parts.append(tag("rect", **inner, rx=look.rounded - 3, fill="none", stroke=look.line, stroke_width=1))
    at = y + 2
    for line in text[0]:
        at += 17
        parts.append(text_at(x + PAD, at, line, size=TITLE, font_weight=600))
    for line in text[1]:
        at += 15
        parts.append(text_at(x + PAD, at, line, size=SMALL, fill="#3E4C59"))
    if shared:
        parts.append(text_at(x + PAD, at + 15, _badge(node), size=SMALL, fill=look.line, font_weight=700))
    return tag("g", "".join(parts), class_=f"node {node.kind}{' shared' if shared else ''}")


def _label_lines(label: str) -> list[str]:
    """A label in lines; where one is not enough, each thing that must hold begins a line of its own."""
    if not label or text_width(label, SMALL) <= NARROW:
        return [label] if label else []
    parts = label.split(" && ")
    said = [part if place == 0 else f"&& {part}" for place, part in enumerate(parts)]
    return shortened_lines([line for part in said for line in wrapped(part, NARROW, SMALL)])


def _label_size(lines: list[str]) -> tuple[float, float]:
    if not lines:
        return 0.0, 0.0
    return max(text_width(line, SMALL) for line in lines) + 14, 15.0 * len(lines) + 6


def _label(x: float, y: float, item: Item, lines: list[str], edge: Edge) -> str:
    colour = ARROWS[edge.kind][1]
    parts = [
        tag(
            "rect",
            x=x,
            y=y,
            width=item.width,
            height=item.height,
            rx=4,
            fill="#FFFDF5",
            stroke=colour,
            stroke_width=0.8,
        )
    ]
    parts += [text_at(x + 7, y + 14 + 15 * number, line, size=SMALL, fill=INK) for number, line in enumerate(lines)]
    return tag("g", "".join(parts), class_="label")


def _arrow(edge: Edge, way: Way, layout: Layout, ports: tuple[float, float]) -> Iterator[str]:
    """The pieces of an arrow: level through columns, curved between them; cut where its label stands."""
    first = way.items[0]
    pieces: list[list[str]] = [[f"M{first.x + first.width:.1f},{ports[0]:.1f}"]]
    at = (first.x + first.width, ports[0])
    for item in way.items[1:]:
        is_last = item is way.items[-1]
        left, right = layout.columns[item.rank]
        to = (left, ports[1] if is_last else item.y)
        middle = (at[0] + to[0]) / 2
        pieces[-1].append(f"C{middle:.1f},{at[1]:.1f} {middle:.1f},{to[1]:.1f} {to[0]:.1f},{to[1]:.1f}")
        if is_last:
            break
        if item is way.label:
            at = (item.x + item.width, item.y)
            pieces.append([f"M{at[0]:.1f},{at[1]:.1f}"])
        if right > at[0]:
            pieces[-1].append(f"L{right:.1f},{item.y:.1f}")
        at = (right, item.y)
    for place, piece in enumerate(pieces):
        ends = place == (0 if way.is_back else len(pieces) - 1)
        yield _line("".join(piece), edge, "back" if ends and way.is_back else "end" if ends else "")


def _line(path: str, edge: Edge, end: str) -> str:
    _, colour, dashes = ARROWS[edge.kind]
    more: dict[str, object] = {"stroke_dasharray": dashes} if dashes else {}
    if end:
        more["marker_start" if end == "back" else "marker_end"] = f"url(#arrow-{colour[1:]})"
    return tag("path", d=path, fill="none", stroke=colour, stroke_width=1.4, class_=f"edge {edge.kind}", **more)


def _markers() -> str:
    shapes = []
    for colour in dict.fromkeys(colour for _, colour, _ in ARROWS.values()):
        head = tag("path", d="M0,0L9,4.5L0,9Z", fill=colour)
        size = {"markerWidth": 9, "markerHeight": 9, "refX": 8.5, "refY": 4.5, "markerUnits": "userSpaceOnUse"}
        shapes.append(tag("marker", head, id=f"arrow-{colour[1:]}", orient="auto-start-reverse", **size))
    return tag("defs", "".join(shapes))


def _legend(graphs: Iterable[Graph], width: float, y: float) -> tuple[list[str], float]:
    """What the colours and arrows that occur mean, and where the next thing may begin."""
    kinds = dict.fromkeys(node.kind for graph in graphs for node in graph.nodes)
    arrows = dict.fromkeys(edge.kind for graph in graphs for edge in graph.edges)
    shared = any(node.is_shared and node.kind != "rule" for graph in graphs for node in graph.nodes)
    drawn: list[str] = []
    x = float(EDGE)

    def entry(sign: list[str], said: str, wide: float) -> None:
        nonlocal x, y
        step = wide + 8 + text_width(said, 12) + 20
        if x + step > width - EDGE and x > EDGE:
            x, y = float(EDGE), y + 22
        words = text_at(wide + 8, 4, said, size=12, fill=GREY)
        drawn.append(tag("g", "".join(sign) + words, transform=f"translate({x:.1f},{y:.1f})", class_="legend"))
        x += step

    for kind in (kind for kind in LOOKS if kind in kinds):
        look = LOOKS[kind]
        entry(
            [tag("rect", x=0, y=-7, width=22, height=14, rx=min(look.rounded, 7), fill=look.fill, stroke=look.line)],
            look.said,
            22,
        )
    if shared:
        entry(
            [tag("rect", x=0, y=-7, width=22, height=14, rx=3, fill="white", stroke=INK, stroke_width=3)],
            "shared by several rules",
            22,
        )
    for kind in (kind for kind in ARROWS if kind in arrows):
        entry([_line("M0,0L30,0", Edge("", "", kind), "end")], ARROWS[kind][0], 30)
    return drawn, y + 30
