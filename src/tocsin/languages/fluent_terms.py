"""Guards in Python: `a.host == b.host`, `(a.v > 3) & ~b.seen`. A term wraps a guard and never changes."""

from __future__ import annotations

from typing import NoReturn

from tocsin.algebra.guards import Binary, Call, Duration, Guard, Literal, Negative, Not
from tocsin.errors import RuleError, Source, UsageError
from tocsin.languages.guards import parse_guard_text
from tocsin.time.spans import Period


class Term:
    """A value in a guard under construction."""

    __hash__ = None  # type: ignore[assignment]  # `==` makes a comparison here, so a term cannot be a key

    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    def _binary(self, operator: str, other: object) -> Term:
        return Term(Binary(operator, self.guard, term_of(other).guard))

    def __eq__(self, other: object) -> Term:  # type: ignore[override]  # a comparison to be made later
        return self._binary("==", other)

    def __ne__(self, other: object) -> Term:  # type: ignore[override]
        return self._binary("!=", other)

    def __lt__(self, other: object) -> Term:
        return self._binary("<", other)

    def __le__(self, other: object) -> Term:
        return self._binary("<=", other)

    def __gt__(self, other: object) -> Term:
        return self._binary(">", other)

    def __ge__(self, other: object) -> Term:
        return self._binary(">=", other)

    def __add__(self, other: object) -> Term:
        return self._binary("+", other)

    def __sub__(self, other: object) -> Term:
        return self._binary("-", other)

    def __mul__(self, other: object) -> Term:
        return self._binary("*", other)

    def __truediv__(self, other: object) -> Term:
        return self._binary("/", other)

    def __mod__(self, other: object) -> Term:
        return self._binary("%", other)

    def __neg__(self) -> Term:
        return Term(Negative(self.guard))

    def __and__(self, other: Term) -> Term:
        return self._binary("&&", other)

    def __or__(self, other: Term) -> Term:
        return self._binary("||", other)

    def __invert__(self) -> Term:
        return Term(Not(self.guard))

    def is_in(self, *values: object) -> Term:
        """Equal to one of the values."""
        return Term(Call("in", (self.guard, *(term_of(value).guard for value in values))))

    def contains(self, text: object) -> Term:
        """The text is part of it."""
        return Term(Call("contains", (self.guard, term_of(text).guard)))

    def starts_with(self, text: object) -> Term:
        """It begins with the text."""
        return Term(Call("startswith", (self.guard, term_of(text).guard)))

    def first(self) -> Term:
        """Of the first in a repetition."""
        return self._over("first")

    def last(self) -> Term:
        """Of the last in a repetition."""
        return self._over("last")

    def count(self) -> Term:
        """How many there are in a repetition."""
        return self._over("count")

    def sum(self) -> Term:
        """All of a repetition added up."""
        return self._over("sum")

    def min(self) -> Term:
        """The least of a repetition."""
        return self._over("min")

    def max(self) -> Term:
        """The greatest of a repetition."""
        return self._over("max")

    def avg(self) -> Term:
        """The mean of a repetition."""
        return self._over("avg")

    def list(self) -> Term:
        """All values of a repetition, in order."""
        return self._over("list")

    def _over(self, function: str) -> Term:
        return Term(Call(function, (self.guard,)))

    def __abs__(self) -> Term:
        return Term(Call("abs", (self.guard,)))

    def __bool__(self) -> NoReturn:
        raise UsageError(
            "a comparison of events is true or false only when they happen: join with &, | and ~, not and, or, not"
        )


def guard(text: str) -> Term:
    """A guard as the languages write it, for what Python has no operator for: `guard("now - @a > [5*min]")`."""
    if not isinstance(text, str):
        raise UsageError(f"a guard is a text or a comparison, not {text!r}")
    source = Source(text)
    try:
        return Term(parse_guard_text(source))
    except RuleError as error:
        raise error.located(source) from None


def term_of(value: object) -> Term:
    """A value of Python as a term."""
    if isinstance(value, Term):
        return value
    if isinstance(value, Period):
        return Term(Duration(value))
    if value is None or isinstance(value, str | int | float | bool):
        return Term(Literal(value))
    raise UsageError(f"a guard cannot hold a {type(value).__name__}: use text, numbers, booleans, None or periods")
