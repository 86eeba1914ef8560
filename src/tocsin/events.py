"""Events in, detections out: the two records at the edges of everything.

Inside, times are integer microseconds since 1970 (UTC). An event has a `start` and an `end`: equal for a
point, different for an interval stamp or for a composite that comes back as an event.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from tocsin.time.stamps import GlobalStamp

Value: TypeAlias = str | int | float | bool | None
"""What an attribute holds. Lists and objects from JSON are kept, but no guard can compare them."""


@dataclass(frozen=True, slots=True, order=True)
class Moment:
    """A point in time as an attribute's or a guard's value, so that it is never taken for a number."""

    microseconds: int


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

SELF = "self"
"""The source of what the monitor makes itself (003 section 2.1: "the identity of the monitor")."""


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """One primitive event, as it arrived. Two events are the same only if they are the same object."""

    type: str
    end: int
    start: int
    id: str = ""
    source: str = ""
    data: Mapping[str, object] = field(default_factory=dict)
    arrival: int = 0
    events: tuple[Event, ...] = ()
    """Where this stands for others (a triggered event, a composite used by name): the events it is made of."""
    maker: str = ""
    """The rule that made it, which does not see it itself."""
    number: int = 0
    """Its place in the order in which it was taken up: it decides between equal times."""
    stamp: GlobalStamp | None = None
    """A composite's own stamp under the 2g model; a primitive's follows from its source and time."""
    is_composite: bool = False
    """A rule's detection, under the rule's name: for those that name it. What a rule triggers is a primitive event."""

    @property
    def place(self) -> tuple[int, int, int]:
        """Where it stands among others: by time, and at one time in order of arrival."""
        return (self.end, self.number, self.arrival)

    @property
    def primitives(self) -> tuple[Event, ...]:
        """The events this stands for: itself, unless it was made of others."""
        return self.events or (self,)

    def __repr__(self) -> str:
        return f"Event({self.type} {self.id or '-'} @{self.end / 1e6:g})"


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """News that `source` lives and has reached `time`, without an event. A repeated event counts as one."""

    source: str
    time: int
    arrival: int


Arrival: TypeAlias = Event | Heartbeat


@dataclass(frozen=True, slots=True)
class Detection:
    """One firing of a rule, as users see it. The same detection has the same `id` in every runtime."""

    rule: str
    type: str
    start_us: int
    time_us: int
    detected_us: int
    """When it began, had happened and was detected, in microseconds since 1970; `start`, `time` and `detected` are the
    same as dates."""
    events: tuple[str, ...]
    data: Mapping[str, object] = field(default_factory=dict)
    notification: str | None = None
    stamp: Mapping[str, object] | None = None
    id: str = ""
    source: str = ""
    severity: str | None = None
    """How bad that is, and whatever else its rule says about all its detections."""
    tags: tuple[str, ...] = ()
    suppressed: int = 0
    """How many were detected since the last one that was told, and not told themselves."""
    made_of: tuple[Event, ...] = field(default=(), compare=False, repr=False, kw_only=True)
    """The primitive events themselves, for whoever passes them on, where it was not read from somewhere."""

    @property
    def start(self) -> datetime:
        """When what was detected began, in UTC."""
        return _EPOCH + timedelta(microseconds=self.start_us)

    @property
    def time(self) -> datetime:
        """When it had happened, in UTC."""
        return _EPOCH + timedelta(microseconds=self.time_us)

    @property
    def detected(self) -> datetime:
        """What the clock said when the rule fired, in UTC."""
        return _EPOCH + timedelta(microseconds=self.detected_us)


@dataclass(frozen=True, slots=True)
class Amendment(Detection):
    """What a late event made of a detection that was reported: the same fields, and which one, how and why.

    `retracted`: the detection does not hold. `restored`: it holds again. `replaced`: this one holds in its place.
    """

    amends: str = ""
    """The id of the detection."""
    change: str = ""
    because: str = ""
    """The id of the event that came late."""

    @property
    def detection(self) -> Detection:
        """The detection that is retracted or restored, or the one that comes in place of another."""
        own = self.id if self.change == "replaced" else self.amends
        fields = (self.rule, self.type, self.start_us, self.time_us, self.detected_us, self.events, self.data)
        return Detection(*fields, self.notification, self.stamp, own, self.source, self.severity, self.tags)


def stable_id(*parts: object) -> str:
    """A short name for a detection that depends on nothing but what was detected."""
    text = json.dumps(parts, ensure_ascii=True, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:24]
