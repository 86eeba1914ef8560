"""What a sensor can read by itself: its machine's clock, and a counter that nobody sets."""

from __future__ import annotations

import time
from typing import Final, Protocol

from tocsin.time.clocks import WallClock


class LocalClock(Protocol):
    """The time as this machine has it. Microseconds, both of them."""

    def now(self) -> int:
        """Since 1970, by a clock that may be wrong, and may be set at any moment."""

    def reading(self) -> int:
        """Since some moment, by a counter that only goes forward; what it is off by is its drift."""


_COUNTER: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""It goes on while the machine sleeps, where there is such a one: else an hour of sleep would be an hour of error."""


class MachineClock:
    """The clock and the counter of this machine."""

    def __init__(self) -> None:
        self._wall = WallClock()

    def now(self) -> int:
        return self._wall.now()

    def reading(self) -> int:
        return time.clock_gettime_ns(_COUNTER) // 1000
