"""From a pattern in a consuming context to nodes over rows. What is left out here has pools (`pooled_nodes.py`).

Two rules with an equal part, window and context, enabled together, share its node and what waits there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tocsin.algebra.guards import Attribute, Binary, Guard, SourceOf, conjuncts
from tocsin.algebra.patterns import Both, Concurrent, Named, Pattern, Precedence, Primitive, Sequence, Where, walk
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, Context, Rule
from tocsin.engine.build.guards import Compiler, Variables
from tocsin.engine.network.arena import Arena, Keys
from tocsin.engine.network.consumers import (
    ANY_ORDER,
    AT_ONCE,
    BY_ENDS,
    BY_GAP,
    CODES,
    NOT_AFTER,
    RECENT,
    LeafNode,
    PairNode,
)
from tocsin.engine.network.firings import HEAD, Emit, Firing
from tocsin.engine.network.nodes import Node, NodeRoot
from tocsin.engine.network.search import MadeElsewhereTest, OneOfTest, Selection
from tocsin.plan.searches import SOURCE, Leaf, Slot
from tocsin.plan.trees import slot_register

if TYPE_CHECKING:
    from tocsin.engine.build.searches import Builder

ORDERS = {Precedence.ENDS: BY_ENDS, Precedence.GLOBAL: BY_ENDS, Precedence.GAP: BY_GAP, Precedence.WEAK: NOT_AFTER}
"""Without stamps, the global order is that of ends."""

Guards = tuple[tuple[Guard, Variables], ...]
"""Guards, each with what its names stand for."""


def _context(rule: Rule) -> Context:
    return rule.context or LANGUAGE_CONTEXTS[rule.language]


class UsingUp:
    """Rules in a consuming context in the making."""

    def __init__(self, builder: Builder, firing: Firing, rule: Rule, blind_to: str) -> None:
        self.builder, self.firing, self.rule, self.blind_to = builder, firing, rule, blind_to
        self.context = CODES[_context(rule)]

    def grow(self) -> None:
        """Builds the nodes, and what an arrival by each gate starts."""
        firing, network, pattern = self.firing, self.builder.network, self.rule.pattern
        tree = _planted(pattern, 0)
        node = self.builder.roots[firing] = self.node(pattern)
        leaves = [part for part in walk(pattern) if isinstance(part, Primitive)]
        firing.plant([tree])
        firing.stride = int(HEAD) + int(node.width)
        firing.is_distinct = len({leaf.type for leaf in leaves}) < len(leaves)
        firing.is_plain = not firing.is_distinct and len(firing.members) == 1
        network.search.reserve(int(node.width))
        condition = () if self.rule.condition is None else tuple(conjuncts(self.rule.condition))
        emit = Emit(firing, 0, node.arenas, list(range(len(node.arenas))), network.touched)
        for gate in dict.fromkeys(self.builder.gate(Leaf(leaf), firing) for leaf in leaves):
            compiler = self._compiler(node.arenas)
            tests = [compiler.test(guard, _variables(tree)) for guard in condition]
            gate.add(NodeRoot(firing, node, gate.arena, tests, emit), in_order=True)

    def node(self, pattern: Pattern, guards: Guards = (), top: Pattern | None = None) -> Node:
        """The node of a pattern. Guards and names around an operator are part of it (`algebra/growth.py`)."""
        top = pattern if top is None else top
        match pattern:
            case Where(pattern=inner, guard=guard):
                known = _variables(_planted(inner, 0))
                return self.node(inner, (*((each, known) for each in conjuncts(guard)), *guards), top)
            case Named(pattern=inner):
                return self.node(inner, guards, top)
            case Primitive():
                return self._leaf(pattern, guards, top)
            case Both(parts=parts):
                return self._pairs(pattern, parts, ANY_ORDER, guards, top)
            case Sequence(parts=parts, order=order):
                return self._pairs(pattern, parts, ORDERS[order], guards, top)
            case Concurrent(left=left, right=right):
                return self._pairs(pattern, (left, right), AT_ONCE, guards, top)
        raise AssertionError(f"{type(pattern).__name__} does not run in the network")

    def _leaf(self, pattern: Primitive, guards: Guards, top: Pattern) -> Node:
        arena = self.builder.gate(Leaf(pattern), self.firing).arena
        compiler = self._compiler([arena])
        tests = [compiler.test(guard, variables) for guard, variables in guards]
        if pattern.site is not None:
            tests = [OneOfTest(arena, arena.key(SOURCE, self.builder.table([SOURCE])), [pattern.site]), *tests]
        if self.blind_to:
            tests = [MadeElsewhereTest(arena, self.blind_to), *tests]
        return LeafNode(_planted(top, 0), self.builder.network.store, arena, tests)

    def _pairs(self, pattern: Pattern, parts: tuple[Pattern, ...], order: int, guards: Guards, top: Pattern) -> Node:
        """Several operands, two at a time from the left; the guards around them belong to the last pair."""
        key = (top, self.context, self.rule.window, int(self.firing.since), self.blind_to)
        known = self.builder.nodes.get(key)
        if known is None:
            before = parts[0] if len(parts) == 2 else replace(pattern, parts=parts[:-1])  # type: ignore[call-arg]
            left, right = self.node(before), self.node(parts[-1])
            arenas = [*left.arenas, *right.arenas]
            compiler = self._compiler(arenas)
            tests = [compiler.test(guard, variables) for guard, variables in guards]
            keys = None if self.context == RECENT else self._keys(guards, arenas, int(left.width))
            known = PairNode(_planted(top, 0), top, (left, right), order, self.context, keys, tests)
            self.builder.nodes[key] = known
        return known

    def _keys(
        self, guards: Guards, arenas: list[Arena], width: int
    ) -> tuple[tuple[int, Keys], tuple[int, Keys]] | None:
        """The attributes by which what waits is looked up: those of an equality between both sides."""
        for guard, variables in guards:
            found = list(_equal(guard, dict(variables)))
            found.sort()
            if len(found) == 2 and found[0][0] < width <= found[1][0]:
                table = self.builder.table([name for _, name in found])
                (left, mine), (right, its) = found
                return (left, arenas[left].key(mine, table)), (right - width, arenas[right].key(its, table))
        return None

    def _compiler(self, arenas: list[Arena]) -> Compiler:
        return Compiler(self.builder.table, dict(enumerate(arenas)), Selection(), (None,), self.firing)


def _equal(guard: Guard, variables: dict[str, Pattern]) -> Iterator[tuple[int, str]]:
    """The registers and attributes of an equality between two single events."""
    if isinstance(guard, Binary) and guard.operator == "==":
        for side in (guard.left, guard.right):
            if isinstance(side, Attribute | SourceOf) and side.variable in variables:
                register = slot_register(variables[side.variable])
                if register >= 0:
                    yield register, side.name if isinstance(side, Attribute) else SOURCE


def _planted(pattern: Pattern, first: int) -> Pattern:
    """A pattern with registers for its leaves, numbered from `first` on."""
    match pattern:
        case Where(pattern=inner):
            return _planted(inner, first)
        case Named(name=name, pattern=inner):
            return Named(name, _planted(inner, first))
        case Both(parts=parts) | Sequence(parts=parts):
            made = []
            for part in parts:
                made.append(_planted(part, first))
                first += _width(part)
            return replace(pattern, parts=tuple(made))
        case Concurrent(left=left, right=right):
            return Concurrent(_planted(left, first), _planted(right, first + _width(left)))
    return Slot(first)


def _width(pattern: Pattern) -> int:
    return sum(isinstance(part, Primitive) for part in walk(pattern))


def _variables(tree: Pattern) -> Variables:
    """What each name in a tree stands for; of two that are alike the outer or the later counts."""
    return tuple(_named(tree).items())


def _named(tree: Pattern) -> dict[str, Pattern]:
    match tree:
        case Named(name=name, pattern=inner):
            return {**_named(inner), name: inner}
        case Both(parts=parts) | Sequence(parts=parts):
            return {name: one for part in parts for name, one in _named(part).items()}
        case Concurrent(left=left, right=right):
            return {**_named(left), **_named(right)}
    return {}
