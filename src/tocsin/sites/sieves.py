"""A filter at work: which of the events that are born here travel, and what of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from tocsin.algebra.guards import Guard
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.patterns import Where
from tocsin.algebra.values import Surroundings, evaluate
from tocsin.events import Event
from tocsin.rules.programs import without_rules
from tocsin.runtime import Runtime
from tocsin.sites.parts import Part

VERDICT: Final = "?"
"""What the name of a rule begins with whose outcome travels with the event, as an attribute of that name."""
IT: Final = "it"
"""The event of which a verdict speaks."""


class Sieve:
    """Events of a type: those that pass a test of their own, not too many, with the attributes that somebody reads."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self._verdicts = {rule.name: _guard_of(rule.pattern) for rule in part.rules if rule.name.startswith(VERDICT)}
        """What is found out here for those who will not have the attributes that stay."""
        tests = without_rules(part.program, self._verdicts.keys())
        self._rules = Runtime(tests, is_alone=True) if tests.rules else None
        self._recent: dict[str, deque[int]] = {}
        """By source: when the last events that travelled ended, as many as are allowed."""
        is_whole = part.attributes is None and not part.staying and part.share is None
        self.is_plain = not part.rules and part.limit is None and is_whole
        """Whether every event passes as it is."""
        self.held_back = 0
        """Events beyond the limit, since the process was started."""

    def passed(self, event: Event) -> Event | None:
        """The event as it travels, if it does."""
        if self._rules is not None and not self._rules.process([event]):
            return None
        if self.part.limit is not None and not self._is_allowed(event, *self.part.limit):
            self.held_back += 1
            return None
        if self.part.share is not None and not self.part.share.has(event):  # all shares together keep to the limit
            return None
        wanted, staying = self.part.attributes, self.part.staying
        if not staying and not self._verdicts and (wanted is None or all(name in wanted for name in event.data)):
            return event
        kept = {
            name: value
            for name, value in event.data.items()
            if name not in staying and (wanted is None or name in wanted)
        }
        return replace(event, data=kept | self._found_out(event))

    def _found_out(self, event: Event) -> dict[str, object]:
        """The verdicts that are true: one that is missing is not."""
        it = {IT: Occurrence(event.start, event.end, (event,))}
        return {name: True for name, guard in self._verdicts.items() if evaluate(guard, it, Surroundings()) is True}

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


def without_verdicts(data: Mapping[str, object]) -> Mapping[str, object]:
    """What a detection says of its events, without what was only found out for its rule."""
    if not any(f".{VERDICT}" in name for name in data):
        return data
    return {name: value for name, value in data.items() if f".{VERDICT}" not in name}


def _guard_of(pattern: object) -> Guard:
    assert isinstance(pattern, Where)
    return pattern.guard
