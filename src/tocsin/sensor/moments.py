"""Time events of a sensor: at points in time, once or again and again; every so often (002 section 3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tocsin.errors import RuleError, UsageError
from tocsin.sensor.clocks import LocalClock
from tocsin.time.calendar import TimePoint, parse_instant, parse_time_point
from tocsin.time.instants import render_instant
from tocsin.time.spans import SECOND

LONGEST: Final = 60 * SECOND
"""The service's time is looked at at least so often while a time point is awaited: it may be known better by then."""

Report = Callable[[Mapping[str, object], int], None]
"""Sends a time event: what it holds, and the reading at which it was due."""


class Periods:
    """What is due every so often, from its beginning on. What was missed while nothing ran is not made up for."""

    def __init__(self, period: int, clock: LocalClock, report: Report) -> None:
        self._period, self._clock, self._report = period, clock, report
        self._begun = clock.reading()

    def first(self) -> int:
        return self._begun + self._period

    def due(self, at: int) -> int:
        """Reports that the time is up; when it is next."""
        number = (self._clock.reading() - self._begun) // self._period
        self._report({"count": number}, self._begun + number * self._period)
        return self._begun + (number + 1) * self._period


class Points:
    """A time point that comes in the service's time, as well as that is known."""

    def __init__(self, text: str, clock: LocalClock, service_time: Callable[[int], int], report: Report) -> None:
        self._clock, self._service_time, self._report = clock, service_time, report
        self._point = _point_of(text)
        self._next = self._after(service_time(clock.reading()) - 1)

    def first(self) -> int | None:
        """The reading at which to look for the first time; nothing if the point is past."""
        return None if self._next is None else self._look_at(self._clock.reading())

    def due(self, at: int) -> int | None:
        """Reports the point if it has come; when to look again."""
        reading = self._clock.reading()
        now = self._service_time(reading)
        if self._next is not None and self._next <= now:
            self._report({"due": render_instant(self._next)}, reading - (now - self._next))
            self._next = self._after(now)
        return None if self._next is None else self._look_at(reading)

    def _after(self, instant: int) -> int | None:
        if isinstance(self._point, TimePoint):
            return self._point.next_after(instant)
        return self._point if self._point > instant else None

    def _look_at(self, reading: int) -> int:
        assert self._next is not None
        return reading + min(LONGEST, self._next - self._service_time(reading))


def _point_of(text: str) -> TimePoint | int:
    """A time point as GEM writes it, or an instant."""
    try:
        return parse_instant(text)
    except RuleError:
        pass
    try:
        point = parse_time_point(text)
    except RuleError as error:
        fault = error.faults[0]
        expected = f", expected {fault.expected}" if fault.expected else ""
        raise UsageError(
            f"the time point is {text!r}: {fault.message}{expected}; as in '01:30 Fri' or '2026-11-15T20:00:00Z'"
        ) from None
    return point.instant() if point.exact else point
