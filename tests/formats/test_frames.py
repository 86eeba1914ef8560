"""Frames of Arrow, pandas and Polars, and Parquet files: the same events from each."""

import io
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.formats.reading import as_tuple, read, tuples
from tocsin.errors import EventError, UsageError
from tocsin.formats import events_from, read_events
from tocsin.formats.frames import SLICE

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
np = pytest.importorskip("numpy")
pq = pytest.importorskip("pyarrow.parquet")

SECOND = 1_000_000


def parquet(columns: dict[str, list[object]]) -> io.BytesIO:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    file.seek(0)
    return file


FRAMES: dict[str, Callable[[dict[str, list[object]]], Any]] = {
    "Arrow table": pa.table,
    "Arrow batch": lambda columns: pa.RecordBatch.from_pydict(columns),
    "Arrow stream": lambda columns: pa.table(columns).to_reader(max_chunksize=2),
    "pandas": lambda columns: pd.DataFrame(columns),
    "pandas over Arrow": lambda columns: pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype),
    "Polars": lambda columns: pl.DataFrame(columns),
    "Polars lazy": lambda columns: pl.DataFrame(columns).lazy(),
    "Parquet": parquet,
}


@pytest.fixture(params=FRAMES)
def events(request: pytest.FixtureRequest) -> Callable[..., list[tuple[object, ...]]]:
    """Columns through one kind of frame to events."""

    def through(columns: dict[str, list[object]], **options: Any) -> list[tuple[object, ...]]:
        frame = FRAMES[request.param](columns)
        if request.param == "Parquet":
            return tuples(read_events(frame, format="parquet", **options))
        return tuples(events_from(frame, **options))

    return through


Through = Callable[..., list[tuple[object, ...]]]


def test_columns_of_every_kind(events: Through) -> None:
    columns: dict[str, list[object]] = {
        "id": ["7", None, "7"],
        "type": ["a", "b", "a"],
        "source": ["s", None, "s"],
        "time": [1.5, 2.5, 1.5],
        "arrival": [None, 9.0, None],
        "data": [{"x": 1, "y": None}, {"x": None, "y": "z"}, {"x": 1, "y": None}],
        "data.w": [True, None, True],
        "n": [1.5, None, 1.5],
    }
    assert events(columns) == [
        ("7", "a", "s", 1_500_000, 1_500_000, {"x": 1, "w": True, "n": 1.5}, 1_500_000),
        ("2", "b", "", 2_500_000, 2_500_000, {"y": "z"}, 9 * SECOND),
        ("heartbeat", "s", 1_500_000, 9 * SECOND),
    ]


@pytest.mark.parametrize("zone", [None, UTC])
def test_timestamps_are_times_and_attributes(events: Through, zone: Any) -> None:
    moment = datetime(1995, 6, 27, 10, 30, 0, 250, tzinfo=zone)
    found = events({"type": ["a"], "time": [moment], "start": [moment - timedelta(seconds=1)], "seen": [moment]})
    instant = 804249000000250
    assert found == [("1", "a", "", instant - SECOND, instant, {"seen": "1995-06-27T10:30:00.00025Z"}, instant)]


def test_dates_and_lengths_of_time(events: Through) -> None:
    found = events({"type": ["a"], "time": [date(1970, 1, 2)], "for": [timedelta(seconds=1.5)]})
    assert found[0][4:6] == (86_400 * SECOND, {"for": 1.5})


def test_text_times_whole_numbers_and_intervals(events: Through) -> None:
    assert events({"type": ["a"], "time": ["1970-01-01T00:00:01Z"]})[0][4] == SECOND
    assert events({"type": ["a"], "time": [3], "id": [12], "source": [5]})[0][:5] == (
        "12",
        "a",
        "5",
        3 * SECOND,
        3 * SECOND,
    )
    assert events({"type": ["a"], "time": [[1.0, 2.0]]})[0][3:5] == (SECOND, 2 * SECOND)


def test_values_are_plain_python(events: Through) -> None:
    data = events({"type": ["a"], "time": [1], "i": [3], "f": [0.5], "b": [True], "s": ["x"], "l": [[1, 2]]})[0][5]
    assert data == {"i": 3, "f": 0.5, "b": True, "s": "x", "l": [1, 2]}
    assert [type(value) for value in data.values()] == [int, float, bool, str, list]  # type: ignore[attr-defined]


def test_many_slices(events: Through) -> None:
    count = SLICE * 2 + 5
    found = events({"type": ["a"] * count, "time": list(range(count)), "n": list(range(count))})
    assert [event[5] for event in found] == [{"n": n} for n in range(count)]
    assert found[-1][0] == str(count)


def test_a_bad_row_is_refused_by_number_or_skipped(events: Through) -> None:
    columns = {"type": ["a", None, "c"], "time": [1.0, 2.0, 3.0]}
    with pytest.raises(EventError, match=r":2:1: the event has no type"):
        events(columns)
    assert [event[1] for event in events(columns, on_error="skip")] == ["a", "c"]


def test_a_frame_without_types_is_refused_whole(events: Through) -> None:
    with pytest.raises(EventError, match="there is no column 'type'"):
        events({"Type": ["a"], "time": [1]}, on_error="skip")


def test_an_empty_frame_has_no_events(events: Through) -> None:
    assert events({"type": [], "time": []}) == []


def test_numpy_in_pandas_and_its_kinds_of_nothing() -> None:
    frame = pd.DataFrame(
        {
            "type": ["a", "b"],
            "time": np.array(["1970-01-01T00:00:01.5", "1970-01-01T00:00:02"], dtype="datetime64[ns]"),
            "arrival": [pd.NaT, pd.Timestamp(3, unit="s", tz="Europe/Lisbon")],
            "i": pd.array([1, None], dtype="Int64"),
            "c": pd.Categorical(["x", None]),
            "o": [np.float32(0.5), np.array([1, 2])],
            "when": [np.datetime64("1970-01-01T00:00:01", "ns"), pd.Timedelta(seconds=2)],
        }
    )
    first, second = tuples(events_from(frame))
    assert first[4:] == (1_500_000, {"i": 1, "c": "x", "o": 0.5, "when": "1970-01-01T00:00:01Z"}, 1_500_000)
    assert second[4:] == (2 * SECOND, {"o": [1, 2], "when": 2.0}, 3 * SECOND)
    assert type(first[5]["o"]) is float  # type: ignore[index]


def test_nanoseconds_and_years_that_python_has_not() -> None:
    times = pa.array([1_500_000_999, -1], pa.timestamp("ns"))
    assert [event[4] for event in tuples(events_from(pa.table({"type": ["a", "b"], "time": times})))] == [1_500_000, -1]
    far = pa.table({"type": ["a", "b"], "time": pa.array([2**40, 1], pa.timestamp("s", tz="Asia/Tokyo"))})
    arrivals = events_from(far, on_error="skip")
    assert ([event[4] for event in tuples(arrivals)], arrivals.skipped) == ([SECOND], 1)


def test_arrow_maps_dictionaries_and_json_text() -> None:
    pairs = pa.array([[("x", 1)]], pa.map_(pa.string(), pa.int64()))
    kinds = pa.array(["a"]).dictionary_encode()
    assert tuples(events_from(pa.table({"type": kinds, "time": [1], "data": pairs})))[0][5] == {"x": 1}
    assert tuples(events_from(pa.table({"type": ["a"], "time": [1], "data": ['{"x": 1}']})))[0][5] == {"x": 1}


def test_a_subclass_of_a_frame_is_one() -> None:
    class Special(pd.DataFrame):  # type: ignore[misc]
        pass

    assert tuples(events_from(Special({"type": ["a"], "time": [1]})))[0][1] == "a"


def test_parquet_from_a_path_and_from_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "events.parquet"
    path.write_bytes(parquet({"type": ["a"], "time": [1]}).getvalue())
    assert tuples(read_events(path))[0][1] == "a"

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    assert tuples(read_events(Pipe(path.read_bytes()), format="parquet"))[0][1] == "a"


def test_what_is_no_parquet_file() -> None:
    whole = parquet({"type": ["a"], "time": [1]}).getvalue()
    for content in (b"", b"PAR1", b'{"type": "a"}', whole[:-20]):
        with pytest.raises(EventError, match="not a Parquet file"):
            read(content, "parquet", on_error="skip")
    with pytest.raises(UsageError, match="as bytes"):
        list(read_events(io.StringIO("x"), format="parquet"))


def test_times_as_numbers_set_the_style() -> None:
    for frame, seconds in (
        (pa.table({"type": ["a"], "time": [1]}), True),
        (pd.DataFrame({"type": ["a"], "time": [pd.Timestamp(0)]}), False),
    ):
        arrivals = events_from(frame)
        list(arrivals)
        assert arrivals.style.seconds is seconds


def test_no_library_is_imported_that_is_not_needed() -> None:
    code = (
        "import sys; from tocsin.formats import events_from; list(events_from([{'type': 'a', 'time': 1}])); "
        "print(sorted({'pyarrow', 'pandas', 'polars', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_parquet_without_pyarrow_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    from tocsin.errors import MissingDependency

    with pytest.raises(MissingDependency, match=r"tocsin\[arrow\]"):
        list(read_events(io.BytesIO(b"PAR1"), format="parquet"))


def test_frames_agree_with_lines() -> None:
    lines = (
        '{"type": "a", "time": 1.25, "source": "s", "data": {"x": 1}}\n{"type": "b", "time": 1, "data": {"y": "z"}}\n'
    )
    frame = pa.table({"type": ["a", "b"], "time": [1.25, 1], "source": ["s", None], "x": [1, None], "y": [None, "z"]})
    assert [as_tuple(e) for e in read(lines)] == tuples(events_from(frame))
