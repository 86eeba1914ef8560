"""SQL on Spark: `MATCH_RECOGNIZE` as Flink has it, and rules as a table function."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import Any

import pytest

import tocsin as tc
from tests.origins.engines import FLINK, ask, has_ties, of_streams, random_streams, streams_for
from tests.origins.flink_constructs import CONSTRUCTS
from tocsin.bench.peers.jars import Unavailable

PRICES = [12, 17, 13, 11, 14, 15, 13, 10, 20]
DIPS = """
SELECT m.symbol, m.bottom AS low, upper(m.symbol) AS name, m.many, m.at, m.twice
FROM ticks MATCH_RECOGNIZE (
  PARTITION BY symbol
  ORDER BY ts
  MEASURES LAST(B.price) AS bottom, COUNT(B.price) AS many, C.ts AS at, A.price * 2 AS twice
  PATTERN (A B+ C)
  DEFINE
    B AS B.price < A.price AND (LAST(B.price, 1) IS NULL OR B.price < LAST(B.price, 1)),
    C AS C.price > LAST(B.price)
) AS m
WHERE m.many > 1
"""
STREAMS = int(os.environ.get("TOCSIN_FOREIGN_STREAMS", "20"))
EVERY = "TOCSIN_FOREIGN_STREAMS" in os.environ


@pytest.fixture
def ticks(spark: Any) -> Any:
    rows = [("x", 1_700_000_000 + place, price) for place, price in enumerate(PRICES)]
    rows += [("y", 1_700_000_000 + place, price) for place, price in enumerate([5, 4, 6, 6, 6])]
    frame = spark.createDataFrame(rows, "symbol string, s long, price int").selectExpr(
        "symbol", "timestamp_seconds(s) AS ts", "price"
    )
    frame.createOrReplaceTempView("ticks")
    yield frame
    spark.catalog.dropTempView("ticks")


def test_a_clause_is_a_table_in_the_sql_of_spark(spark: Any, ticks: Any) -> None:
    found = tc.spark.sql(DIPS, session=spark)
    assert found.dtypes == [
        ("symbol", "string"),
        ("low", "int"),
        ("name", "string"),
        ("many", "bigint"),
        ("at", "timestamp"),
        ("twice", "bigint"),
    ]
    assert sorted(tuple(row)[:4] for row in found.collect()) == [("x", 10, "X", 2), ("x", 11, "X", 2)]
    assert not [each for each in spark.catalog.listTables() if each.name.startswith("tocsin_")]


def test_rows_that_are_alike_all_count(spark: Any) -> None:
    spark.sql("SELECT 1 AS v, timestamp_seconds(5) AS ts FROM range(3)").createOrReplaceTempView("same")
    query = "SELECT * FROM same MATCH_RECOGNIZE (ORDER BY ts MEASURES A.v AS v PATTERN (A B) DEFINE A AS v = 1)"
    assert tc.spark.sql(query).count() == 2


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            "SELECT * FROM ticks MATCH_RECOGNIZE (ORDER BY ts PATTERN (A | B))",
            "<query>:1:61: '|', one pattern or another",
        ),
        ("SELECT * FROM ticks MATCH_RECOGNIZE (ORDER BY at PATTERN (A B))", "the table has no column 'at'"),
        ("SELECT * FROM (SELECT 1) MATCH_RECOGNIZE (ORDER BY at PATTERN (A B))", "anything but the name of a table"),
        (
            "SELECT * FROM ticks MATCH_RECOGNIZE (ORDER BY ts MEASURES A.x AS x PATTERN (A B))",
            "<query>:1:59: the table has no column 'x'",
        ),
        (
            "SELECT * FROM ticks MATCH_RECOGNIZE (ORDER BY ts PATTERN (A B) DEFINE B AS B.x > 1)",
            "<query>:1:76: the table has no column 'x'",
        ),
    ],
)
def test_what_cannot_be_asked_is_told_at_its_place(ticks: Any, query: str, message: str) -> None:
    with pytest.raises(tc.RuleError) as told:
        tc.spark.sql(query)
    assert message in str(told.value)


def test_queries_without_a_clause_are_sparks_own(spark: Any) -> None:
    assert tc.spark.sql("SELECT 1 AS one", session=spark).collect()[0].one == 1


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_spark_gives_what_flink_gives(spark: Any) -> None:
    """The same query over the same table, in which every stream is a partition."""
    wanted = ("plus-first", "within", "aggregates", "reluctant")
    constructs = [each for each in CONSTRUCTS if EVERY or each.name in wanted]
    streams = random_streams(11, STREAMS, FLINK.types)
    try:
        theirs = ask(FLINK, {each.name: each.text for each in constructs}, streams)
    except Unavailable as lack:
        pytest.skip(f"{FLINK.peer}: {lack}")
    for construct in constructs:
        tried = {n: each for n, each in streams_for(construct, streams).items() if not has_ties(n)}
        rows = [
            (event.id, number, event.end, place, *(event.data.get(name) for name in ("k", "n", "v")))
            for number, stream in tried.items()
            for place, event in enumerate(stream)
        ]
        shape = "id string, lane int, us long, place int, k string, n long, v double"
        frame = spark.createDataFrame(rows, shape).repartition(1).sortWithinPartitions("us", "place")
        frame.selectExpr("id", "lane", "timestamp_micros(us) AS ts", "k", "n", "v").createOrReplaceTempView("ticks")
        found = tc.spark.sql(FLINK.per_stream(construct.text), session=spark).collect()
        ours = sorted(
            (str(row.lane), *sorted(f"{name}={_text(row[name])}" for name in row.asDict() if name != "lane"))
            for row in found
        )
        counted = theirs[construct.name]
        assert not isinstance(counted, str), counted
        assert ours == sorted(of_streams(counted, tried).elements()), construct.name


def _text(value: object) -> str:
    return "null" if value is None else str(value)


# -- rules as a table function ---------------------------------------------------------------------------------

EVENTS = [("a", 1, "h1"), ("a", 2, "h2"), ("b", 3, "h1"), ("b", 400, "h2"), ("c", 401, "h2"), ("b", 402, None)]


@pytest.fixture
def events(spark: Any) -> Any:
    pytest.importorskip("pyspark", minversion="4.0")
    frame = spark.createDataFrame(
        [(str(n), *row) for n, row in enumerate(EVENTS)], "id string, type string, s long, host string"
    )
    frame.selectExpr("id", "type", "timestamp_seconds(s) AS time", "host").createOrReplaceTempView("events")
    tc.spark.register(spark)
    yield
    spark.catalog.dropTempView("events")


def rows_of(spark: Any, rules: str, more: str = "") -> list[tuple[str, list[str]]]:
    found = spark.sql(f"SELECT * FROM tocsin_detect(TABLE(events), rules => '{rules}'{more})").collect()
    return sorted((row.rule, row.events) for row in found)


def test_rules_of_one_key_get_the_events_of_each_value(spark: Any, events: None) -> None:
    found = spark.sql("SELECT * FROM tocsin_detect(TABLE(events), rules => 'pair: a then b by host within 5 min')")
    assert found.select("rule", "time", "events").collect() == [
        ("pair", datetime.fromtimestamp(3, UTC).astimezone().replace(tzinfo=None), ["0", "2"])
    ]
    assert "h1" in found.collect()[0].data
    assert "AS partition_by_0" in found._jdf.queryExecution().toString()


def test_rules_without_a_key_get_all_events(spark: Any, events: None) -> None:
    assert rows_of(spark, "pair: b then c within 10 sec\nlate: c then b") == [
        ("late", ["4", "5"]),
        ("pair", ["3", "4"]),
    ]


def test_rules_in_other_languages(spark: Any, events: None) -> None:
    assert rows_of(spark, "[a] [b] [c]", ", language => 'core'") == [
        ("rule", ["0", "2", "4"]),
        ("rule", ["1", "2", "4"]),
    ]


def test_what_is_wrong_is_told_when_the_query_is_planned(spark: Any, events: None) -> None:
    with pytest.raises(Exception, match="unexpected"):
        rows_of(spark, "pair: a then then b")
    with pytest.raises(Exception, match="no column 'type'"):
        spark.sql("SELECT * FROM tocsin_detect(TABLE(SELECT 1 AS time), rules => 'a then b')")
