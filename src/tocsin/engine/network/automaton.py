"""Automata that are a chain of states, over rows: `[A]; [B] [C]` in every run.

Their meaning is in `algebra/automaton_runs.py`.

A branch is an occurrence of the events so far, and waits in its state for the next. Where the filter of the next event
asks for a value of an earlier one, branches are kept by that value, so that an event meets only those it is about.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.occurrence import weak_order
from tocsin.algebra.patterns import Pattern
from tocsin.engine.network.arena import Arena, Keys
from tocsin.engine.network.batch import Store
from tocsin.engine.network.nodes import END, FIRST, NEXT, ROWS, START, Node, Waiters
from tocsin.engine.network.search import Search, Test, linked, pass_all
from tocsin.engine.network.slots import NIL
from tocsin.engine.network.vectors import doubled


class Look:
    """What a state makes of the events of one type.

    `domain`: tests for each way in which such an event is in the state's domain. `accept`: those for the event that
    leads on, None if none of this type does. `keys`: by which attribute its branches are found, if they are.
    """

    def __init__(
        self, arena: Arena, domain: list[list[Test]], accepts: bool, accept: list[Test], keys: Keys | None
    ) -> None:
        self.arena, self.accepts, self.keys = arena, accepts, keys
        self.domain = [linked(tests) for tests in domain]
        self.accept = linked(accept)
        self.is_sole = accepts and len(domain) == 1
        """Whether the event that leads on is the only one of its type that is looked at."""
        self.also: Look | None = None

    def is_in_domain(self, s: Search) -> bool:
        """Whether the event that stands in the state's register is one of its domain."""
        for test in self.domain:
            if pass_all(test, s):
                return True
        return False


class State:
    """A state with its branches; the first has none, for each event may begin a run."""

    def __init__(self, node: Node | None, looks: list[Look], strong: bool, keys: Keys | None, register: int) -> None:
        self.strong = strong
        self.look: Look | None = None
        for look in reversed(looks):
            look.also, self.look = self.look, look
        self.waiting: Waiters | None = None
        if node is not None:
            self.waiting = Waiters(node, 0, keys, register, False)

    def looks_at(self, arena: Arena) -> Look | None:
        """What it makes of an event of some type, if it looks at it."""
        look = self.look
        while look is not None and look.arena is not arena:
            look = look.also
        return look


class ChainNode(Node):
    """An automaton whose states follow one after the other."""

    def __init__(self, tree: Pattern, pattern: Pattern, store: Store, arenas: list[Arena], states: list[State]) -> None:
        super().__init__(tree, store, arenas)
        self.pattern, self.states = pattern, states

    def held(self) -> list[tuple[tuple[str, Pattern], Waiters]]:
        return [((str(place), self.pattern), each.waiting) for place, each in enumerate(self.states) if each.waiting]

    def offer(self, s: Search, arena: Arena, row: i64) -> None:
        if self.turn == s.turn:
            return  # another rule has asked before
        self.turn = s.turn
        self.count = 0
        # The last state first, so that no branch takes two steps with one event.
        place: i64 = len(self.states) - 1
        while place > 0:
            state = self.states[place]
            look = state.looks_at(arena)
            if look is not None and state.waiting is not None and state.waiting.count > 0:
                self._step(s, place, state.waiting, look, row, state.strong)
            place -= 1
        look = self.states[0].looks_at(arena)
        if look is not None and look.accepts:
            s.rows[0] = row
            if pass_all(look.accept, s):
                self._begin(s, arena, row)

    def _begin(self, s: Search, arena: Arena, row: i64) -> None:
        """An event leaves the first state."""
        place = row & arena.mask
        following = self.states[1].waiting if len(self.states) > 1 else None
        if following is None:
            made = self.made
            self.count = 1
        else:
            made = following.node.made
        made[FIRST] = arena.ends[place]
        made[END] = arena.ends[place]
        made[START] = arena.starts[place]
        made[ROWS] = row
        if following is not None:
            self._wait(s, following, made, 0)

    def _step(self, s: Search, place: i64, waiting: Waiters, look: Look, row: i64, strong: bool) -> None:
        """An event meets the branches of a state: those it is about go on, wait on or fail."""
        s.rows[place] = row
        if look.keys is None or waiting.keys is None:
            for at in waiting.places():
                self._meet(s, place, waiting, at, look, row, strong)
            return
        slot = look.keys.values[row & look.arena.mask]
        if slot < 0:
            return  # its value equals nothing
        at = waiting.first(slot)
        while at != NIL:
            following = waiting.cells[at + NEXT]
            self._meet(s, place, waiting, at, look, row, strong)
            at = following

    def _meet(self, s: Search, place: i64, waiting: Waiters, at: i64, look: Look, row: i64, strong: bool) -> None:
        cells = waiting.cells
        if cells[at + FIRST] < s.low:
            waiting.take_out(at)
            return
        rows = s.rows
        step: i64 = 0
        while step < place:
            rows[step] = cells[at + ROWS + step]
            step += 1
        if look.is_sole:
            if pass_all(look.accept, s) and self._follows(s, place, cells, at, look.arena, row, strong):
                self._go_on(s, place, waiting, at, look.arena, row)
            return
        if not look.is_in_domain(s):
            return
        is_meant = look.accepts and pass_all(look.accept, s)
        if not self._follows(s, place, cells, at, look.arena, row, strong):
            return
        if is_meant:
            self._go_on(s, place, waiting, at, look.arena, row)
        else:
            waiting.take_out(at)

    def _follows(self, s: Search, place: i64, cells: vec[i64], at: i64, arena: Arena, row: i64, strong: bool) -> bool:
        """Whether an event follows the last of a branch, strongly or in the total order."""
        last, here = self.arenas[place - 1], row & arena.mask
        there = cells[at + ROWS + place - 1] & last.mask
        if strong:
            return last.ends[there] < arena.starts[here]
        if last.ends[there] != arena.ends[here]:
            return last.ends[there] < arena.ends[here]
        if last.starts[there] != arena.starts[here]:
            return last.starts[there] < arena.starts[here]
        before, after = self.store.event(last.numbers[there]), self.store.event(arena.numbers[here])
        return weak_order(before) < weak_order(after)

    def _go_on(self, s: Search, place: i64, waiting: Waiters, at: i64, arena: Arena, row: i64) -> None:
        """A branch takes an event in, and is complete or waits in the next state."""
        following = self.states[place + 1].waiting if place + 1 < len(self.states) else None
        begin: i64 = 0
        if following is None:
            begin = self.count * self.stride
            if begin + self.stride > len(self.made):
                self.made = doubled(self.made)
            self.count += 1
            made = self.made
        else:
            made = following.node.made
        cells, here = waiting.cells, row & arena.mask
        end, start = arena.ends[here], arena.starts[here]
        made[begin + FIRST] = min(cells[at + FIRST], end)
        made[begin + END] = max(cells[at + END], end)
        made[begin + START] = min(cells[at + START], start)
        step: i64 = 0
        while step < place:
            made[begin + ROWS + step] = cells[at + ROWS + step]
            step += 1
        made[begin + ROWS + place] = row
        waiting.take_out(at)
        if following is not None:
            self._wait(s, following, made, begin)

    def _wait(self, s: Search, waiting: Waiters, made: vec[i64], at: i64) -> None:
        """A branch waits in its state, unless its key equals nothing, for then nothing leads on from there."""
        slot = waiting.slot(made, at)
        if slot >= 0:
            waiting.put(made, at, slot, s.low)
