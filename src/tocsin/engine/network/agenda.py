"""The moments that rules wait for: queues of them, what is due next of all, and the searches that put them there."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.occurrence import TIMER, chronology
from tocsin.algebra.patterns import Between, Pattern, Within
from tocsin.engine.network.arena import Arena, Chain
from tocsin.engine.network.assembly import assembled
from tocsin.engine.network.batch import Store
from tocsin.engine.network.firings import Firing
from tocsin.engine.network.search import EndOf, Point, Search, StartOf
from tocsin.engine.network.steps import Step
from tocsin.engine.network.vectors import FAR, filled, widened
from tocsin.events import Event


class Waiting:
    """The moments that one part of a rule waits for, in order of when they are due.

    They mostly come in that order, so they are a queue: `entries` holds the due time, the start of the window and the
    rows that wait. One that is due earlier than the last is put in its place.
    """

    def __init__(
        self,
        firing: Firing,
        origin: Pattern,
        tree: Pattern,
        arenas: list[Arena],
        chains: list[Chain],
        store: Store,
    ) -> None:
        self.firing, self.origin, self.tree, self.store = firing, origin, tree, store
        self.settled = isinstance(origin, Within | Between)
        self.arenas, self.chains, self.first = arenas, chains, arenas[0]
        self.root: Step | None = None
        self.place: i64 = 0
        """Its place in the agenda."""
        self.together: list[Waiting] = []
        """Those of the same windows, itself too: they end as one."""
        self.over: dict[int, list[list[int]]] = {}
        """By their starts the windows that ended at `over_at`, and the rows that had opened them."""
        self.over_at: i64 = -FAR
        self._is_timed = any(arena.name.startswith(TIMER) for arena in arenas)
        self.width: i64 = len(arenas) + 2
        self.is_plain = len(arenas) == 1 and not chains
        """Whether single events wait, which nothing uses up."""
        self.head: i64 = 0
        self.tail: i64 = 0
        self.entries: vec[i64] = filled(16 * self.width, 0)

    def key(self) -> i64:
        """When the first is due, as `2 * time`, plus 1 for the end of a window: that comes after the timers."""
        if self.head == self.tail:
            return FAR
        key = self.entries[self.head] * 2
        return key + 1 if self.settled else key

    def clear(self) -> None:
        """Nothing is waited for any more."""
        self.head = self.tail = 0

    def add(self, due: i64, start: i64, rows: vec[i64], registers: vec[i64]) -> bool:
        """Notes that rows wait for a moment. Of those due together the chronologically oldest come first.

        Whether they are the first of all.
        """
        width = self.width
        if self.tail + width > len(self.entries):
            self._make_room()
        at = self.tail
        entries = self.entries
        entries[at] = due
        entries[at + 1] = start
        place: i64 = 2
        while place < width:
            entries[at + place] = rows[registers[place - 2]]
            place += 1
        self.tail += width
        while at > self.head and due <= entries[at - width] and self._is_before(at, at - width):
            self._swap(at, at - width)
            at -= width
        return at == self.head

    def add_row(self, due: i64, start: i64, row: i64) -> bool:
        """The same for a single row."""
        at = self.tail
        if at + 3 > len(self.entries):
            self._make_room()
            at = self.tail
        entries = self.entries
        entries[at] = due
        entries[at + 1] = start
        entries[at + 2] = row
        self.tail = at + 3
        while at > self.head and due <= entries[at - 3] and self._is_before(at, at - 3):
            self._swap(at, at - 3)
            at -= 3
        return at == self.head

    def put(self, due: int, start: int, rows: list[int]) -> None:
        """Notes again what was waiting when the state was saved."""
        numbers, registers = filled(len(rows), 0), filled(len(rows), 0)
        for place, row in enumerate(rows):
            numbers[place], registers[place] = row, place
        self.add(due, start, numbers, registers)

    def _is_before(self, one: i64, other: i64) -> bool:
        entries = self.entries
        if entries[one] != entries[other]:
            return entries[one] < entries[other]
        if self.settled:
            return entries[one + 1] < entries[other + 1]
        if self.width == 3 and not self._is_timed:
            # Single rows: told by their times and numbers without more ado.
            arena = self.arenas[0]
            mine, theirs = entries[one + 2] & arena.mask, entries[other + 2] & arena.mask
            if arena.ends[mine] != arena.ends[theirs]:
                return arena.ends[mine] < arena.ends[theirs]
            return arena.numbers[mine] < arena.numbers[theirs]
        older, newer = self.chronology(one), self.chronology(other)
        if older != newer:
            return older < newer
        return self.is_held(one) and self.is_held(other) and self.found(one) < self.found(other)

    def is_held(self, at: i64) -> bool:
        """Whether the events that wait are still there. Of those that are gone nothing comes, in whatever order."""
        for place in range(len(self.arenas)):
            if self.entries[at + 2 + place] < self.arenas[place].head:
                return False
        return True

    def found(self, at: i64) -> tuple[object, ...]:
        """What waits, in full: where several occurrences of the same events wait."""
        events: dict[int, Event] = {}
        for place in range(len(self.arenas)):
            arena = self.arenas[place]
            events[place] = self.store.event(arena.numbers[self.entries[at + 2 + place] & arena.mask])
        return chronology(assembled(self.tree, events))

    def _swap(self, one: i64, other: i64) -> None:
        entries = self.entries
        place: i64 = 0
        while place < self.width:
            moved = entries[one + place]
            entries[one + place] = entries[other + place]
            entries[other + place] = moved
            place += 1

    def chronology(self, at: i64) -> tuple[list[int], list[int]]:
        """The ascending times of the rows that wait, without time events, then their numbers in that order."""
        seen: dict[int, int] = {}
        place: i64 = 2
        for arena in self.arenas:
            row = self.entries[at + place] & arena.mask
            if not arena.name.startswith(TIMER):
                seen[int(arena.numbers[row])] = int(arena.ends[row])
            place += 1
        ordered = sorted([(end, number) for number, end in seen.items()])
        return [end for end, _ in ordered], [number for _, number in ordered]

    def _make_room(self) -> None:
        """Moves the queue to the front of its vector, which is widened if it is more than half full."""
        head, length = self.head, self.tail - self.head
        if length * 2 > len(self.entries):
            self.entries = widened(self.entries, len(self.entries) * 2, 0)
        entries = self.entries
        place: i64 = 0
        while place < length:
            entries[place] = entries[head + place]
            place += 1
        self.head, self.tail = 0, length

    def end_window(self, at: i64, now: i64) -> None:
        """Notes that the window at a place of the queue is over, and what had opened it."""
        rows = [int(self.entries[at + 2 + place]) for place in range(len(self.arenas))]
        self.note_opened(self.entries[at + 1], rows, now)

    def note_opened(self, start: i64, rows: list[int], now: i64) -> None:
        """Notes that rows open a window which is over."""
        if self.over_at != now:
            self.over_at = now
            self.over.clear()
        self.over.setdefault(int(start), []).append(rows)

    def is_over(self, start: i64, now: i64) -> bool:
        """Whether a window which started then has just ended."""
        return self.over_at == now and int(start) in self.over

    def is_still_opened(self, start: i64, low: i64) -> bool:
        """Whether something that opened a window which is over can still be used: it is the same window then."""
        return any(self._can_use(rows, low) for rows in self.over[int(start)])

    def _can_use(self, rows: list[int], low: i64) -> bool:
        for place, row in enumerate(rows):
            arena = self.arenas[place]
            if row < arena.head or arena.ends[row & arena.mask] < low:
                return False
            if self.chains and not self.chains[place].holds(row):
                return False
        return True

    def is_first(self, due: i64, start: i64) -> bool:
        """Whether the first that waits is due at a time, in a window that started at another."""
        if self.head == self.tail:
            return False
        return self.entries[self.head] == due and self.entries[self.head + 1] == start

    def number(self, place: i64, row: i64) -> i64:
        """The number of the event in a row that waits."""
        arena = self.arenas[place]
        return arena.numbers[row & arena.mask]

    def is_alive(self, at: i64, low: i64) -> bool:
        """Whether the rows that wait at a place of the queue can still be used."""
        if not self.firing.is_alive:
            return False
        entries, place = self.entries, at + 2
        arena = self.first
        row = entries[place]
        if row < arena.head or arena.ends[row & arena.mask] < low:
            return False
        if self.width > 3:
            for arena in self.arenas:
                row = entries[place]
                if row < arena.head or arena.ends[row & arena.mask] < low:
                    return False
                place += 1
        if self.chains:
            place = at + 2
            for chain in self.chains:
                if not chain.holds(self.entries[place]):
                    return False
                place += 1
        return True


class Agenda:
    """The queues of what is waited for, under a tree of which every node has the first moment of the two below it.

    So with thousands of rules that wait, the next of them is found in a dozen looks.
    """

    def __init__(self) -> None:
        self.waitings: list[Waiting] = []
        self.sole: Waiting | None = None
        """The only queue, where there is just one: it is asked itself, and need not tell the tree."""
        self._half: i64 = 1
        self._keys = filled(2, FAR)
        self._passed: list[tuple[int, int, int]] = []
        """Of every window that ended at `_passed_at` the last event before it, its start and its queue's place."""
        self._passed_at = -1

    def set(self, waitings: list[Waiting]) -> None:
        """Makes these the queues, in the order in which their moments come where nothing else tells."""
        self.waitings = waitings
        self.sole = waitings[0] if len(waitings) == 1 else None
        half: i64 = 1
        while half < len(waitings):
            half *= 2
        self._half = half
        self._keys = filled(half * 2, FAR)
        for place, waiting in enumerate(waitings):
            waiting.place = place
            self._keys[half + place] = waiting.key()
        node = half - 1
        while node > 0:
            self._keys[node] = min(self._keys[node * 2], self._keys[node * 2 + 1])
            node -= 1

    def add(self, waiting: Waiting) -> None:
        """One more queue, after the others."""
        self.set([*self.waitings, waiting])

    def first(self) -> i64:
        """When the next moment is due, as `Waiting.key` tells it."""
        sole = self.sole
        return self._keys[1] if sole is None else sole.key()

    def note(self, waiting: Waiting) -> None:
        """Notes that the first of a queue is another one."""
        if self.sole is not None:
            return
        keys, node, key = self._keys, self._half + waiting.place, waiting.key()
        keys[node] = key
        while node > 1:
            other = keys[node ^ 1]
            if other < key:
                key = other
            node >>= 1
            if keys[node] == key:
                return
            keys[node] = key

    def note_passed(self, at: int, number: int, start: int, place: int) -> None:
        """Notes that a window which started then has its turn among those that end just now.

        `number` is that of the last event seen, `place` that of its queue, or of the first queue that comes after it.
        """
        if self._passed_at != at:
            self._passed_at = at
            self._passed.clear()
        self._passed.append((number, start, place))

    def has_passed(self, at: int, number: int, start: int, place: int) -> bool:
        """Whether a window that an event has opened had its turn already, though nothing waited for its end."""
        return self._passed_at == at and any(
            number <= seen and (start, place) < (other, there) for seen, other, there in self._passed
        )

    def besides(self, waiting: Waiting) -> i64:
        """When the next moment of any other queue is due."""
        keys, node, key = self._keys, self._half + waiting.place, FAR
        while node > 1:
            if keys[node ^ 1] < key:
                key = keys[node ^ 1]
            node >>= 1
        return key

    def due(self, key: i64) -> Waiting | None:
        """The queue whose first moment is due then; of several the one that has waited for the oldest events."""
        return self._due(1, key) if self.first() <= key else None

    def _due(self, node: i64, key: i64) -> Waiting | None:
        if node >= self._half:
            return self.waitings[node - self._half]
        chosen: Waiting | None = None
        if self._keys[node * 2] == key:
            chosen = self._due(node * 2, key)
        if self._keys[node * 2 + 1] == key:
            other = self._due(node * 2 + 1, key)
            if chosen is None or (other is not None and _is_older(other, chosen)):
                chosen = other
        return chosen


def is_sooner(one: Waiting, other: Waiting) -> bool:
    """Whether the first moment of one comes before that of another."""
    if one.key() != other.key():
        return one.key() < other.key()
    return _is_older(one, other)


def _is_older(one: Waiting, other: Waiting) -> bool:
    """Whether the first moment of one comes before that of another which is due at the same time."""
    if one.settled:
        return one.entries[one.head + 1] < other.entries[other.head + 1]
    mine, others = one.chronology(one.head), other.chronology(other.head)
    if mine == others and one.firing is other.firing:
        is_held = one.is_held(one.head) and other.is_held(other.head)
        return is_held and one.found(one.head) < other.found(other.head)
    return mine < others


class Schedule(Step):
    """The end of a search for what is to be waited for."""

    def __init__(
        self, waiting: Waiting, agenda: Agenda, point: Point, start: Point, end: Point, registers: list[int]
    ) -> None:
        super().__init__()
        self.waiting, self.agenda, self.point, self.start, self.end = waiting, agenda, point, start, end
        self.registers: vec[i64] = filled(len(registers), 0)
        for place, register in enumerate(registers):
            self.registers[place] = register

    def run(self, s: Search) -> None:
        waiting = self.waiting
        if not waiting.firing.is_alive:
            return
        due = self.point.value(s)
        start = self.start.value(s)
        if due < s.now or (due == s.now and (not waiting.settled or self._is_over(start, s))):
            return
        if waiting.settled and self.end.value(s) > due:
            return  # what does not fit into the window does not wait for its end
        if waiting.add(due, start, s.rows, self.registers):
            self._note_first(waiting, s)

    def _note_first(self, waiting: Waiting, s: Search) -> None:
        """What is waited for is the first of its queue, and perhaps of all."""
        self.agenda.note(waiting)
        if waiting.key() < s.next_key:
            s.next_key = waiting.key()

    def _is_over(self, start: i64, s: Search) -> bool:
        """Whether a window that ends just now has ended already.

        Where nothing that opened it is left, an event that opens it makes it end again.
        """
        waiting, has_ended = self.waiting, False
        if isinstance(waiting.origin, Between):
            return self._has_come(start, s)
        if s.is_stepping and self.agenda.has_passed(int(s.now), self._opener(start, s), int(start), int(waiting.place)):
            return True
        for other in waiting.together:
            if other.is_over(start, s.now):
                has_ended = True
                if other.is_still_opened(start, waiting.firing.low(s.now)):
                    waiting.note_opened(start, [int(s.rows[register]) for register in self.registers], s.now)
                    return True
        return has_ended and s.numbers[self.registers[0]] != s.arrival

    def _has_come(self, start: i64, s: Search) -> bool:
        """Whether a fixed window that ends just now has ended already: it does so once, whatever is in it."""
        waiting = self.waiting
        since = int(waiting.firing.since)
        if s.is_stepping and self.agenda.has_passed(int(s.now), since, int(start), int(waiting.place)):
            return True
        return any(other.is_over(start, s.now) for other in waiting.together)

    def _opener(self, start: i64, s: Search) -> int:
        """The number of the event that has opened a window: the first of those that begin with it."""
        first = FAR
        for place, arena in enumerate(self.waiting.arenas):
            register = self.registers[place]
            if arena.starts[s.rows[register] & arena.mask] == start and s.numbers[register] < first:
                first = s.numbers[register]
        return int(first)


class RowSchedule(Schedule):
    """The same where a single row waits, so long after its end, or its start."""

    def __init__(
        self, waiting: Waiting, agenda: Agenda, point: Point, start: Point, end: Point, register: int, distance: i64
    ) -> None:
        super().__init__(waiting, agenda, point, start, end, [register])
        self.register: i64 = register
        self.distance = distance

    def run(self, s: Search) -> None:
        waiting = self.waiting
        if not waiting.firing.is_alive:
            return
        row, settled = s.rows[self.register], waiting.settled
        place = row & waiting.first.mask
        start = end = waiting.first.ends[place]
        if settled:
            start = waiting.first.starts[place]
        due = start + self.distance
        if due < s.now or (due == s.now and (not settled or self._is_over(start, s))) or end > due:
            return
        if waiting.add_row(due, start, row):
            self._note_first(waiting, s)


def scheduled(
    waiting: Waiting, agenda: Agenda, point: Point, start: Point, end: Point, registers: list[int]
) -> Schedule:
    """The end of a search for what is to be waited for, as simple as it can be."""
    if len(registers) == 1 and isinstance(end, EndOf) and end.distance == 0:
        distance: i64 = -1
        if isinstance(point, StartOf) and isinstance(start, StartOf) and start.distance == 0 and waiting.settled:
            distance = point.distance
        if isinstance(point, EndOf) and isinstance(start, EndOf) and start.distance == 0 and not waiting.settled:
            distance = point.distance
        if distance >= 0:
            return RowSchedule(waiting, agenda, point, start, end, registers[0], distance)
    return Schedule(waiting, agenda, point, start, end, registers)
