"""What a guard is worth: evaluation over the variables of an occurrence.

Nothing here raises. A reference to an event that has not occurred, or to an attribute that is not there, is
MISSING; a comparison with MISSING is false, `!=` too, and `!` then negates that. Values that cannot be compared
make the comparison false and are counted, because the rule's author should hear of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tocsin.algebra.guards import (
    Attribute,
    Binary,
    Call,
    Duration,
    End,
    Guard,
    Literal,
    Negative,
    Not,
    Now,
    Occurred,
    Point,
    Reference,
    Self,
    SourceOf,
    Start,
)
from tocsin.algebra.occurrence import Bound, Occurrence, same_occurrence
from tocsin.events import SELF, Moment
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
        kind = " with ".join(sorted((type_name(left), type_name(right))))  # whichever side they stand on
        self.incomparable[kind] = self.incomparable.get(kind, 0) + 1
        return False


def holds(guard: Guard | None, variables: Mapping[str, Bound], around: Surroundings) -> bool:
    """True where `guard` is true; no guard always holds."""
    return guard is None or evaluate(guard, variables, around) is True


def evaluate(guard: Guard, variables: Mapping[str, Bound], around: Surroundings) -> object:
    """The value of `guard`: a string, number, boolean, None, Moment, Period, TimePoint, occurrence or MISSING."""
    match guard:
        case Literal(value=value):
            return value
        case Duration(period=period):
            return period
        case Point(point=point):
            return Moment(point.instant()) if point.exact else point
        case Now():
            return Moment(around.now)
        case Self():
            return SELF
        case Occurred(variable=name):
            return name in variables
        case Attribute(variable=name, name=attribute):
            return _each(variables.get(name), lambda one: _attribute(one, attribute))
        case End(variable=name):
            return _each(variables.get(name), lambda one: Moment(one.end))
        case Start(variable=name):
            return _each(variables.get(name), lambda one: Moment(one.start))
        case SourceOf(variable=name):
            return _each(variables.get(name), lambda one: one.events[-1].source if one.events else MISSING)
        case Reference(variable=name):
            return variables.get(name, MISSING)
        case Not(operand=inner):
            return evaluate(inner, variables, around) is not True
        case Negative(operand=inner):
            number = evaluate(inner, variables, around)
            return -number if is_number(number) else MISSING  # type: ignore[operator]  # is_number says so
        case Binary(operator="&&", left=left, right=right):
            return evaluate(left, variables, around) is True and evaluate(right, variables, around) is True
        case Binary(operator="||", left=left, right=right):
            return evaluate(left, variables, around) is True or evaluate(right, variables, around) is True
        case Binary(operator=operator, left=left, right=right):
            one, other = evaluate(left, variables, around), evaluate(right, variables, around)
            if operator in _TESTS:
                return compare(operator, one, other, around)
            return arithmetic(operator, one, other)
        case Call(function=name, arguments=arguments):
            return FUNCTIONS[name](around, *(evaluate(argument, variables, around) for argument in arguments))
    raise AssertionError(f"no value for {type(guard).__name__}")


def _each(value: Bound | None, get: Callable[[Occurrence], object]) -> object:
    """A property of what a variable stands for; of a repetition, the list of its properties."""
    if value is None:
        return MISSING
    if isinstance(value, Occurrence):
        return get(value)
    return [found for one in value if (found := get(one)) is not MISSING]


def _attribute(one: Occurrence, attribute: str) -> object:
    """An attribute of the single event that an occurrence is; a composite has none."""
    if len(one.events) != 1:
        return MISSING
    value: object = one.events[0].data.get(attribute, MISSING)
    return value


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

_TESTS: dict[str, Callable[[int], bool]] = {
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
        return _TESTS[operator](sign)
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


def arithmetic(operator: str, left: object, right: object) -> object:
    """`left operator right` on numbers, moments and periods; text joins with `+`; MISSING where it makes no sense."""
    if is_number(left) and is_number(right):
        return _numbers(operator, left, right)
    if isinstance(left, str) and isinstance(right, str):
        return left + right if operator == "+" else MISSING
    if isinstance(left, Moment) and isinstance(right, Moment):
        # 003 example 6: "the interval specified by @x-@y is always positive, no matter which one occurs first".
        return Period.of(microseconds=abs(left.microseconds - right.microseconds)) if operator == "-" else MISSING
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
    return MISSING


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
    """C's arithmetic: whole numbers divide to whole numbers, towards zero; division by zero has no value."""
    try:
        match operator:
            case "+":
                value: object = left + right  # type: ignore[operator]  # both are numbers
            case "-":
                value = left - right  # type: ignore[operator]
            case "*":
                value = left * right  # type: ignore[operator]
            case "/":
                value = _quotient(left, right)
            case _:
                value = left - right * _quotient(left, right) if _whole(left, right) else math.fmod(left, right)  # type: ignore[operator,arg-type]
    except (ZeroDivisionError, OverflowError, ValueError):
        return MISSING
    # A whole number beyond 4,300 digits cannot even be printed: it came from a runaway product.
    return MISSING if isinstance(value, int) and value.bit_length() > 4096 else value


def _whole(left: object, right: object) -> bool:
    return isinstance(left, int) and isinstance(right, int)


def _quotient(left: object, right: object) -> object:
    if _whole(left, right):
        size: int = abs(left) // abs(right)  # type: ignore[arg-type]
        return size if (left < 0) == (right < 0) else -size  # type: ignore[operator]
    return left / right  # type: ignore[operator]


# -- functions -------------------------------------------------------------------------------------------------


def _text(test: Callable[[str, str], bool]) -> Callable[..., object]:
    def run(around: Surroundings, one: object, other: object) -> object:
        return isinstance(one, str) and isinstance(other, str) and test(one, other)

    return run


def _relation(test: Callable[[int, int, int, int], bool]) -> Callable[..., object]:
    """A relation of the intervals of two occurrences, by their starts and ends."""

    def run(around: Surroundings, one: object, other: object) -> object:
        if not isinstance(one, Occurrence) or not isinstance(other, Occurrence):
            return False
        return test(one.start, one.end, other.start, other.end)

    return run


def _contains(around: Surroundings, one: object, other: object) -> object:
    """`contains('text', 'ex')`, and Allen's "x contains y" where both are events."""
    if isinstance(one, str):
        return isinstance(other, str) and other in one
    return _relation(lambda s, e, s2, e2: s < s2 and e2 < e)(around, one, other)


def _member(around: Surroundings, one: object, *others: object) -> object:
    return any(compare("==", one, other, around) for other in others)


def _absolute(around: Surroundings, one: object) -> object:
    if isinstance(one, Period):
        return one if one.length() >= 0 else one.scaled(-1)
    if isinstance(one, float):
        return abs(one)
    if isinstance(one, int) and not isinstance(one, bool):
        return abs(one)
    return MISSING


def _size(around: Surroundings, one: object) -> object:
    return len(one) if isinstance(one, str | list | tuple) else MISSING


def _aggregate(combine: Callable[[list[object]], object]) -> Callable[..., object]:
    """A function over the values of a repetition; of a single value, over that one."""

    def run(around: Surroundings, one: object) -> object:
        values = list(one) if isinstance(one, list | tuple) else [] if one is MISSING else [one]
        return combine(values)

    return run


def _numeric(combine: Callable[[list[Any]], object]) -> Callable[[list[object]], object]:
    """A function over the numbers among some values: whole ones stay whole, so nothing here is called a float."""

    def run(values: list[object]) -> object:
        numbers = [value for value in values if is_number(value)]
        try:
            return combine(numbers) if numbers else MISSING
        except OverflowError:
            return MISSING

    return run


def _extreme(sign: int) -> Callable[[list[object]], object]:
    """The greatest (1) or least (-1) of the numbers; where there are none, of the texts, times or periods."""

    def run(values: list[object]) -> object:
        best: object = MISSING
        for value in [v for v in values if is_number(v)] or values:
            order = sign if best is MISSING else order_of(value, best)
            if order is None:
                return MISSING
            best = value if order == sign else best
        return best

    return run


FUNCTIONS: dict[str, Callable[..., object]] = {
    "abs": _absolute,
    "len": _size,
    "lower": lambda around, one: one.lower() if isinstance(one, str) else MISSING,
    "upper": lambda around, one: one.upper() if isinstance(one, str) else MISSING,
    "startswith": _text(lambda one, other: one.startswith(other)),
    "endswith": _text(lambda one, other: one.endswith(other)),
    "in": _member,
    # Allen's thirteen relations of two intervals [s, e] and [s2, e2]; 003's Fig. 3 draws some of them.
    "before": _relation(lambda s, e, s2, e2: e < s2),
    "after": _relation(lambda s, e, s2, e2: e2 < s),
    "meets": _relation(lambda s, e, s2, e2: e == s2 and s < s2 and e < e2),
    "met_by": _relation(lambda s, e, s2, e2: e2 == s and s2 < s and e2 < e),
    "overlaps": _relation(lambda s, e, s2, e2: s < s2 < e < e2),
    "overlapped_by": _relation(lambda s, e, s2, e2: s2 < s < e2 < e),
    "starts": _relation(lambda s, e, s2, e2: s == s2 and e < e2),
    "started_by": _relation(lambda s, e, s2, e2: s == s2 and e2 < e),
    "during": _relation(lambda s, e, s2, e2: s2 < s and e < e2),
    "contains": _contains,
    "finishes": _relation(lambda s, e, s2, e2: s2 < s and e == e2),
    "finished_by": _relation(lambda s, e, s2, e2: s < s2 and e == e2),
    "equals": _relation(lambda s, e, s2, e2: s == s2 and e == e2),
    # Over the occurrences of a repetition.
    "first": _aggregate(lambda values: values[0] if values else MISSING),
    "last": _aggregate(lambda values: values[-1] if values else MISSING),
    "count": _aggregate(len),
    "list": _aggregate(lambda values: values),
    "sum": _aggregate(_numeric(sum)),
    "min": _aggregate(_extreme(-1)),
    "max": _aggregate(_extreme(1)),
    "avg": _aggregate(_numeric(lambda numbers: sum(numbers) / len(numbers))),
}
"""Every function a guard can call, by name. The first argument is the surroundings."""

ALLEN = [
    "before",
    "after",
    "meets",
    "met_by",
    "overlaps",
    "overlapped_by",
    "starts",
    "started_by",
    "during",
    "contains",
    "finishes",
    "finished_by",
    "equals",
]
AGGREGATES = ("first", "last", "count", "sum", "min", "max", "avg", "list")
