"""The wall clock moves by itself, a virtual one only by its owner, and never back."""

from __future__ import annotations

import time

from tocsin.time.clocks import Clock, ShiftedClock, VirtualClock, WallClock


def test_the_wall_clock_tells_microseconds_since_1970() -> None:
    clock: Clock = WallClock()
    before, now, after = time.time_ns() // 1000, clock.now(), time.time_ns() // 1000
    assert before <= now <= after


def test_a_virtual_clock_stands_until_moved_and_never_goes_back() -> None:
    virtual = VirtualClock(5)
    clock: Clock = virtual
    assert clock.now() == 5
    virtual.advance(9)
    virtual.advance(7)
    assert clock.now() == 9
    assert VirtualClock().now() == 0


def test_a_shifted_clock_goes_as_the_other_does() -> None:
    other = VirtualClock(100)
    clock = ShiftedClock(other, -40)
    assert clock.now() == 60
    other.advance(110)
    assert clock.now() == 70
