"""What a rule of the plain meaning remembers, as plain JSON values, and back.

A list of JSON begins with the letter of what it stands for: list, tuple, set, event, clock event, occurrence, bound
several times, global stamp, and k for a tick. Events are kept by whoever saves them, each once, for two that look
alike are two: here they are numbers. A pattern is the number of its first place in the rule's own pattern, so nothing
of a rule is saved that the rule does not have.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tocsin.algebra.occurrence import TIMER, Occurrence, Rebound, Tick, all_bound, bound_again
from tocsin.algebra.patterns import Pattern, walk
from tocsin.events import Event
from tocsin.time.stamps import GlobalStamp


class Recorder:
    """Writes what one rule remembers. `keep` gives the number under which an event is kept."""

    def __init__(self, pattern: Pattern, keep: Callable[[Event], int]) -> None:
        self._patterns, self._keep = list(walk(pattern)), keep
        self._timers: list[list[int]] = []
        self._places: dict[int, int] = {}

    def record(self, memory: object) -> dict[str, Any]:
        """A memory, as JSON has it."""
        written = self._written(memory)
        return {"timers": self._timers, "memory": written}

    def _written(self, value: object) -> Any:
        match value:
            case list():
                return ["l", *map(self._written, value)]
            case tuple():
                return ["t", *map(self._written, value)]
            case frozenset():
                return ["s", *map(self._written, value)]
            case Event():
                return ["c", self._timer(value)] if value.type == TIMER else ["e", self._keep(value)]
            case Tick(pattern=pattern, due=due, of=of):
                return ["k", self._patterns.index(pattern), due, self._written(of)]
            case GlobalStamp(base=base, interval=interval, offset=offset, exact=exact):
                return ["g", base, interval, self._written(offset), self._written(exact)]
            case Rebound():
                return ["b", *map(self._one, all_bound(value))]
            case Occurrence():
                return self._one(value)
            case None | bool() | int() | str():
                return value
        raise AssertionError(f"a rule remembers no {type(value).__name__}")

    def _one(self, value: Occurrence) -> list[Any]:
        """An occurrence, whatever its name was bound to before."""
        rest = (value.events, value.bindings, value.ticks, value.stamp)
        return ["o", value.start, value.end, *map(self._written, rest)]

    def _timer(self, event: Event) -> int:
        """The number of a time event: it is the rule's own."""
        found = self._places.get(id(event))
        if found is None:
            found = self._places[id(event)] = len(self._timers)
            pattern = event.data["timer"]
            assert isinstance(pattern, Pattern)
            self._timers.append([self._patterns.index(pattern), event.end, event.number])
        return found


class Recaller:
    """Reads what a `Recorder` wrote. `kept` gives an event by its number."""

    def __init__(self, pattern: Pattern, kept: Callable[[int], Event]) -> None:
        self._patterns, self._kept = list(walk(pattern)), kept
        self._timers: list[Event] = []

    def recall(self, record: dict[str, Any]) -> Any:
        """The memory that was written."""
        for place, due, number in record["timers"]:
            data = {"timer": self._patterns[place]}
            self._timers.append(Event(TIMER, due, due, data=data, arrival=due, number=number))
        return self._read(record["memory"])

    def _read(self, written: Any) -> Any:
        if not isinstance(written, list):
            return written
        match written:
            case ["l", *items]:
                return [self._read(item) for item in items]
            case ["t", *items]:
                return tuple([self._read(item) for item in items])
            case ["s", *items]:
                return frozenset([self._read(item) for item in items])
            case ["e", number]:
                return self._kept(number)
            case ["c", number]:
                return self._timers[number]
            case ["k", place, due, of]:
                return Tick(self._patterns[place], due, self._read(of))
            case ["g", base, interval, offset, exact]:
                return GlobalStamp(base, interval, self._read(offset), self._read(exact))
            case ["o", start, end, events, bindings, ticks, stamp]:
                rest = [self._read(each) for each in (events, bindings, ticks, stamp)]
                return Occurrence(start, end, *rest)
            case ["b", *items]:
                value: Occurrence | None = None
                for item in items:
                    value = bound_again(self._read(item), value)
                return value
        raise ValueError(f"no memory begins with {written[:1]}")
