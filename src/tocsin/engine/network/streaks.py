"""Runs in words, `a 3 times with the same k`, over the rows of a chain (`algebra/streaks.py` is the meaning).

A group is a chain of its key, so the run that an arrival ends is a few rows back from the newest. Rows are numbered
from the newest, 0, to older ones, and looked up only as far as they are asked for.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.engine.network.arena import BEFORE, END, NUMBER, Chain, Keys
from tocsin.engine.network.search import Search, Test, linked, pass_all
from tocsin.engine.network.slots import NIL
from tocsin.engine.network.steps import Bounds, Lookup, Step
from tocsin.engine.network.vectors import FAR, doubled, filled
from tocsin.time.periods import Period

NO_LIMIT: Final[i64] = -1
CALENDAR: Final[i64] = -2
"""How long a run may last, where that is not a number of microseconds."""


class Row:
    """The rows of a group from one of them back, and the runs that they end.

    `skip`: a row that is taken not to be there.
    """

    def __init__(self, chain: Chain, count: int, different: Keys | None, period: Period | None, once: bool) -> None:
        self.chain, self.arena, self.different, self.once = chain, chain.arena, different, once
        self.count: i64 = count
        self.period = period
        self.length: i64 = NO_LIMIT
        if period is not None:
            self.length = CALENDAR if period.years or period.months else period.microseconds
        self.run: vec[i64] = filled(count, 0)
        """The rows of the run that was asked for last, the newest first."""
        self.more: vec[i64] = filled(count + 1, 0)
        self.pool: vec[i64] = filled(16, 0)
        self.pooled: i64 = 0
        self.next: i64 = NIL
        self.low: i64 = 0
        self.since: i64 = 0
        self.skip: i64 = -1

    def begin(self, row: i64, s: Search) -> None:
        """Looks at the rows from `row` back."""
        self.next, self.low, self.since = row, s.low, s.since
        self.pooled = 0
        self.skip = -1

    def at(self, place: i64) -> i64:
        """The row at a place, or NIL."""
        if place < self.pooled:
            return self.pool[place]
        links, mask, head = self.chain.links, self.arena.mask, self.arena.head
        while self.pooled <= place:
            row = self.next
            if row < head:
                return NIL
            at = (row & mask) * 4
            if links[at + END] < self.low:
                self.next = NIL
                return NIL
            self.next = links[at + BEFORE]
            if links[at + NUMBER] >= self.since:
                if self.pooled == len(self.pool):
                    self.pool = doubled(self.pool)
                self.pool[self.pooled] = row
                self.pooled += 1
        return self.pool[place]

    def end(self, row: i64) -> i64:
        """When a row ended."""
        return self.arena.ends[row & self.arena.mask]

    def is_run(self, place: i64) -> bool:
        """Whether the row at a place ends a run, which is then in `run`."""
        return self._gather(place, self.run, self.count, 0) and self._lasts(self.run, self.count)

    def goes_on(self, place: i64) -> bool:
        """Whether enough rows lay within the period until just before the row at a place."""
        return self._gather(place, self.more, self.count + 1, 1) and self._lasts(self.more, self.count + 1)

    def is_told(self, place: i64) -> bool:
        """Whether the row at a place ends a run to tell of: any, or one that begins a burst."""
        return self.is_run(place) and not (self.once and self.goes_on(place))

    def holds(self, row: i64) -> bool:
        """Whether a row is in the run."""
        place: i64 = 0
        while place < self.count:
            if self.run[place] == row:
                return True
            place += 1
        return False

    def completed(self, place: i64) -> i64:
        """The place where the run ends that the row at `place` completes: the first in time that has it in; or -1."""
        row, last = self.at(place), place
        while last >= 0:
            if self.is_run(last) and self.holds(row):
                if not self.once:
                    return last
                if not self.goes_on(last) and not self._was_told(last, place):
                    self.is_run(last)
                    return last
            elif self.different is None and last <= place - self.count:
                return -1
            last -= 1
        return -1

    def _was_told(self, first: i64, place: i64) -> bool:
        """Whether the burst that begins at `first` has been told of before the row at `place` was there."""
        last = first
        while last >= 0 and (last == first or (self.is_run(last) and self.goes_on(last))):
            if last != place:
                self.skip = place
                told = self.is_told(last)
                self.skip = -1
                if told:
                    return True
            last -= 1
        return False

    def _gather(self, place: i64, into: vec[i64], count: i64, first: i64) -> bool:
        """Puts the row at a place and so many before it together; where values differ, each with another than those.

        From the one at `first` on, that is: the row that goes on with a burst may have the value of any of them.
        """
        row = self.at(place)
        if row < 0:
            return False
        into[0] = row
        floor = self.low
        if self.length >= 0:
            floor = self.end(row) - self.length
        taken: i64 = 1
        while taken < count:
            place += 1
            if place == self.skip:
                continue
            row = self.at(place)
            if row < 0 or self.arena.ends[row & self.arena.mask] < floor:
                return False
            if self.different is None or self._differs(row, into, first, taken):
                into[taken] = row
                taken += 1
        return True

    def _differs(self, row: i64, rows: vec[i64], first: i64, count: i64) -> bool:
        different = self.different
        assert different is not None
        slot, mask = different.values[row & self.arena.mask], self.arena.mask
        while first < count:
            if different.values[rows[first] & mask] == slot:
                return False
            first += 1
        return True

    def _lasts(self, rows: vec[i64], count: i64) -> bool:
        """Whether rows, the newest first, last no longer than the period."""
        if self.length == NO_LIMIT:
            return True
        starts, mask = self.arena.starts, self.arena.mask
        start = starts[rows[0] & mask]
        place: i64 = 1
        while place < count:
            if starts[rows[place] & mask] < start:
                start = starts[rows[place] & mask]
            place += 1
        last = self.end(rows[0])
        if self.length >= 0:
            return last <= start + self.length
        assert self.period is not None
        return int(last) <= self.period.added_to(int(start))


class Streaks(Step):
    """The runs of a leaf: the one that the arrival completes, all that it is in, or all there are."""

    def __init__(
        self,
        row: Row,
        registers: list[int],
        lookup: Lookup,
        bounds: Bounds,
        anchors: str,
        tests: list[Test],
    ) -> None:
        super().__init__()
        self.row, self.chain, self.arena = row, row.chain, row.arena
        self.first: i64 = registers[0]
        self.last: i64 = registers[-1]
        self.lookup, self.bounds = lookup, bounds
        self.is_keyed = lookup.is_keyed()
        self.is_anchored, self.takes_every = anchors != "", anchors == "every"
        self.is_quick = self.is_anchored and row.different is None and row.length != CALENDAR
        """Whether the run that the newest row of a group ends is told by so many rows before it, and one more."""
        self.test = linked(tests)

    def run(self, s: Search) -> None:
        if self.chain.links_itself:
            self.chain.link_rest()
        keys = self.chain.keys
        if self.is_anchored:
            self._complete(s)
        elif keys is None:
            self._list(s, 0)
        elif self.is_keyed and not keys.slots.has_times:
            self._list(s, self.lookup.slot(s))
        else:
            # Nothing stands that says which group, or not for sure: each in turn.
            slot: i64 = 0
            while slot < keys.slots.count and not s.stop:
                self._list(s, slot)
                slot += 1

    def _complete(self, s: Search) -> None:
        """The run that the arrival, in the first register, completes; or every one that it is in."""
        row, arrival, number = self.row, s.rows[0], s.numbers[0]
        slot: i64 = 0
        if self.chain.keys is not None:
            slot = self.chain.keys.values[arrival & self.arena.mask]
        newest = self.chain.head(slot)
        if newest == arrival and self.is_quick:
            if self._is_newest_told(s, arrival) and self._is_read_inside(s):
                self._go_on(s)
            s.rows[0] = arrival
            s.numbers[0] = number
            return
        row.begin(newest, s)
        place = self._place(arrival)
        if place < 0:
            return
        low, high = self.bounds.low(s), self.bounds.high(s)  # of a fixed window: nothing else stands yet
        if not self.takes_every:
            if row.completed(place) >= 0 and self._is_inside(low, high):
                self._hand_on(s)
        else:
            last = place
            while last >= 0 and not s.stop:
                if row.is_told(last) and row.holds(arrival) and self._is_inside(low, high):
                    self._hand_on(s)
                last -= 1
        s.rows[0] = arrival
        s.numbers[0] = number

    def _is_newest_told(self, s: Search, row: i64) -> bool:
        """Whether the newest row of a group ends a run to tell of, which then stands in the registers.

        As `Row.completed` says of the first place: what is asked for is read off the links as they are walked.
        """
        links, starts, mask, head = self.chain.links, self.arena.starts, self.arena.mask, self.arena.head
        rows, numbers, since, length = s.rows, s.numbers, s.since, self.row.length
        end, floor, start = links[(row & mask) * 4 + END], s.low, FAR
        if length >= 0 and end - length > floor:
            floor = end - length
        register = self.last
        while True:
            if row < head:
                return False
            at = (row & mask) * 4
            if links[at + END] < floor:
                return False
            number = links[at + NUMBER]
            if number >= since:
                rows[register] = row
                numbers[register] = number
                start = min(start, starts[row & mask])
                if register == self.first:
                    break
                register -= 1
            elif register == self.last:
                return False  # the arrival itself is none of the rule's
            row = links[at + BEFORE]
        if length >= 0 and end > start + length:
            return False
        return not self.row.once or not self._goes_on(s, links[at + BEFORE], end, floor, start)

    def _is_read_inside(self, s: Search) -> bool:
        """Whether the run in the registers ends between the bounds of a fixed window, all of it."""
        links, mask = self.chain.links, self.arena.mask
        oldest, newest = s.rows[self.first], s.rows[self.last]
        low, high = self.bounds.low(s), self.bounds.high(s)
        return links[(oldest & mask) * 4 + END] >= low and links[(newest & mask) * 4 + END] <= high

    def _goes_on(self, s: Search, row: i64, end: i64, floor: i64, start: i64) -> bool:
        """Whether one row more, from some row back, is in the period too: then the burst began before."""
        links, mask, length = self.chain.links, self.arena.mask, self.row.length
        while row >= self.arena.head and links[(row & mask) * 4 + END] >= floor:
            if links[(row & mask) * 4 + NUMBER] >= s.since:
                return length < 0 or end <= min(start, self.arena.starts[row & mask]) + length
            row = links[(row & mask) * 4 + BEFORE]
        return False

    def _place(self, row: i64) -> i64:
        """Where a row stands among those of its group, or -1."""
        place: i64 = 0
        while True:
            found = self.row.at(place)
            if found == row:
                return place
            if found < 0:
                return -1
            place += 1

    def _list(self, s: Search, slot: i64) -> None:
        """All runs of a group; of those that the arrival is in, the one that it completes."""
        newest = self.chain.head(slot)
        if newest < 0:
            return
        row, arrival, completed = self.row, NIL, NIL
        row.begin(newest, s)
        if s.arrival >= 0:
            arrival = self.arena.row_of(s.arrival)
        if arrival >= 0 and self.chain.holds(arrival):
            place = self._place(arrival)
            if place >= 0:
                completed = row.completed(place)
        low, high = self.bounds.low(s), self.bounds.high(s)
        last: i64 = 0
        found = row.at(0)
        while found >= 0:
            end = row.end(found)
            if end < low:
                return
            is_inside = end <= high and row.is_told(last) and self._is_inside(low, high)
            if is_inside and (arrival < 0 or last == completed or not row.holds(arrival)):
                self._hand_on(s)
                if s.stop:
                    return
            last += 1
            found = row.at(last)

    def _is_inside(self, low: i64, high: i64) -> bool:
        """Whether the run that was asked for last ends between two times, all of it."""
        row = self.row
        return row.end(row.run[0]) <= high and row.end(row.run[row.count - 1]) >= low

    def _hand_on(self, s: Search) -> None:
        """Fills the registers with a run, the oldest first."""
        run, rows, numbers, count = self.row.run, s.rows, s.numbers, self.row.count
        place: i64 = 0
        while place < count:
            row = run[count - 1 - place]
            rows[self.first + place] = row
            numbers[self.first + place] = self.arena.numbers[row & self.arena.mask]
            place += 1
        self._go_on(s)

    def _go_on(self, s: Search) -> None:
        """What comes after a run that stands in the registers."""
        if self.test is None or pass_all(self.test, s):
            step = self.child
            while step is not None:
                step.run(s)
                step = step.sibling


class StillRunTest(Test):
    """Rows that have waited as a run are one still: nothing has come between them, and none is used up."""

    def __init__(self, row: Row, registers: list[int]) -> None:
        super().__init__()
        self.row = row
        self.first: i64 = registers[0]

    def holds(self, s: Search) -> bool:
        row = self.row
        last = s.rows[self.first + row.count - 1]
        if row.chain.links_itself:
            row.chain.link_rest()
        if not row.chain.holds(last):
            return False
        row.begin(last, s)
        if not row.is_told(0):
            return False
        place: i64 = 0
        while place < row.count:
            if row.run[place] != s.rows[self.first + row.count - 1 - place]:
                return False
            place += 1
        return True
