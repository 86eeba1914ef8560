"""`tocsin bench spark` on little: what SQL finds is what the rules find, in number and checksum."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("name", "scale"), [("W1-3M", 0.03), ("W3-3M", 0.001), ("W4-3M", 0.001), ("W5-3M", 0.005), ("hot", 0.005)]
)
def test_sql_finds_the_same(spark: Any, tmp_path: Path, name: str, scale: float) -> None:
    from tocsin.bench.spark.beside_sql import SQL_FIGURES
    from tocsin.bench.spark.figures import Measuring

    records = SQL_FIGURES[name](Measuring(tmp_path, scale=scale, tries=1))
    assert len(records) == 2
    for record in records:
        assert record.agrees
        assert record.matches > 5
        assert record.cpu_seconds > 0


def test_other_shapes_find_the_same(spark: Any, tmp_path: Path) -> None:
    from tocsin.bench.spark.beside_sql import SQL_FIGURES
    from tocsin.bench.spark.figures import Measuring

    records = SQL_FIGURES["cliffs"](Measuring(tmp_path, scale=0.001, tries=1))
    assert len(records) == 8
    assert all(record.agrees for record in records)


def test_streams_find_the_same_as_batch(spark: Any, tmp_path: Path) -> None:
    from tocsin.bench.spark.contenders import detection
    from tocsin.bench.spark.data import written
    from tocsin.bench.spark.figures import Measuring, ended
    from tocsin.bench.workloads import WORKLOADS

    measuring, rules = Measuring(tmp_path), WORKLOADS["W1"].rules
    path = written(tmp_path, "wide", 20_000, files=4, keys=100)
    found = measuring.streamed(ended(path), detection(rules, watermark="0 seconds"), 2)
    assert found == measuring.batch(path, detection(rules))
    assert found[0] > 100


def test_every_figure_can_be_asked_for() -> None:
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    from tocsin.bench.spark.beside_sql import SQL_FIGURES
    from tocsin.bench.spark.figures import FIGURES
    from tocsin.commands.bench import SPARK, SQL

    assert tuple(FIGURES) == SPARK
    assert tuple(SQL_FIGURES) == SQL


def test_every_live_figure_can_be_asked_for() -> None:
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    from tocsin.bench.brokers.rates import RATES
    from tocsin.bench.live import FIGURES
    from tocsin.commands.bench import LIVE

    assert (*FIGURES, *RATES) == LIVE


@pytest.mark.slow
def test_a_live_pipeline_finds_what_the_engine_finds(spark: Any, nats: Any, tmp_path: Path) -> None:
    from tocsin.bench.live import FIGURES, Live

    record = FIGURES["nats"](Live(tmp_path, 0.005, False))
    assert record.agrees
    assert record.matches > 50
