"""`tocsin backtest`: what it says, what it writes, and what it refuses, without Spark."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.backtest.histories import made, rules, written
from tests.cli.conftest import Run

LOCAL = ("--engine", "local", "--history", "history")


@pytest.fixture
def tocsin_there(tocsin: Run, tmp_path: Path) -> Run:
    """The command, where there are rules and a history."""
    rules(tmp_path)
    written(tmp_path / "history", made(150))
    return tocsin


def test_a_summary(tocsin_there: Run) -> None:
    done = tocsin_there("backtest", "new.yaml", *LOCAL, "--against", "old.yaml", "--report", "out", "--title", "Hosts")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "150 events from 2026-11-15 18:00:01 to 2026-11-16 08:21:04"
    assert lines[1] == "2 lines could not be read as events"
    assert "pair    9           2026-11-15 (5)   host <n3> (7)" in lines
    assert "big     changed     16    8         0" in lines
    assert "open out/report.html" in done.err
    page = Path("out/report.html").read_text(encoding="utf-8")
    assert '<h1 id="part0">Hosts</h1>' in page
    assert "Cost per rule" in page


def test_json(tocsin_there: Run) -> None:
    given = ("backtest", "new.yaml", *LOCAL, "--json", "--cost-sample", "0", "--examples", "1", "--top", "1")
    done = tocsin_there(*given)
    told = json.loads(done.out)
    assert told["events"]["count"] == 150
    assert told["detections"]["pair"]["count"] == 9
    assert told["detections"]["pair"]["days"] == {"2026-11-15": 5, "2026-11-16": 4}
    assert told["detections"]["pair"]["top"] == {"<n3>": 7}
    assert len(told["detections"]["pair"]["examples"]) == 1
    assert told["never_fired"] == ["never"]
    assert told["costs"] is None
    assert tocsin_there(*given).out == done.out


def test_one_rule_on_the_command_line(tocsin_there: Run) -> None:
    done = tocsin_there(
        "backtest", "-e", "x:a ; y:b", "--lang", "eps", "--window", "1 min", *LOCAL, "--from", "2026-11-16"
    )
    assert done.code == 0
    assert done.out.startswith("99 events from 2026-11-16 00:")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--history", "nowhere"), "there is no nowhere"),
        (("--history", "history", "--columns", "time"), "say which column is which field"),
        (("--history", "history", "--examples", "-1"), "--examples is a count"),
        (("--history", "history", "--from", "2027-01-01", "--to", "2026-01-01"), "--from is not before --to"),
        (("--history", "history", "--from", "soon"), "'soon' is not a time"),
        (("--history", "history", "--report", "new.yaml"), "new.yaml is a file"),
        (("--history", "history", "--report", "history"), "holds other things"),
        (("--history", "history", "--against", "new.jsonl"), "new.jsonl"),
        (("--history", "history", "--order", "sometimes"), "'sometimes' is not an order"),
    ],
)
def test_what_is_refused(options: tuple[str, ...], said: str, tocsin_there: Run) -> None:
    done = tocsin_there("backtest", "new.yaml", "--engine", "local", *options)
    assert done.code == 1
    assert said in done.err


def test_a_declared_event_that_is_not_as_declared_is_counted(tocsin: Run) -> None:
    Path("rules.gem").write_text("event a(long n)\nevent big(long n)\nrule r { x:a ==> notify big(x.n) }\nenable r\n")
    Path("events.jsonl").write_text('{"type":"a","time":1,"data":{"n":1}}\n{"type":"a","time":2,"data":{}}\n')
    done = tocsin("backtest", "rules.gem", "--engine", "local", "--history", "events.jsonl", "--json")
    told = json.loads(done.out)
    assert told["detections"]["r"]["count"] == 1
    assert told["events"]["refused"] == {"event 'a' has no attribute 'n', which is declared as long": 1}


def test_without_spark_it_says_what_to_do(tocsin_there: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    done = tocsin_there("backtest", "new.yaml", "--history", "history")
    assert done.code == 1
    assert "pyspark" in done.err
    assert "--engine local" in done.err
