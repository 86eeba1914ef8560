"""How many shards a stream has: what was said, what its state tells, or a number that never depends on the machine."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import tocsin as tc
from tests.spark.events import PAIR, PLAIN, closing, expected, rows, written

GIVEN = rows(60, seed=4)
LATER = [row | {"time": row["time"] + timedelta(hours=1), "id": f"later {row['id']}"} for row in GIVEN]


class Streamed:
    """A stream of two files that is read in two runs of one query."""

    def __init__(self, spark: Any, home: Path) -> None:
        self.spark, self.home = spark, home
        self.source = written(home / "in", [GIVEN])

    def run(self, **options: Any) -> None:
        stream = self.spark.readStream.schema(PLAIN).option("maxFilesPerTrigger", 1).json(str(self.source))
        found = tc.spark.detect(stream, PAIR, watermark="1 second", **options)
        writer = found.writeStream.format("parquet").option("checkpointLocation", str(self.home / "checkpoint"))
        writer.trigger(availableNow=True).start(str(self.home / "out")).awaitTermination()

    def go_on(self, **options: Any) -> None:
        written(self.home / "more", [[*LATER, closing()]])
        (self.home / "more" / "0000.json").rename(self.source / "0001.json")
        self.run(**options)

    def found(self) -> list[str]:
        return sorted(row["id"] for row in self.spark.read.parquet(str(self.home / "out")).select("id").collect())


@pytest.fixture
def streamed(spark: Any, tmp_path: Path) -> Streamed:
    return Streamed(spark, tmp_path)


def test_executors_that_come_later_change_nothing(streamed: Streamed, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begun with the cores of one executor, it goes on with those of three."""
    context = type(streamed.spark.sparkContext)
    monkeypatch.setattr(context, "defaultParallelism", 2)
    streamed.run()
    monkeypatch.setattr(context, "defaultParallelism", 6)
    streamed.go_on()
    assert streamed.found() == sorted(expected(GIVEN + LATER, [PAIR]))


def test_a_stream_goes_on_with_the_shards_it_has(streamed: Streamed) -> None:
    state = str(streamed.home / "state")
    streamed.run(shards=3, state=state)
    streamed.go_on(state=state)
    assert streamed.found() == sorted(expected(GIVEN + LATER, [PAIR]))


def test_where_it_cannot_be_known_it_is_said(streamed: Streamed) -> None:
    streamed.run(shards=3)
    with pytest.raises(
        Exception, match=r"the checkpoint has 3 shards, and this query 8: go on with those \(shards=3\)"
    ):
        streamed.go_on()
