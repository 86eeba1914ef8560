"""Values of guards: what they are called, how they compare, and what can be calculated with them.

Nothing here raises. What makes no sense is MISSING; values that cannot be compared make the comparison false. That is
counted, because the rule's author should hear of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from tocsin.algebra.occurrence import Occurrence, same_occurrence
from tocsin.events import Moment
from tocsin.time.calendar import TimePoint
from tocsin.time.spans import SECOND, Period


class Missing:
    """The value of what is not there."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


@dataclass
class Surroundings:
    """What a guard can see besides its variables: the clock, and a count of what could not be compared."""

    now: int = 0
    incomparable: dict[str, int] = field(default_factory=dict)

    def note(self, left: object, right: object) -> bool:
        """Counts a comparison of values that have no order, which is false."""
        if left is MISSING or right is MISSING:
            return False  # there is nothing wrong with what is there
        return self.note_kinds(type_name(left), type_name(right))

    def note_kinds(self, one: str, other: str) -> bool:
        """Counts two types that do not go together, or one that stands where the other is wanted."""
        kind = " with ".join(sorted((one, other)))  # whichever side they stand on
        self.incomparable[kind] = self.incomparable.get(kind, 0) + 1
        return False


def is_number(value: object) -> bool:
    """True for integers and floats; a boolean is not a number here."""
    return isinstance(value, int | float) and not isinstance(value, bool | Moment)


def type_name(value: object) -> str:
    """What people call the type of `value`."""
    if value is None:
        return "null"
    names = ((bool, "boolean"), (Moment, "time"), (str, "string"), (int, "number"), (float, "number"))
    for kind, name in (*names, (Period, "period"), (TimePoint, "time point"), (Occurrence, "event")):
        if isinstance(value, kind):
            return name
    return "list"


# -- comparing -------------------------------------------------------------------------------------------------

TESTS: dict[str, Callable[[int], bool]] = {
    "==": lambda sign: sign == 0,
    "!=": lambda sign: sign != 0,
    "<": lambda sign: sign < 0,
    "<=": lambda sign: sign <= 0,
    ">": lambda sign: sign > 0,
    ">=": lambda sign: sign >= 0,
}


def compare(operator: str, left: object, right: object, around: Surroundings) -> bool:
    """`left operator right`; false where either is missing or the two have no order."""
    if left is MISSING or right is MISSING:
        return False
    sign = order_of(left, right)
    if sign is not None:
        return TESTS[operator](sign)
    if operator in ("==", "!=") and (equal := _equality(left, right)) is not None:
        return equal is (operator == "==")
    return around.note(left, right)


def order_of(left: object, right: object) -> int | None:
    """-1, 0 or 1 as `left` is below, equal to or above `right`; None if they have no order."""
    if is_number(left) and is_number(right):
        return None if _is_nan(left) or _is_nan(right) else _sign(left, right)
    if isinstance(left, str) and isinstance(right, str):
        return _sign(left, right)
    if isinstance(left, TimePoint) and isinstance(right, Moment):
        return -left.compare(right.microseconds)
    if isinstance(left, Moment) and isinstance(right, TimePoint):
        return right.compare(left.microseconds)
    if isinstance(left, Moment | Period) or isinstance(right, Moment | Period):
        one, other = _microseconds(left, right), _microseconds(right, left)
        return None if one is None or other is None else _sign(one, other)
    return None


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _sign(left: object, right: object) -> int:
    return int(left > right) - int(left < right)  # type: ignore[operator]  # the caller knows they compare


def _microseconds(value: object, beside: object) -> int | float | None:
    """A moment or a period as a number, to compare with its like. Numbers are seconds (SEMANTICS section 6)."""
    if isinstance(value, Moment):
        return value.microseconds if not isinstance(beside, Period) else None
    if isinstance(value, Period):
        return value.length() if not isinstance(beside, Moment) else None
    if not is_number(value):
        return None
    if isinstance(value, int):
        return value * SECOND
    assert isinstance(value, float)
    if math.isnan(value):
        return None
    return round(value * SECOND) if math.isfinite(value * SECOND) else value


def _equality(left: object, right: object) -> bool | None:
    """Whether two values that have no order are equal; None if that cannot be asked."""
    if isinstance(left, bool) and isinstance(right, bool):
        return left == right
    if left is None or right is None:
        return left is right
    if isinstance(left, Occurrence) and isinstance(right, Occurrence):
        return same_occurrence(left, right)
    return None


# -- arithmetic ------------------------------------------------------------------------------------------------


def arithmetic(operator: str, left: object, right: object, around: Surroundings) -> object:
    """`left operator right` on numbers, moments and periods; text joins with `+`; MISSING where it makes no sense."""
    found = _calculated(operator, left, right)
    if found is None:
        around.note(left, right)
        return MISSING
    return found


def negative(value: object, around: Surroundings) -> object:
    """`-value`; a period has none in a guard."""
    if is_number(value):
        return -value  # type: ignore[operator]  # is_number says so
    return wrong(value, "number", around)


def wrong(value: object, wanted: str, around: Surroundings) -> Missing:
    """What is made of a value of another type than the one wanted: nothing. It is counted if it is there."""
    if value is not MISSING:
        around.note_kinds(type_name(value), wanted)
    return MISSING


def _calculated(operator: str, left: object, right: object) -> object:
    """The same; None if these types have no such operation."""
    if is_number(left) and is_number(right):
        return _numbers(operator, left, right)
    if isinstance(left, str) and isinstance(right, str):
        return left + right if operator == "+" else None
    if isinstance(left, Moment) and isinstance(right, Moment):
        # 003 example 6: "the interval specified by @x-@y is always positive, no matter which one occurs first".
        return Period.of(microseconds=abs(left.microseconds - right.microseconds)) if operator == "-" else None
    if isinstance(left, Moment) and isinstance(right, Period) and operator in "+-":
        return Moment((right if operator == "+" else right.scaled(-1)).added_to(left.microseconds))
    if isinstance(left, Period) and isinstance(right, Moment) and operator == "+":
        return Moment(left.added_to(right.microseconds))
    if isinstance(left, Period) and isinstance(right, Period) and operator in "+-":
        return left + (right if operator == "+" else right.scaled(-1))
    if isinstance(left, Period) and is_number(right) and operator == "*":
        return _scaled(left, right)
    if isinstance(right, Period) and is_number(left) and operator == "*":
        return _scaled(right, left)
    return None


def _scaled(period: Period, factor: object) -> object:
    """So many times a period; a part of a calendar step has no fixed length."""
    if isinstance(factor, int):
        return period.scaled(factor)
    if period.years or period.months or not isinstance(factor, float):
        return MISSING
    try:
        return Period.of(microseconds=round(period.microseconds * factor))
    except (OverflowError, ValueError):
        return MISSING


def _numbers(operator: str, left: object, right: object) -> object:
    """`/` is real, `//` whole and towards zero, `%` what is left of that; division by zero has no value."""
    try:
        match operator:
            case "+":
                value: object = left + right  # type: ignore[operator]  # both are numbers
            case "-":
                value = left - right  # type: ignore[operator]
            case "*":
                value = left * right  # type: ignore[operator]
            case "/":
                value = left / right  # type: ignore[operator]
            case "//":
                value = _whole_quotient(left, right)
            case _ if are_whole(left, right):
                value = left - right * _whole_quotient(left, right)  # type: ignore[operator]
            case _:
                value = math.fmod(left, right)  # type: ignore[arg-type]
    except (ZeroDivisionError, OverflowError, ValueError):
        return MISSING
    # A whole number beyond 4,300 digits cannot even be printed: it came from a runaway product.
    return MISSING if isinstance(value, int) and value.bit_length() > 4096 else value


def are_whole(left: object, right: object) -> bool:
    return isinstance(left, int) and isinstance(right, int)


def _whole_quotient(left: object, right: object) -> int:
    """How often `right` goes into `left`, exactly where both are whole numbers."""
    if are_whole(left, right):
        size: int = abs(left) // abs(right)  # type: ignore[arg-type]
        return size if (left < 0) == (right < 0) else -size  # type: ignore[operator]
    quotient: float = left / right  # type: ignore[operator]
    return math.trunc(quotient)
