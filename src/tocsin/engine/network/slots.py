"""Equal values as small numbers: what an index is keyed by.

Two values get the same slot just where `==` in a guard holds for them. The one equality that no table can keep, of a
moment or a period with a number (it rounds, so it is not transitive), collapses the table: everything then has slot 0,
and equality is tested row by row.
"""

from __future__ import annotations

import math
from typing import Final

from librt.strings import read_i64_le
from librt.vecs import vec
from mypy_extensions import i64

from tocsin.engine.network.vectors import filled, widened
from tocsin.events import Moment
from tocsin.time.periods import Period

NIL: Final[i64] = -1
"""No row: the end of a chain."""
NEVER: Final[i64] = -1
"""The slot of what equals nothing: a missing value, a NaN, a list."""

TEXT: Final[i64] = 1
NUMBER: Final[i64] = 2
OTHER: Final[i64] = 3

LEAST: Final[i64] = 65536
PAIRED: Final[i64] = 2147483647
"""The bits of the second slot of a pair."""

_FREE: Final[i64] = -1
_EXACT: Final = 9007199254740992.0


class Heads:
    """The newest row of each slot, for all chains keyed by one table: side by side, for they are asked together.

    A chain that is used up has its oldest rows beside its newest.
    """

    def __init__(self) -> None:
        self.width: i64 = 4
        self.used: i64 = 0
        self.rows = filled(64, NIL)

    def column(self) -> i64:
        """A column for one more chain."""
        if self.used == self.width:
            self._widen()
        self.used += 1
        return self.used - 1

    def _widen(self) -> None:
        old, new = self.width, self.width * 2
        rows = filled(len(self.rows) * 2, NIL)
        place: i64 = 0
        while place < len(self.rows):
            rows[place // old * new + place % old] = self.rows[place]
            place += 1
        self.rows, self.width = rows, new

    def reserve(self, at: i64) -> None:
        """Makes room for a place, and for all of its slot."""
        if at >= len(self.rows):
            self.rows = widened(self.rows, (at // self.width + 1) * 2 * self.width, NIL)

    def renumber(self, numbers: vec[i64], count: i64) -> None:
        """Puts the rows where their slots, `count` in all, are now; the rows of slots that are gone go, too."""
        width = self.width
        rows = filled((count + 16) * width, NIL)
        slot: i64 = 0
        while slot < len(numbers) and (slot + 1) * width <= len(self.rows):
            if numbers[slot] >= 0:
                column: i64 = 0
                while column < width:
                    rows[numbers[slot] * width + column] = self.rows[slot * width + column]
                    column += 1
            slot += 1
        self.rows = rows

    def clear(self, column: i64) -> None:
        """Forgets the rows of a column."""
        place = column
        while place < len(self.rows):
            self.rows[place] = NIL
            place += self.width


class Keyed:
    """What is kept by slots, and must give them up when the table collapses."""

    def collapse(self) -> None:
        """Everything has slot 0 from now on."""

    def renumber(self, slots: Slots, numbers: vec[i64]) -> None:
        """The slots of a table have other numbers from now on; those that are gone have none."""


class Slots(Keyed):
    """A table of values. Whole numbers have a hash table of their own, the rest a dictionary.

    `for_guards`: equal is what a guard's `==` says. Otherwise it is what a repetition compares: the value as written,
    told apart by its type, and lists have one too.
    """

    def __init__(self, for_guards: bool = True) -> None:
        self.for_guards = for_guards
        self.collapsed = False
        self.dependants: list[Keyed] = []
        self.heads = Heads()
        self.count: i64 = 0
        self.kinds = filled(16, 0)
        # Value and slot side by side, so that a look costs one line of the cache.
        self._mask: i64 = 63
        self._table = filled(128, _FREE)
        self._wholes: i64 = 0
        self._others: dict[object, int] = {}
        self._has_numbers = False
        self._has_times = False
        self.has_times = False
        """Whether it ever had a moment or a period, which may equal a number that has another slot."""
        self._pinned: set[int] = set()
        self.version: i64 = 0
        """How often slots have been given other numbers."""
        self.least: i64 = LEAST
        """How many slots there are before it is worth to look for those that nobody holds."""
        self.first: Slots | None = None
        self.second: Slots | None = None
        """For pairs: the tables whose slots they are made of."""

    # -- from values to slots ----------------------------------------------------------------------------------

    def of_whole(self, value: i64) -> i64:
        """The slot of a whole number."""
        if self.collapsed:
            return 0
        table, mask = self._table, self._mask
        place = (value ^ (value >> 17)) & mask
        while True:
            slot = table[place * 2 + 1]
            if slot == _FREE:
                return self._add_whole(value)
            if table[place * 2] == value:
                return slot
            place = (place + 1) & mask

    def read_wholes(self, data: bytes, places: vec[i64], count: i64, ring: vec[i64], row: i64, mask: i64) -> None:
        """Puts the slots of whole numbers at some places of a column into a ring, from a row on.

        Most are known and stand where they are looked for first: those are found without a call.
        """
        table, last = self._table, self._mask
        at: i64 = 0
        while at < count:
            value = read_i64_le(data, places[at] * 8)
            place = ((value ^ (value >> 17)) & last) * 2
            slot = table[place + 1]
            if slot == _FREE or table[place] != value or self.collapsed:
                # What is found or added may need another table than this one.
                if -9007199254740992 < value < 9007199254740992:
                    slot = self.of_whole(value)
                else:
                    slot = self.of_value(int(value))
                table, last = self._table, self._mask
            ring[(row + at) & mask] = slot
            at += 1

    def of_real(self, value: float) -> i64:
        """The slot of a real number: that of the whole number it equals, if any."""
        if math.isnan(value):
            return NEVER
        if -_EXACT < value < _EXACT:
            whole = int(value)
            if float(whole) == value:
                return self.of_whole(whole)
        return self._of_other(value, NUMBER)

    def of_value(self, value: object) -> i64:
        """The slot of any value."""
        if isinstance(value, str):
            return self._of_other(value, TEXT)
        if isinstance(value, bool) or value is None:
            return self._of_other((type(value).__name__, value), OTHER)
        if isinstance(value, int):
            if -(1 << 53) < value < 1 << 53:
                return self.of_whole(value)
            return self._of_other(value, NUMBER)
        if isinstance(value, float):
            return self.of_real(value)
        if isinstance(value, Moment):
            self._note_time()
            return self._of_other(("moment", value.microseconds), OTHER)
        if isinstance(value, Period):
            self._note_time()
            return self._of_other(("period", value.length() if self.for_guards else str(value)), OTHER)
        return NEVER if self.for_guards else self._of_other((type(value).__name__, str(value)), OTHER)

    def pin(self, value: object) -> i64:
        """The slot of a constant, which keeps its number for good."""
        slot = self.of_value(value)
        self._pinned.add(int(slot))
        return slot

    def kind(self, slot: i64) -> i64:
        """What kind of value has this slot: only values of one kind can be unequal, the others are incomparable."""
        return self.kinds[slot]

    # -- keeping the table -------------------------------------------------------------------------------------

    def _of_other(self, value: object, kind: i64) -> i64:
        if self.collapsed:
            return 0
        found = self._others.get(value)
        if found is None:
            if kind == NUMBER:
                self._note_number()
            found = int(self._new_slot(kind))
            self._others[value] = found
        return 0 if self.collapsed else found

    def _new_slot(self, kind: i64) -> i64:
        slot = self.count
        self.count += 1
        if slot >= len(self.kinds):
            self.kinds = widened(self.kinds, slot * 2 + 16, 0)
        self.kinds[slot] = kind
        return slot

    def _add_whole(self, value: i64) -> i64:
        self._note_number()
        if self.collapsed:
            return 0
        if self._wholes * 2 > self._mask:
            self._grow()
        slot = self._new_slot(NUMBER)
        self._put(value, slot)
        self._wholes += 1
        return slot

    def _put(self, value: i64, slot: i64) -> None:
        table, mask = self._table, self._mask
        place = (value ^ (value >> 17)) & mask
        while table[place * 2 + 1] != _FREE:
            place = (place + 1) & mask
        table[place * 2] = value
        table[place * 2 + 1] = slot

    def _grow(self) -> None:
        table, size = self._table, self._mask + 1
        self._mask = size * 2 - 1
        self._table = filled(size * 4, _FREE)
        place: i64 = 0
        while place < size:
            if table[place * 2 + 1] != _FREE:
                self._put(table[place * 2], table[place * 2 + 1])
            place += 1

    # -- giving up what nobody holds ---------------------------------------------------------------------------

    def reclaim(self, live: vec[i64]) -> None:
        """Gives up the slots that are neither `live` (1 at their place) nor pinned; the others close ranks."""
        numbers = filled(self.count, NEVER)
        kinds = filled(self.count, 0)
        following: i64 = 0
        most: i64 = 0
        slot: i64 = 0
        while slot < self.count:
            if int(slot) in self._pinned:
                numbers[slot] = slot
            elif live[slot]:
                while int(following) in self._pinned:
                    following += 1
                numbers[slot] = following
                following += 1
            if numbers[slot] >= 0:
                kinds[numbers[slot]] = self.kinds[slot]
                if numbers[slot] >= most:
                    most = numbers[slot] + 1
            slot += 1
        self.heads.renumber(numbers, most)
        self._rebuild(numbers)
        self._others = {value: int(numbers[old]) for value, old in self._others.items() if numbers[old] >= 0}
        self.kinds, self.count = kinds, most
        self.version += 1
        self.least = max(LEAST, most * 2)
        told: list[Keyed] = []
        for each in self.dependants:
            if each not in told:
                told.append(each)
                each.renumber(self, numbers)

    def renumber(self, slots: Slots, numbers: vec[i64]) -> None:
        """A pair is of two slots, one of which has another number now; or there is no such pair any more."""
        table, size = self._table, self._mask + 1
        self._table = filled(size * 2, _FREE)
        self._wholes = 0
        place: i64 = 0
        while place < size:
            if table[place * 2 + 1] != _FREE:
                value = table[place * 2]
                first, second = value >> 31, value & PAIRED
                if self.first is slots:
                    first = numbers[first]
                if self.second is slots:
                    second = numbers[second]
                if first >= 0 and second >= 0:
                    self._put((first << 31) ^ second, table[place * 2 + 1])
                    self._wholes += 1
            place += 1

    def _rebuild(self, numbers: vec[i64]) -> None:
        """The table of whole numbers with other slots, as large as need be."""
        table, size = self._table, self._mask + 1
        self._wholes = 0
        place: i64 = 0
        while place < size:
            if table[place * 2 + 1] != _FREE and numbers[table[place * 2 + 1]] >= 0:
                self._wholes += 1
            place += 1
        room: i64 = 64
        while room < self._wholes * 4:
            room *= 2
        self._mask = room - 1
        self._table = filled(room * 2, _FREE)
        place = 0
        while place < size:
            if table[place * 2 + 1] != _FREE and numbers[table[place * 2 + 1]] >= 0:
                self._put(table[place * 2], numbers[table[place * 2 + 1]])
            place += 1

    def _note_number(self) -> None:
        self._has_numbers = True
        if self._has_times:
            self.collapse()

    def _note_time(self) -> None:
        self.has_times = True
        self._has_times = self.for_guards
        if self._has_numbers and self.for_guards:
            self.collapse()

    def collapse(self) -> None:
        if not self.collapsed:
            self.collapsed = True
            for each in self.dependants:
                each.collapse()
