"""Detections as users get them: a sequence made when it is looked at, the same as columns, rows and dicts."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tocsin as tc
from tests.algebra.building import SECOND
from tests.algebra.strategies import NEGATIVE, POSITIVE, TIMED, logs
from tests.amounts import examples
from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import Context, Rule
from tocsin.engine.frames.batches import slices_of
from tocsin.engine.frames.positions import positions_of
from tocsin.engine.frames.rows import Rows, run_slices
from tocsin.events import Event, Moment
from tocsin.findings import Detections
from tocsin.formats import TimeStyle, events_from
from tocsin.formats.intake import Intake
from tocsin.rules.programs import rules_program
from tocsin.session import Session
from tocsin.time.spans import Period

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
np = pytest.importorskip("numpy")

# -- rows, and what is made of them --------------------------------------------------------------------------------------


def table_of(log: list[Event], spoilt: list[int]) -> Any:
    """A log as a table, with bad rows before some of its events."""
    made: dict[str, list[Any]] = {"type": [], "time": [], "arrival": [], "source": [], "k": []}
    for place, event in enumerate(log):
        cells = [event.type, event.end // SECOND, event.arrival // SECOND, event.source, event.data.get("k")]
        for row in ([None, *cells[1:]], cells) if place in spoilt else (cells,):
            for column, cell in zip(made.values(), row, strict=True):
                column.append(cell)
    kinds = {"type": pa.string(), "source": pa.string()}
    return pa.table({name: pa.array(column, kinds.get(name, pa.int64())) for name, column in made.items()})


def rows_of(rules: list[Rule], table: Any, size: int) -> Rows:
    slices = slices_of(table, Intake("<frame>", "skip"), size=size)
    assert slices is not None
    return run_slices(Session(rules_program(rules)).program, slices, None, Notes())


@settings(max_examples=examples(200))
@given(
    patterns=st.lists(st.one_of(POSITIVE, NEGATIVE, TIMED), min_size=1, max_size=3),
    log=logs(8),
    context=st.sampled_from((Context.UNRESTRICTED, Context.GENERIC)),
    window=st.sampled_from((None, Period.of(microseconds=3 * SECOND))),
    spoilt=st.lists(st.integers(0, 7), max_size=2),
    size=st.sampled_from((2, 3, 100)),
)
def test_rows_positions_and_events_say_the_same(
    patterns: Any, log: Any, context: Any, window: Any, spoilt: Any, size: int
) -> None:
    rules = [Rule(f"r{n}", pattern, "python", context=context, window=window) for n, pattern in enumerate(patterns)]
    rules.append(Rule("again", patterns[0], "python", context=context, window=window))
    table = table_of(log, spoilt)
    wanted = list(Session(rules_program(rules)).detections(events_from(table, "skip")))
    rows = rows_of(rules, table, size)
    assert list(rows) == wanted
    assert rows.count == len(wanted)
    assert rows.counts == {rule.name: sum(one.rule == rule.name for one in wanted) for rule in rules}
    found = positions_of(rows)
    assert [found.rules[place] for place in found.rule] == [one.rule for one in wanted]
    for name in ("start", "time", "detected"):
        assert getattr(found, name).tolist() == [getattr(one, f"{name}_us") for one in wanted]
    pieces = [found.events[i:j].tolist() for i, j in zip(found.offsets[:-1], found.offsets[1:], strict=True)]
    assert pieces == [[int(event) - 1 for event in one.events] for one in wanted]


def test_rules_that_differ_in_a_constant_and_identical_ones() -> None:
    table = pa.table({"type": ["a"] * 4, "time": [1, 2, 3, 4], "v": [1, 2, 3, 4]})
    rules = [tc.rule(f"over{n}", "x:a", language="gem", condition=f"x.v > {n}") for n in (3, 1, 2)]
    rules += [tc.rule("twin", "x:a", language="gem", condition="x.v > 1"), tc.rule("is2", "x:a", condition="x.v == 2")]
    found = tc.detect(rules, table, context="unrestricted")
    assert found == list(Session(rules_program(rules)).detections(events_from(table)))
    assert found.counts == {"over3": 1, "over1": 3, "over2": 2, "twin": 3, "is2": 1}
    assert found.positions()["rule"].to_pylist() == [one.rule for one in found]


def test_time_events_have_no_position() -> None:
    table = pa.table({"type": ["a", "b"], "time": [1, 40]})
    found = tc.detect(tc.rule("t", "a ; every(0/0/0 0:00:10)", context="unrestricted"), table)
    assert found.positions()["positions"].to_pylist() == [[0]] * len(found)
    assert len(found) == 3


def test_a_month_later() -> None:
    table = pa.table({"type": ["a"], "time": pa.array([0], pa.timestamp("s"))})
    found = tc.detect(tc.rule("m", "a + [1 month]", language="gem"), table)
    assert found.positions()["time"].to_pylist() == [found.to_arrow()["time"][0].as_py()]
    assert str(found.to_pandas()["time"][0]) == "1970-02-01 00:00:00+00:00"


def test_nothing_is_held_but_what_is_needed() -> None:
    table = pa.table({"type": ["a", *["x"] * 9, "a"], "time": list(range(11))})
    rows = rows_of([tc.rule("r", "a", context="unrestricted")], table, 2)
    assert [batch.ends != b"" for batch in rows.store.batches] == [True, False, False, False, False, True]
    assert all(not firing.chains for firing in rows.firings)
    assert [one.events for one in rows] == [("1",), ("11",)]
    assert positions_of(rows).events.tolist() == [0, 10]
    store = weakref.ref(rows)
    del rows
    gc.collect()
    assert store() is None


# -- a sequence ----------------------------------------------------------------------------------------------------------

TABLE = pa.table({"type": ["a", "b"] * 15, "time": list(range(30)), "v": list(range(30))})
EACH = tc.rule("each", "x:a", context="unrestricted")
EVENTS = [{"type": "a", "time": n, "data": {"v": n}} for n in range(0, 30, 2)]


@pytest.fixture(params=[TABLE, TABLE.to_pylist()], ids=["columns", "records"])
def found(request: pytest.FixtureRequest) -> Detections:
    events = request.param
    if isinstance(events, list):
        events = [{"type": row["type"], "time": row["time"], "data": {"v": row["v"]}} for row in events]
    return tc.detect(EACH, events)


def test_a_sequence_that_does_not_change(found: Detections) -> None:
    ones = list(found)
    assert (len(found), bool(found), found[0], found[-1]) == (15, True, ones[0], ones[14])
    assert (found[3:1:-1], found[20:], found[-2:]) == ([ones[3], ones[2]], [], ones[-2:])
    assert found == ones
    assert found == tuple(ones)
    assert found != ones[:-1]
    assert found != [*ones[:-1], ones[0]]
    assert found != "each"
    assert ones[4] in found
    assert found.index(ones[4]) == 4
    assert list(reversed(found)) == ones[::-1]
    assert not hasattr(found, "append")
    for wrong in (15, -16):
        with pytest.raises(IndexError):
            found[wrong]
    with pytest.raises(TypeError):
        hash(found)
    with pytest.raises(TypeError):
        found[0] = ones[0]  # type: ignore[index]  # the mistake is the test


def test_only_what_is_looked_at_is_made() -> None:
    found = tc.detect(EACH, TABLE)
    assert (len(found), found.counts, repr(found)) == (15, {"each": 15}, "<Detections: 15 (each 15)>")
    assert len(found._made) == 0
    assert found[2].events == ("5",)
    assert len(found._made) == 3
    assert len(found[:5]) == 5
    assert len(found._made) == 5
    walking, other = iter(found), iter(found)
    assert next(walking) is next(other)


def test_nothing_found() -> None:
    for events in (TABLE, [], TABLE.slice(0, 0)):
        found = tc.detect(tc.rule("none", "z"), events)
        assert (len(found), bool(found), found[:], list(found), found.to_dicts()) == (0, False, [], [], [])
        assert found == []
        assert found.counts == {"none": 0}
        assert found.to_arrow().num_rows == len(found.to_pandas()) == len(found.to_polars()) == 0
        assert found._repr_html_() == "<p>0 detections; none: 0</p>"
        assert repr(found) == "<Detections: 0 (none 0)>"
    assert tc.detect(tc.rule("none", "z"), TABLE).positions().num_rows == 0
    assert repr(tc.detect([], TABLE)) == "<Detections: 0>"
    assert tc.detect([], TABLE).positions().num_rows == 0


def test_what_the_run_has_to_say() -> None:
    records = [{"type": "a", "time": n, "data": {"v": "x" if n else 1}} for n in range(3)]
    bad = pa.table({"type": ["a", None, "a", "a"], "time": [1, 2, 3, 3], "id": ["p", "q", "r", "r"]})
    assert tc.detect(tc.rule("r", "x:a", condition="x.v > 0"), records).notes.incomparable == {"number with string": 2}
    found = tc.detect(EACH, bad, on_error="skip")
    assert (len(found), found.skipped, found.repeated, found.notes.arrivals) == (2, 1, 1, 3)


# -- other shapes --------------------------------------------------------------------------------------------------------


def test_dicts_are_what_the_command_writes_and_can_be_read_again(found: Detections) -> None:
    first = found.to_dicts()[0]
    assert first == {
        "rule": "each", "type": "each", "start": 0.0, "time": 0.0, "detected": 0.0, "events": ["1"],
        "data": {"x.v": 0}, "id": found[0].id,
    }  # fmt: skip
    again = tc.detect(tc.rule("again", "each", context="unrestricted"), found.to_dicts())
    assert [one.time_us for one in again] == [one.time_us for one in found]


def test_columns_of_each_library(found: Detections) -> None:
    names = ["rule", "type", "start", "time", "detected", "events", "notification", "id", "source", "data.x.v"]
    arrow, pandas, polars = found.to_arrow(), found.to_pandas(), found.to_polars()
    assert arrow.column_names == list(pandas.columns) == polars.columns == names
    assert arrow.to_pylist() == polars.to_dicts()
    assert pandas["data.x.v"].tolist() == arrow["data.x.v"].to_pylist() == list(range(0, 30, 2))
    assert pandas["events"][1] == ["3"]
    for frame in (arrow, pandas, polars):
        again = tc.detect(tc.rule("again", "each", context="unrestricted"), frame)
        assert [one.time_us for one in again] == [one.time_us for one in found]


def test_times_are_timestamps_where_they_came_as_such() -> None:
    times = pd.to_datetime(["2026-01-01T00:00:00.5", "2026-01-01T00:00:01.0"])
    found = tc.detect(EACH, pd.DataFrame({"type": "a", "time": times}))
    assert found.to_dicts()[0]["time"] == "2026-01-01T00:00:00.5Z"
    assert str(found.to_arrow()["time"].type) == "timestamp[us, tz=UTC]"
    assert found.to_pandas()["time"][0] == pd.Timestamp("2026-01-01T00:00:00.5Z")
    assert found.to_polars()["time"].dtype == pl.Datetime("us", "UTC")
    assert found.positions()["detected"].to_pylist() == found.to_arrow()["detected"].to_pylist()


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        ([1, None, 2.5], [1.0, None, 2.5]),
        ([1, 2**70], ["1", str(2**70)]),
        ([2**60, 0.5], [str(2**60), "0.5"]),
        ([True, 1], ["true", "1"]),
        (["x", 1], ['"x"', "1"]),
        ([[1, 2], None], [[1, 2], None]),
        ([[1, "x"], []], [["1", '"x"'], []]),
        ([[1], 2], ["[1]", "2"]),
        ([{"y": 1}, None], ['{"y": 1}', None]),
        ([Moment(1_500_000), Period.of(microseconds=SECOND)], [1.5, 1.0]),
    ],
)
def test_a_column_has_values_of_one_type(values: list[Any], kept: list[Any]) -> None:
    ones = [tc.Detection("r", "r", 0, 0, 0, (), {"v": value}) for value in values]
    found = Detections(ones, {"r": 2}, Notes(), TimeStyle(seconds=True))
    assert found.to_arrow()["data.v"].to_pylist() == kept
    assert found.to_polars()["data.v"].to_list() == kept


def test_stamps_and_notifications() -> None:
    rule = tc.rule("r", "x:a", notify="seen {x.v}")
    found = tc.detect(rule, TABLE, time_model="2g:1 sec")
    assert found.to_arrow()["stamp"][0].as_py().startswith("{")
    assert found.to_dicts()[0]["notification"] == "seen 0"
    assert isinstance(found.to_dicts()[0]["stamp"], dict)
    assert "<td>seen 0</td>" in found._repr_html_()


def test_a_table_for_notebooks() -> None:
    data = {"type": ["a"] * 25, "time": pa.array(range(25), pa.timestamp("s")), "v": ["<b>&"] * 24 + ["x" * 900]}
    text = tc.detect(EACH, pa.table(data))._repr_html_()
    assert "<p>25 detections; each: 25</p>" in text
    assert text.count("<tr>") == 21
    assert "<td>1970-01-01T00:00:01Z</td>" in text
    assert "&lt;b&gt;&amp;" in text
    assert "<b>" not in text
    assert "... and 5 more" in text
    assert "1 detection;" in tc.detect(EACH, pa.table(data).slice(24))._repr_html_()
    assert len(tc.detect(EACH, pa.table(data).slice(24))._repr_html_()) < 900


def test_positions_only_where_there_are_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    for events, options in ((EVENTS, {}), (TABLE, {"order": "delay:1 sec"}), (TABLE, {"late": "ignore"})):
        found = tc.detect(EACH, events, **options)  # type: ignore[arg-type]  # options are texts
        assert len(found) == 15
        with pytest.raises(tc.UsageError, match="there are positions where a frame was given"):
            found.positions()
    found = tc.detect(EACH, TABLE)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert found.positions()["positions"].tolist() == list(range(0, 30, 2))
    with pytest.raises(tc.MissingDependency, match=r"tocsin\[arrow\]"):
        found.to_arrow()
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    with pytest.raises(tc.MissingDependency, match="NumPy"):
        found.positions()
