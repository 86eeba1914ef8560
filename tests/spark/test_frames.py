"""`tocsin.spark.detect` on DataFrames: what they may look like, what is refused, and that the answer is the same."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

import tocsin as tc
from tests.spark.events import (
    BIG,
    PAIR,
    PLAIN,
    QUIET,
    RULES,
    START,
    STREAMED,
    TICK,
    as_given,
    closing,
    expected,
    mixed_up,
    rows,
    written,
)
from tocsin.errors import UsageError


def frame(spark: Any, given: list[dict[str, Any]]) -> Any:
    names = [column.split()[0] for column in PLAIN.split(", ")]
    return spark.createDataFrame([tuple(row[name] for name in names) for row in given], PLAIN)


def ids(found: Any) -> set[str]:
    listed = [row["id"] for row in found.select("id").collect()]
    assert len(listed) == len(set(listed)), "each detection once"
    return set(listed)


def test_plain_columns(spark: Any) -> None:
    given = rows()
    wanted = expected(given)
    assert len(wanted) > 40
    assert ids(tc.spark.detect(frame(spark, given), RULES, shards=3)) == wanted


def test_a_key_of_ones_own(spark: Any) -> None:
    given = rows(60)
    rules = [PAIR, QUIET, BIG]
    assert ids(tc.spark.detect(frame(spark, given), rules, key="host", shards=3)) == expected(given, rules)


def test_in_any_order_and_partitioning(spark: Any) -> None:
    given = rows(seed=5)
    mixed = frame(spark, given).repartition(3, "load").orderBy("load")
    assert ids(mixed.transform(tc.spark.detector(RULES, shards=1))) == expected(given)


def test_other_names_and_shapes(spark: Any) -> None:
    """A struct, a map and a text of JSON for the attributes; seconds, texts and timestamps without a zone as times."""
    from pyspark.sql import functions as F

    given = rows(60)
    plain = frame(spark, given)
    wanted = expected(given, [PAIR, QUIET])
    fields = plain.select(F.col("type").alias("kind"), F.col("time").alias("at"), "id", "source", "host", "load")
    names = {"type": "kind", "time": "at"}
    shapes = {
        "struct": fields.select("kind", "at", "id", "source", F.struct("host", "load").alias("data")),
        "map": fields.select("kind", "at", "id", "source", F.create_map(F.lit("host"), "host").alias("data")),
        "json": fields.select("kind", "at", "id", "source", F.to_json(F.struct("host", "load")).alias("data")),
        "seconds": fields.withColumn("at", F.unix_micros("at") / 1e6),
        "text": fields.withColumn("at", F.date_format("at", "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX")),
        "no zone": fields.withColumn("at", F.to_timestamp_ntz(F.date_format("at", "yyyy-MM-dd HH:mm:ss.SSSSSS"))),
    }
    for name, shape in shapes.items():
        assert ids(tc.spark.detect(shape, [PAIR, QUIET], columns=names, shards=2)) == wanted, name


def test_fields_of_a_detection(spark: Any) -> None:
    given = rows(60)
    found = tc.spark.detect(frame(spark, given), [PAIR, BIG]).collect()
    pair = next(row for row in found if row["rule"] == "pair")
    data = json.loads(pair["data"])
    assert pair["key"] == data["x.host"] == data["y.host"]
    assert len(pair["events"]) == 2
    big = next(row for row in found if row["rule"] == "big")
    assert json.loads(big["data"]).keys() == {"much"}
    assert big["key"] is None
    chosen = tc.rule("chosen", "x:a ; y:b", condition="x.host == y.host", window="1 min", select={"l": "y.load"})
    (one, *_) = tc.spark.detect(frame(spark, given), chosen).collect()
    assert (json.loads(one["data"]).keys(), one["key"] in ("n1", "n2")) == ({"l"}, True)


def test_what_no_rule_wants_never_leaves_the_jvm(spark: Any) -> None:
    """By type and by the conditions on single events: the rows before the shuffle are the wanted ones."""
    from tocsin.planner.placement import placements
    from tocsin.rules.programs import rules_program
    from tocsin.spark.events import event_columns
    from tocsin.spark.routes import routed, routes
    from tocsin.spark.shard import Conditions

    given = rows()
    events = event_columns(frame(spark, given), {})
    found = placements(rules_program([BIG]))
    kept = routed(events, routes(found, [Conditions()], 2, events.attributes))
    assert {row["id"] for row in kept.collect()} == {
        row["id"] for row in given if row["type"] == "b" and row["load"] > 7
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": {"time": "when"}}, "there is no column 'when'"),
        ({"columns": {"kind": "type"}}, "an event has type, time"),
        ({"order": "best-effort"}, "a DataFrame has no order of its own"),
        ({"order": "probabilistic:0.9"}, "does not run on Spark"),
        ({"shards": 0}, "a whole number from 1 on"),
        ({"key": "load"}, "rule 'pair' cannot be spread by 'load': its events are not known to be equal in 'load'"),
    ],
)
def test_what_is_refused(spark: Any, change: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        tc.spark.detect(frame(spark, rows(3)), RULES, **change)


def test_a_frame_without_a_type_is_refused(spark: Any) -> None:
    with pytest.raises(UsageError, match="there is no column 'type', and every event has one"):
        tc.spark.detect(frame(spark, rows(3)).drop("type"), RULES)


def test_a_time_that_cannot_be_read_is_an_error(spark: Any) -> None:
    from pyspark.sql import functions as F

    bad = frame(spark, rows(3)).withColumn("time", F.lit("yesterday"))
    with pytest.raises(Exception, match="an event has no time that can be read in column 'time'"):
        tc.spark.detect(bad, RULES).collect()


@pytest.mark.parametrize("order", ["best-effort", "delay:2 s"])
@pytest.mark.parametrize("told_by", ["arrival", "sequence", "both"])
def test_by_arrival(spark: Any, order: str, told_by: str) -> None:
    """A late event is evaluated when it arrives, or held for so long, as the embedded engine does it."""
    from pyspark.sql import functions as F

    random = Random(8)
    given = rows()
    places = sorted(range(len(given)), key=lambda place: place + random.randrange(6))
    latest, events, listed = START, [], []
    for sequence, place in enumerate(places):
        # Arrivals are told apart, so that either column says it all.
        latest = max(latest + timedelta(milliseconds=1), given[place]["time"]) if told_by != "sequence" else latest
        latest = max(latest, given[place]["time"])
        events.append(as_given(given[place]) | {"arrival": latest.isoformat()})
        listed.append((given[place]["id"], sequence, latest))
    wanted = {one.id for one in tc.detect([PAIR, QUIET], events, order=order)}
    told = spark.createDataFrame(listed, "id string, sequence long, arrival timestamp")
    told = told if told_by == "both" else told.select("id", told_by)
    mixed = frame(spark, given).join(told, "id").orderBy(F.rand(4))
    assert ids(tc.spark.detect(mixed, [PAIR, QUIET], order=order, shards=2)) == wanted


def test_a_stream(spark: Any, tmp_path: Path) -> None:
    """Files in random pieces, mixed up within the watermark; late events come back as such, once each.

    The late one is wanted by rules with a key and by one about single events, in other shards.
    """
    from pyspark.sql import functions as F

    given = rows(90)
    arriving = mixed_up(given, 2, 3)
    late = next(row for row in given if row["type"] == "b" and row["load"] > 7) | {"id": "late"}
    source = written(tmp_path / "in", [arriving[:20], arriving[20:55], arriving[55:], [late], [closing()]])
    stream = spark.readStream.schema(PLAIN).option("maxFilesPerTrigger", 1).json(str(source))
    found = tc.spark.detect(stream, STREAMED, watermark="4 seconds", with_late=True, shards=2)
    query = (
        found.writeStream.format("parquet")
        .option("path", str(tmp_path / "out"))
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    made = spark.read.parquet(str(tmp_path / "out"))
    (told,) = made.filter("late").collect()
    assert (told["id"], told["rule"], json.loads(told["data"])) == (
        "late",
        None,
        {"host": late["host"], "load": late["load"]},
    )
    assert ids(made.filter(~F.col("late"))) == expected(given, STREAMED)


def test_a_stream_needs_a_watermark(spark: Any, tmp_path: Path) -> None:
    stream = spark.readStream.schema(PLAIN).json(str(tmp_path))
    with pytest.raises(UsageError, match="needs a watermark"):
        tc.spark.detect(stream, PAIR)


def test_a_history_that_grows(spark: Any, tmp_path: Path) -> None:
    """Between `detect` and the action rows come that are older and newer than all: each is still in some slice."""
    loose = tc.rule("loose", "x:a ; y:b", context="unrestricted", window="10 s")
    given = rows(150, seed=6)
    home = written(tmp_path / "in", [given[50:100], given])
    path = home / "0000.json"
    lines = spark.sparkContext.parallelize([str(path)], 1).flatMap(lambda name: Path(name).read_text().splitlines())
    found = tc.spark.detect(spark.read.schema(PLAIN).json(lines), loose, shards=3)
    path.write_text((home / "0001.json").read_text())
    assert ids(found) == expected(given, [loose])


@pytest.mark.parametrize("rule", [TICK, tc.rule("loose", "x:a ; y:b", context="unrestricted", window="10 s"), PAIR])
def test_nothing_is_read_before_an_action(spark: Any, tmp_path: Path, rule: Any) -> None:
    """A source that grows between `detect` and the action is read as it is then, and no job ran before."""
    given = rows(100, seed=9)
    path = tmp_path / "events.jsonl"
    path.write_text(_lines(given[40:60]))
    lines = spark.sparkContext.parallelize([str(path)], 1).flatMap(lambda name: Path(name).read_text().splitlines())
    table = spark.read.schema(PLAIN).json(lines)
    spark.sparkContext.setJobGroup("before", "")
    found = tc.spark.detect(table, rule, shards=7)
    assert list(spark.sparkContext.statusTracker().getJobIdsForGroup("before")) == []
    spark.sparkContext.setJobGroup("after", "")
    path.write_text(_lines(given))
    assert ids(found) == expected(given, [rule])


def _lines(given: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(row | {"time": row["time"].isoformat()}) + "\n" for row in given)
