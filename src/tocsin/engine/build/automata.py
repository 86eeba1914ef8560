"""From a core expression to a chain of states over rows, where its automaton is one (others: `machines.py`).

A chain has one way on from each state, on events of one type, and looks at types and filters alone: no complements,
no iteration, no time events; and each event may begin a run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tocsin.algebra.automata import build, leading_on, looked_at
from tocsin.algebra.guards import Attribute, Binary, Guard, conjuncts
from tocsin.algebra.patterns import (
    THIS,
    Both,
    Described,
    Named,
    Pattern,
    Primitive,
)
from tocsin.algebra.patterns import Automaton
from tocsin.algebra.rules import Rule
from tocsin.engine.network.arena import Arena, Keys
from tocsin.engine.network.automaton import ChainNode, Look, State
from tocsin.engine.build.guards import Compiler, Variables
from tocsin.engine.network.firings import HEAD, Emit, Firing
from tocsin.engine.network.gates import Gate
from tocsin.engine.network.nodes import Node, NodeRoot
from tocsin.engine.network.search import Selection, Test
from tocsin.plan.searches import Leaf, Slot

if TYPE_CHECKING:
    from tocsin.engine.build.searches import Builder


class Chaining:
    """A chain of states in the making."""

    def __init__(self, builder: Builder, firing: Firing, rule: Rule) -> None:
        self.builder, self.firing, self.rule = builder, firing, rule
        assert isinstance(rule.pattern, Automaton)
        self.sketch = build(rule.pattern.pattern)[:-1]
        self.accepts = [leading_on(state) for state in self.sketch]
        self.arenas = [self._gate(each).arena for each in self.accepts]

    def grow(self) -> None:
        """Builds the states, and what an arrival by each gate starts."""
        firing, network, width = self.firing, self.builder.network, len(self.sketch)
        slots = [_named(each, Slot(place)) for place, each in enumerate(self.accepts)]
        tree: Pattern = slots[0] if width == 1 else Both(tuple(slots))
        node = self._node(tree)
        self.builder.roots[firing] = node
        firing.plant([tree])
        firing.stride = int(HEAD) + width
        firing.is_distinct = False
        firing.is_plain = len(firing.members) == 1
        network.search.reserve(width)
        known = self._variables(width)
        condition = () if self.rule.condition is None else tuple(conjuncts(self.rule.condition))
        emit = Emit(firing, 0, node.arenas, list(range(width)), network.touched)
        gates = [self._gate(each) for state in self.sketch for each in looked_at(state)]
        for gate in dict.fromkeys(gates):
            compiler = self._compiler(dict(enumerate(self.arenas)))
            tests = [compiler.test(guard, known) for guard in condition]
            gate.add(NodeRoot(firing, node, gate.arena, tests, emit), in_order=True)

    def _node(self, tree: Pattern) -> Node:
        pattern = self.rule.pattern
        key = (pattern, self.rule.window, int(self.firing.since))
        known = self.builder.nodes.get(key)
        if known is None:
            states = [self._state(place) for place in range(len(self.sketch))]
            known = ChainNode(tree, pattern, self.builder.network.store, self.arenas, states)
            self.builder.nodes[key] = known
        return known

    def _state(self, place: int) -> State:
        sketch, accepts = self.sketch[place], self.accepts[place]
        members = looked_at(sketch)
        key = self._key(accepts, place)
        looks = []
        for kind in dict.fromkeys(member.type for member in members):
            mine = [member for member in members if member.type == kind]
            arena = self._gate(mine[0]).arena
            accept = self._tests(accepts, place, arena) if accepts.type == kind else []
            domain = [self._tests(member, place, arena) for member in mine]
            keys = None
            if key is not None and all(self._key(member, place) == key for member in mine):
                keys = arena.key(key[0], self.builder.table([key[0], key[2]]))
            looks.append(Look(arena, domain, accepts.type == kind, accept, keys))
        if place == 0:
            return State(None, looks, False, None, 0)
        waiting = Node(Slot(0), self.builder.network.store, self.arenas[:place])
        own: Keys | None = None
        register = 0
        if key is not None:
            register = key[1]
            own = self.arenas[register].key(key[2], self.builder.table([key[0], key[2]]))
        return State(waiting, looks, sketch.edges[0].strong, own, register)

    def _key(self, member: Described, place: int) -> tuple[str, int, str] | None:
        """An equality of an event with an earlier one: its attribute, the earlier one's register and attribute."""
        registers = {name: register for register, name in enumerate(self._names(place)) if name is not None}
        for guard in _conjuncts(member.guard):
            if isinstance(guard, Binary) and guard.operator == "==":
                sides = [side for side in (guard.left, guard.right) if isinstance(side, Attribute)]
                own = [side.name for side in sides if side.variable == THIS]
                earlier = [(registers[side.variable], side.name) for side in sides if side.variable in registers]
                if own and earlier:
                    return (own[0], *earlier[0])
        return None

    def _tests(self, member: Described, place: int, arena: Arena) -> list[Test]:
        """What an event must be to be of a set, when it stands in the register of its state."""
        compiler = self._compiler({**dict(enumerate(self.arenas[:place])), place: arena})
        known = (*self._variables(place), (THIS, Slot(place)))
        return [compiler.test(guard, known) for guard in _conjuncts(member.guard)]

    def _names(self, place: int) -> list[str | None]:
        """The names of the events before a state."""
        return [each.name for each in self.accepts[:place]]

    def _variables(self, place: int) -> Variables:
        return tuple((name, Slot(at)) for at, name in enumerate(self._names(place)) if name is not None)

    def _gate(self, member: Described) -> Gate:
        return self.builder.gate(Leaf(Primitive(member.type)), self.firing)

    def _compiler(self, arenas: dict[int, Arena]) -> Compiler:
        return Compiler(self.builder.table, arenas, Selection(), (None,), self.firing)


def _named(member: Described, slot: Slot) -> Pattern:
    return slot if member.name is None else Named(member.name, slot)


def _conjuncts(guard: Guard | None) -> list[Guard]:
    return [] if guard is None else list(conjuncts(guard))
