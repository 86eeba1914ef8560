"""What a guard is worth: evaluation over the variables of an occurrence.

Nothing here raises. A reference to an event that has not occurred, or to an attribute that is not there, is
MISSING; a comparison with MISSING is false, `!=` too, and `!` then negates that. Values that cannot be compared
make the comparison false and are counted, because the rule's author should hear of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tocsin.algebra.attributes import found_in
from tocsin.algebra.functions import AGGREGATES, FUNCTIONS
from tocsin.algebra.guards import (
    COMPARISONS,
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
from tocsin.algebra.occurrence import Bound, Occurrence, Rebound, all_bound
from tocsin.algebra.operations import MISSING, Missing, Surroundings, arithmetic, compare, is_number, negative
from tocsin.events import SELF, Moment

__all__ = ["MISSING", "Missing", "Surroundings", "evaluate", "holds", "is_number"]


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
            return negative(evaluate(inner, variables, around), around)
        case Binary(operator="&&", left=left, right=right):
            return evaluate(left, variables, around) is True and evaluate(right, variables, around) is True
        case Binary(operator="||", left=left, right=right):
            return evaluate(left, variables, around) is True or evaluate(right, variables, around) is True
        case Binary(operator=operator, left=left, right=right):
            one, other = evaluate(left, variables, around), evaluate(right, variables, around)
            if operator in COMPARISONS:
                return compare(operator, one, other, around)
            return arithmetic(operator, one, other, around)
        case Call(function=name, arguments=arguments):
            if name in AGGREGATES:
                variables = _with_all_bound(variables)
            return FUNCTIONS[name].run(around, *(evaluate(argument, variables, around) for argument in arguments))
    raise AssertionError(f"no value for {type(guard).__name__}")


def _with_all_bound(variables: Mapping[str, Bound]) -> Mapping[str, Bound]:
    """The variables for an aggregate: one that was bound several times stands for all it was bound to."""
    if not any(isinstance(value, Rebound) for value in variables.values()):
        return variables
    return {name: all_bound(value) if isinstance(value, Rebound) else value for name, value in variables.items()}


def _each(value: Bound | None, get: Callable[[Occurrence], object]) -> object:
    """A property of what a variable stands for; of a repetition the list of them, with MISSING where one has none."""
    if value is None:
        return MISSING
    if isinstance(value, Occurrence):
        return get(value)
    return [get(one) for one in value]


def _attribute(one: Occurrence, attribute: str) -> object:
    """An attribute of the single event that an occurrence is; a composite has none."""
    if len(one.events) != 1:
        return MISSING
    return found_in(one.events[0].data, attribute)
