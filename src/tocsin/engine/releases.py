"""What an order of arrival releases, as batches: where that gives what giving it one by one would."""

from __future__ import annotations

from collections.abc import Iterator

from tocsin.algebra.arrival_queue import Release
from tocsin.engine.frames.batches import batch_of_events
from tocsin.engine.network.batch import Batch


def pieces(releases: list[Release], has_timers: bool) -> Iterator[list[Release]]:
    """The releases in parts that can each be taken at once; the last of a part tells how far time has got.

    A batch is told the times of its events, not the clocks at which they were released. So each time must have one
    clock: a constant `lag` gives that, and else a part ends where an event has another clock than the one before it,
    and the same time. A timer falls due at a time of its own: where there are any, and the clock does not follow from
    the time, every release is a part. Releases without an event only move time, which the next one moves too.
    """
    part: list[Release] = []
    before: Release | None = None
    for release in releases:
        if part and not _joins(before, release, has_timers):
            yield part
            part, before = [], None
        if part and part[-1].event is None:
            part.pop()
        part.append(release)
        if release.event is not None:
            before = release
    if part:
        yield part


def _joins(before: Release | None, release: Release, has_timers: bool) -> bool:
    """Whether a release can be taken with those before it, of which this is the last with an event."""
    if release.clock is None:
        return True
    if has_timers:
        return False
    return before is None or release.event is None or release.now != before.now or release.clock == before.clock


def batch_of_releases(releases: list[Release]) -> Batch:
    """The events of some releases as a batch, in which each arrives when it was released."""
    events = [release.event for release in releases if release.event is not None]
    return batch_of_events(events, [release.now for release in releases if release.event is not None])
