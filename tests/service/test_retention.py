"""How long history is kept: by time, by size, and never less than it takes to tell repeats."""

from __future__ import annotations

import pytest

from tocsin.service.records import AuditRecord, Entry, Kind, StoredDetection, Writes
from tocsin.service.retention import Bounds, bounds
from tocsin.service.settings import Kept, Retention
from tocsin.service.store.memory import MemoryStore

HOUR = 3_600_000_000


def filled(entries: int, size: int, detections: int = 0) -> MemoryStore:
    """Events that came every hour, and detections; before them all somebody asked for something."""
    store = MemoryStore()
    store.acquire()
    asked = Entry(1, Kind.CHANGE, -1_000 * HOUR, b"{}")
    rows = [Entry(n + 2, Kind.EVENTS, n * HOUR, b"x" * size, count=1, first=n + 1) for n in range(entries)]
    found = [
        StoredDetection(n + 1, str(n), "r", "r1", "r", n * HOUR, n * HOUR, n + 2, b"y" * size)
        for n in range(detections)
    ]
    audit = [AuditRecord(n * HOUR, "ann", "request.alter", "r1", details="z" * size) for n in range(detections)]
    store.commit(Writes(serial=1, entries=[asked, *rows], found=found, audit=audit))
    return store


def forgotten(store: MemoryStore, found: Bounds) -> None:
    store.prune(events_before=found.events, found_before=found.detections, keep_from=1000, audit_before=found.changes)


def test_what_is_older_than_is_asked_for_goes() -> None:
    retention = Retention(Kept(10 * HOUR, None), Kept(5 * HOUR, None), Kept(2 * HOUR, None))
    store = filled(100, 1, 100)
    found = bounds(retention, HOUR, store, 100 * HOUR)
    assert found == Bounds(90 * HOUR, 95 * HOUR, 98 * HOUR)
    forgotten(store, found)
    assert (len(store.stored), len(store.audit())) == (5, 2)


def test_events_that_tell_repeats_stay() -> None:
    retention = Retention(Kept(HOUR, None), Kept(None, None), Kept())
    found = bounds(retention, 30 * HOUR, filled(100, 1), 100 * HOUR)
    assert (found.events, found.detections) == (70 * HOUR, 0)


@pytest.mark.parametrize(("events", "detections", "left"), [
    (50_000, None, (50, 100)),
    (None, 20_000, (100, 20)),
    (50_000, 20_000, (50, 20)),
    (None, None, (100, 100)),
])  # fmt: skip
def test_where_there_is_too_much_of_a_kind_its_oldest_goes(
    events: int | None, detections: int | None, left: tuple[int, int]
) -> None:
    retention = Retention(Kept(None, events), Kept(None, detections), Kept(None, None))
    store = filled(100, 1_000, 100)
    forgotten(store, bounds(retention, HOUR, store, 100 * HOUR))
    assert (len(store.log) - 1, len(store.stored)) == left
    again = bounds(retention, HOUR, store, 100 * HOUR)
    forgotten(store, again)
    assert (len(store.log) - 1, len(store.stored)) == left


def test_there_are_not_too_many_records_of_changes() -> None:
    store = filled(10, 1, 100)
    forgotten(
        store, bounds(Retention(changes=Kept(None, 50 * (100 + len("annrequest.alterr1z")))), HOUR, store, 100 * HOUR)
    )
    assert len(store.audit()) == 50
