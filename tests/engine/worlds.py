"""Small worlds for random examples: a scale of time, few types, few values, and logs in which much happens at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from tocsin.events import Arrival, Event, Heartbeat, Moment
from tocsin.time.instants import parse_instant
from tocsin.time.periods import DAY, SECOND, Period

TYPES = ("a", "b", "c")
SOURCES = ("s", "t")
ATTRIBUTES = ("k", "v", "w")

PLAIN: tuple[tuple[object, ...], ...] = ((0, 1), (0, 1), (0, 1, 2), (0, 1, 2), (1, 2, 4))
ODD: tuple[tuple[object, ...], ...] = (
    ("x", "y"),
    ("x", "X", 1),
    ("1", 1),
    (True, False),
    (True, 1, 0),
    (None, 0),
    (None, "x", True),
    (math.nan, 1.0),
    (math.nan, 0, 1),
    (1, 1.0, 2),
    (0.5, 1, 1.5),
    (-0.0, 0, 0.0),
    ([1], 1),
    ([1], [1, 2], "x"),
    ({}, 0),
    (2**53, 2**53 + 1, float(2**53)),
    (2**70, 2**70 + 1, float(2**70)),
    (-(2**63), 2**63, 0),
    (math.inf, 2**2000, 1),
    (1e308, -1e308, 2),
    (Moment(0), Moment(SECOND), 1),
)
"""Values that are equal, unequal or incomparable in ways that only a guard's own evaluation knows."""


@dataclass(frozen=True)
class Scale:
    """Where a world's time begins and how long its steps are."""

    base: int
    unit: int
    has_months: bool

    def at(self, steps: int) -> int:
        """The instant so many steps from the beginning."""
        return self.base + steps * self.unit

    def period(self, random: Random, most: int = 4) -> Period:
        """Some steps; where steps are days, sometimes a month."""
        if self.has_months and random.random() < 0.4:
            return Period.of(months=1, microseconds=random.choice((0, 0, self.unit)))
        return self.fixed(random, most)

    def fixed(self, random: Random, most: int = 4) -> Period:
        """Some steps, whatever these are."""
        return Period.of(microseconds=random.randint(1, most) * self.unit)


SECONDS = Scale(0, SECOND, has_months=False)
DAYS = Scale(parse_instant("2027-01-27T12:00:00Z"), DAY, has_months=True)
"""At the end of a January: a month after several of its days is one and the same day."""


class World:
    """What the parts of one example draw from: the same few values, so that they meet."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.scale = DAYS if random.random() < 0.15 else SECONDS
        odd = random.random() < 0.4
        self.values = {name: random.choice(ODD if odd and random.random() < 0.6 else PLAIN) for name in ATTRIBUTES}
        self.missing = random.choice((0.0, 0.0, 0.1, 0.3))
        self.types = TYPES[: random.choice((2, 2, 3))]

    def log(self, most: int) -> list[Arrival]:
        """Arrivals in order; some late, some at one instant, some intervals, from two sources."""
        random, scale = self.random, self.scale
        lateness, intervals = random.choice((0.0, 0.15, 0.4)), random.choice((0.0, 0.0, 0.3))
        beats = random.choice((0.0, 0.0, 0.15))
        made: list[Arrival] = []
        clock = 0
        for number in range(random.randint(min(5, most), most)):
            clock += random.choice((0, 0, 1, 1, 1, 2))
            if scale.has_months and random.random() < 0.1:
                clock += random.randint(20, 30)
            end = clock
            if random.random() < lateness:
                end -= random.randint(1, 4)
            elif random.random() < 0.03:
                end += random.randint(1, 2)
            start = end - random.randint(0, 3) if random.random() < intervals else end
            source = random.choice(SOURCES)
            if random.random() < beats:
                made.append(Heartbeat(source, scale.at(end), scale.at(clock)))
                continue
            kind = random.choice(self.types)
            made.append(Event(kind, scale.at(end), scale.at(start), str(number), source, self.data(), scale.at(clock)))
        return made

    def data(self) -> dict[str, object]:
        """The attributes of an event."""
        random = self.random
        return {name: random.choice(self.values[name]) for name in ATTRIBUTES if random.random() >= self.missing}

    def literal(self, attribute: str) -> object:
        """A constant that an attribute may be equal to."""
        plain = [value for value in self.values[attribute] if not isinstance(value, list | dict | Moment)]
        return self.random.choice(plain or [1])
