"""Every conformance case on Spark, batch and streaming: nearly all of them in one job each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.cases import all_cases, mismatch
from tests.conformance.runtimes import prepared_case
from tocsin.formats import TimeStyle, detection_line

pytestmark = pytest.mark.filterwarnings("ignore")

LEAST = 450
"""How many cases there are at least that can be run together."""


@pytest.mark.timeout(900)  # five hundred cases, and some that need a job of their own
@pytest.mark.parametrize("way", ["batch", "streaming"])
def test_every_case(spark: Any, tmp_path: Path, way: str) -> None:
    from tocsin.spark.portfolio import Log, detections_of_logs

    given = []
    for number, case in enumerate(all_cases()):
        if case.error is None and not case.is_difference:
            own = tmp_path / str(number)
            own.mkdir()
            session, style, events = prepared_case(case, own, "spark")
            arrivals = list(events)
            given.append((case, Log(session, arrivals, style.seconds, with_ids=_asks_for_ids(case.expected))))
    assert sum(log.can_be_told for _, log in given) >= LEAST
    found = detections_of_logs([log for _, log in given], streaming=way == "streaming")
    wrong = {}
    for (case, log), (some, _) in zip(given, found, strict=True):
        style = TimeStyle(log.seconds)
        why = mismatch(case, [json.loads(detection_line(one, style)) for one in some])
        if why is not None:
            wrong[case.name] = why
    assert not wrong


def _asks_for_ids(expected: list[dict[str, Any]]) -> bool:
    return any("id" in each for each in expected)
