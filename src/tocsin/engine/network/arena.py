"""The rows of one event type, and chains through them.

Rows have stable ids that only grow. A ring of a power of two holds those from `head` to `tail`; its columns are
vectors. A chain links rows that satisfy a leaf's own conditions, per key, in order of time and at one time in order
of arrival: a late row is appended like any other and only the chain is spliced.
"""

from __future__ import annotations

from sys import intern
from typing import Final

from librt.strings import read_i64_le
from librt.vecs import extend, vec
from mypy_extensions import i64

from tocsin.algebra.attributes import found_in
from tocsin.algebra.values import MISSING
from tocsin.engine.network.numbers import SPREAD
from tocsin.engine.network.slots import NEVER, NIL, Heads, Keyed, Slots
from tocsin.engine.network.values import MISSING_VALUES, Values, number_of
from tocsin.engine.network.vectors import FAR, doubled, filled, reals
from tocsin.plan.searches import SOURCE, TYPE

OUT: Final[i64] = -2
"""The link of a row that is in no chain."""


class Ring(Keyed):
    """What is kept beside the rows of an arena, in a ring as wide as its own."""

    def grow(self) -> None:
        """Doubles the ring, as `Arena._grow` says."""
        raise NotImplementedError

    def drop(self, row: i64) -> None:
        """A row is gone, though it may be later than others that stay."""
        raise NotImplementedError


class Numbers:
    """An attribute as real numbers; NaN where the value is not a plain number."""

    def __init__(self, attribute: str, size: i64) -> None:
        self.attribute = intern(attribute)
        self.values = reals(size)
        self.source: Values = MISSING_VALUES

    def grow(self) -> None:
        """Doubles the ring, as `Arena._grow` says."""
        self.values = extend(self.values, self.values)


class Keys(Keyed):
    """An attribute as slots of a table, or the slots of two such columns as slots of a third."""

    def __init__(self, attribute: str, slots: Slots, size: i64, first: Keys | None, second: Keys | None) -> None:
        self.attribute, self.slots = intern(attribute), slots
        self.is_source, self.is_type = attribute == SOURCE, attribute == TYPE
        self.first, self.second = first, second
        self.seen: i64 = 0
        self.values = filled(size, NEVER)
        self.source: Values = MISSING_VALUES
        slots.dependants.append(self)

    def collapse(self) -> None:
        at: i64 = 0
        while at < len(self.values):
            if self.values[at] > 0:
                self.values[at] = 0
            at += 1

    def renumber(self, slots: Slots, numbers: vec[i64]) -> None:
        at: i64 = 0
        while at < len(self.values) and slots is self.slots:
            if self.values[at] >= 0:
                # Where no row stands, there may be a slot that was given up before.
                known = self.values[at] < len(numbers)
                self.values[at] = numbers[self.values[at]] if known else NEVER
            at += 1

    def mark(self, live: vec[i64], head: i64, tail: i64, mask: i64) -> None:
        """Notes the slots that rows have."""
        row = head
        while row < tail:
            slot = self.values[row & mask]
            if slot >= 0:
                live[slot] = 1
            row += 1

    def set(self, at: i64, place: i64) -> None:
        """Sets the slot of the row at `at` of the ring."""
        if self.first is not None and self.second is not None:
            self.values[at] = paired(self.first.values[at], self.second.values[at], self.slots)
        else:
            self.values[at] = self.source.slot(place, self.slots)

    def read(self, places: vec[i64], count: i64, row: i64, mask: i64) -> None:
        """Sets the slots of the rows from `row` on, read at some places of a batch."""
        if self.first is not None and self.second is not None:
            at: i64 = 0
            while at < count:
                self.set((row + at) & mask, 0)
                at += 1
            return
        self.source.read_slots(places, count, self.values, row, mask, self.slots)
        if self.slots.collapsed:
            self.collapse()
        else:
            self._look_ahead(count, row, mask)

    def _look_ahead(self, count: i64, row: i64, mask: i64) -> None:
        """Fetches what stands at the slots: looks that do not wait for each other cost a fraction of those that do."""
        values, heads, width = self.values, self.slots.heads.rows, self.slots.heads.width
        at: i64 = 0
        seen: i64 = 0
        while at < count:
            place = values[(row + at) & mask] * width
            if 0 <= place < len(heads):
                seen += heads[place]
            at += 1
        self.seen = seen

    def grow(self) -> None:
        """Doubles the ring, as `Arena._grow` says."""
        self.values = doubled(self.values)


def paired(first: i64, second: i64, slots: Slots) -> i64:
    """The slot of two slots together."""
    return NEVER if first < 0 or second < 0 else slots.of_whole((first << 31) ^ second)


class Arena:
    """The rows of one event type: when they were, their numbers in order of arrival, and what rules ask of them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.head: i64 = 0
        self.tail: i64 = 0
        self.arrived: i64 = 0
        """Rows from here on are stored, but have not arrived yet."""
        self.mask: i64 = 15
        self.ends = filled(16, 0)
        self.starts = filled(16, 0)
        self.numbers = filled(16, 0)
        self.measures: list[Numbers] = []
        self.keys: list[Keys] = []
        self.chains: list[Chain] = []
        self.gauges: list[Ring] = []
        self.forgotten: i64 = -FAR
        """Rows that ended by then may be gone, whatever came after them."""
        self.is_used_up = False
        """Whether a chain through it must be told of what is forgotten."""

    def append(self, end: i64, start: i64, number: i64) -> i64:
        """A new row; its attributes are still to be set."""
        row = self.tail
        if row - self.head > self.mask:
            self._grow(row - self.head + 1)
        place = row & self.mask
        self.ends[place] = end
        self.starts[place] = start
        self.numbers[place] = number
        self.tail = row + 1
        return row

    def store(self, places: vec[i64], count: i64, ends: bytes, starts: bytes, first: i64) -> i64:
        """New rows, read at some places of a batch whose events are numbered from `first` on. The first of them."""
        row = self.tail
        if row + count - self.head > self.mask + 1:
            self._grow(row + count - self.head)
        mask, mine, begun, numbers = self.mask, self.ends, self.starts, self.numbers
        at: i64 = 0
        while at < count:
            place = places[at] * 8
            mine[(row + at) & mask] = read_i64_le(ends, place)
            begun[(row + at) & mask] = read_i64_le(starts, place)
            numbers[(row + at) & mask] = first + places[at] * SPREAD
            at += 1
        self.tail = row + count
        for chain in self.chains:  # before keys are read: that may put all rows that are linked into other chains
            chain.leave_out(row, count)
        for measure in self.measures:
            measure.source.read_numbers(places, count, measure.values, row, mask)
        for key in self.keys:
            key.read(places, count, row, mask)
        return row

    def read(self, row: i64, place: i64) -> None:
        """Sets the attributes of a row from place `place` of the columns that are being read."""
        at = row & self.mask
        for chain in self.chains:
            chain.leave_out(row, 1)
        for measure in self.measures:
            measure.values[at] = measure.source.number(place)
        for key in self.keys:
            key.set(at, place)

    def add(self, end: i64, start: i64, number: i64, kind: str, source: str, data: dict[str, object]) -> i64:
        """A new row for an event that came by itself, with its attributes."""
        row = self.append(end, start, number)
        at = row & self.mask
        for chain in self.chains:
            if not chain.is_late_only:
                chain.links[at * 4 + BEFORE] = OUT
        for measure in self.measures:
            plain = data.get(measure.attribute)
            measure.values[at] = number_of(found_in(data, measure.attribute) if plain is None else plain)
        for key in self.keys:
            if key.first is not None:
                key.set(at, 0)
                continue
            value = data.get(key.attribute)
            if key.is_source:
                value = source
            elif key.is_type:
                value = kind
            elif value is None:
                value = found_in(data, key.attribute)
                if value is MISSING:
                    key.values[at] = NEVER
                    continue
            key.values[at] = key.slots.of_value(value)
        return row

    def forget(self, before: i64) -> None:
        """Drops the oldest rows that have arrived while they ended before a time."""
        if self.is_used_up:
            while self.head < self.arrived and self.ends[self.head & self.mask] < before:
                self.forget_first()
            return
        row, arrived, mask, ends = self.head, self.arrived, self.mask, self.ends
        if before > self.forgotten:
            self.forgotten = before - 1
        while row < arrived and ends[row & mask] < before:
            row += 1
        self.head = row

    def forget_first(self) -> None:
        """Drops the row that came first."""
        self._note_forgotten()
        if self.is_used_up:
            for chain in self.chains:
                chain.unlink(self.head)
        self.head += 1

    def drop_first(self) -> None:
        """Drops the row that came first, though it may be later than others: these must be found without it."""
        for chain in self.chains:
            chain.drop(self.head)
        for gauge in self.gauges:
            gauge.drop(self.head)
        self._note_forgotten()
        self.head += 1

    def _note_forgotten(self) -> None:
        """Notes that the row that came first is gone."""
        end = self.ends[self.head & self.mask]
        if end > self.forgotten:
            self.forgotten = end

    def row_bytes(self) -> i64:
        """What a row takes: three numbers, one for each attribute that is asked for, four for each chain."""
        return 8 * (3 + len(self.measures) + len(self.keys) + 4 * len(self.chains))

    def _grow(self, count: i64) -> None:
        """Makes room for so many rows.

        A ring twice as wide has a row in its place of the narrower one, or in the same place of the second half. So
        both halves are copies of the narrower ring; of what stands for no row nothing is asked.
        """
        while self.mask + 1 < count:
            self.ends, self.starts, self.numbers = doubled(self.ends), doubled(self.starts), doubled(self.numbers)
            self.mask = self.mask * 2 + 1
            for measure in self.measures:
                measure.grow()
            for key in self.keys:
                key.grow()
            for chain in self.chains:
                chain.grow()
            for gauge in self.gauges:
                gauge.grow()

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


END: Final[i64] = 0
NUMBER: Final[i64] = 1
BEFORE: Final[i64] = 2
AFTER: Final[i64] = 3
"""What a link holds of a row: when it ended, its number, the row before it and the row after it."""


class Chain(Keyed):
    """Rows of an arena that satisfy a leaf, per slot, linked from the newest to the oldest.

    A link to a row that the arena has forgotten ends the chain, so that forgetting costs nothing here. `keys` is None
    where all rows are in one chain.
    """

    def __init__(self, arena: Arena, keys: Keys | None) -> None:
        self.arena, self.keys = arena, keys
        heads = self.heads = Heads() if keys is None else keys.slots.heads
        self.newest: i64 = heads.column()
        self.links = filled((arena.mask + 1) * 4, OUT)
        self.latest: i64 = -FAR
        self.is_late_only = False
        """Whether only late arrivals ask for it: rows from `linked` on are then linked when one does.

        Until the first does, it has not even room for links.
        """
        self.links_itself = False
        """Whether all rows from `linked` on belong in it, so that whoever asks for it can have them linked."""
        self.linked = arena.arrived
        arena.chains.append(self)
        if keys is not None:
            keys.slots.dependants.append(self)

    def head(self, slot: i64) -> i64:
        """The newest row of a slot, or NIL."""
        heads = self.heads
        at = slot * heads.width + self.newest
        if slot < 0 or at >= len(heads.rows):
            return NIL
        row = heads.rows[at]
        return row if row >= self.arena.head else NIL

    def link(self, row: i64, end: i64, number: i64) -> None:
        """Puts a row in its place in time."""
        place = row & self.arena.mask
        slot: i64 = 0
        if self.keys is not None:
            slot = self.keys.values[place]
            if slot < 0:
                return
        at = slot * self.heads.width + self.newest
        if at >= len(self.heads.rows):
            self.heads.reserve(at)
        links, heads = self.links, self.heads.rows
        place = place * 4
        links[place + END] = end
        links[place + NUMBER] = number
        if end >= self.latest:
            self.latest = end
            links[place + BEFORE] = heads[at]
            heads[at] = row
        else:
            self._splice(row, heads[at], at, end)

    def _splice(self, row: i64, last: i64, at: i64, end: i64) -> None:
        """A row that may be late: after the last one of its slot that is not later."""
        mask, head, links = self.arena.mask, self.arena.head, self.links
        later, sooner = NIL, last
        while sooner >= head and links[(sooner & mask) * 4 + END] > end:
            later = sooner
            sooner = links[(sooner & mask) * 4 + BEFORE]
        links[(row & mask) * 4 + BEFORE] = sooner
        if later == NIL:
            self.heads.rows[at] = row
        else:
            links[(later & mask) * 4 + BEFORE] = row

    def wait_for_late(self) -> None:
        """Leaves linking until a late arrival asks for it."""
        self.is_late_only = True
        self.links = filled(0, OUT)

    def wait_no_more(self) -> None:
        """Any arrival asks for it from now on; what was left is linked."""
        self.prepare()
        self.is_late_only = self.links_itself = False

    def prepare(self) -> None:
        """Makes room for links, now that they are asked for; what the arena has forgotten needs none."""
        if self.linked < self.arena.head:
            self.linked = self.arena.head
        if len(self.links) == 0:
            self.links = filled((self.arena.mask + 1) * 4, OUT)

    def catch_up(self) -> None:
        """Notes that the rows which are to be linked now are not yet."""
        row = self.linked
        while row < self.arena.arrived:
            self.links[(row & self.arena.mask) * 4 + BEFORE] = OUT
            row += 1

    def link_rest(self) -> None:
        """Links the rows that have arrived and were left for later, where all of them belong in it."""
        if self.linked >= self.arena.arrived:
            return
        self.prepare()
        arena, row, last = self.arena, self.linked, self.arena.arrived
        self.linked = last
        if self.keys is None:
            while row < last:
                self.link(row, arena.ends[row & arena.mask], arena.numbers[row & arena.mask])
                row += 1
            return
        slots, links, rows, latest = self.keys.values, self.links, self.heads.rows, self.latest
        mask, width, newest, ends, numbers = arena.mask, self.heads.width, self.newest, arena.ends, arena.numbers
        while row < last:
            place = row & mask
            end, slot = ends[place], slots[place]
            at = slot * width + newest
            if slot < 0:
                links[place * 4 + BEFORE] = OUT
            elif end < latest or at >= len(rows):
                self.latest = latest
                self.link(row, end, numbers[place])
                latest, rows = self.latest, self.heads.rows
            else:
                latest = end
                links[place * 4 + END] = end
                links[place * 4 + NUMBER] = numbers[place]
                links[place * 4 + BEFORE] = rows[at]
                rows[at] = row
            row += 1
        self.latest = latest

    def leave_out(self, row: i64, count: i64) -> None:
        """Notes that new rows are in no chain yet."""
        if self.is_late_only:
            return
        links, mask, last = self.links, self.arena.mask, row + count
        while row < last:
            links[(row & mask) * 4 + BEFORE] = OUT
            row += 1

    def unlink(self, row: i64) -> None:
        """Nothing to do: a forgotten row ends the chain."""

    def drop(self, row: i64) -> None:
        """Takes the first row of the arena out where rows that came later stand behind it: it would end the chain.

        A row leaves by its age together with all that are older, so that nothing behind it is missed. A row that has to
        give way may be the latest of all.
        """
        mask, links = self.arena.mask, self.links
        if not self.holds(row) or links[(row & mask) * 4 + BEFORE] < row:
            return
        slot: i64 = 0
        if self.keys is not None:
            slot = self.keys.values[row & mask]
        at = slot * self.heads.width + self.newest
        later, found = NIL, self.heads.rows[at]
        while found > row:
            later = found
            found = links[(found & mask) * 4 + BEFORE]
        if found != row:
            return  # what has left by its age is before it, and so it has, too
        if later == NIL:
            self.heads.rows[at] = links[(row & mask) * 4 + BEFORE]
        else:
            links[(later & mask) * 4 + BEFORE] = links[(row & mask) * 4 + BEFORE]

    def holds(self, row: i64) -> bool:
        """Whether a row is linked."""
        if self.is_late_only and (row >= self.linked or len(self.links) == 0):
            return False
        return row >= self.arena.head and self.links[(row & self.arena.mask) * 4 + BEFORE] != OUT

    def grow(self) -> None:
        """Doubles the ring, as `Arena._grow` says."""
        self.links = doubled(self.links)

    def collapse(self) -> None:
        """Puts all rows into one chain, because their values can no longer be looked up."""
        keys, arena = self.keys, self.arena
        assert keys is not None
        linked = [row for row in range(int(arena.head), int(arena.tail)) if self.holds(row)]
        self.clear()
        for row in linked:
            place = row & arena.mask
            keys.values[place] = 0
            self.link(row, arena.ends[place], arena.numbers[place])

    def clear(self) -> None:
        """Forgets all rows."""
        self.heads.clear(self.newest)
        self.latest = -FAR


class UsedChain(Chain):
    """A chain whose rows are used up: it can be walked from the oldest row too, and rows are taken out."""

    def __init__(self, arena: Arena, keys: Keys | None) -> None:
        super().__init__(arena, keys)
        self.oldest: i64 = self.heads.column()

    def tail(self, slot: i64) -> i64:
        """The oldest row of a slot, or NIL."""
        heads = self.heads
        at = slot * heads.width + self.oldest
        return NIL if slot < 0 or at >= len(heads.rows) else heads.rows[at]

    def link(self, row: i64, end: i64, number: i64) -> None:
        heads, links, mask = self.heads, self.links, self.arena.mask
        place = (row & mask) * 4
        slot: i64 = 0
        if self.keys is not None:
            slot = self.keys.values[row & mask]
            if slot < 0:
                return
        heads.reserve((slot + 1) * heads.width)
        newest, oldest = slot * heads.width + self.newest, slot * heads.width + self.oldest
        links[place + END] = end
        links[place + NUMBER] = number
        later, sooner = NIL, heads.rows[newest]
        while sooner >= 0 and links[(sooner & mask) * 4 + END] > end:
            later = sooner
            sooner = links[(sooner & mask) * 4 + BEFORE]
        links[place + BEFORE] = sooner
        links[place + AFTER] = later
        if later == NIL:
            heads.rows[newest] = row
        else:
            links[(later & mask) * 4 + BEFORE] = row
        if sooner == NIL:
            heads.rows[oldest] = row
        else:
            links[(sooner & mask) * 4 + AFTER] = row

    def unlink(self, row: i64) -> None:
        """Takes a row out, wherever it stands."""
        heads, links, mask = self.heads, self.links, self.arena.mask
        place = (row & mask) * 4
        sooner, later = links[place + BEFORE], links[place + AFTER]
        if sooner == OUT:
            return
        links[place + BEFORE] = OUT
        slot: i64 = 0
        if self.keys is not None:
            slot = self.keys.values[row & mask]
        if sooner == NIL:
            heads.rows[slot * heads.width + self.oldest] = later
        else:
            links[(sooner & mask) * 4 + AFTER] = later
        if later == NIL:
            heads.rows[slot * heads.width + self.newest] = sooner
        else:
            links[(later & mask) * 4 + BEFORE] = sooner

    def drop(self, row: i64) -> None:
        self.unlink(row)

    def clear(self) -> None:
        super().clear()
        self.heads.clear(self.oldest)
