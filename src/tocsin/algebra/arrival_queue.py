"""An order of arrival at work: arrivals in, one at a time, and what may be evaluated out. Best-effort and delay.

    one.offer(arrival)    what may be evaluated now that this has come
    one.advance(clock)    ... now that the arrival clock stands there, though nothing has come
    one.watermark(time)   ... now that nothing older than `time` is to be expected
    one.close()           ... now that the input has ended

`state` and `restore` keep what is held, as plain values, so that a stream can be cut anywhere: what comes out is the
same.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import lt
from typing import Any, TypeAlias

from tocsin.algebra.event_records import whole_event, whole_record
from tocsin.algebra.rules import Order
from tocsin.events import Arrival, Event, Heartbeat
from tocsin.time.spans import render_period


@dataclass
class Release:
    """The next thing to evaluate: time has reached `now`, and perhaps an event with it.

    `lag` is what the arrival clock is ahead of `now`, `clock` the arrival clock itself where that is not constant:
    what is detected meanwhile is reported as detected then. An event `is_late` if one of a later time came before.
    Nobody changes one; it is not frozen because that would make it five times as dear, and every arrival makes some.
    """

    now: int
    event: Event | None = None
    lag: int = 0
    clock: int | None = None
    is_late: bool = False


def release_record(release: Release) -> list[Any]:
    """A release with an event, as plain JSON values."""
    assert release.event is not None
    return [release.now, whole_record(release.event), release.lag, release.clock, release.is_late]


def recorded_release(record: list[Any]) -> Release:
    """What `release_record` wrote."""
    now, event, *rest = record
    return Release(now, whole_event(event), *rest)


def instants(releases: Iterable[Release]) -> Iterator[list[Release]]:
    """What an order that puts events in order has released at once, as it is evaluated: together what has one end.

    What came too late for its place is evaluated by itself.
    """
    together: list[Release] = []
    for release in releases:
        if not together or not (is_in_place(release) and release.now == together[0].now):
            if together:
                yield together
            together = []
        together.append(release)
        if not is_in_place(release):
            yield together
            together = []
    if together:
        yield together


def is_in_place(release: Release) -> bool:
    """Whether an order has let an event go in its place in time."""
    event = release.event
    return event is not None and event.end == release.now and not release.is_late


@dataclass(frozen=True)
class OutOfOrder:
    """An arrival older than what its own source had reported: counted and reported, never dropped silently."""

    event: Event
    reason: str


Held: TypeAlias = tuple[int, int, str, int, Event]
"""An event that is held back: its end, its start, its source, its place among all arrivals, and itself."""


class Ordering:
    """An order at work: arrivals in, what may be evaluated out. This is best-effort's: each thing when it arrives.

    The others hold events back, in `_held`: in 001's total order, by end, start, source and the source's own order.
    """

    def __init__(self, order: Order) -> None:
        self.order = order
        self.late = self.refused = 0
        self._latest: int | None = None
        self._taken = 0
        self._held: list[Held] = []

    def offer(self, arrival: Arrival) -> list[Release | OutOfOrder]:
        """One arrival."""
        if isinstance(arrival, Heartbeat):
            return [Release(arrival.arrival)]
        return [self._release(arrival.arrival, arrival)]

    def advance(self, clock: int) -> list[Release | OutOfOrder]:
        """The arrival clock reaches a time, and nothing arrives."""
        return [Release(clock)]

    def watermark(self, time: int) -> list[Release | OutOfOrder]:
        """Nothing older than `time` is to be expected. Best-effort and delay do not ask: they go by the clock alone."""
        return []

    def close(self) -> list[Release | OutOfOrder]:
        """The input has ended: what is held is released."""
        return []

    def listen(self, heard: frozenset[str] | None) -> None:
        """The rules hear these sources now, or all. Only `guaranteed` waits for sources."""

    @property
    def held(self) -> int:
        """How many events wait."""
        return len(self._held)

    def note(self, end: int) -> bool:
        """Whether an event that is evaluated now is late."""
        is_late = self._latest is not None and end < self._latest
        if is_late:
            self.late += 1
        else:
            self._latest = end
        return is_late

    def note_all(self, ends: Sequence[int]) -> None:
        """The same for many that are evaluated one after the other."""
        before = ends[0] if self._latest is None else self._latest
        latest = list(accumulate(ends, max, initial=before))
        self.late += sum(map(lt, ends, latest))
        self._latest = latest[-1]

    def note_ascending(self, first: int, last: int) -> bool:
        """The same for many that are in order of time, if they come after all others."""
        if self._latest is not None and first < self._latest:
            return False
        self._latest = last
        return True

    def _release(self, now: int, event: Event, lag: int = 0, clock: int | None = None) -> Release:
        return Release(now, event, lag, clock, self.note(event.end))

    def _hold(self, event: Event) -> None:
        self._taken += 1
        heapq.heappush(self._held, (event.end, event.start, event.source, self._taken, event))

    def _next(self) -> Event:
        return heapq.heappop(self._held)[4]

    # -- what is told and kept of it ---------------------------------------------------------------------------------

    def stats(self) -> dict[str, object]:
        """What it holds and has done."""
        return {"order": order_text(self.order), "held": self.held, "late": self.late, "refused": self.refused}

    def state(self) -> dict[str, Any]:
        """All it remembers, as plain JSON values."""
        return {
            "late": self.late,
            "refused": self.refused,
            "latest": self._latest,
            "taken": self._taken,
            "held": [[held[3], whole_record(held[4])] for held in sorted(self._held, key=_by_place)],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """What `state` gave; for one that has seen nothing yet."""
        self.late, self.refused = state["late"], state["refused"]
        self._latest, self._taken = state["latest"], state["taken"]
        events = [(number, whole_event(record)) for number, record in state["held"]]
        self._held = [(event.end, event.start, event.source, number, event) for number, event in events]
        self._held.sort(key=_by_place)  # and so a heap


def _by_place(held: Held) -> tuple[int, int, str, int]:
    return held[:4]


class Delayed(Ordering):
    """000's scheduler, 003's uniform delaying: every event waits until the clock is `delay` past its time.

    What is due just when something arrives waits on: that may have the same time, and belong before it. An event later
    than that cannot be put in order any more; it is evaluated at once, as under best-effort.
    """

    def __init__(self, order: Order, delay: int) -> None:
        super().__init__(order)
        self._delay = delay
        self._reached: int | None = None

    def offer(self, arrival: Arrival) -> list[Release | OutOfOrder]:
        found = self.advance(arrival.arrival)
        if isinstance(arrival, Event):
            limit = arrival.arrival - self._delay
            if arrival.end >= limit:
                self._hold(arrival)
            else:
                self._reached = max(limit if self._reached is None else self._reached, arrival.end)
                found.append(self._release(self._reached, arrival, self._delay))
        return found

    def advance(self, clock: int) -> list[Release | OutOfOrder]:
        found: list[Release | OutOfOrder] = []
        limit = clock - self._delay
        while self._held and self._held[0][0] < limit:
            found.append(self._taken_out())
        if self._reached is not None:
            self._reached = max(self._reached, limit)
            found.append(Release(self._reached, None, self._delay))
        return found

    def close(self) -> list[Release | OutOfOrder]:
        return [self._taken_out() for _ in range(self.held)]

    def _taken_out(self) -> Release:
        event = self._next()
        self._reached = event.end if self._reached is None else max(self._reached, event.end)
        return self._release(self._reached, event, self._delay)

    def state(self) -> dict[str, Any]:
        return super().state() | {"reached": self._reached}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self._reached = state["reached"]


def order_text(order: Order) -> str:
    """An order as people write it: `delay:5*sec`."""
    for period in (order.delay, order.idle):
        if period is not None:
            return f"{order.policy}:{render_period(period)}"
    return order.policy if order.probability is None else f"{order.policy}:{order.probability!r}"
