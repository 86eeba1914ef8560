"""What is the same for every format: duplicates, what is forgotten, bad events, and Python objects as events."""

import enum
import io
import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats.reading import as_tuple, read, tuples
from tocsin.errors import EventError, UsageError
from tocsin.events import Detection, Event, Heartbeat
from tocsin.formats import Quarantine, events_from, read_events

SECOND = 1_000_000


def lines(*records: dict[str, object]) -> str:
    return "\n".join(json.dumps(record) for record in records)


def test_an_event_that_comes_twice_is_a_heartbeat_of_its_source() -> None:
    event = {"id": "x", "type": "a", "source": "s", "time": 5}
    found = read(lines(event, {**event, "arrival": 9}, {**event, "source": "t"}, {**event, "id": "y"}))
    assert [isinstance(arrival, Heartbeat) for arrival in found] == [False, True, False, False]
    assert found[1] == Heartbeat("s", 5 * SECOND, 9 * SECOND)
    assert found[2].arrival == 9 * SECOND


def test_ids_that_were_not_given_are_never_duplicates() -> None:
    found = read(
        lines({"id": "2", "type": "a", "time": 1}, {"type": "a", "time": 1}, {"id": "2", "type": "a", "time": 1})
    )
    assert [as_tuple(arrival)[0] for arrival in found] == ["2", "2", "heartbeat"]


def test_ids_are_forgotten_after_as_much_event_time_as_was_asked() -> None:
    records = [{"id": "x", "type": "a", "time": t} for t in (0, 10, 10.5, 20, 20.5, 21)]
    kinds = [isinstance(arrival, Heartbeat) for arrival in read(lines(*records), remember=10 * SECOND)]
    assert kinds == [False, True, False, True, True, False]


@given(st.lists(st.tuples(st.sampled_from("pqr"), st.integers(0, 60))), st.integers(0, 20))
def test_forgetting_in_generations_is_the_same_as_looking_at_every_id(
    rows: list[tuple[str, int]], remember: int
) -> None:
    found = read(lines(*({"id": name, "type": "a", "time": t} for name, t in rows)), remember=remember * SECOND)
    known: dict[str, int] = {}
    latest = -1
    for (name, t), arrival in zip(rows, found, strict=True):
        latest = max(latest, t)
        repeated = name in known and latest - known[name] <= remember
        assert isinstance(arrival, Heartbeat) is repeated
        if not repeated:
            known[name] = t


def test_memory_for_ids_follows_what_is_remembered() -> None:
    from tocsin.formats.repeats import Seen

    seen = Seen(100)
    for t in range(10_000):
        assert not seen.knew("", str(t), t)
    assert len(seen._young) + len(seen._old) <= 210


def test_bad_lines_go_to_the_quarantine(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    for _ in range(2):
        with Quarantine(path, "in.jsonl") as quarantine:
            arrivals = read_events(io.BytesIO(b'oops \xff\n{"type": "a"}\n'), on_error="skip", on_bad=quarantine.add)
            assert list(arrivals) == []
            assert (quarantine.count, arrivals.skipped) == (2, 2)
    kept = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(kept) == 4
    assert kept[0] == {
        "file": "in.jsonl",
        "line": 1,
        "reason": "not UTF-8: byte 0xff at position 6",
        "text": "oops \\xff",
    }
    assert kept[1]["text"] == '{"type": "a"}'


def test_no_bad_line_no_quarantine(tmp_path: Path) -> None:
    with Quarantine(tmp_path / "bad.jsonl", "x") as quarantine:
        list(read_events(io.BytesIO(b""), on_error="skip", on_bad=quarantine.add))
    assert list(tmp_path.iterdir()) == []


def test_dictionaries_are_events() -> None:
    found = tuples(
        events_from([{"type": "a", "time": 1, "data": {"x": 1, "gone": None}}, {"type": "b", "time": [1, 2], "id": 7}])
    )
    assert found == [
        ("1", "a", "", SECOND, SECOND, {"x": 1}, SECOND),
        ("7", "b", "", SECOND, 2 * SECOND, {}, 2 * SECOND),
    ]


def test_events_pass_as_they_are_where_they_fit_in() -> None:
    first, late, unnamed = Event("a", 5, 5, "1", arrival=9), Event("a", 6, 6, "2", arrival=7), Event("b", 4, 3)
    found = list(events_from([first, late, unnamed, first, Heartbeat("s", 1, 2)]))
    assert found[0] is first
    assert tuples(found[1:]) == [
        ("2", "a", "", 6, 6, {}, 9),
        ("3", "b", "", 3, 4, {}, 9),
        ("heartbeat", "", 5, 9),
        ("heartbeat", "s", 1, 9),
    ]


def test_a_detection_is_an_event() -> None:
    detection = Detection("r", "t", 1, 4, 5, ("1", "3"), {"x": 1}, id="d", source="s")
    assert tuples(events_from([detection])) == [("d", "t", "s", 1, 4, {"x": 1}, 4)]


class Colour(enum.Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "plain"),
    [(datetime(2020, 1, 1), "2020-01-01T00:00:00Z"), (date(2020, 1, 1), "2020-01-01"), (time(1, 2), "01:02:00"), (timedelta(seconds=1.5), 1.5), (Decimal("3"), 3), (Decimal("3.5"), 3.5), (b"abc", "abc"), (UUID(int=0), "00000000-0000-0000-0000-000000000000"), (Colour.RED, "red"), ((1, 2), [1, 2]), ({"a": datetime(2020, 1, 1)}, {"a": "2020-01-01T00:00:00Z"}), (True, True), ("é", "é"), ([float("nan")], [None])],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_values_of_python_become_those_of_json(value: object, plain: object) -> None:
    found = as_tuple(next(events_from([{"type": "a", "time": 1, "data": {"x": value}}])))[5]
    assert found == {"x": plain}
    assert type(found["x"]) is type(plain)  # type: ignore[index]


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (3, "3 is no event"),
        ({"type": "a"}, "the event has no time"),
        ({"type": "a", "time": 1, "data": 5}, "data is 5"),
        ({"type": "a", "time": 1, "data": {1: 2}}, "name 1 is not text"),
        ({"type": "a", "time": 1, "data": {"x": float("inf")}}, "'x' is inf"),
        ({"type": "a", "time": 1, "data": {"x": object()}}, "holds a object"),
        ({"type": "a", "time": 1, "data": {"x": b"\xff"}}, "no UTF-8"),
        ({"type": "a", "time": 1, "data": {"x": "\ud800"}}, "lone surrogate"),
        ({"type": "a", "time": 1, "data": {"x": nested(3000)}}, "nested more than"),
        ({"type": "a", "time": 1, "id": 10**5000}, "id is a int"),
        (Event("", 1, 1), "no type"),
        (Event("a", 1, 2), "starts (2) after it ends (1)"),
        (Event("a", 1.5, 1), "not whole microseconds"),  # type: ignore[arg-type]
    ],
    ids=range(13),
)
def test_bad_objects_are_refused_by_number_or_skipped(item: object, reason: str) -> None:
    good = {"type": "ok", "time": 1}
    with pytest.raises(EventError) as raised:
        list(events_from([good, item]))
    assert str(raised.value).startswith("<events>:2:1: ")
    assert reason in str(raised.value)
    bad: list[int] = []
    arrivals = events_from([good, item, good], on_error="skip", on_bad=lambda number, text, reason: bad.append(number))
    assert (len(list(arrivals)), bad, arrivals.skipped) == (2, [2], 1)


@pytest.mark.parametrize("wrong", ["events.jsonl", b"x", {"type": "a", "time": 1}, 3, None])
def test_what_is_no_collection_of_events(wrong: object) -> None:
    with pytest.raises(UsageError):
        events_from(wrong)


def test_on_error_is_one_of_two_words() -> None:
    with pytest.raises(UsageError, match="refuse or skip"):
        events_from([], on_error="ignore")
