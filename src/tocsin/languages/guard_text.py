"""Guards as text: how tightly the operators bind, and a guard written with no more parentheses than it needs."""

from __future__ import annotations

import math
import re
from typing import Final

from tocsin.algebra.guards import (
    LOGIC,
    LONG,
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
    chained,
    joined,
)
from tocsin.errors import Fault, RuleError
from tocsin.languages.depth import refuse_deep
from tocsin.languages.lexer import DIVISOR, MAX_DIGITS, PATTERN_WORDS, quote, quote_pattern
from tocsin.time.calendar import render_time_point
from tocsin.time.spans import Period, render_period

WORDS: Final = frozenset(("true", "false", "null", "now", "self", "and", "or", "not", "in"))
"""The words of the guard language; no variable can be called so."""

NEGATION: Final = 3
COMPARISON: Final = 4
NEGATIVE: Final = 7
LEVELS: Final = {
    **dict.fromkeys(("||",), 1),
    **dict.fromkeys(("&&",), 2),
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), COMPARISON),
    **dict.fromkeys(("+", "-"), 5),
    **dict.fromkeys(("*", "/", "//", "%"), 6),
}
"""How tightly each infix operator binds; `!` and the `-` of a negative stand at NEGATION and NEGATIVE."""

_PATH: Final = re.compile(r"[A-Za-z_]\w*(?:\[\d{1,9}\])*(?:\.[A-Za-z_]\w*(?:\[\d{1,9}\])*)*", re.ASCII)
"""Names that lead into others and are read as they stand: `user.name`, `tags[0]`."""
RATIO: Final = "ratio"
"""Real division as a function, for GEM, where `/` is another."""
_ATOM: Final = 8


def render_guard(guard: Guard, language: str = "") -> str:
    """`guard` as the rules of a language write it; parsing it gives `guard` again. Only GEM differs, in `/`."""
    refuse_deep(guard)
    return _write(guard, 0, language == "gem")


def render_gem_guard(guard: Guard) -> str:
    """`guard` as GEM writes it."""
    return render_guard(guard, "gem")


def render_gem_arguments(arguments: tuple[Guard, ...]) -> str:
    """`(g, g, ...)`, or nothing where there are none, as GEM writes it."""
    return f"({', '.join(map(render_gem_guard, arguments))})" if arguments else ""


def is_ratio(left: Guard, right: Guard) -> bool:
    """Whether a quotient is real whatever the other side is, because one is written with a fraction."""
    return any(isinstance(side, Literal) and isinstance(side.value, float) for side in (left, right))


def render_attribute(name: str) -> str:
    """An attribute's name, which may lead into others; one that is none of identifiers stands in quotes."""
    return name if name.isidentifier() or _PATH.fullmatch(name) else quote(name)


def render_variable(name: str) -> str:
    """An event variable, which must be a name that guards can speak of."""
    if not name.isidentifier() or name in WORDS:
        raise RuleError(Fault(f"no event variable can be called {quote(name)}", hint="give the event another name"))
    return name


def render_bracketed_period(period: Period) -> str:
    """`[1*min+5*sec]`."""
    if min(period.years, period.months, period.microseconds) < 0:
        raise RuleError(Fault(f"no language can write the negative period {render_period(period)}"))
    return f"[{render_period(period)}]"


def _write(guard: Guard, least: int, gem: bool) -> str:
    """`guard` as an operand that must bind at least as tightly as `least`."""
    match guard:
        case Binary(operator="/", left=left, right=right) if gem and not is_ratio(left, right):
            level, text = _ATOM, f"{RATIO}({_write(left, 0, gem)}, {_write(right, 0, gem)})"
        case Call(function="quotient", arguments=(left, right)) if gem and not is_ratio(left, right):
            level = LEVELS["/"]
            text = f"{_write(left, level, gem)} / {_write(right, level + 1, gem)}"
        case Binary(operator="//", left=left, right=right):
            level = LEVELS["//"]
            text = _whole_division(left, right, gem)
        case Binary(operator=operator) if (parts := _long_chain(guard)) is not None:
            level = LEVELS[operator]
            text = f" {operator} ".join([_write(part, level + 1, gem) for part in parts])
        case Binary(operator=operator, left=left, right=right):
            level = LEVELS[operator]
            # Comparisons do not chain: one inside another stands in parentheses on either side.
            text = f"{_write(left, level + (level == COMPARISON), gem)} {operator} {_write(right, level + 1, gem)}"
        case Not(operand=operand):
            level = NEGATION
            # `!a == b` is `!(a == b)` here and `(!a) == b` in C: the parentheses are for the reader.
            text = "!" + _write(operand, NEGATION if isinstance(operand, Not) else NEGATIVE, gem)
        case Negative(operand=operand):
            level = NEGATIVE
            # `-5` is a number: the negative of the number 5 is another guard.
            text = "-" + (f"({_write(operand, 0, gem)})" if _is_number(operand) else _write(operand, NEGATIVE, gem))
        case Call(function="in", arguments=(value, first, *others)):
            level = COMPARISON
            members = ", ".join([_write(member, 0, gem) for member in (first, *others)])
            text = f"{_write(value, COMPARISON + 1, gem)} in ({members})"
        case Call(function="cidr", arguments=(value, first, *others)):
            level = COMPARISON
            members = ", ".join([_write(member, 0, gem) for member in (first, *others)])
            text = f"{_write(value, COMPARISON + 1, gem)} in cidr({members})"
        case Call(function=name, arguments=(value, Literal(value=str(pattern)))) if (
            name in PATTERN_WORDS and (quoted := quote_pattern(pattern)) is not None
        ):
            level = COMPARISON
            text = f"{_write(value, COMPARISON + 1, gem)} {name} {quoted}"
        case Call(function=name, arguments=arguments) if name not in WORDS:
            level = _ATOM
            text = f"{name}({', '.join([_write(argument, 0, gem) for argument in arguments])})"
        case _:
            level, text = _ATOM, _leaf(guard)
    return text if level >= least else f"({text})"


def _long_chain(guard: Binary) -> list[Guard] | None:
    """The parts of a chain of `&&` or `||` that is kept as a tree of halves; None of any other guard."""
    parts = list(chained(guard.operator, guard)) if guard.operator in LOGIC else []
    return parts if len(parts) > LONG and joined(guard.operator, parts) == guard else None


def _whole_division(left: Guard, right: Guard, gem: bool) -> str:
    """`left // right`, with parentheses where `//` would begin a comment."""
    divided = _write(left, LEVELS["//"], gem)
    if not (isinstance(left, Attribute | Call) or _is_number(left)):
        divided = f"({_write(left, 0, gem)})"
    divisor = _write(right, LEVELS["//"] + 1, gem)
    return f"{divided} // {divisor if DIVISOR.match(f'// {divisor}') else f'({divisor})'}"


def _is_number(guard: Guard) -> bool:
    """Whether it is written as a number without a sign."""
    return (
        isinstance(guard, Literal)
        and isinstance(guard.value, int | float)
        and not isinstance(guard.value, bool)
        and math.copysign(1, guard.value) > 0
    )


def _leaf(guard: Guard) -> str:
    match guard:
        case Literal():
            return _literal(guard)
        case Duration(period=period):
            return render_bracketed_period(period)
        case Point(point=point):
            return f"[{render_time_point(point)}]"
        case Attribute(variable=variable, name=name):
            return f"{render_variable(variable)}.{render_attribute(name)}"
        case End(variable=variable):
            return f"@{render_variable(variable)}"
        case Start(variable=variable):
            return f"|@{render_variable(variable)}"
        case SourceOf(variable=variable):
            return f"${render_variable(variable)}"
        case Occurred(variable=variable):
            return f"?{render_variable(variable)}"
        case Reference(variable=variable):
            return render_variable(variable)
        case Now():
            return "now"
        case Self():
            return "self"
    raise RuleError(Fault(f"no language can write the guard {type(guard).__name__}"))


def _literal(literal: Literal) -> str:
    match literal.value:
        case None:
            return "null"
        case bool():
            return "true" if literal.value else "false"
        case str():
            return quote(literal.value)
    if isinstance(literal.value, float) and not math.isfinite(literal.value):
        raise RuleError(Fault(f"no language can write the number {literal.value}"))
    if abs(literal.value) >= 10**MAX_DIGITS:
        raise RuleError(Fault(f"a number of more than {MAX_DIGITS} digits"))
    return repr(literal.value)
