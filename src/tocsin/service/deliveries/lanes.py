"""A lane: what one target of a request is still to get, in order, and how the target does."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tocsin.service.deliveries.records import Health

_ROOM: Final = 1024
"""Numbers that were taken from the front before the rest is moved there."""


class Numbers:
    """Numbers in ascending order, eight bytes each: there may be millions behind a receiver that is away."""

    def __init__(self) -> None:
        self._numbers, self._first = array("q"), 0

    def __len__(self) -> int:
        return len(self._numbers) - self._first

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers[self._first :])

    @property
    def first(self) -> int:
        """The least of them."""
        return self._numbers[self._first]

    def add(self, number: int) -> bool:
        """Puts a number in its place, mostly the end; whether it was not there."""
        if not self or self._numbers[-1] < number:
            self._numbers.append(number)
            return True
        place = bisect_left(self._numbers, number, self._first)
        if self._numbers[place] == number:
            return False
        self._numbers.insert(place, number)
        return True

    def take_first(self) -> int:
        """The least of them, which is one of them no longer."""
        number = self.first
        self._first += 1
        if self._first > _ROOM and self._first * 2 > len(self._numbers):
            del self._numbers[: self._first]
            self._first = 0
        return number


class Tried(NamedTuple):
    """What is remembered of a notification beside its number, if it was tried: how often, when again, and the error."""

    attempts: int = 0
    due: int = 0
    error: str | None = None


@dataclass(eq=False, slots=True)
class Lane:
    """The way to one target of a request: one notification at a time goes along it."""

    request: str
    target: int
    place: str
    """Where it leads: lanes to one host share what that host is given of us."""
    waiting: Numbers = field(default_factory=Numbers)
    tried: dict[int, Tried] = field(default_factory=dict)
    health: Health = Health.WORKING
    reason: str | None = None
    not_before: int = 0
    """When the next is tried, at the soonest, after one that was given up."""
    in_flight: int | None = None
    is_cancelled: bool = False
    """Whether what is in flight was cancelled meanwhile."""
    is_suspect: bool = False
    """Whether its last attempt failed."""
    turn: int = 0
    """What an entry in a queue must have to mean this lane as it is now."""

    def due(self) -> int:
        """When its first notification may be tried."""
        known = self.tried.get(self.waiting.first)
        return max(self.not_before, 0 if known is None else known.due)

    def is_idle(self) -> bool:
        """Whether there is nothing to know about it."""
        return self.in_flight is None and not self.waiting and self.health is Health.WORKING

    def set_back(self, by: int) -> None:
        """The clock was set back: what was to be tried at a time is tried that much earlier."""
        self.not_before -= by
        for number, (attempts, due, error) in self.tried.items():
            self.tried[number] = Tried(attempts, due - by, error)
