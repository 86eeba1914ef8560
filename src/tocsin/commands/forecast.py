"""What is said of a run before it begins: how many combinations rules may find, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from tocsin.algebra.guards import Attribute, Binary
from tocsin.algebra.guards import walk as guard_parts
from tocsin.algebra.patterns import Between, Times, Within, walk
from tocsin.algebra.rule_warnings import guards_of
from tocsin.algebra.rules import Rule
from tocsin.commands.shared_options import say
from tocsin.errors import EventError
from tocsin.events import Arrival, Event
from tocsin.formats.blocks import Parcel
from tocsin.formats.frames import Table
from tocsin.runtime.forecast import SAMPLE
from tocsin.session import Session


def foreseen(events: Iterator[Arrival], session: Session) -> Iterator[Arrival]:
    """The events, after a look at the first of them. A bad one among these is still bad when its turn comes."""
    first: list[Arrival] = []
    failed: EventError | None = None
    try:
        first.extend(islice(events, SAMPLE))
    except EventError as error:
        failed = error
    for line in forecast_lines(session, [event for event in first if isinstance(event, Event)]):
        say(line)
    yield from first
    if failed is not None:
        raise failed
    yield from events


def foreseen_parcels(parcels: Iterator[Parcel], session: Session) -> Iterator[Parcel]:
    """The same of events that come many at a time."""
    if not session.may_combine:
        yield from parcels
        return
    first: list[Parcel] = []
    failed: EventError | None = None
    try:
        while sum(map(len, first)) < SAMPLE and (parcel := next(parcels, None)) is not None:
            first.append([*parcel] if isinstance(parcel, Table) else parcel)
    except EventError as error:
        failed = error
    sample = islice(chain.from_iterable(first), SAMPLE)
    for line in forecast_lines(session, [event for event in sample if isinstance(event, Event)]):
        say(line)
    yield from first
    if failed is not None:
        raise failed
    yield from parcels


def forecast_lines(session: Session, sample: list[Event]) -> list[str]:
    """What should be known of a run before it begins: how many combinations there may be, and what to do about it."""
    lines: list[str] = []
    for each in session.forecasts(sample):
        rule = next(rule for rule in session.program.rules if rule.name == each.rule)
        advice = [] if rule.window is not None or _has_window(rule) else ["a window (within 1 minute)"]
        advice += [] if _has_key(rule) else ["what its events have in common (where x.ip == y.ip)"]
        told = f"add {' and '.join(advice)}, or " if advice else ""
        lines.append(
            f"rule '{each.rule}' may find {_rounded(each.combinations)} combinations in {each.events:,} events:"
            f" {told}--context generic tells one for an event"
        )
    return lines


def _has_window(rule: Rule) -> bool:
    return any(isinstance(part, Within | Between) for part in walk(rule.pattern))


def _has_key(rule: Rule) -> bool:
    """Whether events of it must be equal in something."""
    parts = [part for guard in guards_of(rule) for part in guard_parts(guard)]
    compared = [part for part in parts if isinstance(part, Binary) and part.operator == "=="]
    is_joined = any(isinstance(part.left, Attribute) and isinstance(part.right, Attribute) for part in compared)
    return is_joined or any(isinstance(part, Times) and part.same for part in walk(rule.pattern))


def _rounded(count: int) -> str:
    for size, name in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million")):
        if count >= size:
            return f"{round(count / size):,} {name}" if count < 10**15 else "more than a thousand trillion"
    return f"{count:,}"
