"""Patterns in Python: `a.then(b).within("1 min").where(a.host == b.host)` (001 section 8).

    a, b = event("a"), event("b")
    a.then(b)   b.after(a)   a & b   a | b   a.then(b).without(c)   a.repeated(3)   a.times(3, same="user")

A step of the chain is a `Fluent`, which wraps a pattern and never changes; what an event carries is a `Term`, which
wraps a guard. Python's `and`, `or` and `not` cannot be redefined, so terms combine with `&`, `|` and `~`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

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
    Reference,
    SourceOf,
    Start,
)
from tocsin.algebra.patterns import (
    Absence,
    After,
    Between,
    Both,
    Either,
    Instant,
    Named,
    Never,
    Order,
    Pattern,
    Primitive,
    Repeat,
    Sequence,
    Times,
    Where,
    Within,
)
from tocsin.errors import Source, UsageError
from tocsin.languages.guards import parse_guard_text
from tocsin.time.instants import parse_instant
from tocsin.time.spans import Period, parse_period


class Fluent:
    """A pattern under construction. Every method gives a new one."""

    def __init__(self, pattern: Pattern, select: Mapping[str, Guard] | None = None) -> None:
        self.pattern = pattern
        self.selected = dict(select or {})

    def then(self, *others: Fluent) -> Fluent:
        """Followed by: each begins after the end of the one before."""
        parts = [self, *(_fluent(other) for other in others)]
        flat = [part for one in parts[:1] for part in _spine(one.pattern)] + [one.pattern for one in parts[1:]]
        return self._with(Sequence(tuple(flat), Order.GAP))

    followed_by = then

    def after(self, other: Fluent) -> Fluent:
        """`b.after(a)` is `a.then(b)`."""
        return _fluent(other).then(self)

    def __and__(self, other: Fluent) -> Fluent:
        parts = self.pattern.parts if isinstance(self.pattern, Both) else (self.pattern,)
        return self._with(Both((*parts, _fluent(other).pattern)))

    def __or__(self, other: Fluent) -> Fluent:
        parts = self.pattern.parts if isinstance(self.pattern, Either) else (self.pattern,)
        return self._with(Either((*parts, _fluent(other).pattern)))

    def without(self, other: Fluent) -> Fluent:
        """Nothing of `other` between the last two steps of a sequence."""
        parts = _spine(self.pattern)
        if len(parts) < 2:
            raise UsageError("without() needs two steps to stand between: a.then(b).without(c)")
        first = parts[0] if len(parts) == 2 else Sequence(parts[:-1], Order.GAP)
        return self._with(Absence(first, parts[-1], _fluent(other).pattern, order=Order.GAP))

    def never(self) -> Fluent:
        """Does not happen, as far as its neighbours and its window reach: `a.then(b.never()).within("5 min")`."""
        return self._with(Never(self.pattern))

    def within(self, span: str | Period) -> Fluent:
        """All of it in a stretch of time of that length."""
        return self._with(Within(self.pattern, _period(span)))

    def between(self, start: str, end: str) -> Fluent:
        """All of it between two instants, both included."""
        return self._with(Between(self.pattern, parse_instant(start), parse_instant(end)))

    def where(self, *terms: Term | str) -> Fluent:
        """Only if all the terms hold; a text is a guard as the other languages write it."""
        pattern = self.pattern
        for term in terms:
            if isinstance(term, str):
                pattern = Where(pattern, parse_guard_text(Source(term)))
            elif isinstance(term, Term):
                pattern = Where(pattern, term.guard)
            else:
                raise UsageError(
                    "where() takes comparisons such as a.host == b.host, joined by & and |, not 'and' and 'or'"
                )
        return self._with(pattern)

    def times(self, count: int, *, same: str | None = None, different: str | None = None) -> Fluent:
        """Any `count` events with one value of an attribute, or with pairwise different values."""
        attribute = same or different
        if attribute is None or (same and different):
            raise UsageError("times() needs same='attribute' or different='attribute'")
        return self._with(Times(count, self.pattern, attribute, same is not None))

    def repeated(self, least: int, most: int | None = None) -> Fluent:
        """A run of so many, each the next one after the last."""
        return self._with(Repeat(self.pattern, least, least if most is None else most))

    def later(self, span: str | Period) -> Fluent:
        """The instant that much later."""
        return self._with(After(self.pattern, _period(span), instant=True))

    def at_once(self) -> Fluent:
        """As if it had happened at one instant, its end."""
        return self._with(Instant(self.pattern))

    def named(self, name: str) -> Variable:
        """The same with a name, for guards to speak of it."""
        return Variable(name, self.pattern)

    def select(self, **values: Term) -> Fluent:
        """What a detection's data shall be."""
        return Fluent(self.pattern, {name: term_of(value).guard for name, value in values.items()})

    def _with(self, pattern: Pattern) -> Fluent:
        return Fluent(pattern, self.selected)

    def __repr__(self) -> str:
        return f"<{self.pattern}>"


class Variable(Fluent):
    """A named event or pattern. `a.host` is its attribute, `a["host name"]` one whose name is no word of Python."""

    def __init__(self, name: str, pattern: Pattern) -> None:
        super().__init__(Named(name, pattern))
        self._name = name

    def __getattr__(self, attribute: str) -> Term:
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        return Term(Attribute(self._name, attribute))

    def __getitem__(self, attribute: str) -> Term:
        return Term(Attribute(self._name, attribute))

    def named(self, name: str) -> Variable:
        """The same event under another name."""
        assert isinstance(self.pattern, Named)
        return Variable(name, self.pattern.pattern)

    @property
    def end_(self) -> Term:
        """When it occurred."""
        return Term(End(self._name))

    @property
    def start_(self) -> Term:
        """When it began."""
        return Term(Start(self._name))

    @property
    def source_(self) -> Term:
        """Where it came from."""
        return Term(SourceOf(self._name))

    @property
    def itself_(self) -> Term:
        """The occurrence, to compare with another."""
        return Term(Reference(self._name))


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


def event(kind: str, name: str | None = None, site: str | None = None) -> Variable:
    """An event of a type, by its own name unless another is given."""
    if not isinstance(kind, str) or not kind:
        raise UsageError(f"an event's type is a text, not {kind!r}")
    return Variable(name or kind, Primitive(kind, site))


def term_of(value: object) -> Term:
    """A value of Python as a term."""
    if isinstance(value, Term):
        return value
    if isinstance(value, Period):
        return Term(Duration(value))
    if value is None or isinstance(value, str | int | float | bool):
        return Term(Literal(value))
    raise UsageError(f"a guard cannot hold a {type(value).__name__}: use text, numbers, booleans, None or periods")


def _fluent(value: object) -> Fluent:
    if not isinstance(value, Fluent):
        raise UsageError(f"a pattern is built from events, as in event('a'), not from a {type(value).__name__}")
    return value


def _spine(pattern: Pattern) -> tuple[Pattern, ...]:
    return pattern.parts if isinstance(pattern, Sequence) and pattern.order is Order.GAP else (pattern,)


def _period(span: str | Period) -> Period:
    if isinstance(span, Period):
        return span
    return parse_period(span if isinstance(span, str) else f"{span} s")
