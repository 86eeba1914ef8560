"""Guards as tests over columns, where a quicker way than evaluating them gives the same answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tocsin.algebra.guards import COMPARISONS, Attribute, Binary, Guard, Literal, SourceOf
from tocsin.algebra.patterns import Pattern, Precedence
from tocsin.algebra.values import is_number
from tocsin.engine.network.arena import Arena, Keys
from tocsin.engine.network.assembly import Assembly
from tocsin.engine.network.search import (
    EXACT,
    Arithmetic,
    CalendarLater,
    Cell,
    CellTest,
    Constant,
    ConstantTest,
    Earliest,
    EndOf,
    EqualFamily,
    FixedPoint,
    GuardTest,
    Later,
    Latest,
    Number,
    NumberTest,
    OrderedFamily,
    Owner,
    Point,
    Selection,
    SlotTest,
    StartOf,
    Test,
)
from tocsin.engine.network.slots import Slots
from tocsin.engine.network.stamped import StampTest
from tocsin.plan import searches as plans
from tocsin.plan.searches import SOURCE
from tocsin.plan.trees import slot_register

Variables = tuple[tuple[str, Pattern], ...]


class Compiler:
    """Compiles what is asked of the registers of one plan."""

    def __init__(
        self,
        table: Callable[[list[str]], Slots],
        arenas: dict[int, Arena],
        selection: Selection,
        constants: tuple[object, ...],
        owner: Owner,
    ) -> None:
        self.table, self.arenas, self.selection, self.constants = table, arenas, selection, constants
        self.owner = owner

    # -- points --------------------------------------------------------------------------------------------------

    def point(self, point: plans.Point) -> Point:
        """A point in time."""
        match point:
            case plans.Edge(register=register, is_start=is_start):
                return (StartOf if is_start else EndOf)(self.arenas[register], register, 0)
            case plans.Moment(time=time):
                return FixedPoint(time)
            case plans.Extreme(of=points, is_latest=is_latest):
                return (Latest if is_latest else Earliest)([self.point(each) for each in points])
            case plans.Shifted(point=inner, period=period):
                if period.years or period.months:
                    return CalendarLater(self.point(inner), period)
                if isinstance(inner, plans.Edge):
                    edge = StartOf if inner.is_start else EndOf
                    return edge(self.arenas[inner.register], inner.register, period.microseconds)
                return Later(self.point(inner), period.microseconds)

    # -- guards --------------------------------------------------------------------------------------------------

    def slow(self, guard: Guard, variables: Variables) -> GuardTest:
        """A guard, evaluated as the meaning evaluates it."""
        ticks = self.owner.granularity
        return GuardTest(guard, [(name, Assembly(tree, self.arenas, ticks)) for name, tree in variables], self.owner)

    def stamps(self, left: Pattern, right: Pattern, order: Precedence | None) -> Test:
        """The order of two parts by their 2g stamps."""
        return StampTest(left, right, order, self.arenas, self.owner.granularity)

    def test(self, guard: Guard, variables: Variables) -> Test:
        """A guard, the quickest way."""
        if plans.has_hole(guard):
            assert isinstance(guard, Binary)
            return self._family(guard, variables)
        otherwise = self.slow(guard, variables)
        if isinstance(guard, Binary) and guard.operator in COMPARISONS:
            trees = dict(variables)
            if guard.operator in ("==", "!="):
                return self._equality(guard, trees, otherwise) or otherwise
            left, right = self._number(guard.left, trees), self._number(guard.right, trees)
            if left is not None and right is not None:
                return self._comparison(guard.operator, left, right, otherwise)
        return otherwise

    def _comparison(self, operator: str, left: Number, right: Number, otherwise: GuardTest) -> Test:
        if isinstance(left, Cell):
            if isinstance(right, Cell):
                return CellTest(operator, left, right, 0.0, otherwise)
            if isinstance(right, Arithmetic) and right.operator == 0:
                cell, more = right.left, right.right
                if isinstance(cell, Cell) and isinstance(more, Constant):
                    return CellTest(operator, left, cell, more.number, otherwise)
        return NumberTest(operator, left, right, otherwise)

    def _equality(self, guard: Binary, trees: dict[str, Pattern], otherwise: GuardTest) -> Test | None:
        sides = [self._cell_of(side, trees) for side in (guard.left, guard.right)]
        is_equal = guard.operator == "=="
        names = [name for side in sides if side is not None for name in side[2:]]
        table = self.table(names)
        if sides[0] is not None and sides[1] is not None:
            return SlotTest(is_equal, self._keys(sides[0], table), self._keys(sides[1], table), otherwise)
        for side, other in ((sides[0], guard.right), (sides[1], guard.left)):
            if side is not None and isinstance(other, Literal) and isinstance(other.value, str | int | float | None):
                if other.value != other.value:
                    return None
                return ConstantTest(is_equal, self._keys(side, table), other.value, otherwise)
        return None

    def _family(self, guard: Binary, variables: Variables) -> Test:
        """A guard with a different constant for each rule."""
        otherwise = [self.slow(_filled(guard, constant), variables) for constant in self.constants]
        trees = dict(variables)
        if guard.operator == "==":
            cell = self._cell_of(guard.left, trees)
            assert cell is not None
            texts = [str(constant) for constant in self.constants]
            return EqualFamily(self.selection, self._keys(cell, self.table([cell[2]])), texts, otherwise)
        left, base, sign = self._number(guard.left, trees), None, 1.0
        if isinstance(guard.right, Binary):
            base = self._number(guard.right.left, trees)
            sign = 1.0 if guard.right.operator == "+" else -1.0
            if base is None:
                left = None
        if left is None:
            left = NOT_KNOWN
        constants = [float(constant) for constant in self.constants]  # type: ignore[arg-type]  # numbers
        return OrderedFamily(self.selection, guard.operator, left, base, sign, constants, otherwise)

    def _keys(self, cell: tuple[Arena, int, str], table: Slots) -> tuple[Arena, int, Keys]:
        arena, register, name = cell
        return arena, register, arena.key(name, table)

    def _cell_of(self, guard: Guard, trees: dict[str, Pattern]) -> tuple[Arena, int, str] | None:
        """The attribute of a single event that a guard is, if it is one."""
        if not isinstance(guard, Attribute | SourceOf) or guard.variable not in trees:
            return None
        register = slot_register(trees[guard.variable])
        if register < 0:
            return None
        return self.arenas[register], register, guard.name if isinstance(guard, Attribute) else SOURCE

    def _number(self, guard: Guard, trees: dict[str, Pattern]) -> Number | None:
        """A guard as a number worked out from columns."""
        if isinstance(guard, Literal):
            value = guard.value
            plain = is_number(value) and isinstance(value, int | float) and -EXACT <= value <= EXACT
            return Constant(float(value)) if plain else None  # type: ignore[arg-type]  # a plain number
        if isinstance(guard, Attribute):
            cell = self._cell_of(guard, trees)
            return None if cell is None else Cell(cell[0], cell[1], cell[0].measure(cell[2]))
        if isinstance(guard, Binary) and guard.operator in Arithmetic.OPERATORS:
            left, right = self._number(guard.left, trees), self._number(guard.right, trees)
            return None if left is None or right is None else Arithmetic(guard.operator, left, right)
        return None


NOT_KNOWN = Constant(float("nan"))
"""Stands for what is not worked out from columns: the guard is evaluated then."""


def _filled(guard: Guard, constant: object) -> Guard:
    """A guard with the constant of one rule in its hole."""
    if isinstance(guard, plans.Hole):
        return Literal(constant)  # type: ignore[arg-type]  # as it came out of a literal
    if isinstance(guard, Binary):
        return replace(guard, left=_filled(guard.left, constant), right=_filled(guard.right, constant))
    return guard
