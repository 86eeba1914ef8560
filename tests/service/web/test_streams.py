"""Detections as they come: server-sent events and WebSockets, resumed behind the last one seen."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Iterator
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.service.processes import ServiceProcess


@pytest.fixture
def service(shared_service: ServiceProcess) -> ServiceProcess:
    return shared_service


class Following:
    """Who follows detections as server-sent events."""

    def __init__(self, service: ServiceProcess, path: str, **headers: str) -> None:
        parts = urlsplit(service.url)
        self._connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
        self._connection.request("GET", path, headers={"Authorization": f"Bearer {service.key}", **headers})
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200
        assert self._answer.getheader("content-type", "").startswith("text/event-stream")
        assert self._answer.readline() == b"retry: 2000\n"  # it follows from here on

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        number = 0
        for line in self._answer:
            if line.startswith(b"id: "):
                number = int(line[4:])
            elif line.startswith(b"data: "):
                yield number, json.loads(line[6:])

    def take(self, count: int) -> list[tuple[int, dict[str, Any]]]:
        return list(islice(self, count))

    def close(self) -> None:
        self._connection.close()


def pairs(service: ServiceProcess, name: str, count: int) -> None:
    for _ in range(count):
        service.send({"type": f"{name}a"}, {"type": f"{name}b"})


def test_server_sent_events_resume_behind_the_last_one_seen(service: ServiceProcess) -> None:
    service.ask("sse", "ssea ; sseb")
    following = Following(service, "/v1/stream?rule=sse")
    pairs(service, "sse", 3)
    first = following.take(2)
    following.close()
    pairs(service, "sse", 2)
    again = Following(service, "/v1/stream?rule=sse", **{"Last-Event-ID": str(first[-1][0])})
    rest = again.take(3)
    again.close()
    numbers = [number for number, _ in (*first, *rest)]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 5
    assert all(one["rule"] == "sse" and one["number"] == number for number, one in (*first, *rest))


def test_each_audience_hears_its_own(service: ServiceProcess) -> None:
    for name in ("left", "right"):
        service.ask(name, f"{name}a ; {name}b")
    made = service.client.call("POST", "/v1/keys", {"name": "somebody", "role": "subscriber"})
    audiences = {
        "left": [Following(service, "/v1/stream?rule=left") for _ in range(3)],
        "right": [Following(service, "/v1/stream?rule=right") for _ in range(2)],
        "both": [Following(service, "/v1/stream"), Following(service, "/v1/stream?type=")],
    }
    somebody = Following(service, "/v1/stream", Authorization=f"Bearer {made['key']}")
    for name in ("left", "right", "left"):
        pairs(service, name, 1)
    for name, expected in (("left", ["left"] * 2), ("right", ["right"]), ("both", ["left", "right", "left"])):
        for following in audiences[name]:
            assert [one["rule"] for _, one in following.take(len(expected))] == expected
            following.close()
    service.ask("their", "theira ; theirb", owner="somebody")
    pairs(service, "their", 1)
    assert [one["rule"] for _, one in somebody.take(1)] == ["their"]  # and nothing of what others asked for
    somebody.close()


def test_a_stream_begins_with_the_next_detection_or_where_it_is_told(service: ServiceProcess) -> None:
    service.ask("begin", "begina ; beginb")
    pairs(service, "begin", 2)
    (last, *_) = service.client.call("GET", "/v1/detections", rule="begin", newest="true")["items"]
    following = Following(service, f"/v1/stream?rule=begin&after={last['number'] - 1}")
    ((number, _),) = following.take(1)
    following.close()
    assert number == last["number"]


def test_detections_over_a_websocket(service: ServiceProcess) -> None:
    service.ask("ws", "wsa ; wsb")

    async def follow() -> list[dict[str, Any]]:
        url = service.url.replace("http", "ws")
        async with connect(
            f"{url}/v1/stream?rule=ws", additional_headers={"Authorization": f"Bearer {service.key}"}
        ) as it:
            await asyncio.to_thread(pairs, service, "ws", 2)
            return [json.loads(await it.recv()) for _ in range(2)]

    found = asyncio.run(follow())
    assert [one["rule"] for one in found] == ["ws", "ws"]


def test_events_over_a_websocket_are_answered_in_order(service: ServiceProcess) -> None:
    async def send() -> list[dict[str, Any]]:
        url = service.url.replace("http", "ws")
        async with connect(f"{url}/v1/events?token={service.key}") as it:
            for number in range(3):
                await it.send(json.dumps({"type": "wsevent", "id": f"w{number % 2}"}))
            await it.send("nonsense")
            return [json.loads(await it.recv()) for _ in range(4)]

    answers = asyncio.run(send())
    assert [(each["accepted"], each["duplicates"]) for each in answers] == [(1, 0), (1, 0), (0, 1), (0, 0)]
    assert answers[3]["refused"][0]["code"] == "event-invalid"


def test_nobody_listens_without_a_key(service: ServiceProcess) -> None:
    async def knock() -> None:
        async with connect(f"{service.url.replace('http', 'ws')}/v1/stream"):
            pass

    with pytest.raises(InvalidStatus):
        asyncio.run(knock())


def test_a_slow_listener_loses_nothing(service: ServiceProcess) -> None:
    service.ask("slow", "slowa ; slowb")
    following = Following(service, "/v1/stream?rule=slow")
    events = [{"type": f"slow{end}", "pad": "x" * 2000} for _ in range(200) for end in "ab"]
    for start in range(0, len(events), 40):
        service.send(*events[start : start + 40])
    service.detections(200, rule="slow")
    found = following.take(200)  # only now it is read
    following.close()
    assert len({number for number, _ in found}) == 200


def test_who_waits_behind_what_is_not_there_hears_of_the_next(service: ServiceProcess) -> None:
    service.ask("older", "oldera ; olderb")  # as with an id from before the store was put back
    following = Following(service, "/v1/stream?rule=older", **{"Last-Event-ID": "999999999"})
    pairs(service, "older", 1)
    ((_, one),) = following.take(1)
    following.close()
    assert one["rule"] == "older"


def _made(service: ServiceProcess, role: str) -> dict[str, Any]:
    made: dict[str, Any] = service.client.call("POST", "/v1/keys", {"name": "leaver", "role": role, "owners": ["*"]})
    return made


def test_a_stream_ends_when_its_key_is_revoked(service: ServiceProcess) -> None:
    service.ask("leaving", "leavinga ; leavingb")
    made = _made(service, "subscriber")
    following = Following(service, "/v1/stream?rule=leaving", Authorization=f"Bearer {made['key']}")
    pairs(service, "leaving", 1)
    assert len(following.take(1)) == 1
    service.client.call("DELETE", f"/v1/keys/{made['id']}")
    pairs(service, "leaving", 1)
    assert following.take(1) == []  # it has ended
    following.close()


def test_nothing_is_taken_over_a_websocket_whose_key_is_revoked(service: ServiceProcess) -> None:
    made = _made(service, "sensor")

    async def send() -> None:
        url = service.url.replace("http", "ws")
        async with connect(f"{url}/v1/events?token={made['key']}") as it:
            await it.send('{"type": "before", "id": "b"}')
            assert json.loads(await it.recv())["accepted"] == 1
            await asyncio.to_thread(service.client.call, "DELETE", f"/v1/keys/{made['id']}")
            await it.send('{"type": "afterwards", "id": "a"}')
            await it.recv()

    with pytest.raises(ConnectionClosed) as caught:
        asyncio.run(send())
    assert caught.value.rcvd is not None
    assert caught.value.rcvd.code == 1008
    assert service.client.call("GET", "/v1/events", type="afterwards")["items"] == []
