"""Nodes that remember, as a graph: pairs of a consuming context, and chains of states."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tocsin.algebra.guards import Guard, conjuncts
from tocsin.algebra.patterns import Both, Concurrent, Named, Pattern, Precedence, Primitive, Sequence, Where
from tocsin.draw.graph import Sketch
from tocsin.engine.network.automaton import ChainNode
from tocsin.engine.network.consumers import ANY_ORDER, AT_ONCE, CODES, LeafNode, PairNode
from tocsin.engine.network.nodes import Node
from tocsin.explain.words import all_of, guard_text
from tocsin.planner.equalities import shown

CONTEXTS = {code: str(context) for context, code in CODES.items()}

Source = Callable[[Pattern, Iterable[str]], str]


class NodeSketch:
    """The nodes below a rule, drawn into a graph; `source` gives the node of an event type."""

    def __init__(self, sketch: Sketch, source: Source) -> None:
        self.sketch, self.source = sketch, source

    def output(self, node: Node, rules: list[str]) -> str:
        """The node of the graph for a node of the engine, with all that feeds it."""
        if isinstance(node, PairNode):
            return self._pair(node, rules)
        if isinstance(node, ChainNode):
            return self._chain(node, rules)
        return self._leaf(node, rules)

    def _pair(self, node: PairNode, rules: list[str]) -> str:
        lines = [CONTEXTS[int(node.context)]]
        mine, its = node.lefts.keys, node.rights.keys
        if mine is not None and its is not None:
            lines.append("waits by " + ", ".join(dict.fromkeys((shown(mine.attribute), shown(its.attribute)))))
        lines += _guards(node.pattern)
        made = self.sketch.node(node, "p", "pair", _title(_bare(node.pattern)), tuple(lines), rules)
        ordered = node.order != ANY_ORDER and node.order != AT_ONCE
        places = ("first", "then") if ordered else ("", "")
        for part, side, place in zip((node.left, node.right), _sides(node.pattern), places, strict=True):
            own = _guards(side) if isinstance(part, LeafNode) else []
            label = all_of(own)
            self.sketch.edge(
                self.output(part, rules), made, label=f"{place}: {label}" if place and label else place or label
            )
        return made

    def _leaf(self, node: Node, rules: list[str]) -> str:
        return self.source(Primitive(node.arenas[0].name), rules)

    def _chain(self, node: ChainNode, rules: list[str]) -> str:
        lines = [f"{len(node.states)} states in a row"]
        seen: dict[str, None] = {}
        for number, state in enumerate(node.states):
            if state.waiting is not None and state.waiting.keys is not None:
                lines.append(f"waits in state {number} by {shown(state.waiting.keys.attribute)}")
            if state.heard:
                lines.append(f"waits in state {number} for a time event")
            look = state.look
            while look is not None:
                seen[look.arena.name] = None
                look = look.also
        made = self.sketch.node(node, "p", "pair", str(node.pattern), tuple(lines), rules)
        for name in seen:
            self.sketch.edge(self.source(Primitive(name), rules), made)
        return made


def _title(pattern: Pattern) -> str:
    """What is paired, whatever must hold of it."""
    match pattern:
        case Where(pattern=inner):
            return _title(inner)
        case Named(name=name, pattern=Primitive(type=kind)) if name != kind:
            return f"{name}:{_title(pattern.pattern)}"
        case Named(pattern=inner):
            return _title(inner)
        case Primitive(type=kind, site=site):
            return kind if site is None else f"{kind}@{site}"
        case Concurrent(left=left, right=right):
            return f"{_operand(left)} || {_operand(right)}"
        case Both(parts=parts):
            return " & ".join(map(_operand, parts))
        case Sequence(parts=parts, order=order):
            arrows = {Precedence.GAP: " -> ", Precedence.WEAK: " ;= "}
            return arrows.get(order, " ; ").join(map(_operand, parts))
    return str(pattern)


def _operand(pattern: Pattern) -> str:
    text = _title(pattern)
    return f"({text})" if isinstance(_bare(pattern), Concurrent | Both | Sequence) else text


def _bare(pattern: Pattern) -> Pattern:
    while isinstance(pattern, Where | Named):
        pattern = pattern.pattern
    return pattern


def _guards(pattern: Pattern) -> list[str]:
    """The guards around an operator, which its pairs must meet."""
    found: list[Guard] = []
    while isinstance(pattern, Where | Named):
        if isinstance(pattern, Where):
            found += conjuncts(pattern.guard)
        pattern = pattern.pattern
    return [guard_text(guard, {}) for guard in found]


def _sides(pattern: Pattern) -> tuple[Pattern, Pattern]:
    """The two operands of an operator; all but the last of several are one, as the engine pairs them."""
    match _bare(pattern):
        case Concurrent(left=left, right=right):
            return left, right
        case Both(parts=parts) | Sequence(parts=parts):
            return parts[0], parts[-1]
    raise AssertionError("a pair has two sides")
