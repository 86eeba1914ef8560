"""A search in progress, and the points, numbers and tests that steps ask of it.

Registers hold row ids; which arena a register's row is in is known when a plan is built. Everything here is a small
class with one method, so that a step calls it through one pointer.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.guards import Guard
from tocsin.algebra.values import Surroundings, holds
from tocsin.engine.network.arena import Arena, Keys, Numbers
from tocsin.engine.network.assembly import Assembly
from tocsin.engine.network.batch import Store
from tocsin.engine.network.slots import OTHER
from tocsin.engine.network.values import NAN
from tocsin.engine.network.vectors import FAR, filled, reals, widened
from tocsin.time.periods import Period


class Moments:
    """The clocks at which something was found: `now` of the rules, and the clock that is reported."""

    def __init__(self) -> None:
        self.count: i64 = 0
        self.turn: i64 = -1
        self.now = filled(16, 0)
        self.clock = filled(16, 0)

    def at(self, turn: i64, now: i64, clock: i64) -> i64:
        """The index of a turn's moment."""
        count = self.count
        if turn == self.turn:
            return count - 1
        if count == len(self.now):
            self.now = widened(self.now, count * 2, 0)
            self.clock = widened(self.clock, count * 2, 0)
        self.now[count] = now
        self.clock[count] = clock
        self.count = count + 1
        self.turn = turn
        return count

    def clear(self) -> None:
        """Forgets the moments: what was found in them has been reported."""
        self.count, self.turn = 0, -1


class Search:
    """What stands in the registers, the clock, and how far back the rule at work may look."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.rows: vec[i64] = filled(16, 0)
        self.numbers: vec[i64] = filled(16, 0)
        self.ends: vec[i64] = filled(16, 0)
        self.now: i64 = -FAR
        self.settled: i64 = -FAR
        self.low: i64 = -FAR
        self.since: i64 = 0
        self.arrival: i64 = 0
        self.end: i64 = 0
        self.start: i64 = 0
        """When the arrival ended and started; for a moment that has come the end is beyond all windows."""
        self.turn: i64 = 0
        self.next_key: i64 = FAR
        self.stop = False
        self.is_stepping = False
        """Whether what fired is asked for after each arrival."""
        self.has_best = False
        self.failures = 0
        self.around = Surroundings()
        self.clock: i64 = 0
        """The clock that is reported; `now` is that of the rules."""
        self.moments = Moments()

    def reserve(self, registers: int) -> None:
        """Makes room for so many registers."""
        self.rows = widened(self.rows, registers, 0)
        self.numbers = widened(self.numbers, registers, 0)
        self.ends = widened(self.ends, registers, 0)


# -- points in time -----------------------------------------------------------------------------------------------


class Point:
    """A point in time of what stands in the registers."""

    def value(self, s: Search) -> i64:
        """When it is."""
        raise NotImplementedError


class EndOf(Point):
    """The end of a row, so many microseconds later."""

    def __init__(self, arena: Arena, register: int, distance: int) -> None:
        self.arena = arena
        self.register: i64 = register
        self.distance: i64 = distance

    def value(self, s: Search) -> i64:
        return self.arena.ends[s.rows[self.register] & self.arena.mask] + self.distance


class StartOf(Point):
    """The start of a row, so many microseconds later."""

    def __init__(self, arena: Arena, register: int, distance: int) -> None:
        self.arena = arena
        self.register: i64 = register
        self.distance: i64 = distance

    def value(self, s: Search) -> i64:
        return self.arena.starts[s.rows[self.register] & self.arena.mask] + self.distance


class FixedPoint(Point):
    """A point that is told beforehand."""

    def __init__(self, time: int) -> None:
        self.time: i64 = time

    def value(self, s: Search) -> i64:
        return self.time


class Latest(Point):
    """The latest of several points."""

    def __init__(self, points: list[Point]) -> None:
        self.points = points

    def value(self, s: Search) -> i64:
        best = -FAR
        for point in self.points:
            found = point.value(s)
            if found > best:
                best = found
        return best


class Earliest(Point):
    """The earliest of several points."""

    def __init__(self, points: list[Point]) -> None:
        self.points = points

    def value(self, s: Search) -> i64:
        best = FAR
        for point in self.points:
            found = point.value(s)
            if found < best:
                best = found
        return best


class Later(Point):
    """A point so many microseconds later."""

    def __init__(self, point: Point, distance: int) -> None:
        self.point = point
        self.distance: i64 = distance

    def value(self, s: Search) -> i64:
        return self.point.value(s) + self.distance


class CalendarLater(Point):
    """A point some calendar steps later."""

    def __init__(self, point: Point, period: Period) -> None:
        self.point, self.period = point, period

    def value(self, s: Search) -> i64:
        return self.period.added_to(int(self.point.value(s)))


# -- numbers ------------------------------------------------------------------------------------------------------

EXACT: Final = 9007199254740992.0


class Number:
    """A number worked out from columns; NaN where it is not known to be what a guard's evaluation would give."""

    def value(self, s: Search) -> float:
        """What it is."""
        raise NotImplementedError


class Cell(Number):
    """An attribute of a row."""

    def __init__(self, arena: Arena, register: int, column: Numbers) -> None:
        self.arena, self.column = arena, column
        self.register: i64 = register

    def value(self, s: Search) -> float:
        return self.column.values[s.rows[self.register] & self.arena.mask]


class Constant(Number):
    """A number as it is written."""

    def __init__(self, number: float) -> None:
        self.number = number

    def value(self, s: Search) -> float:
        return self.number


class Arithmetic(Number):
    """A sum, difference, product or ratio; not known from EXACT on, where whole numbers and real ones part ways."""

    OPERATORS: Final = "+-*/"

    def __init__(self, operator: str, left: Number, right: Number) -> None:
        self.operator = "+-*/".index(operator)
        self.left, self.right = left, right

    def value(self, s: Search) -> float:
        left, right = self.left.value(s), self.right.value(s)
        if self.operator == 3:
            found = left / right if right != 0.0 else NAN
        else:
            found = left + right if self.operator == 0 else left - right if self.operator == 1 else left * right
        return found if -EXACT < found < EXACT else NAN


# -- tests --------------------------------------------------------------------------------------------------------


class Test:
    """Something that must hold of what stands in the registers, and the test after it.

    Tests, steps and bounds are linked by attributes: an item of a list costs a check of its type each time.
    """

    def __init__(self) -> None:
        self.also: Test | None = None

    def holds(self, s: Search) -> bool:
        """Whether it does."""
        raise NotImplementedError


def linked(tests: list[Test]) -> Test | None:
    """The first of some tests, each linked to the next."""
    for one, other in pairwise(tests):
        one.also = other
    return tests[0] if tests else None


def pass_all(test: Test | None, s: Search) -> bool:
    """Whether a test and all that are linked to it hold."""
    while test is not None:
        if not test.holds(s):
            return False
        test = test.also
    return True


EQUAL: Final[i64] = 0
UNEQUAL: Final[i64] = 1
BELOW: Final[i64] = 2
NOT_ABOVE: Final[i64] = 3
ABOVE: Final[i64] = 4
NOT_BELOW: Final[i64] = 5
OPERATORS: Final = ("==", "!=", "<", "<=", ">", ">=")


class BeforeTest(Test):
    """One point is before another, or not after it, or at it."""

    def __init__(self, left: Point, right: Point, or_equal: bool, same: bool) -> None:
        super().__init__()
        self.left, self.right, self.or_equal, self.same = left, right, or_equal, same

    def holds(self, s: Search) -> bool:
        left, right = self.left.value(s), self.right.value(s)
        if self.same:
            return left == right
        return left <= right if self.or_equal else left < right


class DueTest(Test):
    """A moment has come."""

    def __init__(self, point: Point, settled: bool) -> None:
        super().__init__()
        self.point, self.settled = point, settled

    def holds(self, s: Search) -> bool:
        return self.point.value(s) <= (s.settled if self.settled else s.now)


class Owner:
    """The rules that a search is for. What fails stops them, and nobody else."""

    def __init__(self) -> None:
        self.is_alive = True
        self.failure = ""
        self.granularity: int | None = None
        """The tick of 2g stamps, if there are any."""


class GuardTest(Test):
    """A guard, evaluated as the meaning does it: for all that has no quicker way."""

    def __init__(self, guard: Guard, variables: list[tuple[str, Assembly]], owner: Owner) -> None:
        super().__init__()
        self.guard, self.variables, self.owner = guard, variables, owner

    def holds(self, s: Search) -> bool:
        s.around.now = int(s.now)
        try:
            known = {name: assembly.bound(name, s.rows, s.store) for name, assembly in self.variables}
            return holds(self.guard, known, s.around)
        except Exception as error:  # noqa: BLE001 - whatever a value does, the other rules go on
            self.owner.is_alive = False
            self.owner.failure = f"its guard failed with {type(error).__name__}: {error}"
            s.failures += 1
            return False


class NumberTest(Test):
    """A comparison of two numbers; where one is not a plain number, the guard is evaluated."""

    def __init__(self, operator: str, left: Number, right: Number, otherwise: GuardTest) -> None:
        super().__init__()
        self.operator: i64 = OPERATORS.index(operator)
        self.left, self.right, self.otherwise = left, right, otherwise

    def holds(self, s: Search) -> bool:
        return compared(self.operator, self.left.value(s), self.right.value(s), self.otherwise, s)


class CellTest(Test):
    """A comparison of two attributes: `NumberTest` for the form that most guards have."""

    def __init__(self, operator: str, left: Cell, right: Cell, more: float, otherwise: GuardTest) -> None:
        super().__init__()
        self.operator: i64 = OPERATORS.index(operator)
        self.left_arena, self.left_column, self.left_register = left.arena, left.column, left.register
        self.right_arena, self.right_column, self.right_register = right.arena, right.column, right.register
        self.more, self.otherwise = more, otherwise

    def holds(self, s: Search) -> bool:
        left = self.left_column.values[s.rows[self.left_register] & self.left_arena.mask]
        right = self.right_column.values[s.rows[self.right_register] & self.right_arena.mask]
        if self.more != 0.0:
            right = right + self.more
            if right >= EXACT or right <= -EXACT:
                return self.otherwise.holds(s)
        return compared(self.operator, left, right, self.otherwise, s)


def compared(operator: i64, left: float, right: float, otherwise: Test, s: Search) -> bool:
    """A comparison of plain numbers; `otherwise` decides where one of them is not."""
    if left < right:
        return operator == BELOW or operator == NOT_ABOVE or operator == UNEQUAL
    if left > right:
        return operator == ABOVE or operator == NOT_BELOW or operator == UNEQUAL
    if left == right:
        return operator == EQUAL or operator == NOT_ABOVE or operator == NOT_BELOW
    return otherwise.holds(s)


class SlotTest(Test):
    """Equality of two attributes of any kind, by their slots."""

    def __init__(
        self,
        equal: bool,
        left: tuple[Arena, int, Keys],
        right: tuple[Arena, int, Keys],
        otherwise: GuardTest,
    ) -> None:
        super().__init__()
        self.equal, self.otherwise = equal, otherwise
        self.left_arena, self.left_keys = left[0], left[2]
        self.right_arena, self.right_keys = right[0], right[2]
        self.left_register: i64 = left[1]
        self.right_register: i64 = right[1]

    def holds(self, s: Search) -> bool:
        slots = self.left_keys.slots
        if slots.collapsed:
            return self.otherwise.holds(s)
        left = self.left_keys.values[s.rows[self.left_register] & self.left_arena.mask]
        right = self.right_keys.values[s.rows[self.right_register] & self.right_arena.mask]
        if left < 0 or right < 0:
            # Nothing equals what is missing or not a number; but null is unequal to the latter.
            return not self.equal and self.otherwise.holds(s)
        if left == right:
            return self.equal
        # Values of different kinds are not unequal but incomparable, which is false, and is counted.
        if slots.kinds[left] == slots.kinds[right] != OTHER:
            return not self.equal
        return self.otherwise.holds(s)


class ConstantTest(Test):
    """Equality of an attribute with a constant, by slots."""

    def __init__(self, equal: bool, cell: tuple[Arena, int, Keys], value: object, otherwise: GuardTest) -> None:
        super().__init__()
        self.equal, self.otherwise = equal, otherwise
        self.arena, self.keys = cell[0], cell[2]
        self.register: i64 = cell[1]
        self.slot: i64 = self.keys.slots.pin(value)

    def holds(self, s: Search) -> bool:
        slots = self.keys.slots
        if slots.collapsed:
            return self.otherwise.holds(s)
        found = self.keys.values[s.rows[self.register] & self.arena.mask]
        if found < 0:
            return not self.equal and self.otherwise.holds(s)
        if found == self.slot:
            return self.equal
        if slots.kinds[found] == slots.kinds[self.slot] != OTHER:
            return not self.equal
        return self.otherwise.holds(s)


class PresentTest(Test):
    """An attribute has a value."""

    def __init__(self, arena: Arena, keys: Keys) -> None:
        super().__init__()
        self.arena, self.keys = arena, keys

    def holds(self, s: Search) -> bool:
        return self.keys.values[s.rows[0] & self.arena.mask] >= 0


class OneOfTest(Test):
    """An attribute has one of some values."""

    def __init__(self, arena: Arena, keys: Keys, values: list[object], register: int = 0) -> None:
        super().__init__()
        self.arena, self.keys = arena, keys
        self.register: i64 = register
        self.allowed = set[int]()
        self.allow(values)

    def allow(self, values: list[object]) -> None:
        """From now on these values, and no others."""
        self.allowed = {int(self.keys.slots.pin(value)) for value in values}

    def holds(self, s: Search) -> bool:
        return int(self.keys.values[s.rows[self.register] & self.arena.mask]) in self.allowed


class MadeElsewhereTest(Test):
    """An event was not made by the rule that looks at it."""

    def __init__(self, arena: Arena, maker: str) -> None:
        super().__init__()
        self.arena, self.maker = arena, maker

    def holds(self, s: Search) -> bool:
        number = self.arena.numbers[s.rows[0] & self.arena.mask]
        return s.store.made_by(number) != self.maker


class Best:
    """The oldest occurrence found in a turn: the times of its events, and their numbers in that order."""

    def __init__(self) -> None:
        self.is_known = False
        self.times: list[int] = []
        self.numbers: list[int] = []


# -- families: rules that differ in one constant ------------------------------------------------------------------


class Selection:
    """Which rules of a family a search is about: the first so many, or those of one constant, from 1.

    How many the first so many are is found out when a match is written: most searches end before that.
    """

    def __init__(self) -> None:
        self.value: i64 = 0
        self.family: OrderedFamily | None = None
        self.left, self.base = 0.0, 0.0

    def leave(self, family: OrderedFamily, left: float, base: float) -> None:
        """Notes that a family's guard holds for the first of its rules, if not for more."""
        self.value, self.family, self.left, self.base = 0, family, left, base

    def found(self) -> i64:
        """Which rules they are."""
        if self.value == 0 and self.family is not None:
            self.value = self.family.count_held(self.left, self.base)
        return self.value


class OrderedFamily(Test):
    """`e op c`, `e op e + c` or `e op e - c` for many constants, sorted so that it holds for the first few."""

    def __init__(
        self,
        selection: Selection,
        operator: str,
        left: Number,
        base: Number | None,
        sign: float,
        constants: list[float],
        otherwise: list[GuardTest],
    ) -> None:
        super().__init__()
        self.selection, self.left, self.base, self.sign, self.otherwise = selection, left, base, sign, otherwise
        self.operator: i64 = OPERATORS.index(operator)
        self.constants: vec[float] = reals(len(constants))
        for place, constant in enumerate(constants):
            self.constants[place] = constant
        self.room = EXACT - max([abs(constant) for constant in constants])
        self.count: i64 = len(constants)

    def holds(self, s: Search) -> bool:
        left, base = self.left.value(s), 0.0
        if self.base is not None:
            base = self.base.value(s)
        # Written so that a NaN is not plain either.
        if not (-self.room < base < self.room and (left < 0.0 or left >= 0.0)):
            return self._evaluated(s)
        if not self._holds(left, base, 0):
            return False
        self.selection.leave(self, left, base)
        return True

    def count_held(self, left: float, base: float) -> i64:
        """For how many constants the guard holds, known to hold for the first."""
        low: i64 = 1
        high = self.count
        while low < high:
            middle = (low + high) >> 1
            if self._holds(left, base, middle):
                low = middle + 1
            else:
                high = middle
        return low

    def _holds(self, left: float, base: float, place: i64) -> bool:
        right = self.constants[place]
        if self.base is not None:
            right = base + right if self.sign > 0.0 else base - right
        if self.operator == BELOW:
            return left < right
        if self.operator == NOT_ABOVE:
            return left <= right
        return left > right if self.operator == ABOVE else left >= right

    def _evaluated(self, s: Search) -> bool:
        count = 0
        for test in self.otherwise:
            if not test.holds(s):
                break
            count += 1
        self.selection.value = count
        return count > 0


class EqualFamily(Test):
    """`x.attr == c` for many texts."""

    def __init__(
        self, selection: Selection, cell: tuple[Arena, int, Keys], texts: list[str], otherwise: list[GuardTest]
    ) -> None:
        super().__init__()
        self.selection, self.otherwise = selection, otherwise
        self.arena, self.keys = cell[0], cell[2]
        self.register: i64 = cell[1]
        slots = [int(self.keys.slots.pin(text)) for text in texts]
        self.places: vec[i64] = filled(max(slots) + 1, 0)
        for place, slot in enumerate(slots):
            self.places[slot] = place + 1

    def holds(self, s: Search) -> bool:
        if self.keys.slots.collapsed:
            return self._evaluated(s)
        slot = self.keys.values[s.rows[self.register] & self.arena.mask]
        if slot < 0 or slot >= len(self.places) or self.places[slot] == 0:
            return False
        self.selection.value = self.places[slot]
        return True

    def _evaluated(self, s: Search) -> bool:
        for place, test in enumerate(self.otherwise):
            if test.holds(s):
                self.selection.value = place + 1
                return True
        return False
