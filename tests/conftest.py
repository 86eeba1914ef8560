"""What all tests share: how Hypothesis runs, and which tests run in one process.

No test may fail because the machine is busy, so neither deadlines nor the speed of making examples count; where
CI is set the examples are the same in every run.
"""

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

from tests.amounts import examples
from tests.spark.java import QUICK

settings.register_profile(
    "tocsin",
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.register_profile("tocsin-ci", settings.get_profile("tocsin"), derandomize=True, database=None)
settings.load_profile("tocsin-ci" if os.environ.get("CI") else "tocsin")

os.environ.setdefault("SPARK_SUBMIT_OPTS", QUICK)

SHARED = frozenset({"nats", "mosquitto", "kafka", "postgresql"})
"""Fixtures that are started once for all tests: those that use them run in one process, wherever there are several."""
TOGETHER = ("tests/spark/", "tests/demo/")
"""Tests with drivers of their own: two of them at a time would be in each other's way."""


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist puts the group into the name of a test
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts what shares the one session of Spark into a group, and what shares brokers or a database, or has drivers of
    its own, into another (`--dist loadgroup`)."""
    for item in items:
        uses = set(getattr(item, "fixturenames", ()))
        if "spark" in uses:
            item.add_marker(pytest.mark.xdist_group("spark"))
        elif SHARED & uses or item.nodeid.startswith(TOGETHER):
            item.add_marker(pytest.mark.xdist_group("servers"))


def pytest_collection_finish() -> None:
    """Eleven thousand tests stay until the end: collections need not go through them."""
    gc.collect()
    gc.freeze()
