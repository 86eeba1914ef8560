"""Sensors and a real HTTP server: batches, order, retries without repeats, refusals, buffers that outlast everything."""

from __future__ import annotations

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest

import tocsin as tc
from tests.sensor.services import KEY, HttpStub
from tocsin.errors import UsageError
from tocsin.sensor import BufferFull, BufferInUse, Refusal, SensorClosed, Trouble

QUICK: Any = {"linger": 0.001, "longest_pause": 0.01}
"""Pauses that nobody waits for."""


def sensor_of(service: HttpStub, **given: Any) -> tc.Sensor:
    return tc.Sensor(service.url, "s1", KEY, **{**QUICK, **given})


def send_all(sensor: tc.Sensor) -> list[str]:
    return [sensor.send("tick") for _ in range(50)]


def test_events_arrive_in_order_each_once(service: HttpStub) -> None:
    with sensor_of(service) as sensor:
        ids = [sensor.send("tick", number=number) for number in range(1200)]
        assert sensor.flush(30)
        stats = sensor.stats
    assert service.ids == ids
    assert len(set(ids)) == 1200
    assert [event["data"]["number"] for event in service.events] == list(range(1200))
    assert {event["source"] for event in service.events} == {"s1"}
    assert (stats.sent, stats.accepted, stats.refused, stats.waiting, stats.trouble) == (1200, 1200, 0, 0, "")
    assert max(service.requests) <= 500
    assert service.connections == 1


def test_what_is_sent_is_an_event_as_in_a_file(service: HttpStub) -> None:
    with sensor_of(service, stamps="point") as sensor:
        sensor.send("login", {"user": "bob", "time": 3}, time="2026-11-15T20:00:00.5Z", id="7", source="door")
        sensor.send("login", time=[10, 12.25], why=None)
        sensor.flush(30)
    first, second = service.events
    assert first == {
        "id": "7",
        "type": "login",
        "source": "door",
        "time": "2026-11-15T20:00:00.500000Z",
        "data": {"user": "bob", "time": 3},
    }
    assert second["time"] == ["1970-01-01T00:00:10Z", "1970-01-01T00:00:12.250000Z"]
    assert list(tc.detect([tc.rule("r", tc.event("login"))], service.events))


@pytest.mark.parametrize(
    "fault", ["drop", "lose", (503, {}, b""), (429, {"Retry-After": "0"}, b"slow down"), (500, {}, b"")]
)
def test_what_fails_is_sent_again_and_counts_once(service: HttpStub, fault: Any) -> None:
    with sensor_of(service, batch=10) as sensor:
        service.faults.extend([fault] * 4)
        ids = [sensor.send("tick") for _ in range(35)]
        assert sensor.flush(30)
        stats = sensor.stats
    assert service.ids == ids
    assert stats.duplicates + stats.accepted >= 35
    assert stats.retries >= 2  # a kept connection that was cut is used no more, and another is tried at once


def test_an_answer_that_is_lost_makes_repeats_not_events(service: HttpStub) -> None:
    with sensor_of(service) as sensor:
        service.faults.append("lose")
        sensor.send("tick")
        assert sensor.flush(30)
        assert sensor.stats.duplicates == 1
    assert len(service.events) == 1
    assert len(service.requests) == 2


def test_the_service_is_away_for_a_while(service: HttpStub, tmp_path: Path) -> None:
    failed = threading.Event()
    with sensor_of(service, buffer=tmp_path / "buffer", on_trouble=lambda _: failed.set()) as sensor:
        ids = [sensor.send("tick")]
        assert sensor.flush(30)
        service.stop()
        ids += [sensor.send("tick", number=number) for number in range(50)]
        assert failed.wait(30)
        assert "no answer" in sensor.stats.trouble
        service.start()
        assert sensor.flush(30)
    assert service.ids == ids


def test_what_waits_on_disk_is_sent_by_the_next_sensor(service: HttpStub, tmp_path: Path) -> None:
    service.stop()
    sensor = sensor_of(service, buffer=tmp_path / "buffer")
    ids = [sensor.send("tick", number=number) for number in range(20)]
    assert not sensor.close(timeout=0)
    service.start()
    with sensor_of(service, buffer=tmp_path / "buffer") as sensor:
        ids.append(sensor.send("tock"))
        assert sensor.flush(30)
    assert service.ids == ids


def test_refusals_are_told_kept_and_in_nobodys_way(service: HttpStub, tmp_path: Path) -> None:
    service.refuses = lambda event: "an odd number" if event["data"]["number"] % 2 else None
    told: list[Refusal] = []
    with sensor_of(service, batch=7, buffer=tmp_path, on_refused=told.append) as sensor:
        ids = [sensor.send("tick", number=number) for number in range(20)]
        assert sensor.flush(30)
        assert (sensor.stats.refused, sensor.stats.accepted) == (10, 10)
    assert service.ids == ids[::2]
    assert [each.event["id"] for each in told] == ids[1::2]
    kept = [json.loads(line) for line in (tmp_path / "dead-letters.jsonl").read_text().splitlines()]
    assert [(each["code"], each["message"], each["event"]["id"]) for each in kept] == [
        ("unfit", "an odd number", name) for name in ids[1::2]
    ]


def test_one_that_spoils_a_whole_batch_is_found(service: HttpStub) -> None:
    service.is_whole_refused = lambda events: any(event["data"]["number"] == 13 for event in events)
    told: list[Refusal] = []
    with sensor_of(service, on_refused=told.append) as sensor:
        ids = [sensor.send("tick", number=number) for number in range(40)]
        assert sensor.flush(30)
    assert service.ids == ids[:13] + ids[14:]
    assert [(each.event["id"], each.code) for each in told] == [(ids[13], "bad-body")]


def test_a_callback_that_fails_stops_nothing(service: HttpStub) -> None:
    def fails(_: Refusal) -> None:
        raise ValueError("not our fault")

    service.refuses = lambda event: "no" if event["type"] == "bad" else None
    with sensor_of(service, on_refused=fails) as sensor:
        sensor.send("bad")
        sensor.send("good")
        assert sensor.flush(30)
    assert [event["type"] for event in service.events] == ["good"]


def test_a_wrong_key_is_trouble_and_keeps_the_events(service: HttpStub) -> None:
    troubles: list[Trouble] = []
    told = threading.Event()

    def note(trouble: Trouble) -> None:
        troubles.append(trouble)
        told.set()

    sensor = tc.Sensor(service.url, "s1", "tk_wrong", on_trouble=note, **QUICK)
    sensor.send("tick")
    assert told.wait(30)
    assert troubles[0].is_barred
    assert troubles[0].reason == "HTTP 401 Unauthorized: the key is not known"
    assert sensor.stats.waiting == 1
    assert not sensor.close(timeout=0)
    assert sensor.stats.lost == 1


def test_an_answer_of_somebody_else_settles_nothing(service: HttpStub) -> None:
    service.faults.append((200, {}, b"<html>please log in</html>"))
    with sensor_of(service) as sensor:
        sensor.send("tick")
        assert sensor.flush(30)
        assert sensor.stats.retries == 1
    assert len(service.events) == 1


def test_a_full_buffer_refuses_or_gives_up_the_oldest(service: HttpStub) -> None:
    service.stop()
    sensor = sensor_of(service, capacity=1000)
    with pytest.raises(BufferFull, match="wait to be sent, there is no room for more"):
        send_all(sensor)
    kept = sensor.stats.waiting
    sensor.close(timeout=0)
    assert 5 < kept < 20
    sensor = sensor_of(service, capacity=1000, when_full="drop")
    ids = [sensor.send("tick") for _ in range(50)]
    stats = sensor.stats
    assert stats.lost + stats.waiting == 50
    assert stats.waiting_bytes <= 1200
    service.start()
    assert sensor.flush(30)
    assert service.ids == ids[stats.lost :]
    sensor.close()


def test_whoever_waits_for_room_gets_it(service: HttpStub) -> None:
    with sensor_of(service, capacity=2000, when_full="wait", batch=5) as sensor:
        ids = [sensor.send("tick") for _ in range(300)]
        assert sensor.flush(30)
    assert service.ids == ids


def test_whoever_waits_for_room_is_let_go_when_the_sensor_is_closed(service: HttpStub) -> None:
    service.stop()
    sensor = sensor_of(service, capacity=1000, when_full="wait", on_trouble=lambda _: sensor.close(0))
    with pytest.raises(SensorClosed):
        send_all(sensor)


def test_a_buffer_belongs_to_one_sensor(service: HttpStub, tmp_path: Path) -> None:
    with sensor_of(service, buffer=tmp_path), pytest.raises(BufferInUse, match="in use by process"):
        sensor_of(service, buffer=tmp_path)
    sensor_of(service, buffer=tmp_path).close()


def test_many_threads_one_order(service: HttpStub) -> None:
    with sensor_of(service, batch=50) as sensor:
        ids: dict[int, list[str]] = {}

        def work(name: int) -> None:
            ids[name] = [sensor.send("tick", thread=name) for _ in range(200)]

        threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert sensor.flush(30)
    for name in range(4):
        assert [event["id"] for event in service.events if event["data"]["thread"] == name] == ids[name]
    ends = [event["time"][1] if isinstance(event["time"], list) else event["time"] for event in service.events]
    assert ends == sorted(set(ends))


def test_heartbeats_come_behind_what_they_vouch_for(service: HttpStub) -> None:
    with sensor_of(service) as sensor:
        sensor.send("tick")
        sensor.heartbeat()
        assert sensor.flush(30)
        sensor.heartbeat()
        sensor.send("tock")
        assert sensor.flush(30)
    first, second = (event["time"][1] for event in service.events)
    beats = [each["time"] for each in service.heartbeats]
    assert beats
    assert all(set(each) == {"source", "time", "heartbeat"} and each["source"] == "s1" for each in service.heartbeats)
    assert all(beat > first for beat in beats)
    assert second > first


def test_heartbeats_of_the_background(service: HttpStub) -> None:
    enough = threading.Event()
    taken = service.take

    def take(lines: list[dict[str, Any]]) -> dict[str, Any]:
        told = taken(lines)
        if len(service.heartbeats) >= 3:
            enough.set()
        return told

    service.take = take  # type: ignore[method-assign]
    with sensor_of(service, heartbeat="5 ms"):
        assert enough.wait(30)
    times = [each["time"] for each in service.heartbeats]
    assert times == sorted(set(times))


def test_a_sensor_of_asyncio(service: HttpStub) -> None:
    async def run() -> list[str]:
        async with tc.AsyncSensor(service.url, "s1", KEY, **QUICK) as sensor:

            @sensor.calls
            async def work() -> int:
                await asyncio.sleep(0)
                return 1

            ids = [await sensor.send("tick", number=number) for number in range(300)]
            assert await work() == 1
            assert await sensor.flush(30)
            return ids

    ids = asyncio.run(run())
    assert service.ids[:300] == ids
    assert [event["type"] for event in service.events[300:]] == ["work_start", "work_end"]


def test_closing_twice_and_sending_after_it(service: HttpStub) -> None:
    sensor = sensor_of(service)
    sensor.send("tick")
    assert sensor.close(30)
    assert sensor.close()
    with pytest.raises(SensorClosed):
        sensor.send("tick")
    assert len(service.events) == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"url": "localhost:8750"}, "expected a URL as in http://127.0.0.1:8750"),
        ({"url": "http://user@host"}, "expected no user, query or fragment"),
        ({"url": "http://host:port"}, "the service's address is 'http://host:port': Port could not be cast"),
        ({"key": "tk with blanks"}, "the key is not one of the service's"),
        ({"stamps": "fuzzy"}, "stamps is 'fuzzy': expected interval, point or local"),
        ({"when_full": "panic"}, "when_full is 'panic': expected refuse, drop or wait"),
        ({"linger": "soon"}, "linger is 'soon'"),
        ({"heartbeat": 0}, "heartbeat is 0: expected a length of time, more than 0"),
        ({"capacity": "much"}, "capacity is 'much': expected a size of at least 1000 bytes, as '64 MB'"),
        ({"batch": 0}, "batch is 0: expected a whole number, 1 or more"),
    ],
)
def test_settings_that_make_no_sense_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match="^.*" + message.replace("'", ".")):
        tc.Sensor(**{"url": "http://127.0.0.1:1", "source": "s1", **given})


def test_an_unknown_setting_and_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOCSIN_URL", raising=False)
    with pytest.raises(TypeError, match="no setting lnger"):
        tc.Sensor("http://127.0.0.1:1", lnger=3)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="TOCSIN_URL"):
        tc.Sensor(source="s1")


def test_the_address_and_the_key_from_the_environment(service: HttpStub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOCSIN_URL", service.url)
    monkeypatch.setenv("TOCSIN_KEY", KEY)
    with tc.Sensor(source="s1") as sensor:
        sensor.send("tick")
    assert len(service.events) == 1


@pytest.mark.parametrize(
    ("time", "message"), [("yesterday", "time 'yesterday'"), ([1, 2, 3], "list of 3"), ([2, 1], "cannot end before")]
)
def test_a_time_that_is_none_is_refused_where_it_is_given(service: HttpStub, time: object, message: str) -> None:
    with sensor_of(service) as sensor, pytest.raises(UsageError, match=message):
        sensor.send("tick", time=time)
    with sensor_of(service) as sensor, pytest.raises(UsageError, match="the type of an event is ''"):
        sensor.send("")
