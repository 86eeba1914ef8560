"""Many logs, each with its own rules, in one Spark job: a job costs more than all of them.

Every placement of every log has shards of its own. Which shard an event goes to is worked out here, in Python, so that
what the JVM does about it (`spark/routing.py`) is not needed; it has tests of its own.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from tocsin.algebra.patterns import AnyEvent, Detector, Primitive, walk
from tocsin.algebra.replay import Notes
from tocsin.algebra.rules import Raise
from tocsin.events import Arrival, Event
from tocsin.plan import SOURCE
from tocsin.planner.lanes import Stage
from tocsin.planner.placement import ANYWHERE, KEYED, Placement
from tocsin.session import Session, by_order
from tocsin.spark.logs import COLUMNS, SHARDS, log_routes, log_rows
from tocsin.spark.routing import Routes

WITH_SHARD = COLUMNS + ", shard int"


@dataclass(frozen=True)
class Log:
    """A session and what it is given; `seconds`: how times inside the data are written."""

    session: Session
    arrivals: list[Arrival]
    seconds: bool


def together(logs: list[Log]) -> tuple[list[tuple[Any, ...]], Routes]:
    """The rows of all logs, each with its shard, and what runs in the shards. Ids begin with the number of the log."""
    rows: list[tuple[Any, ...]] = []
    placements: list[Placement] = []
    conditions, firsts, count = [], [], 0
    for number, log in enumerate(logs):
        arrivals = [_renamed(arrival, number) for arrival in log.arrivals]
        for group in by_order(log.session.program, log.session.options.order):
            found = log_routes(log.session, group, log.seconds)
            given = log_rows(group, arrivals, log.session.options.ignore_late, Notes())
            for row in given:
                for placement, first in zip(found.placements, found.firsts, strict=True):
                    shard = _shard(placement, row)
                    if shard is not None:
                        rows.append((*row, count + first + shard))
            placements += found.placements
            conditions += found.conditions
            firsts += [count + first for first in found.firsts]
            count += found.count
    cuts, lanes = (None,) * len(placements), tuple((Stage(0, None, placement),) for placement in placements)
    return rows, Routes(tuple(placements), tuple(conditions), tuple(firsts), count, (), cuts, lanes=lanes)


def _renamed(arrival: Arrival, number: int) -> Arrival:
    return replace(arrival, id=f"{number}/{arrival.id}") if isinstance(arrival, Event) else arrival


def _shard(placement: Placement, row: tuple[Any, ...]) -> int | None:
    """Which of a placement's shards a row goes to; None if to none."""
    kind, name, source, data = row[4:8]
    if placement.types is not None and kind not in placement.types and not placement.wants_all:
        return None
    if placement.kind == ANYWHERE:
        return crc32(str(name).encode()) % SHARDS
    if placement.kind != KEYED:
        return 0
    attribute = dict(placement.key)[kind]
    value = source if attribute == SOURCE else json.loads(data).get(attribute)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return crc32(repr(float(value) + 0.0 if number else value).encode()) % SHARDS


def apart(found: list[dict[str, Any]], count: int) -> list[list[dict[str, Any]]]:
    """Detections told apart by the log they are of, with the ids as they were. One without events is in none."""
    made: list[list[dict[str, Any]]] = [[] for _ in range(count)]
    for one in found:
        number = number_of(one["events"])
        if number is not None:
            made[number].append(json.loads(json.dumps(one).replace(f'"{number}/', '"')))
    return made


def number_of(names: list[str]) -> int | None:
    """The log that events are of; None where nothing of it is among them."""
    numbers = {int(name.split("/", 1)[0]) for name in names if "/" in name}
    assert len(numbers) < 2
    return min(numbers, default=None)


def can_be_told(log: Log) -> bool:
    """Whether every detection has an event of this log, by which it is told: scripts raise some, clocks have none."""
    program = log.session.program
    return not any(isinstance(statement, Raise) for statement in program.statements) and all(
        any(isinstance(part, Primitive | AnyEvent | Detector) for part in walk(rule.pattern)) for rule in program.rules
    )
