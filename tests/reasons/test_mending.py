"""What `why` names is what is in the way: changed in the events, it is gone when it is asked again.

Over every conformance case that has a miss to tell of, in all languages, contexts and runs, and random examples.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conformance.cases import all_cases
from tests.conformance.runtimes import prepared_case
from tests.fuzz.engine import numbered
from tests.reasons.mending import MENDED, mended_log, same_candidate, standing, still_fails
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.checks import program_faults
from tocsin.algebra.rules import BEST_EFFORT
from tocsin.events import Arrival, Event
from tocsin.reasons.answers import Question, ask
from tocsin.reasons.records import Miss, Verdict
from tocsin.runtime.options import Options
from tocsin.session import Session

CASES = [case for case in all_cases() if case.error is None and not case.is_difference]
PARTS = 8
RANDOM = 100
"""Random examples of a kind."""


def asked_again(session: Session, log: list[Arrival], miss: Miss, verdict: Verdict) -> str:
    """What is said of a candidate once a failure of it is mended: nothing to be mended, told, still there, or gone."""
    mended = mended_log(log, miss, verdict)
    if mended is None:
        return "nothing to mend"
    names = tuple(dict.fromkeys(f"{event.source}/{event.id}" for event in standing(miss)))
    (answer,) = ask(session, mended, Question(rule=miss.rule, events=names, limit=30)).answers
    again = same_candidate(answer, miss)
    if again is None:
        return "not told"
    return "still there" if still_fails(again, verdict) else "gone"


def mend_all(session: Session, log: list[Arrival], counts: Counter[str]) -> list[str]:
    """Everything that the nearest misses of all rules fail, mended one at a time; what is then still there."""
    wrong = []
    for rule in session.program.rules:
        if rule.hidden or rule.actions:
            continue
        (answer,) = ask(session, log, Question(rule=rule.name, limit=2)).answers
        for miss in answer.misses:
            for verdict in miss.failed:
                if verdict.kind in MENDED:
                    found = asked_again(session, log, miss, verdict)
                    counts[found] += 1
                    if found == "still there":
                        wrong.append(f"{rule.name} {miss.events}: {verdict.kind}: {verdict.text}")
    return wrong


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_named_is_in_the_way(part: int, tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for case in CASES[part::PARTS]:
        session, _, events = prepared_case(case, tmp_path, "local")
        wrong += [f"{case.name}: {each}" for each in mend_all(session, list(events), counts)]
    assert wrong == []
    assert counts["gone"] > counts["not told"]


@pytest.mark.parametrize("of", ["searched", "automata"])
def test_what_is_named_is_in_the_way_of_random_rules(of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 3)
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for number in range(RANDOM):
        made = numbered(11, number, of)
        if made.order != BEST_EFFORT or made.granularity is not None or program_faults(made.program):
            continue  # what an order lets go, and when, changes with the events
        session = Session(made.program, Options(until=made.until, ignore_late=made.ignore_late))
        log = [replace(each, arrival=max(each.arrival, each.end)) for each in made.log if isinstance(each, Event)]
        wrong += [f"{number}: {each}" for each in mend_all(session, log, counts)]
    assert wrong == []
    assert counts["gone"] > 10
