"""`tocsin run`: pipeline files, and a pipeline from files to files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.spark.events import STREAMED, closing, expected, mixed_up, rows, written

pytest.importorskip("pyspark", reason="tocsin run needs pyspark")

RULES = """\
rules:
- {name: pair, language: eps, expression: "x:a ; y:b", condition: "x.host == y.host", context: unrestricted, window: 1 min}
- {name: quiet, language: sel, expression: "(x:a -> !(y:b if y.host == x.host)) in 5 s"}
- {name: big, language: eps, expression: "x:b", condition: "x.load > 7", select: {much: "x.load * 2"}}
"""
PIPELINE = """\
source: {format: jsonl, path: in, schema: "type string, time timestamp, id string, source string, host string, load int"}
rules: [rules.yaml]
watermark: 4 seconds
shards: 2
sinks: [{format: parquet, path: found}, {format: json, path: also}]
checkpoint: checkpoint
quarantine: bad
metrics: metrics.json
"""


def test_from_files_to_files(spark: Any, tmp_path: Path) -> None:
    """In two runs, the second of which finds the rest; bad lines are kept with the reason."""
    from tocsin.pipelines.description import read_pipeline
    from tocsin.spark.pipeline_run import SparkRun

    given = rows(80, seed=6)
    arriving = mixed_up(given, 4, 3)
    source = written(tmp_path / "in", [arriving[:50]])
    (tmp_path / "rules.yaml").write_text(RULES)
    (tmp_path / "pipeline.yaml").write_text(PIPELINE)
    with (source / "0000.json").open("a") as file:
        file.write('{"type": "a", "time": broken\n{"type": "a", "host": "n1"}\n')
    os.utime(source / "0000.json", (1_000_000, 1_000_000))  # Spark leaves out files that are much older than the newest
    pipeline = read_pipeline(str(tmp_path / "pipeline.yaml"))
    told: list[int] = []
    for piece in ([], [arriving[50:], [closing()]]):
        written(tmp_path / "more", piece)
        for number, path in enumerate(sorted((tmp_path / "more").iterdir())):
            path.rename(source / f"1{number}.json")
        (tmp_path / "more").rmdir()
        running = SparkRun(spark, pipeline, lambda each: told.append(each.events))
        running.wait(lambda: False)
        running.write_metrics()
    found = [row["id"] for row in spark.read.parquet(str(tmp_path / "found")).collect()]
    assert sorted(found) == sorted(expected(given, STREAMED))
    assert sorted(row["id"] for row in spark.read.json(str(tmp_path / "also")).collect()) == sorted(found)
    kept = spark.read.json(str(tmp_path / "bad")).collect()
    assert {row["reason"] for row in kept} == {"the line cannot be read", "the event has no time"}
    metrics = json.loads((tmp_path / "metrics.json").read_text())
    assert (metrics["events"], metrics["late"], metrics["bad"]) == (31, 0, 0), "of the second run"
    assert sum(metrics["detections"].values()) > 20
    assert told


def test_simulated_events_are_the_same_in_every_run(spark: Any, tmp_path: Path) -> None:
    from tocsin.pipelines.description import read_pipeline
    from tocsin.spark.pipeline_run import SparkRun

    (tmp_path / "rules.yaml").write_text(
        'rules: [{name: ab, language: eps, expression: "a:a ; b:b", condition: "a.key == b.key", window: 1 s}]\n'
    )
    counts = []
    for number in range(2):
        (tmp_path / "pipeline.yaml").write_text(
            "source: {format: simulated, types: [a, b], keys: 20, events: 1500, per_batch: 500, seed: 3}\n"
            f"rules: rules.yaml\nwatermark: 0 seconds\nsinks: [{{format: json, path: out{number}}}]\n"
            f"checkpoint: checkpoint{number}\n"
        )
        running = SparkRun(spark, read_pipeline(str(tmp_path / "pipeline.yaml")), lambda each: None)
        running.wait(lambda: False)
        first = [f"{tmp_path}/out{number}/batch={batch}" for batch in (0, 1)]
        counts.append(sorted(row["id"] for row in spark.read.json(first).collect()))
    assert counts[0] == counts[1]
    assert len(counts[0]) > 50
