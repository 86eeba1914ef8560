"""Events of a case: all ways to write them come to the same, and a wrong one is shown where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tocsin.events import Event, Heartbeat
from tocsin.formats import TimeStyle
from tocsin.testing.given import arrivals_of, records_of
from tocsin.testing.marked import Wrong

LONG = {"id": "hot", "time": 12.5, "type": "temp", "source": "s1", "arrival": 14, "data": {"t": 31.0, "room": "FE 02"}}
LINE = 'hot: 12.5 @14 temp s1 t=31.0 room="FE 02"'


def told(given: object, folder: Path = Path()) -> list[tuple[Any, ...]]:
    found = arrivals_of(given, folder, TimeStyle(), None)
    return [(e.id, e.type, e.source, e.start, e.end, e.arrival, dict(e.data)) for e in found if isinstance(e, Event)]


@pytest.mark.parametrize(
    "given",
    [
        [LONG],
        LINE,
        f"# a comment\n\n  {LINE}   # another\n",
        [LINE],
        [{"hot": '12.5 @14 temp s1 t=31.0 room="FE 02"'}],
        [["hot", "temp", 12.5, {"t": 31.0, "room": "FE 02"}, {"source": "s1", "arrival": 14}]],
    ],
)
def test_every_way_of_writing_is_the_same_event(given: object) -> None:
    assert told(given) == [
        ("hot", "temp", "s1", 12_500_000, 12_500_000, 14_000_000, {"t": 31.0, "room": "FE 02"}),
    ]


@pytest.mark.parametrize(
    ("line", "data"),
    [
        ("1 a x=1 y=-2.5 z=1e3", {"x": 1, "y": -2.5, "z": 1000.0}),
        ("1 a x=true y=null z=on", {"x": True, "y": None, "z": "on"}),
        ("1 a x=007 y=12:30 z=", {"x": "007", "y": "12:30", "z": ""}),
        (r'1 a x="say \"hi\" # no" y="1"', {"x": 'say "hi" # no', "y": "1"}),
        ("1 a x=[1,2] y=1e999 z=a=b", {"x": [1, 2], "y": "1e999", "z": "a=b"}),
    ],
)
def test_values(line: str, data: dict[str, object]) -> None:
    (found,) = told(line)
    assert found[-1] == data
    assert [type(value) for value in found[-1].values()] == [type(value) for value in data.values()]


def test_times() -> None:
    (moment, interval) = told("2026-11-15T20:00:00Z a\n[1796000000, 1796000002.5] b")
    assert moment[3] == moment[4] == 1_794_772_800_000_000
    assert interval[3:5] == (1_796_000_000_000_000, 1_796_000_002_500_000)


def test_ids_are_counted_and_repeated_ones_are_heartbeats() -> None:
    assert [each[0] for each in told("1 a\n# no event\n2 a\nx: 3 a")] == ["1", "2", "x"]
    found = arrivals_of("x: 1 a\nx: 1 a", Path(), TimeStyle(), None)
    assert isinstance(found[1], Heartbeat)


def test_no_events() -> None:
    assert told(None) == told([]) == told("") == []


def test_a_file_beside_the_test(tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_text('{"type": "a", "time": 1}\n{"type": "b", "time": 2}\n')
    (tmp_path / "events.csv").write_text("id,type,time\n1,a,1\n2,b,2\n")
    assert told("events.jsonl", tmp_path) == told("events.csv", tmp_path) == told("1 a\n2 b")


@pytest.mark.parametrize(
    ("given", "path", "message"),
    [
        ("temp 12", (), "begins with its time"),
        ("12.5", (), "no type"),
        ("12.5 x=1", (), "no type"),
        ("1 a s1 s2", (), "'s2' is no attribute"),
        ("1 a x=1 x=2", (), "'x' is given twice"),
        (["1 a", 7], (1,), "7 is no event"),
        ([[1, "a"]], (0,), "3 to 5 parts"),
        ([[1, "a", 2, {}, 5]], (0, 4), "is a mapping"),
        ([{"type": "a"}], (0,), "no time"),
        ([{"type": "a", "time": "noon"}], (0,), "noon"),
        ({"a": 1}, (), "a list of events"),
        ("missing.jsonl", (), "no file 'missing.jsonl'"),
    ],
)
def test_what_is_no_event_is_refused(given: object, path: tuple[int, ...], message: str) -> None:
    with pytest.raises(Wrong) as caught:
        arrivals_of(given, Path(), TimeStyle(), None)
    assert caught.value.path == path
    assert message in caught.value.message


def test_a_wrong_line_is_marked_where_it_is_wrong() -> None:
    text = "1 a\n  2 b x=1 what\n"
    with pytest.raises(Wrong) as caught:
        list(records_of(text))
    span = caught.value.span
    assert span is not None
    assert text[span.start : span.stop] == "what"
