"""What a store does, wherever it keeps things: the contract that `tests/service/test_stores.py` holds every one to.

One process writes (`acquire`); a second one is told that there is one. `commit` makes writes last, all or nothing, and
is idempotent: whoever does not know whether a commit was done (the connection went away) commits the same again. What
is read is what was committed. A store is used by one thread at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from tocsin.errors import TocsinError
from tocsin.service.records import AuditRecord, Entry, RefusedEvent, Snapshot, StoredDetection, Writes

MOST_REFUSED: Final = 10_000
"""Refused events that are listed; older ones are only counted."""
MOST_PRUNED: Final = 1_000
"""Entries, and detections, that one call of `prune` forgets: what is to be committed need not wait for long."""


class StoreError(TocsinError):
    """The store cannot read or write just now: a full disk, a database that has gone away."""


class StoreDamaged(StoreError):
    """What is kept is not what was written: only a backup helps."""


class StoreTaken(TocsinError):
    """Another service writes to this store: whoever is told so writes to it no more."""


class Latest(NamedTuple):
    """How far everything has got."""

    position: int = 0
    processed: int = 0
    number: int = 0
    events: int = 0
    """How many events there have been."""
    arrival: int = 0
    """When the last entry came."""
    serial: int = 0
    """The last writes."""


@dataclass(frozen=True)
class Search:
    """Which of the kept events or detections are asked for; those after a cursor, in order of arrival."""

    after: int = 0
    """A position of the log, or a number of a detection: what comes behind it."""
    limit: int = 100
    rule: str = ""
    request: str = ""
    type: str = ""
    source: str = ""
    since: int | None = None
    until: int | None = None
    backwards: bool = False
    """The newest first: then `after` is what comes before it, and 0 the end."""


class Store(ABC):
    """Everything that outlasts a crash."""

    @abstractmethod
    def acquire(self) -> None:
        """Becomes the one who writes, or raises `StoreTaken`."""

    @abstractmethod
    def commit(self, writes: Writes) -> None:
        """Makes writes last. `StoreError` if it cannot: then they may have been written, or not."""

    @abstractmethod
    def save(self, snapshot: Snapshot) -> None:
        """Keeps a snapshot; earlier ones are no longer needed."""

    @abstractmethod
    def snapshot(self) -> Snapshot | None:
        """The last snapshot that was kept."""

    @abstractmethod
    def latest(self) -> Latest:
        """How far everything has got."""

    @abstractmethod
    def entries(self, after: int, limit: int, *, high: int | None = None, kind: str = "") -> list[Entry]:
        """The log behind a position; only entries of events as late as `high`, or of one kind, if that is said."""

    @abstractmethod
    def events(self, search: Search) -> list[Entry]:
        """Entries that may hold events that are sought: by type and time; whoever asks looks into them. Here `after` is
        the first position that is looked into (there may be more to it), or backwards the first that is not."""

    @abstractmethod
    def found(self, search: Search) -> list[StoredDetection]:
        """Detections that are sought."""

    @abstractmethod
    def detection(self, id: str) -> StoredDetection | None:
        """The latest detection of an id."""

    @abstractmethod
    def numbered(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """The bodies of detections by their numbers, of those that are kept."""

    @abstractmethod
    def deliveries(
        self, states: Sequence[str] = (), request: str = "", after: int = 0, limit: int = 0
    ) -> list[Mapping[str, Any]]:
        """Deliveries in order of their detections, of some states or of one request; all of them without a limit."""

    @abstractmethod
    def keys(self) -> list[Mapping[str, Any]]:
        """The records of all keys."""

    @abstractmethod
    def refused(self, limit: int = 100) -> list[RefusedEvent]:
        """The last events that were refused, the newest first."""

    @abstractmethod
    def audit(self, limit: int = 100, before: int = 0) -> list[AuditRecord]:
        """The last changes, the newest first."""

    @abstractmethod
    def prune(self, *, events_before: int, found_before: int, keep_from: int) -> int:
        """Forgets some of the events (with ticks between them) that came, and of the detections that were detected,
        before some time; never what stands at `keep_from` in the log or behind it, nor changes and commands, and no
        detection that is still to be delivered. A delivery goes with its detection. How many rows went: to forget all
        of it, this is called until none did."""

    @abstractmethod
    def size(self) -> int:
        """Bytes that are kept, about; it gets less as things are forgotten."""

    @abstractmethod
    def backup(self, path: str) -> None:
        """Writes a copy of all of it to a new file, while everything goes on. Best asked of a store that only reads."""

    @abstractmethod
    def close(self) -> None:
        """Lets another one write."""
