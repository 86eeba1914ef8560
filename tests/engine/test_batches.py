"""Columns give what rows give: the same events of any frame, the same detections, the same refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amounts import examples
from tests.formats.reading import as_tuple, tuples
from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import Declaration, Rule
from tocsin.engine.frames.batches import SLICE, slices_of
from tocsin.engine.frames.rows import run_slices
from tocsin.errors import EventError, UsageError
from tocsin.formats import TimeStyle, events_from
from tocsin.formats.intake import Intake
from tocsin.languages import parse
from tocsin.rules.declared_events import conformer
from tocsin.rules.programs import rules_program
from tocsin.session import Session

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
np = pytest.importorskip("numpy")

NAMES = ("a", "b", "", "ä", "\N{SNOWMAN}", "a\0")
UNITS = ("s", "ms", "us", "ns")
EDGE = 2**63 - 1
LAST = 253_402_300_799

# -- frames of every kind ------------------------------------------------------------------------------------------------


def as_numpy(table: Any) -> dict[str, Any]:
    return {name: table[name].to_numpy(zero_copy_only=False) for name in table.column_names}


FRAMES: dict[str, Callable[[Any], Any]] = {
    "Arrow table": lambda table: table,
    "Arrow chunks": lambda table: pa.concat_tables([table.slice(0, 2), table.slice(2)]),
    "Arrow batch": lambda table: table.combine_chunks().to_batches()[0],
    "Arrow stream": lambda table: table.to_reader(max_chunksize=2),
    "pandas": lambda table: table.to_pandas(),
    "pandas objects": lambda table: table.to_pandas(timestamp_as_object=True).astype(object),
    "pandas over Arrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "pandas nullable": lambda table: table.to_pandas().convert_dtypes(),
    "Polars": pl.from_arrow,
    "Polars lazy": lambda table: pl.from_arrow(table).lazy(),
    "NumPy": as_numpy,
}


def columns(kind: Any, values: st.SearchStrategy[Any], nulls: bool = True) -> Callable[[int], st.SearchStrategy[Any]]:
    """Columns of one type, for any number of rows."""

    def of(count: int) -> st.SearchStrategy[Any]:
        cells = st.one_of(values, st.none()) if nulls else values
        return st.lists(cells, min_size=count, max_size=count).map(lambda found: pa.array(found, kind))

    return of


def encoded(make: Callable[[int], st.SearchStrategy[Any]]) -> Callable[[int], st.SearchStrategy[Any]]:
    return lambda count: make(count).map(lambda column: column.dictionary_encode())


def pieced(first: Any) -> Callable[[int], st.SearchStrategy[Any]]:
    """A column with a dictionary of its own, which has more than the column, and some of it twice."""
    values = pa.array(first)
    codes = st.integers(0, len(first) - 1)
    return lambda count: st.lists(codes, min_size=count, max_size=count).map(
        lambda found: pa.DictionaryArray.from_arrays(pa.array(found, pa.int32()), values)
    )


def small(nulls: bool) -> list[Callable[[int], st.SearchStrategy[Any]]]:
    """Times as they mostly are."""
    return [
        columns(pa.int64(), st.integers(-3, 8), nulls),
        columns(pa.int32(), st.integers(-3, 8), nulls),
        columns(pa.float64(), st.integers(-30, 80).map(lambda n: n / 10), nulls),
        columns(pa.float64(), st.floats(-4e9, 4e9), nulls),
        columns(pa.float32(), st.floats(0, 9, width=32), nulls),
        *(columns(pa.timestamp(unit), st.integers(-(10**4), 10**4), nulls) for unit in UNITS),
        *(columns(pa.timestamp(unit, "Asia/Tokyo"), st.integers(0, 10**4), nulls) for unit in UNITS),
        columns(pa.string(), st.sampled_from(("1970-01-01T00:00:02Z", "1970-01-01T00:00:03.5+01:00")), nulls),
        columns(pa.date32(), st.integers(0, 3), nulls),
        columns(pa.decimal128(10, 2), st.integers(0, 9).map(Decimal), nulls),
    ]


ODD_TIMES = [
    columns(pa.int64(), st.sampled_from((0, LAST, LAST + 1, -LAST, EDGE, -EDGE))),
    columns(pa.uint64(), st.sampled_from((0, 1, 2**64 - 1))),
    columns(pa.float64(), st.sampled_from((0.0, float("nan"), float("inf"), 2.0**31, 1e300, -1e11))),
    *(columns(pa.timestamp(unit), st.sampled_from((0, -1, 999, LAST, EDGE, -EDGE))) for unit in UNITS),
    columns(pa.string(), st.sampled_from(("1970-01-01T00:00:02Z", "soon", ""))),
    columns(pa.list_(pa.float64()), st.sampled_from(([1.0, 2.0], [2.0, 1.0], [1.0]))),
    columns(pa.bool_(), st.booleans()),
]
TEXTS = st.sampled_from(NAMES)
TYPES = [
    *(columns(kind, TEXTS.filter(bool), False) for kind in (pa.string(), pa.large_string())),
    encoded(columns(pa.string(), TEXTS.filter(bool), False)),
    columns(pa.string(), TEXTS),
    encoded(columns(pa.string(), TEXTS)),
    pieced(["a", "b", "a", "ä"]),
    columns(pa.int64(), st.integers(0, 2)),
]
IDENTITIES = [
    columns(pa.string(), st.text(max_size=2)),
    columns(pa.string(), st.uuids().map(str), False),
    encoded(columns(pa.string(), st.sampled_from(("1", "2", "3")))),
    columns(pa.int64(), st.integers(-2, 99)),
    columns(pa.int32(), st.integers(0, 10**9), False),
    columns(pa.float64(), st.sampled_from((1.0, 2.0, 2.5))),
    columns(pa.bool_(), st.booleans()),
    columns(pa.null(), st.none()),
]
ATTRIBUTES = [
    columns(pa.int64(), st.integers(-3, 3)),
    columns(pa.int64(), st.sampled_from((EDGE, -EDGE, 2**53, 2**53 + 1)), False),
    *(columns(kind, st.integers(0, 3), False) for kind in (pa.int8(), pa.uint32(), pa.uint64())),
    columns(pa.uint64(), st.sampled_from((0, 2**64 - 1))),
    columns(pa.float64(), st.floats(allow_infinity=False)),
    columns(pa.float64(), st.sampled_from((0.0, -0.0, 1.5, 2.0)), False),
    columns(pa.float64(), st.sampled_from((1.0, float("inf")))),
    columns(pa.float32(), st.floats(width=32, allow_infinity=False)),
    columns(pa.bool_(), st.booleans()),
    columns(pa.string(), TEXTS),
    columns(pa.large_string(), TEXTS),
    encoded(columns(pa.string(), TEXTS)),
    encoded(columns(pa.int64(), st.integers(0, 2))),
    pieced(["x", None, "y", "x"]),
    *(columns(pa.timestamp(unit), st.integers(-(10**9), 10**9)) for unit in UNITS),
    *(columns(pa.timestamp(unit), st.sampled_from((0, EDGE))) for unit in UNITS),
    columns(pa.date32(), st.integers(-9, 9)),
    *(columns(pa.duration(unit), st.integers(-99, 99)) for unit in UNITS),
    columns(pa.decimal128(10, 2), st.decimals(-9, 9, places=2)),
    columns(pa.binary(), st.sampled_from((b"x", b"\xff"))),
    columns(pa.list_(pa.int64()), st.lists(st.integers(0, 2), max_size=2)),
    columns(pa.null(), st.none()),
]


SCALARS = st.one_of(
    st.integers(-3, 3),
    st.sampled_from((2**53 + 1, 10**30, 0.0, -0.0, 1.5, 1e300, True, False, None, "", "ä", "\N{SNOWMAN}", "1")),
)
OBJECTS = [
    st.fixed_dictionaries({"k": SCALARS, "v": SCALARS}).map(json.dumps),
    st.dictionaries(st.sampled_from(("k", "v", "w x", "k.v", "")), SCALARS, max_size=3).map(json.dumps),
    st.fixed_dictionaries({"k": st.integers(0, 3), "v": st.floats(-9, 9)}).map(json.dumps),
]
ODD_OBJECTS = (
    "",
    "{}",
    "[1]",
    "null",
    "x",
    '{"k": 1',
    '{"k": 1}, {"k": 2}',
    ' {"k": 1} ',
    '{"k": 1, "k": 2}',
    '{"k": {"n": 1}}',
)
ODD_OBJECTS += ('{"k": NaN}', '{"k": 1e999}', '{"k": -Infinity}', '{"k": "\\ud800"}', '{"k": [1]}', "{" * 2000)


@st.composite
def objects(draw: st.DrawFn, count: int) -> Any:
    """A column of JSON objects; some are none."""
    texts = draw(st.lists(st.one_of(draw(st.sampled_from(OBJECTS)), st.none()), min_size=count, max_size=count))
    if count and draw(st.integers(0, 2)) == 0:
        texts[draw(st.integers(0, count - 1))] = draw(st.sampled_from(ODD_OBJECTS))
    return pa.array(texts, draw(st.sampled_from((pa.string(), pa.large_string()))))


def one_of(makers: list[Any], count: int) -> st.SearchStrategy[Any]:
    return st.sampled_from(makers).flatmap(lambda make: make(count))  # type: ignore[no-any-return]


@st.composite
def tables(draw: st.DrawFn) -> Any:
    """Tables of events: mostly good ones, of every kind of column, and some with a mistake."""
    count = draw(st.integers(0, 7))
    is_good = draw(st.integers(0, 3)) > 0
    made: dict[str, Any] = {
        "type": draw(one_of(TYPES[:3] if is_good else TYPES, count)),
        "time": draw(one_of(small(False) if is_good else [*small(True), *ODD_TIMES], count)),
    }
    for name in ("start", "arrival"):
        if draw(st.integers(0, 3)) == 0:
            made[name] = draw(one_of(small(True) if is_good else ODD_TIMES, count))
    for name in ("id", "source"):
        if draw(st.integers(0, 2)) == 0:
            made[name] = draw(one_of(IDENTITIES, count))
    if draw(st.integers(0, 3)) == 0:
        return pa.table({**made, "data": draw(objects(count))})
    for name in draw(st.lists(st.sampled_from(("k", "v", "data.k", "data", "w x", "")), unique=True, max_size=4)):
        made[name] = draw(one_of(ATTRIBUTES, count))
    return pa.table(made)


@st.composite
def busy_tables(draw: st.DrawFn) -> Any:
    """Tables in which much is detected: two types, times that are close, values that can be compared."""
    count = draw(st.integers(2, 9))
    kinds = columns(pa.string(), st.sampled_from(("a", "b")), False)
    made = {"type": draw(one_of([kinds, encoded(kinds), pieced(["a", "b", "a", "ä"])], count))}
    made["time"] = draw(one_of([*small(False)[:3], columns(pa.timestamp("s"), st.integers(0, 9), False)], count))
    if draw(st.booleans()):
        made["arrival"] = draw(columns(pa.int64(), st.integers(0, 12))(count))
    if draw(st.booleans()):
        made["source"] = draw(columns(pa.string(), st.sampled_from(("s", "t")))(count))
    if draw(st.integers(0, 3)) == 0:
        return pa.table({**made, "data": draw(objects(count))})
    for name in ("k", "v"):
        made[name] = draw(one_of(COMPARED, count))
    return pa.table(made)


COMPARED = [
    columns(pa.int64(), st.integers(0, 3)),
    columns(pa.int64(), st.integers(0, 3), False),
    columns(pa.int64(), st.sampled_from((2**53, 2**53 + 1, EDGE)), False),
    columns(pa.float64(), st.sampled_from((0.0, -0.0, 1.0, 2.5, float("nan")))),
    columns(pa.float64(), st.sampled_from((0.0, -0.0, 1.0, 2.5)), False),
    columns(pa.uint64(), st.sampled_from((0, 1, 2**64 - 1))),
    columns(pa.string(), st.sampled_from(("a", "b", ""))),
    columns(pa.bool_(), st.booleans()),
    columns(pa.list_(pa.int64()), st.just([1])),
    encoded(columns(pa.string(), st.sampled_from(("a", "b")))),
]


def outcome(run: Callable[[], Any]) -> tuple[str, object]:
    """What was given, types and all, or what was refused."""
    try:
        return "given", repr(run())
    except EventError as error:
        return "refused", str(error)


def by_rows(frame: Any, on_error: str) -> Any:
    style = TimeStyle()
    arrivals = events_from(frame, on_error, style=style)
    return [as_tuple(one) for one in arrivals], arrivals.skipped, arrivals.repeated, style.seconds


def by_slices(frame: Any, on_error: str, size: int) -> Any:
    intake = Intake("<frame>", on_error)
    slices = slices_of(frame, intake, size=size)
    assert slices is not None
    found = [as_tuple(one) for each in slices for one in each.arrivals()]
    return found, intake.skipped, intake.repeated, intake.style.seconds


@pytest.mark.parametrize("kind", FRAMES)
@settings(max_examples=examples(60))
@given(table=tables(), on_error=st.sampled_from(("refuse", "skip")), size=st.sampled_from((2, 3, 100)))
def test_the_events_of_columns_are_those_of_rows(kind: str, table: Any, on_error: str, size: int) -> None:
    try:
        frame = FRAMES[kind](table)
        again = FRAMES[kind](table)
    except Exception:  # noqa: BLE001 - what a library cannot hold is no frame of its
        return
    assert outcome(lambda: by_slices(frame, on_error, size)) == outcome(lambda: by_rows(again, on_error))


# -- detections ---------------------------------------------------------------------------------------------------------

RULES = rules_program(
    [
        Rule("pair", parse("x:a ; y:b", "eps"), "python"),
        Rule("same", parse("x:a ; y:b when x.k == y.k", "gem"), "python"),
        Rule("less", parse("x:a & y:a when x.k < y.k", "gem"), "python"),
        *(Rule(f"over{n}", parse(f"x:b when x.v > {n}", "gem"), "python") for n in (0, 1, 2)),
        Rule("text", parse('x:a when x.k == "a"', "gem"), "python"),
        Rule("sourced", parse("x:a ; y:a when x.source == y.source", "gem"), "python"),
    ]
)


def detections_by_rows(frame: Any, on_error: str) -> Any:
    notes = Notes()
    return list(Session(RULES).detections(events_from(frame, on_error), notes)), notes


def detections_by_slices(frame: Any, on_error: str, size: int) -> Any:
    notes = Notes()
    slices = slices_of(frame, Intake("<frame>", on_error), size=size)
    assert slices is not None
    return list(run_slices(Session(RULES).program, slices, None, notes)), notes


@pytest.mark.parametrize("kind", ["Arrow table", "pandas", "Polars", "NumPy"])
@settings(max_examples=examples(50))
@given(table=busy_tables(), on_error=st.sampled_from(("refuse", "skip")), size=st.sampled_from((2, 3, 100)))
def test_the_detections_of_columns_are_those_of_rows(kind: str, table: Any, on_error: str, size: int) -> None:
    try:
        frame = FRAMES[kind](table)
    except Exception:  # noqa: BLE001 - what a library cannot hold is no frame of its
        return
    assert outcome(lambda: detections_by_slices(frame, on_error, size)) == outcome(
        lambda: detections_by_rows(frame, on_error)
    )


# -- how they go ----------------------------------------------------------------------------------------------------------


def ways(frame: Any, size: int = SLICE, on_error: str = "skip", **declared: dict[str, str]) -> list[bool]:
    """For each slice, whether it went by columns."""
    classes = {name: Declaration(name, tuple(kinds.items())) for name, kinds in declared.items()}
    slices = slices_of(frame, Intake("<frame>", on_error, conform=conformer(classes)), classes, size)
    assert slices is not None
    return [each.columns is not None for each in slices]


GOOD: dict[str, list[Any]] = {"type": ["a", "b", "c", "d"], "time": [1, 2, 3, 4], "v": [1.5, None, 2.5, float("nan")]}


@pytest.mark.parametrize("kind", FRAMES)
def test_good_frames_go_by_columns(kind: str) -> None:
    extra = {"id": ["p", "q", None, "r"], "source": ["s", None, "s", ""], "k": [1, 2, 3, 4], "t": ["x", None, "y", "x"]}
    times = pa.array([1, 2, 3, 4], pa.timestamp("ms", "UTC"))
    for table in (pa.table(GOOD), pa.table(GOOD | extra), pa.table(GOOD | {"time": times})):
        if kind == "pandas objects" and "id" in table.column_names:
            table = table.drop(["id"])  # objects that are not all texts are not looked into
        found = ways(FRAMES[kind](table), 2)
        assert found == [True] * len(found)
        assert found


def test_objects_go_by_columns_if_they_are_plain_and_alike() -> None:
    table = pa.table({"type": ["a", "b", "a"], "time": [1, 2, 3]})
    for texts, is_plain in (
        (['{"k": 1, "v": "x"}', None, '{"v": 2.5}'], True),
        (['{"k": 1, "v": "x"}', "", '{"v": 2.5, "k": null}'], False),
        (['{"k": 1}', "{}", '{"k": [1]}'], False),
    ):
        (one,) = slices_of(table.append_column("data", pa.array(texts)), Intake("<frame>")) or ()
        assert (one.columns is not None) == is_plain


def test_what_columns_cannot_say_goes_by_rows() -> None:
    assert ways(pa.table(GOOD), a={"v": "time"}) == [False]
    assert ways(pa.table({**GOOD, "data": ["{}"] * 4})) == [False]
    assert ways(pa.table({**GOOD, "id": ["p", "q", "p", "r"]}), 2) == [False, False]
    assert ways(pa.table({**GOOD, "id": ["p", "q", "p", "r"], "source": ["s", "s", "t", "t"]}), 2) == [True, True]
    assert ways(pa.table({**GOOD, "time": [[1.0, 2.0]] * 4})) == [False]


def test_declared_attributes_are_looked_at_by_columns() -> None:
    table = pa.table({**GOOD, "k": [1, 2, 3, 4], "t": ["x", None, "y", "x"]})
    for good in (
        {"a": {"v": "double", "k": "long", "t": "string"}},
        {"c": {"k": "double"}},
        {"a": {}},
        {"x": {"z": "long"}},
    ):
        assert ways(table, **good) == [True], good
    for bad in (
        {"b": {"v": "double"}},
        {"d": {"v": "double"}},
        {"a": {"v": "long"}},
        {"b": {"t": "string"}},
        {"a": {"z": "long"}},
    ):
        assert ways(table, **bad) == [False], bad


CLASSES = {"a": {"v": "double"}, "b": {"k": "long", "t": "string"}, "c": {"t": "char"}, "d": {"k": "time"}, "e": {}}


@given(
    st.lists(
        st.tuples(
            st.sampled_from("abcdef"),
            st.sampled_from((1.5, None, float("nan"), 3.0)),
            st.sampled_from((1, 2, None)),
            st.sampled_from(("x", "yy", None)),
        ),
        min_size=1,
        max_size=6,
    ),
    st.lists(st.sampled_from("abcde"), unique=True),
)
def test_declared_classes_make_no_difference_to_how_a_frame_is_read(
    rows: list[tuple[Any, ...]], names: list[str]
) -> None:
    classes = {name: Declaration(name, tuple(CLASSES[name].items())) for name in names}
    kinds, v, k, t = ([row[place] for row in rows] for place in range(4))
    columns = {
        "type": kinds,
        "time": list(range(len(rows))),
        "v": v,
        "k": pa.array(k, pa.int64()),
        "t": pa.array(t, pa.string()),
    }
    frame, conform = pa.table(columns), conformer(classes)
    slices = slices_of(frame, Intake("<frame>", "skip", conform=conform), classes, 2)
    found = [as_tuple(one) for each in slices or () for one in each.arrivals()]
    wanted = [as_tuple(one) for one in events_from(frame, "skip", conform=conform)]
    assert found == wanted


def test_a_bad_row_takes_only_its_slice_along() -> None:
    table = pa.table({**GOOD, "time": [1, 2, None, 4]})
    assert ways(table, 1) == [True, True, True]
    assert ways(table, 2) == [True, False]
    arrivals = [one for each in slices_of(table, Intake("<frame>", "skip"), size=1) or () for one in each.arrivals()]
    assert [event[0] for event in tuples(arrivals)] == ["1", "2", "4"]
    with pytest.raises(EventError, match="<frame>:3:1: the event has no time"):
        ways(table, 2, on_error="refuse")


def test_without_pyarrow_every_frame_goes_by_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame(GOOD)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert ways(frame) == [False]


def test_a_large_dictionary_is_not_read_for_each_slice() -> None:
    kinds = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, 1], pa.int32()), pa.array([f"t{n}" for n in range(1000)]))
    slices = list(slices_of(pa.table({**GOOD, "type": kinds}), Intake("<frame>"), size=2) or ())
    assert [each.batch().kinds for each in slices] == [["t0", "t1"], ["t0", "t1"]]


def test_arrays_of_a_dict_are_columns() -> None:
    times = np.array(["1970-01-01T00:00:01", "NaT"], "datetime64[ns]")
    columns = {"type": np.array(["a", "b"]), "time": np.array([1, 2]), "t": times, "d": times - times[0]}
    found = tuples(events_from(columns))
    assert [event[5] for event in found] == [{"t": "1970-01-01T00:00:01Z", "d": 0.0}, {}]
    assert repr(by_slices(columns, "refuse", 9)[0]) == repr(found)
    for wrong in ({**columns, "v": np.zeros(3)}, {"type": np.zeros((2, 2))}):
        with pytest.raises(UsageError, match="of one dimension, and equally long"):
            events_from(wrong)


def test_timestamps_beyond_every_year_are_refused() -> None:
    times = pd.Series(np.array([0, 2**62], "datetime64[s]"))
    for frame in (
        pd.DataFrame({"type": "a", "time": [1, 2], "t": times}),
        pd.DataFrame({"type": "a", "time": [1, 2], "t": times.astype(pd.ArrowDtype(pa.timestamp("s")))}),
        {"type": np.array(["a", "a"]), "time": np.array([1, 2]), "t": times.to_numpy()},
    ):
        with pytest.raises(EventError, match=r":2:1: attribute 't' .* is outside the years 1 to 9999"):
            list(events_from(frame))


@pytest.mark.parametrize("infinite", [float("inf"), float("-inf")])
def test_an_infinite_number_is_refused_by_its_row(infinite: float) -> None:
    for values in ([1.0, 2.0, infinite, 4.0], [1.0, None, infinite, float("nan")]):
        table = pa.table({**GOOD, "v": values})
        assert ways(table) == [False]
        with pytest.raises(EventError, match=r"<frame>:3:1: attribute 'v' is -?inf"):
            ways(table, on_error="refuse")


@pytest.mark.parametrize("gap", ["", None])
def test_an_empty_type_is_refused_even_inside_a_dictionary(gap: str | None) -> None:
    words = pa.array(["a", gap, "b"])
    for codes, is_good in (([0, 1, 2, 0], False), ([0, 2, 2, 0], gap == "")):
        kinds = pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), words)
        table = pa.table({**GOOD, "type": kinds})
        assert ways(table) == [is_good]
        arrivals = [one for each in slices_of(table, Intake("<frame>", "skip")) or () for one in each.arrivals()]
        assert [event[1] for event in tuples(arrivals)] == [words[code].as_py() for code in codes if code != 1]
