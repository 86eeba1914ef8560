"""An occurrence: one way in which a pattern happened, made of events, with what its variables stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tocsin.algebra.patterns import Pattern
from tocsin.events import Event
from tocsin.time.stamps import GlobalStamp

Bound: TypeAlias = "Occurrence | tuple[Occurrence, ...]"
"""What a variable stands for: one occurrence, or those of a repetition, oldest first."""

TIMER = "\0timer"
"""The type of a time event. No name that a user can write begins like this."""


@dataclass(frozen=True)
class Tick:
    """A moment that a pattern waited for: the due time of an `After`, the end of a window.

    `of` is the occurrence that waited (its key), so that two waiting for one moment stay two.
    """

    pattern: Pattern
    due: int
    of: tuple[object, ...]


class Occurrence:
    """A pattern's events in order of time (each once), its interval, its variables and the ticks it waited for.

    It never changes. No dataclass, for those are made by the million and a plain class is made in a tenth of the time.
    """

    def __init__(
        self,
        start: int,
        end: int,
        events: tuple[Event, ...] = (),
        bindings: tuple[tuple[str, Bound], ...] = (),
        ticks: frozenset[Tick] = frozenset(),
        stamp: GlobalStamp | None = None,
    ) -> None:
        self.start, self.end, self.events = start, end, events
        self.bindings, self.ticks, self.stamp = bindings, ticks, stamp

    def spanning(self, start: int, end: int) -> Occurrence:
        """The same from another time to another."""
        return Occurrence(start, end, self.events, self.bindings, self.ticks, self.stamp)

    def binding(self, bindings: tuple[tuple[str, Bound], ...]) -> Occurrence:
        """The same with other variables."""
        return Occurrence(self.start, self.end, self.events, bindings, self.ticks, self.stamp)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Occurrence) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[object, ...]:
        return (self.start, self.end, self.events, self.bindings, self.ticks, self.stamp)

    def __repr__(self) -> str:
        return f"Occurrence{self._parts()!r}"

    def holds(self, arrival: Event | Tick) -> bool:
        """Whether an arrival is part of it."""
        return arrival in self.events if isinstance(arrival, Event) else arrival in self.ticks

    @property
    def key(self) -> tuple[object, ...]:
        """What makes it another occurrence than its like: its events, ticks and variables."""
        return (frozenset(self.events), self.ticks, tuple((name, bound_key(value)) for name, value in self.bindings))

    @property
    def primitives(self) -> tuple[Event, ...]:
        """The events that are not time events."""
        return tuple(event for event in self.events if event.type != TIMER)

    def variables(self) -> dict[str, Bound]:
        """What each variable stands for."""
        return dict(self.bindings)


class Rebound(Occurrence):
    """What a name stands for that an automaton has bound several times, `[x:a] [x:a]*` (SEMANTICS section 7).

    It is the latest of them; aggregates go over all. Each knows the one before it, so that one more costs the same
    however many there are.
    """

    def __init__(self, latest: Occurrence, before: Occurrence) -> None:
        super().__init__(latest.start, latest.end, latest.events, latest.bindings, latest.ticks, latest.stamp)
        self.before = before


def all_bound(value: Occurrence) -> tuple[Occurrence, ...]:
    """Everything that a name was bound to, the latest last."""
    found = [value]
    while isinstance(value, Rebound):
        value = value.before
        found.append(value)
    return tuple(reversed(found))


def bound_again(value: Occurrence, before: Bound | None) -> Occurrence:
    """What a name stands for that is bound to `value` after `before`."""
    return Rebound(value, before) if isinstance(before, Occurrence) else value


def bound_key(value: Bound) -> tuple[object, ...]:
    """The key of what a variable stands for."""
    return value.key if isinstance(value, Occurrence) else tuple(item.key for item in value)


def same_occurrence(left: Occurrence, right: Occurrence) -> bool:
    """`x == y` in a guard: the same events at the same time."""
    return frozenset(left.events) == frozenset(right.events) and (left.start, left.end) == (right.start, right.end)


def chronology(occurrence: Occurrence) -> tuple[object, ...]:
    """Sorts occurrences from the chronologically oldest (SEMANTICS section 3).

    The ascending list of the primitives' times, shorter first, then their arrival. Between occurrences of the same
    primitives the end and the start decide, then time events and ticks, then what stands for which variable, then the
    stamp: whoever looks for the oldest finds the same one.
    """
    primitives = occurrence.primitives
    times = [event.end for event in primitives]
    places = [event.place for event in primitives]
    told = (_moments(occurrence), _names(occurrence), _sites(occurrence))
    return (times, places, occurrence.end, occurrence.start, *told)


def _moments(one: Occurrence) -> list[tuple[int, str]]:
    timers = [(event.end, repr(event.data.get("timer"))) for event in one.events if event.type == TIMER]
    return sorted(timers + [(tick.due, repr(tick.pattern)) for tick in one.ticks])


def _names(one: Occurrence) -> list[tuple[str, list[list[tuple[int, int, int]]]]]:
    found = []
    for name, value in one.bindings:
        ones = (value,) if isinstance(value, Occurrence) else value
        found.append((name, [[event.place for event in each.events] for each in ones]))
    return found


def _sites(one: Occurrence) -> tuple[object, ...]:
    """What a 2g stamp says: `({a ; a} ! b) & a` has two for the same events, with its first a's site and without."""
    return () if one.stamp is None else (one.stamp.base, one.stamp.offset, one.stamp.exact)


Weak: TypeAlias = tuple[int, int, str, int, int, str, int]
"""A place in 001's total order: end, start, source and count; then a composite after its last constituent, by rule."""


def weak_order(event: Event) -> Weak:
    """Where an event stands in 001's total order. A composite has the source and the count of its last constituent."""
    if not event.is_composite:
        return (event.end, event.start, event.source, event.number, 0, "", 0)
    last = max(map(weak_order, event.events), default=NO_EVENT)
    return (event.end, event.start, last[2], last[3], 1, event.type, event.number)


NO_EVENT: Weak = (0, 0, "", -1, 0, "", 0)
"""What comes before every event of its time: nothing but time."""


def merged(*groups: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events of all groups, each once, by time and then by arrival."""
    distinct = dict.fromkeys(event for group in groups for event in group)
    return tuple(sorted(distinct, key=lambda event: event.place))


def joined(left: tuple[tuple[str, Bound], ...], right: tuple[tuple[str, Bound], ...]) -> tuple[tuple[str, Bound], ...]:
    """The variables of both, by name."""
    return (
        tuple(sorted((dict(left) | dict(right)).items(), key=lambda item: item[0])) if left and right else left or right
    )
