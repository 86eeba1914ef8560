"""Every conformance case on Spark, batch and streaming: all of them in one job each."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.cases import Case, all_cases, mismatch
from tests.conformance.runtimes import prepared_case
from tests.spark.portfolio import WITH_SHARD, Log, apart, can_be_told, number_of, together
from tocsin.algebra.replay import Notes
from tocsin.formats import TimeStyle, detection_line

pytestmark = pytest.mark.filterwarnings("ignore")

LEAST = 450
"""How many cases there are at least that can be run together."""


@cache
def logs(folder: Path) -> tuple[tuple[Case, Log], ...]:
    found = []
    for number, case in enumerate(all_cases()):
        if case.error is None and not case.is_difference:
            own = folder / str(number)
            own.mkdir()
            session, style, events = prepared_case(case, own, "spark")
            arrivals = list(events)
            found.append((case, Log(session, arrivals, style.seconds)))
    return tuple(found)


@pytest.mark.timeout(900)  # five hundred cases, and a dozen that need a job of their own
@pytest.mark.parametrize("way", ["batch", "streaming"])
def test_every_case(spark: Any, tmp_path_factory: pytest.TempPathFactory, way: str) -> None:
    from tocsin.spark import logs as running
    from tocsin.spark.batch import detected

    folder = tmp_path_factory.mktemp("cases")
    able = logs(folder)
    given = [(case, log) for case, log in able if _is_told(case, log)]
    assert len(given) >= LEAST
    rows, routes = together([log for _, log in given])
    if way == "batch":
        found = running.collected(detected(spark.createDataFrame(rows, WITH_SHARD), routes))
    else:
        found = running.streamed(spark, rows, _with_shard, routes, pieces=3, columns=WITH_SHARD)
    told = [detection_record(row, given) for row in found]
    wrong = {}
    for (case, log), some in zip(given, apart(told, len(given)), strict=True):
        heard = {rule.name for rule in log.session.program.rules}
        why = mismatch(case, [one for one in some if one["rule"] in heard])
        if why is not None:
            wrong[case.name] = why
    for case, log in able:
        if not _is_told(case, log):
            why = mismatch(case, _alone(log, way))
            if why is not None:
                wrong[case.name] = why
    assert not wrong


def _is_told(case: Case, log: Log) -> bool:
    return can_be_told(log) and all(each.get("events", True) for each in case.expected)


def _with_shard(events: Any) -> Any:
    """All rows but the last, which only ends the stream; see `routed` for why it is said like this."""
    from pyspark.sql import functions as F

    has_shard = F.when(F.col("time").isNotNull(), F.col("shard").isNotNull()).otherwise(F.lit(False))
    return events.frame.filter(has_shard)


def _alone(log: Log, way: str) -> list[dict[str, Any]]:
    from tocsin.spark.logs import detections_of_log

    style, streaming = TimeStyle(log.seconds), way == "streaming"
    found = detections_of_log(log.session, log.arrivals, streaming=streaming, seconds=log.seconds, notes=Notes())
    return [json.loads(detection_line(one, style)) for one in found]


def detection_record(row: Any, given: list[tuple[Case, Log]]) -> dict[str, Any]:
    """A row as the command line writes it."""
    from tocsin.spark.logs import detection_of_row

    number = number_of(row["events"])
    seconds = True if number is None else given[number][1].seconds
    record: dict[str, Any] = json.loads(detection_line(detection_of_row(row), TimeStyle(seconds)))
    return record
