"""A filter at work: which of the events that are born here travel, and what of them."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from tocsin.events import Event
from tocsin.runtime import Runtime
from tocsin.sites.parts import Part


class Sieve:
    """Events of a type: those that pass a test of their own, not too many, with the attributes that somebody reads."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self._rules = Runtime(part.program, is_alone=True) if part.rules else None
        self._recent: dict[str, deque[int]] = {}
        """By source: when the last events that travelled ended, as many as are allowed."""

    def passed(self, event: Event) -> Event | None:
        """The event as it travels, if it does."""
        if self._rules is not None and not self._rules.process([event]):
            return None
        if self.part.limit is not None and not self._is_allowed(event, *self.part.limit):
            return None
        wanted, staying = self.part.attributes, self.part.staying
        if not staying and (wanted is None or all(name in wanted for name in event.data)):
            return event
        kept = {
            name: value
            for name, value in event.data.items()
            if name not in staying and (wanted is None or name in wanted)
        }
        return replace(event, data=kept)

    def _is_allowed(self, event: Event, most: int, period: int) -> bool:
        recent = self._recent.setdefault(event.source, deque(maxlen=most))
        if len(recent) == most and event.end < recent[0] + period:
            return False
        recent.append(event.end)
        return True

    def state(self) -> dict[str, list[int]]:
        """What it remembers, as plain values: its test looks at one event at a time, and remembers nothing."""
        return {source: list(recent) for source, recent in self._recent.items()}

    def restore(self, state: dict[str, list[int]]) -> None:
        """What `state` gave."""
        most = None if self.part.limit is None else self.part.limit[0]
        self._recent = {source: deque(recent, maxlen=most) for source, recent in state.items()}
