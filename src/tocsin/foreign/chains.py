"""Chains: what a rule comes down to where another engine can say it. One event after the other, and what ends it.

    x:a -> !c -> y:b in 5 sec      an a; then each b after it; a c ends it; no later than 5 s after the a
    [a];[b in {b, c}]              an a; then the first b or c after it, which must be a b

A rule is one chain, or a few that have no occurrence in common. What is no chain is refused at its place.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tocsin.algebra.guards import Guard
from tocsin.algebra.patterns import Pattern
from tocsin.errors import Fault, RuleError, Span
from tocsin.time.periods import MSEC, Period


@dataclass(frozen=True)
class Kind:
    """Events of one type (None: of any) that pass the tests, in which `own` is the event itself."""

    type: str | None
    own: str
    tests: tuple[Guard, ...] = ()
    span: Span | None = field(default=None, compare=False)
    unless: Kind | None = None
    """Events of the same type that are not meant."""


@dataclass(frozen=True)
class Step:
    """The next event of a chain: which ones it takes, and which others end the chain if they come before."""

    takes: tuple[Kind, ...]
    stops: tuple[Kind, ...] = ()
    variable: str | None = None
    """What guards of later steps call the event."""
    first: bool = True
    """Whether only the first event is taken, or each one in a chain of its own."""
    order: str = "later"
    """How it follows the step before: `later` in time, `weakly` (core's total order), or just by `arrival`."""
    span: Span | None = None


@dataclass(frozen=True)
class Limit:
    """The last step comes at most (`closed`), or less than, so many microseconds after the step `since`."""

    since: int
    length: int
    closed: bool = True


@dataclass(frozen=True)
class Silence:
    """At the end nothing of `stops` for so many microseconds after the last step; `closed`: nor at the very end."""

    length: int
    stops: tuple[Kind, ...]
    closed: bool
    order: str = "later"
    span: Span | None = None


@dataclass(frozen=True)
class Chain:
    """Steps in order. `again`: the next chain begins only after the last one is complete."""

    steps: tuple[Step, ...]
    limits: tuple[Limit, ...] = ()
    silence: Silence | None = None
    again: bool = False


def milliseconds(period: Period, where: Pattern) -> int:
    """The microseconds of a period that other engines can count: whole milliseconds, and no calendar months."""
    if period.years or period.months:
        raise refusal("a span of calendar months or years", where, "count it in days")
    if period.microseconds % MSEC:
        raise refusal("a span of less than a millisecond", where, "round it to milliseconds")
    return period.microseconds


def refusal(what: str, where: object, hint: str = "") -> RuleError:
    """The error that says what cannot be translated, at its place, with the nearest form."""
    span = where if isinstance(where, Span) else getattr(where, "span", None)
    fault = Fault(f"{what} cannot be translated", span, hint=hint)
    return RuleError(span.source.place(fault) if span is not None and span.source is not None else fault)
