"""One SparkSession for all tests, with the connector to Kafka where that can be had; and real brokers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from tests.brokers.conftest import kafka, mosquitto, nats
from tocsin.bench.brokers.jars import connector_settings
from tocsin.bench.peers.jars import Unavailable

__all__ = ["kafka", "mosquitto", "nats", "spark"]


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17, which is not installed")
    from tocsin.spark.session import local_session

    connector = {}
    if tuple(map(int, pyspark.__version__.split(".")[:2])) >= (4, 2):  # what it is made for
        with suppress(Unavailable):
            connector = connector_settings()
    session = local_session(**{"spark.master": "local[2]", "spark.sql.shuffle.partitions": "2"}, **connector)
    yield session
    session.stop()
