"""Records the demo's stream: two hours of a small site with a network, rooms and people, some reports late.

    python demo/record.py > demo/site.jsonl

Seeded, so that the recording in the repository can be made again to the letter.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

BEGIN = datetime(2026, 11, 16, 8, 0, tzinfo=UTC)
MINUTES = 120


def main() -> None:
    chance = random.Random(20261116)
    events = sorted(recorded(chance), key=lambda event: event["arrival"])
    for number, event in enumerate(events, 1):
        print(json.dumps({"id": f"e{number}", **event}))


def recorded(chance: random.Random) -> Iterator[dict[str, Any]]:
    """Everything that happens, in no particular order."""
    yield from links(chance)
    yield from rooms(chance)
    yield from logins(chance)


def report(chance: random.Random, minute: float, kind: str, source: str, **data: Any) -> dict[str, Any]:
    """An event with the delay of its way here: mostly a second or two, now and then half a minute."""
    time = BEGIN + timedelta(seconds=round(minute * 60, 1))
    delay = chance.choice((0.4, 0.8, 1.5, 1.5, 2.0, 28.0))
    return {
        "type": kind,
        "source": source,
        "time": stamp(time),
        "data": data,
        "arrival": stamp(time + timedelta(seconds=delay)),
    }


def stamp(time: datetime) -> str:
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def links(chance: random.Random) -> Iterator[dict[str, Any]]:
    """Links that flap (down, and up again within a minute) and links that stay down."""
    for link, downs in (("core-1", (12, 47, 93)), ("core-2", (31,)), ("edge-7", (5, 18, 22, 26, 70, 101))):
        for minute in downs:
            yield report(chance, minute, "link_down", link, link=link)
            stays_down = chance.random() < 0.45
            yield report(chance, minute + (7.5 if stays_down else chance.uniform(0.2, 1.4)), "link_up", link, link=link)


def rooms(chance: random.Random) -> Iterator[dict[str, Any]]:
    """Doors and thermometers. FE03's window is open for a while."""
    for room in ("FE01", "FE02", "FE03"):
        for minute in range(3, MINUTES, 10):
            cold = room == "FE03" and 40 <= minute <= 85
            degrees = round(chance.uniform(11, 14) if cold else chance.uniform(19, 22), 1)
            yield report(chance, minute, "temp", room, room=room, degrees=degrees)
        for _ in range(6):
            yield report(chance, chance.uniform(0, MINUTES), "door", room, room=room)


def logins(chance: random.Random) -> Iterator[dict[str, Any]]:
    """People who mistype now and then, and one visitor who keeps guessing."""
    for user in ("ann", "bob", "eve"):
        for _ in range(4):
            yield report(chance, chance.uniform(0, MINUTES), "login_failed", "gate", user=user)
    for second in range(0, 60, 12):
        yield report(chance, 75 + second / 60, "login_failed", "gate", user="eve")
    yield report(chance, 76.2, "login_ok", "gate", user="eve")


if __name__ == "__main__":
    main()
