"""The rows of one event type, and chains through them.

Rows have stable ids that only grow. A ring of a power of two holds those from `head` to `tail`; its columns are
vectors. A chain links rows that satisfy a leaf's own conditions, per key, in order of time and at one time in order
of arrival: a late row is appended like any other and only the chain is spliced.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from tocsin.engine.slots import NEVER, Keyed, Slots
from tocsin.engine.values import MISSING_VALUES, Values
from tocsin.engine.vectors import filled, reals, widened

NIL: Final[i64] = -1
"""No row: the end of a chain."""
OUT: Final[i64] = -2
"""The link of a row that is in no chain."""


class Numbers:
    """An attribute as real numbers; NaN where the value is not a plain number."""

    def __init__(self, attribute: str, size: i64) -> None:
        self.attribute = attribute
        self.values = reals(size)
        self.source: Values = MISSING_VALUES

    def grow(self, head: i64, tail: i64, old: i64, new: i64) -> None:
        """Puts the rows where a wider ring has them."""
        values = reals(new + 1)
        row = head
        while row < tail:
            values[row & new] = self.values[row & old]
            row += 1
        self.values = values


class Keys:
    """An attribute as slots of a table, or the slots of two such columns as slots of a third."""

    def __init__(self, attribute: str, slots: Slots, size: i64, first: Keys | None, second: Keys | None) -> None:
        self.attribute, self.slots = attribute, slots
        self.first, self.second = first, second
        self.values = filled(size, NEVER)
        self.source: Values = MISSING_VALUES

    def set(self, at: i64, place: i64) -> None:
        """Sets the slot of the row at `at` of the ring."""
        if self.first is None or self.second is None:
            self.values[at] = self.source.slot(place, self.slots)
        else:
            self.values[at] = paired(self.first.values[at], self.second.values[at], self.slots)

    def grow(self, head: i64, tail: i64, old: i64, new: i64) -> None:
        """Puts the rows where a wider ring has them."""
        values = filled(new + 1, NEVER)
        row = head
        while row < tail:
            values[row & new] = self.values[row & old]
            row += 1
        self.values = values


def paired(first: i64, second: i64, slots: Slots) -> i64:
    """The slot of two slots together."""
    return NEVER if first < 0 or second < 0 else slots.of_whole((first << 31) ^ second)


class Arena:
    """The rows of one event type: when they were, their numbers in order of arrival, and what rules ask of them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.head: i64 = 0
        self.tail: i64 = 0
        self.mask: i64 = 15
        self.ends = filled(16, 0)
        self.starts = filled(16, 0)
        self.numbers = filled(16, 0)
        self.measures: list[Numbers] = []
        self.keys: list[Keys] = []
        self.chains: list[Chain] = []
        self.wanted = False

    def append(self, end: i64, start: i64, number: i64) -> i64:
        """A new row; its attributes are still to be set."""
        row = self.tail
        if row - self.head > self.mask:
            self._grow()
        place = row & self.mask
        self.ends[place] = end
        self.starts[place] = start
        self.numbers[place] = number
        self.tail = row + 1
        return row

    def read(self, row: i64, place: i64) -> None:
        """Sets the attributes of a row from place `place` of the columns that are being read."""
        at = row & self.mask
        for measure in self.measures:
            measure.values[at] = measure.source.number(place)
        for key in self.keys:
            key.set(at, place)

    def forget(self, before: i64) -> None:
        """Drops the oldest rows while they ended before a time."""
        while self.head < self.tail and self.ends[self.head & self.mask] < before:
            row = self.head
            for chain in self.chains:
                chain.unlink(row)
            self.head = row + 1

    def _grow(self) -> None:
        old, new = self.mask, self.mask * 2 + 1
        ends, starts, numbers = filled(new + 1, 0), filled(new + 1, 0), filled(new + 1, 0)
        row = self.head
        while row < self.tail:
            here, there = row & old, row & new
            ends[there] = self.ends[here]
            starts[there] = self.starts[here]
            numbers[there] = self.numbers[here]
            row += 1
        self.ends, self.starts, self.numbers, self.mask = ends, starts, numbers, new
        for measure in self.measures:
            measure.grow(self.head, self.tail, old, new)
        for key in self.keys:
            key.grow(self.head, self.tail, old, new)
        for chain in self.chains:
            chain.grow(self.head, self.tail, old, new)

    def row_of(self, number: i64) -> i64:
        """The row of an event by its number, or NIL: rows are appended in order of their numbers."""
        low, high = self.head, self.tail
        while low < high:
            middle = (low + high) >> 1
            if self.numbers[middle & self.mask] < number:
                low = middle + 1
            else:
                high = middle
        return low if low < self.tail and self.numbers[low & self.mask] == number else NIL

    def measure(self, attribute: str) -> Numbers:
        """The column of an attribute as numbers, made where it is not there yet."""
        for found in self.measures:
            if found.attribute == attribute:
                return found
        made = Numbers(attribute, self.mask + 1)
        self.measures.append(made)
        return made

    def key(self, attribute: str, slots: Slots) -> Keys:
        """The column of an attribute as slots of a table."""
        for found in self.keys:
            if found.attribute == attribute and found.slots is slots:
                return found
        made = Keys(attribute, slots, self.mask + 1, None, None)
        self.keys.append(made)
        return made

    def pair(self, first: Keys, second: Keys, slots: Slots) -> Keys:
        """The column of two keys together."""
        for found in self.keys:
            if found.first is first and found.second is second and found.slots is slots:
                return found
        made = Keys("", slots, self.mask + 1, first, second)
        self.keys.append(made)
        return made


class Chain(Keyed):
    """Rows of an arena per slot, oldest to newest. `keys` is None where all rows are in one chain."""

    def __init__(self, arena: Arena, keys: Keys | None) -> None:
        self.arena, self.keys = arena, keys
        self.before = filled(arena.mask + 1, OUT)
        self.after = filled(arena.mask + 1, OUT)
        self.newest = filled(16, NIL)
        self.oldest = filled(16, NIL)
        self.length: i64 = 0
        arena.chains.append(self)
        if keys is not None:
            keys.slots.dependants.append(self)

    def slot(self, row: i64) -> i64:
        """The slot of a row: NEVER if nothing can equal its key."""
        return 0 if self.keys is None else self.keys.values[row & self.arena.mask]

    def link(self, row: i64) -> None:
        """Puts a row in its place in time."""
        arena, keys = self.arena, self.keys
        place = row & arena.mask
        slot: i64 = 0
        if keys is not None:
            slot = keys.values[place]
            if slot < 0:
                return
        if slot >= len(self.newest):
            self._widen(slot)
        self.length += 1
        last = self.newest[slot]
        if last < 0:
            self.before[place] = NIL
            self.after[place] = NIL
            self.newest[slot] = row
            self.oldest[slot] = row
            return
        end = arena.ends[place]
        if arena.ends[last & arena.mask] <= end:
            self.before[place] = last
            self.after[place] = NIL
            self.after[last & arena.mask] = row
            self.newest[slot] = row
        else:
            self._splice(row, last, slot, end)

    def _splice(self, row: i64, last: i64, slot: i64, end: i64) -> None:
        """A late row: after the last one that is not later."""
        mask, ends = self.arena.mask, self.arena.ends
        later = last
        sooner = self.before[later & mask]
        while sooner >= 0 and ends[sooner & mask] > end:
            later = sooner
            sooner = self.before[later & mask]
        place = row & mask
        self.before[place] = sooner
        self.after[place] = later
        self.before[later & mask] = row
        if sooner >= 0:
            self.after[sooner & mask] = row
        else:
            self.oldest[slot] = row

    def unlink(self, row: i64) -> None:
        """Takes a row out, wherever it stands."""
        mask = self.arena.mask
        place = row & mask
        sooner, later = self.before[place], self.after[place]
        if sooner == OUT:
            return
        self.length -= 1
        self.before[place] = OUT
        if sooner >= 0:
            self.after[sooner & mask] = later
        else:
            self.oldest[self.slot(row)] = later
        if later >= 0:
            self.before[later & mask] = sooner
        else:
            self.newest[self.slot(row)] = sooner

    def holds(self, row: i64) -> bool:
        """Whether a row is linked."""
        return self.before[row & self.arena.mask] != OUT

    def grow(self, head: i64, tail: i64, old: i64, new: i64) -> None:
        """Puts the links where a wider ring has them."""
        before, after = filled(new + 1, OUT), filled(new + 1, OUT)
        row = head
        while row < tail:
            before[row & new] = self.before[row & old]
            after[row & new] = self.after[row & old]
            row += 1
        self.before, self.after = before, after

    def _widen(self, slot: i64) -> None:
        self.newest = widened(self.newest, slot * 2, NIL)
        self.oldest = widened(self.oldest, slot * 2, NIL)

    def collapse(self) -> None:
        """Puts all rows into one chain, because their values can no longer be looked up."""
        keys, arena = self.keys, self.arena
        assert keys is not None
        linked = [row for row in range(int(arena.head), int(arena.tail)) if self.holds(row)]
        self.newest, self.oldest = filled(16, NIL), filled(16, NIL)
        self.length = 0
        for row in linked:
            keys.values[row & arena.mask] = 0
            self.link(row)
