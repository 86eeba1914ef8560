"""How long history is kept: by time, by size, and never less than it takes to tell repeats."""

from __future__ import annotations

from tocsin.service.records import Entry, Kind, Writes
from tocsin.service.retention import bounds
from tocsin.service.settings import Kept, Retention
from tocsin.service.store.memory import MemoryStore

HOUR = 3_600_000_000


def filled(entries: int, size: int) -> MemoryStore:
    store = MemoryStore()
    store.acquire()
    rows = [Entry(n + 1, Kind.EVENTS, n * HOUR, b"x" * size, count=1, first=n + 1) for n in range(entries)]
    store.commit(Writes(serial=1, entries=rows))
    return store


def test_what_is_older_than_is_asked_for_goes() -> None:
    retention = Retention(Kept(10 * HOUR, None), Kept(5 * HOUR, None), Kept())
    found = bounds(retention, HOUR, filled(100, 1), 100 * HOUR)
    assert (found.events, found.detections) == (90 * HOUR, 95 * HOUR)


def test_events_that_tell_repeats_stay() -> None:
    retention = Retention(Kept(HOUR, None), Kept(None, None), Kept())
    found = bounds(retention, 30 * HOUR, filled(100, 1), 100 * HOUR)
    assert (found.events, found.detections) == (70 * HOUR, 0)


def test_where_there_is_too_much_the_oldest_goes() -> None:
    retention = Retention(Kept(None, 30_000), Kept(None, 20_000), Kept())
    store = filled(100, 1_000)
    found = bounds(retention, HOUR, store, 100 * HOUR)
    assert found.events == found.detections == 50 * HOUR
    store.prune(events_before=found.events, found_before=found.detections, keep_from=101)
    assert store.size() == 50_000
    assert bounds(retention, HOUR, store, 100 * HOUR).events == 0
