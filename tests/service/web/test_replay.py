"""Replays: a request stepped through events, those that are kept or those that somebody brings along."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.service.processes import ServiceProcess, until
from tocsin.service.client import Client

PAIR = {
    "name": "replayed_pair",
    "language": "gem",
    "expression": "a:ra ; b:rb when a.k = b.k",
    "window": "1 min",
    "context": "chronicle",
}


@pytest.fixture
def service(shared_service: ServiceProcess) -> ServiceProcess:
    return shared_service


def event(type: str, second: int, k: int = 1) -> dict[str, Any]:
    return {"id": f"{type}{second}", "type": type, "source": "s", "time": f"2026-01-01T00:00:{second:02}Z", "k": k}


def test_each_step_tells_what_is_held_and_what_formed(service: ServiceProcess) -> None:
    events = [event("ra", 1), event("ra", 2, 2), event("rb", 3), event("rb", 4, 3), event("other", 5)]
    told = service.client.call("POST", "/v1/replay", {"request": PAIR, "events": events})
    assert told["is_cut"] is False
    steps = told["steps"]
    assert [each["event"]["id"] for each in steps] == ["ra1", "ra2", "rb3", "rb4"]  # `other` is none that it takes
    assert [[one["events"] for one in each["detections"]] for each in steps] == [[], [], [["ra1", "rb3"]], []]
    held = [each["held"]["replayed_pair"]["held"] for each in steps]
    assert held[0] < held[1]
    told_of = [
        (each["part"], each["events"], each["from"], each.get("to"), each.get("end")) for each in told["holdings"]
    ]
    assert told_of == [
        ("ra", ["ra1"], 0, 2, "used"),
        ("ra", ["ra2"], 1, None, None),
        ("rb", ["rb4"], 3, None, None),
    ]
    assert service.client.call("GET", "/v1/requests")["requests"] == []


def test_what_is_kept_is_stepped_through_as_it_arrived(service: ServiceProcess) -> None:
    service.send(
        {"type": "ra", "source": "s", "k": 7}, {"type": "rb", "source": "s", "k": 7}, {"type": "rc", "source": "s"}
    )
    steps = until(lambda: service.client.call("POST", "/v1/replay", {"request": PAIR})["steps"], 2)
    assert [each["event"]["type"] for each in steps] == ["ra", "rb"]
    assert len(steps[1]["detections"]) == 1
    told = service.client.call("POST", "/v1/replay", {"request": PAIR, "limit": 1})
    assert len(told["steps"]) <= 1


def test_a_stretch_of_what_is_kept_is_stepped_through(service: ServiceProcess) -> None:
    times = [f"2026-03-0{day}T12:00:00Z" for day in (1, 2, 3, 4)]
    service.send(*({"type": "ra", "source": "stretch", "id": time, "time": time} for time in times))
    stretch = {"from": "2026-03-02T00:00:00Z", "to": "2026-03-03T23:00:00Z"}
    steps = service.client.call("POST", "/v1/replay", {"request": PAIR, **stretch})["steps"]
    assert [each["event"]["id"] for each in steps] == times[1:3]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"events": [{"nothing": 1}]}, "event-invalid"),
        ({"limit": 0}, "document-invalid"),
        ({"limit": 10**6}, "document-invalid"),
        ({"against": "r999"}, "request-unknown"),
    ],
)
def test_what_cannot_be_replayed_is_refused(service: ServiceProcess, more: dict[str, Any], code: str) -> None:
    status, told = service.raw("/v1/replay", json.dumps({"request": PAIR, **more}).encode())
    assert status in (404, 422)
    assert told["faults"][0]["code"] == code


def test_nobody_sees_events_of_types_that_are_not_theirs(service: ServiceProcess) -> None:
    made = service.client.call("POST", "/v1/keys", {"name": "narrow", "role": "subscriber", "types": ["door"]})
    status, told = ServiceProcess.raw(
        service, "/v1/replay", json.dumps({"request": PAIR}).encode(), Authorization=f"Bearer {made['key']}"
    )
    assert (status, told["faults"][0]["code"]) == (403, "type-out-of-scope")
    assert Client(service.url, made["key"]).call("GET", "/v1/self")["types"] == ["door"]
