"""A backtest in this process: the counts are those of `tc.detect`, whatever the files look like."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import tocsin as tc
from tests.backtest.histories import made, rules, written
from tocsin.backtest.embedded import Embedded
from tocsin.backtest.findings import BOTH, NEW, OLD, Findings
from tocsin.backtest.histories import History, history_of, refuse_flat
from tocsin.backtest.spark_progress import Watching
from tocsin.backtest.words import definition_of
from tocsin.backtest.workflow import Asked, backtest
from tocsin.errors import UsageError
from tocsin.time.calendar import parse_instant
from tocsin.time.spans import DAY, HOUR


def run(path: Path, *where: str | Path, against: Path | None = None, **options: Any) -> Findings:
    """A backtest of a rules file in this process."""
    by = options.pop("by", None)
    history = history_of([str(each) for each in where], **options)
    return backtest(asked(path, against, by=by), history, "local")


def asked(path: Path, against: Path | None = None, **options: Any) -> Asked:
    old = None if against is None else tc.load(against)
    return Asked(tc.load(path), (path.name,), old, () if against is None else (against.name,), sample=200, **options)


def counts(findings: Findings) -> dict[str, int]:
    return {one.rule: one.count for one in findings.outcomes}


def test_the_counts_are_those_of_detect(tmp_path: Path) -> None:
    events = made()
    new, _ = rules(tmp_path)
    findings = run(new, written(tmp_path / "history", events))
    found = list(tc.detect(new, events, order="guaranteed"))
    assert Counter(counts(findings)) == Counter(one.rule for one in found)
    assert min(count for rule, count in counts(findings).items() if rule != "never") > 2
    for one in findings.outcomes:
        own = [each.time_us for each in found if each.rule == one.rule]
        assert one.by_day == Counter(time // DAY for time in own)
        assert one.by_hour == Counter(time % DAY // HOUR for time in own)
        assert (one.first, one.last) == (min(own, default=None), max(own, default=None))
        assert {each.detection.id for each in one.examples} <= {each.id for each in found if each.rule == one.rule}
        assert len(one.examples) == min(3, one.count)
    assert findings.silent == ("never",)


def test_the_history_is_counted(tmp_path: Path) -> None:
    events = made()
    new, _ = rules(tmp_path)
    census = run(new, written(tmp_path / "history", events)).census
    assert census.events == 400
    assert dict(census.types) == Counter(event["type"] for event in events)
    assert dict(census.sources) == Counter(event["source"] for event in events)
    assert (census.first, census.last) == (parse_instant(events[0]["time"]), parse_instant(events[-1]["time"]))
    assert sum(count for _, count in census.bad) == 2
    assert census.longest_delay is None


def test_keys_are_counted_and_events_found_again(tmp_path: Path) -> None:
    events = made()
    new, _ = rules(tmp_path)
    by_rule = {one.rule: one for one in run(new, written(tmp_path / "history", events)).outcomes}
    found = list(tc.detect(new, events, order="guaranteed"))
    for rule, name in (("pair", "x.host"), ("chosen", "host"), ("quiet", "x.host")):
        one = by_rule[rule]
        wanted = Counter(each.data[name] for each in found if each.rule == rule and name in each.data)
        assert one.key == "host"
        assert list(one.top) == sorted(wanted.items(), key=lambda each: (-each[1], each[0]))
        assert one.keys == len(wanted) > 1
        for example in one.examples:
            assert {event.id for event in example.events} == set(example.detection.events)
    assert by_rule["big"].key is None


def test_counted_by_an_attribute_where_there_is_no_key(tmp_path: Path) -> None:
    events = made()
    new, _ = rules(tmp_path)
    by_rule = {one.rule: one for one in run(new, written(tmp_path / "history", events), by="much").outcomes}
    found = [one for one in tc.detect(new, events, order="guaranteed") if one.rule == "big"]
    assert dict(by_rule["big"].top) == Counter(str(one.data["much"]) for one in found)
    assert by_rule["pair"].key == "host", "its own"


def test_two_versions(tmp_path: Path) -> None:
    events = made()
    new, old = rules(tmp_path)
    findings = run(new, written(tmp_path / "history", events), against=old)
    after, before = (
        Counter((one.rule, one.events) for one in tc.detect(each, events, order="guaranteed")) for each in (new, old)
    )
    sides = {BOTH: after & before, OLD: before - after, NEW: after - before}
    for each in findings.differences:
        for side, some in sides.items():
            assert each.counts[side] == sum(count for (rule, _), count in some.items() if rule == each.rule)
            assert len(each.examples[side]) == min(3, each.counts[side])
            assert all((each.rule, one.detection.events) in some for one in each.examples[side])
    changes = {each.rule: each.change for each in findings.differences}
    assert changes == {
        "pair": "changed",
        "quiet": "changed",
        "big": "changed",
        "chosen": "new",
        "tick": "new",
        "never": "new",
        "gone": "removed",
    }
    pair = next(each for each in findings.differences if each.rule == "pair")
    assert pair.counts[NEW] > 0
    assert pair.counts[OLD] == 0, "a longer window finds more"
    quiet = next(each for each in findings.differences if each.rule == "quiet")
    assert quiet.counts[BOTH] > 3 * quiet.counts[OLD], "told sooner, but the same"


def test_a_part_of_the_time(tmp_path: Path) -> None:
    events = made()
    new, _ = rules(tmp_path)
    since, until = events[100]["time"], events[300]["time"]
    findings = run(new, written(tmp_path / "history", events), since=parse_instant(since), until=parse_instant(until))
    found = tc.detect(new, events[100:300], order="guaranteed")
    assert findings.census.events == 200
    assert Counter(counts(findings)) == Counter(one.rule for one in found)


@pytest.mark.parametrize("shape", ["gz", "csv", "parquet", "flat", "renamed", "renamed csv", "renamed parquet"])
def test_any_format(shape: str, tmp_path: Path) -> None:
    events = made(150)
    new, _ = rules(tmp_path)
    wanted = counts(run(new, written(tmp_path / "history", events)))
    path, options = stored(tmp_path, events, shape)
    assert counts(run(new, path, **options)) == wanted
    assert sum(wanted.values()) > 30


def stored(folder: Path, events: list[dict[str, Any]], shape: str) -> tuple[Path, dict[str, Any]]:
    """The events in a file of another shape, and what has to be said about it."""
    flat = [{key: each[key] for key in ("id", "type", "source", "time")} | each["data"] for each in events]
    if shape == "gz":
        path = folder / "events.jsonl.gz"
        with gzip.open(path, "wt") as file:
            file.writelines(json.dumps(event) + "\n" for event in events)
        return path, {}
    if shape in ("flat", "renamed"):
        names = {"time": "event_time", "type": "kind"} if shape == "renamed" else {}
        turned = {field: names.get(field, field) for field in ("id", "type", "source", "time", "host", "load")}
        path = folder / "flat.json"
        path.write_text("".join(json.dumps({turned[key]: row[key] for key in row}) + "\n" for row in flat))
        kinds = ", ".join(f"{name} {'int' if name == 'load' else 'string'}" for name in turned.values())
        return path, {"schema": kinds, "columns": names}
    names = {"time": "at"} if "renamed" in shape else {}
    columns = ["id", "type", "source", "time", "host", "load"]
    if shape.endswith("csv"):
        path = folder / "events.csv"
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, columns)
            writer.writerow({name: names.get(name, name) for name in columns})
            writer.writerows(flat)
        return path, {"columns": names}
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from pyarrow import parquet

    path = folder / "events.parquet"
    table = pa.table({names.get(name, name): [row.get(name) for row in flat] for name in columns})
    parquet.write_table(table, path)
    return path, {"columns": names}


def test_events_without_ids_are_called_by_their_contents(tmp_path: Path) -> None:
    events = [{key: each[key] for key in each if key != "id"} for each in made(60)]
    new, _ = rules(tmp_path)
    findings = run(new, written(tmp_path / "history", [*events, events[5]]))
    found = tc.detect(new, events, order="guaranteed")
    assert Counter(counts(findings)) == Counter(one.rule for one in found)
    assert all(each.events for one in findings.outcomes for each in one.examples if each.detection.events)


def test_late_events_are_told(tmp_path: Path) -> None:
    events = [each | {"arrival": each["time"]} for each in made(20)]
    events[3]["arrival"] = events[9]["time"]
    new, _ = rules(tmp_path)
    census = run(new, written(tmp_path / "history", events)).census
    assert census.late == 1
    assert census.longest_delay == parse_instant(events[9]["time"]) - parse_instant(events[3]["time"])


def test_costs_are_measured_on_a_sample(tmp_path: Path) -> None:
    new, _ = rules(tmp_path)
    costs = run(new, written(tmp_path / "history", made())).costs
    assert costs is not None
    assert costs.sample == 200
    by_rule = {cost.rule: cost for cost in costs.rules}
    assert sorted(by_rule) == ["big", "chosen", "never", "pair", "quiet", "tick"]
    assert by_rule["never"].seen == 0
    assert 0 < (by_rule["big"].seen or 0) < 200
    assert all(cost.seconds >= 0 for cost in costs.rules)


def test_what_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").touch()
    (tmp_path / "b.csv").touch()
    (tmp_path / "empty").mkdir()
    for given, said in (
        (([str(tmp_path)], {}), "holds csv and jsonl: say which to read"),
        (([str(tmp_path / "empty")], {}), "no files whose extension"),
        (([str(tmp_path / "empty")], {"format": "csv"}), "no files of events"),
        (([str(tmp_path / "nowhere")], {}), "there is no"),
        (([str(tmp_path)], {"format": "jsnl"}), "did you mean 'jsonl'?"),
        (([str(tmp_path / "a.jsonl")], {"columns": {"tme": "x"}}), "--columns names 'tme'"),
        (([str(tmp_path / "a.jsonl")], {"since": 5, "until": 5}), "--from is not before --to"),
    ):
        with pytest.raises(UsageError) as error:
            history_of(given[0], **given[1])  # type: ignore[arg-type]
        assert said in str(error.value)


def test_the_columns_that_a_schema_names() -> None:
    schema = "`type` string, time timestamp, place struct<x: int, y: decimal(3,1)>, load: int"
    assert History((), (), "jsonl", schema).schema_columns == ("type", "time", "place", "load")


def test_progress_is_for_people(tmp_path: Path) -> None:
    """On a terminal each step has its line; elsewhere only what takes long is told, and nothing if so asked."""
    new, _ = rules(tmp_path)
    history = history_of([str(written(tmp_path / "history", made(50)))])
    for shown, lines in ((True, ["reading the history", "detecting", "measuring costs"]), (None, []), (False, [])):
        stream = io.StringIO()
        backtest(asked(new), history, "local", Watching(shown, stream))
        assert [line.rpartition("\033[K")[2].partition(":")[0] for line in stream.getvalue().split("\n")[:-1]] == lines


def test_attributes_beside_the_fields_are_not_lost(tmp_path: Path) -> None:
    (tmp_path / "flat.jsonl").write_text('{"type": "a", "time": 1, "host": "n1"}\n')
    history = history_of([str(tmp_path / "flat.jsonl")])
    with pytest.raises(UsageError, match="'host' stands beside the fields of an event: name the columns"):
        refuse_flat(history)
    (event,) = Embedded(history, None, Watching(False)).sample(9)
    assert event.data == {"host": "n1"}
    (tmp_path / "full.jsonl").write_text('{"type": "a", "time": 1, "data": {"host": "n1"}}\nbroken\n')
    refuse_flat(history_of([str(tmp_path / "full.jsonl")]))


def test_a_report_shows_what_rules_say_about_themselves() -> None:
    said = {"severity": "high", "tags": ["one"], "description": "what\nit is for", "references": ["http://e.org"]}
    rule = tc.rule("r", "x:a", suppress={"by": "x.ip", "for": "10 min"}, **said)
    assert definition_of(rule) == "# what it is for\nx:a\n  once per x.ip in 10m\n  high, one\n  http://e.org"
    assert definition_of(tc.rule("r", "x:a")) == "x:a"
