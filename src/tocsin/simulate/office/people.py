"""The people of the Active Office and what its sensors see of them: a Markov process, the same for the same seed.

001 gives nine rooms, 15 occupants (eight residents who prefer the offices, seven visitors who prefer the meeting
rooms), bats seen at least once a minute, doors, temperatures and whiteboards. The rest is ours, and said here: six
offices and three meeting rooms, each with a whiteboard; every minute each person moves with a probability of 0.1, and
then goes to a room by its weight; a whiteboard is used while two or more are in its room; who comes into their own
office logs in there with a probability of 0.5; temperatures go up and down around 18 degrees, and are told each minute.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

OFFICES: Final = tuple(f"FE0{number}" for number in range(1, 7))
MEETING_ROOMS: Final = ("FE07", "FE08", "FE09")
ROOMS: Final = (*OFFICES, *MEETING_ROOMS)
RESIDENTS: Final = ("Jean", "Brian", "Peter", "Anna", "Ken", "Ruth", "David", "Mary")
VISITORS: Final = tuple(f"visitor{number}" for number in range(1, 8))
PEOPLE: Final = (*RESIDENTS, *VISITORS)
MINUTE: Final = 60_000_000
MOVES: Final = 0.1
LOGS_IN: Final = 0.5
_OWN, _OFFICE, _MEETING = 12.0, 0.5, 2.5
"""How a resident weighs the own office, another one, a meeting room."""
_WARM: Final = 18.0
_VISITED, _MET = 0.7, 4.0
"""How a visitor weighs an office, and a meeting room."""


@dataclass(frozen=True)
class Sensed:
    """What a sensor reports, and when."""

    at: int
    sensor: str
    type: str
    data: dict[str, Any]


SENSORS: Final = {
    "bats": ("Pers",),
    "doors": ("Door",),
    "boards": ("BoardOn", "BoardOff"),
    "climate": ("Temp",),
    "logins": ("Login",),
}
"""What reports events, and their types."""


class Building:
    """Who is where, minute by minute."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"office/{seed}")
        self.own = {person: OFFICES[number % len(OFFICES)] for number, person in enumerate(RESIDENTS)}
        self.where = {person: self._next(person) for person in PEOPLE}
        self.phase = {person: self.random.randrange(MINUTE) for person in PEOPLE}
        self.warmth = dict.fromkeys(ROOMS, _WARM)
        self.boards: set[str] = set()

    def _next(self, person: str) -> str:
        weights = [self._weight(person, room) for room in ROOMS]
        return self.random.choices(ROOMS, weights)[0]

    def _weight(self, person: str, room: str) -> float:
        own = self.own.get(person)
        if own is None:
            return _MET if room in MEETING_ROOMS else _VISITED
        return _OWN if room == own else _MEETING if room in MEETING_ROOMS else _OFFICE

    def life(self, minutes: int) -> Iterator[Sensed]:
        """What is sensed in so many minutes, in order."""
        for minute in range(minutes):
            yield from sorted(self._minute(minute * MINUTE), key=lambda each: (each.at, each.sensor, each.type))

    def _minute(self, begin: int) -> Iterator[Sensed]:
        random = self.random
        for person in PEOPLE:
            at = begin + self.phase[person]
            if random.random() < MOVES:
                yield from self._moved(person, at)
            yield Sensed(at, "bats", "Pers", {"person": person, "room": self.where[person]})
        for number, room in enumerate(ROOMS):
            at = begin + number * 6_000_000 + random.randrange(1_000_000)
            self.warmth[room] += 0.1 * (_WARM - self.warmth[room]) + random.uniform(-1.0, 1.0)
            yield Sensed(at, "climate", "Temp", {"room": room, "value": round(self.warmth[room], 1)})

    def _moved(self, person: str, at: int) -> Iterator[Sensed]:
        before, room = self.where[person], self._next(person)
        if room == before:
            return
        self.where[person] = room
        yield Sensed(at + 200_000, "doors", "Door", {"room": before})
        yield Sensed(at + 400_000, "doors", "Door", {"room": room})
        for each in (before, room):
            if each in MEETING_ROOMS:
                yield from self._board(each, at)
        if self.own.get(person) == room and self.random.random() < LOGS_IN:
            yield Sensed(at + 20_000_000, "logins", "Login", {"person": person, "room": room})

    def _board(self, room: str, at: int) -> Iterator[Sensed]:
        is_used = sum(where == room for where in self.where.values()) >= 2
        if is_used and room not in self.boards:
            self.boards.add(room)
            yield Sensed(at + 1_000_000, "boards", "BoardOn", {"room": room})
        elif not is_used and room in self.boards:
            self.boards.discard(room)
            yield Sensed(at + 1_000_000, "boards", "BoardOff", {"room": room, "pages": self.random.randint(1, 9)})
