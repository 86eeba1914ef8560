"""The steps of a search. Each looks at the rows of one leaf and hands every choice on to the steps after it.

Steps of several plans that begin alike are one step with several successors.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.engine.network.arena import AFTER, BEFORE, END, NUMBER, Arena, Chain, Keys, UsedChain, paired
from tocsin.engine.network.search import Best, Point, Search, Test, linked, pass_all
from tocsin.engine.network.slots import NIL, Slots
from tocsin.engine.network.vectors import FAR, doubled, filled


class Step:
    """What a choice is handed to: its first successor, and the next of those that its own predecessor has."""

    def __init__(self) -> None:
        self.child: Step | None = None
        self.sibling: Step | None = None

    def run(self, s: Search) -> None:
        """Goes on with what stands in the registers."""
        raise NotImplementedError

    def add(self, step: Step) -> None:
        """Hands choices on to one more step, after the others."""
        if self.child is None:
            self.child = step
            return
        last = self.child
        while last.sibling is not None:
            last = last.sibling
        last.sibling = step


class Lookup:
    """Which chain of a leaf to walk: by an attribute of a row that stands, by two, or the only one."""

    def slot(self, s: Search) -> i64:
        """The slot of the chain."""
        return 0

    def is_collapsed(self) -> bool:
        """Whether equal values can no longer be told by their slots."""
        return False

    def is_keyed(self) -> bool:
        """Whether there is an attribute to go by."""
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

    def is_keyed(self) -> bool:
        return True


class PairLookup(Lookup):
    """The chain of the rows that are equal in two attributes."""

    def __init__(self, first: Lookup, second: Lookup, slots: Slots) -> None:
        self.first, self.second, self.slots = first, second, slots

    def slot(self, s: Search) -> i64:
        return paired(self.first.slot(s), self.second.slot(s), self.slots)

    def is_collapsed(self) -> bool:
        return self.slots.collapsed

    def is_keyed(self) -> bool:
        return True


class Bound:
    """A point that the rows of a step must not pass, some microseconds off, and the bound after it."""

    def __init__(self, point: Point, distance: int, also: Bound | None) -> None:
        self.point, self.also = point, also
        self.distance: i64 = distance


class Bounds:
    """Between which times the rows of a step end."""

    def __init__(self, no_sooner: list[tuple[Point, int]], no_later: list[tuple[Point, int]]) -> None:
        self.no_sooner: Bound | None = None
        self.no_later: Bound | None = None
        for point, distance in no_sooner:
            self.no_sooner = Bound(point, distance, self.no_sooner)
        for point, distance in no_later:
            self.no_later = Bound(point, distance, self.no_later)

    def low(self, s: Search) -> i64:
        """The earliest end."""
        low = s.low
        bound = self.no_sooner
        while bound is not None:
            found = bound.point.value(s) + bound.distance
            if found > low:
                low = found
            bound = bound.also
        return low

    def high(self, s: Search) -> i64:
        """The latest end."""
        high = FAR
        bound = self.no_later
        while bound is not None:
            found = bound.point.value(s) + bound.distance
            if found < high:
                high = found
            bound = bound.also
        return high


class Walk(Step):
    """One row of a leaf, the newest first."""

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
        self.chain, self.arena = chain, chain.arena
        self.register: i64 = register
        self.lookup, self.bounds, self.not_arrival = lookup, bounds, not_arrival
        # One key is the usual case, and asked for without a call; likewise there are often no bounds.
        self.by: KeyLookup | None = lookup if isinstance(lookup, KeyLookup) else None
        self.has_low, self.has_high = bounds.no_sooner is not None, bounds.no_later is not None
        self.test = linked(tests)
        # Where values cannot be looked up by slots, their equality is tested; the last such test goes on to the rest.
        self.implied = implied
        self.careful_test = linked(implied) or self.test
        if implied:
            implied[-1].also = self.test

    def part(self) -> Filter | None:
        """Leaves its tests to a step of their own, if it has any: what needs others can then look at the same rows."""
        test = self.test
        if test is None:
            return None
        self.test = None
        self.careful_test = self.implied[0] if self.implied else None
        if self.implied:
            self.implied[-1].also = None
        made = Filter(test)
        made.child, self.child = self.child, made
        return made

    def run(self, s: Search) -> None:
        if self.chain.links_itself:
            self.chain.link_rest()
        if self.by is not None:
            place = s.rows[self.by.register] & self.by.arena.mask
            slot = self.by.keys.values[place]
        else:
            slot = self.lookup.slot(s)
        at = slot * self.chain.heads.width + self.chain.newest
        if slot < 0 or at >= len(self.chain.heads.rows):
            return
        row, head = self.chain.heads.rows[at], self.arena.head
        if row < head:
            return
        mask, low = self.arena.mask, s.low
        if self.has_low:
            low = self.bounds.low(s)
        links = self.chain.links
        place = (row & mask) * 4
        end = links[place + END]
        if end < low:
            return
        high = FAR
        if self.has_high:
            high = self.bounds.high(s)
        register, since = self.register, s.since
        test = self.test
        if self.careful_test is not test and self.lookup.is_collapsed():
            test = self.careful_test
        arrival: i64 = -2
        if self.not_arrival:
            arrival = s.arrival
        rows, bound = s.rows, s.numbers
        while True:
            if end <= high:
                number = links[place + NUMBER]
                if number >= since and number != arrival:
                    rows[register] = row
                    bound[register] = number
                    if test is None or (test.holds(s) and (test.also is None or pass_all(test.also, s))):
                        step = self.child
                        while step is not None:
                            step.run(s)
                            step = step.sibling
                        if s.stop:
                            return
            row = links[place + BEFORE]
            if row < head:
                return
            place = (row & mask) * 4
            end = links[place + END]
            if end < low:
                return


class Filter(Step):
    """What must hold of the rows that another step has chosen, where several plans ask different things of them."""

    def __init__(self, test: Test) -> None:
        super().__init__()
        self.test = test

    def run(self, s: Search) -> None:
        if self.test.holds(s) and (self.test.also is None or pass_all(self.test.also, s)):
            step = self.child
            while step is not None:
                step.run(s)
                step = step.sibling


class Barrier(Filter):
    """What must be absent after the row that stands: where it is there, it is there for all older rows, too."""

    def __init__(self, test: Test) -> None:
        super().__init__(test)
        self.is_closed = True
        self.is_over = False

    def run(self, s: Search) -> None:
        if pass_all(self.test, s):
            step = self.child
            while step is not None:
                step.run(s)
                step = step.sibling
        elif self.is_closed:
            s.stop = self.is_over = True


OFTEN: Final[i64] = 8
"""Of so many rows that fail for other reasons one is asked whether the way back is barred."""


class Unbarred(Test):
    """The other tests of a row. Where they fail again and again, it is let through if the barrier will stop it."""

    def __init__(self, test: Test, barrier: Barrier) -> None:
        super().__init__()
        self.test, self.barrier = test, barrier
        self.failed: i64 = 0

    def holds(self, s: Search) -> bool:
        if pass_all(self.test, s):
            return True
        self.failed += 1
        return self.failed % OFTEN == 0 and not pass_all(self.barrier.test, s)


class BarredWalk(Walk):
    """One row of a leaf, the newest first, until something that must be absent is met."""

    def __init__(
        self,
        chain: Chain,
        register: int,
        lookup: Lookup,
        bounds: Bounds,
        not_arrival: bool,
        tests: list[Test],
        implied: list[Test],
        barrier: Barrier,
    ) -> None:
        test = linked(tests)
        others: list[Test] = [] if test is None else [Unbarred(test, barrier)]
        super().__init__(chain, register, lookup, bounds, not_arrival, others, implied)
        self.child = self.barrier = barrier

    def add(self, step: Step) -> None:
        if self.barrier.is_closed:
            self.barrier.add(step)
        else:
            super().add(step)

    def part(self) -> Filter | None:
        if not self.barrier.is_closed:
            return None
        self.barrier.is_closed = False  # others look at the rows that are older
        super().part()
        return self.barrier

    def run(self, s: Search) -> None:
        super().run(s)
        if self.barrier.is_over:
            s.stop = self.barrier.is_over = False


class Earlier:
    """What a search that goes in order of time has chosen before a step: an event, and what was chosen before it."""

    def __init__(self, arena: Arena, register: int, also: Earlier | None) -> None:
        self.arena, self.also = arena, also
        self.register: i64 = register


def is_as_old(earlier: Earlier | None, s: Search) -> bool:
    """Whether what was chosen before a step is no older than the same part of the best.

    Chronologies compare like words: where an earlier choice is older already, no later one is too late. What is not
    as old is older, because a choice that is later than the best's is never gone on with.
    """
    while earlier is not None:
        arena, register = earlier.arena, earlier.register
        if arena.ends[s.rows[register] & arena.mask] != s.ends[register]:
            return False
        earlier = earlier.also
    return True


class OldestWalk(Walk):
    """The same, the oldest row first, for as long as an older occurrence can still come of it.

    Where the pattern fixes the order of its parts (`is_ascending`), a row later than the best's in the same register
    is too late, unless something before it is older. Otherwise `hope` tells; a time event is never too late, for it
    makes nothing older. `barrier`: what must be absent after a row, and if it is there, is there for all older rows.
    """

    def __init__(
        self,
        chain: Chain,
        register: int,
        lookup: Lookup,
        bounds: Bounds,
        not_arrival: bool,
        tests: list[Test],
        implied: list[Test],
        barrier: Test | None = None,
    ) -> None:
        super().__init__(chain, register, lookup, bounds, not_arrival, tests, implied)
        self.barrier = barrier
        self.hope: Hope | None = None
        self.is_ascending = False
        self.earlier: Earlier | None = None
        self.begun: i64 = NIL
        """Where it began last time."""

    def run(self, s: Search) -> None:
        chain = self.chain
        assert isinstance(chain, UsedChain)
        slot = self.lookup.slot(s)
        row = chain.tail(slot)
        if row < 0:
            return
        low, high = self.bounds.low(s), self.bounds.high(s)
        if self.barrier is not None:
            row = self._first_free(s, row, chain.head(slot), low)
        elif chain.links[(row & self.arena.mask) * 4 + END] < low:
            row = self._first_of_window(slot, row, chain.head(slot), low)
        register, since, hope = self.register, s.since, self.hope
        test = self.careful_test if self.lookup.is_collapsed() else self.test
        arrival: i64 = -2
        if self.not_arrival:
            arrival = s.arrival
        mask, links, rows, bound = self.arena.mask, chain.links, s.rows, s.numbers
        while row >= 0:
            place = (row & mask) * 4
            end = links[place + END]
            if end > high:
                return
            number = links[place + NUMBER]
            if end >= low and number >= since and number != arrival:
                if hope is not None:
                    if hope.is_gone(s, end, number):
                        return
                elif self.is_ascending and s.has_best and end > s.ends[register] and is_as_old(self.earlier, s):
                    return
                rows[register] = row
                bound[register] = number
                if test is None or pass_all(test, s):
                    step = self.child
                    while step is not None:
                        step.run(s)
                        step = step.sibling
            row = links[place + AFTER]

    def _first_of_window(self, slot: i64, oldest: i64, newest: i64, low: i64) -> i64:
        """The oldest row that is not too old; or NIL.

        It is looked for from both sides, and from where the last search began: those that are made one after the other
        for older and newer partners begin not far from each other.
        """
        links, mask, keys = self.chain.links, self.arena.mask, self.chain.keys
        near = self.begun
        if near >= 0 and not (self.chain.holds(near) and (keys is None or keys.values[near & mask] == slot)):
            near = NIL
        is_later = near >= 0 and links[(near & mask) * 4 + END] < low
        while oldest >= 0:
            if links[(oldest & mask) * 4 + END] >= low:
                break
            oldest = links[(oldest & mask) * 4 + AFTER]
            if newest >= 0:
                if links[(newest & mask) * 4 + END] < low:
                    oldest = links[(newest & mask) * 4 + AFTER]
                    break
                newest = links[(newest & mask) * 4 + BEFORE]
            if near >= 0:
                near = links[(near & mask) * 4 + (AFTER if is_later else BEFORE)]
                if near >= 0 and (links[(near & mask) * 4 + END] >= low) == is_later:
                    oldest = near if is_later else links[(near & mask) * 4 + AFTER]
                    break
        self.begun = oldest
        return oldest

    def _first_free(self, s: Search, oldest: i64, newest: i64, low: i64) -> i64:
        """The oldest row that is not too old, and after which nothing is that must be absent; or NIL.

        It is looked for from both sides, so that neither many rows that are left out nor many others take long.
        """
        links, mask = self.chain.links, self.arena.mask
        while oldest >= 0:
            if self._is_free(s, oldest, low):
                return oldest
            oldest = links[(oldest & mask) * 4 + AFTER]
            if newest >= 0:
                if not self._is_free(s, newest, low):
                    return links[(newest & mask) * 4 + AFTER]
                newest = links[(newest & mask) * 4 + BEFORE]
        return NIL

    def _is_free(self, s: Search, row: i64, low: i64) -> bool:
        place = (row & self.arena.mask) * 4
        if self.chain.links[place + END] < low:
            return False
        if self.barrier is None:
            return True
        s.rows[self.register] = row
        s.numbers[self.register] = self.chain.links[place + NUMBER]
        return pass_all(self.barrier, s)

    def oldest(self, s: Search) -> i64:
        """The oldest row that could be chosen here, or NIL."""
        chain = self.chain
        assert isinstance(chain, UsedChain)
        row = chain.tail(self.lookup.slot(s))
        while row >= 0 and chain.links[(row & self.arena.mask) * 4 + END] < s.low:
            row = chain.links[(row & self.arena.mask) * 4 + AFTER]
        return row


class Hope:
    """Whether a choice can still lead to an older occurrence than the best: the others at their oldest would tell.

    What stands is taken as it is, what is still to be chosen at the oldest row there is. If even that is no older than
    the best, nothing is.
    """

    def __init__(self, best: Best, standing: list[tuple[Arena, int]], rest: list[tuple[OldestWalk, bool]]) -> None:
        self.best, self.standing, self.rest = best, standing, rest

    def is_gone(self, s: Search, end: i64, number: i64) -> bool:
        """Whether a row is too late to matter, or something has no row at all: all rows after it are then, too."""
        pairs = [(int(end), int(number))]
        for step, can_look in self.rest:
            if not can_look:
                pairs.append((int(s.low), 0))
                continue
            row = step.oldest(s)
            if row < 0:
                return True
            place = (row & step.arena.mask) * 4
            pairs.append((int(step.chain.links[place + END]), int(step.chain.links[place + NUMBER])))
        best = self.best
        if not best.is_known:
            return False
        for arena, register in self.standing:
            pairs.append((int(arena.ends[s.rows[register] & arena.mask]), int(s.numbers[register])))
        pairs.sort()
        times = [time for time, _ in pairs]
        if times != best.times:
            return times > best.times
        return [each for _, each in pairs] > best.numbers  # of equals the names decide


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
    ) -> None:
        super().__init__()
        self.chain, self.arena, self.lookup = chain, chain.arena, lookup
        self.count: i64 = len(registers)
        self.first: i64 = registers[0]
        self.keys, self.same, self.differs = keys, same, differs
        self.bounds, self.not_arrival = bounds, not_arrival
        self.is_ascending = False
        self.earlier: Earlier | None = None
        self.test = linked(tests)
        self.is_keyed = lookup.is_keyed()
        self.pool: vec[i64] = filled(64, 0)
        self.pooled: i64 = 0

    def run(self, s: Search) -> None:
        chain = self.chain
        if chain.links_itself:
            chain.link_rest()
        low, high = self.bounds.low(s), self.bounds.high(s)
        if self.is_keyed or not self.same:
            self._gather(s, chain.head(self.lookup.slot(s)), low, high)
            self._choose(s, 0, self.pooled - 1)
            return
        # Nothing stands yet that says which value: each in turn.
        slot: i64 = 0
        while slot < self.keys.slots.count:
            row = chain.head(slot)
            if row >= 0:
                self._gather(s, row, low, high)
                self._choose(s, 0, self.pooled - 1)
            slot += 1

    def _gather(self, s: Search, row: i64, low: i64, high: i64) -> None:
        """Puts the rows to choose from into the pool, the newest first."""
        mask, head, links = self.arena.mask, self.arena.head, self.chain.links
        arrival: i64 = -2
        if self.not_arrival:
            arrival = s.arrival
        pooled: i64 = 0
        while row >= head:
            place = (row & mask) * 4
            end, number = links[place + END], links[place + NUMBER]
            if end < low:
                break
            if end <= high and number >= s.since and number != arrival:
                if pooled == len(self.pool):
                    self.pool = doubled(self.pool)
                self.pool[pooled] = row
                pooled += 1
            row = links[place + BEFORE]
        self.pooled = pooled

    def _choose(self, s: Search, count: i64, place: i64) -> None:
        """Fills the registers from `count` on with rows of the pool, from `place` down: from old to new."""
        arena, register, pool, rows, numbers = self.arena, self.first + count, self.pool, s.rows, s.numbers
        left = self.count - count - 1
        while place >= left:
            row = pool[place]
            at = row & arena.mask
            if self.is_ascending and s.has_best and arena.ends[at] > s.ends[register] and self._is_as_old(s, register):
                return
            if self.same or self._differs(s, count, at):
                rows[register] = row
                numbers[register] = arena.numbers[at]
                if left > 0:
                    self._choose(s, count + 1, place - 1)
                elif self.test is None or pass_all(self.test, s):
                    step = self.child
                    while step is not None:
                        step.run(s)
                        step = step.sibling
                if s.stop:
                    return
            place -= 1

    def _is_as_old(self, s: Search, register: i64) -> bool:
        """Whether what stands before a register is no older than the same part of the best: see `is_as_old`."""
        before, arena = self.first, self.arena
        while before < register:
            if arena.ends[s.rows[before] & arena.mask] != s.ends[before]:
                return False
            before += 1
        return is_as_old(self.earlier, s)

    def _differs(self, s: Search, count: i64, at: i64) -> bool:
        """Whether a row has another value than those that stand."""
        slot = self.keys.values[at]
        if slot < 0:
            return False
        for arena, register, keys in self.differs:
            if keys.values[s.rows[register] & arena.mask] == slot:
                return False
        earlier: i64 = 0
        while earlier < count:
            if self.keys.values[s.rows[self.first + earlier] & self.arena.mask] == slot:
                return False
            earlier += 1
        return True


class Present(Step):
    """The end of a search that must find nothing."""

    def run(self, s: Search) -> None:
        s.stop = True


class AbsentTest(Test):
    """A search that must find nothing."""

    def __init__(self, first: Step) -> None:
        super().__init__()
        self.first = first

    def holds(self, s: Search) -> bool:
        best, s.has_best = s.has_best, False
        self.first.run(s)
        found, s.stop, s.has_best = s.stop, False, best
        return not found
