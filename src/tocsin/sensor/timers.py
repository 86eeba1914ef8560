"""What a sensor does when its time has come: heartbeats, absences, time events. By a counter that nobody sets."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count
from threading import Lock

from tocsin.sensor.clocks import LocalClock

Action = Callable[[int], int | None]
"""Told the reading at which it was due; gives the one at which it is due again, or nothing."""


class Timer:
    """Something that is due at a reading of the counter. `cancel` and it is not done any more."""

    def __init__(self, action: Action | None) -> None:
        self.action: Action | None = action

    def cancel(self) -> None:
        self.action = None


class Timers:
    """Timers by when they are due. Any thread may add one; one at a time runs them."""

    def __init__(self, clock: LocalClock, wake: Callable[[], None]) -> None:
        self._clock, self._wake = clock, wake
        self._lock = Lock()
        self._heap: list[tuple[int, int, Timer]] = []
        self._numbers = count()

    def add(self, due: int, action: Action) -> Timer:
        """Does something at a reading of the counter, or as soon after it as can be."""
        timer = Timer(action)
        self._push(due, timer)
        self._wake()
        return timer

    def _push(self, due: int, timer: Timer) -> None:
        with self._lock:
            heapq.heappush(self._heap, (due, next(self._numbers), timer))

    def turn(self) -> int | None:
        """Does all that is due, in order; the reading at which the next is, nothing if there is none."""
        while True:
            with self._lock:
                if not self._heap:
                    return None
                due, _, timer = self._heap[0]
                if due > self._clock.reading():
                    return due
                heapq.heappop(self._heap)
            action = timer.action
            again = None if action is None else action(due)
            if again is not None:
                self._push(again, timer)
