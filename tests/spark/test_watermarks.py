"""Watermarks of streams: those that they have already, those that wait for nothing, and time that goes on by itself."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import tocsin as tc
from tests.spark.events import PAIR, PLAIN, QUIET, START, closing, expected, mixed_up, rows, written
from tocsin.errors import UsageError


def stream(spark: Any, source: Path) -> Any:
    return spark.readStream.schema(PLAIN).option("maxFilesPerTrigger", 1).json(str(source))


def found(made: Any, home: Path) -> list[Any]:
    writer = made.writeStream.format("parquet").option("checkpointLocation", str(home / "checkpoint"))
    writer.trigger(availableNow=True).start(str(home / "out")).awaitTermination()
    rows_: list[Any] = made.sparkSession.read.schema(made.schema).parquet(str(home / "out")).collect()
    return rows_


@pytest.mark.parametrize("said", [None, "4000 milliseconds"])
def test_a_watermark_that_is_there(spark: Any, tmp_path: Path, said: str | None) -> None:
    given = rows(60)
    arriving = mixed_up(given, 2, 3)
    source = written(tmp_path / "in", [arriving[:30], arriving[30:], [closing()]])
    marked = stream(spark, source).withWatermark("time", "4 seconds")
    told = found(tc.spark.detect(marked, PAIR, watermark=said, shards=2), tmp_path)
    assert sorted(row["id"] for row in told) == sorted(expected(given, [PAIR]))


def test_a_time_inside_a_struct(spark: Any, tmp_path: Path) -> None:
    from pyspark.sql import functions as F

    given = rows(60)
    nested = stream(spark, written(tmp_path / "in", [given, [closing()]])).withColumn("body", F.struct("time", "type"))
    columns = {"time": "body.time", "type": "body.type"}
    made = tc.spark.detect(nested.drop("time", "type"), PAIR, columns=columns, watermark="1 second", shards=2)
    assert sorted(row["id"] for row in found(made, tmp_path)) == sorted(expected(given, [PAIR]))


@pytest.mark.parametrize(
    ("column", "said", "message"),
    [
        ("time", "5 seconds", r"a watermark of its own on 'time' \(4 s\), and watermark='5 seconds' is another"),
        ("seen", None, "the stream has a watermark on 'seen', and time is told by 'time' here"),
    ],
)
def test_another_watermark(spark: Any, tmp_path: Path, column: str, said: str | None, message: str) -> None:
    from pyspark.sql import functions as F

    marked = stream(spark, tmp_path).withColumn("seen", F.col("time")).withWatermark(column, "4 seconds")
    with pytest.raises(UsageError, match=message):
        tc.spark.detect(marked, PAIR, watermark=said)


# -- other operators with state ---------------------------------------------------------------------------------


def test_after_what_leaves_out_duplicates(spark: Any, tmp_path: Path) -> None:
    given = rows(60)
    source = written(tmp_path / "in", [given, given[30:], [closing()]])
    once = stream(spark, source).withWatermark("time", "4 seconds").dropDuplicatesWithinWatermark(["id"])
    told = found(tc.spark.detect(once, PAIR, shards=2), tmp_path)
    assert sorted(row["id"] for row in told) == sorted(expected(given, [PAIR]))


def test_one_after_another(spark: Any, tmp_path: Path) -> None:
    """Spark cannot; what can be done is said."""
    first = tc.spark.detect(stream(spark, tmp_path), PAIR, watermark="4 seconds").withColumnRenamed("rule", "kind")
    again = tc.rule("again", "x:pair ; y:pair", window="1 min")
    with pytest.raises(UsageError, match="give all rules to one `detect`"):
        tc.spark.detect(first, again, columns={"type": "kind"}, watermark="4 seconds")


def test_rules_of_two_orders(spark: Any, tmp_path: Path) -> None:
    """Spark keeps one state in a query; each order by itself is told about."""
    by_arrival = tc.rule("big", "x:b", condition="x.load > 7", order="best-effort")
    with pytest.raises(UsageError, match=r"several orders \(best-effort and guaranteed\) take a query each"):
        tc.spark.detect(stream(spark, tmp_path), [PAIR, by_arrival], watermark="4 seconds")


def test_the_last_event_is_evaluated(spark: Any, tmp_path: Path) -> None:
    """Its time is not one of whole milliseconds, and nothing comes after it."""
    given = [row | {"type": kind, "host": "n"} for row, kind in zip(rows(2), "ab", strict=True)]
    given[0]["time"], given[1]["time"] = START, START + timedelta(seconds=1, microseconds=123_456)
    source = written(tmp_path / "in", [given])
    told = found(tc.spark.detect(stream(spark, source), PAIR, watermark="0 seconds", shards=2), tmp_path)
    assert [row["id"] for row in told] == list(expected(given, [PAIR]))


def test_time_goes_on_when_nothing_comes(spark: Any, tmp_path: Path) -> None:
    """No b within five seconds: that is told although no event follows."""
    one = rows(1)[0] | {"type": "a", "host": "n", "time": datetime.now(UTC)}
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "0.json").write_text(json.dumps(one | {"time": one["time"].isoformat()}))
    made = tc.spark.detect(stream(spark, tmp_path / "in"), QUIET, watermark="0 seconds", idle="1 s", shards=2)
    writer = made.writeStream.format("memory").queryName("quiet").option("checkpointLocation", str(tmp_path / "kept"))
    query = writer.trigger(processingTime="1 second").start()
    try:
        until = time.monotonic() + 120
        while not (told := spark.table("quiet").collect()) and query.isActive and time.monotonic() < until:
            query.awaitTermination(0.5)
    finally:
        query.stop()
        spark.catalog.dropTempView("quiet")
    assert [row["events"] for row in told] == [[one["id"]]]


def test_idle_is_for_streams(spark: Any) -> None:
    table = spark.createDataFrame([("a", 1.0)], "type string, time double")
    with pytest.raises(UsageError, match="idle= is for a stream"):
        tc.spark.detect(table, tc.rule("r", "x:a"), idle="1 s")
