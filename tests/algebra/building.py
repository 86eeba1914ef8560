"""Patterns by hand, for the notations that have no parser yet: `seq(p("a"), no("b"))` is SEL's `a -> !b`."""

from __future__ import annotations

from typing import Any

from tocsin.algebra.names import name_leaves
from tocsin.algebra.patterns import (
    After,
    Both,
    Either,
    Instant,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Within,
)
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import BEST_EFFORT, Command, Context, Define, Enable, Program, Rule
from tocsin.algebra.rules import Order as Policy
from tocsin.events import Detection, Event
from tocsin.time.spans import parse_period

SECOND = 1_000_000


def p(name: str) -> Primitive:
    return Primitive(name)


def no(pattern: Pattern | str) -> Never:
    return Never(p(pattern) if isinstance(pattern, str) else pattern)


def seq(*parts: Pattern, order: Precedence = Precedence.GAP) -> Sequence:
    return Sequence(parts, order)


def both(*parts: Pattern) -> Both:
    return Both(parts)


def either(*parts: Pattern) -> Either:
    return Either(parts)


def within(pattern: Pattern, span: str) -> Within:
    return Within(pattern, parse_period(span))


def instant(pattern: Pattern) -> Instant:
    return Instant(pattern)


def later(pattern: Pattern, span: str, *, at_once: bool = False) -> After:
    return After(pattern, parse_period(span), at_once)


def times(pattern: Pattern, least: int, most: int | None = None) -> Repeat:
    return Repeat(pattern, least, most or least)


def named(name: str, pattern: Pattern | str) -> Named:
    return Named(name, p(pattern) if isinstance(pattern, str) else pattern)


def event(row: list[Any]) -> Event:
    """A row of the conformance cases: [id, type, time, {data}, {source, arrival}]."""
    identity, kind, time, data, more = [*row, {}, {}][:5] if len(row) < 5 else row
    low, high = time if isinstance(time, list) else (time, time)
    end, start = round(high * SECOND), round(low * SECOND)
    arrival = round(more.get("arrival", high) * SECOND)
    return Event(kind, end, start, str(identity), more.get("source", ""), data, arrival)


def log(rows: list[list[Any]]) -> list[Event]:
    """The events of a case, in order of arrival: one that comes without an arrival comes no earlier than the last."""
    made: list[Event] = []
    for row in rows:
        one = event(row)
        last = made[-1].arrival if made else one.arrival
        made.append(Event(one.type, one.end, one.start, one.id, one.source, one.data, max(last, one.arrival)))
    return made


def detections(
    pattern: Pattern,
    rows: list[list[Any]],
    *,
    context: Context = Context.UNRESTRICTED,
    order: Policy = BEST_EFFORT,
    granularity: int | None = None,
) -> list[Detection]:
    """What one rule detects."""
    rule = Rule("r", name_leaves(pattern), "sel", context=context)
    program = Program((Define(rule), Command(Enable("r"))))
    return list(replay(program, log(rows), order=order, granularity=granularity))
