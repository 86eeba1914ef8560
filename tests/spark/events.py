"""Events and rules that several tests of Spark have."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import tocsin as tc

START = datetime(2026, 11, 15, tzinfo=UTC)
PLAIN = "type string, time timestamp, id string, source string, host string, load int"
PAIR = tc.rule("pair", "x:a ; y:b", condition="x.host == y.host", context="unrestricted", window="1 min")
QUIET = tc.rule("quiet", "(x:a -> !(y:b if y.host == x.host)) in 5 s", language="sel")
BIG = tc.rule("big", "x:b", condition="x.load > 7", select={"much": "x.load * 2"})
TICK = tc.rule("tick", "x:a & every(0/0/0 0:00:07)", window="10 s")
RULES = [PAIR, QUIET, BIG, TICK]
STREAMED = [PAIR, QUIET, BIG]


def rows(count: int = 120, seed: int = 3) -> list[dict[str, Any]]:
    """In order of time, several at one time; some have no host."""
    random = Random(seed)
    time, made = 0.0, []
    for number in range(count):
        time += random.choice((0, 0.25, 1, 3))
        made.append(
            {
                "type": random.choice("abc"),
                "time": START + timedelta(seconds=time),
                "id": f"{number:05}",
                "source": "s",
                "host": random.choice(("n1", "n2", None)),
                "load": random.randrange(10),
            }
        )
    return made


def as_given(row: dict[str, Any]) -> dict[str, Any]:
    """A row as an event of the embedded engine."""
    data = {name: row[name] for name in ("host", "load") if row[name] is not None}
    return {name: row[name] for name in ("type", "id", "source")} | {"time": row["time"].isoformat(), "data": data}


def expected(given: list[dict[str, Any]], rules: list[Any] = RULES) -> set[str]:
    """The ids of what the embedded engine finds."""
    return {one.id for one in tc.detect(rules, [as_given(row) for row in given], order="guaranteed")}


def mixed_up(given: list[dict[str, Any]], seed: int, seconds: float) -> list[dict[str, Any]]:
    """The rows as they may arrive if each is delayed by up to some seconds."""
    random = Random(seed)
    return sorted(given, key=lambda row: (row["time"] - START).total_seconds() + random.random() * seconds)


def closing() -> dict[str, Any]:
    """An event that nobody wants, so late that everything before it is stable."""
    return rows(1)[0] | {"type": "z", "id": "end", "time": datetime(2200, 1, 1, tzinfo=UTC)}


def written(folder: Path, pieces: list[list[dict[str, Any]]]) -> Path:
    """The pieces as files, which are read in this order."""
    folder.mkdir()
    for number, piece in enumerate(pieces):
        path = folder / f"{number:04}.json"
        path.write_text("".join(json.dumps(row | {"time": row["time"].isoformat()}) + "\n" for row in piece))
        os.utime(path, (1_000_000 + number,) * 2)
    return folder
