"""The nodes of the consuming contexts over pools: what they do is in `algebra/contexts.py`, here is what they look at.

A guard that asks for equal values of both sides tells by which value partners are found; the order of an operator tells
when they must have ended. All of that only leaves out what would not fit.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush
from typing import Any, Final

from tocsin.algebra.combinations import attribute_value
from tocsin.algebra.contexts import Counting, Finish, Fit, Gathering, Missing, Node, Pair, Waiting, newest
from tocsin.algebra.growth import Makers, Ties
from tocsin.algebra.guards import (
    COMPARISONS,
    Attribute,
    Binary,
    Guard,
    Not,
    Occurred,
    Reference,
    SourceOf,
    chained,
    conjuncts,
    variables_of,
)
from tocsin.algebra.names import bound, surely_bound
from tocsin.algebra.occurrence import Occurrence, chronology
from tocsin.algebra.patterns import Absence, After, Pattern, Precedence, Streak, Times
from tocsin.algebra.rules import Context
from tocsin.algebra.values import Surroundings, evaluate
from tocsin.engine.detectors.pooled_streaks import PooledLining
from tocsin.engine.detectors.pools import Pool, ValueOf
from tocsin.engine.detectors.reach import told
from tocsin.engine.network.vectors import FAR

Sides = tuple[Guard, Guard]
"""What must be equal: of the left operand, and of the right one."""
_QUIET: Final = Surroundings()


def equal_sides(guards: Iterable[Guard], left: frozenset[str], right: frozenset[str]) -> Sides | None:
    """The first equality that guards ask for between an event of one side and one of the other."""
    for guard in guards:
        if isinstance(guard, Binary) and guard.operator == "==":
            one, other = guard.left, guard.right
            if isinstance(one, Reference) is not isinstance(other, Reference):
                continue
            if isinstance(one, Attribute | SourceOf | Reference) and isinstance(
                other, Attribute | SourceOf | Reference
            ):
                if one.variable in left - right and other.variable in right - left:
                    return one, other
                if one.variable in right - left and other.variable in left - right:
                    return other, one
    return None


def _value_of(guard: Guard | None) -> ValueOf | None:
    if guard is None:
        return None
    asked: Guard = guard
    if isinstance(asked, Reference):
        return lambda one: _identity(evaluate(asked, one.variables(), _QUIET))
    return lambda one: told(evaluate(asked, one.variables(), _QUIET))


def _identity(value: object) -> object:
    """What is equal of two that are the same occurrence."""
    return (frozenset(value.events), value.start, value.end) if isinstance(value, Occurrence) else told(value)


class Reach:
    """Between which times partners must have ended. Under 2g what is before another may end up to a tick after it."""

    def __init__(self, ties: Ties, granularity: int | None) -> None:
        self.order, self.is_concurrent, self.granularity = ties.order, ties.is_concurrent, granularity
        self.slack = granularity if granularity is not None and ties.order is Precedence.GLOBAL else 0
        if ties.order is Precedence.WEAK:
            self.slack = 1 if granularity is None else 2 * granularity

    def of(self, place: int, one: Occurrence) -> tuple[int, int]:
        """The first and the last end of a partner of an operand's occurrence."""
        if self.is_concurrent:
            apart = 2 * self.granularity if self.granularity is not None else 0
            return one.end - apart, one.end + apart
        if self.order is None:
            return -FAR, FAR
        if place == 0:
            return one.end + 1 - self.slack, FAR
        return -FAR, (one.start if self.order is Precedence.GAP else one.end) - 1 + self.slack


class PooledPair(Pair):
    """Two operands that combine, over pools. In `recent` at most one waits on each side, and needs none."""

    def __init__(
        self, pattern: Pattern, parts: tuple[Node, ...], fit: Fit, context: Context, ties: Ties, granularity: int | None
    ) -> None:
        super().__init__(pattern, parts, fit, context, ties.keeps_last)
        self._shelves = _Shelves(ties, granularity)

    def partners(self, place: int, one: Occurrence) -> Iterable[Occurrence]:
        return self._shelves.partners(place, one)

    def hold(self, place: int, one: Occurrence) -> None:
        self._shelves.pools[place].put(one)

    def release(self, place: int, one: Occurrence) -> None:
        self._shelves.pools[place].take_out(one)

    def remembered(self) -> Any:
        return self._shelves.memory()

    def remember(self, memory: Any) -> None:
        self._shelves.recall(memory)

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        super().forget(is_old)
        self._shelves.forget(is_old)


class _Shelves:
    """What waits on both sides of a pair."""

    def __init__(self, ties: Ties, granularity: int | None, *, is_cut: bool = False) -> None:
        self.reach = Reach(ties, granularity)
        self.sides = equal_sides(ties.guards, *ties.names)
        left, right = (None, None) if self.sides is None else self.sides
        self.values = (_value_of(left), _value_of(right))
        bounded = ties.order is not None or ties.is_concurrent
        self.pools = (
            Pool(self.values[0], is_by_end=is_cut or ties.is_concurrent),
            Pool(self.values[1], is_by_end=bounded),
        )

    def partners(self, place: int, one: Occurrence, least: int = -FAR) -> Iterable[Occurrence]:
        """Those that may combine with an operand's occurrence, the oldest first; that ended at some time at least."""
        pool = self.pools[1 - place]
        if not len(pool):
            return ()
        low, high = self.reach.of(place, one)
        return pool.meeting(self.value(place, one), max(low, least), high)

    def value(self, place: int, one: Occurrence) -> object:
        """The value that a partner must have."""
        value_of = self.values[place]
        return None if value_of is None else value_of(one)

    def memory(self) -> Any:
        """What waits, as the plain nodes remember it."""
        return self.pools[0].all(), self.pools[1].all()

    def recall(self, memory: Any) -> None:
        """Lets that wait."""
        for pool, waiting in zip(self.pools, memory, strict=True):
            for one in waiting:
                pool.put(one)

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        """Drops what has left the window."""
        for pool in self.pools:
            pool.forget(is_old)


class PooledMissing(Missing):
    """A pair with what must be absent between its two.

    Of what is cancelled for good nothing is looked at again: a terminator meets only those initiators after which
    nothing that surely cancels has come before it.
    """

    def __init__(
        self,
        pattern: Absence,
        parts: tuple[Node, ...],
        context: Context,
        around: Surroundings,
        finish: Callable[[Occurrence | None], Occurrence | None],
        ties: Ties,
        granularity: int | None,
    ) -> None:
        super().__init__(pattern, parts, context, around, finish)
        of_first, of_last = ties.names
        of_cancelling = frozenset(bound(pattern.without))
        others = of_last - of_first - of_cancelling
        there, absent = surely_bound(pattern.first) | surely_bound(pattern.last), of_cancelling - of_first - of_last
        guards = () if pattern.guard is None else tuple(_asked(pattern.guard, there, absent))
        self._order = pattern.order
        self._is_recent = context is Context.RECENT
        self._shelves = _Shelves(ties._replace(guards=(*ties.guards, *guards)), granularity, is_cut=True)
        self._slack = self._shelves.reach.slack
        selecting = _selecting(pattern, others)
        sides = None if selecting is None else equal_sides(selecting, of_first, of_cancelling)
        self._first_value = None if sides is None else _value_of(sides[0])
        self._cancels = Pool(None if sides is None else _value_of(sides[1]), is_by_end=True)
        self._is_idle = _is_never_so(selecting, others)
        mine = None if self._shelves.sides is None else self._shelves.sides[0]
        self._is_certain = (
            not self._is_idle
            and pattern.order is not Precedence.GAP
            and (selecting is None or (sides is not None and len(selecting) == 1 and sides[0] == mine))
        )
        """Whether all that lies between cancels; or all of the value that both partners have."""

    def cancelling(self, first: Occurrence, last: Occurrence) -> Iterable[Occurrence]:
        if self._is_idle or not len(self._cancels):
            return ()
        value = None if self._first_value is None else self._first_value(first)
        high = last.start if self._order is Precedence.GAP else last.end
        return self._cancels.meeting(value, first.end + 1 - self._slack, high - 1 + self._slack)

    def partners(self, place: int, one: Occurrence) -> Iterable[Occurrence]:
        if self._is_recent:
            return super().partners(place, one)
        least = -FAR
        if place == 1 and self._is_certain and len(self._cancels):
            # Two ticks apart is before in any case.
            value = None if self._first_value is None else self._shelves.value(1, one)
            least = self._cancels.last_end(value, one.end - max(2 * self._slack - 1, 0))
            least = least if self._slack == 0 or least == -FAR else least - 2 * self._slack + 1
        return self._shelves.partners(place, one, least)

    def hold(self, place: int, one: Occurrence) -> None:
        if place == 2:
            self._cancels.put(one)
        elif self._is_recent:
            super().hold(place, one)
        else:
            self._shelves.pools[place].put(one)

    def release(self, place: int, one: Occurrence) -> None:
        if self._is_recent:
            super().release(place, one)
        else:
            self._shelves.pools[place].take_out(one)

    def remembered(self) -> Any:
        waiting = self._waiting if self._is_recent else self._shelves.memory()
        return waiting, self._cancels.all()

    def remember(self, memory: Any) -> None:
        waiting, cancelling = memory
        if self._is_recent:
            self._waiting = waiting
        else:
            self._shelves.recall(waiting)
        for one in cancelling:
            self._cancels.put(one)

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        super().forget(is_old)
        self._shelves.forget(is_old)
        self._cancels.forget(is_old)


def _selecting(pattern: Absence, others: frozenset[str]) -> list[Guard] | None:
    """What the guard asks of the cancelling ones, where it tells which they are; None if all cancel.

    It is tested with the first and each c, which are then there; of the last nothing is: its variables are `others`.
    """
    guard = pattern.guard
    if guard is None or variables_of(guard).isdisjoint(bound(pattern.without)):
        return None
    return _asked(guard, surely_bound(pattern.first) | surely_bound(pattern.without), others)


def _asked(guard: Guard, there: frozenset[str], missing: frozenset[str]) -> list[Guard]:
    """What a guard asks where some variables are bound and others are not: of alternatives, those that may hold."""
    found: list[Guard] = []
    for part in conjuncts(guard):
        alternatives = list(chained("||", part))
        possible = [each for each in alternatives if not _is_false(each, there, missing)]
        if len(alternatives) > 1 and len(possible) == 1:
            found += _asked(possible[0], there, missing)
        elif not (isinstance(part, Occurred) and part.variable in there):
            found.append(part)
    return found


def _is_false(guard: Guard, there: frozenset[str], missing: frozenset[str]) -> bool:
    """Whether a guard cannot hold, as some variables are bound and others are not."""
    for part in conjuncts(guard):
        match part:
            case Occurred(variable=name) if name in missing:
                return True
            case Not(operand=Occurred(variable=name)) if name in there:
                return True
    return False


def _is_never_so(selecting: list[Guard] | None, last: frozenset[str]) -> bool:
    """Whether what selects compares something of the last event, which is not bound then: nothing cancels."""
    return selecting is not None and any(
        isinstance(part, Binary)
        and part.operator in COMPARISONS
        and any(isinstance(side, Attribute | SourceOf) and side.variable in last for side in (part.left, part.right))
        for part in selecting
    )


class PooledCounting(Counting):
    """TimesEq and TimesDf by the values of their attribute. There are never enough of them left over for another."""

    def __init__(self, pattern: Times, parts: tuple[Node, ...], context: Context) -> None:
        super().__init__(pattern, parts, context)
        self._is_recent = context is Context.RECENT
        self._by_value: dict[object, list[Occurrence]] = {}
        self._pool = Pool()

    def hold(self, one: Occurrence) -> None:
        self._pool.put(one)
        value = attribute_value(one, self._times.attribute)
        insort(self._by_value.setdefault(value, []), one, key=newest)

    def alike(self, value: object) -> list[Occurrence]:
        return list(self._by_value.get(value, ()))

    def chosen(self, value: object) -> list[Occurrence]:
        count = self._times.count
        if self._times.same:
            alike = self._by_value[value]
            return (alike[-count:] if self._is_recent else alike[:count]) if len(alike) >= count else []
        if len(self._by_value) < count:
            return []
        firsts = [waiting[-1 if self._is_recent else 0] for waiting in self._by_value.values()]
        return sorted(firsts, key=newest, reverse=self._is_recent)[:count]

    def release(self, taken: list[Occurrence]) -> None:
        for one in taken:
            self._pool.take_out(one)
            self._leave(one)

    def _leave(self, one: Occurrence) -> None:
        value = attribute_value(one, self._times.attribute)
        waiting = self._by_value[value]
        place = bisect_left(waiting, newest(one), key=newest)
        while waiting[place] is not one:
            place += 1
        del waiting[place]
        if not waiting:
            del self._by_value[value]

    def remembered(self) -> Any:
        return self._pool.all()

    def remember(self, memory: Any) -> None:
        for one in memory:
            self.hold(one)

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        super().forget(is_old)
        for one in self._pool.forget(is_old):
            self._leave(one)


class PooledGathering(Gathering):
    """002's `a * b`: each b looks at the a's that may have ended before it."""

    def __init__(self, pattern: Pattern, parts: tuple[Node, ...], granularity: int | None) -> None:
        super().__init__(pattern, parts)
        self._slack = granularity or 0
        self._pool = Pool(is_by_end=True)

    def partners(self, last: Occurrence) -> Iterable[Occurrence]:
        return self._pool.meeting(None, 1 - FAR, last.end - 1 + self._slack)

    def hold(self, one: Occurrence) -> None:
        self._pool.put(one)

    def release(self, taken: list[Occurrence]) -> None:
        for one in taken:
            self._pool.take_out(one)

    def remembered(self) -> Any:
        return self._pool.all()

    def remember(self, memory: Any) -> None:
        for one in memory:
            self._pool.put(one)

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        super().forget(is_old)
        self._pool.forget(is_old)


class PooledWaiting(Waiting):
    """`e + [t]` with what is due next at hand."""

    def __init__(self, pattern: After, parts: tuple[Node, ...], around: Surroundings, granularity: int | None) -> None:
        super().__init__(pattern, parts, around, granularity)
        self._pool = Pool()
        self._due: list[tuple[int, tuple[object, ...], int, Occurrence]] = []
        self._noted = 0

    def hold(self, whole: Occurrence) -> None:
        self._pool.put(whole)
        heappush(self._due, (whole.end, chronology(whole)[:2], self._noted, whole))
        self._noted += 1
        if len(self._due) > 32 + 2 * len(self._pool):
            self._due = [each for each in self._due if self._pool.holds(each[3])]
            heapify(self._due)

    def first(self) -> Occurrence | None:
        """What is due next."""
        while self._due and not self._pool.holds(self._due[0][3]):
            heappop(self._due)
        return self._due[0][3] if self._due else None

    def release(self, whole: Occurrence) -> None:
        self._pool.take_out(whole)

    def remembered(self) -> Any:
        return self._pool.all()

    def remember(self, memory: Any) -> None:
        for whole in memory:
            self.hold(whole)

    def forget(self, is_old: Callable[[Occurrence], bool]) -> None:
        super().forget(is_old)
        self._pool.forget(is_old)


class PooledMakers(Makers):
    """Makes nodes over pools."""

    def __init__(self, granularity: int | None) -> None:
        self.granularity = granularity

    def pair(self, pattern: Pattern, parts: tuple[Node, ...], fit: Fit, context: Context, ties: Ties) -> Node:
        if context is Context.RECENT:
            return Pair(pattern, parts, fit, context, ties.keeps_last)
        return PooledPair(pattern, parts, fit, context, ties, self.granularity)

    def missing(
        self,
        pattern: Absence,
        parts: tuple[Node, ...],
        context: Context,
        around: Surroundings,
        finish: Callable[[Occurrence | None], Occurrence | None],
        ties: Ties,
    ) -> Node:
        return PooledMissing(pattern, parts, context, around, finish, ties, self.granularity)

    def counting(self, pattern: Times, parts: tuple[Node, ...], context: Context) -> Node:
        return PooledCounting(pattern, parts, context)

    def lining(self, pattern: Streak, parts: tuple[Node, ...], finish: Finish) -> Node:
        return PooledLining(pattern, parts, finish)

    def gathering(self, pattern: Pattern, parts: tuple[Node, ...], granularity: int | None) -> Node:
        return PooledGathering(pattern, parts, granularity)

    def waiting(
        self, pattern: After, parts: tuple[Node, ...], around: Surroundings, granularity: int | None
    ) -> Waiting:
        return PooledWaiting(pattern, parts, around, granularity)
