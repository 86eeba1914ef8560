"""Guards in Python: `a.host == b.host`, `(a.v > 3) & ~b.seen`. A term wraps a guard and never changes."""

from __future__ import annotations

from typing import NoReturn

from tocsin.algebra.guards import Attribute, Binary, Call, Duration, Guard, Literal, Negative, Not
from tocsin.errors import RuleError, Source, UsageError, nearest
from tocsin.languages.guards import parse_guard_text
from tocsin.time.spans import Period


class Term:
    """A value in a guard under construction."""

    __hash__ = None  # type: ignore[assignment]  # `==` makes a comparison here, so a term cannot be a key

    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    def _binary(self, operator: str, other: object) -> Term:
        return Term(Binary(operator, self.guard, term_of(other).guard))

    def __call__(self, *arguments: object, **named: object) -> NoReturn:
        """An attribute of an event that somebody took for a method."""
        from tocsin.languages.fluent import Variable, verbs  # here, for it is made of terms

        name = self.guard.name if isinstance(self.guard, Attribute) else "..."
        _, inside, method = name.rpartition(".")
        if inside:
            known = [each for each in vars(Term) if not each.startswith("_")]
            near = nearest(method, known) or f"there are {', '.join(known)}"
            raise UsageError(f"an attribute has no method '{method}'; {near}")
        near = nearest(name, verbs(Variable)) or f"there are {', '.join(verbs(Variable))}"
        raise UsageError(f"an event has no method '{name}' ('{name}' would be an attribute of it); {near}")

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

    def __floordiv__(self, other: object) -> Term:
        return self._binary("//", other)

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

    def exists(self) -> Term:
        """There is a text, a number or a truth value."""
        return Term(Call("exists", (self.guard,)))

    def contains(self, text: object) -> Term:
        """The text is part of it."""
        return Term(Call("contains", (self.guard, term_of(text).guard)))

    def starts_with(self, text: object) -> Term:
        """It begins with the text."""
        return Term(Call("startswith", (self.guard, term_of(text).guard)))

    def ends_with(self, text: object) -> Term:
        """It ends with the text."""
        return Term(Call("endswith", (self.guard, term_of(text).guard)))

    def matches(self, pattern: str) -> Term:
        """The regular expression matches somewhere in it."""
        return Term(Call("matches", (self.guard, term_of(pattern).guard)))

    def like(self, pattern: str) -> Term:
        """It is like the pattern: `%` is anything, `_` one character."""
        return Term(Call("like", (self.guard, term_of(pattern).guard)))

    def in_network(self, *networks: str) -> Term:
        """It is an address in one of the networks: `"10.0.0.0/8"`."""
        return Term(Call("cidr", (self.guard, *(term_of(each).guard for each in networks))))

    def has(self, value: object) -> Term:
        """It is a list with the value in it."""
        return Term(Call("in", (term_of(value).guard, self.guard)))

    def lower(self) -> Term:
        """It in small letters: `a.path.lower().contains("temp")` holds whatever the case."""
        return self._over("lower")

    def upper(self) -> Term:
        """It in capitals."""
        return self._over("upper")

    def __getitem__(self, inside: str | int) -> Term:
        """What is inside of it: `a.user["name"]`, `a.tags[0]`."""
        is_place = isinstance(inside, int) and not isinstance(inside, bool) and inside >= 0
        if not isinstance(self.guard, Attribute) or not (is_place or isinstance(inside, str)):
            raise UsageError("only an attribute has others inside: a.user['name'], a.tags[0]")
        step = f"[{inside}]" if isinstance(inside, int) else f".{inside}"
        return Term(Attribute(self.guard.variable, f"{self.guard.name}{step}"))

    def __getattr__(self, name: str) -> Term:
        if name.startswith("_") or not isinstance(self.guard, Attribute):
            raise AttributeError(name)
        return self[name]

    def __iter__(self) -> NoReturn:
        raise UsageError("a value is known only when events happen: for `'x' in a.tags` write a.tags.has('x')")

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

    def distinct(self) -> Term:
        """How many different values there are in a repetition."""
        return self._over("distinct")

    def median(self) -> Term:
        """The middle value of a repetition."""
        return self._over("median")

    def stddev(self) -> Term:
        """The standard deviation of a repetition, a sample."""
        return self._over("stddev")

    def percentile(self, percent: float) -> Term:
        """The value of a repetition below which so many percent lie."""
        return Term(Call("percentile", (self.guard, term_of(percent).guard)))

    def previous(self) -> Term:
        """What an aggregate over a window was over the window before: `a.v.avg().previous()`."""
        return self._over("previous")

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
