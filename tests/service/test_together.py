"""Bodies that are taken together come to what they come to one by one: the same events, ids, receipts and repeats."""

from __future__ import annotations

import json

import pytest

from tocsin.events import Event
from tocsin.formats.blocks import Block
from tocsin.service.admission import Admission
from tocsin.service.core import Core, CoreSettings
from tocsin.service.known_names import KnownNames
from tocsin.service.records import Kind
from tocsin.time.spans import SECOND

NOW = 1_800_000_000 * SECOND


def body(*numbers: int, source: str = "s") -> bytes:
    events = [
        {"type": "ab"[n % 2], "id": f"e{n}", "source": source, "time": 1_800_000_000 + n, "data": {"n": n}}
        for n in numbers
    ]
    return b"\n".join(json.dumps(each).encode() for each in events)


def told(event: Event) -> tuple[object, ...]:
    return (event.type, event.end, event.start, event.id, event.source, event.data, event.arrival)


PLAIN = [body(1), body(2, 3), body(4, 5, 6) + b"\n", body(7)]


def test_the_same_events_come_of_it() -> None:
    apart, at_once = Admission(None), Admission(None)
    one_by_one = [event for each in PLAIN for parcel in apart.take(each, NOW).parcels for event in parcel]
    found = at_once.take_together(PLAIN, NOW)
    assert found is not None
    taken, counts = found
    (block,) = taken.parcels
    assert isinstance(block, Block)
    assert [*map(told, block)] == [*map(told, one_by_one)]
    assert counts == [1, 2, 3, 1]
    assert at_once.events == apart.events == 7
    assert {event.arrival for event in block} == {NOW}


@pytest.mark.parametrize(
    "other",
    [b"", b"no event", b'{"type": "a"}', body(3), body(9) + b"\r\n", body(9) + b"\n\n" + body(10)],
    ids=["nothing", "no JSON", "no time", "a repeat", "other ends of lines", "a blank line"],
)
def test_what_is_not_plain_changes_nothing_and_is_left_to_be_taken_by_itself(other: bytes) -> None:
    admission = Admission(None)
    assert admission.take_together([*PLAIN, other], NOW) is None
    assert admission.events == 0
    assert [admission.take(each, NOW).accepted for each in PLAIN] == [1, 2, 3, 1]


def test_they_are_one_entry_and_each_has_its_receipt() -> None:
    core = Core(CoreSettings())
    receipts = core.take_together(PLAIN, NOW, "sensor")
    assert receipts is not None
    assert [(each.position, each.accepted, each.duplicates) for each in receipts] == [
        (1, 1, 0),
        (1, 2, 0),
        (1, 3, 0),
        (1, 1, 0),
    ]
    writes = core.pending()
    assert writes is not None
    (entry,) = writes.entries
    assert (entry.kind, entry.count, entry.first, entry.actor) == (Kind.EVENTS, 7, 1, "sensor")
    assert entry.body.split(b"\n") == [line for each in PLAIN for line in each.strip().split(b"\n")]
    again = core.take_together(PLAIN, NOW + 1, "sensor")
    assert again is None
    assert [core.take(each, NOW + 1, "sensor").duplicates for each in PLAIN] == [1, 2, 3, 1]


def test_the_log_gives_the_same_events_again() -> None:
    core = Core(CoreSettings())
    core.take_together(PLAIN, NOW, "sensor")
    writes = core.pending()
    assert writes is not None
    reader = Admission(None)
    again = [event for parcel in reader.again(writes.entries[0]) for event in parcel]
    assert [(event.id, event.arrival) for event in again] == [(f"e{number}", NOW) for number in range(1, 8)]


# -- names -----------------------------------------------------------------------------------------------------------


def test_a_name_is_one_of_its_source() -> None:
    names = KnownNames(None)
    names.now = NOW
    assert names.are_new(["1", "1"], ["s", "t"], b"")
    assert not names.are_new(["2", "1"], ["s", "t"], b"")
    assert not names.knew("s", "2", NOW)
    assert names.knew("s", "2", NOW)
    assert names.are_new(["1"], None, b"")


def test_a_name_is_forgotten_when_it_came_too_long_ago() -> None:
    names = KnownNames(10)
    names.now = NOW
    assert names.are_new(["1", "2"], ["s", "s"], b"")
    names.now = NOW + 10
    assert not names.are_new(["1"], ["s"], b"")
    assert names.knew("s", "1", 0)
    names.now = NOW + 11
    assert not names.knew("s", "1", 0)
    assert names.knew("s", "1", 0)
    names.now = NOW + 40
    assert names.are_new(["2"], ["s"], b"")


def test_what_stands_in_the_log_comes_once() -> None:
    names = KnownNames(None)
    names.now, names.is_trusting = NOW, True
    assert names.are_new(["1", "1"], None, b"")
    assert not names.knew("", "1", 0)
    names.is_trusting = False
    assert names.knew("", "1", 0)
