"""How long a change of rules keeps events waiting, while much is remembered: in a process, and in a pipeline on Spark.

`change`: an engine that holds a million rows is given one rule more; how many milliseconds that takes.
`change-spark`: a pipeline whose shards hold a million rows finds another rules file; how many seconds pass from there
to the first micro-batch under the new rules.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, Final

import tocsin.api as tc
from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import Rule
from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record
from tocsin.engine.engine import Engine
from tocsin.pipelines.description import read_pipeline
from tocsin.rules.programs import rules_program
from tocsin.spark.pipeline_run import SparkRun

ROWS: Final = 1_000_000
KEYS: Final = 100_000
_PAIR: Final = '{name: pair, language: eps, expression: "x:a ; y:b", condition: "x.key == y.key", window: 1 day}\n'
_MORE: Final = '{name: more, language: eps, expression: "x:a ; y:c", condition: "x.key == y.key", window: 1 day}\n'
_PIPELINE: Final = """\
source: {format: jsonl, path: in, schema: "type string, time timestamp, id string, key bigint"}
rules: {watch: rules, every: 50 msec}
watermark: 1 second
sinks: [{format: parquet, path: found}]
checkpoint: checkpoint
trigger: 50 milliseconds
"""


def embedded(scale: float) -> Record:
    """An engine with many rows, and one rule more."""
    rows = max(1000, round(ROWS * scale))
    pair, more = _rule("pair", "b"), _rule("more", "c")
    engine = Engine(rules_program([pair]), None, Notes())
    before = time.process_time()
    for number in range(rows):
        engine.push("a", number, {"key": number % KEYS})
    used = time.process_time() - before
    begun = time.perf_counter()
    engine.change(rules_program([pair, more]))
    pause = time.perf_counter() - begun
    found = engine.push("b", rows, {"key": 7}), engine.push("c", rows + 1, {"key": 7})
    kept, new = (len(each) for each in found)
    agrees = (kept, new) == (1, 0)  # the old rule has kept its rows, the new one has seen none of them
    unit = f"ms, with {rows:,} rows held"
    return Record("change", rows, kept, 0, used, pause * 1e3, unit, None, agrees, is_compiled())


def on_spark(spark: Any, home: Path, scale: float) -> Record:
    """A pipeline whose shards hold many rows, and one rule more."""
    rows = max(1000, round(ROWS * scale))
    (home / "in").mkdir(parents=True)
    (home / "rules").mkdir()
    (home / "rules" / "pair.yaml").write_text(f"rules: [{_PAIR.strip()}]\n")
    (home / "pipeline.yaml").write_text(_PIPELINE)
    _write(home, "0", [("a", number / 1000, number % KEYS) for number in range(rows)])
    running = SparkRun(spark, read_pipeline(str(home / "pipeline.yaml")), lambda _: None)
    steps = _Steps(running, home, rows)
    before = time.process_time()
    running.wait(steps.are_done)
    used = time.process_time() - before
    running.close()
    found = spark.read.parquet(str(home / "found")).groupBy("rule").count().collect()
    counts = {row["rule"]: row["count"] for row in found}
    unit = f"s to the first micro-batch, with {rows:,} rows held"
    details = {"s to the next without a change": steps.usual}
    return Record(
        "change-spark", rows, sum(counts.values()), 0, used, steps.pause, unit, None, counts == {"pair": 1},
        is_compiled(), details,
    )  # fmt: skip


class _Steps:
    """What is done to a pipeline, one after the other, once what came before is done."""

    def __init__(self, running: SparkRun, home: Path, rows: int) -> None:
        self._running, self._home, self._rows = running, home, rows
        self._expected, self._step, self._begun = rows, 0, 0.0
        self.usual = self.pause = 0.0

    def are_done(self) -> bool:
        """Asked again and again; does the next thing when it is time."""
        if self._running.events < self._expected:
            return False
        last = self._rows / 1000
        took = time.monotonic() - self._begun
        match self._step:
            case 0:  # what comes later makes the rows stable: they are in the engine after that
                self._feed("z", last + 100)
            case 1:
                self._feed("z", last + 101)
            case 2:
                self._feed("z", last + 102)
            case 3:
                self.usual = took
                (self._home / "rules" / "more.yaml").write_text(f"rules: [{_MORE.strip()}]\n")
                self._feed("b", last + 103)
            case 4:
                if self._running.rules.versions[-1].number == 1:
                    return False  # the file was read before the rules were
                self.pause = took
                self._feed("z", last + 300)
            case 5:
                self._feed("z", last + 301)
            case _:
                return True
        self._step += 1
        return False

    def _feed(self, kind: str, seconds: float) -> None:
        self._begun = time.monotonic()
        _write(self._home, str(self._step + 1), [(kind, seconds, 7)])
        self._expected += 1


def _write(home: Path, name: str, events: list[tuple[str, float, int]]) -> None:
    """A file of events, which is there all at once."""
    part = home / f"{name}.part"
    with part.open("w") as file:
        for place, (kind, seconds, key) in enumerate(events):
            when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(1_767_225_600 + int(seconds)))
            told = {"type": kind, "time": f"{when}.{int(seconds % 1 * 1000):03}Z", "id": f"{name}-{place}", "key": key}
            file.write(json.dumps(told) + "\n")
    part.rename(home / "in" / f"{name}.json")


def _rule(name: str, second: str) -> Rule:
    return tc.rule(name, f"x:a ; y:{second}", condition="x.key == y.key", window="1 day")
