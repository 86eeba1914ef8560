"""`tocsin check`: every fault, every doubt, and what each rule costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

SOUND = """\
event a(long v)
event out(long v)
rule r [1*min] { x:a ; y:a ==> notify out(x.v) }
rule s { a + [5*sec] ==> notify out(1) }
enable *
"""


def test_sound_rules_and_what_they_cost(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "r.gem").write_text(SOUND)
    done = tocsin("check", "r.gem")
    assert (done.code, done.err) == (0, "")
    assert [line.split() for line in done.out.splitlines()] == [
        ["rule", "language", "context", "run", "partition", "events", "operators", "window", "state"],
        ["r", "gem", "generic", "-", "-", "2", "3", "1m", "bounded"],
        ["s", "gem", "generic", "-", "-", "1", "2", "-", "bounded"],
        ["2", "rules,", "no", "fault"],
    ]


def test_every_fault_is_shown_and_ends_with_1(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "r.gem").write_text("event a\nrule r { b ==> notify c }\nenable s\n")
    done = tocsin("check", "r.gem")
    assert (done.code, done.out) == (1, "")
    assert [line for line in done.err.splitlines() if line.startswith("r.gem:")] == [
        "r.gem:2:10: event 'b' is not declared",
        "r.gem:2:16: event 'c' is not declared",
        "r.gem:3:1: there is no rule 's' yet",
    ]


def test_doubts_are_shown_and_no_failure(tocsin: Run) -> None:
    done = tocsin("check", "-e", "x:a ; y:b", "--lang", "eps", "--condition", "x.v > 5 && x.v < 3")
    assert done.code == 0
    assert done.err.count("warning: ") == 2
    assert done.out.splitlines()[-1] == "1 rule, no fault, 2 warnings"
    assert "unbounded" in done.out


def test_a_window_and_a_context_from_the_command_line(tocsin: Run) -> None:
    done = tocsin("check", "-e", "a ; b", "--lang", "eps", "--window", "90 sec", "--context", "recent")
    assert done.err == ""
    assert done.out.splitlines()[1].split() == ["rule", "eps", "recent", "-", "-", "2", "3", "1m", "30s", "bounded"]


def test_run_context_and_partition_as_they_are(tocsin: Run, tmp_path: Path) -> None:
    rules = [
        {"name": "own", "language": "pretty", "expression": "a followed by b", "by": "user"},
        {"name": "other", "language": "sel", "expression": "x:a -> y:b if x.user == y.account"},
        {"name": "core", "language": "core", "expression": "[x:a];[a(user = x.user)]"},
        {"name": "again", "language": "core", "expression": "[x:a];[a(user = x.user)]", "run": "again"},
        {"name": "used", "language": "eps", "expression": "a & b", "context": "chronicle", "window": "5 min"},
    ]
    (tmp_path / "r.yaml").write_text(json.dumps({"rules": rules}))
    told = json.loads(tocsin("check", "r.yaml", "--json").out)["rules"]
    assert [(each["rule"], each["context"], each["run"], each["partition"]) for each in told] == [
        ("own", "unrestricted", None, "user"),
        ("other", "unrestricted", None, "a.user, b.account"),
        ("core", None, "every", "user"),
        ("again", None, "again", None),  # where one run ends, the next of any user begins
        ("used", "chronicle", None, None),
    ]


def test_a_rule_for_each_value(tocsin: Run) -> None:
    told = json.loads(tocsin("check", "-e", "[a] ; [b]", "--lang", "core", "--partition", "user, host", "--json").out)[
        "rules"
    ]
    assert [(one["run"], one["partition"]) for one in told] == [("every", "user, host")]
    assert "--partition names attributes" in tocsin("check", "-e", "a", "--lang", "eps", "--partition", "user,").err
    done = tocsin("check", "-e", "every[5*sec]", "--lang", "gem", "--partition", "user")
    assert "a time point is in no partition" in done.err


def test_no_rules_at_all(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "r.gem").write_text("")
    assert tocsin("check", "r.gem") == (0, "0 rules, no fault\n", "")


def test_json_for_tools(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "r.gem").write_text(SOUND)
    sound = json.loads(tocsin("check", "r.gem", "--json").out)
    assert (sound["ok"], sound["faults"], len(sound["rules"])) == (True, [], 2)
    assert sound["rules"][0] == {
        "rule": "r", "language": "gem", "context": "generic", "run": None, "partition": None,
        "events": 2, "operators": 3, "window": "1m", "bounded": True,
    }  # fmt: skip
    (tmp_path / "r.gem").write_text("event alarm\nrule r { alrm ==> notify alarm }\n")
    done = tocsin("check", "r.gem", "--json")
    assert (done.code, done.err) == (1, "")
    fault = {"file": "r.gem", "line": 2, "column": 10, "severity": "error", "message": "event 'alrm' is not declared"}
    assert json.loads(done.out) == {
        "ok": False,
        "faults": [{**fault, "expected": "", "hint": "did you mean 'alarm'?"}],
        "rules": [],
    }


def test_json_of_a_doubt(tocsin: Run) -> None:
    found = json.loads(tocsin("check", "-e", "a ; b", "--lang", "eps", "--json").out)
    assert found["ok"] is True
    assert [fault["severity"] for fault in found["faults"]] == ["warning"]


@pytest.mark.parametrize(
    "arguments", [(), ("-e", "a"), ("none.gem",), ("-e", "a", "--lang", "eps", "--window", "soon")]
)
def test_a_mistake_is_told_in_one_line(tocsin: Run, arguments: tuple[str, ...]) -> None:
    done = tocsin("check", *arguments)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("tocsin: ")
    assert done.err.count("\n") == 1


def test_the_readmes_mistake_is_shown_as_it_says(tocsin: Run) -> None:
    done = tocsin("check", "--lang", "gem", "-e", "{x:down ; y:up} ! w:alarm when z.link == y.link")
    assert done.err.splitlines()[:3] == [
        "<expression>:1:32: there is no event variable 'z' here",
        "  {x:down ; y:up} ! w:alarm when z.link == y.link",
        "                                 ^^^^^^",
    ]


def test_names_that_do_not_occur_in_a_sample(tocsin: Run, events: str) -> None:
    done = tocsin("check", "-e", "x:aa ; y:b", "--lang", "eps", "--condition", "y.m > 1", "--events", events)
    assert done.code == 0
    assert "warning: no event of type 'aa'; seen: a 2\n" in done.err
    assert "warning: no event of type 'b' has 'm'; seen: n\n" in done.err
    assert "1 rule, no fault, 3 warnings" in done.out
