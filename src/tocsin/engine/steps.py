"""The steps of a search. Each looks at the rows of one leaf and hands every choice on to the steps after it.

Steps of several plans that begin alike are one step with several successors.
"""

from __future__ import annotations

from mypy_extensions import i64

from tocsin.engine.arena import Arena, Chain, Keys, paired
from tocsin.engine.search import FAR, Point, Search, Test
from tocsin.engine.slots import Slots


class Step:
    """What a choice is handed to."""

    def __init__(self) -> None:
        self.next: list[Step] = []

    def run(self, s: Search) -> None:
        """Goes on with what stands in the registers."""
        raise NotImplementedError


class Lookup:
    """Which chain of a leaf to walk: by an attribute of a row that stands, by two, or the only one."""

    def slot(self, s: Search) -> i64:
        """The slot of the chain."""
        return 0

    def is_collapsed(self) -> bool:
        """Whether equal values can no longer be told by their slots."""
        return False


class KeyLookup(Lookup):
    """The chain of the rows that are equal in one attribute."""

    def __init__(self, arena: Arena, register: int, keys: Keys) -> None:
        self.arena, self.keys = arena, keys
        self.register: i64 = register

    def slot(self, s: Search) -> i64:
        return self.keys.values[s.rows[self.register] & self.arena.mask]

    def is_collapsed(self) -> bool:
        return self.keys.slots.collapsed


class PairLookup(Lookup):
    """The chain of the rows that are equal in two attributes."""

    def __init__(self, first: KeyLookup, second: KeyLookup, slots: Slots) -> None:
        self.first, self.second, self.slots = first, second, slots

    def slot(self, s: Search) -> i64:
        return paired(self.first.slot(s), self.second.slot(s), self.slots)

    def is_collapsed(self) -> bool:
        return self.slots.collapsed


class Bounds:
    """Between which times the rows of a step end."""

    def __init__(
        self,
        after: list[Point],
        before: list[Point],
        no_sooner: list[tuple[Point, int]],
        no_later: list[tuple[Point, int]],
    ) -> None:
        self.after, self.before = after, before
        self.no_sooner = [point for point, _ in no_sooner]
        self.no_later = [point for point, _ in no_later]
        self.sooner_by = [distance for _, distance in no_sooner]
        self.later_by = [distance for _, distance in no_later]

    def low(self, s: Search) -> i64:
        """The earliest end."""
        low = s.low
        for point in self.after:
            found = point.value(s) + 1
            if found > low:
                low = found
        for place in range(len(self.no_sooner)):
            distance: i64 = self.sooner_by[place]
            found = self.no_sooner[place].value(s) - distance
            if found > low:
                low = found
        return low

    def high(self, s: Search) -> i64:
        """The latest end."""
        high = FAR
        for point in self.before:
            found = point.value(s) - 1
            if found < high:
                high = found
        for place in range(len(self.no_later)):
            distance: i64 = self.later_by[place]
            found = self.no_later[place].value(s) + distance
            if found < high:
                high = found
        return high


def pass_all(tests: list[Test], s: Search) -> bool:
    """Whether every test holds."""
    for test in tests:
        if not test.holds(s):
            return False
    return True


class Walk(Step):
    """One row of a leaf, the newest first; the oldest first where the oldest occurrence is wanted."""

    def __init__(
        self,
        chain: Chain,
        register: int,
        lookup: Lookup,
        bounds: Bounds,
        not_arrival: bool,
        tests: list[Test],
        implied: list[Test],
    ) -> None:
        super().__init__()
        self.careful = [*implied, *tests]
        self.chain, self.arena = chain, chain.arena
        self.register: i64 = register
        self.lookup, self.bounds, self.not_arrival, self.tests = lookup, bounds, not_arrival, tests

    def run(self, s: Search) -> None:
        slot = self.lookup.slot(s)
        chain = self.chain
        if slot < 0 or slot >= len(chain.newest):
            return
        row = chain.newest[slot]
        if row < 0:
            return
        arena = self.arena
        tests = self.careful if self.lookup.is_collapsed() else self.tests
        mask, ends, numbers, links = arena.mask, arena.ends, arena.numbers, chain.before
        low = self.bounds.low(s)
        if ends[row & mask] < low:
            return
        high = self.bounds.high(s)
        while row >= 0:
            place = row & mask
            end = ends[place]
            if end < low:
                return
            if end <= high and numbers[place] >= s.since and not (self.not_arrival and numbers[place] == s.arrival):
                s.rows[self.register] = row
                if pass_all(tests, s):
                    for step in self.next:
                        step.run(s)
                        if s.stop:
                            return
            row = links[place]


class OldestWalk(Walk):
    """The same, the oldest row first, for as long as an older occurrence can still come of it."""

    def run(self, s: Search) -> None:
        slot = self.lookup.slot(s)
        chain = self.chain
        if slot < 0 or slot >= len(chain.oldest):
            return
        row = chain.oldest[slot]
        if row < 0:
            return
        arena = self.arena
        tests = self.careful if self.lookup.is_collapsed() else self.tests
        mask, ends, numbers, links = arena.mask, arena.ends, arena.numbers, chain.after
        low, high = self.bounds.low(s), self.bounds.high(s)
        while row >= 0:
            place = row & mask
            end = ends[place]
            if end > high or (s.has_best and end > s.ends[self.register]):
                return
            if end >= low and numbers[place] >= s.since and not (self.not_arrival and numbers[place] == s.arrival):
                s.rows[self.register] = row
                if pass_all(tests, s):
                    for step in self.next:
                        step.run(s)
            row = links[place]


class Choose(Step):
    """Several rows of a repetition, each choice once: in ascending order of time."""

    def __init__(
        self,
        chain: Chain,
        registers: list[int],
        lookup: Lookup,
        keys: Keys,
        same: bool,
        differs: list[tuple[Arena, int, Keys]],
        bounds: Bounds,
        not_arrival: bool,
        tests: list[Test],
        oldest_first: bool,
    ) -> None:
        super().__init__()
        self.chain, self.arena, self.registers, self.lookup = chain, chain.arena, registers, lookup
        self.keys, self.same, self.differs = keys, same, differs
        self.bounds, self.not_arrival, self.tests, self.oldest_first = bounds, not_arrival, tests, oldest_first
        self.is_keyed = not type(lookup) is Lookup  # noqa: E714 - compiled: the class itself, no subclass
        self._low: i64 = 0
        self._high: i64 = 0

    def run(self, s: Search) -> None:
        chain = self.chain
        self._low, self._high = self.bounds.low(s), self.bounds.high(s)
        if self.is_keyed or not self.same:
            slot = self.lookup.slot(s)
            if 0 <= slot < len(chain.oldest):
                self._choose(s, 0, chain.oldest[slot])
            return
        # Nothing stands yet that says which value: each in turn.
        slot = 0
        while slot < len(chain.oldest):
            if chain.oldest[slot] >= 0:
                self._choose(s, 0, chain.oldest[slot])
            slot += 1

    def _choose(self, s: Search, count: i64, row: i64) -> None:
        """Fills the registers from `count` on, with `row` and what comes after it."""
        if count == len(self.registers):
            if pass_all(self.tests, s):
                for step in self.next:
                    step.run(s)
            return
        arena = self.arena
        register: i64 = self.registers[count]
        low, high = self._low, self._high
        while row >= 0:
            place = row & arena.mask
            end = arena.ends[place]
            if end > high or (self.oldest_first and s.has_best and end > s.ends[register]):
                return
            following = self.chain.after[place]
            if end >= low and arena.numbers[place] >= s.since and self._fits(s, count, place):
                s.rows[register] = row
                self._choose(s, count + 1, following)
                if s.stop:
                    return
            row = following

    def _fits(self, s: Search, count: i64, place: i64) -> bool:
        """Whether a row has another value than those that stand, where all must differ."""
        if self.not_arrival and self.arena.numbers[place] == s.arrival:
            return False
        if self.same:
            return True
        slot = self.keys.values[place]
        if slot < 0:
            return False
        for arena, register, keys in self.differs:
            if keys.values[s.rows[register] & arena.mask] == slot:
                return False
        earlier: i64 = 0
        while earlier < count:
            row = s.rows[self.registers[earlier]]
            if self.keys.values[row & self.arena.mask] == slot:
                return False
            earlier += 1
        return True


class Found(Step):
    """The end of a search that must find nothing."""

    def run(self, s: Search) -> None:
        s.stop = True


class AbsentTest(Test):
    """Searches that must find nothing."""

    def __init__(self, searches: list[Step]) -> None:
        self.searches = searches

    def holds(self, s: Search) -> bool:
        best, s.has_best = s.has_best, False
        for search in self.searches:
            search.run(s)
            if s.stop:
                s.stop = False
                s.has_best = best
                return False
        s.has_best = best
        return True


class Start(Step):
    """The first step of a search with nothing to walk before: the tests that can be made at once."""

    def __init__(self, tests: list[Test]) -> None:
        super().__init__()
        self.tests = tests

    def run(self, s: Search) -> None:
        if pass_all(self.tests, s):
            for step in self.next:
                step.run(s)
