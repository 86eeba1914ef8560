"""Where tests keep things, and things to keep."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tocsin.bench.brokers.postgresql import Postgresql
from tocsin.service.records import AuditRecord, Entry, Kind, RefusedEvent, StoredDetection, Writes
from tocsin.service.store import Store, open_store
from tocsin.service.store.memory import MemoryStore

_SCHEMAS = (f"store{number}" for number in itertools.count())


@dataclass
class Place:
    """Where stores of one kind are: each call opens the same one again."""

    at: str
    _opened: list[Store] = field(default_factory=list)
    _memory: MemoryStore = field(default_factory=MemoryStore)

    def open(self, *, read_only: bool = False) -> Store:
        """The store, not acquired yet."""
        if self.at == "memory":
            return self._memory
        self._opened.append(open_store(self.at, read_only=read_only))
        return self._opened[-1]

    def acquired(self) -> Store:
        """The store, to be written."""
        store = self.open()
        store.acquire()
        return store

    def close(self) -> None:
        """Closes what was opened."""
        for each in self._opened:
            each.close()


@contextmanager
def place_of(kind: str, folder: Path, server: Callable[[], Postgresql]) -> Iterator[Place]:
    """A new place of a kind."""
    if kind == "sqlite":
        pytest.importorskip("apsw", reason="apsw is not installed")
    at = {"memory": "memory", "sqlite": str(folder / "kept" / "store.db")}.get(kind)
    place = Place(at or server().store_url(next(_SCHEMAS)))
    try:
        yield place
    finally:
        place.close()


def events(
    position: int, *, first: int = 0, time: int = 0, types: tuple[str, ...] = ("door",), count: int = 2
) -> Entry:
    """An entry of some events, of which the last is 9 later than the first."""
    time = time or position * 100
    body = b'{"type": "door"}\n' * count
    return Entry(
        position, Kind.EVENTS, position * 100, body, "key", count, first or 2 * position - 1, time, time + 9, types
    )


def other(position: int, kind: Kind) -> Entry:
    """An entry that has no events."""
    return Entry(position, kind, position * 100, b"{}", "key")


def found(number: int, *, rule: str = "cold", request: str = "r1", time: int = 0, id: str = "") -> StoredDetection:
    """A detection."""
    time = time or number * 100
    return StoredDetection(
        number, id or f"d{number}", rule, request, "Cold", time, time + 5, number, b'{"n": %d}' % number
    )


def delivery(number: int, state: str = "pending", request: str = "r1", target: int = 0) -> dict[str, object]:
    """A delivery as the outbox writes it."""
    return {"number": number, "request": request, "target": target, "state": state, "why": "\u0000 \ud800"}


def full(serial: int = 1) -> Writes:
    """Something of everything."""
    first = serial * 10
    return Writes(
        serial,
        [events(first), other(first + 1, Kind.CHANGE), events(first + 2, types=("door", "rain"))],
        [found(first), found(first + 1, rule="warm", request="r2")],
        first + 1,
        [delivery(first), delivery(first + 1, request="r2")],
        keys=[{"id": f"k{serial}", "hash": "0"}],
        refused=[RefusedEvent(serial, "not-json", "no JSON", "s", "key", "{")],
        audit=[AuditRecord(serial, "key", "request.create", "r1", "done", "cold")],
    )


def positions(entries: list[Entry]) -> list[int]:
    """Of some entries, to compare."""
    return [each.position for each in entries]


def numbers(some: list[StoredDetection]) -> list[int]:
    """Of some detections, to compare."""
    return [one.number for one in some]


def pruned(store: Store, *, events_before: int = 0, found_before: int = 0, keep_from: int = 10**9) -> int:
    """Forgets all that is to be forgotten."""
    rows = 0
    while gone := store.prune(events_before=events_before, found_before=found_before, keep_from=keep_from):
        rows += gone
    return rows
