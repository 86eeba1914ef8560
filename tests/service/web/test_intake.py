"""Intake under pressure, and from brokers: back-pressure before memory grows, topics that are followed."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.brokers.streams import made_stream
from tests.service.processes import ServiceProcess, until
from tocsin.encodings import Message
from tocsin.transports import SINK, address_of, publisher


def test_more_than_can_wait_is_told_to_come_back(tmp_path: Path) -> None:
    service = ServiceProcess(tmp_path, "limits: {queue: 1kB}\n")
    try:
        service.start()
        body = json.dumps([{"type": "big", "pad": "x" * 200} for _ in range(50)]).encode()
        answers = [service.raw("/v1/events", body) for _ in range(20)]
        assert {status for status, _ in answers} <= {202, 429}
        assert all(answer["faults"][0]["code"] == "overloaded" for status, answer in answers if status == 429)
        taken = sum(answer["accepted"] for status, answer in answers if status == 202)
        assert service.client.call("GET", "/v1/status")["events"] == taken
    finally:
        service.kill()


@pytest.mark.xdist_group("servers")
@pytest.mark.parametrize("kind", ["nats", "mosquitto"])
def test_a_topic_that_is_followed_loses_nothing_over_kills(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    broker = request.getfixturevalue(kind)
    address = broker.url("plant.events", "stream=plant" if kind == "nats" else "")
    if kind == "nats":
        made_stream(broker, "plant", "plant.events")
    settings = f"subscriptions: [{{url: '{address}', name: plant}}]\n"
    service = ServiceProcess(tmp_path, settings)
    try:
        with publisher(address_of(address, SINK)) as out:
            service.start()
            service.ask("pair", "a ; b", context="chronicle")
            _followed(service, out)
            for turn in range(3):
                for number in range(10):
                    event = {"type": "ab"[number % 2], "id": f"{turn}.{number}"}
                    out.publish(Message(json.dumps(event).encode(), {}))
                out.publish(Message(b"nonsense", {}))
                out.publish(Message(b'{"type": "a", "time": 12345678901234567890123.5}', {}))  # more digits than JSON's
                out.flush()
                until(lambda turn=turn: [0] * _events(service), 1 + 10 * (turn + 1))
                service.kill()
                out.publish(Message(b'{"type": "b", "id": "meanwhile.%d"}' % turn, {}))
                out.flush()
                service.start()
        assert len(service.detections(15, rule="pair")) == 15
        until(lambda: service.client.call("GET", "/v1/events", type="b")["items"], 18)
        (event, *_) = service.client.call("GET", "/v1/events", limit=1)["items"]
        assert event["source"] == "plant"
        assert any(each["text"] == "nonsense" for each in service.client.call("GET", "/v1/refused")["items"])
    finally:
        service.kill()


def _followed(service: ServiceProcess, out: Any) -> None:
    """Waits until a topic is followed: what came before a session begins is not in it."""

    def probe() -> list[int]:
        out.publish(Message(b'{"type": "probe", "id": "probe"}', {}))
        out.flush()
        return [0] * _events(service)

    until(probe, 1)


def _events(service: ServiceProcess) -> int:
    count: int = service.client.call("GET", "/v1/status")["events"]
    return count


def _exchanged(service: ServiceProcess, *requests: bytes) -> bytes:
    """All that is answered to requests that are sent in one piece, up to the end of the connection."""
    parts = urlsplit(service.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=60) as it:
        it.sendall(b"".join(requests))
        return b"".join(iter(lambda: it.recv(65536), b""))


def _post(service: ServiceProcess, body: bytes, version: bytes = b"1.1", more: bytes = b"") -> bytes:
    head = b"POST /v1/events HTTP/%b\r\nHost: it\r\nAuthorization: Bearer %b\r\n%bContent-Length: %d\r\n\r\n"
    return head % (version, service.key.encode(), more, len(body)) + body


def test_requests_that_come_in_one_piece_are_answered_in_their_order(shared_service: ServiceProcess) -> None:
    service = shared_service
    bodies = [b'{"type": "piped", "id": "1"}', b'{"type": "piped", "id": "1"}', b"[1]", b'{"type": "piped", "id": "2"}']
    requests = [_post(service, body) for body in bodies[:-1]]
    answered = _exchanged(service, *requests, _post(service, bodies[-1], more=b"Connection: close\r\n"))
    heads = re.findall(rb"HTTP/1.1 (\d+) \w+\r\n(.*?)\r\n\r\n(\{.*?\})(?=HTTP|$)", answered, re.DOTALL)
    assert [status for status, _, _ in heads] == [b"202"] * 4
    assert [
        (told["accepted"], told["duplicates"], len(told["refused"])) for told in map(json.loads, _bodies(heads))
    ] == [
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
        (1, 0, 0),
    ]
    for number, (_, head, body) in enumerate(heads):
        named = dict(line.split(b": ") for line in head.lower().split(b"\r\n"))
        assert named[b"content-length"] == b"%d" % len(body)
        assert named[b"content-type"] == b"application/json"
        assert b"date" in named
        assert named.get(b"connection") == (b"close" if number == 3 else None)


def _bodies(heads: list[tuple[bytes, bytes, bytes]]) -> list[bytes]:
    return [body for _, _, body in heads]


def test_an_older_client_is_answered_and_let_go(shared_service: ServiceProcess) -> None:
    answered = _exchanged(shared_service, _post(shared_service, b'{"type": "older"}', version=b"1.0"))
    assert answered.endswith(b'{"accepted":1,"duplicates":0,"refused":[]}')
    assert b"connection: close" in answered
