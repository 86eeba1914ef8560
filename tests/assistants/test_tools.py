"""What the tools of an assistant give and refuse, without a protocol around them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tocsin.assistants.tools.cases import judged_cases
from tocsin.assistants.tools.rules import VIEWS, check, explain, translate
from tocsin.assistants.tools.runs import backtest, why
from tocsin.errors import TextError, UsageError

RULES = """\
rules:
  - name: outage
    language: gem
    expression: "{x:down ; y:alarm} ! (u:up when u.state == 'ok')"
    condition: x.link == y.link
    window: 10 sec
"""
GIVEN = {"text": RULES}
EVENTS = [
    {"id": "1", "type": "down", "time": 0, "data": {"link": 7}},
    {"id": "2", "type": "down", "time": 4, "data": {"link": 9}},
    {"id": "3", "type": "alarm", "time": 9, "data": {"link": 7}},
    {"id": "4", "type": "alarm", "time": 52, "data": {"link": 9}},
]
LINES = "".join(json.dumps(each) + "\n" for each in EVENTS)


# -- rules -------------------------------------------------------------------------------------------------------


def test_check_says_what_a_rule_means_and_costs() -> None:
    found = check(GIVEN)
    assert (found["ok"], found["faults"]) == (True, [])
    (rule,) = found["rules"]
    assert rule["meaning"].startswith("down (x), and then, ending later, alarm (y), with no (up (u) where")
    assert rule["meaning"].endswith("; only where x.link == y.link; no event older than 10s")
    assert (rule["language"], rule["window"], rule["bounded"]) == ("gem", "10s", True)


def test_check_tells_every_fault_with_its_place() -> None:
    wrong = RULES + "  - name: second\n    language: sel\n    expression: a -> -> b\n  - {name: third}\n"
    found = check({"text": wrong})
    assert not found["ok"]
    places = [(each["line"], each["column"], each["end"], each["message"]) for each in found["faults"]]
    assert places == [(9, 22, 24, "unexpected '->'"), (10, 5, 6, "this rule has no 'language'")]
    assert found["faults"][0]["expected"] == "an event"


def test_check_has_doubts_too() -> None:
    found = check({"expression": "a ; b", "language": "eps"})
    assert found["ok"]
    assert [(each["severity"], each["hint"]) for each in found["faults"]] == [("warning", "give it a window")]
    assert check({"expression": "a ; b", "language": "eps", "options": {"window": "5 min"}})["faults"] == []


@pytest.mark.parametrize("view", VIEWS)
def test_explain_shows_each_view(view: str) -> None:
    rules = {"expression": "([B], [P in {P, T1}]){T1 = 1 h}", "language": "core"} if view == "automaton" else GIVEN
    found = explain(rules, view)
    assert found["title"]
    assert len(found["text"].splitlines()) > 2
    assert all(found["meanings"].values())


def test_explain_knows_no_other_view() -> None:
    with pytest.raises(UsageError, match="there is no view 'x': views are graph, plan, automaton or shards"):
        explain(GIVEN, "x")


def test_translate_is_exact_or_says_why_not() -> None:
    exact = translate({"expression": "{a ; b} ! c", "language": "gem"}, "sel")
    assert exact["exact"]
    assert "a -> !c -> b" in exact["text"]
    refused = translate({"expression": "a * b", "language": "global"}, "sel")
    assert (refused["exact"], refused["text"]) == (False, "")
    (fault,) = refused["refused"]
    assert fault["message"].startswith("SEL has no way to write accumulation")
    near = translate({"expression": "a * b", "language": "global"}, "sel", nearest=True)
    assert not near["exact"]
    assert "expression: a -> b" in near["text"]
    assert near["remarks"]
    with pytest.raises(TextError, match="expected an event"):
        translate({"expression": "a ;", "language": "gem"}, "sel")


# -- runs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("events", [EVENTS, LINES])
def test_why_tells_firings_and_misses(events: object) -> None:
    found = why(GIVEN, events, rule="outage")
    (rule,) = found["rules"]
    assert rule["detections"] == 1
    (fired,) = rule["fired"]
    assert [each["event"]["id"] for each in fired["constituents"]] == ["1", "3"]
    assert [each["kind"] for each in rule["misses"][0]["failed"]] == ["window"]
    assert "FAILED  window" in found["text"]


def test_backtest_counts_and_compares() -> None:
    found = backtest(GIVEN, EVENTS)
    assert found["events"]["count"] == 4
    assert found["detections"]["outage"]["count"] == 1
    wider = {"text": RULES.replace("10 sec", "60 sec")}
    compared = backtest(wider, LINES, against=GIVEN)
    assert compared["detections"]["outage"]["count"] == 2
    difference = compared["differences"]["outage"]
    assert (difference["definition"], difference["both"], difference["only new"]) == ("changed", 1, 1)


def test_backtest_keeps_to_a_stretch_of_time() -> None:
    assert backtest(GIVEN, EVENTS, since="1970-01-01T00:00:02Z")["events"]["count"] == 3
    assert backtest(GIVEN, EVENTS, until="1970-01-01T00:00:02Z")["events"]["count"] == 1


@pytest.mark.parametrize("tool", [why, backtest])
def test_events_are_given_once(tool: Any) -> None:
    for given in ({}, {"events": EVENTS, "events_files": ["x.jsonl"]}):
        with pytest.raises(UsageError, match="give events, or files of events: one of the two"):
            tool(GIVEN, **given)
    with pytest.raises(UsageError, match="events are a list of objects, or a text"):
        tool(GIVEN, events={"type": "a"})


# -- cases -------------------------------------------------------------------------------------------------------

CASES = """\
cases:
  - name: an alarm after the link went down
    given: |
      0 down link=7
      9 alarm link=7
    expect: [[1, 2]]
  - name: too late
    given: ["0 down link=7", "19 alarm link=7"]
    expect: none
"""


def test_cases_pass_or_tell_what_differs() -> None:
    good = judged_cases(GIVEN, CASES)
    assert good["passed"]
    assert [each["passed"] for each in good["cases"]] == [True, True]
    bad = judged_cases(GIVEN, CASES.replace("expect: none", "expect: 1"))
    assert not bad["passed"]
    assert [each["passed"] for each in bad["cases"]] == [True, False]
    assert "  detections: expected 1, found none" in bad["cases"][1]["differences"]


def test_cases_may_hold_their_rules() -> None:
    assert judged_cases({}, RULES + CASES)["passed"]
    with pytest.raises(TextError, match="no rules are given"):
        judged_cases({}, CASES)


def test_cases_try_orders_of_arrival() -> None:
    found = judged_cases({}, RULES + CASES.replace("expect: [[1, 2]]", "within_delay: 5 s\n    expect: [[1, 2]]"))
    assert found["cases"][0]["orders"] > 1


@pytest.mark.parametrize(
    ("cases", "column"),
    [
        ("rules: rules.yaml\ncases: [{name: x, given: '1 a', expect: 1}]\n", 8),
        ("rules: [rules.yaml]\ncases: [{name: x, given: '1 a', expect: 1}]\n", 8),
        ("rules: /etc/passwd\ncases: [{name: x, given: '1 a', expect: 1}]\n", 8),
    ],
)
def test_cases_name_no_file_of_rules(cases: str, column: int) -> None:
    with pytest.raises(TextError, match="no file is read for a case") as error:
        judged_cases({}, cases)
    place = error.value.faults[0].place
    assert place is not None
    assert (place.line, place.column) == (1, column)


@pytest.mark.parametrize("given", ["events.jsonl", "/etc/hosts.csv", "../x.parquet", "x.jsonl.gz"])
def test_cases_name_no_file_of_events(given: str) -> None:
    with pytest.raises(TextError, match=r"no file is read for a case|TIME TYPE"):
        judged_cases(GIVEN, f"cases: [{{name: x, given: {given}, expect: 1}}]\n")


# -- files -------------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(tmp_path: Path) -> Path:
    folder = tmp_path / "opened"
    folder.mkdir()
    (folder / "rules.yaml").write_text(RULES)
    (folder / "events.jsonl").write_text(LINES)
    (tmp_path / "secret.yaml").write_text(RULES)
    (tmp_path / "secret.jsonl").write_text(LINES)
    (folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (folder / "loop.yaml").symlink_to(folder / "loop.yaml")
    return folder


def test_files_in_a_folder_that_is_opened_are_read(opened: Path) -> None:
    given = {"files": ["rules.yaml"], "folders": [str(opened)]}
    assert check(given)["ok"]
    assert why(given, events_files=["events.jsonl"])["rules"][0]["detections"] == 1
    assert backtest(given, events_files=[str(opened / "events.jsonl")])["detections"]["outage"]["count"] == 1


@pytest.mark.parametrize(
    "name", ["../secret.yaml", "link.yaml", "/etc/passwd", "loop.yaml", "x\0y", "~/x.yaml", "", "."]
)
def test_other_files_are_not(opened: Path, name: str) -> None:
    with pytest.raises(UsageError, match=r"is not read|is not a file name|there is no file"):
        check({"files": [name], "folders": [str(opened)]})
    with pytest.raises(UsageError, match=r"is not read|is not a file name|there is no file"):
        why(GIVEN | {"folders": [str(opened)]}, events_files=[name])
    with pytest.raises(UsageError, match=r"is not read|is not a file name|there is no file"):
        backtest(GIVEN | {"folders": [str(opened)]}, events_files=[name])


def test_without_a_folder_no_file_is_read(opened: Path) -> None:
    with pytest.raises(UsageError, match=r"no folder is opened to assistants \(tocsin mcp --folder DIR\)"):
        check({"files": [str(opened / "rules.yaml")]})


@pytest.mark.parametrize("kind", ["gem", "eps", "yaml"])
def test_a_text_loads_no_file(opened: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(opened)
    found = check({"text": 'load "rules.yaml"\n', "kind": kind, "folders": [str(opened)]})
    assert not found["ok"]
    if kind == "gem":
        (fault,) = found["faults"]
        assert (fault["message"], fault["line"], fault["column"]) == ("no other file is loaded here", 1, 1)


def test_a_file_loads_no_other(opened: Path) -> None:
    (opened / "a.gem").write_text('event a\nload "rules.yaml"\n')
    (fault,) = check({"files": ["a.gem"], "folders": [str(opened)]})["faults"]
    assert (fault["message"], fault["line"]) == ("no other file is loaded here", 2)


@pytest.mark.parametrize("given", [{}, {"expression": "a"}, {"files": []}])
def test_rules_must_be_given(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"no rules are given|an expression needs its language"):
        check(given)
