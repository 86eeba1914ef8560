"""Absence sensors report that something did not happen (000 section 5: "not event E within last T time units").

    watch = sensor.absence("door", within="10 min")      # no_door after ten minutes without sensor.send("door", ...)
    watch.seen()                                         # it has happened, without an event that says so

For those who have no negation in their language, or whose events are too many to send: they stay where they are, and
only their absence is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock

from tocsin.sensor.clocks import LocalClock
from tocsin.sensor.timers import Timers
from tocsin.time.spans import SECOND

Report = Callable[[Mapping[str, object], int], None]
"""Sends the event that says so: what it holds, and the reading at which the time was up."""


class Absence:
    """Watches for one type of event; reports when none was seen for a time, and again after as long as that.

    With `by`, each value of that attribute that was ever seen is watched by itself. The report is stamped with the
    moment at which the time was up, and precedes whatever is sent after it: an event that comes too late does not hide
    it.
    """

    def __init__(
        self, type: str, within: int, by: str | None, again: bool, timers: Timers, clock: LocalClock, report: Report
    ) -> None:
        self.type, self._within, self._by, self._again = type, within, by, again
        self._timers, self._clock, self._report = timers, clock, report
        self._lock = Lock()
        self._due: dict[object, int] = {}
        self._is_cancelled = False
        self._armed: set[object] = set()
        """What a timer is set for."""
        if by is None:
            self.seen()

    def seen(self, value: object = None) -> None:
        """It has happened; with `by`, for that value."""
        self.seen_at(self._clock.reading(), value)

    def noticed(self, reading: int, data: Mapping[str, object]) -> None:
        """An event of the type was sent."""
        if self._by is None:
            self.seen_at(reading)
        elif self._by in data:
            self.seen_at(reading, data[self._by])

    def seen_at(self, reading: int, value: object = None) -> None:
        """It has happened at a reading of the counter. What was due before that is reported first."""
        key = None if self._by is None else value
        self._catch_up(key, reading)
        with self._lock:
            self._due[key] = reading + self._within
        self._watch(key)

    def cancel(self) -> None:
        """Watches no more."""
        self._is_cancelled = True

    def _watch(self, key: object) -> None:
        """Sets a timer, if none is set; when it is due it goes on to the moment at which it is due by then."""
        with self._lock:
            if key in self._armed:
                return
            self._armed.add(key)
            due = self._due[key]
        self._timers.add(due, lambda _: self._timed(key))

    def _timed(self, key: object) -> int | None:
        self._catch_up(key, self._clock.reading())
        with self._lock:
            due = None if self._is_cancelled else self._due.get(key)
            if due is None:
                self._armed.discard(key)
            return due

    def _catch_up(self, key: object, reading: int) -> None:
        """Reports what was due up to a reading: once, however long ago it was."""
        with self._lock:
            due = self._due.get(key)
            if due is None or due > reading or self._is_cancelled:
                return
            if self._again:
                self._due[key] = due + self._within * ((reading - due) // self._within + 1)
            else:
                del self._due[key]
        told: dict[str, object] = {"event": self.type, "within": self._within / SECOND}
        if self._by is not None:
            told[self._by] = key
        self._report(told, due)
