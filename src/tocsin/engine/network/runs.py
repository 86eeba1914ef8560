"""Runs (004's `E*n`): rows of which each is the next one that starts after the end of that before it.

The rows of a run's leaf are linked in the order in which they can be the next: by their ends, then their starts. Which
row comes next is then a look at its neighbours, in either direction: past those that overlap, and no further.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.engine.network.arena import AFTER, BEFORE, END, NUMBER, OUT, Arena, Chain, Keys
from tocsin.engine.network.search import Search, Test, linked, pass_all
from tocsin.engine.network.slots import NIL
from tocsin.engine.network.steps import Bounds, Step
from tocsin.engine.network.vectors import FAR, filled


class RunChain(Chain):
    """A chain in order of ends, then starts, then arrival, which can be gone along both ways; rows can be taken out."""

    def __init__(self, arena: Arena, keys: Keys | None) -> None:
        super().__init__(arena, keys)

    def link(self, row: i64, end: i64, number: i64) -> None:
        arena, mask, head, links = self.arena, self.arena.mask, self.arena.head, self.links
        place = (row & mask) * 4
        slot: i64 = 0
        if self.keys is not None:
            slot = self.keys.values[row & mask]
            if slot < 0:
                return
        at = slot * self.heads.width + self.newest
        if at >= len(self.heads.rows):
            self.heads.reserve(at)
        start = arena.starts[row & mask]
        later, sooner = NIL, self.heads.rows[at]
        while sooner >= head and (
            links[(sooner & mask) * 4 + END] > end
            or (links[(sooner & mask) * 4 + END] == end and arena.starts[sooner & mask] > start)
        ):
            later = sooner
            sooner = links[(sooner & mask) * 4 + BEFORE]
        links[place + END] = end
        links[place + NUMBER] = number
        links[place + BEFORE] = sooner if sooner >= head else NIL
        links[place + AFTER] = later
        if later == NIL:
            self.heads.rows[at] = row
        else:
            links[(later & mask) * 4 + BEFORE] = row
        if sooner >= head:
            links[(sooner & mask) * 4 + AFTER] = row

    def unlink(self, row: i64) -> None:
        """Takes a row out, wherever it stands."""
        mask, head, links = self.arena.mask, self.arena.head, self.links
        place = (row & mask) * 4
        sooner, later = links[place + BEFORE], links[place + AFTER]
        if sooner == OUT:
            return
        links[place + BEFORE] = OUT
        slot: i64 = 0
        if self.keys is not None:
            slot = self.keys.values[row & mask]
        if sooner >= head:
            links[(sooner & mask) * 4 + AFTER] = later
        if later == NIL:
            self.heads.rows[slot * self.heads.width + self.newest] = sooner
        else:
            links[(later & mask) * 4 + BEFORE] = sooner

    def drop(self, row: i64) -> None:
        later = self.links[(row & self.arena.mask) * 4 + AFTER]
        if later == NIL or later > row:  # else one that has left by its age is before it, and so it has, too
            self.unlink(row)

    # -- neighbours ------------------------------------------------------------------------------------------------

    def before(self, row: i64, low: i64) -> i64:
        """The row before another in the chain, or NIL; none that ended before `low`."""
        found = self.links[(row & self.arena.mask) * 4 + BEFORE]
        if found < self.arena.head or self.links[(found & self.arena.mask) * 4 + END] < low:
            return NIL
        return found

    def after(self, row: i64) -> i64:
        """The row after another in the chain, or NIL."""
        return self.links[(row & self.arena.mask) * 4 + AFTER]

    def next_of(self, row: i64, since: i64) -> i64:
        """The first row that can come next after another, of those that arrived from a number on; or NIL."""
        arena, end = self.arena, self.links[(row & self.arena.mask) * 4 + END]
        found = self.after(row)
        while found != NIL:
            place = found & arena.mask
            if arena.starts[place] > end and arena.numbers[place] >= since:
                return found
            found = self.after(found)
        return NIL

    def is_tie(self, one: i64, other: i64) -> bool:
        """Whether two rows have the same ends, so that either may come next where the other may."""
        arena = self.arena
        mine, others = one & arena.mask, other & arena.mask
        return arena.ends[mine] == arena.ends[others] and arena.starts[mine] == arena.starts[others]

    def latest_start(self, row: i64, low: i64, since: i64) -> i64:
        """The latest start of the rows that come in between before another: what precedes it ends no sooner."""
        arena = self.arena
        latest = low
        found = self.before(row, latest)
        while found != NIL:
            place = found & arena.mask
            if arena.numbers[place] >= since and arena.starts[place] > latest and not self.is_tie(found, row):
                latest = arena.starts[place]
            found = self.before(found, latest)
        return latest


class FindRuns(Step):
    """All rows of a run at once: every run that the arrival is in, or every run between two times.

    The rows stand in `way` until all are found: the arrival, or the last one, in the middle, others on both sides.
    """

    def __init__(
        self,
        chain: RunChain,
        registers: list[int],
        bounds: Bounds,
        span: int | None,
        takes_arrival: bool,
        not_arrival: bool,
        tests: list[Test],
    ) -> None:
        super().__init__()
        self.chain, self.arena, self.bounds = chain, chain.arena, bounds
        self.count: i64 = len(registers)
        self.first: i64 = registers[0]
        self.span: i64 = FAR if span is None else span
        self.takes_arrival, self.not_arrival = takes_arrival, not_arrival
        self.test = linked(tests)
        self.way: vec[i64] = filled(2 * len(registers) + 1, 0)

    def run(self, s: Search) -> None:
        chain = self.chain
        low, high = self.bounds.low(s), self.bounds.high(s)
        if self.takes_arrival:
            row = s.rows[0]
            if chain.holds(row):
                self.way[self.count] = row
                self._forth(s, self.count, low, high)
            return
        groups: i64 = 1
        if chain.keys is not None:
            groups = chain.keys.slots.count
        slot: i64 = 0
        while slot < groups and not s.stop:
            self._all(s, slot, low, high)
            slot += 1

    def _all(self, s: Search, slot: i64, low: i64, high: i64) -> None:
        """Every run of a group between two times."""
        arena, chain = self.arena, self.chain
        row = chain.head(slot)
        while row != NIL:
            place = row & arena.mask
            end = arena.ends[place]
            if end < low:
                return
            if end <= high and arena.numbers[place] >= s.since:
                self.way[self.count] = row
                self._back(s, self.count, self.count, low)
                if s.stop:
                    return
            row = chain.before(row, low)

    def _forth(self, s: Search, last: i64, low: i64, high: i64) -> None:
        """The runs that go on from the arrival up to the place `last` of the way, and those that go further."""
        arena, chain = self.arena, self.chain
        row, first = self.way[last], self.way[self.count] & arena.mask
        if arena.ends[row & arena.mask] > high or arena.ends[row & arena.mask] - arena.starts[first] > self.span:
            return
        self._back(s, self.count, last, low)
        if last - self.count + 1 == self.count:
            return
        following = found = chain.next_of(row, s.since)
        while found != NIL and chain.is_tie(found, following):
            if arena.numbers[found & arena.mask] >= s.since:
                self.way[last + 1] = found
                self._forth(s, last + 1, low, high)
                if s.stop:
                    return
            found = chain.after(found)

    def _back(self, s: Search, first: i64, last: i64, low: i64) -> None:
        """The runs that end at the place `last` of the way and are found from its place `first` on backwards."""
        arena, chain, since, way = self.arena, self.chain, s.since, self.way
        least = arena.ends[way[last] & arena.mask] - self.span
        if least < low:
            least = low
        while last - first + 1 < self.count:
            row = way[first]
            latest, start = chain.latest_start(row, least, since), arena.starts[row & arena.mask]
            # What comes before it: mostly one row; of several that end together, or overlap, each in turn.
            only, found = NIL, chain.before(row, latest)
            while found != NIL:
                place = found & arena.mask
                if arena.ends[place] < start and arena.numbers[place] >= since:
                    if only != NIL:
                        way[first - 1] = only
                        self._back(s, first - 1, last, low)
                        if s.stop:
                            return
                    only = found
                found = chain.before(found, latest)
            if only == NIL:
                return
            first -= 1
            way[first] = only
        self._hand_on(s, first)

    def _hand_on(self, s: Search, first: i64) -> None:
        arena, rows, numbers = self.arena, s.rows, s.numbers
        place: i64 = 0
        while place < self.count:
            row = self.way[first + place]
            number = arena.numbers[row & arena.mask]
            if self.not_arrival and number == s.arrival:
                return
            rows[self.first + place] = row
            numbers[self.first + place] = number
            place += 1
        if self.test is None or pass_all(self.test, s):
            step = self.child
            while step is not None:
                step.run(s)
                step = step.sibling


class ConsecutiveTest(Test):
    """Rows that stand are still a run: nothing has come in between."""

    def __init__(self, chain: RunChain, registers: list[int]) -> None:
        super().__init__()
        self.chain = chain
        self.registers: vec[i64] = filled(len(registers), 0)
        for place, register in enumerate(registers):
            self.registers[place] = register

    def holds(self, s: Search) -> bool:
        chain, place = self.chain, 1
        while place < len(self.registers):
            found = chain.next_of(s.rows[self.registers[place - 1]], s.since)
            if found == NIL or not chain.is_tie(found, s.rows[self.registers[place]]):
                return False
            place += 1
        return True
