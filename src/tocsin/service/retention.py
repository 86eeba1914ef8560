"""How long history is kept: what is older than the settings say goes, and the oldest where there is too much."""

from __future__ import annotations

from dataclasses import dataclass

from tocsin.service.settings import Kept, Retention
from tocsin.service.store import Store


@dataclass(frozen=True)
class Bounds:
    """What came before goes: events and detections, in microseconds since 1970."""

    events: int
    detections: int


def bounds(retention: Retention, remember: int, store: Store, now: int) -> Bounds:
    """What goes by now. What is needed to tell repeats stays, however much it is."""
    crowded = _crowded(retention, store, now)
    events = max(_older(retention.events, now), crowded)
    return Bounds(min(events, now - remember), max(_older(retention.detections, now), crowded))


def _older(kept: Kept, now: int) -> int:
    return 0 if kept.time is None else now - kept.time


def _crowded(retention: Retention, store: Store, now: int) -> int:
    """Where there is too much, the time before which there is as much as has to go, were it to come evenly."""
    sizes = (retention.events.size, retention.detections.size)
    if None in sizes:
        return 0
    most, size = sum(filter(None, sizes)), store.size()
    oldest = store.entries(0, 1)
    if size <= most or not oldest:
        return 0
    begin = oldest[0].arrival
    return begin + (now - begin) * (size - most) // size
