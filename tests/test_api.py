"""Tocsin from Python: the public names, and everything the contract's Python part promises."""

from __future__ import annotations

import doctest
import io
import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import tocsin as tc
from tocsin import api, findings, progress
from tocsin.algebra.rules import Context, Order, Program, Rule
from tocsin.time.spans import parse_period

SECOND = 1_000_000
EVENTS = [
    {"type": "a", "time": 1, "data": {"host": "x"}},
    {"type": "b", "time": 2, "data": {"host": "y"}},
    {"type": "b", "time": 3, "data": {"host": "x"}},
]
PAIR = tc.rule("pair", "x:a ; y:b", condition="x.host == y.host")


def found(rules: Any, events: Any = EVENTS, **options: Any) -> list[tuple[str, ...]]:
    return [one.events for one in tc.detect(rules, events, **options)]


# -- names -------------------------------------------------------------------------------------------------------------


def test_the_public_names() -> None:
    """A name that is added or taken away is a change for everyone: it belongs in the changelog."""
    assert tc.__all__ == [
        "Amendment", "AsyncSensor", "Detection", "Detections", "Event", "EventError", "Heartbeat", "Live", "MissingDependency",
        "RuleError", "Sensor",
        "TocsinError", "UsageError", "any_event", "at", "detect", "event", "every", "guard", "import_rules", "load", "parse", "propose",
        "render", "rule", "translate", "unnamed", "why",
    ]  # fmt: skip
    assert all(getattr(tc, name).__module__.startswith("tocsin.") for name in tc.__all__)


def test_a_name_that_does_not_exist() -> None:
    with pytest.raises(AttributeError, match="module 'tocsin' has no attribute 'detekt'"):
        tc.detekt  # type: ignore[attr-defined]  # noqa: B018 - asking for it is the test


def test_errors_are_one_tree() -> None:
    assert all(
        issubclass(getattr(tc, name), tc.TocsinError) for name in tc.__all__ if name.endswith(("Error", "Dependency"))
    )


@pytest.mark.parametrize(
    ("code", "heavy"),
    [("", "yaml pyarrow pandas polars numpy argparse"), ("tocsin.detect", "pyarrow pandas polars numpy")],
)
def test_importing_tocsin_imports_nothing_of_weight(code: str, heavy: str) -> None:
    text = f"import sys, tocsin; {code or 'pass'}; print(sorted({heavy.split()!r} & sys.modules.keys()))".replace(
        "[", "{"
    ).replace("]", "}")
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


# -- rules -------------------------------------------------------------------------------------------------------------


def test_a_rule_with_every_setting() -> None:
    rule = tc.rule(
        "r", "x:a ; y:b", language="gem", condition="x.v > 1", context="recent", window="5 min", order="delay:5 sec",
        notify="{x.v}", select={"v": "y.v - x.v"},
    )  # fmt: skip
    assert isinstance(rule, Rule)
    assert (rule.name, rule.language, rule.context, rule.notify) == ("r", "gem", Context.RECENT, "{x.v}")
    assert (rule.window, rule.order) == (parse_period("5 min"), Order("delay", delay=parse_period("5 sec")))
    assert [name for name, _ in rule.select] == ["v"]


def test_a_rule_is_told_beside_its_text_what_a_rules_file_can_say() -> None:
    assert found([tc.rule("r", "a ; b", by="host")]) == [("1", "3")]
    assert found([tc.rule("r", tc.event("a").then(tc.event("b")), by=["host"])]) == [("1", "3")]
    twice = [*EVENTS, {"type": "a", "time": 4}, {"type": "b", "time": 5}]
    assert found([tc.rule("r", "[a] [b]", language="core", run="once")], twice) == [("1", "2")]
    assert found([tc.rule("r", "[a] [b]", language="core")], twice) == [("1", "2"), ("4", "5")]


def test_a_rule_from_a_pattern_is_unrestricted() -> None:
    pattern = tc.parse("a ; b", language="eps")
    assert tc.rule("r", pattern).language == "python"
    assert found([tc.rule("r", pattern)]) == [("1", "2"), ("1", "3")]
    assert found([tc.rule("r", "a ; b")]) == [("1", "2")]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"pattern": "a ; )"}, "<expression>:1:5: unexpected ')'"),
        ({"condition": "a.v >"}, "<expression>:1:6: unexpected end of the text"),
        ({"select": {"v": "1 +"}}, "<expression>:1:4: unexpected end of the text"),
        ({"context": "newest"}, "'newest' is not a context"),
        ({"window": "soon"}, "the window: "),
        ({"order": "fifo"}, "'fifo' is not an order"),
        ({"language": "latin"}, "unknown language 'latin'"),
        ({"run": "once"}, "run= is for automata"),
        ({"pattern": "[a]", "language": "core", "run": "twice"}, "'twice' is not a run"),
    ],
)
def test_a_rule_with_a_mistake(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(tc.TocsinError) as caught:
        tc.rule("r", **{"pattern": "a", **settings})
    assert str(caught.value).startswith(message)


def test_the_contracts_own_example() -> None:
    a, b = tc.event("a"), tc.event("b")
    rule = tc.rule("pair", a.then(b).within("1 min").where(a.host == b.host))
    (one,) = tc.detect([rule], EVENTS)
    assert isinstance(one, tc.Detection)
    assert (one.rule, one.events, one.start_us, one.time_us) == ("pair", ("1", "3"), 1 * SECOND, 3 * SECOND)


# -- texts -------------------------------------------------------------------------------------------------------------


def test_text_to_pattern_and_back_in_any_language() -> None:
    pattern = tc.parse("a;b", language="gem")
    assert pattern == tc.parse("a ; b", language="eps")
    assert tc.render(pattern, "gem") == tc.render(pattern) == "a ; b"
    with pytest.raises(tc.RuleError, match="EPS"):
        tc.render(tc.parse("{a ; b} ! c", language="gem"), "eps")
    with pytest.raises(tc.RuleError, match="<expression>:1:4: unexpected end of the text"):
        tc.parse("a ;")


def test_rules_files(tmp_path: Path) -> None:
    (tmp_path / "r.gem").write_text("event a\nevent out\nrule one { a ==> notify out }\nenable *\n")
    (tmp_path / "s.yaml").write_text("rules: [{name: two, language: eps, expression: b}]")
    program = tc.load(tmp_path / "r.gem", str(tmp_path / "s.yaml"))
    assert isinstance(program, Program)
    assert found(program) == [("1",), ("2",), ("3",)]
    assert found(tmp_path / "r.gem") == found(str(tmp_path / "r.gem")) == [("1",)]
    with pytest.raises(tc.UsageError, match="No such file"):
        tc.load(tmp_path / "none.gem")


# -- detecting -----------------------------------------------------------------------------------------------------------


def test_rules_in_any_number() -> None:
    assert found(PAIR) == found([PAIR]) == found(iter([PAIR])) == [("1", "3")]
    assert found([]) == []
    assert [one.rule for one in tc.detect([PAIR, tc.rule("all", "b")], EVENTS)] == ["all", "pair", "all"]


def test_what_is_no_rule_is_refused() -> None:
    with pytest.raises(tc.UsageError, match="expected rules, got int"):
        tc.detect([5], EVENTS)  # type: ignore[list-item]  # the mistake is the test
    with pytest.raises(tc.RuleError, match="there is no event variable 'z' here"):
        tc.detect([tc.rule("r", "a", condition="z.v > 1")], [])
    with pytest.raises(tc.RuleError, match="rule 'pair' is defined twice"):
        tc.detect([PAIR, PAIR], EVENTS)


def test_events_as_dicts_objects_and_a_stream_of_either() -> None:
    made = [tc.Event(e["type"], e["time"] * SECOND, e["time"] * SECOND, data=e["data"]) for e in EVENTS]  # type: ignore[operator,arg-type]  # numbers and mappings
    assert found(PAIR, made) == found(PAIR, iter(EVENTS)) == found(PAIR, [*EVENTS[:1], *made[1:]]) == [("1", "3")]
    assert found(PAIR, [*made, tc.Heartbeat("", 9 * SECOND, 9 * SECOND)]) == [("1", "3")]


def test_events_as_frames() -> None:
    pa, pd, pl = (pytest.importorskip(name) for name in ("pyarrow", "pandas", "polars"))
    columns = {"type": ["a", "b", "b"], "time": [1.0, 2.0, 3.0], "host": ["x", "y", "x"]}
    for frame in (pa.table(columns), pd.DataFrame(columns), pl.DataFrame(columns)):
        assert found(PAIR, frame) == [("1", "3")]


def test_events_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in EVENTS))
    assert found(PAIR, path) == found(PAIR, str(path)) == [("1", "3")]
    with pytest.raises(tc.UsageError, match=r"cannot read none.jsonl"):
        tc.detect(PAIR, "none.jsonl")


def test_windows_as_texts_seconds_and_lengths_of_time() -> None:
    for window in ("1 min", 60, 60.0, timedelta(minutes=1)):
        assert tc.rule("r", "a", window=window).window == parse_period("1 min")
    assert found(tc.rule("r", "a ; b"), window=timedelta(milliseconds=500)) == []


def test_a_bad_event_is_refused_or_skipped() -> None:
    bad = [*EVENTS, {"type": "a"}]
    with pytest.raises(tc.EventError, match="<events>:4:1: the event has no time"):
        tc.detect(PAIR, bad)
    assert found(PAIR, bad, on_error="skip") == [("1", "3")]
    with pytest.raises(tc.UsageError, match="on_error is 'ignore'"):
        tc.detect(PAIR, EVENTS, on_error="ignore")


def test_what_is_no_events_at_all() -> None:
    for wrong in (b"events.jsonl", 5, EVENTS[0]):
        with pytest.raises(tc.UsageError, match="events are an iterable"):
            tc.detect(PAIR, wrong)


def test_options_of_the_run() -> None:
    rule = tc.rule("r", "a ; b")
    assert found(rule, context="unrestricted") == [("1", "2"), ("1", "3")]
    assert found(rule, window="0.5 sec") == []
    late = [EVENTS[1], {**EVENTS[0], "arrival": 5}]
    assert found(rule, late) == [("2", "1")]
    assert found(rule, late, late="ignore") == []
    assert found(rule, [*late, {"type": "x", "time": 60}], order="delay:10 sec", late="ignore") == [("2", "1")]
    assert len(found(tc.rule("t", "every(0/0/0 0:00:10)"), until="25")) == 2
    assert tc.detect(rule, EVENTS, time_model="2g:1 sec")[0].stamp is not None


@pytest.mark.parametrize(
    "option",
    [{"late": "never"}, {"context": "x"}, {"order": "x"}, {"window": "x"}, {"until": "x"}, {"time_model": "x"}],
)
def test_an_option_with_a_mistake(option: dict[str, str]) -> None:
    with pytest.raises(tc.UsageError):
        tc.detect(PAIR, EVENTS, **option)  # type: ignore[arg-type]  # options are texts


def test_a_script_holds_events_to_what_it_declares(tmp_path: Path) -> None:
    (tmp_path / "r.gem").write_text("event a(long host)\nevent out\nrule one { a ==> notify out }\nenable *\n")
    with pytest.raises(tc.EventError, match="'host' of event 'a' is declared as long"):
        tc.detect(tmp_path / "r.gem", EVENTS)


# -- columns in and out --------------------------------------------------------------------------------------------------


def test_a_frame_and_its_records_give_the_same() -> None:
    pa, np = (pytest.importorskip(name) for name in ("pyarrow", "numpy"))
    columns = {"type": ["a", "b", "b"], "time": [1.0, 2.0, 3.0], "host": ["x", "y", "x"]}
    wanted = tc.detect(PAIR, EVENTS)
    assert isinstance(wanted, tc.Detections)
    assert wanted == tc.detect(PAIR, pa.table(columns))
    assert wanted == tc.detect(PAIR, {name: np.array(cells) for name, cells in columns.items()})
    for options in ({"order": "delay:1 sec"}, {"late": "ignore"}, {"time_model": "2g:1 sec"}, {"context": "chronicle"}):
        assert tc.detect(PAIR, pa.table(columns), **options) == tc.detect(PAIR, EVENTS, **options)  # type: ignore[arg-type]  # texts
    several = [PAIR, tc.rule("late", "b", order="delay:1 sec"), tc.rule("both", "pair ; b")]
    assert tc.detect(several, pa.table(columns)) == tc.detect(several, EVENTS)


def test_a_script_over_a_frame(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    (tmp_path / "r.gem").write_text(
        "event a(long v)\nevent out(long v)\nrule one { x:a ==> notify out(x.v) ; forward x }\nenable *\n"
    )
    table = pa.table({"type": ["a", "b"], "time": [1, 2], "v": [7, 8]})
    found = tc.detect(tmp_path / "r.gem", table)
    assert found == tc.detect(
        tmp_path / "r.gem", [{"type": "a", "time": 1, "data": {"v": 7}}, {"type": "b", "time": 2, "data": {"v": 8}}]
    )
    assert [(one.type, one.data) for one in found] == [("out", {"v": 7}), ("a", {"v": 7})]
    assert (found.counts, found.notes.ignored) == ({"one": 2}, {"b": 1})
    with pytest.raises(tc.EventError, match="<frame>:1:1: 'v' of event 'a' is declared as long"):
        tc.detect(tmp_path / "r.gem", table.set_column(2, "v", pa.array(["x", "y"])))


def test_a_raised_event_does_not_shift_the_names_of_rows(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    (tmp_path / "r.gem").write_text("event a\nevent out\nrule one { a ==> notify out }\nenable *\na ()\n")
    assert found(tmp_path / "r.gem", pa.table({"type": ["a"], "time": [1]}))[1:] == [("1",)]


# -- progress ------------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """Where text goes to a person."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("as_frame", [False, True])
def test_progress_when_it_is_wanted(as_frame: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    events: Any = EVENTS
    if as_frame:
        events = pytest.importorskip("pyarrow").table({"type": ["a", "b", "b"], "time": [1, 2, 3]})

    def shown(stream: io.StringIO, patience: float, **options: Any) -> str:
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(progress, "PATIENCE", patience)
        tc.detect(PAIR, events, **options)
        return stream.getvalue()

    assert "3 of 3 (100%) events" in shown(io.StringIO(), 2, progress=True)
    assert shown(io.StringIO(), 0, progress=False) == shown(Terminal(), 0, progress=False) == ""
    assert shown(Terminal(), 2) == ""
    assert shown(io.StringIO(), 0) == ""
    text = shown(Terminal(), 0)
    assert text.startswith("\r")
    assert text.endswith("events/s \n")


# -- examples ------------------------------------------------------------------------------------------------------------

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("module", [api, findings])
def test_the_examples_in_docstrings_are_so(module: Any) -> None:
    for library in ("pyarrow", "pandas", "polars", "numpy"):
        pytest.importorskip(library)
    done = doctest.testmod(module)
    assert (done.failed, done.attempted > 5) == (0, True)


def test_every_public_function_has_an_example() -> None:
    functions = [
        getattr(tc, name) for name in tc.__all__ if getattr(tc, name).__module__ in (api.__name__, findings.__name__)
    ]
    functions += [getattr(tc.Detections, name) for name in vars(tc.Detections) if not name.startswith("_")]
    assert len(functions) > 10
    assert [each.__name__ for each in functions if ">>> " not in (each.__doc__ or "")] == []


@pytest.mark.parametrize("page", ["api.md", "languages/python.md", "live.md"])
def test_the_pages_about_python_are_right(page: str) -> None:
    for library in ("pyarrow", "pandas", "polars", "numpy"):
        pytest.importorskip(library)
    done = doctest.testfile(str(ROOT / "docs" / page), module_relative=False)
    assert (done.failed, done.attempted > 3) == (0, True)
