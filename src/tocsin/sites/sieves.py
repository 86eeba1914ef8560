"""A filter at work: which of the events that are born here travel, and what of them."""

from __future__ import annotations

from dataclasses import replace

from tocsin.events import Event
from tocsin.runtime import Runtime
from tocsin.sites.parts import Part


class Sieve:
    """Events of a type, those that pass a test of their own, with the attributes that somebody reads."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self._rules = Runtime(part.program, is_alone=True) if part.rules else None

    def passed(self, event: Event) -> Event | None:
        """The event as it travels, if it does."""
        if self._rules is not None and not self._rules.process([event]):
            return None
        wanted = self.part.attributes
        if wanted is None or all(name in wanted for name in event.data):
            return event
        return replace(event, data={name: event.data[name] for name in wanted if name in event.data})
