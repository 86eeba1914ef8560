"""A second, independent reading of the operators: choose an event for every leaf, then look whether it all holds.

`meaning.find` builds occurrences from the leaves up; this goes from the root down over complete assignments, so that a
slip in one is not a slip in the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tocsin.algebra.guards import Attribute, Binary
from tocsin.algebra.patterns import Absence, Both, Either, Named, Pattern, Primitive, Sequence, Times, Where
from tocsin.events import Event

Choice = tuple[frozenset[Event], int, tuple[tuple[str, Event], ...]]
"""The events chosen, when the whole ends, and which event each name stands for."""


def choices(pattern: Pattern, events: list[Event]) -> Iterator[Choice]:
    """Every way to choose events for a pattern."""
    if isinstance(pattern, Primitive):
        for event in events:
            if event.type == pattern.type:
                yield frozenset({event}), event.end, ()
    elif isinstance(pattern, Named):
        for chosen, end, names in choices(pattern.pattern, events):
            yield chosen, end, (*names, (pattern.name, next(iter(chosen))))
    elif isinstance(pattern, Where):
        yield from (choice for choice in choices(pattern.pattern, events) if _satisfied(pattern.guard, choice))
    elif isinstance(pattern, Either):
        for part in pattern.parts:
            yield from choices(part, events)
    elif isinstance(pattern, Times):
        yield from _times(pattern, events)
    elif isinstance(pattern, Absence):
        yield from _absence(pattern, events)
    elif isinstance(pattern, Both | Sequence):
        yield from _product(pattern.parts, events, ordered=isinstance(pattern, Sequence))
    else:
        raise NotImplementedError(type(pattern).__name__)


def _product(parts: tuple[Pattern, ...], events: list[Event], *, ordered: bool) -> Iterator[Choice]:
    if not parts:
        yield frozenset(), -1, ()
        return
    for before, latest, names in _product(parts[:-1], events, ordered=ordered):
        for chosen, end, more in choices(parts[-1], events):
            if not ordered or latest < end:
                yield before | chosen, max(latest, end), names + more


def _times(pattern: Times, events: list[Event]) -> Iterator[Choice]:
    name = pattern.pattern.name if isinstance(pattern.pattern, Named) else None
    kind = pattern.pattern.pattern if isinstance(pattern.pattern, Named) else pattern.pattern
    assert isinstance(kind, Primitive)
    able = [event for event in events if event.type == kind.type and pattern.attribute in event.data]
    for taken in combinations(able, pattern.count):
        values = {event.data[pattern.attribute] for event in taken}
        if len(values) == (1 if pattern.same else pattern.count):
            names = tuple((f"{name}[{n}]", event) for n, event in enumerate(taken)) if name else ()
            yield frozenset(taken), max(event.end for event in taken), names


def _absence(pattern: Absence, events: list[Event]) -> Iterator[Choice]:
    for first, begin, names in choices(pattern.first, events):
        for last, end, more in choices(pattern.last, events):
            between = any(begin < when < end for _, when, _ in choices(pattern.without, events))
            if begin < end and not between:
                yield first | last, end, names + more


def _satisfied(guard: object, choice: Choice) -> bool:
    assert isinstance(guard, Binary)
    names = dict(choice[2])
    values = []
    for side in (guard.left, guard.right):
        assert isinstance(side, Attribute)
        if side.variable not in names or side.name not in names[side.variable].data:
            return False
        values.append(names[side.variable].data[side.name])
    one, other = values
    return {"==": one == other, "!=": one != other, "<": one < other}[guard.operator]  # type: ignore[operator]
