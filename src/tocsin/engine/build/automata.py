"""From a core expression to a chain of states over rows, where its automaton is one (others: `machines.py`).

A chain has one way on from each state, on events of one type or on a time event, and looks at types and filters alone:
no complements, no iteration, no exact points in time; and each event may begin a run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tocsin.algebra.automata import Alarm, build, is_time, leading_on, looked_at
from tocsin.algebra.detectors import types_seen
from tocsin.algebra.guards import Attribute, Binary, Guard, conjuncts
from tocsin.algebra.patterns import (
    THIS,
    After,
    Automaton,
    Both,
    Described,
    Named,
    Pattern,
    Primitive,
)
from tocsin.algebra.rules import Rule
from tocsin.engine.build.guards import Compiler, Variables
from tocsin.engine.network.alarms import Alarms, Heard
from tocsin.engine.network.arena import Arena, Keys
from tocsin.engine.network.automaton import AlarmRoot, BranchNode, ChainNode, Look, State, Timer
from tocsin.engine.network.firings import HEAD, Emit, Firing
from tocsin.engine.network.gates import Gate
from tocsin.engine.network.nodes import NodeRoot
from tocsin.engine.network.search import Selection, Test
from tocsin.plan.searches import Delayed, Leaf, Slot
from tocsin.time.periods import Period

if TYPE_CHECKING:
    from tocsin.engine.build.searches import Builder


class Chaining:
    """A chain of states in the making."""

    def __init__(self, builder: Builder, firing: Firing, rule: Rule) -> None:
        self.builder, self.firing, self.rule = builder, firing, rule
        assert isinstance(rule.pattern, Automaton)
        self.sketch = build(rule.pattern.pattern)[:-1]
        self.accepts = [leading_on(state) for state in self.sketch]
        """What leads on from each state."""
        self.taken = [each for each in self.accepts if not is_time(each)]
        """The events of an occurrence, by register."""
        self.arenas = [self._gate(each).arena for each in self.taken]
        self.before = [sum(not is_time(each) for each in self.accepts[:place]) for place in range(len(self.sketch))]
        """How many events a branch has that waits in each state."""
        self.alarms = [alarm for state in self.sketch for alarm in state.alarms]
        self.timers = [self._timer(alarm, place) for place, state in enumerate(self.sketch) for alarm in state.alarms]

    def grow(self) -> None:
        """Builds the states, and what an arrival by each gate starts."""
        firing, network, width = self.firing, self.builder.network, len(self.taken)
        slots = self._delayed([_named(each, Slot(place)) for place, each in enumerate(self.taken)])
        tree: Pattern = slots[0] if width == 1 else Both(tuple(slots))
        node = self._node(tree)
        self.builder.roots[firing] = node
        firing.plant([tree])
        firing.stride = int(HEAD) + width
        firing.is_distinct = False
        firing.is_plain = len(firing.members) == 1
        network.search.reserve(width + 1)
        known = self._variables(width)
        condition = () if self.rule.condition is None else tuple(conjuncts(self.rule.condition))
        emit = Emit(firing, 0, node.arenas, list(range(width)), network.touched)
        compiler = self._compiler(dict(enumerate(self.arenas)))
        # Also by what no state looks at: such an event comes after the time events of its instant all the same.
        kinds = sorted(types_seen(self.rule.pattern) or ())
        gates = [self._gate(each) for state in self.sketch for each in looked_at(state) if not is_time(each)]
        for gate in dict.fromkeys([*gates, *(self._gate(Described(kind)) for kind in kinds)]):
            tests = [compiler.test(guard, known) for guard in condition]
            gate.add(NodeRoot(firing, node, gate.arena, tests, emit), in_order=True)
        if node.alarms is not None:
            tests = [compiler.test(guard, known) for guard in condition]
            node.alarms.root = AlarmRoot(firing, node, node.alarms, tests, emit)

    def _node(self, tree: Pattern) -> ChainNode:
        pattern, firing = self.rule.pattern, self.firing
        # What several rules wait for comes rule by rule.
        owner = firing if self.timers else None
        key = (pattern, self.rule.window, int(firing.since), owner)
        known = self.builder.nodes.get(key)
        if known is None:
            states = [self._state(place) for place in range(len(self.sketch))]
            known = ChainNode(tree, pattern, self.builder.network.store, self.arenas, states)
            self.builder.nodes[key] = known
        assert isinstance(known, ChainNode)
        if self.timers:
            self._wake(known, tree)
        return known

    # -- time events -----------------------------------------------------------------------------------------------

    def _timer(self, alarm: Alarm, place: int) -> Timer:
        """A time event that a state makes when it is entered: by an event, or by another time event."""
        assert isinstance(alarm.when, Period)
        before = self.accepts[place - 1]
        if is_time(before):
            return Timer(alarm.when, -1, self._number(before))
        return Timer(alarm.when, self.before[place] - 1, -1)

    def _number(self, event: Described) -> int:
        """Which of the time events one is."""
        return next(number for number, alarm in enumerate(self.alarms) if alarm.type == event.type)

    def _led(self, place: int) -> list[int]:
        """The time events by which branches have come to a state."""
        return [self._number(each) for each in self.accepts[:place] if is_time(each)]

    def _wake(self, node: ChainNode, tree: Pattern) -> None:
        """Lets the agenda wake what waits for time events."""
        network, waitings = self.builder.network, self.builder.waitings[self.firing]
        key = (self.rule.pattern, tree)
        alarms = waitings.get(key)
        if alarms is None:
            alarms = waitings[key] = Alarms(self.firing, self.rule.pattern, tree, self.arenas, network.store)
            for place, state in enumerate(node.states):
                self._hear(alarms, state, place)
            node.timers, node.alarms, node.agenda = self.timers, alarms, network.agenda
        if alarms not in network.agenda.waitings:
            network.agenda.add(alarms)

    def _hear(self, alarms: Alarms, state: State, place: int) -> None:
        """Notes the time events that a state looks at, but for those that have led there."""
        if state.waiting is None or state.node is None:
            return
        seen = {self._number(each) for each in looked_at(self.sketch[place]) if is_time(each)}
        for number in sorted(seen.difference(self._led(place))):
            leads = self.accepts[place].type == self.alarms[number].type
            state.heard.append(len(alarms.heard))
            alarms.heard.append(Heard(place, state.waiting, int(state.node.times) + number, leads))
            state.waiting.takes_any = True

    def _delayed(self, slots: list[Pattern]) -> list[Pattern]:
        """The events of an occurrence, with the time events that lead on: each is counted from one of them."""
        for number in self._led(len(self.accepts)):
            timer, period = self.timers[number], self.timers[number].period
            while timer.register < 0:
                timer = self.timers[timer.timer]
            register = int(timer.register)
            slots[register] = Delayed(slots[register], After(Slot(register), period))
        return slots

    # -- states ----------------------------------------------------------------------------------------------------

    def _state(self, place: int) -> State:
        sketch, accepts, register = self.sketch[place], self.accepts[place], self.before[place]
        members = [member for member in looked_at(sketch) if not is_time(member)]
        key = self._key(accepts, register)
        if is_time(accepts):
            key = next((found for member in members if (found := self._key(member, register)) is not None), None)
        looks = []
        for kind in dict.fromkeys(member.type for member in members):
            mine = [member for member in members if member.type == kind]
            arena = self._gate(mine[0]).arena
            accept = self._tests(accepts, register, arena) if accepts.type == kind else []
            domain = [self._tests(member, register, arena) for member in mine]
            keys = None
            if key is not None and all(self._key(member, register) == key for member in mine):
                keys = arena.key(key[0], self.builder.table([key[0], key[2]]))
            looks.append(Look(arena, domain, accepts.type == kind, accept, keys))
        if place == 0:
            return State(None, looks, False, None, 0)
        node = BranchNode(self.builder.network.store, self.arenas[:register], self.timers, self._led(place))
        own: Keys | None = None
        at = 0
        if key is not None:
            at = key[1]
            own = self.arenas[at].key(key[2], self.builder.table([key[0], key[2]]))
        made = State(node, looks, sketch.edges[0].strong, own, at)
        if is_time(self.accepts[place - 1]):
            made.entered = self._number(self.accepts[place - 1])
        if sketch.alarms:
            made.sets = self.alarms.index(sketch.alarms[0])
        return made

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
        return [each.name for each in self.taken[:place]]

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
