"""Aggregates over windows at work (`algebra/aggregates.py` is the meaning): an arrival costs the same in any window.

The rows of a group are linked in order of time. A window is a pane of them, which moves with the arrival: it takes rows
up at one end and lets them go at the other, and what is known of it follows row by row (`tallies.py`). A late arrival
moves it back, by as many rows as it is late. Which rows are told of is noted for good when they arrive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra import aggregates
from tocsin.algebra.combinations import leaf_occurrence, named
from tocsin.algebra.occurrence import Occurrence
from tocsin.engine.network.arena import Arena, Keys, Ring
from tocsin.engine.network.conditions import Condition
from tocsin.engine.network.firings import Firing
from tocsin.engine.network.search import Search, Test, linked, pass_all
from tocsin.engine.network.slots import NIL, Slots
from tocsin.engine.network.tallies import Odd, Pane, Tally, rows_between
from tocsin.engine.network.vectors import doubled, filled, widened
from tocsin.plan.searches import SOLE, Measured

COUNTED: Final[i64] = 1
TOLD: Final[i64] = 3
"""What a row is to an aggregate, if it is anything."""
NO_GAP: Final[i64] = -1


class Gauge(Ring):
    """An aggregate of a rule: the rows that it counts, and which of them it is told of."""

    def __init__(
        self,
        arena: Arena,
        keys: Keys | None,
        measured: Measured,
        firing: Firing,
        condition: Condition,
        tallies: Callable[[], list[Tally]],
        plain: aggregates.Gauge,
    ) -> None:
        self.arena, self.keys, self.firing, self.condition, self.tallies = arena, keys, firing, condition, tallies
        self.plain = plain
        self.test: Test | None = None
        self.also: Gauge | None = None
        self.length: i64 = measured.period.microseconds
        self.gap: i64 = NO_GAP if measured.gap is None else measured.gap.microseconds
        self.is_aligned, self.is_each = measured.aligned, measured.each
        self.has_before = condition.has_before
        size = arena.mask + 1
        self.flags = filled(size, 0)
        self.before = filled(size, NIL)
        self.after = filled(size, NIL)
        self.tails = filled(16, NIL)
        self.panes: list[Pane | None] = []
        self.earlier: list[Pane | None] = []
        self.saved: dict[int, int] = {}
        """What rows were to it when the state was saved, by the numbers of their events."""
        arena.gauges.append(self)
        if keys is not None:
            keys.slots.dependants.append(self)

    def set_tests(self, tests: list[Test]) -> None:
        """What an event must be to be counted."""
        self.test = linked(tests)

    def grow(self) -> None:
        self.flags, self.before, self.after = doubled(self.flags), doubled(self.before), doubled(self.after)

    def drop(self, row: i64) -> None:
        place, mask = row & self.arena.mask, self.arena.mask
        if self.flags[place] == 0:
            return
        sooner, later = self.before[place], self.after[place]
        if sooner >= self.arena.head:
            self.after[sooner & mask] = later
        if later != NIL:
            self.before[later & mask] = sooner
        else:
            self.tails[0 if self.keys is None else self.keys.values[place]] = sooner

    def collapse(self) -> None:
        """The tables of groups tell all values apart: they never collapse."""

    def renumber(self, slots: Slots, numbers: vec[i64]) -> None:
        """Slots have other numbers: what is known of windows is worked out anew when it is asked for."""
        if self.keys is not None and slots is self.keys.slots:
            tails = filled(len(numbers) + 16, NIL)
            slot: i64 = 0
            while slot < len(numbers) and slot < len(self.tails):
                if numbers[slot] >= 0:
                    tails[numbers[slot]] = self.tails[slot]
                slot += 1
            self.tails = tails
        self.panes, self.earlier = [], []

    # -- arrivals --------------------------------------------------------------------------------------------------

    def take(self, s: Search, row: i64, end: i64) -> None:
        """Counts an arrival, which stands in register 0, and notes whether it is told of."""
        arena, firing = self.arena, self.firing
        place = row & arena.mask
        self.flags[place] = 0
        low = s.now - firing.length if firing.length >= 0 else firing.low(s.now)
        if end < low or not firing.is_alive or (self.test is not None and not pass_all(self.test, s)):
            return
        slot: i64 = 0
        if self.keys is not None:
            slot = self.keys.values[place]
            if slot < 0:
                return
        last = sooner = self._last(end, slot)
        pane = self._pane(self.panes, slot)
        start = end - self.length
        if self.is_aligned:
            start = end - end % self.length - 1
        if last < arena.head or (self.gap >= 0 and end - arena.ends[last & arena.mask] > self.gap):
            last = NIL
        self._move(pane, last, end, start)
        earlier: Pane | None = None
        if self.has_before:
            earlier = self._pane(self.earlier, slot)
            behind = self.before[pane.first & arena.mask] if pane.count > 0 else sooner
            self._move(earlier, behind if behind >= arena.head else NIL, start, start - self.length)
        was_true = not self.is_each and self._holds(s, pane, earlier)
        self._link(row, sooner, slot)
        if pane.count == 0:
            pane.first = row
        pane.last = row
        pane.add(row)
        self.flags[place] = TOLD if not was_true and self._holds(s, pane, earlier) else COUNTED

    def put_back(self, row: i64) -> None:
        """Counts a row that was held when the state was saved, as it was counted then."""
        arena = self.arena
        place = row & arena.mask
        flag = self.saved.pop(int(arena.numbers[place]), 0)
        self.flags[place] = flag
        if flag:
            slot: i64 = 0
            if self.keys is not None:
                slot = self.keys.values[place]
            self._link(row, self._last(arena.ends[place], slot), slot)

    def notes(self) -> list[list[int]]:
        """What each row that is held is to it, by the number of its event: what is saved."""
        arena, found = self.arena, list[list[int]]()
        row = arena.head
        while row < arena.arrived:
            if self.flags[row & arena.mask] != 0:
                found.append([int(arena.numbers[row & arena.mask]), int(self.flags[row & arena.mask])])
            row += 1
        return found

    # -- windows ---------------------------------------------------------------------------------------------------

    def _last(self, end: i64, slot: i64) -> i64:
        """The last row of a group that is not later than a time."""
        if slot >= len(self.tails):
            self.tails = widened(self.tails, slot * 2 + 1, NIL)
        mask, head, ends = self.arena.mask, self.arena.head, self.arena.ends
        row = self.tails[slot]
        while row >= head and ends[row & mask] > end:
            row = self.before[row & mask]
        return row

    def _link(self, row: i64, sooner: i64, slot: i64) -> None:
        """Puts a row behind another of its group."""
        mask, later = self.arena.mask, NIL
        self.before[row & mask] = sooner
        if sooner >= self.arena.head:
            later = self.after[sooner & mask]
            self.after[sooner & mask] = row
        elif self.tails[slot] >= self.arena.head:
            later = self._first(slot)
        self.after[row & mask] = later
        if later == NIL:
            self.tails[slot] = row
        else:
            self.before[later & mask] = row

    def _first(self, slot: i64) -> i64:
        """The first row of a group that is held."""
        row = self.tails[slot]
        while self.before[row & self.arena.mask] >= self.arena.head:
            row = self.before[row & self.arena.mask]
        return row

    def _pane(self, panes: list[Pane | None], slot: i64) -> Pane:
        """The pane of a group; a new one where it has rows that are held no longer."""
        while slot >= len(panes):
            panes.append(None)
        found, arena = panes[slot], self.arena
        if found is None or (
            found.count > 0 and (found.first < arena.head or arena.ends[found.first & arena.mask] <= arena.forgotten)
        ):
            found = Pane(self.tallies())
            panes[slot] = found
        return found

    def _move(self, pane: Pane, last: i64, until: i64, start: i64) -> None:
        """Lets a pane end with a row, behind which all are later than `until`; its rows end after `start`."""
        mask, ends, after, before = self.arena.mask, self.arena.ends, self.after, self.before
        while pane.count > 0 and (last < 0 or ends[pane.last & mask] > until):
            pane.drop(pane.last)
            pane.last = before[pane.last & mask]
        if last < 0:
            return
        if pane.count == 0:
            if ends[last & mask] <= start:
                return
            pane.first = pane.last = last
            pane.add(last)
        while pane.last != last:
            following = after[pane.last & mask]
            if self.gap >= 0 and ends[following & mask] - ends[pane.last & mask] > self.gap:
                while pane.count > 0:
                    self._let_go(pane)
                pane.first = following
            pane.last = following
            pane.add(following)
        while pane.count > 0 and ends[pane.first & mask] <= start:
            self._let_go(pane)
        if pane.count > 0:
            self._take_up(pane, start)

    def _let_go(self, pane: Pane) -> None:
        """A pane without its first row."""
        row = pane.first
        pane.first = self.after[row & self.arena.mask]
        pane.drop(row)

    def _take_up(self, pane: Pane, start: i64) -> None:
        """A pane with the rows before it that belong to it."""
        mask, head, ends = self.arena.mask, self.arena.head, self.arena.ends
        row = self.before[pane.first & mask]
        while row >= head and ends[row & mask] > start:
            if self.gap >= 0 and ends[pane.first & mask] - ends[row & mask] > self.gap:
                return
            pane.first = row
            pane.add(row)
            row = self.before[row & mask]

    # -- conditions ------------------------------------------------------------------------------------------------

    def _holds(self, s: Search, pane: Pane, earlier: Pane | None) -> bool:
        """Whether the condition holds for a window and the one before it."""
        condition = self.condition
        if condition.is_count:
            return condition.counts(pane.count)
        try:
            return condition.holds(pane, earlier, s.around)
        except Odd:
            return self.plain.holds(
                self._occurrences(s, pane), [] if earlier is None else self._occurrences(s, earlier)
            )

    def _occurrences(self, s: Search, pane: Pane) -> list[Occurrence]:
        """The rows of a pane as the meaning has them."""
        if pane.count == 0:
            return []
        found: list[Occurrence] = []
        for row in rows_between(pane.first, pane.last, self.after, self.arena.mask):
            event = s.store.event(self.arena.numbers[row & self.arena.mask])
            found.append(named(SOLE, leaf_occurrence(event, None)))
        return found


class ToldTest(Test):
    """The row in a register is told of by an aggregate."""

    def __init__(self, gauge: Gauge) -> None:
        super().__init__()
        self.gauge = gauge

    def holds(self, s: Search) -> bool:
        gauge = self.gauge
        return gauge.flags[s.rows[0] & gauge.arena.mask] == TOLD
