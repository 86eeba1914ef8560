"""Types of guards, against what events declare: faults that can be told before anything runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tocsin.algebra.functions import (
    AGGREGATES,
    BOOLEAN,
    EVENT,
    FUNCTIONS,
    NULL,
    NUMBER,
    PERIOD,
    STRING,
    TIME,
    Function,
)
from tocsin.algebra.guards import (
    ARITHMETIC,
    COMPARISONS,
    LOGIC,
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
    variables_of,
)
from tocsin.algebra.patterns import AnyEvent, At, AtInstant, Every, Pattern, Primitive
from tocsin.algebra.rules import Declaration
from tocsin.algebra.text_patterns import BadPattern
from tocsin.errors import Fault, choices, nearest
from tocsin.time.calendar import validate

OF_DECLARED = {"char": STRING, "long": NUMBER, "double": NUMBER, "string": STRING, "time": TIME, "itime": PERIOD}
"""The type of a guard's attribute for each type a GEM declaration can give it."""

_COMPARABLE = {
    frozenset({NUMBER}),
    frozenset({STRING}),
    frozenset({TIME}),
    frozenset({PERIOD}),
    frozenset({NUMBER, TIME}),  # numbers are seconds since 1970
    frozenset({NUMBER, PERIOD}),  # ... or seconds
}
_EQUATABLE = _COMPARABLE | {frozenset({BOOLEAN}), frozenset({EVENT}), frozenset({NULL})}


@dataclass
class Scope:
    """The variables a guard may name, what each stands for, and the declared classes."""

    variables: Mapping[str, Pattern]
    declarations: Mapping[str, Declaration] = field(default_factory=dict)
    repeated: frozenset[str] = frozenset()
    ambiguous: frozenset[str] = frozenset()
    """Class names that occur more than once, and so name nothing."""
    strict: bool = False
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    """Variables that are there, but not here: what to do about it."""
    is_gem: bool = False
    """In GEM an event of any class has no attributes that could be known."""
    measured: frozenset[str] = frozenset()
    """Variables of which aggregates over windows tell: each stands for the one event with which they are told."""


def guard_faults(guard: Guard, scope: Scope) -> list[Fault]:
    """Everything wrong with a guard that must be true or false."""
    faults: list[Fault] = []
    found = type_of(guard, scope, faults.append)
    if found not in (None, BOOLEAN):
        faults.append(Fault(f"a guard must be true or false, and this is {a(found)}", guard.span, "a comparison"))
    return faults


def value_faults(guard: Guard, scope: Scope) -> list[Fault]:
    """Everything wrong with an expression that may have any value."""
    faults: list[Fault] = []
    type_of(guard, scope, faults.append)
    return faults


def type_of(guard: Guard, scope: Scope, report: Callable[[Fault], None], inside_aggregate: bool = False) -> str | None:
    """The type of a guard, or None if only the running event will tell. Faults are reported on the way."""
    match guard:
        case Literal(value=value):
            return _literal_type(value)
        case Duration():
            return PERIOD
        case Point(point=point):
            if (wrong := validate(point)) is not None:
                report(Fault(wrong, guard.span))
            return TIME
        case Now():
            return TIME
        case Self():
            return STRING
        case Attribute() | End() | Start() | SourceOf() | Occurred() | Reference():
            return _variable_type(guard, scope, report, inside_aggregate)
        case Not(operand=inner):
            _expect(inner, BOOLEAN, scope, report)
            return BOOLEAN
        case Negative(operand=inner):
            _expect(inner, NUMBER, scope, report)
            return NUMBER
        case Binary(operator=operator, left=left, right=right):
            return _binary_type(guard, operator, left, right, scope, report)
        case Call():
            return _call_type(guard, scope, report)
    raise AssertionError(f"no type for {type(guard).__name__}")


def _literal_type(value: object) -> str:
    if value is None:
        return NULL
    return BOOLEAN if isinstance(value, bool) else STRING if isinstance(value, str) else NUMBER


def _expect(guard: Guard, wanted: str, scope: Scope, report: Callable[[Fault], None]) -> None:
    found = type_of(guard, scope, report)
    if found not in (None, wanted):
        report(Fault(f"this is {a(found)}", guard.span, a(wanted)))


def _binary_type(
    guard: Guard, operator: str, left: Guard, right: Guard, scope: Scope, report: Callable[[Fault], None]
) -> str | None:
    if operator not in (*COMPARISONS, *ARITHMETIC, *LOGIC):
        report(Fault(f"there is no operator '{operator}'", guard.span))
    if operator not in COMPARISONS and operator not in ARITHMETIC:
        _expect(left, BOOLEAN, scope, report)
        _expect(right, BOOLEAN, scope, report)
        return BOOLEAN
    one, other = type_of(left, scope, report), type_of(right, scope, report)
    if operator in ARITHMETIC:
        return _arithmetic_type(guard, operator, one, other, report)
    if one is not None and other is not None and not _comparable(operator, one, other):
        report(Fault(f"{a(one)} cannot be compared with {a(other)} by '{operator}'", guard.span))
    return BOOLEAN


def _comparable(operator: str, one: str, other: str) -> bool:
    if operator not in ("==", "!="):
        return frozenset({one, other}) in _COMPARABLE
    return NULL in (one, other) or frozenset({one, other}) in _EQUATABLE


def _arithmetic_type(
    guard: Guard, operator: str, one: str | None, other: str | None, report: Callable[[Fault], None]
) -> str | None:
    if one is None or other is None:
        return None
    results = {
        ("-", TIME, TIME): PERIOD,
        ("-", TIME, PERIOD): TIME,
        ("+", TIME, PERIOD): TIME,
        ("+", PERIOD, TIME): TIME,
        ("+", PERIOD, PERIOD): PERIOD,
        ("-", PERIOD, PERIOD): PERIOD,
        ("*", PERIOD, NUMBER): PERIOD,
        ("*", NUMBER, PERIOD): PERIOD,
        ("+", STRING, STRING): STRING,
    }
    result = NUMBER if (one, other) == (NUMBER, NUMBER) else results.get((operator, one, other))
    if result is None:
        report(Fault(f"'{operator}' has no meaning between {a(one)} and {a(other)}", guard.span))
    return result


def _call_type(guard: Call, scope: Scope, report: Callable[[Fault], None]) -> str | None:
    name, function = guard.function, FUNCTIONS.get(guard.function)
    if function is None:
        report(Fault(f"there is no function '{name}'", guard.span, hint=nearest(name, FUNCTIONS)))
        return None
    if not function.least <= len(guard.arguments) <= function.most:
        wanted = f"{function.least} argument{'s' if function.least > 1 else ''}"
        report(Fault(f"{name} takes {wanted}, and {len(guard.arguments)} are given", guard.span))
    if function.is_aggregate and not scope.measured.isdisjoint(variables_of(guard)):
        hint = "a condition on a window stands inside the aggregate: count(a) >= 5 and sum(a.v) > 10 within 1 minute"
        report(
            Fault(
                "only the event with which the aggregate is told is known here, not its window", guard.span, hint=hint
            )
        )
    kinds = [type_of(argument, scope, report, function.is_aggregate) for argument in guard.arguments]
    if function.is_relation and (EVENT in kinds or not function.takes):
        for argument, kind in zip(guard.arguments, kinds, strict=True):
            if kind not in (None, EVENT):
                report(Fault(f"{name} relates two events, and this is {a(kind)}", argument.span, "an event variable"))
        return BOOLEAN
    if name == "quotient" and len(kinds) == 2:
        return _arithmetic_type(guard, "/", kinds[0], kinds[1], report)
    _check_arguments(guard, function, kinds, report)
    return function.gives


def _check_arguments(guard: Call, function: Function, kinds: list[str | None], report: Callable[[Fault], None]) -> None:
    """Arguments of a type for which the function never has a value."""
    name, wanted = guard.function, function.takes
    for argument, kind in zip(guard.arguments, kinds, strict=True):
        if wanted and kind is not None and kind not in wanted:
            report(Fault(f"{name} takes {choices([a(each) for each in wanted])}, and this is {a(kind)}", argument.span))
        elif function.pattern is not None and argument is not guard.arguments[0]:
            _check_pattern(name, function.pattern, argument, report)
        elif name == "percentile" and argument is guard.arguments[-1] and not _is_percent(argument):
            report(Fault("a percentile lies between 0 and 100", argument.span))
        elif name == "in" and kind is not None and (first := kinds[0]) and not _comparable("==", first, kind):
            report(Fault(f"{a(first)} is never equal to {a(kind)}", argument.span))


def _is_percent(argument: Guard) -> bool:
    """Whether a constant is one; what is none is known only when it is asked for."""
    match argument:
        case Literal(value=int() | float() as percent):
            return 0 <= percent <= 100
        case Negative(operand=Literal(value=int() | float() as percent)):
            return percent == 0
    return True


def _check_pattern(
    name: str, pattern: tuple[str, Callable[[str], object]], argument: Guard, report: Callable[[Fault], None]
) -> None:
    """A pattern must be known when the rule is loaded, and be one."""
    what, check = pattern
    if not isinstance(argument, Literal) or not isinstance(argument.value, str):
        report(Fault(f"{name} takes a {what}, written in quotes", argument.span))
        return
    try:
        check(argument.value)
    except BadPattern as error:
        report(Fault(f"this is no {what}: {error}", argument.span))


def a(kind: str) -> str:
    """`a number`, `an event`."""
    return f"{'an' if kind[:1] in 'aeio' else 'a'} {kind}"


def _variable_type(
    guard: Attribute | End | Start | SourceOf | Occurred | Reference,
    scope: Scope,
    report: Callable[[Fault], None],
    inside_aggregate: bool,
) -> str | None:
    name = guard.variable
    pattern = scope.variables.get(name)
    if pattern is None:
        report(_unknown(guard, scope))
        return None
    if name in scope.repeated and not inside_aggregate and not isinstance(guard, Occurred):
        some = choices([f"{each}(...)" for each in AGGREGATES])
        report(Fault(f"'{name}' stands for several events here", guard.span, some))
        return None
    match guard:
        case Occurred():
            return BOOLEAN
        case End() | Start():
            return TIME
        case Reference():
            return EVENT
        case SourceOf():
            _need_event(guard, pattern, scope, report, f"'${name}'")
            return STRING
        case Attribute(name=attribute):
            _need_event(guard, pattern, scope, report, f"'{name}.{attribute}'")
            return _attribute_type(guard, pattern, scope, report)


def _unknown(guard: Attribute | End | Start | SourceOf | Occurred | Reference, scope: Scope) -> Fault:
    name = guard.variable
    if name in scope.ambiguous:
        return Fault(f"'{name}' occurs more than once, so it names no event", guard.span, f"a variable, as in x:{name}")
    hint = scope.elsewhere.get(name) or nearest(name, scope.variables)
    return Fault(f"there is no event variable '{name}' here", guard.span, hint=hint)


def _need_event(guard: Guard, pattern: Pattern, scope: Scope, report: Callable[[Fault], None], text: str) -> None:
    """003 section 2.3: start and end are "the only attributes of a composite event that can be accessed"."""
    if isinstance(pattern, AnyEvent) and isinstance(guard, Attribute) and scope.is_gem:
        report(Fault(f"{text}: an event of any class has no attributes that could be known", guard.span, "@, |@ or $"))
    elif isinstance(pattern, At | AtInstant | Every):
        report(Fault(f"{text}: a time event has no attributes and no source", guard.span, "@ or |@"))
    elif scope.strict and not isinstance(pattern, Primitive | AnyEvent):
        report(Fault(f"{text}: a composite event has only a start and an end", guard.span, "@ or |@"))


def _attribute_type(guard: Attribute, pattern: Pattern, scope: Scope, report: Callable[[Fault], None]) -> str | None:
    if not isinstance(pattern, Primitive) or (declared := scope.declarations.get(pattern.type)) is None:
        return None
    types = dict(declared.attributes)
    if guard.name not in types:
        known = f"it has {choices(list(types), 'and')}" if types else "it has none"
        report(
            Fault(
                f"event '{pattern.type}' has no attribute '{guard.name}'",
                guard.span,
                hint=nearest(guard.name, types) or known,
            )
        )
        return None
    return OF_DECLARED.get(types[guard.name])
