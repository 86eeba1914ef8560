"""Patterns in Python: `a.then(b).within("1 min").where(a.host == b.host)` (001 section 8).

    a, b = event("a"), event("b")
    a.then(b)   b.after(a)   a & b   a | b   a.then(b).without(c)   a.times(3, same="user")   a.any_of(3)

A step of the chain is a `Fluent`, which wraps a pattern and never changes; what an event carries is a `Term`, which
wraps a guard. Python's `and`, `or` and `not` cannot be redefined, so terms combine with `&`, `|` and `~`.
`fluent_text.py` goes back, from a pattern to the Python that builds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tocsin.algebra.guards import (
    Attribute,
    End,
    Guard,
    Occurred,
    Reference,
    SourceOf,
    Start,
    or_absent,
    variables_of,
)
from tocsin.algebra.names import always_bound, bound
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    Aggregate,
    AnyEvent,
    At,
    AtInstant,
    Between,
    Both,
    By,
    Concurrent,
    Either,
    Every,
    Instant,
    Named,
    Never,
    Partitioned,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
)
from tocsin.errors import RuleError, UsageError, nearest
from tocsin.languages.events import is_single, limited
from tocsin.languages.fluent_terms import Term, guard, term_of
from tocsin.time.calendar import parse_instant, parse_time_point
from tocsin.time.spans import SECOND, Period, parse_period

__all__ = ["Fluent", "Term", "Variable", "any_event", "at", "event", "every", "guard", "unnamed"]


Attributes = str | tuple[str, ...] | list[str]
"""One attribute, or several."""


class Fluent:
    """A pattern under construction. Every method gives a new one."""

    def __init__(self, pattern: Pattern, select: Mapping[str, Guard] | None = None) -> None:
        self.pattern = pattern
        self.selected = dict(select or {})

    def then(self, *others: Fluent) -> Fluent:
        """Followed by: each begins after the end of the one before."""
        return self._followed(others, Precedence.GAP)

    followed_by = then

    def then_ends(self, *others: Fluent) -> Fluent:
        """Each ends after the one before it has ended; they may overlap (`;` in GEM and EPS)."""
        return self._followed(others, Precedence.ENDS)

    def then_or_with(self, *others: Fluent) -> Fluent:
        """Each ends after the one before it has ended, or at the same time."""
        return self._followed(others, Precedence.WEAK)

    def precedes(self, *others: Fluent) -> Fluent:
        """Each after the one before as far as clocks of several sites can tell (002's `;`, 2g-precedence)."""
        return self._followed(others, Precedence.GLOBAL)

    def _followed(self, others: tuple[Fluent, ...], order: Precedence) -> Fluent:
        if not others:
            raise UsageError("what follows is missing: a.then(b)")
        parts = (*_spine(self.pattern, order), *(_fluent(other).pattern for other in others))
        return self._with(Sequence(parts, order))

    def after(self, other: Fluent) -> Fluent:
        """`b.after(a)` is `a.then(b)`."""
        return _fluent(other).then(self)

    def __and__(self, other: Fluent) -> Fluent:
        parts = self.pattern.parts if isinstance(self.pattern, Both) else (self.pattern,)
        return self._with(Both((*parts, _fluent(other).pattern)))

    def __or__(self, other: Fluent) -> Fluent:
        parts = self.pattern.parts if isinstance(self.pattern, Either) else (self.pattern,)
        return self._with(Either((*parts, _fluent(other).pattern)))

    def concurrent(self, other: Fluent) -> Fluent:
        """Neither before the other (002's `||`): at one instant, or as far as clocks of several sites can tell."""
        return self._with(Concurrent(self.pattern, _fluent(other).pattern))

    def all_before(self, last: Fluent) -> Fluent:
        """`last` with all of this that came before it and is not used up (002's `a * b`)."""
        return self._with(Accumulate(self.pattern, _fluent(last).pattern))

    def without(self, other: Fluent, where: Term | None = None, *, when: Term | None = None) -> Fluent:
        """Nothing of `other` between the last two steps of a sequence; `where` says which of them count.

        `when` is GEM's guard on a `!` (003 example 7): it says which of them count, and then decides about the whole,
        with nothing of `other` bound; so `when=c.host == a.host` never holds, for in the end there is no c.
        """
        whole = self.pattern
        if not isinstance(whole, Sequence) or len(whole.parts) < 2:
            raise UsageError("without() needs two steps to stand between: a.then(b).without(c)")
        *before, last = whole.parts
        first = before[0] if len(before) == 1 else Sequence(tuple(before), whole.order)
        absent = _fluent(other).pattern
        if where is not None and when is not None:
            raise UsageError("without() takes where= or when=, not both")
        guard = None if when is None else term_of(when).guard
        if where is not None:
            guard = _counting(term_of(where).guard, absent, last)
        return self._with(Absence(first, last, absent, guard, whole.order))

    def never(self) -> Fluent:
        """Does not happen, as far as its neighbours and its window reach: `a.then(b.never()).within("5 min")`."""
        return self._with(Never(self.pattern))

    def within(self, span: str | Period) -> Fluent:
        """All of it in a stretch of time of that length."""
        return self._with(limited(self.pattern, _period(span)))

    def between(self, start: str | float, stop: str | float) -> Fluent:
        """All of it between two times, both included: RFC 3339 texts, or seconds since 1970."""
        return self._with(Between(self.pattern, _instant(start), _instant(stop)))

    def where(self, *terms: Term) -> Fluent:
        """Only if all the terms hold."""
        pattern = self.pattern
        for term in terms:
            if not isinstance(term, Term):
                raise UsageError(
                    "where() takes comparisons such as a.host == b.host, joined by & and |, not 'and' and 'or'"
                )
            pattern = Where(pattern, term.guard)
        return self._with(pattern)

    def by(self, *attributes: str) -> Fluent:
        """All of its events, those that must be absent included, have equal values of these attributes."""
        if not attributes:
            raise UsageError("by() needs an attribute: p.by('ip')")
        return self._with(By(self.pattern, _attributes(attributes)))

    def partition_by(self, *attributes: str) -> Fluent:
        """The whole rule once for each value of these attributes: `a.then(b).partition_by("user")`, said last."""
        if not attributes:
            raise UsageError("partition_by() needs an attribute: p.partition_by('user')")
        return self._with(Partitioned(self.pattern, _attributes(attributes)))

    def times(
        self, count: int, most: int | None = None, *, same: Attributes | None = None, different: str | None = None
    ) -> Fluent:
        """So many in a row, of each group of events with one value of `same`; or with values that are `different`.

        With `most`, runs of `count` to `most`, each the next one after the last.
        """
        if most is not None:
            if different is not None:
                raise UsageError("what has different values comes a fixed number of times: times(3, different='port')")
            return self.repeated(count, most, same=same)
        return self._streak(count, same, different, once=False)

    def at_least(self, count: int, *, same: Attributes | None = None, different: str | None = None) -> Fluent:
        """Told when so many are there, and not again until there were fewer: `a.at_least(5).within("1 min")`."""
        return self._streak(count, same, different, once=True)

    def _streak(self, count: int, same: Attributes | None, different: str | None, *, once: bool) -> Fluent:
        groups = _attributes(() if same is None else same)
        other = None if different is None else _text(different, "attribute")
        if not is_single(self.pattern):
            if once or groups or other is not None:
                raise UsageError("only single events are counted like this: make a rule of it, and count that by name")
            return self.repeated(count)
        return self._with(Streak(_count(count), self.pattern, groups, other, None, once))

    def having(
        self,
        condition: Term | str,
        *,
        within: str | Period | None = None,
        per: str | Period | None = None,
        by: Attributes | None = None,
        gap: str | Period | None = None,
        each: bool = False,
    ) -> Fluent:
        """With which aggregates meet a condition: `a.having("count(a) >= 5", within="1 min", by="ip")`.

        Over the last so long (`within`), or since the last full hour, say (`per`); since the last `gap`, if that is
        shorter. Told when the condition begins to hold, or `each` time.
        """
        if not is_single(self.pattern):
            raise UsageError("having() goes over single events: make a rule of it, and use that by name")
        if (within is None) == (per is None):
            raise UsageError('having() takes a window: within="5 min", or per="1 hour" from hour to hour')
        asked = guard(condition).guard if isinstance(condition, str) else term_of(condition).guard
        period = _period(per if within is None else within)
        groups = _attributes(() if by is None else by)
        least = None if gap is None else _period(gap)
        return self._with(Aggregate(self.pattern, asked, period, groups, within is None, least, each))

    def any_of(self, count: int, *, same: str | None = None, different: str | None = None) -> Fluent:
        """All choices of `count` events: any, with one value of an attribute, or with pairwise different values."""
        if same is not None and different is not None:
            raise UsageError("any_of() takes same= or different=, not both")
        attribute = different if same is None else same
        name = None if attribute is None else _text(attribute, "attribute")
        return self._with(Times(_count(count), self.pattern, name, different is None))

    def repeated(self, least: int, most: int | None = None, *, same: Attributes | None = None) -> Fluent:
        """Runs of so many, each the next one that begins after the end of the one before (SEL's `e*n`)."""
        groups = _attributes(() if same is None else same)
        return self._with(Repeat(self.pattern, _count(least), _count(least if most is None else most), groups))

    def later(self, span: str | Period) -> Fluent:
        """The instant that much later."""
        return self._with(After(self.pattern, _period(span), instant=True))

    def then_wait(self, span: str | Period) -> Fluent:
        """The same until that much later: it begins where it began (GEM's `e + [t]`)."""
        return self._with(After(self.pattern, _period(span)))

    def at_once(self) -> Fluent:
        """As if it had happened at one instant, its end."""
        return self._with(Instant(self.pattern))

    def named(self, name: str) -> Variable:
        """The same with a name, for guards to speak of it."""
        return Variable(_worded(name, "name"), self.pattern)

    def select(self, **values: Term) -> Fluent:
        """What a detection's data shall be."""
        return Fluent(self.pattern, {name: term_of(value).guard for name, value in values.items()})

    def _with(self, pattern: Pattern) -> Fluent:
        return Fluent(pattern, self.selected)

    def __repr__(self) -> str:
        return f"<{self.pattern}>"

    if not TYPE_CHECKING:  # a type checker knows the methods by itself

        def __getattr__(self, name):
            if name.startswith("_"):
                raise AttributeError(name)
            raise AttributeError(f"a pattern has no '{name}'; {nearest(name, verbs(Fluent))}".rstrip("; "))


def verbs(kind: type[Fluent]) -> list[str]:
    """What can be done with a pattern of a kind, by name."""
    return sorted(name for name in dir(kind) if not name.startswith("_"))


class Variable(Fluent):
    """A named event or pattern. `a.host` is its attribute, `a["host name"]` one whose name is no word of Python."""

    def __init__(self, name: str, pattern: Pattern) -> None:
        super().__init__(Named(name, pattern))
        self._name = name

    def __getattr__(self, attribute: str) -> Term:
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        return Term(Attribute(self._name, attribute))

    def __dir__(self) -> list[str]:
        return verbs(type(self))

    def __getitem__(self, attribute: str) -> Term:
        return Term(Attribute(self._name, attribute))

    def named(self, name: str) -> Variable:
        """The same event under another name."""
        assert isinstance(self.pattern, Named)
        return Variable(_worded(name, "name"), self.pattern.pattern)

    def also_named(self, name: str) -> Variable:
        """The same event under a second name."""
        return Variable(_worded(name, "name"), self.pattern)

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
    def occurred_(self) -> Term:
        """Whether it is part of what was found: one of two alternatives is not."""
        return Term(Occurred(self._name))

    @property
    def itself_(self) -> Term:
        """The occurrence, to compare with another."""
        return Term(Reference(self._name))


def event(kind: str, name: str | None = None, site: str | None = None) -> Variable:
    """An event of a type, by its own name unless another is given."""
    kind = _worded(kind, "event's type")
    called = kind if name is None else _worded(name, "name")
    return Variable(called, Primitive(kind, None if site is None else _text(site, "site")))


def unnamed(kind: str, site: str | None = None) -> Fluent:
    """An event of a type that has no name, so that its attributes are no part of a detection's data."""
    pattern = event(kind, site=site).pattern
    assert isinstance(pattern, Named)
    return Fluent(pattern.pattern)


def any_event() -> Fluent:
    """An event of any type."""
    return Fluent(AnyEvent())


def every(span: str | Period) -> Fluent:
    """A time event again and again; the first comes one span after the rule begins."""
    return Fluent(Every(_period(span)))


def at(point: str) -> Fluent:
    """A time event: once at an instant (RFC 3339), or at every time that fits a partial point such as `20:00`."""
    point = _text(point, "time")
    try:
        return Fluent(AtInstant(parse_instant(point)))
    except RuleError:
        return Fluent(At(parse_time_point(point)))


def _fluent(value: object) -> Fluent:
    if not isinstance(value, Fluent):
        raise UsageError(f"a pattern is built from events, as in event('a'), not from a {type(value).__name__}")
    return value


def _counting(guard: Guard, absent: Pattern, last: Pattern) -> Guard:
    """The guard of an absence in which only what `guard` holds for counts: where there is none, it holds, too."""
    if variables_of(guard).isdisjoint(bound(absent)):
        raise UsageError(
            "where= says which events count, so it speaks of them by name: without(c, where=c.host == a.host)"
        )
    name = always_bound(absent)
    if name is None:
        raise UsageError(
            "where= needs one name that all of them have; alternatives and repetitions are guarded by themselves:"
            " without(c.where(...) | d)"
        )
    later = sorted(variables_of(guard) & (bound(last).keys() - bound(absent).keys()))
    if later:
        raise UsageError(
            f"where= cannot speak of '{later[0]}', which comes only after what it is about; this can:"
            " a.then(c.where(c.host == b.host).never(), b)"
        )
    return or_absent(guard, name)


def _worded(value: object, what: str) -> str:
    if value == "":
        raise UsageError(f"the {what} is empty")
    return _text(value, what)


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        article = "an" if what[0] in "aeiou" else "a"
        raise UsageError(f"{article} {what} is a text, not {value!r}")
    return value


def _attributes(value: object) -> tuple[str, ...]:
    names = list(value) if isinstance(value, tuple | list) else [value]
    return tuple(dict.fromkeys(_text(name, "attribute") for name in names))


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise UsageError(f"how often is a number from 1 on, not {value!r}")
    return value


def _spine(pattern: Pattern, order: Precedence) -> tuple[Pattern, ...]:
    return pattern.parts if isinstance(pattern, Sequence) and pattern.order is order else (pattern,)


def _instant(time: object) -> int:
    if isinstance(time, str):
        return parse_instant(time)
    if isinstance(time, bool) or not isinstance(time, int | float):
        raise UsageError(f"a time is a text or a number of seconds, not {time!r}")
    return round(time * SECOND)


def _period(span: object) -> Period:
    if isinstance(span, Period):
        return span
    if isinstance(span, str):
        return parse_period(span)
    if isinstance(span, bool) or not isinstance(span, int | float):
        raise UsageError(f"a span of time is a text such as '5 min', not {span!r}")
    return parse_period(f"{span} s")
