"""Rules that remember more than events: what waits in their nodes, as rows of numbers, and how an arrival is offered.

An occurrence is a few numbers in a row of a vector: what it is linked to while it waits, when it began and ended, the
rows of its events by register, and their times and numbers in order, by which the older of two is told.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.occurrence import Occurrence, chronology
from tocsin.algebra.patterns import Pattern
from tocsin.engine.network.arena import Arena, Keys
from tocsin.engine.network.assembly import assembled
from tocsin.engine.network.batch import Store
from tocsin.engine.network.firings import Emit, Firing
from tocsin.engine.network.gates import Root
from tocsin.engine.network.search import Search, Test, pass_all
from tocsin.engine.network.slots import NIL, Keyed, Slots
from tocsin.engine.network.vectors import FAR, doubled, filled, widened
from tocsin.events import Event

NEXT: Final[i64] = 0
LAST: Final[i64] = 1
SLOT: Final[i64] = 2
FIRST: Final[i64] = 3
END: Final[i64] = 4
START: Final[i64] = 5
ROWS: Final[i64] = 6
"""What stands where: the next and the last that wait with it, their slot, the earliest end among its events, its own
end and start, and from there on the rows, the times and the numbers of its events; then what a node has `more`."""
UNKEYED: Final[i64] = -2
"""The slot of what waits though its key equals nothing: for time, which concerns it all the same."""


class Node:
    """A part of a pattern: what one arrival makes of it stands in `made`, `count` occurrences of `stride` numbers."""

    def __init__(self, tree: Pattern, store: Store, arenas: list[Arena], more: int = 0) -> None:
        self.tree, self.store, self.arenas = tree, store, arenas
        self.width: i64 = len(arenas)
        self.stride: i64 = ROWS + 3 * len(arenas) + more
        self.made = filled(self.stride, 0)
        self.count: i64 = 0
        self.turn: i64 = -1

    def offer(self, s: Search, arena: Arena, row: i64) -> None:
        """Notes what the arrival of a row makes."""
        raise NotImplementedError

    def complete(self, given: vec[i64]) -> None:
        """Works out what an occurrence has besides its events: of one that was saved."""

    def held(self) -> list[tuple[tuple[str, Pattern], Waiters]]:
        """All that waits in it and below it, with what tells it from all else: a word, and the pattern it is of."""
        return []

    def is_older(self, one: vec[i64], at: i64, other: vec[i64], place: i64) -> bool:
        """Whether an occurrence is chronologically older than another."""
        width = self.width
        at += ROWS + width
        place += ROWS + width
        step: i64 = 0
        while step < 2 * width:
            difference = one[at + step] - other[place + step]
            if difference != 0:
                return difference < 0
            step += 1
        # Of the same events: names and spans decide.
        mine, its = self._occurrence(one, at - width), self._occurrence(other, place - width)
        return chronology(mine) < chronology(its)

    def _occurrence(self, cells: vec[i64], at: i64) -> Occurrence:
        events: dict[int, Event] = {}
        for register in range(len(self.arenas)):
            arena = self.arenas[register]
            events[register] = self.store.event(arena.numbers[cells[at + register] & arena.mask])
        return assembled(self.tree, events)


class Waiters(Keyed):
    """Occurrences of a node that wait, by the slot of their key if there is one.

    Those of one slot stand in order of age if they are `ordered`, else as they came.
    """

    def __init__(self, node: Node, base: int, keys: Keys | None, register: int, ordered: bool) -> None:
        self.node, self.keys, self.ordered = node, keys, ordered
        self.base: i64 = base
        """The register at which its rows begin for whoever they wait for."""
        self.register: i64 = register
        self.stride: i64 = node.stride
        self.cells = filled(self.stride * 16, 0)
        self.used: i64 = 0
        self.free: i64 = NIL
        self.heads = filled(16, NIL)
        self.tails = filled(16, NIL)
        self.takes_any = False
        """Whether what has a key that equals nothing waits, too."""
        self.latest: i64 = -FAR
        """The latest end of all that ever waited."""
        self.count = 0
        if keys is not None:
            keys.slots.dependants.append(self)

    def slot(self, given: vec[i64], at: i64) -> i64:
        """The slot of an occurrence."""
        keys = self.keys
        if keys is None:
            return 0
        arena = self.node.arenas[self.register]
        slot = keys.values[given[at + ROWS + self.register] & arena.mask]
        return UNKEYED if slot < 0 and self.takes_any else slot

    def first(self, slot: i64) -> i64:
        """The first that waits at a slot, or NIL."""
        return self.heads[slot] if slot < len(self.heads) else NIL

    def put(self, given: vec[i64], at: i64, slot: i64, low: i64) -> i64:
        """Lets an occurrence wait. Where it stands."""
        if slot >= len(self.heads):
            self.heads = widened(self.heads, slot * 2 + 1, NIL)
            self.tails = widened(self.tails, slot * 2 + 1, NIL)
        place = self._room(low)
        cells, stride = self.cells, self.stride
        step = FIRST
        while step < stride:
            cells[place + step] = given[at + step]
            step += 1
        cells[place + SLOT] = slot
        if given[at + END] > self.latest:
            self.latest = given[at + END]
        self.count += 1
        if slot != UNKEYED:
            self._link(place, slot)
        return place

    def _link(self, place: i64, slot: i64) -> None:
        cells, following, before = self.cells, NIL, self.tails[slot]
        while self.ordered and before != NIL and self.node.is_older(cells, place, cells, before):
            following, before = before, cells[before + LAST]
        cells[place + NEXT] = following
        cells[place + LAST] = before
        if before == NIL:
            self.heads[slot] = place
        else:
            cells[before + NEXT] = place
        if following == NIL:
            self.tails[slot] = place
        else:
            cells[following + LAST] = place

    def take_out(self, place: i64) -> None:
        """One that waits does so no longer."""
        cells = self.cells
        slot, following, before = cells[place + SLOT], cells[place + NEXT], cells[place + LAST]
        if slot == UNKEYED:
            self._give_up(place)
            return
        if before == NIL:
            self.heads[slot] = following
        else:
            cells[before + NEXT] = following
        if following == NIL:
            self.tails[slot] = before
        else:
            cells[following + LAST] = before
        self._give_up(place)

    def _give_up(self, place: i64) -> None:
        """A place that nothing is linked to is free for another."""
        self.cells[place + SLOT] = NIL
        self.cells[place + NEXT] = self.free
        self.free = place
        self.count -= 1

    def _room(self, low: i64) -> i64:
        """A place for one more. Where all are taken, those whose events have left the window go first."""
        if self.free == NIL and self.used + self.stride > len(self.cells):
            self.forget(low)
            if self.count * self.stride * 2 > len(self.cells):
                self.cells = doubled(self.cells)
        place = self.free
        if place == NIL:
            place = self.used
            self.used += self.stride
        else:
            self.free = self.cells[place + NEXT]
        return place

    def forget(self, low: i64) -> None:
        """Drops those that have an event which ended before a time."""
        place: i64 = 0
        while place < self.used:
            if self.cells[place + SLOT] != NIL and self.cells[place + FIRST] < low:
                self.take_out(place)
            place += self.stride

    def numbers(self) -> list[list[int]]:
        """The numbers of the events of those that wait, by register: what is saved of them."""
        return [self.numbers_at(at) for at in self.places()]

    def numbers_at(self, place: int) -> list[int]:
        """The same for one that waits."""
        arenas = self.node.arenas
        rows = [int(self.cells[place + ROWS + register]) for register in range(len(arenas))]
        return [int(arena.numbers[row & arena.mask]) for arena, row in zip(arenas, rows, strict=True)]

    def put_back(self, numbers: list[int]) -> int:
        """Lets an occurrence of saved events wait again, if all of them are still there. Where, or NIL."""
        arenas, given = self.node.arenas, filled(self.stride, -FAR)
        rows = [int(arena.row_of(number)) for arena, number in zip(arenas, numbers, strict=True)]
        if min(rows) < 0:
            return int(NIL)
        ends = [int(arena.ends[row & arena.mask]) for arena, row in zip(arenas, rows, strict=True)]
        starts = [int(arena.starts[row & arena.mask]) for arena, row in zip(arenas, rows, strict=True)]
        given[FIRST], given[END], given[START] = min(ends), max(ends), min(starts)
        for register, row in enumerate(rows):
            given[ROWS + register] = row
        width = len(arenas)
        for place, (end, number) in enumerate(sorted(set(zip(ends, numbers, strict=True)))):
            given[ROWS + width + place] = end
            given[ROWS + 2 * width + place] = number
        self.node.complete(given)
        return int(self.put(given, 0, self.slot(given, 0), -FAR))

    def places(self) -> list[int]:
        """Where those that wait stand."""
        return [at for at in range(0, int(self.used), int(self.stride)) if self.cells[at + SLOT] != NIL]

    def collapse(self) -> None:
        """All wait together, because their values can no longer be looked up."""
        self._regroup(filled(0, NIL))

    def renumber(self, slots: Slots, numbers: vec[i64]) -> None:
        if self.keys is not None and slots is self.keys.slots:
            self._regroup(numbers)

    def _regroup(self, numbers: vec[i64]) -> None:
        """Lets all wait at other slots, slot 0 where there are no numbers."""
        size: i64 = max(len(numbers), 16)
        self.heads, self.tails = filled(size, NIL), filled(size, NIL)
        for place in self.places():
            old = self.cells[place + SLOT]
            if old == UNKEYED:
                continue
            slot: i64 = 0
            if len(numbers) > 0:
                slot = numbers[old] if old < len(numbers) else NIL
            if slot >= 0:
                self.cells[place + SLOT] = slot
                self._link(place, slot)
            else:
                self._give_up(place)  # no row has its key any more: its own has left the window


class NodeRoot(Root):
    """What an arrival by one gate makes of a rule that remembers."""

    def __init__(self, firing: Firing, node: Node, arena: Arena, tests: list[Test], emit: Emit) -> None:
        super().__init__(firing, tests)
        self.node, self.arena, self.emit = node, arena, emit

    def run(self, s: Search) -> None:
        firing, node = self.firing, self.node
        low = s.now - self.length if self.length >= 0 else firing.low(s.now)
        if s.end < low or not firing.is_alive:
            return
        row = s.rows[0]
        if firing.puts_off:
            firing.put_off.append((int(s.arrival), self, int(row)))
            return
        s.low = low
        node.offer(s, self.arena, row)
        self.tell(s)
        s.rows[0] = row
        s.numbers[0] = s.arrival

    def tell(self, s: Search) -> None:
        """Reports what the node has made, if the rule's condition holds for it."""
        node = self.node
        at: i64 = 0
        place: i64 = 0
        while at < node.count:
            step: i64 = 0
            while step < node.width:
                s.rows[step] = node.made[place + ROWS + step]
                arena = node.arenas[step]
                s.numbers[step] = arena.numbers[s.rows[step] & arena.mask]
                step += 1
            if self.counts(s):
                self.emit.run(s)
            at += 1
            place += node.stride

    def counts(self, s: Search) -> bool:
        """Whether the rule's condition holds for what stands in the registers."""
        return pass_all(self.test, s)
