"""The way in: columns and rows of one body give the same, every refusal has its code, and the log gives the same again."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from tests.service.worlds import HOSTILE
from tocsin.events import Arrival, Event, Heartbeat
from tocsin.formats.blocks import Block
from tocsin.formats.refused import Refused
from tocsin.service.admission import Admission, NotDeclared, Parcel, Taken
from tocsin.service.event_types import EventTypes
from tocsin.service.records import Entry, Kind

NOW = 1_000 * 1_000_000


def lines(*records: dict[str, Any]) -> bytes:
    return b"\n".join(json.dumps(each, ensure_ascii=False).encode() for each in records)


def events(parcels: Iterable[Parcel]) -> list[Arrival]:
    return [arrival for parcel in parcels for arrival in parcel]


def shown(parcels: Iterable[Parcel]) -> list[tuple[object, ...]]:
    return [
        (each.type, each.id, each.source, each.start, each.end, each.arrival, dict(each.data))
        for each in events(parcels)
        if isinstance(each, Event)
    ]


def entry(taken: Taken, position: int = 1, arrival: int = NOW) -> Entry:
    return Entry(position, Kind.EVENTS, arrival, taken.body, count=taken.accepted, first=taken.first)


VARIED = [
    {"type": "a", "time": 10, "id": "1", "source": "s", "data": {"k": 1, "t": "x"}},
    {"type": "b", "time": 11.5, "id": "2", "k": 2},
    {"type": "a", "time": "1970-01-01T00:00:12Z", "data": {"k": None}},
    {"type": "c", "time": 13, "start": 12, "data": {"deep": {"er": [1, 2]}}, "k": True},
    {"type": "a", "time": 9, "id": 5, "k": 10**20, "arrival": 4},
    {"type": "a", "time": 9, "id": "", "source": 7, "name": "é\u2028\U0001f514"},
]


def test_columns_and_rows_give_the_same() -> None:
    together = Admission(None).take(lines(*VARIED), NOW)
    alone = Admission(None)
    apart = [alone.take(lines(each), NOW) for each in VARIED]
    assert [type(parcel) for parcel in together.parcels] == [Block]
    assert all(not isinstance(parcel, Block) for each in apart for parcel in each.parcels)
    assert shown(together.parcels) == [one for each in apart for one in shown(each.parcels)]
    assert together.accepted == sum(each.accepted for each in apart) == len(VARIED)
    assert together.body == b"\n".join(each.body for each in apart)
    assert (together.first, together.low, together.high) == (1, 9_000_000, 13_000_000)
    assert set(together.types) == {"a", "b", "c"}


def test_an_event_without_a_time_or_an_id() -> None:
    admission = Admission(None)
    admission.take(lines(*VARIED), NOW)
    (event,) = events(admission.take(b'{"type": "a"}', NOW + 1).parcels)
    assert isinstance(event, Event)
    assert (event.id, event.end, event.start, event.arrival) == ("7", NOW + 1, NOW + 1, NOW + 1)


def test_empty_lines_and_ends_of_lines() -> None:
    taken = Admission(None).take(b'\n{"type": "a", "time": 1}\r\n\r\n  \n{"type": "b", "time": 2}\n\n', NOW)
    assert taken.body == b'{"type": "a", "time": 1}\n{"type": "b", "time": 2}'
    assert Admission(None).take(b"\r\n\n", NOW) == Taken()


def test_heartbeats() -> None:
    taken = Admission(None).take(lines({"source": "s", "time": 5, "heartbeat": True}), NOW)
    assert events(taken.parcels) == [Heartbeat("s", 5_000_000, NOW)]
    assert taken.accepted == 1


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("line", HOSTILE)
@pytest.mark.parametrize("around", [0, 6])
def test_what_is_no_event_is_refused_alone(line: bytes, around: int) -> None:
    good = [json.dumps({"type": "a", "time": number}).encode() for number in range(around)]
    taken = Admission(None).take(b"\n".join([*good, line, *good]), NOW)
    if line == b'{"type": "a", "time": 1, "start": 2}' or taken.refused:
        assert [(each.index, each.code) for each in taken.refused] == [(around, "event-invalid")]
        assert taken.refused[0].message
        assert "--" not in taken.refused[0].message  # nobody who sends events has options
    assert taken.accepted == 2 * around
    assert len(events(taken.parcels)) == 2 * around


def declared(**types: dict[str, Any]) -> EventTypes:
    made = EventTypes(accepts_undeclared=False)
    for name, document in types.items():
        made.declare(name, made.checked(name, document))
    return made


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({"type": "a", "k": "x"}, "event-mismatch"),
        ({"type": "a"}, "event-mismatch"),
        ({"type": "b", "k": 9}, "event-mismatch"),
        ({"type": "c"}, "type-undeclared"),
        ({"type": "d"}, "type-out-of-scope"),
        ({"type": "a", "k": 1, "time": "soon"}, "event-invalid"),
    ],
)
@pytest.mark.parametrize("around", [0, 6])
def test_every_code(record: dict[str, Any], code: str, around: int) -> None:
    admission = Admission(None)
    schema = {"type": "object", "properties": {"k": {"maximum": 5}}}
    admission.conform_to(declared(a={"gem": "event a(long k)"}, b={"schema": schema}))
    good = [{"type": "a", "time": number, "k": number} for number in range(around)]
    taken = admission.take(lines(*good, record, *good), NOW, lambda name: name != "d")
    assert [(each.index, each.code) for each in taken.refused] == [(around, code)]
    assert taken.accepted == 2 * around


# -- what comes twice --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 6])
def test_repeats_count_once(size: int) -> None:
    admission = Admission(60_000_000)
    body = lines(*({"type": "a", "time": number, "id": f"e{number}", "source": "s"} for number in range(size)))
    assert admission.take(body, NOW).accepted == size
    again = admission.take(body, NOW + 1)
    assert (again.accepted, again.duplicates, again.body) == (0, size, b"")
    assert admission.take(body.replace(b'"s"', b'"t"'), NOW + 1).accepted == size


def test_no_sensor_makes_others_forgotten() -> None:
    admission = Admission(60_000_000)
    old = lines({"type": "a", "time": 5, "id": "old"})
    admission.take(old, NOW)
    admission.take(lines({"type": "a", "time": 4_000_000_000, "id": "from the future"}), NOW + 1)
    assert admission.take(old, NOW + 60_000_000).duplicates == 1
    assert admission.take(old, NOW + 60_000_001).accepted == 1


def test_a_repeat_that_says_that_it_is_a_heartbeat() -> None:
    admission = Admission(None)
    odd = lines({"type": "a", "time": 5, "id": "x", "heartbeat": True})
    assert admission.take(odd, NOW).accepted == 1
    assert (again := admission.take(odd, NOW)).accepted == 0
    assert again.duplicates == 1


# -- what was kept -----------------------------------------------------------------------------------------------------


def test_the_log_gives_the_same_again() -> None:
    taken = (admission := Admission(None)).take(lines(*VARIED, {"type": "a"}), NOW)
    again = Admission(None)
    assert shown(again.again(entry(taken))) == shown(taken.parcels)
    assert again.events == admission.events == 7
    assert again.take(lines(VARIED[0]), NOW).duplicates == 1


def test_what_stands_in_the_log_is_neither_refused_nor_a_repeat() -> None:
    taken = Admission(None).take(lines({"type": "a", "time": 1, "id": "x", "k": "text"}, {"type": "b", "time": 2}), NOW)
    strict = Admission(None)
    strict.conform_to(declared(a={"gem": "event a(long k)"}))
    for _ in range(2):
        assert shown(strict.again(entry(taken))) == shown(taken.parcels)


def test_values_are_those_of_the_time_when_an_event_came() -> None:
    types = declared(a={"gem": "event a(long k)"})
    admission = Admission(None)
    admission.conform_to(types.copy())
    taken = admission.take(lines(*({"type": "a", "time": number, "k": number} for number in range(6))), NOW)
    assert isinstance(taken.parcels[0], Block)
    types.declare("a", types.checked("a", {"gem": "event a(string k)"}))
    admission.conform_to(types.copy())
    assert [dict(event.data) for event in events(taken.parcels) if isinstance(event, Event)] == [
        {"k": number} for number in range(6)
    ]
    with pytest.raises(Refused) as refused:
        types("a", {"k": 1})
    assert isinstance(refused.value, NotDeclared)
