"""What makes detection cheaper changes nothing: columns that are asked for, filters in files, files read by workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tocsin as tc
from tests.spark.events import PAIR, PLAIN, as_given, rows
from tocsin.errors import UsageError

QUIET = tc.rule("quiet", "(x:a -> !(y:b if y.host == x.host)) in 5 s", language="sel")
LOOSE = tc.rule("loose", "x:a ; y:c", context="unrestricted", window="3 s")
ALONE = tc.rule("alone", "x:a", condition="x.load > 3", select={"load": "x.load"}, notify="{x.host} has {x.load}")
NUMBERS = tc.rule("numbers", "x:a ; y:b", condition="x.load == y.load", context="unrestricted", window="30 s")
RULES = [PAIR, QUIET, LOOSE, ALONE, NUMBERS]


@pytest.fixture(scope="module")
def given() -> list[dict[str, Any]]:
    return rows(300, seed=3)


@pytest.fixture(scope="module")
def table(spark: Any, given: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("events") / "given.parquet"
    names = [column.split()[0] for column in PLAIN.split(", ")]
    made = spark.createDataFrame([tuple(row[name] for name in names) for row in given], PLAIN)
    made.repartition(3).write.parquet(str(path))
    return spark.read.parquet(str(path))


def told(found: Any, names: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return sorted((tuple(row[name] for name in names) for row in found.collect()), key=repr)


def test_columns_that_are_asked_for_are_those_of_all(table: Any) -> None:
    whole = tc.spark.detect(table, RULES)
    for names in (("rule", "time", "events"), ("id",), ("key", "notification"), ("events", "data", "detected")):
        some = tc.spark.detect(table, RULES, fields=names)
        assert some.columns == list(names)
        assert told(some, names) == told(whole, names)


def test_fields_are_columns_of_detections(table: Any) -> None:
    for fields, said in ((["rule", "tiem"], "names 'tiem'"), ([], "at least one"), (["id", "id"], "each once")):
        with pytest.raises(UsageError, match=said):
            tc.spark.detect(table, RULES, fields=fields)


def test_a_filter_on_the_type_reaches_the_files(table: Any) -> None:
    plan = tc.spark.detect(table, PAIR, remember="0 s")._jdf.queryExecution().executedPlan().toString()
    assert "PushedFilters: [Or(Or(In(type, [a,b]),IsNull(type)),EqualTo(type,))]" in plan


def test_what_has_no_type_or_time_is_told(table: Any) -> None:
    """Whatever it is: who asks files for some types gets those without one, too."""
    from pyspark.sql import functions as F

    no_type = table.withColumn("type", F.when(F.col("type") != "c", F.col("type")))
    no_time = table.withColumn("time", F.lit(None).cast("timestamp"))
    for lacking, name in ((no_type, "type"), (no_time, "time")):
        with pytest.raises(Exception, match=f"in column '{name}'"):
            tc.spark.detect(lacking, PAIR).collect()


def test_files_read_by_workers_give_the_same(table: Any, given: list[dict[str, Any]]) -> None:
    wanted = sorted(one.id for one in tc.detect(RULES, [as_given(row) for row in given], order="guaranteed"))
    for shards in (1, 3):
        found = tc.spark.detect(table, RULES, read="workers", remember="0 s", shards=shards)
        whole = tc.spark.detect(table, RULES, remember="0 s", shards=shards)
        assert [row["id"] for row in found.orderBy("id").collect()] == wanted
        assert told(found, tuple(found.columns)) == told(whole, tuple(found.columns))


def test_only_plain_files_are_read_by_workers(spark: Any, table: Any, tmp_path: Path) -> None:
    table.write.partitionBy("host").parquet(str(tmp_path / "parted"))
    for frame, said in (
        (table.filter("load > 1"), "something is done"),
        (spark.read.parquet(str(tmp_path / "parted")), "names of directories"),
        (table.drop("id"), "something is done"),
    ):
        with pytest.raises(UsageError, match=said):
            tc.spark.detect(frame, PAIR, read="workers", remember="0 s")
    with pytest.raises(UsageError, match="remember='0 s'"):
        tc.spark.detect(table, PAIR, read="workers")
    with pytest.raises(UsageError, match="'spark', or 'workers'"):
        tc.spark.detect(table, PAIR, read="jvm")
