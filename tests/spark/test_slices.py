"""A history cut into slices: Spark deals events to shards as Python does. What is found then is in `test_shards.py`."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.spark.test_shards import dealt

pytest.importorskip("pyspark", reason="tocsin.spark needs pyspark")


@pytest.mark.parametrize("count", [2, 7])
def test_spark_deals_alike(spark: Any, count: int) -> None:
    from pyspark.sql import functions as F

    from tocsin.spark.slices import cuts_of

    random = Random(count)
    cuts = cuts_of(13_000_001, count)
    assert cuts is not None
    edges = [number * cuts.length + near for number in (-3, 0, 5, 2_400_000_000) for near in (-1, 0, 1, -cuts.overlap)]
    times = edges + [random.randrange(-(10**15), 10**17) for _ in range(200)]
    frame = spark.createDataFrame([(time,) for time in times], "us bigint")
    made = frame.select("us", cuts.shards(F.timestamp_micros("us"), 5).alias("shards")).collect()
    assert [{each - 5 for each in row["shards"]} for row in made] == [dealt(cuts, row["us"]) for row in made]
    assert all(len(row["shards"]) == len(set(row["shards"])) for row in made)
