"""What is told about a rule: why it fired, what came nearest where it did not, and what each candidate failed at.

Plain data, frozen. Times are whole microseconds since 1970, as everywhere inside; `words` writes them for people.
"""

from __future__ import annotations

from dataclasses import dataclass

from tocsin.algebra.occurrence import TIMER
from tocsin.events import Detection, Event
from tocsin.reasons.choices import Path

GUARD, ORDER, ABSENCE, WINDOW, VALUES = "guard", "order", "absence", "window", "values"
RUN, CLOCK, CONSUMPTION, ENABLED, LATE, MISSING = "run", "clock", "consumption", "enabled", "late", "missing"

KINDS = {
    GUARD: "a part of a guard or of the rule's condition",
    ORDER: "one before the other, or both at once",
    ABSENCE: "what must not be there",
    WINDOW: "a window of the pattern, or the detection window of the rule",
    VALUES: "the same value, or different ones, in a counted repetition",
    RUN: "each the next one, in a run",
    CLOCK: "a moment that must have come",
    CONSUMPTION: "nothing of it used up, and chosen rather than another",
    ENABLED: "the rule enabled, without a break, while its events came",
    LATE: "in time for the order of arrival",
    MISSING: "an event in every place",
}
"""The kinds of constraints a candidate can fail."""


@dataclass(frozen=True)
class Constituent:
    """A place of the pattern, what it is called and asks for, and the event that stands there, if one does."""

    name: str
    asks: str
    event: Event | None


@dataclass(frozen=True)
class Verdict:
    """A constraint and whether a candidate meets it.

    `values`: what its expressions are worth. `events`: what broke it. `by`: how much too long, too early or too late.
    `firing`: the detection that used it up. `path`, `part`: where in the pattern it is written. `moves`: the events
    that came too early or too late, each with how much later it would have had to come (below zero: earlier).
    """

    kind: str
    text: str
    holds: bool
    values: tuple[tuple[str, object], ...] = ()
    events: tuple[Event, ...] = ()
    by: int | None = None
    firing: str | None = None
    note: str = ""
    path: Path = ()
    part: int = 0
    moves: tuple[tuple[Event, int], ...] = ()


@dataclass(frozen=True)
class Fired:
    """A firing of a rule: the detection, its constituents, and everything that let it through."""

    rule: str
    detection: Detection | None
    start: int
    time: int
    detected: int
    constituents: tuple[Constituent, ...]
    met: tuple[Verdict, ...]
    late: tuple[Verdict, ...] = ()
    """Constraints that late events, come after the firing, would have broken."""

    @property
    def events(self) -> tuple[str, ...]:
        """The ids of the events that stand in its places."""
        return _ids(self.constituents)


@dataclass(frozen=True)
class Miss:
    """A candidate that was not detected, and every constraint that it fails."""

    rule: str
    constituents: tuple[Constituent, ...]
    failed: tuple[Verdict, ...]
    met: tuple[Verdict, ...]
    time: int | None
    """When it would have been complete; None if something is missing."""

    @property
    def distance(self) -> int:
        """How far it is from a detection: the constraints that it fails."""
        return len(self.failed)

    @property
    def events(self) -> tuple[str, ...]:
        """The ids of the events that stand in its places."""
        return _ids(self.constituents)


@dataclass(frozen=True)
class Answer:
    """What is to be said about one rule."""

    rule: str
    pattern: str
    context: str
    detections: int
    fired: tuple[Fired, ...]
    misses: tuple[Miss, ...]
    remarks: tuple[str, ...] = ()
    tried: int = 0
    cut: bool = False
    """Whether the search was given up before everything was looked at: nearer misses may exist."""


def _ids(constituents: tuple[Constituent, ...]) -> tuple[str, ...]:
    events = dict.fromkeys(e.event for e in constituents if e.event is not None and e.event.type != TIMER)
    return tuple(event.id for event in sorted(events, key=lambda event: event.place))
