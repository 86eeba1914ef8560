"""A day on a campus that does not exist: rooms, doors, links and logins, with a few things that go wrong.

Everything follows from the seed. What goes wrong is put in on purpose, rarely, among millions of events that mean
nothing by themselves; which of it a rule finds is up to the rule. Seconds are counted from the beginning, 06:00.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

import numpy as np
import pyarrow as pa

BEGIN: Final = datetime(2026, 11, 16, 6, tzinfo=UTC)
DAY: Final = 86_400.0
MINUTE, HOUR = 60.0, 3_600.0
LONGEST_DELAY: Final = 20.0
"""No report is under way for longer than this; the pipeline's watermark waits a little longer."""
TYPES: Final = (
    "temp", "door", "badge", "motion", "lock", "alarm", "ack",
    "link_load", "link_down", "link_up", "login_ok", "login_failed", "end",
)  # fmt: skip

Numbers = Any
"""An array of NumPy."""


@dataclass(frozen=True)
class Campus:
    """How large it is. A thermometer and a link report every `reading` seconds."""

    buildings: int = 15
    rooms: int = 600
    links: int = 300
    users: int = 900
    reading: float = 30.0
    seed: int = 20_261_116

    def often(self, times: int) -> int:
        """How often something rare happens on a campus of this size, if it happens so often on the usual one."""
        return max(2, round(times * self.rooms / 600))


@dataclass
class Day:
    """The events so far, as pieces of columns: a type, times, the room, link or user concerned, and a reading."""

    campus: Campus
    chance: Any
    pieces: list[tuple[int, Numbers, Numbers, Numbers]] = field(default_factory=list)

    def add(self, kind: str, times: Any, subject: Any, value: Any = np.nan) -> None:
        """Events of one type."""
        times = np.atleast_1d(np.asarray(times, float))
        subjects = np.broadcast_to(np.asarray(subject), times.shape)
        self.pieces.append((TYPES.index(kind), times, subjects, np.broadcast_to(np.asarray(value, float), times.shape)))

    def between(self, low: float, high: float, count: int | tuple[int, ...] | None = None) -> Any:
        """A random number, or several."""
        return self.chance.uniform(low, high, count)

    def some(self, of: int, count: int) -> Any:
        """Several different ones of so many, if there are as many."""
        return self.chance.choice(of, count, replace=count > of)


def simulated(campus: Campus) -> Any:
    """All events as a table of Arrow, in the order in which they arrive, which is not quite that of their times."""
    day = Day(campus, np.random.default_rng(campus.seed))
    thermometers(day)
    people(day)
    nights(day)
    alarms(day)
    loads(day)
    links(day)
    logins(day)
    return _table(day)


# -- the building -----------------------------------------------------------------------------------------------


def thermometers(day: Day) -> None:
    """Every room's temperature. Some have a window open for a while; in some something is burning."""
    campus, chance = day.campus, day.chance
    times = np.arange(0, DAY - campus.reading, campus.reading) + day.between(0, campus.reading, (campus.rooms, 1))
    usual = 20.5 + chance.normal(0, 0.5, (campus.rooms, 1)) + 1.2 * np.sin((times / HOUR - 3) * np.pi / 12)
    degrees = usual + chance.normal(0, 0.25, times.shape)
    for room in day.some(campus.rooms, day.campus.often(30)):
        begin, end = day.between(2 * HOUR, 10 * HOUR) + np.array((0, day.between(15, 35))) * MINUTE
        open_for = np.clip(times[room] - begin, 0, end - begin)
        cold = 1 - np.exp(-open_for / (4 * MINUTE))
        degrees[room] -= day.between(7, 9) * cold * np.exp(-np.clip(times[room] - end, 0, None) / (15 * MINUTE))
    for room in day.some(campus.rooms, day.campus.often(10)):
        begin = day.between(0.5 * HOUR, 23 * HOUR)
        heat = np.clip((times[room] - begin) / (7 * MINUTE), 0, 1)
        gone = np.exp(-np.clip(times[room] - begin - 15 * MINUTE, 0, None) / (20 * MINUTE))
        degrees[room] += day.between(10, 13) * heat * gone
        day.add("alarm", begin + 5 * MINUTE, room)
        day.add("ack", begin + 5 * MINUTE + day.between(20, 200), room)
    rooms = np.repeat(np.arange(campus.rooms), times.shape[1])
    day.add("temp", times.ravel(), rooms, np.round(degrees.ravel(), 1))


def people(day: Day) -> None:
    """They come and go from seven to seven: a badge, a door, and then something moves for a while."""
    rooms = np.repeat(np.arange(day.campus.rooms), day.chance.poisson(100, day.campus.rooms))
    doors = HOUR + 12 * HOUR * day.chance.beta(2, 2, rooms.size)
    day.add("door", doors, rooms)
    shown = day.chance.random(rooms.size) < 0.4
    day.add("badge", doors[shown] - day.between(1, 4, int(shown.sum())), rooms[shown])
    moves = day.chance.poisson(4, rooms.size)
    day.add("motion", np.repeat(doors, moves) + day.between(1, 10 * MINUTE, int(moves.sum())), np.repeat(rooms, moves))


def nights(day: Day) -> None:
    """Rooms are locked in the evening. Cleaners show a badge before they go in; others do not."""
    rooms = np.arange(day.campus.rooms)
    day.add("lock", day.between(13.5 * HOUR, 14.5 * HOUR, rooms.size), rooms)
    cleaned = day.some(rooms.size, rooms.size // 3)
    begin = day.between(15 * HOUR, 17 * HOUR, cleaned.size)
    day.add("badge", begin, cleaned)
    day.add("door", begin + 3, cleaned)
    for _ in range(4):
        day.add("motion", begin + day.between(10, 12 * MINUTE, cleaned.size), cleaned)
    day.add("lock", begin + 13 * MINUTE, cleaned)
    for room in day.some(rooms.size, day.campus.often(9)):
        begin = day.between(17.5 * HOUR, 23 * HOUR)
        day.add("door", begin, room)
        day.add("motion", begin + np.sort(day.between(2, 5 * MINUTE, 8)), room)


def alarms(day: Day) -> None:
    """Most are answered within minutes."""
    for number in range(day.campus.often(60)):
        room, time = day.chance.integers(day.campus.rooms), day.between(0, 23 * HOUR)
        day.add("alarm", time, room)
        is_forgotten = number % 8 == 0
        day.add("ack", time + (day.between(6, 15) if is_forgotten else day.between(0.3, 4)) * MINUTE, room)


# -- the network ------------------------------------------------------------------------------------------------


def loads(day: Day) -> None:
    """Every link's load in percent. Some are overloaded for a while, and half of those give way."""
    campus = day.campus
    times = np.arange(0, DAY - campus.reading, campus.reading) + day.between(0, campus.reading, (campus.links, 1))
    percent = 35 + 20 * np.sin((times / HOUR - 3) * np.pi / 12) + day.chance.normal(0, 8, times.shape)
    for number, link in enumerate(day.some(campus.links, campus.often(30))):
        begin, length = day.between(HOUR, 22 * HOUR), day.between(2, 6) * MINUTE
        is_over = (begin <= times[link]) & (times[link] < begin + length)
        percent[link, is_over] = day.between(97, 100, int(is_over.sum()))
        if number % 2:
            down_and_up(day, begin + length + day.between(1, 20), link, day.between(20, 90))
    percent = np.round(np.clip(percent.ravel(), 1, 100), 1)
    day.add("link_load", times.ravel(), np.repeat(np.arange(campus.links), times.shape[1]), percent)


def links(day: Day) -> None:
    """Links go down now and then, mostly not for long. Some flap, some stay down; or a whole building is cut off."""
    campus = day.campus
    which = np.repeat(np.arange(campus.links), day.chance.poisson(1.5, campus.links))
    down_and_up(day, day.between(0, 23 * HOUR, which.size), which, day.between(4, 80, which.size))
    for link in day.some(campus.links, campus.often(20)):
        begin = day.between(0, 22 * HOUR) + np.cumsum(day.between(40, 3 * MINUTE, 5))
        down_and_up(day, begin, link, day.between(5, 35, 5))
    staying = day.some(campus.links, campus.often(30))
    down_and_up(day, day.between(0, 22 * HOUR, staying.size), staying, day.between(3, 25, staying.size) * MINUTE)
    each = campus.links // campus.buildings
    for building in day.some(campus.buildings, campus.often(6)):
        some = building * each + day.some(each, max(3, each // 2))
        begin = day.between(0, 22 * HOUR) + day.between(0, 12, some.size)
        down_and_up(day, begin, some, day.between(3, 8, some.size) * MINUTE)


def down_and_up(day: Day, times: Any, link: Any, lasting: Any) -> None:
    day.add("link_down", times, link)
    day.add("link_up", np.asarray(times) + lasting, link)


def logins(day: Day) -> None:
    """People mistype now and then. A few visitors keep guessing, and some of them guess right."""
    users = np.repeat(np.arange(day.campus.users), day.chance.poisson(40, day.campus.users))
    times = HOUR + 12 * HOUR * day.chance.beta(2, 2, users.size)
    day.add("login_ok", times, users)
    for before, share in ((6, 0.05), (13, 0.01), (21, 0.001)):
        mistyped = day.chance.random(users.size) < share
        day.add("login_failed", times[mistyped] - before, users[mistyped])
    for number, user in enumerate(day.some(day.campus.users, day.campus.often(36))):
        tries = day.between(0, 22 * HOUR) + np.cumsum(day.between(2, 9, int(day.chance.integers(5, 9))))
        day.add("login_failed", tries, user)
        if number % 4 == 0:
            day.add("login_ok", tries[-1] + day.between(3, 30), user)


# -- a table ----------------------------------------------------------------------------------------------------


def _table(day: Day) -> Any:
    campus, chance = day.campus, day.chance
    kinds = np.concatenate([np.full(times.size, kind, np.int8) for kind, times, _, _ in day.pieces])
    times, subjects, values = (np.concatenate([piece[place] for piece in day.pieces]) for place in (1, 2, 3))
    micros = (np.clip(times, 0, DAY) * 1000).astype(np.int64) * 1000  # reports are stamped with milliseconds
    arrivals = micros + (np.minimum(chance.exponential(1.2, times.size), LONGEST_DELAY) * 1e6).astype(np.int64)
    order = np.argsort(arrivals, kind="stable")
    kinds, micros, subjects, values = kinds[order], micros[order], subjects[order], values[order]
    # The recording ends an hour later: what is still being waited for is decided by then.
    kinds, subjects = np.append(kinds, np.int8(TYPES.index("end"))), np.append(subjects, 0)
    micros, values = np.append(micros, int((DAY + HOUR) * 1e6)), np.append(values, np.nan)

    each = campus.links // campus.buildings
    building = [f"B{number + 1:02}" for number in range(campus.buildings)]
    rooms = [
        f"{building[number % campus.buildings]}-R{number // campus.buildings + 1:02}" for number in range(campus.rooms)
    ]
    links = [f"{building[number // each]}-sw{number % each + 1:02}" for number in range(campus.links)]
    users = [f"user-{number + 1:03}" for number in range(campus.users)]

    of_room, of_link = (
        kinds < TYPES.index("link_load"),
        (kinds >= TYPES.index("link_load")) & (kinds <= TYPES.index("link_up")),
    )
    of_user, is_end = (
        (kinds == TYPES.index("login_ok")) | (kinds == TYPES.index("login_failed")),
        kinds == TYPES.index("end"),
    )
    # A room and a link report themselves, logins are reported by the host that the user sits at.
    reporting = subjects + np.select(
        [of_link, of_user, is_end], [len(rooms), len(rooms) + len(links), len(rooms) + len(links) + len(users)]
    )
    sources = [*rooms, *links, *(f"host-{number + 1:03}" for number in range(campus.users)), "campus"]
    return pa.table(
        {
            "id": pa.array(np.arange(1, kinds.size + 1)).cast(pa.string()),
            "type": _names(kinds, TYPES, None),
            "time": pa.array(micros + int(BEGIN.timestamp() * 1e6)).cast(pa.timestamp("us", "UTC")),
            "source": _names(reporting, sources, None),
            "room": _names(subjects, rooms, of_room),
            "link": _names(subjects, links, of_link),
            "building": _names(subjects // each, building, of_link),
            "user": _names(subjects, users, of_user),
            "degrees": pa.array(values, mask=kinds != TYPES.index("temp")),
            "percent": pa.array(values, mask=kinds != TYPES.index("link_load")),
        }
    )


def _names(numbers: Any, names: Any, mask: Any) -> Any:
    """A column of names, each of which is stored once."""
    kept = pa.array(numbers.astype(np.int32), mask=None if mask is None else ~mask)
    return pa.DictionaryArray.from_arrays(kept, pa.array(names, pa.string()))
