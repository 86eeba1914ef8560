"""Cases in their runtimes: the conformance cases as test files, orders of arrival, and what is said of failures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conformance.cases import OPTIONS, all_cases
from tests.conformance.cases import Case as Conforming
from tests.conformance.runtimes import prepared_case
from tests.testing.building import case_of, file_of, outcome, outcomes
from tocsin.algebra.rules import Order
from tocsin.errors import Place
from tocsin.events import Event
from tocsin.testing.cases import Case, Expected
from tocsin.testing.differences import failure, hint
from tocsin.testing.runtimes import run_each
from tocsin.testing.verdicts import Asked, judge, judged, trials
from tocsin.time.spans import Period

CASES = [case for case in all_cases() if "python" not in case.fields]  # those are no texts
GEM = """\
rules: net.gem
"""
NET = """\
event down(string l)
event up(string l)
event lost(string l)
rule dead [10*min] { ({x:down ; z:(y:down + [2*min])} ! w:up) when (?z && x == y) || (?w && x.l == w.l) ==> notify lost(x.l) }
enable dead
"""


def as_test(case: Conforming, folder: Path) -> dict[str, Any]:
    """A conformance case as a case of a test file."""
    fields, made = case.fields, {"name": case.name, "given": case.fields.get("events", [])}
    if "script" in fields:
        (folder / "rules.gem").write_text(fields["script"], encoding="utf-8")
        made["rules"] = "rules.gem"
    elif "rules" in fields:
        made["rules"] = fields["rules"]
    else:
        rule = {"name": "rule", "language": fields["lang"], "expression": fields["expr"]}
        made["rules"] = [rule | ({"condition": fields["condition"]} if "condition" in fields else {})]
    if "error" in fields:  # the place is another one, in a file
        fields = fields | {"error": fields["error"].removeprefix("<expression>:1:1: ")}
    made |= {key: fields[key] for key in (*OPTIONS, "late", "expect", "error") if key in fields and key != "condition"}
    return made


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_conformance_cases_are_test_files_too(case: Conforming, tmp_path: Path) -> None:
    text = yaml.safe_dump({"cases": [as_test(case, tmp_path)]}, allow_unicode=True)
    (read,) = file_of(tmp_path, text).cases
    for each in outcomes(read):
        assert each.is_good, "\n".join(failure([each], 0))


@pytest.mark.parametrize("policy", ["delay", "guaranteed"])
def test_no_order_of_arrival_matters_to_an_order_that_waits(policy: str, tmp_path: Path) -> None:
    """What `within_delay` promises, on the conformance cases: the answer is that of the order of time."""
    tried = 0
    for case in CASES[::3]:
        if case.error is not None or any(rule.get("order") for rule in case.fields.get("rules", ())):
            continue
        session, style, arrivals = prepared_case(case, tmp_path, "local")
        events = sorted((each for each in arrivals if isinstance(each, Event)), key=lambda event: event.end)
        if len(events) < 2:
            continue
        delay = max(1_000_000, (events[-1].end - events[0].end) // 2)
        order = Order("delay", delay=Period.of(microseconds=delay)) if policy == "delay" else Order("guaranteed")
        given = tuple(replace(event, arrival=event.end) for event in events)
        options, place = replace(session.options, order=order), Place("made", 1, 1)
        made = Case(case.name, place, session.program, options, given, style, Expected(), delay=delay)
        (trial,) = trials(made, Asked(("local",), permutations=6))
        runs = list(run_each(trial.logs()))
        told = replace(made, expected=Expected(counts={None: len(runs[0].detections)}))
        each = judged(replace(trial, case=told), runs)
        assert each.is_good, "\n".join([case.name, *failure([each], 0)])
        tried += each.orders
    assert tried > 300


def test_the_same_in_every_order_within_the_delay(tmp_path: Path) -> None:
    (tmp_path / "net.gem").write_text(NET)
    case = case_of(
        tmp_path, "within_delay: 30\ngiven: |\n  0 down l=a\n  119 up l=a\n  200 down l=b\nexpect: [[3]]", GEM
    )
    for each in outcomes(case):
        assert each.is_good
        assert each.orders == 50


def test_an_order_that_changes_the_answer_is_found_and_made_small(tmp_path: Path) -> None:
    (tmp_path / "net.gem").write_text(NET)
    text = "within_delay: 30\norder: best-effort\ngiven: |\n  0 down l=z\n  5 up l=z\n  10 down l=a\n  119 up l=a\n  200 down l=y\nexpect: [[5]]"
    case = case_of(tmp_path, text, GEM)
    for each in outcomes(case):
        assert each.comparison.is_good
        assert each.misorder is not None
        (late,) = [event for event in each.misorder.arrivals if event.arrival > event.end]
        assert (late.id, late.arrival) == ("4", 130_000_000)  # just when the link would have been down for long
        assert [one.events for one in each.misorder.new] == [("3",)]
        assert not each.misorder.lost
        said = "\n".join(failure([each], 7))
        assert "seed 7, made as small as can be" in said
        assert "11s late" in said


def test_a_failing_case_is_shown_with_all_that_matters(tmp_path: Path) -> None:
    (tmp_path / "net.gem").write_text(NET)
    text = "given: |\n  d: 0 down s1 l=a\n  5 down l=b\n  6 up l=b\n  7 down l=c\nexpect:\n  - {rule: dead, events: [d], time: 121, data: {l: z}}\n  - {rule: dead, events: [2]}"
    case = case_of(tmp_path, text, GEM)
    said = failure(outcomes(case), 0)
    assert said == [
        "in replay, local:",
        "     rule  type  time   events  data",
        "  -  dead               2@5.0          missing",
        '  ~  dead  lost  120.0  d@0.0   l="a"  different',
        "         time    expected  121.0",
        "                 found     120.0",
        '         data.l  expected  "z"',
        '                 found     "a"',
        '  +  dead  lost  127.0  4@7.0   l="c"  unexpected',
        "given, in order of arrival:",
        '  0.0  d  down  s1  l="a"',
        '  5.0  2  down      l="b"',
        '  6.0  3  up        l="b"',
        '  7.0  4  down      l="c"',
    ]
    told = hint(case, outcomes(case), "e.jsonl")
    assert told is not None
    assert told.endswith("net.gem --events e.jsonl --rule dead --event 2")


def test_events_that_were_refused_are_told_of(tmp_path: Path) -> None:
    case = case_of(tmp_path, "order: guaranteed\ngiven:\n  - 5 a\n  - 1 b\nexpect: [[1, 2]]")
    assert "1 event refused: older than what their source had already reported" in "\n".join(
        failure([outcome(case)], 0)
    )


def test_only_some_rules_are_looked_at(tmp_path: Path) -> None:
    rules = "rules: [{name: p, language: eps, expression: a}, {name: q, language: eps, expression: b}]\n"
    assert outcome(case_of(tmp_path, "given: [1 a, 2 b]\nonly: q\nexpect: [[2]]", rules)).is_good
    assert not outcome(case_of(tmp_path, "given: [1 a, 2 b]\nexpect: [[2]]", rules)).is_good


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("given: []", "nothing is expected yet"),
        ("error: no such thing", "they were accepted"),
    ],
)
def test_troubles(tmp_path: Path, text: str, message: str) -> None:
    assert message in str(outcome(case_of(tmp_path, text)).trouble)


def test_rules_refused_for_another_reason(tmp_path: Path) -> None:
    rules = 'rules: [{name: r, language: eps, expression: "x:a", condition: "z.v > 1"}]\n'
    assert outcome(case_of(tmp_path, "error: variable 'z'", rules)).is_good
    assert "but not with 'window'" in str(outcome(case_of(tmp_path, "error: window", rules)).trouble)


def test_runtimes_of_the_case_unless_others_are_asked_for(tmp_path: Path) -> None:
    case = case_of(tmp_path, "given: []\nruntimes: local\nexpect: none")
    assert [trial.runtime for trial in trials(case, Asked())] == ["local"]
    assert [trial.runtime for trial in trials(case, Asked(("replay",)))] == ["replay"]
    assert judge(trials(case, Asked())[0]).is_good
