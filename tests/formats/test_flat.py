"""Attributes beside the fields, fields under other names, and times of other kinds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tocsin as tc
from tests.formats.reading import as_tuple, read
from tocsin.errors import EventError, UsageError
from tocsin.events import Event, Heartbeat
from tocsin.formats import Fields, InputClock, TimeStyle, events_from, read_events
from tocsin.formats.fields import KNOWN, columns_of
from tocsin.formats.writers import detection_line

SECOND = 1_000_000
DAY = 1_700_000_000


def attributes(line: str, **options: Any) -> dict[str, object]:
    (event,) = read(line, **options)
    assert isinstance(event, Event)
    return dict(event.data)


def test_fields_beside_the_known_ones_are_attributes() -> None:
    assert attributes('{"type": "login", "time": 1, "user": "bob", "n": null}') == {"user": "bob", "n": None}


def test_what_a_detection_has_is_no_attribute() -> None:
    record = dict.fromkeys(KNOWN, None) | {"type": "a", "time": 1, "severity": "high", "tags": ["x"], "rule": "r"}
    assert attributes(json.dumps(record)) == {}


def test_a_detection_fed_back_has_its_data_alone() -> None:
    rule = tc.rule("pair", "x:a ; y:b", notify="{x.v}")
    found = tc.detect(rule, [{"type": "a", "time": 1, "v": 3}, {"type": "b", "time": 2}])
    (event,) = read(detection_line(found[0], TimeStyle(True)))
    assert as_tuple(event)[5] == {"x.v": 3}


def test_a_key_in_both_places_is_that_of_data_and_is_counted() -> None:
    lines = ['{"type": "a", "time": 1, "user": "out", "data": {"user": "in"}}'] * 2
    arrivals = read_events(_stream("\n".join(lines)), "jsonl")
    assert [event.data for event in arrivals if isinstance(event, Event)] == [{"user": "in"}] * 2
    assert arrivals.remarks == ["2 events have 'user' in data and beside it: the one in data counts"]


def test_dictionaries_are_the_same_with_the_values_of_libraries() -> None:
    from datetime import datetime

    rule = tc.rule("r", "x:a", select={"u": "x.user", "w": "x.when"})
    (found,) = tc.detect(rule, [{"type": "a", "time": 1, "user": "bob", "when": datetime(2026, 1, 2)}])
    assert found.data == {"u": "bob", "w": "2026-01-02T00:00:00Z"}


def test_live_takes_flat_events() -> None:
    (found,) = tc.Live(tc.rule("r", "x:a")).push({"type": "a", "time": 1, "user": "bob"})
    assert found.data == {"x.user": "bob"}


def test_a_heartbeat_in_a_file() -> None:
    (beat,) = read('{"source": "s", "time": 12, "heartbeat": true}')
    assert beat == Heartbeat("s", 12 * SECOND, 12 * SECOND)


# -- fields under other names ------------------------------------------------------------------------------------------


def test_fields_under_other_names() -> None:
    line = '{"event_id": 4625, "@timestamp": "2026-01-01T00:00:01Z", "user": "bob", "type": "windows"}'
    (event,) = read(line, fields=Fields(columns_of("type=event_id,time=@timestamp")))
    assert as_tuple(event)[1] == "4625"
    assert as_tuple(event)[5] == {"user": "bob", "type": "windows"}


def test_fields_further_down_and_joined() -> None:
    line = '{"event": {"action": "login", "day": "2026-01-01"}, "clock": "00:00:02", "date": "2026-01-01"}'
    fields = Fields({"type": "event.action", "time": "date+clock"})
    (event,) = read(line, fields=fields)
    assert as_tuple(event)[1] == "login"
    assert as_tuple(event)[4] == 1_767_225_602 * SECOND
    assert set(as_tuple(event)[5]) == {"event"}  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "named", [{"type": "kind", "time": "Day+Clock"}, {"type": "kind", "time": "Day+Clock", "id": "type"}]
)
def test_columns_of_a_table(named: dict[str, str]) -> None:
    table = "kind,Day,Clock,type,v\na,10/12/2015,06:55:46,x,3\n"
    (event,) = read(table, "csv", fields=Fields(named), clock=InputClock("%d/%m/%Y %H:%M:%S"))
    assert as_tuple(event)[:2] == ("x" if "id" in named else "2", "a")
    assert as_tuple(event)[4] == 1_449_730_546 * SECOND
    assert as_tuple(event)[5] == ({"v": 3} if "id" in named else {"v": 3, "type": "x"})


def test_columns_that_are_not_there() -> None:
    with pytest.raises(UsageError, match=r"no column 'tim' for the time of an event.*did you mean 'time1'"):
        read("type,time1\na,1\n", "csv", fields=Fields({"time": "tim"}))
    with pytest.raises(UsageError, match=r"names 'tyep': .*did you mean 'type'"):
        Fields({"tyep": "x"})
    with pytest.raises(EventError, match="--columns says that it is 'ts'"):
        read('{"type": "a", "time": 1}', fields=Fields({"time": "ts"}))
    with pytest.raises(EventError, match="--columns time=@timestamp"):
        read('{"type": "a", "@timestamp": 1}')


def test_frames_with_fields_under_other_names() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"kind": ["a"], "when": ["1/2/2026"], "v": [3]})
    rule = tc.rule("r", "x:a")
    (found,) = tc.detect(rule, frame, columns={"type": "kind", "time": "when"}, time_format="%d/%m/%Y", zone="UTC")
    assert found.data == {"x.v": 3}


# -- times -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("time", "word"),
    [(DAY * 1000, "milliseconds"), (DAY * 10**6, "microseconds"), (DAY * 10**9 + 999, "nanoseconds")],
)
def test_counts_that_cannot_be_seconds(time: int, word: str) -> None:
    arrivals = read_events(_stream(f'{{"type": "a", "time": {time}}}\n{{"type": "a", "time": {time + 1000}}}'), "jsonl")
    first, second = (event.end for event in arrivals if isinstance(event, Event))
    assert first == DAY * SECOND
    assert second - first == {"milliseconds": SECOND, "microseconds": 1000, "nanoseconds": 1}[word]
    assert arrivals.remarks == [f"times are read as {word} since 1970: {time} is 2023-11-14T22:13:20Z"]


def test_the_first_number_decides() -> None:
    lines = f'{{"type": "a", "time": {DAY}}}\n{{"type": "a", "time": {DAY * 1000}}}'
    with pytest.raises(EventError, match="as milliseconds it is 2023-11-14T22:13:20Z: --time-format epoch-ms"):
        read(lines)


def test_a_unit_that_is_told() -> None:
    for line in (
        '{"type": "a", "time": 1500}',
        '{"type": "a", "time": "1500"}',
        '{"type": "a", "time": [1500, 1500.0]}',
    ):
        assert as_tuple(read(line, clock=InputClock("epoch-ms"))[0])[4] == 1_500_000
    with pytest.raises(EventError, match="expected milliseconds since 1970"):
        read('{"type": "a", "time": "soon"}', clock=InputClock("epoch-ms"))
    with pytest.raises(EventError, match="a number in quotes"):
        read('{"type": "a", "time": "1500"}')


@pytest.mark.parametrize(
    ("time", "time_format", "zone", "expected"),
    [
        ("2026-07-01T12:00:00", None, "Europe/Lisbon", 1_782_903_600),
        ("2026-07-01T12:00:00Z", None, "Europe/Lisbon", 1_782_907_200),
        ("2026-07-01T12:00:00-03:00", None, "Europe/Lisbon", 1_782_918_000),
        ("01/Jul/2026:12:00:00 +0200", "%d/%b/%Y:%H:%M:%S %z", None, 1_782_900_000),
        ("Feb 29 00:00:01", "%b %d %H:%M:%S", None, 951_782_401),
        ("20260701", "%Y%m%d", None, 1_782_864_000),
    ],
)
def test_formats_and_zones(time: str, time_format: str | None, zone: str | None, expected: int) -> None:
    line = json.dumps({"type": "a", "time": time})
    assert as_tuple(read(line, clock=InputClock(time_format, zone))[0])[4] == expected * SECOND


def test_what_is_no_format() -> None:
    for given, said in (("epoch-mss", "did you mean 'epoch-ms'"), ("%Q", "%Q")):
        with pytest.raises(UsageError, match=said):
            InputClock(given)
    with pytest.raises(UsageError, match="unknown time zone 'Europe/Nowhere'"):
        InputClock(zone="Europe/Nowhere")
    with pytest.raises(EventError, match="expected a time as --time-format '%Y' has it"):
        read('{"type": "a", "time": "soon"}', clock=InputClock("%Y"))


# -- several files -----------------------------------------------------------------------------------------------------


def test_several_files_are_read_in_the_order_given(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.csv"
    first.write_text('{"type": "a", "time": 1}\n')
    second.write_text("type,time,id\nb,2,\nb,x,\n")
    bad: list[tuple[int, str]] = []
    arrivals = read_events([first, second], on_error="skip", on_bad=lambda line, text, why: bad.append((line, why)))
    assert [(event.id, event.type) for event in arrivals if isinstance(event, Event)] == [("1", "a"), ("3", "b")]
    assert arrivals.file == str(second)
    assert [line for line, _ in bad] == [3]


def _stream(text: str) -> Any:
    import io

    return io.BytesIO(text.encode())


TWICE = [{"type": "a", "time": 1, "x": 4, "data.x": 3, "y": 5}, {"type": "a", "time": 2, "x": 6}]


def test_a_column_beside_data_gives_way_to_it(tmp_path: Path) -> None:
    file = tmp_path / "events.csv"
    file.write_text("type,time,data.x,x,y,severity\na,1,3,4,5,high\na,2,,6,,\n")
    pandas = pytest.importorskip("pandas")
    note = "1 event has 'x' in data and beside it: the one in data counts"
    for events in (str(file), pandas.DataFrame(TWICE)):
        found = tc.detect(tc.rule("r", "e:a"), events)
        assert [(one.data["e.x"], one.data.get("e.y")) for one in found] == [(3, 5), (6, None)]
        assert note in found.notes.warnings
    file.write_text('type,time,data,x\na,1,"{""x"": 3}",4\n')
    (one,) = tc.detect(tc.rule("r", "e:a"), str(file))
    assert one.data == {"e.x": 3}


@pytest.mark.parametrize("zone", [None, "Europe/Lisbon"])
def test_a_time_written_otherwise_is_told_how_to_be_read(zone: str | None) -> None:
    with pytest.raises(tc.EventError, match="say how it is written, as in --time-format"):
        tc.detect(tc.rule("r", "a"), [{"type": "a", "time": "14/Nov/2023:22:13:20"}], zone=zone)
    with pytest.raises(tc.EventError, match="a number in quotes"):
        tc.detect(tc.rule("r", "a"), [{"type": "a", "time": "1700000000123"}], zone=zone)


def test_a_field_that_is_called_otherwise_is_asked_for() -> None:
    with pytest.raises(EventError, match="say which field it is: --columns type=NAME"):
        list(events_from([{"event": {"action": "login"}, "time": 1}]))
