"""What can be known from a DataFrame's schema is told when `detect` is called, in a sentence; other shapes are read."""

from __future__ import annotations

from typing import Any

import pytest

import tocsin as tc
from tocsin.errors import UsageError

SCHEMA = "type string, time timestamp, id string, host string, load int"
PAIR = tc.rule("pair", "x:a ; y:b", condition="x.host == y.host", window="1 min")
FOUND = [["1", "2"]]


def rule(condition: str, **more: Any) -> Any:
    return tc.rule("r", "x:a ; y:b", condition=condition, window="1 min", **more)


@pytest.fixture(scope="module")
def frame(spark: Any) -> Any:
    from pyspark.sql import functions as F

    rows = [("a", "2026-11-15 10:00:00", "1", "h", 1), ("b", "2026-11-15 10:00:01", "2", "h", 2)]
    made = spark.createDataFrame(rows, SCHEMA.replace("timestamp", "string"))
    return made.withColumn("time", F.to_timestamp("time"))


def events(found: Any) -> list[list[str]]:
    return sorted(row["events"] for row in found.select("events").collect())


# -- what is told -----------------------------------------------------------------------------------------------

REFUSED: list[tuple[str, dict[str, str], Any, dict[str, Any], str]] = [
    (
        "misspelt",
        {},
        rule("x.hots == y.hots"),
        {},
        r"rule 'r' reads 'hots', and there is no such .* did you mean 'host'",
    ),
    ("selected", {}, rule("x.host == y.host", select={"l": "y.lod"}), {}, "reads 'lod'.* did you mean 'load'"),
    ("two ways", {}, rule("x.host == y.Host"), {}, "write the column 'host' in several ways"),
    ("field", {}, PAIR, {"columns": {"tim": "time"}}, "columns name 'tim'.*did you mean 'time'"),
    ("column", {}, PAIR, {"columns": {"source": "hots"}}, "no column 'hots' for 'source'.*did you mean 'host'"),
    ("no type", {}, PAIR, {"columns": {"type": None}}, "columns say that there is no 'type', and every event has one"),
    ("inside", {"body": "struct(type as kind)"}, PAIR, {"columns": {"type": "body.knd"}}, "no 'body.knd' .*'kind'"),
    ("path", {"body": "struct(host)"}, rule("x.body.hst == y.body.hst"), {}, "'body' has host; did you mean 'host'"),
    ("struct", {"k": "struct(host)"}, rule("x.k == y.k"), {}, "compares 'k', which holds a struct.* as k.host"),
    (
        "array",
        {"k": "array(host)"},
        rule("x.k == y.k"),
        {},
        "compares 'k', which holds an array: that is equal to noth",
    ),
    ("map", {"k": "map('h', host)"}, rule("x.k == y.k"), {}, "compares 'k', which holds a map"),
    (
        "binary",
        {"k": "cast(host as binary)"},
        rule("x.k == y.k"),
        {},
        "reads 'k', which holds binary: rules know texts",
    ),
    ("months", {"k": "interval 3 month"}, rule("x.k == y.k"), {}, "reads 'k', which holds interval month"),
    ("calendar", {"k": "make_interval(1)"}, rule("x.k == y.k"), {}, "reads 'k', which holds interval"),
    ("unit", {}, PAIR, {"unit": "ms"}, "unit='ms' is for times that are numbers, and no time is one here"),
    ("units", {}, PAIR, {"unit": "hours"}, "unit is 'hours': what a time counts is one of s, ms, us, ns"),
    ("time", {"time": "cast('x' as binary)"}, PAIR, {}, "column 'time' holds binary: a time is a timestamp"),
    ("no rules", {}, [], {}, "there is no rule among what was given"),
]


@pytest.mark.parametrize(
    ("more", "rules", "options", "message"), [each[1:] for each in REFUSED], ids=[e[0] for e in REFUSED]
)
def test_what_is_refused(frame: Any, more: dict[str, str], rules: Any, options: dict[str, Any], message: str) -> None:
    from pyspark.sql import functions as F

    with pytest.raises(UsageError, match=message):
        tc.spark.detect(frame.withColumns({name: F.expr(text) for name, text in more.items()}), rules, **options)


def test_columns_that_spark_cannot_tell_apart(frame: Any) -> None:
    from pyspark.sql import functions as F

    with pytest.raises(UsageError, match="two columns are called 'load'"):
        tc.spark.detect(frame.select("*", F.lit(1).alias("LOAD")), PAIR)


def test_no_dataframe() -> None:
    with pytest.raises(UsageError, match="events come in a DataFrame of Spark, not in a list"):
        tc.spark.detect([1], PAIR)  # type: ignore[arg-type]


@pytest.mark.parametrize(("unit", "count"), [("ms", 10**3), ("us", 10**6), ("ns", 10**9)])
def test_units(frame: Any, unit: str, count: int) -> None:
    """Numbers that are too large for seconds name the unit that they are likely to be in."""
    from pyspark.sql import functions as F

    counted = frame.withColumn("time", F.expr(f"unix_seconds(time) * {count} + {count // 2}"))
    assert events(tc.spark.detect(counted, PAIR, unit=unit)) == FOUND
    (row,) = tc.spark.detect(counted, PAIR, unit=unit).select(F.unix_micros("time").alias("us")).collect()
    assert row["us"] % 1_000_000 == 500_000
    with pytest.raises(Exception, match=rf"holds \d+, which is no count of seconds .* unit='{unit}'"):
        tc.spark.detect(counted, PAIR).collect()
    real = counted.withColumn("time", F.col("time").cast("double"))
    assert events(tc.spark.detect(real, PAIR, unit=unit)) == FOUND


# -- what is read -----------------------------------------------------------------------------------------------

READ: list[tuple[str, dict[str, str], Any, dict[str, Any]]] = [
    ("letters", {}, rule("x.Host == y.Host"), {}),
    ("json", {"data": "to_json(struct(3 as v))"}, rule("x.host == y.host && x.v == 3 && y.load == 2"), {}),
    ("map", {"data": "map('v', 3)"}, rule("x.host == y.host && x.v == 3 && y.load == 2"), {}),
    ("struct", {"data": "struct(3 as v)"}, rule("x.host == y.host && x.v == 3 && y.load == 2"), {}),
    ("nothing in it", {"data": "cast(null as string)"}, rule("x.host == y.host && y.load == 2"), {}),
    ("empty", {"data": "'{ }'"}, rule("x.host == y.host && y.load == 2"), {}),
    ("both", {"data": "to_json(struct('g' as host))"}, rule("x.host == 'g' && y.host == 'g'"), {}),
    ("null", {"data": "'{\"host\": null}'"}, rule("x.host == y.host && x.host == 'h'"), {}),
    ("inside", {"body": "struct(type as kind)"}, PAIR, {"columns": {"type": "body.kind"}}),
    ("Inside", {"Body": "struct(type as Kind)"}, PAIR, {"columns": {"type": "body.kind"}}),
    ("a path", {"body": "struct(host)"}, rule("x.body.host == y.body.host"), {}),
    ("unread", {"a": "cast(host as binary)", "b": "interval 3 month", "c": "array(make_interval(1))"}, PAIR, {}),
    ("there", {"k": "struct(host)"}, rule("x.host == y.host && x.k != null"), {}),
    ("days", {"k": "interval 3 day"}, PAIR, {}),
    ("backticks", {"we`ird": "3", "a.b": "4"}, rule("x.host == y.host && x.a.b == 4"), {}),
    ("large", {}, rule(f"x.host == y.host && x.load < {10**30} && y.load < 9223372036854775808"), {}),
]


@pytest.mark.parametrize(("more", "rules", "options"), [each[1:] for each in READ], ids=[each[0] for each in READ])
def test_what_is_read(frame: Any, more: dict[str, str], rules: Any, options: dict[str, Any]) -> None:
    from pyspark.sql import functions as F

    table = frame.withColumns({name: F.expr(text) for name, text in more.items()})
    assert events(tc.spark.detect(table, rules, shards=3, **options)) == FOUND


def test_fields_in_other_letters(frame: Any) -> None:
    table = frame.withColumnsRenamed({"type": "TYPE", "time": "Event_Time", "id": "Id"})
    assert events(tc.spark.detect(table, PAIR, columns={"time": "event_time"})) == FOUND


@pytest.mark.parametrize("column", ["v", "data"])
def test_variants(frame: Any, column: str) -> None:
    from pyspark.sql import functions as F

    if not hasattr(F, "parse_json"):
        pytest.skip("this Spark has no VARIANT")
    table = frame.withColumn(column, F.parse_json(F.lit('{"a": 1}')))
    name = "v.a" if column == "v" else "a"
    assert events(tc.spark.detect(table, rule(f"x.host == y.host && x.{name} == 1 && y.load == 2"))) == FOUND


# -- ids --------------------------------------------------------------------------------------------------------


def test_ids_that_name_no_event(spark: Any) -> None:
    """A device's id, which all of its events have."""
    rows = [("a", float(place), f"device {place % 2}") for place in range(300)]
    table = spark.createDataFrame(rows, "type string, time double, id string")
    every = tc.rule("every", "x:a")
    with pytest.raises(Exception, match=r"the id 'device \d' comes at more than 100 times.*columns=\{'id': None\}"):
        tc.spark.detect(table, every).collect()
    found = tc.spark.detect(table, every, columns={"id": None}, shards=2).select("data", "events").collect()
    assert sorted(row["data"] for row in found) == ['{"x.id": "device 0"}'] * 150 + ['{"x.id": "device 1"}'] * 150
    assert len({row["events"][0] for row in found}) == 300


def test_ids_that_name_no_event_on_a_stream() -> None:
    import pyarrow as pa

    from tocsin.spark.repeats import unrepeated
    from tocsin.time.spans import HOUR

    device = pa.table({"id": ["device"] * 300, "time": pa.array(range(300), pa.int64())})
    with pytest.raises(UsageError, match="most events come under an id that another has"):
        unrepeated(device, HOUR)
    copies = pa.table(
        {
            "id": [str(place % 30) for place in range(300)],
            "time": pa.array([place % 30 for place in range(300)], pa.int64()),
        }
    )
    assert unrepeated(copies, HOUR).num_rows == 30
