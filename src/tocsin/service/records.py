"""What the service keeps: entries of its log, detections, and what is said about both, as plain values.

Times are whole microseconds since 1970. `position` numbers the log from 1, `number` the detections: both only grow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tocsin.service.deliveries.records import Delivery


class Kind(StrEnum):
    """What an entry of the log is."""

    EVENTS = "events"
    """Lines of JSON, one event each."""
    CHANGE = "change"
    """Of requests or of event types: a JSON object."""
    COMMAND = "command"
    """GEM statements for the monitor."""
    TICK = "tick"
    """Time has passed, and some rule was waiting for it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One step of all the service does. What comes of it depends on the entries before it and on nothing else."""

    position: int
    kind: Kind
    arrival: int
    body: bytes
    actor: str = ""
    """Whose key it was."""
    count: int = 0
    """How many events it has ..."""
    first: int = 0
    """... and the number of the first of all there have been: events without an id are called by it."""
    low: int = 0
    high: int = 0
    """The least and the greatest time of its events."""
    types: tuple[str, ...] = ()
    """The types of its events."""


@dataclass(frozen=True, slots=True)
class StoredDetection:
    """A detection as it was told: `body` is its line of JSON."""

    number: int
    id: str
    rule: str
    request: str
    type: str
    time: int
    detected: int
    position: int
    """The entry that led to it."""
    body: bytes


@dataclass(frozen=True, slots=True)
class RefusedEvent:
    """An event that was not taken, or taken and of no use, and why."""

    at: int
    code: str
    message: str
    source: str = ""
    actor: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """Who changed what, and whether they could."""

    at: int
    actor: str
    action: str
    subject: str
    outcome: str = "done"
    details: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that the core remembers behind a position."""

    position: int
    taken: int
    body: bytes


@dataclass
class Writes:
    """What is made to last together: all of it or nothing. Written twice it is as if written once."""

    serial: int = 0
    """The number of these writes: a store that has it already does nothing."""
    entries: list[Entry] = field(default_factory=list)
    found: list[StoredDetection] = field(default_factory=list)
    processed: int | None = None
    """The rules have seen the log up to here; `found` is what came of it."""
    deliveries: list[Mapping[str, Any]] = field(default_factory=list)
    """New ones and changed ones, as `deliveries.records` writes them."""
    keys: list[Mapping[str, Any]] = field(default_factory=list)
    refused: list[RefusedEvent] = field(default_factory=list)
    audit: list[AuditRecord] = field(default_factory=list)
    announced: list[Delivery] = field(default_factory=list)
    """The new ones among `deliveries`, to be delivered as soon as they last; not written by itself."""

    def __bool__(self) -> bool:
        """Whether there is anything that has to last. `processed` alone has not: what is evaluated again, and led to
        nothing, leads to nothing."""
        return any((self.entries, self.found, self.deliveries, self.keys, self.refused, self.audit))
