"""The service's time, estimated by Cristian's method: ask for it, and take into account how long the answer took.

    asked          answered            m                  readings of this machine's counter
    ──┬───────────────┬────────────────┬──────────
      └──> time ──────┘                                   the service's clock, read somewhere in between

The service read its clock between the two readings, nobody knows when. If the two run at rates that differ by a drift
of at most ρ, then at a reading m after the answer the service's clock shows

    at least    time + (m - answered) (1 - ρ)
    at most     time + (m - asked) (1 + ρ)

That holds for every single probe, however long and however lopsided its way was: no delay is assumed to be the same in
both directions. A shorter round trip only makes the interval narrower, so of several probes the shortest is kept; and
as the interval grows by 2ρ a second, it is asked again from time to time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from tocsin.sensor.clocks import LocalClock
from tocsin.time.stamps import Interval

MILLION: Final = 1_000_000


@dataclass(frozen=True)
class Probe:
    """One question and its answer: two readings of the counter, and the service's time in between."""

    asked: int
    answered: int
    time: int

    @property
    def round_trip(self) -> int:
        return self.answered - self.asked


@dataclass(frozen=True)
class Estimate:
    """What one probe says about the service's time at any reading of the counter, before it or after."""

    probe: Probe
    drift: int
    """At most so many microseconds a second."""

    def at(self, reading: int) -> Interval:
        """The least interval that the service's time surely lies in.

        Readings and times are whole microseconds, cut: what was read as r was less than one later than r.
        """
        since_answer = reading - (self.probe.answered + 1)
        since_question = reading + 1 - self.probe.asked
        lo = self.probe.time + since_answer - self._error(since_answer)
        hi = self.probe.time + 1 + since_question + self._error(since_question)
        return Interval(lo, hi)

    def _error(self, elapsed: int) -> int:
        """What the drift may have come to, rounded up."""
        return -(-abs(elapsed) * self.drift // MILLION)


class ServiceClock:
    """The service's time as far as it is known. Any thread may ask."""

    def __init__(self, drift: int) -> None:
        self._drift = drift
        self.estimate: Estimate | None = None
        self.jumps = 0
        """How often what was learnt contradicted what was known: a clock was set, or drifts more than it may."""

    def learn(self, probes: Iterable[Probe]) -> None:
        """Takes what several probes say, if it is better than what is known, or contradicts it."""
        best = min(probes, key=lambda probe: probe.round_trip, default=None)
        if best is None:
            return
        new = Estimate(best, self._drift)
        if self.estimate is not None:
            known, told = self.estimate.at(best.answered), new.at(best.answered)
            if known.lo > told.hi or told.lo > known.hi:
                self.jumps += 1
            elif known.hi - known.lo <= told.hi - told.lo:
                return
        self.estimate = new

    def at(self, reading: int) -> Interval | None:
        """The interval that the service's time lies in; nothing as long as no probe was answered."""
        known = self.estimate  # once: another thread may put a better one there
        return None if known is None else known.at(reading)


def probes(ask: Callable[[], int], clock: LocalClock, count: int) -> list[Probe]:
    """Asks for the service's time, several times one after the other."""
    made = []
    for _ in range(count):
        asked = clock.reading()
        time = ask()
        made.append(Probe(asked, clock.reading(), time))
    return made
