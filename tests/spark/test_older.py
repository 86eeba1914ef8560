"""What older PySparks lack: said in other words, it does the same."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pyspark", reason="tocsin.spark needs pyspark")


class Older:
    """A DataFrame without what came later."""

    def __init__(self, frame: Any) -> None:
        self.repartition = frame.repartition


@pytest.mark.parametrize("count", [1, 2, 7, 32])
def test_each_row_in_its_own_partition(spark: Any, count: int) -> None:
    from pyspark.sql import functions as F

    from tocsin.spark.older import partitioned

    frame = spark.range(3 * count).select((F.col("id") % count).cast("int").alias("shard"))
    made = partitioned(Older(frame), count, "shard").select("shard", F.spark_partition_id().alias("place"))
    rows = made.collect()
    assert len(rows) == 3 * count
    assert all(row["shard"] == row["place"] for row in rows)


def test_what_is_no_number_is_nothing(spark: Any) -> None:
    from pyspark.sql import functions as F

    from tocsin.spark.older import try_cast

    class OlderColumn:
        def __init__(self, column: Any) -> None:
            self.rlike, self.cast = column.rlike, column.cast

    frame = spark.createDataFrame([(each,) for each in ("1", "-2.5", "1e3", "x", "", None)], "text string")
    older, newer = try_cast(OlderColumn(F.col("text")), "double"), try_cast(F.col("text"), "double")
    found = frame.select(older.alias("older"), newer.alias("newer")).collect()
    assert [row["older"] for row in found] == [1.0, -2.5, 1000.0, None, None, None]
    assert [row["newer"] for row in found] == [row["older"] for row in found]


def test_a_source_that_it_does_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brokers whose sources are our own need classes of Spark's that came with 4.2."""
    from tocsin.errors import UsageError
    from tocsin.pipelines.description import Pipeline, Source
    from tocsin.spark import sources
    from tocsin.transports import SOURCE, address_of

    def lacking(name: str) -> Any:
        raise ImportError(name, name="pyspark.sql.streaming.datasource")

    monkeypatch.setattr(sources, "import_module", lacking)
    address = address_of("nats://127.0.0.1/events", SOURCE, {})
    pipeline = Pipeline(Source("url", address=address), ("rules.yaml",), (), "checkpoint", {})
    with pytest.raises(UsageError, match=r"a source of nats needs PySpark 4\.2 or newer: this is "):
        sources.events_of(None, pipeline, False)


def test_the_connector_is_made_for_the_same_scala() -> None:
    from tocsin.spark.sources.kafka import packages
    from tocsin.transports import SOURCE, address_of

    found = [packages(address_of("kafka://h/t", SOURCE, {"connector": each})) for each in ("3.5.8", "4.3.0")]
    assert found == [
        "org.apache.spark:spark-sql-kafka-0-10_2.12:3.5.8",
        "org.apache.spark:spark-sql-kafka-0-10_2.13:4.3.0",
    ]
