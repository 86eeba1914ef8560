"""Guards: one small typed expression language over the events of an occurrence. Data only, never `eval`'d.

Every language writes guards in the same grammar (`languages/guards.py`); `values.py` says what they are worth.
Names here <-> 003: `End` is `@x`, `Start` is `|@x`, `SourceOf` is `$x`, `Occurred` is `?x`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import cast

from tocsin.errors import Span
from tocsin.events import Value
from tocsin.time.calendar import TimePoint
from tocsin.time.spans import Period

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
ARITHMETIC = ("+", "-", "*", "/", "//", "%")
LOGIC = ("&&", "||")


@dataclass(frozen=True)
class Guard:
    """Any guard expression. Where it stood in the text is no part of what it is."""

    span: Span | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Literal(Guard):
    """A string, number, boolean or `null` as written. `exact` tells `1` from `1.0` and `true`."""

    value: Value
    exact: str = field(default="", init=False, repr=False)

    def __post_init__(self) -> None:
        # Python holds 1 == 1.0 == True; as parts of a rule they are different texts with different types.
        object.__setattr__(self, "exact", type(self.value).__name__)


@dataclass(frozen=True)
class Duration(Guard):
    """A length of time: `[5*sec]`, `5 min`."""

    period: Period


@dataclass(frozen=True)
class Point(Guard):
    """A time point, exact or partial: `[10:00]`, `[Mon]`, `[24/Dec/95]`."""

    point: TimePoint


@dataclass(frozen=True)
class Attribute(Guard):
    """`x.name`: an attribute of the event bound to `x`."""

    variable: str
    name: str


@dataclass(frozen=True)
class End(Guard):
    """`@x`: when x occurred, the end of its interval."""

    variable: str


@dataclass(frozen=True)
class Start(Guard):
    """`|@x`: when x began to occur."""

    variable: str


@dataclass(frozen=True)
class SourceOf(Guard):
    """`$x`: the site that x came from."""

    variable: str


@dataclass(frozen=True)
class Occurred(Guard):
    """`?x`: true if x is bound in this occurrence."""

    variable: str


@dataclass(frozen=True)
class Reference(Guard):
    """`x` alone: the occurrence itself, for `x == y` and the interval relations."""

    variable: str


@dataclass(frozen=True)
class Now(Guard):
    """`now`: the monitor's clock."""


@dataclass(frozen=True)
class Self(Guard):
    """`self`: the monitor's own name."""


@dataclass(frozen=True)
class Not(Guard):
    """`!g`."""

    operand: Guard


@dataclass(frozen=True)
class Negative(Guard):
    """`-g`."""

    operand: Guard


@dataclass(frozen=True)
class Binary(Guard):
    """An infix operator of COMPARISONS, ARITHMETIC or LOGIC."""

    operator: str
    left: Guard
    right: Guard


@dataclass(frozen=True)
class Call(Guard):
    """A function by name (`values.FUNCTIONS`): `abs(x.v)`, `in(x.k, 'a', 'b')`, `during(x, y)`."""

    function: str
    arguments: tuple[Guard, ...]


NAMING = Attribute | End | Start | SourceOf | Occurred | Reference
"""The expressions that name an event variable."""


def operands(guard: Guard) -> tuple[Guard, ...]:
    """The expressions directly inside `guard`, left to right."""
    match guard:
        case Not(operand=inner) | Negative(operand=inner):
            return (inner,)
        case Binary(left=left, right=right):
            return (left, right)
        case Call(arguments=arguments):
            return arguments
    return ()


def walk(guard: Guard) -> Iterator[Guard]:
    """`guard` and everything inside it."""
    waiting = [guard]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += reversed(operands(part))


def variables_of(guard: Guard) -> frozenset[str]:
    """The event variables that `guard` names."""
    return frozenset(part.variable for part in walk(guard) if isinstance(part, NAMING))


def renamed(guard: Guard, names: Mapping[str, str]) -> Guard:
    """`guard` with its variables renamed."""
    match guard:
        case Not(operand=inner) | Negative(operand=inner):
            return replace(guard, operand=renamed(inner, names))
        case Binary(left=left, right=right):
            return replace(guard, left=renamed(left, names), right=renamed(right, names))
        case Call(arguments=arguments):
            return replace(guard, arguments=tuple(renamed(argument, names) for argument in arguments))
    if isinstance(guard, NAMING) and guard.variable in names:
        return cast(Guard, replace(guard, variable=names[guard.variable]))
    return guard


def or_absent(guard: Guard, name: str) -> Guard:
    """`guard || !?name`: the guard of an absence that says which events count and nothing else.

    It is tested with each of them, and then, where none counts, without any (003 example 7).
    """
    return Binary("||", guard, Not(Occurred(name)))


LONG = 16
"""A chain of more `&&` or `||` is kept as a tree of halves."""


def joined(operator: str, guards: Sequence[Guard]) -> Guard:
    """`g1 && g2 && ...` or `g1 || g2 || ...`. Many are halved, so that no list of alternatives is deep.

    Whichever way they are paired, the guards are looked at from left to right and no further than necessary.
    """
    if len(guards) > LONG:
        half = len(guards) // 2
        return _pair(operator, joined(operator, guards[:half]), joined(operator, guards[half:]))
    return reduce(lambda left, right: _pair(operator, left, right), guards)


def _pair(operator: str, left: Guard, right: Guard) -> Guard:
    return Binary(operator, left, right, span=right.span if left.span is None else left.span | right.span)


def chained(operator: str, guard: Guard) -> Iterator[Guard]:
    """The parts of `g1 && g2 && ...` or `g1 || g2 || ...`, left to right, however they are paired."""
    waiting = [guard]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Binary) and part.operator == operator:
            waiting += (part.right, part.left)
        else:
            yield part


def conjuncts(guard: Guard) -> Iterator[Guard]:
    """The parts of `g1 && g2 && ...`, left to right: it holds where all of them do."""
    return chained("&&", guard)
