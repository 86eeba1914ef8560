"""One SparkSession for all tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17, which is not installed")
    from tocsin.spark.session import local_session

    session = local_session(**{"spark.master": "local[2]", "spark.sql.shuffle.partitions": "2"})
    yield session
    session.stop()
