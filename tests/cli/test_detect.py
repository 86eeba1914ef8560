"""`tocsin detect`: what it reads, what it writes, what it refuses, and how it says so."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.amounts import examples
from tests.cli.conftest import Run
from tocsin.cli import main

PAIR = ("-e", "x:a ; y:b", "--lang", "eps")


def lines(*records: object) -> str:
    return "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in records)


# -- what is written -------------------------------------------------------------------------------------------------


def test_one_json_object_a_detection(tocsin: Run, events: str) -> None:
    done = tocsin("detect", *PAIR, "--events", events)
    assert (done.code, done.err) == (0, "")
    first, second = done.records
    assert list(first) == ["rule", "type", "start", "time", "detected", "events", "data", "id"]
    assert first["data"] == {"x.n": 0, "y.n": 1}
    assert (second["rule"], second["start"], second["time"], second["events"]) == ("rule", 3.0, 4.0, ["3", "4"])


def test_nothing_detected_is_no_failure(tocsin: Run, events: str) -> None:
    said = "tocsin: no event of type 'z'; seen: a 2, b 2\n"
    assert tocsin("detect", "-e", "z", "--lang", "eps", "--events", events) == (0, "", said)
    done = tocsin("detect", "-e", "z", "--lang", "eps", "--events", events, "--format", "table")
    assert (done.code, done.out) == (0, "nothing detected\n")


def test_a_table_for_people(tocsin: Run, events: str) -> None:
    done = tocsin("detect", *PAIR, "--events", events, "--format", "table")
    heading, rule, first, second = done.out.splitlines()
    assert heading.split()[:3] == ["time", "rule", "type"]
    assert set(rule) == {"-", " "}
    assert first.split() == ["2.0", "rule", "rule", "1.0", "2.0", "1", "2", "x.n=0", "y.n=1"]
    assert second.startswith("4.0")


def test_output_goes_to_a_file(tocsin: Run, events: str, tmp_path: Path) -> None:
    shown = tocsin("detect", *PAIR, "--events", events)
    done = tocsin("detect", *PAIR, "--events", events, "--output", "found.jsonl")
    assert (done.code, done.out) == (0, "")
    assert (tmp_path / "found.jsonl").read_text() == shown.out


def test_detections_are_events_for_the_next_rules(tocsin: Run, events: str) -> None:
    tocsin("detect", *PAIR, "--events", events, "--output", "pairs.jsonl")
    (found,) = tocsin("detect", "-e", "p:rule ; q:rule", "--lang", "eps", "--events", "pairs.jsonl").records
    assert (found["start"], found["time"], len(found["events"])) == (1.0, 4.0, 2)


@pytest.mark.parametrize("option", ["--output", "--svg"])
def test_what_is_read_is_never_overwritten(tocsin: Run, events: str, option: str, tmp_path: Path) -> None:
    before = (tmp_path / events).read_text()
    done = tocsin("detect", *PAIR, "--events", events, option, f"./{events}")
    assert (done.code, done.err) == (1, f"tocsin: './{events}' would be overwritten, and it is what is read\n")
    assert (tmp_path / events).read_text() == before


def test_an_output_that_cannot_be_written(tocsin: Run, events: str) -> None:
    done = tocsin("detect", *PAIR, "--events", events, "--output", "none/found.jsonl")
    assert (done.code, done.err) == (1, "tocsin: none/found.jsonl: No such file or directory\n")


def test_a_picture(tocsin: Run, events: str, tmp_path: Path) -> None:
    done = tocsin("detect", *PAIR, "--events", events, "--svg", "timeline.svg")
    assert (done.code, len(done.records)) == (0, 2)
    assert (tmp_path / "timeline.svg").read_text().startswith("<svg")


def test_times_are_written_as_the_first_events_was(tocsin: Run, tmp_path: Path) -> None:
    text = lines({"type": "a", "time": "2026-11-15T20:00:00+01:00"}, {"type": "b", "time": 1794769201.25})
    (tmp_path / "e.jsonl").write_text(text)
    (found,) = tocsin("detect", *PAIR, "--events", "e.jsonl").records
    assert (found["start"], found["time"]) == ("2026-11-15T19:00:00Z", "2026-11-15T19:00:01.25Z")
    (tmp_path / "e.jsonl").write_text(lines(*reversed(text.splitlines())))
    (found,) = tocsin("detect", "-e", "b", "--lang", "eps", "--events", "e.jsonl").records
    assert found["time"] == 1794769201.25


def test_events_may_have_intervals(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text(lines({"type": "a", "time": [1, 2]}, {"type": "b", "time": [1.5, 3]}))
    (found,) = tocsin("detect", *PAIR, "--events", "e.jsonl", "--condition", "overlaps(x, y)").records
    assert (found["start"], found["time"], found["detected"]) == (1.0, 3.0, 3.0)


def test_times_and_periods_in_data_are_written_like_other_times(tocsin: Run, tmp_path: Path, events: str) -> None:
    rule = (
        "{name: r, language: eps, expression: x:a ; y:b, select: {at: '@x', gap: '@y - @x', who: x, all: 'list(x.n)'}}"
    )
    (tmp_path / "r.yaml").write_text(f"rules: [{rule}]")
    found = tocsin("detect", "r.yaml", "--events", events).records[0]
    assert found["data"] == {"at": 1.0, "gap": 1.0, "who": ["1"], "all": [0]}


def test_a_notification_reads_well(tocsin: Run, tmp_path: Path, events: str) -> None:
    notify = "{{{x.n}}} {x} {@y} {gap} {late} {none}|"
    select = "{gap: '@y - @x', late: '@y > 1', none: x.nothing}"
    (tmp_path / "r.yaml").write_text(
        f"rules: [{{name: r, language: eps, expression: x:a ; y:b, notify: '{notify}', select: {select}}}]"
    )
    found = tocsin("detect", "r.yaml", "--events", events).records[0]
    assert found["notification"] == "{0} 1 1970-01-01T00:00:02Z 1s true |"


# -- options ---------------------------------------------------------------------------------------------------------


def test_context_window_and_condition(tocsin: Run, events: str) -> None:
    every = tocsin("detect", *PAIR, "--events", events, "--context", "unrestricted").records
    assert [found["events"] for found in every] == [["1", "2"], ["1", "4"], ["3", "4"]]
    near = tocsin("detect", *PAIR, "--events", events, "--context", "unrestricted", "--window", "1 sec").records
    assert [found["events"] for found in near] == [["1", "2"], ["3", "4"]]
    last = tocsin("detect", *PAIR, "--events", events, "--condition", "x.n > 0").records
    assert [found["events"] for found in last] == [["3", "4"]]


def test_until_lets_the_clock_run_on(tocsin: Run, events: str) -> None:
    every = ("-e", "every(0/0/0 0:00:02)", "--lang", "eps", "--events", events)
    assert [found["time"] for found in tocsin("detect", *every).records] == [3.0]
    assert [found["time"] for found in tocsin("detect", *every, "--until", "7").records] == [3.0, 5.0, 7.0]
    assert len(tocsin("detect", *every, "--until", "1970-01-01T00:00:09Z").records) == 4


LATE = lines({"type": "b", "time": 5}, {"type": "a", "time": 1, "arrival": 6}, {"type": "x", "time": 60})


def test_late_events_are_accepted_or_ignored(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text(LATE)
    assert len(tocsin("detect", *PAIR, "--events", "e.jsonl").records) == 1
    done = tocsin("detect", *PAIR, "--events", "e.jsonl", "--late", "ignore")
    assert (done.code, done.out) == (0, "")
    assert done.err == "tocsin: 1 event refused: late, and --late ignore was asked for\n"


def test_orders(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text(LATE)
    chosen = ("detect", *PAIR, "--events", "e.jsonl", "--context", "chronicle", "--order")
    assert tocsin(*chosen, "delay:5 sec").records[0]["detected"] == 10.0
    done = tocsin(*chosen, "guaranteed")
    assert (done.out, done.err) == ("", "tocsin: 1 event refused: older than what their source had already reported\n")


def test_rules_of_two_orders_may_use_each_other(tocsin: Run, tmp_path: Path, events: str) -> None:
    (tmp_path / "r.yaml").write_text("""
rules:
  - {name: pair, language: eps, expression: "a ; b"}
  - {name: twice, language: eps, expression: "x:pair ; y:pair", order: "delay:5 sec"}
""")
    found = tocsin("detect", "r.yaml", "--events", events).records
    assert [(one["rule"], one["detected"]) for one in found] == [("pair", 2.0), ("pair", 4.0), ("twice", 9.0)]


def test_several_files_and_an_expression_together(tocsin: Run, tmp_path: Path, events: str) -> None:
    (tmp_path / "r.eps").write_text("request one {\n  event: a\n}\n")
    (tmp_path / "s.gem").write_text(
        "event b(long n)\nevent out(long n)\nrule two { b ==> notify out(b.n) }\nenable two\n"
    )
    done = tocsin("detect", "r.eps", "s.gem", *PAIR, "--events", events)
    assert [found["rule"] for found in done.records] == ["one", "two", "rule", "one", "two", "rule"]


def test_standard_input(tocsin: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    data = lines({"type": "a", "time": 1}, {"type": "b", "time": 2}).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert len(tocsin("detect", *PAIR, "--events", "-").records) == 1
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data + b"{\n")))
    done = tocsin("detect", *PAIR, "--events", "-")
    assert done.code == 1
    assert done.err.startswith("<stdin>:3:2: not JSON")


def test_csv_by_extension_and_by_name(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("type,time\na,1\nb,2\n")
    (tmp_path / "e.dat").write_text("type,time\na,1\nb,2\n")
    assert len(tocsin("detect", *PAIR, "--events", "e.csv").records) == 1
    assert len(tocsin("detect", *PAIR, "--events", "e.dat", "--input-format", "csv").records) == 1
    assert "unknown extension '.dat'" in tocsin("detect", *PAIR, "--events", "e.dat").err


# -- bad events --------------------------------------------------------------------------------------------------------

BAD = lines({"type": "a", "time": 1}, "{not json", {"type": "b", "time": 2}, {"type": "b"}, {"type": "b", "time": 3})


def test_a_bad_line_ends_the_run_with_its_place(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text(BAD)
    done = tocsin("detect", *PAIR, "--events", "e.jsonl")
    assert done.code == 1
    assert done.err.splitlines()[0].startswith("e.jsonl:2:2: not JSON: ")
    assert done.err.splitlines()[1] == "  {not json"


def test_bad_lines_can_be_skipped_and_are_counted(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text(BAD)
    done = tocsin("detect", *PAIR, "--events", "e.jsonl", "--on-error", "skip")
    assert (done.code, len(done.records), done.err) == (0, 1, "tocsin: 2 bad events skipped\n")
    assert done.records[0]["events"] == ["1", "3"]


def test_skipped_lines_can_be_kept_with_the_reason(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "e.jsonl").write_text(BAD)
    assert tocsin("detect", *PAIR, "--events", "e.jsonl", "--on-error", "skip", "--quarantine", "bad.jsonl").code == 0
    kept = [json.loads(line) for line in (tmp_path / "bad.jsonl").read_text().splitlines()]
    assert [(one["file"], one["line"], one["text"]) for one in kept] == [
        ("e.jsonl", 2, "{not json"),
        ("e.jsonl", 4, '{"type": "b"}'),
    ]
    assert "the event has no time" in kept[1]["reason"]


def test_a_quarantine_without_skipping_is_a_mistake(tocsin: Run, events: str) -> None:
    done = tocsin("detect", *PAIR, "--events", events, "--quarantine", "bad.jsonl")
    assert (done.code, done.err) == (1, "tocsin: --quarantine goes with --on-error skip\n")


def test_events_are_held_to_what_a_script_declares(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "r.gem").write_text("event a(long v)\nevent out\nrule r { a ==> notify out }\nenable r\n")
    (tmp_path / "e.jsonl").write_text(lines({"type": "a", "time": 1, "data": {"v": "x"}}))
    done = tocsin("detect", "r.gem", "--events", "e.jsonl")
    assert (done.code, done.err.splitlines()[0]) == (1, "e.jsonl:1:1: 'v' of event 'a' is declared as long")


# -- remarks -----------------------------------------------------------------------------------------------------------


def test_what_was_ignored_refused_or_not_comparable_is_told(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "r.gem").write_text("event a\nevent out\nrule r [10*sec] { a ==> notify out }\nenable r\n~ a\n")
    (tmp_path / "e.jsonl").write_text(lines({"type": "z", "time": 20}, {"type": "a", "time": 1, "arrival": 21}))
    assert tocsin("detect", "r.gem", "--events", "e.jsonl").err.splitlines() == [
        "tocsin: 1 event refused: older than the detection window of rule r",
        "tocsin: 1 event of undeclared classes ignored: z (1)",
        "tocsin: event 'a' is not removed: rule r refers to it",
    ]
    done = tocsin("detect", "-e", "a", "--lang", "eps", "--condition", "a.v > 'x'", "--events", "e.jsonl")
    assert done.err == "tocsin: no event of type 'a' has 'v'; they have none\n"
    (tmp_path / "e.jsonl").write_text(lines(*[{"type": "a", "time": n, "data": {"v": n}} for n in range(2)]))
    done = tocsin("detect", "-e", "a", "--lang", "eps", "--condition", "a.v > 'x'", "--events", "e.jsonl")
    assert done.err == "tocsin: 2 comparisons of number with string came out false\n"


# -- mistakes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no rules given: name rules files, or give one with -e EXPR --lang LANGUAGE"),
        (("-e", "a"), "-e EXPR needs --lang LANGUAGE"),
        (("r.gem", "--condition", "x.v > 1"), "--condition and --lang go with -e EXPR"),
        (("-e", "a", "--lang", "esp"), "unknown language 'esp': did you mean 'eps'?"),
        (("none.gem",), "cannot read 'none.gem': No such file or directory"),
        (("rules.txt",), "'rules.txt' is not a rules file: rules are in *.gem, *.eps, *.yaml or *.yml"),
        (
            (*PAIR, "--order", "fifo"),
            "'fifo' is not an order: use best-effort, delay:SPAN, guaranteed[:SPAN] or probabilistic:P",
        ),
        ((*PAIR, "--until", "soon"), "'soon' is not a time: unexpected 'soon'"),
        ((*PAIR, "--window", "0 sec"), "a window must be longer than nothing: '0 sec'"),
        ((*PAIR, "--time-model", "3g"), "'3g' is not a time model: use point, interval or 2g:SPAN"),
        (
            (*PAIR, "--run", "twice"),
            "'twice' is not a run: use every, again, once, to next, past last, to first or to last",
        ),
    ],
)
def test_a_mistake_is_told_in_one_line(tocsin: Run, events: str, arguments: tuple[str, ...], message: str) -> None:
    assert tocsin("detect", *arguments, "--events", events) == (1, "", f"tocsin: {message}\n")


def test_events_that_are_not_there(tocsin: Run) -> None:
    assert (
        tocsin("detect", *PAIR, "--events", "none.jsonl").err
        == "tocsin: cannot read none.jsonl: No such file or directory\n"
    )


def test_usage_that_is_wrong_ends_with_2(tocsin: Run, events: str) -> None:
    assert tocsin("detect", *PAIR).code == 2
    assert tocsin("detect", *PAIR, "--events", events, "--context", "newest").code == 2
    assert tocsin("detect", *PAIR, "--events", events, "--colour", "red").code == 2


def test_a_bad_rule_is_shown_and_nothing_runs(tocsin: Run, events: str, tmp_path: Path) -> None:
    done = tocsin("detect", "-e", "a ; ) b", "--lang", "eps", "--events", events, "--output", "found.jsonl")
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[:3] == ["<expression>:1:5: unexpected ')'", "  a ; ) b", "      ^"]
    assert not (tmp_path / "found.jsonl").exists()


# -- any input ---------------------------------------------------------------------------------------------------------

GARBAGE = st.one_of(
    st.binary(max_size=60), st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass"))
)
SCRIPT = b'event a|event b(long v)|rule r { |a ; b| + [5*sec]| ==> |notify b|(1)| }|enable r|\n|~ a|load "r.gem"|a [1/1/70]|*| when |a.v > 1|stop|{|}|request r {|event: a'
EVENT = b'{"type": "a"|, "time": |1|}|\n|"2026-11-15T20:00:00Z"|[1, 2]|, "data": {"v": 1}|null|-1e9|1e300|, "id": "1"|, "arrival": 5|9e999|, "source": |[]'
NEARLY_RULES = st.lists(st.sampled_from(SCRIPT.split(b"|")), max_size=12).map(b"".join)
NEARLY_EVENTS = st.lists(st.sampled_from(EVENT.split(b"|")), max_size=12).map(b"".join)
QUIET = settings(max_examples=examples(50), suppress_health_check=[HealthCheck.function_scoped_fixture])


@QUIET
@given(GARBAGE | NEARLY_RULES, st.sampled_from(["gem", "eps", "yaml"]))
def test_any_rules_file_is_run_or_refused(tmp_path: Path, rules: bytes, kind: str) -> None:
    (tmp_path / "e.jsonl").write_text(lines({"type": "a", "time": 1}, {"type": "b", "time": 2, "data": {"v": 5}}))
    (tmp_path / f"r.{kind}").write_bytes(rules)
    output = str(tmp_path / "out.jsonl")
    assert main(["detect", str(tmp_path / f"r.{kind}"), "--events", str(tmp_path / "e.jsonl"), "--output", output]) in (
        0,
        1,
    )


@QUIET
@given(
    GARBAGE | NEARLY_EVENTS, st.sampled_from(["jsonl", "csv", "gem", "parquet"]), st.sampled_from(["refuse", "skip"])
)
def test_any_file_of_events_is_read_or_refused(tmp_path: Path, events: bytes, kind: str, on_error: str) -> None:
    (tmp_path / "e").write_bytes(events)
    output = str(tmp_path / "out.jsonl")
    chosen = ["--input-format", kind, "--on-error", on_error, "--output", output]
    assert main(["detect", "-e", "x:a ; y:b", "--lang", "eps", "--events", str(tmp_path / "e"), *chosen]) in (0, 1)


@QUIET
@given(
    st.text(max_size=30),
    st.sampled_from(["-e", "--condition", "--order", "--until", "--window", "--time-model", "--lang"]),
)
def test_any_text_of_an_option_is_taken_or_refused(tmp_path: Path, text: str, option: str) -> None:
    (tmp_path / "e.jsonl").write_text(lines({"type": "a", "time": 1}))
    output = str(tmp_path / "out.jsonl")
    given_options = {"-e": "a", "--lang": "eps", option: text}
    words = [f"{key}={value}" if key != "-e" else f"-e{value}" for key, value in given_options.items()]
    assert main(["detect", *words, "--events", str(tmp_path / "e.jsonl"), "--output", output]) in (0, 1, 2)


# -- events of other shapes ------------------------------------------------------------------------------------------


def test_several_files_of_events_are_read_in_the_order_given(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "first.jsonl").write_text(lines({"type": "a", "time": 1}))
    (tmp_path / "second.jsonl").write_text(lines({"type": "b", "time": 2}))
    (found,) = tocsin("detect", *PAIR, "--events", "first.jsonl", "--events", "second.jsonl").records
    assert found["events"] == ["1", "2"]
    assert tocsin("detect", *PAIR, "--events", "-", "--events", "-").code == 1


def test_names_formats_and_zones_of_other_programs(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(
        lines(
            {"kind": "a", "ts": "1.2.2026 01:00:00", "n": 1}, {"kind": "b", "ts": "1.2.2026 01:00:01", "data": {"n": 2}}
        )
    )
    told = ("--columns", "type=kind,time=ts", "--time-format", "%d.%m.%Y %H:%M:%S", "--zone", "Europe/Berlin")
    (found,) = tocsin("detect", *PAIR, "--events", "log.jsonl", *told).records
    assert (found["time"], found["data"]) == ("2026-02-01T00:00:01Z", {"x.n": 1, "y.n": 2})


def test_milliseconds_are_recognised_and_said(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(
        lines({"type": "a", "time": 1700000000000}, {"type": "b", "time": 1700000000500})
    )
    done = tocsin("detect", *PAIR, "--events", "log.jsonl")
    assert done.records[0]["time"] == 1700000000.5
    assert "times are read as milliseconds since 1970: 1700000000000 is 2023-11-14T22:13:20Z" in done.err


def test_a_great_many_combinations_are_told_of_before_they_are_looked_for(tocsin: Run, tmp_path: Path) -> None:
    (tmp_path / "many.jsonl").write_text(lines(*({"type": "ab"[n % 2], "time": n} for n in range(400))))
    rule = ("-e", "x:a & y:b & z:b", "--lang", "sel")
    done = tocsin("check", *rule, "--events", "many.jsonl")
    assert "warning: rule 'rule' may find " in done.err
    assert " million combinations in 400 events: add a window (within 1 minute) and what its events" in done.err
    done = tocsin("detect", *rule, "--context", "generic", "--events", "many.jsonl")
    assert "may find" not in done.err
    assert len(done.records) < 400


@pytest.mark.parametrize("order", ["best-effort", "delay:1 sec"])
def test_a_bad_line_is_still_bad_when_its_turn_comes(tocsin: Run, tmp_path: Path, order: str) -> None:
    given = [{"type": "a", "time": 1}, {"type": "b", "time": 2}, {"type": "c", "time": 9}, "{"]
    (tmp_path / "bad.jsonl").write_text(lines(*given))
    done = tocsin("detect", *PAIR, "--events", "bad.jsonl", "--order", order)
    assert done.code == 1
    assert len(done.records) == 1
