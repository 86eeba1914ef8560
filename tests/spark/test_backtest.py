"""A backtest on Spark finds what it finds embedded, from files of any shape, and shows how far it has got."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tocsin as tc
from tests.backtest.histories import made, rules, written
from tests.backtest.test_embedded import asked, counts, stored
from tocsin.backtest.findings import Findings
from tocsin.backtest.histories import history_of
from tocsin.backtest.spark_progress import Watching
from tocsin.backtest.workflow import backtest
from tocsin.cli import main
from tocsin.errors import UsageError
from tocsin.time.calendar import parse_instant

pytest.importorskip("pyspark", reason="a backtest on Spark needs pyspark")


@pytest.fixture(autouse=True)
def few_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small history in few parts: each is a task, which takes longer than its events."""
    from tocsin.backtest import on_spark

    monkeypatch.setattr(on_spark, "PARTS", 1)


def as_told(findings: Findings) -> Findings:
    """Findings without what may differ: the engine, the words for bad lines, events as objects, and times measured."""

    def plain(example: Any) -> Any:
        events = tuple(
            (each.type, each.end, each.start, each.id, each.source, dict(each.data)) for each in example.events
        )
        return example._replace(events=events)

    outcomes = tuple(replace(one, examples=tuple(map(plain, one.examples))) for one in findings.outcomes)
    differences = tuple(
        replace(each, examples={side: tuple(map(plain, some)) for side, some in each.examples.items()})
        for each in findings.differences
    )
    bad = (("bad", sum(count for _, count in findings.census.bad)),)
    costs = findings.costs and replace(
        findings.costs, rules=tuple(replace(cost, seconds=0.0) for cost in findings.costs.rules)
    )
    census = replace(findings.census, bad=bad)
    return replace(findings, engine="", census=census, outcomes=outcomes, differences=differences, costs=costs)


@pytest.mark.slow
def test_the_same_as_embedded(spark: Any, tmp_path: Path) -> None:
    """Two versions, mixed-up files with bad lines, keys, examples, the difference, and a part of the time."""
    events = made()
    new, old = rules(tmp_path)
    history = history_of([str(written(tmp_path / "history", events))])
    found = backtest(asked(new, old, by="much"), history, "spark")
    assert as_told(found) == as_told(backtest(asked(new, old, by="much"), history, "local"))
    assert Counter(counts(found)) == Counter(one.rule for one in tc.detect(new, events, order="guaranteed"))
    assert found.count > 100
    assert sum(count for _, count in found.census.bad) == 2
    assert not spark.sparkContext._jsc.getPersistentRDDs().size(), "nothing is left behind"


@pytest.mark.slow
def test_a_part_of_the_time_and_arrivals(spark: Any, tmp_path: Path) -> None:
    events = [each | {"arrival": each["time"]} for each in made(200)]
    events[120]["arrival"] = events[150]["time"]
    new, _ = rules(tmp_path)
    times = {"since": parse_instant(events[50]["time"]), "until": parse_instant(events[180]["time"])}
    history = history_of([str(written(tmp_path / "history", events))], **times)
    found = backtest(asked(new), history, "spark")
    assert as_told(found) == as_told(backtest(asked(new), history, "local"))
    assert (found.census.events, found.census.late) == (130, 1)


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["csv", "renamed parquet", "renamed"])
def test_any_format(shape: str, spark: Any, tmp_path: Path) -> None:
    events = made(150)
    new, _ = rules(tmp_path)
    path, options = stored(tmp_path, events, shape)
    found = backtest(replace(asked(new), sample=0), history_of([str(path)], **options), "spark")
    assert Counter(counts(found)) == Counter(one.rule for one in tc.detect(new, events, order="guaranteed"))
    assert all(example.events for one in found.outcomes for example in one.examples)


def test_seconds_intervals_and_events_without_ids(spark: Any, tmp_path: Path) -> None:
    lines = [
        '{"type": "a", "time": 12.5, "data": {"host": "n1", "load": 1}}',
        '{"type": "b", "time": [13, 14.25], "data": {"host": "n1", "load": 9}}',
        '{"type": "b", "time": [13, 14.25], "data": {"host": "n1", "load": 9}}',
        '{"type": "a", "time": "1970-01-01T00:00:20Z", "data": {"host": "n2", "load": "nine"}}',
        '{"type": "b", "time": "never", "data": {"host": "n2"}}',
    ]
    (tmp_path / "events.jsonl").write_text("\n".join(lines))
    new, _ = rules(tmp_path)
    history = history_of([str(tmp_path / "events.jsonl")])
    found = backtest(asked(new), history, "spark")
    local = backtest(asked(new), history, "local")
    assert counts(found) == counts(local)
    assert counts(found)["pair"] == counts(found)["big"] == 1, "what is repeated word by word counts once"
    (example,) = next(one.examples for one in found.outcomes if one.rule == "pair")
    assert [(each.start, each.end) for each in example.events] == [(12_500_000,) * 2, (13_000_000, 14_250_000)]
    assert dict(found.census.bad) == {"the event has no time that can be read": 1}


def test_progress_names_the_steps_and_the_tasks(spark: Any, tmp_path: Path) -> None:
    new, _ = rules(tmp_path)
    shown = io.StringIO()
    history = history_of([str(written(tmp_path / "history", made(100)))])
    backtest(asked(new), history, "spark", Watching(True, shown))
    text = shown.getvalue()
    for step in ("reading the history", "detecting", "counting detections", "measuring costs"):
        assert f"{step}: " in text
    assert " tasks, " in text


@pytest.mark.slow
def test_the_command(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new, old = rules(tmp_path)
    history = written(tmp_path / "history", made())
    given = [
        "backtest",
        str(new),
        "--against",
        str(old),
        "--history",
        str(history),
        "--report",
        str(tmp_path / "report"),
    ]
    assert main([*given, "--cost-sample", "0"]) == 0
    on_spark = capsys.readouterr().out
    assert main([*given, "--cost-sample", "0", "--engine", "local"]) == 0
    assert capsys.readouterr().out == on_spark
    assert (tmp_path / "report" / "report.html").is_file()


def test_what_cannot_be_read_is_said(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new, _ = rules(tmp_path)
    (tmp_path / "events.csv").write_text("kind,when\na,1\n")
    with pytest.raises(UsageError, match="--columns type="):
        backtest(asked(new), history_of([str(tmp_path / "events.csv")]), "spark")
    (tmp_path / "no.parquet").write_text("nothing of the kind")
    assert main(["backtest", str(new), "--history", str(tmp_path / "no.parquet"), "--quiet"]) == 1
    assert "Traceback" not in capsys.readouterr().err
