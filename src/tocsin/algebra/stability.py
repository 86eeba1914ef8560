"""Orders that wait until an event is stable (001 section 6.3), for sure or probably: guaranteed, probabilistic."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tocsin.algebra.arrival_queue import Ordering, OutOfOrder, Release
from tocsin.algebra.delays import Sources
from tocsin.algebra.frontier import Frontier
from tocsin.algebra.rules import Order
from tocsin.events import Arrival, Event


class Guaranteed(Ordering):
    """An event is evaluated when every source that is heard has reported strictly later, or the watermark passed it.

    An event below its own source's frontier is refused. One that is not, and still older than what has been
    evaluated (of a source that was idle, or not known, or behind the watermark), is evaluated at once.
    """

    def __init__(
        self, order: Order, sources: Iterable[str], patience: int | None, heard: frozenset[str] | None = None
    ) -> None:
        super().__init__(order)
        self._frontier = Frontier(sources, patience, heard)
        self._reached: int | None = None
        self._clock: int | None = None
        self._has_started = False

    def offer(self, arrival: Arrival) -> list[Release | OutOfOrder]:
        self._frontier.begin(arrival.arrival)
        found = self.advance(arrival.arrival)
        clock = self._clock
        assert clock is not None
        if isinstance(arrival, Event):
            known = self._frontier.reached.get(arrival.source)
            if known is not None and arrival.end < known:
                self._frontier.hear(arrival.source, clock)
                self.refused += 1
                source = f"source '{arrival.source}'" if arrival.source else "their source"
                found.append(OutOfOrder(arrival, f"older than what {source} had already reported"))
                return found
            self._hold(arrival)
            self._frontier.report(arrival.source, arrival.end, clock)
        else:
            self._frontier.report(arrival.source, arrival.time, clock)
        self._settle(found)
        return found

    def advance(self, clock: int) -> list[Release | OutOfOrder]:
        """Sources that have been silent too long no longer hold the others back, from the moment that was so."""
        found: list[Release | OutOfOrder] = []
        while (silent := self._frontier.fall_silent(clock)) is not None:
            self._clock = silent if self._clock is None else max(silent, self._clock)
            self._settle(found)
        self._clock = clock if self._clock is None else max(clock, self._clock)
        return found

    def watermark(self, time: int) -> list[Release | OutOfOrder]:
        found: list[Release | OutOfOrder] = []
        self._evaluate(time, found)
        return found

    def close(self) -> list[Release | OutOfOrder]:
        return [self._taken_out() for _ in range(self.held)]

    def listen(self, heard: frozenset[str] | None) -> None:
        self._frontier.listen(heard)

    def _settle(self, found: list[Release | OutOfOrder]) -> None:
        """Evaluates what is stable now."""
        stable = self._frontier.stable()
        if stable is not None:
            # If nobody is left to report anything later, what is held of that very time does not wait either.
            self._evaluate(stable, found, and_that=self._frontier.is_idle)

    def _evaluate(self, limit: int, found: list[Release | OutOfOrder], *, and_that: bool = False) -> None:
        limit = limit if self._reached is None else max(limit, self._reached)
        while self._held and (self._held[0][0] < limit or (and_that and self._held[0][0] == limit)):
            found.append(self._taken_out())
        self._reached = limit
        if self._has_started:
            found.append(Release(limit, None, 0, self._clock))

    def _taken_out(self) -> Release:
        event = self._next()
        self._has_started = True
        now = event.end if self._reached is None else max(event.end, self._reached)
        return self._release(now, event, 0, self._clock)

    def stats(self) -> dict[str, object]:
        frontier = self._frontier
        return super().stats() | {"reached": self._reached, "sources": frontier.reached, "idle": sorted(frontier.idle)}

    def state(self) -> dict[str, Any]:
        own = {"reached": self._reached, "clock": self._clock, "started": self._has_started}
        return super().state() | own | {"frontier": self._frontier.state()}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self._reached, self._clock, self._has_started = state["reached"], state["clock"], state["started"]
        self._frontier.restore(state["frontier"], self._clock)


class Probabilistic(Ordering):
    """An event is evaluated when it is probably stable, as far as the delays of each source tell (`delays.py`).

    One that comes after all when others of later time have been evaluated is evaluated at once, as under best-effort.
    """

    def __init__(self, order: Order, probability: float) -> None:
        super().__init__(order)
        self._probability = probability
        self._sources = Sources()
        self._reached: int | None = None
        self._clock: int | None = None

    def offer(self, arrival: Arrival) -> list[Release | OutOfOrder]:
        found = self.advance(arrival.arrival)
        clock = self._clock
        assert clock is not None
        if isinstance(arrival, Event):
            self._sources.report(arrival.source, arrival.end, clock)
            self._hold(arrival)
        else:
            self._sources.report(arrival.source, arrival.time, clock)
        return found

    def advance(self, clock: int) -> list[Release | OutOfOrder]:
        found: list[Release | OutOfOrder] = []
        while self._held and self._clock is not None:
            moment = self._sources.stable_at(self._held[0][0], self._probability, self._clock, clock)
            if moment is None or moment > clock:
                break
            self._clock = max(self._clock, moment)
            found.append(self._taken_out())
        self._clock = clock if self._clock is None else max(clock, self._clock)
        return found

    def watermark(self, time: int) -> list[Release | OutOfOrder]:
        found: list[Release | OutOfOrder] = []
        while self._held and self._held[0][0] < time:
            found.append(self._taken_out())
        return found

    def close(self) -> list[Release | OutOfOrder]:
        return [self._taken_out() for _ in range(self.held)]

    def _taken_out(self) -> Release:
        event = self._next()
        self._reached = event.end if self._reached is None else max(self._reached, event.end)
        return self._release(self._reached, event, 0, self._clock)

    def stats(self) -> dict[str, object]:
        return super().stats() | {"reached": self._reached, "sources": self._sources.reached}

    def state(self) -> dict[str, Any]:
        own = {"reached": self._reached, "clock": self._clock, "sources": self._sources.state()}
        return super().state() | own

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self._reached, self._clock = state["reached"], state["clock"]
        self._sources.restore(state["sources"])
