"""Random rules and random streams through Spark: the embedded engine, batch and streaming find the same.

Many rules run in one job, so that they are spread in every way at once. TOCSIN_WORLDS says how many worlds there are.
"""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

import tocsin as tc
from tests.engine.strategies import example
from tests.engine.test_memories import CONSUMING, OPERATORS
from tests.engine.worlds import TYPES
from tests.spark.events import START, written
from tocsin.algebra.checks import program_faults
from tocsin.algebra.patterns import AnyEvent, At, AtInstant, Between, Every, Primitive, walk
from tocsin.algebra.rules import Rule
from tocsin.planner.placement import ANYWHERE, KEYED, WHOLE, placements
from tocsin.rules.programs import rules_program

SCHEMA = "type string, time timestamp, id string, source string, k int, v bigint, w double"
RULES, EVENTS, SECONDS_LATE = 14, 16, 6
LEAST = 20
"""Detections of a world, so that there is something to compare."""
WORLDS = int(os.environ.get("TOCSIN_WORLDS", "3"))
Row = dict[str, Any]


def drawn_rules(random: Random) -> list[Rule]:
    """Rules of the engine's own examples that only report what they find."""
    found: list[Rule] = []
    takes_any = random.random() < 0.3  # one rule that does keeps all others with it: it sees what they find
    while len(found) < RULES:
        uses_up = random.random() < 0.3
        drawn = example(
            random,
            random.choice(OPERATORS) if uses_up else None,
            random.choice(CONSUMING) if uses_up else None,
            policy="guaranteed",
        )
        rules = [rule for rule in drawn.program.rules if _is_fit(rule)]
        rules = [rule for rule in rules if takes_any or not _has(rule, AnyEvent)]
        found += [_parted(random, replace(rule, name=f"r{len(found) + place}")) for place, rule in enumerate(rules)]
    return found


def _parted(random: Random, rule: Rule) -> Rule:
    """A rule, sometimes once for each value of an attribute; where it has time points that cannot be."""
    if random.random() < 0.8 or _has(rule, At | AtInstant | Every | Between):
        return rule
    return replace(rule, partition=random.choice((("k",), ("v",), ("k", "v"))))


def _is_fit(rule: Rule) -> bool:
    if rule.actions or program_faults(rules_program([rule])):
        return False
    # No event has a rule's name, and what it would be called is not its name any more.
    return not any(isinstance(part, Primitive) and part.type not in TYPES for part in walk(rule.pattern))


def _has(rule: Rule, kind: Any) -> bool:
    return any(isinstance(part, kind) for part in walk(rule.pattern))


def drawn_rows(random: Random) -> list[Row]:
    """Events in order of time, some at one and the same."""
    time, made = 0, list[Row]()
    for number in range(EVENTS):
        time += random.choice((0, 0, 1, 1, 2))
        data = {"k": random.choice((0, 1, None)), "v": random.choice((0, 1, 2)), "w": random.choice((0.5, 1.0, None))}
        event = {"type": random.choice(TYPES), "id": f"{number:03}", "source": random.choice("st")}
        made.append(event | data | {"time": START + timedelta(seconds=time)})
    return made


CLOSING: Row = {
    "type": "z",
    "id": "end",
    "source": "s",
    "k": None,
    "v": None,
    "w": None,
    "time": datetime(2200, 1, 1, tzinfo=UTC),
}
"""So late that everything before it is stable; a stream never gets to it."""


def embedded(rules: list[Rule], rows: list[Row]) -> set[str]:
    given = []
    for row in rows:
        data = {name: row[name] for name in "kvw" if row[name] is not None}
        given.append({name: row[name] for name in ("type", "id", "source", "time")} | {"data": data})
    return {one.id for one in tc.detect(rules, given, order="guaranteed") if CLOSING["id"] not in one.events}


def ids(found: Any) -> list[str]:
    return sorted(row["id"] for row in found.select("id").collect())


@pytest.mark.parametrize("seed", range(WORLDS))
def test_batch(spark: Any, seed: int) -> None:
    random = Random(f"batch {seed}")
    rows, wanted = drawn_rows(random), set[str]()
    while len(wanted) < LEAST:
        rules = drawn_rules(random)
        wanted = embedded(rules, rows)
    mixed = random.sample(rows, len(rows))
    names = [column.split()[0] for column in SCHEMA.split(", ")]
    frame = spark.createDataFrame([tuple(row[name] for name in names) for row in mixed], SCHEMA)
    found = tc.spark.detect(frame.repartition(3), rules, shards=random.randint(1, 4))
    assert ids(found) == sorted(wanted)


@pytest.mark.parametrize("seed", range(WORLDS))
def test_stream(spark: Any, seed: int, tmp_path: Path) -> None:
    """Micro-batches cut anywhere, events late by less than the watermark."""
    random = Random(f"stream {seed}")
    rows, wanted = drawn_rows(random), set[str]()
    while len(wanted) < LEAST:
        rules = [rule for rule in drawn_rules(random) if not _has(rule, At | AtInstant | Every)]
        wanted = embedded(rules, [*rows, CLOSING])
    arriving = sorted(rows, key=lambda row: (row["time"] - START).total_seconds() + random.random() * SECONDS_LATE)
    cuts = sorted(random.sample(range(1, len(rows)), random.randint(1, 4)))
    pieces = [arriving[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)]
    source = written(tmp_path / "in", [*pieces, [CLOSING]])
    stream = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(str(source))
    found = tc.spark.detect(stream, rules, watermark=f"{SECONDS_LATE} seconds", shards=random.randint(1, 3))
    query = (
        found.writeStream.format("parquet")
        .option("path", str(tmp_path / "out"))
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    assert ids(spark.read.parquet(str(tmp_path / "out"))) == sorted(wanted)


def test_the_rules_are_spread_in_every_way() -> None:
    worlds = [rules_program(drawn_rules(Random(f"{way} {seed}"))) for way in ("batch", "stream") for seed in range(3)]
    found = [placement for world in worlds for placement in placements(world)]
    assert {placement.kind for placement in found} == {KEYED, ANYWHERE, WHOLE}
    assert any(placement.overlap is not None for placement in found)
