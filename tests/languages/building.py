"""Short names for the shapes that expected answers are made of."""

from __future__ import annotations

from collections.abc import Callable

from tocsin.algebra.guards import Attribute, Binary, Duration, Guard, Literal
from tocsin.algebra.patterns import Both, Either, Named, Pattern, Primitive, Sequence
from tocsin.errors import RuleError, Source
from tocsin.time.spans import Period


def refusal(parse: Callable[[Source], object], text: str) -> RuleError | None:
    """The error that the text is refused with, if it is."""
    try:
        parse(Source(text))
    except RuleError as error:
        return error
    return None


def event(kind: str, name: str | None = None) -> Pattern:
    """An event of that type; without a name it is called like its type."""
    return Named(kind if name is None else name, Primitive(kind))


def both(*parts: Pattern) -> Pattern:
    return Both(parts)


def either(*parts: Pattern) -> Pattern:
    return Either(parts)


def then(*parts: Pattern) -> Pattern:
    return Sequence(parts)


def attribute(text: str) -> Guard:
    """`x.a`."""
    variable, _, name = text.partition(".")
    return Attribute(variable, name)


def comparing(left: Guard | str, operator: str, right: Guard | float | str) -> Guard:
    """`x.a > 1`: a text on the left is an attribute, anything but a guard on the right a literal."""
    one = attribute(left) if isinstance(left, str) else left
    return Binary(operator, one, right if isinstance(right, Guard) else Literal(right))


def all_of(first: Guard, *others: Guard) -> Guard:
    for other in others:
        first = Binary("&&", first, other)
    return first


def microseconds(count: int) -> Period:
    return Period(microseconds=count)


def lasting(count: int) -> Guard:
    """A duration of so many microseconds."""
    return Duration(microseconds(count))
