"""Automata that are a chain of states, over rows: `[A]; [B] [C]` in every run, and `([A], [T in {T, B}]){T = 5 min}`.

Their meaning is in `algebra/automaton_runs.py`.

A branch is an occurrence of the events so far, and waits in its state for the next. Where the filter of the next event
asks for a value of an earlier one, branches are kept by that value, so that an event meets only those it is about. A
time event is no row: a branch has the time at which it is due, and the agenda wakes it then.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.occurrence import weak_order
from tocsin.algebra.patterns import Pattern
from tocsin.engine.network.agenda import Agenda
from tocsin.engine.network.alarms import Alarms, Heard
from tocsin.engine.network.arena import Arena, Keys
from tocsin.engine.network.batch import Store
from tocsin.engine.network.firings import Emit, Firing
from tocsin.engine.network.nodes import END, FIRST, NEXT, ROWS, START, Node, NodeRoot, Waiters
from tocsin.engine.network.search import Search, Test, linked, pass_all
from tocsin.engine.network.slots import NIL
from tocsin.engine.network.vectors import FAR, doubled
from tocsin.plan.searches import Slot
from tocsin.time.periods import Period


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


class Timer:
    """A time event that a branch makes: so long after the event by which it enters a state, or after a time event."""

    def __init__(self, period: Period, register: int, timer: int) -> None:
        self.period = period
        self.length: i64 = -1 if period.years or period.months else period.microseconds
        self.register: i64 = register
        """That of the event which it is counted from; -1 where `timer` tells the time event."""
        self.timer: i64 = timer

    def due(self, end: i64) -> i64:
        """When it occurs."""
        return end + self.length if self.length >= 0 else self.period.added_to(int(end))


class BranchNode(Node):
    """The branches of a state: their events, and when their time events occur."""

    def __init__(self, store: Store, arenas: list[Arena], timers: list[Timer], led: list[int]) -> None:
        super().__init__(Slot(0), store, arenas, len(timers))
        self.timers, self.led = timers, led
        self.times: i64 = ROWS + 3 * self.width
        """Where the due times stand, FAR for one that is not waited for."""

    def complete(self, given: vec[i64]) -> None:
        for timer in range(len(self.timers)):
            given[self.times + timer] = FAR
        for timer in self.led:  # by these the branch has come this far
            due = self._due(given, timer)
            given[self.times + timer] = due
            given[END] = max(given[END], due)

    def _due(self, given: vec[i64], place: i64) -> i64:
        timer = self.timers[place]
        if timer.register < 0:
            return timer.due(self._due(given, timer.timer))
        arena = self.arenas[timer.register]
        return timer.due(arena.ends[given[ROWS + timer.register] & arena.mask])


class State:
    """A state with its branches; the first has none, for each event may begin a run.

    A branch has come there by the event of the last register, or by the time event `entered`, and `sets` another then;
    these are -1 where there is none.
    """

    def __init__(
        self, node: BranchNode | None, looks: list[Look], strong: bool, keys: Keys | None, register: int
    ) -> None:
        self.strong, self.node = strong, node
        self.entered: i64 = -1
        self.sets: i64 = -1
        self.register: i64 = 0 if node is None else node.width
        """That of an event which comes next."""
        self.heard: list[int] = []
        """The time events that it looks at, as they are numbered among the `Alarms`."""
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
        self.timers: list[Timer] = []
        self.alarms: Alarms | None = None
        self.agenda: Agenda | None = None
        self.holds_time = False
        """Whether its time events wait, though they are due: something that feeds it has not made all it makes yet."""

    def held(self) -> list[tuple[tuple[str, Pattern], Waiters]]:
        return [((str(place), self.pattern), each.waiting) for place, each in enumerate(self.states) if each.waiting]

    # -- events ------------------------------------------------------------------------------------------------

    def offer(self, s: Search, arena: Arena, row: i64) -> None:
        if self.turn == s.turn:
            return  # another rule has asked before
        self.turn = s.turn
        self.count = 0
        alarms = self.alarms
        # Of what ends at their instant only events that have begun before it come before time events.
        is_after = s.end > s.now or (s.end == s.now and s.start == s.now)
        if is_after and alarms is not None and not self.holds_time and alarms.is_first_at(s.now):
            self.ring(s, alarms, s.now)
            self._note_first(s, alarms)
        # The last state first, so that no branch takes two steps with one event.
        place: i64 = len(self.states) - 1
        while place > 0:
            state = self.states[place]
            look = state.looks_at(arena)
            if look is not None and state.waiting is not None and state.waiting.count > 0:
                self._step(s, place, state.waiting, look, row)
            place -= 1
        look = self.states[0].looks_at(arena)
        if look is not None and look.accepts:
            s.rows[0] = row
            if pass_all(look.accept, s):
                self._begin(s, arena, row)

    def _begin(self, s: Search, arena: Arena, row: i64) -> None:
        """An event leaves the first state."""
        place = row & arena.mask
        following = self.states[1] if len(self.states) > 1 else None
        if following is None or following.waiting is None:
            made = self.made
            self.count = 1
        else:
            made = following.waiting.node.made
        made[FIRST] = arena.ends[place]
        made[END] = arena.ends[place]
        made[START] = arena.starts[place]
        made[ROWS] = row
        if following is not None:
            if self.alarms is not None:
                self._set_no_times(following, made)
            self._wait(s, following, made, 0, arena.ends[place])

    def _step(self, s: Search, place: i64, waiting: Waiters, look: Look, row: i64) -> None:
        """An event meets the branches of a state: those it is about go on, wait on or fail."""
        state = self.states[place]
        s.rows[state.register] = row
        if look.keys is None or waiting.keys is None:
            for at in waiting.places():
                self._meet(s, place, state, waiting, at, look, row)
            return
        slot = look.keys.values[row & look.arena.mask]
        if slot < 0:
            return  # its value equals nothing
        at = waiting.first(slot)
        while at != NIL:
            following = waiting.cells[at + NEXT]
            self._meet(s, place, state, waiting, at, look, row)
            at = following

    def _meet(self, s: Search, place: i64, state: State, waiting: Waiters, at: i64, look: Look, row: i64) -> None:
        cells = waiting.cells
        if cells[at + FIRST] < s.low:
            waiting.take_out(at)
            return
        rows, width = s.rows, waiting.node.width
        step: i64 = 0
        while step < width:
            rows[step] = cells[at + ROWS + step]
            step += 1
        if look.is_sole:
            if pass_all(look.accept, s) and self._follows(state, waiting, at, look.arena, row):
                self._take(s, place, waiting, at, look.arena, row)
            return
        if not look.is_in_domain(s):
            return
        is_meant = look.accepts and pass_all(look.accept, s)
        if not self._follows(state, waiting, at, look.arena, row):
            return
        if is_meant:
            self._take(s, place, waiting, at, look.arena, row)
        else:
            waiting.take_out(at)

    def _follows(self, state: State, waiting: Waiters, at: i64, arena: Arena, row: i64) -> bool:
        """Whether an event follows the last of a branch, strongly or in the total order."""
        cells, here = waiting.cells, row & arena.mask
        if state.entered >= 0:
            return self._follows_time(state, waiting, at, arena.ends[here], arena.starts[here])
        last = self.arenas[state.register - 1]
        there = cells[at + ROWS + state.register - 1] & last.mask
        if state.strong:
            return last.ends[there] < arena.starts[here]
        if last.ends[there] != arena.ends[here]:
            return last.ends[there] < arena.ends[here]
        if last.starts[there] != arena.starts[here]:
            return last.starts[there] < arena.starts[here]
        before, after = self.store.event(last.numbers[there]), self.store.event(arena.numbers[here])
        return weak_order(before) < weak_order(after)

    def _follows_time(self, state: State, waiting: Waiters, at: i64, end: i64, start: i64) -> bool:
        """Whether an event follows the time event by which a branch came."""
        due = waiting.cells[at + ROWS + 3 * waiting.node.width + state.entered]
        if state.strong:
            return due < start
        return due < end or (due == end and due <= start)

    def _take(self, s: Search, place: i64, waiting: Waiters, at: i64, arena: Arena, row: i64) -> None:
        """A branch takes an event in, and goes on."""
        here = row & arena.mask
        self._go_on(s, place, waiting, at, arena.starts[here], arena.ends[here], row)

    def _go_on(self, s: Search, place: i64, waiting: Waiters, at: i64, start: i64, end: i64, row: i64) -> None:
        """A branch is complete or waits in the next state: it came by an event, or by a time event, with no row."""
        following = self.states[place + 1] if place + 1 < len(self.states) else None
        begin: i64 = 0
        if following is None or following.waiting is None:
            begin = self.count * self.stride
            if begin + self.stride > len(self.made):
                self.made = doubled(self.made)
            self.count += 1
            made = self.made
        else:
            made = following.waiting.node.made
        cells, width = waiting.cells, waiting.node.width
        made[begin + FIRST] = min(cells[at + FIRST], end) if row >= 0 else cells[at + FIRST]
        made[begin + END] = max(cells[at + END], end)
        made[begin + START] = min(cells[at + START], start)
        step: i64 = 0
        while step < width:
            made[begin + ROWS + step] = cells[at + ROWS + step]
            step += 1
        if row >= 0:
            made[begin + ROWS + width] = row
            width += 1
        if following is not None and self.alarms is not None:
            times, since = begin + ROWS + 3 * width, at + ROWS + 3 * waiting.node.width
            step = 0
            while step < len(self.timers):
                made[times + step] = cells[since + step]
                step += 1
        waiting.take_out(at)
        if following is not None:
            self._wait(s, following, made, begin, end)

    def _wait(self, s: Search, state: State, made: vec[i64], at: i64, end: i64) -> None:
        """A branch waits in its state, unless its key equals nothing, for then nothing leads on from there."""
        waiting, alarms = state.waiting, self.alarms
        if waiting is None:
            return
        times = at + ROWS + 3 * waiting.node.width
        if state.sets >= 0:
            made[times + state.sets] = self.timers[state.sets].due(end)
        slot = waiting.slot(made, at)
        if slot < 0 and not waiting.takes_any:
            return
        place = waiting.put(made, at, slot, s.low)
        if alarms is None:
            return
        for number in state.heard:
            due = waiting.cells[place + alarms.heard[number].column]
            if due != FAR and alarms.set(due, number, place):
                self._note_first(s, alarms)

    def _set_no_times(self, following: State, made: vec[i64]) -> None:
        """A run begins, and has made no time event."""
        if following.node is not None:
            times = following.node.times
            step: i64 = 0
            while step < len(self.timers):
                made[times + step] = FAR
                step += 1

    # -- time events -------------------------------------------------------------------------------------------

    def _note_first(self, s: Search, alarms: Alarms) -> None:
        """The first of the time events is another one, and perhaps the first moment of all."""
        assert self.agenda is not None
        self.agenda.note(alarms)
        key = alarms.key()
        if key < s.next_key:
            s.next_key = key

    def ring(self, s: Search, alarms: Alarms, due: i64) -> None:
        """What the time events of an instant complete. Each is seen by its own branch only."""
        while alarms.is_first_at(due):
            heard, at = alarms.heard[alarms.heap[1]], alarms.heap[2]
            is_standing = alarms.is_standing()
            alarms.drop_first()
            if is_standing:
                self._ring(s, heard, at, due)

    def _ring(self, s: Search, heard: Heard, at: i64, due: i64) -> None:
        """A time event meets its branch, which goes on, fails or waits on without it."""
        waiting = heard.waiting
        if waiting.cells[at + FIRST] < s.low:
            waiting.take_out(at)
        elif not self._is_before(self.states[heard.state], waiting, at, due):
            waiting.cells[at + heard.column] = FAR
        elif heard.leads:
            self._go_on(s, heard.state, waiting, at, due, due, NIL)
        else:
            waiting.take_out(at)

    def _is_before(self, state: State, waiting: Waiters, at: i64, due: i64) -> bool:
        """Whether the last of a branch comes before a time event, strongly or in the total order."""
        cells = waiting.cells
        if state.entered >= 0:
            return cells[at + ROWS + 3 * waiting.node.width + state.entered] < due
        last = self.arenas[state.register - 1]
        there = cells[at + ROWS + state.register - 1] & last.mask
        if state.strong or last.ends[there] != due:
            return last.ends[there] < due
        return last.starts[there] < due


class AlarmRoot(NodeRoot):
    """What the time events of an automaton make of it, when they are due."""

    def __init__(self, firing: Firing, node: ChainNode, alarms: Alarms, tests: list[Test], emit: Emit) -> None:
        super().__init__(firing, node, node.arenas[0], tests, emit)
        self.chain, self.alarms = node, alarms

    def run(self, s: Search) -> None:
        chain = self.chain
        if not self.firing.is_alive:
            return
        s.low = self.firing.low(s.now)
        chain.turn = s.turn
        chain.count = 0
        chain.ring(s, self.alarms, self.alarms.due)
        self.tell(s)

    def counts(self, s: Search) -> bool:
        # To its rule, a time event that is past when it is made comes at its time.
        now = s.now
        s.now = self.alarms.due
        holds = pass_all(self.test, s)
        s.now = now
        return holds
