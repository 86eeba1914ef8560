"""Clocks that detection runs on: injected, so that a replay and a service differ in nothing else."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Something that tells the time, in microseconds since 1970 (UTC)."""

    def now(self) -> int: ...


class WallClock:
    """The machine's clock. The only place in Tocsin that reads it."""

    def now(self) -> int:
        return time.time_ns() // 1000


class ShiftedClock:
    """Another clock, put forward or back: a log that is played back goes by one."""

    def __init__(self, clock: Clock, shift: int) -> None:
        self._clock, self._shift = clock, shift

    def now(self) -> int:
        return self._clock.now() + self._shift


class VirtualClock:
    """A clock that stands still until its owner moves it; it never goes back."""

    def __init__(self, start: int = 0) -> None:
        self._now = start

    def now(self) -> int:
        return self._now

    def advance(self, to: int) -> None:
        """Moves on to `to`; an earlier time changes nothing."""
        self._now = max(self._now, to)
