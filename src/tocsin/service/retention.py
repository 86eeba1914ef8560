"""How long history is kept: what is older than the settings say goes, and the oldest where there is too much."""

from __future__ import annotations

from dataclasses import dataclass

from tocsin.service.settings import Kept, Retention
from tocsin.service.store import Store


@dataclass(frozen=True)
class Bounds:
    """What came before goes: events, detections and records of changes, in microseconds since 1970."""

    events: int
    detections: int
    changes: int


def bounds(retention: Retention, remember: int, store: Store, now: int) -> Bounds:
    """What goes by now. What is needed to tell repeats stays, however much it is."""
    sizes = store.sizes()
    return Bounds(
        min(_before(retention.events, sizes.events, sizes.first_event, now), now - remember),
        _before(retention.detections, sizes.detections, sizes.first_detection, now),
        _before(retention.changes, sizes.audit, sizes.first_change, now),
    )


def _before(kept: Kept, size: int, first: int, now: int) -> int:
    """Before when what is kept of a kind goes: because it is old, or, did it come evenly, because there is too much."""
    old = 0 if kept.time is None else now - kept.time
    if kept.size is None or size <= kept.size:
        return old
    return max(old, first + (now - first) * (size - kept.size) // size)
