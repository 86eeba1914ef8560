"""Every case in which nothing is late detects the same where late events would amend."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from tests.conformance.cases import all_cases
from tests.conformance.runtimes import prepared_case
from tocsin.errors import TocsinError
from tocsin.events import Event
from tocsin.session import Session

AMEND = 10**12


def test_nothing_late_nothing_amended(tmp_path: Path) -> None:
    compared = 0
    for case in all_cases():
        try:
            session, _, events = prepared_case(case, tmp_path, "local")
            log = list(events)
            amending = Session(session.program, replace(session.options, amend=AMEND))
        except TocsinError:
            continue  # it is about what is refused, or about another order
        timely = all(isinstance(each, Event) and each.arrival == each.end for each in log)
        if timely and all(one.arrival <= other.arrival for one, other in pairwise(log)):
            should = sorted(map(repr, session.detections(log)))
            assert sorted(map(repr, amending.detections(log))) == should, case.name
            compared += 1
    assert compared > 100
