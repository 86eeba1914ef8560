"""Rules that are there once for each value of some attributes: `partition by user` (SEMANTICS section 7).

Each value has a detector of its own, which sees the events that have it and no others. So whatever the rule uses up,
counts, waits for or runs at a time concerns that value alone. A value is a text, a number or a truth value; an event
without one, or with a null or a list there, is in no partition.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import Any

from tocsin.algebra.attributes import found_in
from tocsin.algebra.detectors import Detector, Due, Setting, detector
from tocsin.algebra.occurrence import Occurrence, chronology
from tocsin.algebra.operations import is_number
from tocsin.algebra.patterns import Automaton
from tocsin.algebra.rules import Context, Rule
from tocsin.algebra.witness import Witness
from tocsin.events import Event

Make = Callable[[Rule, Setting, int], Detector]
"""What makes a detector of a rule that begins at a time."""

Moment = tuple[Due, tuple[object, ...], str]
"""What a partition waits for, as it sorts: between equal moments the value decides."""


def partition_of(event: Event, attributes: tuple[str, ...]) -> str | None:
    """The values of an event that tell its partition, as a text; None if it is in none. 1 and 1.0 are one value."""
    values: list[object] = []
    for attribute in attributes:
        value = found_in(event.data, attribute)
        if is_number(value):
            assert isinstance(value, int | float)
            if isinstance(value, float) and value.is_integer():
                value = int(value)
            elif isinstance(value, float) and math.isnan(value):
                return None
        elif not isinstance(value, str | bool):
            return None
        values.append(value)
    return json.dumps(values)


class Partitions(Detector):
    """A rule with a detector for each value. `make` makes them."""

    def __init__(self, rule: Rule, setting: Setting, since: int, make: Make = detector) -> None:
        super().__init__(rule, setting, since)
        self.since = since
        self.parts: dict[str, Detector] = {}
        self._make = make
        self._witness: Witness | None = None
        self._any_part = make(rule, setting, since)
        """One that has seen nothing, and tells which events the rule looks at."""

    @property
    def is_automaton(self) -> bool:
        return isinstance(self.rule.pattern, Automaton)

    def watch(self, witness: Witness) -> None:
        self._witness = witness
        for part in self.parts.values():
            part.watch(witness)

    def wants(self, event: Event) -> bool:
        return self._any_part.wants(event)

    def arrive(self, arrival: Event) -> list[Occurrence]:
        value = partition_of(arrival, self.rule.partition)
        if value is None:
            return []
        part = self._part(value)
        part.holds_time, part.noted = self.holds_time, self.noted
        return self._heard(value, part.take(arrival, self.around.now))

    def _part(self, value: str) -> Detector:
        """The detector of a value: as if it had been there since the rule began."""
        part = self.parts.get(value)
        if part is None:
            part = self.parts[value] = self._make(self.rule, self.setting, self.since)
            if self._witness is not None:
                part.watch(self._witness)
        return part

    def _heard(self, value: str, found: list[Occurrence]) -> list[Occurrence]:
        """What a partition has found; what it noted and could not compare is counted with that of the others."""
        self.noted = self.parts[value].noted
        incomparable = self.parts[value].around.incomparable
        for kind, count in incomparable.items():
            self.around.incomparable[kind] = self.around.incomparable.get(kind, 0) + count
        incomparable.clear()
        return found

    def forget(self, now: int) -> None:
        for part in self.parts.values():
            part.move(now)

    # -- moments -----------------------------------------------------------------------------------------------

    def _moments(self) -> Iterator[Moment]:
        for value, part in self.parts.items():
            if (due := part.next_due()) is not None:
                yield due, part.among(), value

    def _first(self) -> Moment | None:
        """What is due next, and in which partition."""
        return min(self._moments(), default=None)

    def next_own(self) -> Due | None:
        first = self._first()
        return None if first is None else first[0]

    def wake_own(self, due: Due) -> list[Occurrence]:
        first = self._first()
        if first is None or first[0] != due:
            return []  # its event has just left the window
        found = self._woken(first)
        if due.is_window_end and self.context is Context.UNRESTRICTED and not self.is_automaton:
            # Windows that began together end together, and what that completes is told in order.
            while (other := self._first()) is not None and other[0] == due:
                found += self._woken(other)
            found.sort(key=chronology)
        return found

    def _woken(self, moment: Moment) -> list[Occurrence]:
        """What a moment that has come completes in its partition."""
        due, _, value = moment
        part = self.parts[value]
        part.noted = self.noted
        return self._heard(value, part.wake(due))

    # -- memory ------------------------------------------------------------------------------------------------

    def remembered(self) -> Any:
        return [(value, part.memory()) for value, part in self.parts.items()]

    def remember(self, memory: Any) -> None:
        self.parts.clear()
        for value, remembered in memory:
            part = self._part(value)
            part.recall(remembered)
            self.noted = max(self.noted, part.noted)


def partitioned(rule: Rule, setting: Setting, since: int, make: Make = detector) -> Detector:
    """The detector of a rule, for each value of its partition if it has one."""
    return Partitions(rule, setting, since, make) if rule.partition else make(rule, setting, since)
