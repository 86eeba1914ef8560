"""The rules of a part, instant by instant, in the order of time; and back, where something older turns up.

Going back is for what a join passes on late: by its law nothing that was found before depends on it, so what is found
on the way is what was found then, and is not given out again. What changes is what the rules remember: places, what
was used up or replaced, what is counted.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from tocsin.algebra.order import Release
from tocsin.events import Detection, Event
from tocsin.runtime import Runtime
from tocsin.sites.parts import Part
from tocsin.sites.records import BEFORE, WITH, event_of, event_record, place_of

SPACING: Final = 64
"""Instants between two states that are put aside."""
MOST_MARKS: Final = 16


@dataclass(frozen=True)
class Instant:
    """What comes at one time: primitive events in order; what rules made of them, and of a timer before them."""

    at: int
    events: list[Event]
    before: list[Event]
    made: list[Event]


class Instants:
    """A runtime that takes instants."""

    def __init__(self, part: Part, begun: Callable[[bool], Runtime]) -> None:
        self._part, self._begun = part, begun
        self.runtime = begun(True)
        self._goes_back = part.is_sensitive and any(each.startswith("join/") for each in part.inputs)
        self._past: list[Instant] = []
        self._marks: list[tuple[int, bytes | None]] = [(0, None)]
        """The state before so many instants of the past."""
        self._time: int | None = None
        """What the clock was told last."""

    def next_due(self) -> int | None:
        """When the rules have something to do, should nothing come."""
        return self.runtime.next_due()

    def advance(self, to: int) -> list[tuple[Detection, int]]:
        """Time gets to `to`, before anything that comes then."""
        self._time = to if self._time is None else max(to, self._time)
        return [(one, BEFORE if one.detected_us >= to else WITH) for one in self.runtime.advance(to)]

    def take(self, instant: Instant) -> list[tuple[Detection, int]]:
        """Everything that comes at one time."""
        late = [event for event in instant.events if event.end < instant.at]
        if not late:
            return self._take(instant)
        in_place = replace(instant, events=[event for event in instant.events if event.end == instant.at])
        if self._goes_back:
            found = self.advance(instant.at - 1)  # what was found on the way back would count as told
            self._go_back(late)
            return found + self._take(in_place)
        found = self.advance(instant.at)
        found += [(one, WITH) for one in self.runtime.take([_release(event, instant.at) for event in late])]
        return found + self._take(in_place)

    def _take(self, instant: Instant) -> list[tuple[Detection, int]]:
        if self._goes_back:
            if len(self._past) >= self._marks[-1][0] + SPACING:
                self._marks.append((len(self._past), self.runtime.snapshot()))
                self._forget(instant.at)
            self._past.append(instant)
        return self._taken(instant)

    def _taken(self, instant: Instant) -> list[tuple[Detection, int]]:
        at = instant.at
        found = self.advance(at)
        for together, phase in ((instant.before, BEFORE), ([*instant.events, *instant.made], WITH)):
            found += [(one, phase) for one in self.runtime.take([_release(event, at) for event in together])]
        return found

    def finish(self) -> list[tuple[Detection, int]]:
        """Nothing more is to come."""
        return [(one, WITH) for one in self.runtime.finish()]

    # -- going back --------------------------------------------------------------------------------------------------

    def _go_back(self, late: list[Event]) -> None:
        """Puts events into their places, and goes on from before the first of them to where time is now."""
        first = bisect_left(self._past, min(event.end for event in late), key=lambda each: each.at)
        while len(self._marks) > 1 and self._marks[-1][0] > first:
            self._marks.pop()
        begin, state = self._marks[-1]
        for event in late:
            self._put(event)
        self.runtime = self._begun(state is None)
        if state is not None:
            self.runtime.restore(state)
        now = self._time
        for instant in self._past[begin:]:
            self._taken(instant)
        if now is not None:
            self.advance(now)

    def _put(self, event: Event) -> None:
        place = bisect_left(self._past, event.end, key=lambda each: each.at)
        if place < len(self._past) and self._past[place].at == event.end:
            there = self._past[place]
            self._past[place] = replace(there, events=sorted([*there.events, event], key=place_of))
        else:
            self._past.insert(place, Instant(event.end, [event], [], []))

    def _forget(self, now: int) -> None:
        """What is older than anything that may still matter is not gone back to."""
        retention = self._part.retention
        limit = None if retention is None else now - retention
        keep = 0
        for place, (number, _) in enumerate(self._marks):
            if limit is not None and number < len(self._past) and self._past[number].at < limit:
                keep = place
        if keep:
            gone = self._marks[keep][0]
            self._past = self._past[gone:]
            self._marks = [(number - gone, state) for number, state in self._marks[keep:]]
        if len(self._marks) > MOST_MARKS:
            del self._marks[1:-1:2]

    # -- state -------------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All of it as plain values, and bytes."""
        return {
            "runtime": self.runtime.snapshot() if self.runtime.has_begun else None,
            "time": self._time,
            "marks": self._marks,
            "past": [
                [one.at, *([event_record(event) for event in some] for some in (one.events, one.before, one.made))]
                for one in self._past
            ],
        }

    def restore(self, state: Mapping[str, Any], same: Callable[[Event], Event]) -> None:
        """What `state` gave; for one that has taken nothing yet."""
        self._time = state["time"]
        if state["runtime"] is not None:
            self.runtime = self._begun(False)
            self.runtime.restore(state["runtime"])
        self._marks = [(number, data) for number, data in state["marks"]]
        self._past = [
            Instant(at, *([event_of(event, same) for event in some] for some in rest)) for at, *rest in state["past"]
        ]


def _release(event: Event, at: int) -> Release:
    return Release(at, event, 0, at, is_late=event.end < at)
