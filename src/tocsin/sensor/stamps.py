"""When an event of a sensor happened, in the service's time: the interval that it surely lies in, or one point.

The ends of a sensor's stamps only ever grow, one by one: its events are known to have happened one after the other, and
whoever waits for a sensor to have passed a time (`guaranteed`) must not be told of an earlier one later. A larger end
makes an interval wider, so what it holds it still holds.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from tocsin.sensor.clocks import LocalClock
from tocsin.sensor.service_clock import ServiceClock
from tocsin.time.instants import render_instant
from tocsin.time.spans import SECOND
from tocsin.time.stamps import Interval

_SECONDS: Final = 64
"""How many seconds' texts are kept."""


class Stamps(Enum):
    """How events are stamped."""

    INTERVAL = "interval"
    """All that is known: from the earliest to the latest time that it can have been."""
    POINT = "point"
    """The middle of that interval."""
    LOCAL = "local"
    """This machine's clock, as it is. The service is not asked for its time."""


class Stamper:
    """Stamps what happens now, or happened at a reading of the counter. One thread at a time calls it."""

    def __init__(self, kind: Stamps, clock: LocalClock, service: ServiceClock, trust: int) -> None:
        self._kind, self._clock, self._service, self._trust = kind, clock, service, trust
        self._last: int | None = None

    def known(self, reading: int) -> Interval:
        """The interval of the service's time at a reading: as estimated, or by this machine's clock if it trusts it."""
        shown = self._clock.now() - (self._clock.reading() - reading)
        if self._kind is Stamps.LOCAL:
            return Interval(shown, shown)
        return self._service.at(reading) or Interval(shown - self._trust, shown + self._trust)

    def stamp(self, reading: int) -> Interval:
        """The stamp of what happened at a reading; its end is later than that of every stamp before."""
        known = self.known(reading)
        lo, hi = known.lo, known.hi
        if self._kind is not Stamps.INTERVAL:
            lo = hi = (lo + hi) // 2
        if self._last is not None and hi <= self._last:
            hi = self._last + 1
        self._last = hi
        return Interval(lo if self._kind is Stamps.INTERVAL else hi, hi)


class InstantTexts:
    """Instants as RFC 3339 text. Most share their second with one before: its text is made once."""

    def __init__(self) -> None:
        self._seconds: dict[int, str] = {}

    def of(self, instant: int) -> str:
        second, rest = divmod(instant, SECOND)
        text = self._seconds.get(second)
        if text is None:
            if len(self._seconds) == _SECONDS:
                self._seconds.clear()
            text = self._seconds[second] = render_instant(second * SECOND)[:-1]
        return f"{text}.{rest:06}Z" if rest else f"{text}Z"
