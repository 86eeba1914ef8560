"""How late a source's reports are, learnt from those that came: the estimate behind the order `probabilistic`."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import deque
from typing import Any

REMEMBERED = 500
"""The latest reports of a source that count: delays change, and the estimate should follow."""


class Delays:
    """The delays of one source's latest reports."""

    def __init__(self) -> None:
        self._latest: deque[int] = deque()
        self.ascending: list[int] = []

    def learn(self, delay: int) -> None:
        """A report came `delay` after its time."""
        self._latest.append(delay)
        insort(self.ascending, delay)
        if len(self._latest) > REMEMBERED:
            del self.ascending[bisect_right(self.ascending, self._latest.popleft()) - 1]

    def within(self, delay: int) -> float:
        """The estimated probability that a report takes no longer than `delay`.

        Rank over count plus one: the next delay is as likely to fall into any of the gaps that the known ones leave,
        the last of them, beyond all, included. So little knowledge means little certainty.
        """
        return bisect_right(self.ascending, delay) / (len(self.ascending) + 1)

    def between(self, low: int, high: int | None) -> list[int]:
        """The known delays above one and up to another, ascending: only there does the estimate change."""
        first = bisect_right(self.ascending, low)
        return self.ascending[first:] if high is None else self.ascending[first : bisect_right(self.ascending, high)]

    def state(self) -> list[int]:
        """The delays that count, the oldest report first."""
        return list(self._latest)

    def restore(self, latest: list[int]) -> None:
        """What `state` gave."""
        self._latest, self.ascending = deque(latest), sorted(latest)


class Sources:
    """All sources: how far each has reported, and how late its reports are."""

    def __init__(self) -> None:
        self.reached: dict[str, int] = {}
        self._delays: dict[str, Delays] = {}
        self._disorderly: set[str] = set()

    def report(self, source: str, time: int, clock: int) -> None:
        """A source has reported `time` at the clock's `clock`."""
        if time < self.reached.get(source, time):
            self._disorderly.add(source)
        self.reached[source] = max(time, self.reached.get(source, time))
        self._delays.setdefault(source, Delays()).learn(max(0, clock - time))

    def stable_at(self, time: int, probability: float, clock: int, until: int | None = None) -> int | None:
        """When an event of that time is stable with this probability, from `clock` on; None if no wait is enough.

        A source that has reported later is past it for sure, unless it is known to report out of order; each of the
        others may still owe a report as old as that. What is not so `until` then need not be found: it is None too.
        """
        owing = [self._delays[s] for s, reached in self.reached.items() if reached <= time or s in self._disorderly]
        if _all_within(owing, clock - time) >= probability:
            return clock
        if until is not None and _all_within(owing, until - time) < probability:
            return None
        longest = None if until is None else until - time
        delays = sorted({delay for each in owing for delay in each.between(clock - time, longest)})
        low, high = 0, len(delays)
        while low < high:
            middle = (low + high) // 2
            if _all_within(owing, delays[middle]) >= probability:
                high = middle
            else:
                low = middle + 1
        return time + delays[low] if low < len(delays) else None

    def state(self) -> dict[str, Any]:
        """What was learnt of each source, as plain values: how far it has reported, its delays, whether in order."""
        return {
            source: [reached, self._delays[source].state(), source not in self._disorderly]
            for source, reached in self.reached.items()
        }

    def restore(self, state: dict[str, Any]) -> None:
        """What `state` gave."""
        for source, (reached, latest, is_orderly) in state.items():
            self.reached[source] = reached
            self._delays[source] = Delays()
            self._delays[source].restore(latest)
            if not is_orderly:
                self._disorderly.add(source)


def _all_within(owing: list[Delays], delay: int) -> float:
    certainty = 1.0
    for each in owing:
        certainty *= each.within(delay)
    return certainty
