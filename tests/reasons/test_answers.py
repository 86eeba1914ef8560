"""What is told of each kind of failure, in words that name the event, the value, the time or the firing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import tocsin as tc
from tests.docs.running import records, written
from tocsin.cli import main
from tocsin.errors import UsageError

Rows = list[list[Any]]
OUTAGE = tc.rule("outage", "{x:down ; y:alarm} ! up", language="gem", window="10 s", condition="x.link == y.link")


def failed(rule: Any, rows: Rows, **options: Any) -> Any:
    return tc.why(rule, records(rows), **options)[rule.name].misses[0].failed


def test_a_guard_with_its_values() -> None:
    (one,) = failed(OUTAGE, [["1", "down", 1, {"link": 7}], ["2", "alarm", 2, {"link": 8}]])
    assert (one.kind, one.text, dict(one.values)) == ("guard", "x.link == y.link", {"x.link": 7, "y.link": 8})


def test_an_absence_with_the_event_that_broke_it() -> None:
    (one,) = failed(OUTAGE, [["1", "down", 1, {"link": 7}], ["2", "up", 2], ["3", "alarm", 3, {"link": 7}]])
    assert (one.kind, [event.id for event in one.events]) == ("absence", ["2"])


def test_a_window_by_how_much() -> None:
    (one,) = failed(OUTAGE, [["1", "down", 1, {"link": 7}], ["2", "alarm", 13, {"link": 7}]])
    assert (one.kind, one.by, [event.id for event in one.events]) == ("window", 2_000_000, ["1"])


def test_an_order_and_the_late_event() -> None:
    rows: Rows = [["1", "down", 5, {"link": 7}], ["2", "alarm", 3, {"link": 7}, {"arrival": 6}]]
    (one,) = failed(OUTAGE, rows)
    assert (one.kind, one.by) == ("order", 2_000_000)
    assert "2 arrived after 1" in one.note


def test_consumption_by_which_firing() -> None:
    rule = tc.rule("pair", "x:a ; y:b")
    rows: Rows = [["1", "a", 1], ["2", "b", 2], ["3", "b", 3]]
    told = tc.why(rule, records(rows), rule="pair", event=["1", "3"])["pair"]
    (one,) = told.misses[0].failed
    (detection,) = tc.detect(rule, records(rows))
    assert (one.kind, one.firing, [event.id for event in one.events]) == ("consumption", detection.id, ["1"])


@pytest.mark.parametrize(
    ("context", "asked", "note"),
    [
        ("chronicle", ["1", "4"], "combined with 3"),
        ("recent", ["1", "3"], "replaced by the newer 2"),
    ],
)
def test_consumption_at_a_node(context: str, asked: list[str], note: str) -> None:
    rule = tc.rule("pair", "x:a ; y:b", context=context)
    rows: Rows = [["1", "a", 1], ["2", "a", 2], ["3", "b", 3], ["4", "b", 4]]
    (one,) = tc.why(rule, records(rows), event=asked)["pair"].misses[0].failed
    assert (one.kind, one.note) == ("consumption", note)


def test_what_never_came_is_further_than_what_came_and_does_not_fit() -> None:
    rule = tc.rule("pair", "x:a ; y:b", condition="x.k == y.k")
    nothing = failed(rule, [["1", "a", 1, {"k": 1}]])
    assert [one.kind for one in nothing] == ["missing", "order", "guard"]
    assert "no b came" in nothing[0].note
    assert len(failed(rule, [["1", "a", 1, {"k": 1}], ["2", "b", 2, {"k": 2}]])) == 1


def test_a_refused_event() -> None:
    rule = tc.rule("pair", "x:a ; y:b", context="unrestricted")
    rows: Rows = [["0", "c", 5], ["1", "a", 1, {}, {"arrival": 6}], ["2", "b", 7]]
    (one,) = failed(rule, rows, late="ignore")
    assert (one.kind, [event.id for event in one.events]) == ("late", ["1"])


def test_a_late_event_that_would_have_changed_the_answer() -> None:
    rows: Rows = [
        ["1", "down", 1, {"link": 7}], ["2", "alarm", 3, {"link": 7}], ["3", "up", 2, {}, {"arrival": 4}]
    ]  # fmt: skip
    (fired,) = tc.why(OUTAGE, records(rows), rule="outage")["outage"].fired
    assert [[event.id for event in late.events] for late in fired.late] == [["3"]]


def test_a_moment_that_has_not_come() -> None:
    rule = tc.rule("later", "a + [10*sec]", language="gem")
    (one,) = failed(rule, [["1", "a", 1]], until="5")
    assert (one.kind, one.by) == ("clock", 6_000_000)


SCRIPT = """\
event a()
event b()
event on()
event off()
rule switch {
  on
  ==> enable pair
}
rule stop {
  off
  ==> disable pair
}
rule pair {
  x:a ; y:b
  ==> notify a()
}
enable switch
enable stop
"""


def test_a_rule_that_was_disabled(tmp_path: Path) -> None:
    path = written(tmp_path, SCRIPT)
    rows: Rows = [["1", "a", 1], ["2", "on", 2], ["3", "b", 3], ["4", "off", 4], ["5", "a", 5], ["6", "b", 6]]
    told = tc.why(path, records(rows), rule="pair", event=["1", "3"])["pair"]
    (one,) = told.misses[0].failed
    assert (one.kind, [event.id for event in one.events]) == ("enabled", ["1"])
    assert any("disabled when off 4 came, by rule 'stop'" in remark for remark in told.remarks)


def test_all_languages_are_answered() -> None:
    rows: Rows = [["1", "a", 1, {"k": 1}], ["2", "b", 2, {"k": 1}], ["3", "a", 3, {"k": 2}]]
    texts = {
        "gem": "x:a ; y:b", "sel": "x:a -> y:b in 5 seconds", "eps": "x:a ; y:b", "core": "[a];[b]", "global": "a ; b",
        "pretty": "a followed by b",
    }  # fmt: skip
    for language, text in texts.items():
        rule = tc.rule("r", text, language=language)
        (answer,) = tc.why(rule, records(rows), rule="r")
        found = tc.detect(rule, records(rows))
        assert [one.events for one in answer.fired] == [one.events for one in found], language
        assert answer.misses, language


# -- the command -------------------------------------------------------------------------------------------------------


@pytest.fixture
def events(tmp_path: Path) -> Path:
    rows: Rows = [
        ["1", "down", 0, {"link": 7}, {"source": "p"}],
        ["2", "alarm", 5, {"link": 7}, {"source": "desk"}],
        ["3", "down", 20, {"link": 7}, {"source": "p"}],
        ["4", "up", 22, {"link": 7}, {"source": "p"}],
        ["5", "alarm", 24, {"link": 7}, {"source": "desk"}],
    ]
    path = tmp_path / "events.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in records(rows)), encoding="utf-8")
    return path


ASKED = ["-e", "{x:down ; y:alarm} ! up", "--lang", "gem", "--condition", "x.link == y.link", "--window", "10 s"]


def why(events: Path, *words: str) -> list[str]:
    return ["why", *ASKED, "--events", str(events), *words]


def test_the_text(events: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(why(events, "--rule", "rule", "--limit", "1")) == 0
    text = capsys.readouterr().out
    assert "rule rule (generic): fired once" in text
    assert "FAILED  absence: no up between x and y: broken by 4 at 22.0 from p" in text
    assert "met     guard: x.link == y.link, where x.link = 7, y.link = 7" in text


def test_json_says_the_same(events: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(why(events, "--event", "3", "--json")) == 0
    (rule,) = json.loads(capsys.readouterr().out)["rules"]
    assert rule["misses"][0]["failed"][0]["events"] == ["4"]
    assert rule["misses"][0]["distance"] == 1


def test_a_detection_by_its_id(events: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", *why(events)[1:]]) == 0
    detection = json.loads(capsys.readouterr().out)
    assert main(why(events, "--detection", detection["id"], "--json")) == 0
    (rule,) = json.loads(capsys.readouterr().out)["rules"]
    (fired,) = rule["fired"]
    assert [each["event"]["id"] for each in fired["constituents"]] == detection["events"]
    assert rule["misses"] == []


def test_at_a_time_only_what_had_come_counts(events: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(why(events, "--at", "4", "--json")) == 0
    (rule,) = json.loads(capsys.readouterr().out)["rules"]
    assert rule["misses"][0]["failed"][0]["kind"] == "missing"


def test_the_picture(events: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "why.svg"
    assert main(why(events, "--svg", str(target))) == 0
    root = ElementTree.fromstring(target.read_text(encoding="utf-8"))
    kinds = [each.get("class") for each in root.iter() if each.get("class")]
    assert kinds.count("event") == 5
    assert kinds.count("detection") == 1
    assert kinds.count("miss") == 1
    assert {each.get("data-event") for each in root.iter() if each.get("class") == "miss-link"} == {"3", "4", "5"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rule", "rul"], "did you mean"),
        (["--event", "99"], "no event has the id '99'"),
        (["--detection", "abc"], "no detection has the id 'abc'"),
        (["--detection", "abc", "--at", "3"], "ask for it alone"),
        (["--limit", "0"], "at least 1"),
    ],
)
def test_what_cannot_be_answered(
    events: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(why(events, *words)) == 1
    assert message in capsys.readouterr().err


def test_ids_that_repeat_need_their_source() -> None:
    rule = tc.rule("pair", "x:a ; y:b")
    rows = records([["1", "a", 1, {}, {"source": "s"}], ["1", "b", 2, {}, {"source": "t"}]])
    with pytest.raises(UsageError, match="s/1, t/1"):
        tc.why(rule, rows, event="1")
    assert tc.why(rule, rows, event=["s/1", "t/1"])["pair"].fired


def test_a_notebook_shows_a_table() -> None:
    told = tc.why(OUTAGE, records([["1", "down", 1, {"link": "<7>"}], ["2", "alarm", 2, {"link": 8}]]))
    assert "<td>missed</td>" in told._repr_html_()
    assert "<7>" not in told._repr_html_()
    assert len(told) == 1
    assert "pair" not in repr(told)


def test_misses_are_looked_for_in_each_partition() -> None:
    """Two events of different values are no candidate; what must be absent is that of the value alone."""
    rule = tc.rule("parted", "a followed by b without c within 10 seconds partition by u", language="pretty")
    rows = [["1", "a", 1, {"u": 1}], ["2", "b", 2, {"u": 2}], ["3", "c", 3, {"u": 1}], ["4", "b", 4, {"u": 1}]]
    log = records([*rows, ["5", "a", 5, {"u": 2}], ["6", "b", 6, {"u": 2}]])
    answer = tc.why(rule, log, event=["1", "4"])["parted"]
    assert answer.detections == 1
    near = [(miss.events, [(each.kind, [e.id for e in each.events]) for each in miss.failed]) for miss in answer.misses]
    assert near == [(("1", "4"), [("absence", ["3"])])]
    (fired,) = tc.why(rule, log, event=["5", "6"])["parted"].fired
    assert [each.event.id for each in fired.constituents if each.event] == ["5", "6"]
    apart = tc.why(rule, records(rows), event=["1", "2"])["parted"]
    assert apart.misses == ()
    assert "no candidate has all of 1, 2: they have not one u" in apart.remarks
