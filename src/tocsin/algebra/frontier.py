"""How far every source has reported, and which have fallen silent: what the order `guaranteed` goes by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Frontier:
    """The sources, each with the latest time it has reported: what is older than all of these is stable.

    A source that was named and has not reported yet holds everything back. One that was not named counts from its
    first report on: it cannot hold back what it never announced. With a `patience`, a source that gives no sign of
    life for so long of the arrival clock is idle, and holds nothing back until it reports again. Where it is known
    which sources are `heard`, only those are waited for.
    """

    def __init__(
        self, sources: Iterable[str] = (), patience: int | None = None, heard: frozenset[str] | None = None
    ) -> None:
        self.reached: dict[str, int | None] = dict.fromkeys(sources)
        self._audible = heard
        self.idle: set[str] = set()
        self._patience = patience
        self._heard: dict[str, int] = {}
        """When each source that is not idle was last heard, the one that has been silent longest first."""
        self._has_begun = False
        self._stable: int | None = None
        self._is_known = False
        """Whether `_stable` still holds: most reports do not come from the source that is furthest behind."""

    def begin(self, clock: int) -> None:
        """The clock starts, with the first arrival: from here on those that were named are waited for."""
        if not self._has_begun:
            self._has_begun = True
            if self._patience is not None:
                self._heard = dict.fromkeys(self.reached, clock)

    def listen(self, heard: frozenset[str] | None) -> None:
        """From now on these sources are waited for, or all."""
        self._audible, self._is_known = heard, False

    def report(self, source: str, time: int, clock: int) -> None:
        """A source has reported a time."""
        self.hear(source, clock)
        before = self.reached.get(source)
        if before is None or time > before:
            self.reached[source] = time
            if self._stable is None or before is None or before <= self._stable:
                self._is_known = False

    def hear(self, source: str, clock: int) -> None:
        """A source has given a sign of life, whatever it said."""
        if source in self.idle:
            self.idle.discard(source)
            self._is_known = False
        if self._patience is not None:
            self._heard.pop(source, None)
            self._heard[source] = clock

    def fall_silent(self, clock: int) -> int | None:
        """Makes the first source idle that has been silent too long by `clock`; the moment that was so, or None."""
        if self._patience is None:
            return None
        for source, heard in self._heard.items():
            if heard + self._patience > clock:
                return None
            del self._heard[source]
            self.idle.add(source)
            self._is_known = False
            return heard + self._patience
        return None

    @property
    def is_idle(self) -> bool:
        """Whether every source is."""
        return all(source in self.idle for source in self._waited_for())

    def _waited_for(self) -> Iterable[str]:
        heard = self._audible
        return self.reached if heard is None else [source for source in self.reached if source in heard]

    def stable(self) -> int | None:
        """The time that every source has reached, but for the idle ones; if all are idle, the latest of all."""
        if not self._is_known:
            self._stable, self._is_known = self._least(), True
        return self._stable

    def _least(self) -> int | None:
        if self.is_idle:
            known = (self.reached[source] for source in self._waited_for())
            return max((reached for reached in known if reached is not None), default=None)
        least: int | None = None
        for source in self._waited_for():
            if source not in self.idle:
                reached = self.reached[source]
                if reached is None:
                    return None
                if least is None or reached < least:
                    least = reached
        return least

    def state(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "reached": dict(self.reached),
            "idle": sorted(self.idle),
            "heard": list(map(list, self._heard.items())),
            "begun": self._has_begun,
        }

    def restore(self, state: dict[str, Any], clock: int | None) -> None:
        """What `state` gave. Sources that were named only now are waited for from `clock` on."""
        named = self.reached
        self.reached = dict(state["reached"])
        self.idle = set(state["idle"])
        self._heard = dict(state["heard"])
        self._has_begun = state["begun"]
        self._is_known = False
        for source in named:
            if source not in self.reached:
                self.reached[source] = None
                if clock is not None and self._has_begun:
                    self.hear(source, clock)
