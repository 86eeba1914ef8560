"""Intake under pressure, and from brokers: back-pressure before memory grows, topics that are followed."""

from __future__ import annotations

import json
from pathlib import Path

from tests.brokers.streams import made_stream
from tests.service.processes import ServiceProcess, until
from tocsin.bench.brokers.servers import Nats
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


def test_a_topic_that_is_followed_loses_nothing_over_kills(tmp_path: Path, nats: Nats) -> None:
    made_stream(nats, "plant", "plant.events")
    address = nats.url("plant.events", "stream=plant")
    settings = f"subscriptions: [{{url: '{address}', name: plant}}]\n"
    service = ServiceProcess(tmp_path, settings)
    try:
        with publisher(address_of(address, SINK)) as out:
            service.start()
            service.ask("pair", "a ; b", context="chronicle")
            for turn in range(3):
                for number in range(10):
                    event = {"type": "ab"[number % 2], "id": f"{turn}.{number}"}
                    out.publish(Message(json.dumps(event).encode(), {}))
                out.publish(Message(b"nonsense", {}))
                out.publish(Message(b'{"type": "a", "time": 12345678901234567890123.5}', {}))  # more digits than JSON's
                out.flush()
                until(lambda turn=turn: [0] * service.client.call("GET", "/v1/status")["events"], 10 * (turn + 1))
                service.kill()
                service.start()
        assert len(service.detections(15, rule="pair")) == 15
        (event, *_) = service.client.call("GET", "/v1/events", limit=1)["items"]
        assert event["source"] == "plant"
        assert any(each["text"] == "nonsense" for each in service.client.call("GET", "/v1/refused")["items"])
    finally:
        service.kill()
