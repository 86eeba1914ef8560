"""The ledger of a service, from what it tells everybody: events in against events kept, detections against notifications."""

from __future__ import annotations

from typing import Any

from tests.service.processes import ServiceProcess


def balanced(service: ServiceProcess) -> int:
    """The events that were acknowledged, once every account balances; says which one does not."""
    call = service.client.call
    status = call("GET", "/v1/status")
    events = _all(service, "/v1/events") + _all(service, "/v1/events", type="heartbeat")
    assert len(events) == status["events"], "events that were counted are those that are kept"
    detections = _all(service, "/v1/detections")
    numbers = [each["number"] for each in detections]
    assert numbers == list(range(1, status["detections"] + 1)), "detections have the numbers 1, 2, ..., each once"
    for request in call("GET", "/v1/requests")["requests"]:
        mine = [each["number"] for each in detections if each["rule"] in request["rules"]]
        targets = call("GET", f"/v1/requests/{request['id']}/deliveries")["targets"]
        for target in range(len(targets)):
            rows = _deliveries(service, request["id"], target)
            assert sorted(row["number"] for row in rows) == mine, "each detection is told, or waits to be told, once"
    return len(events)


def _all(service: ServiceProcess, path: str, **query: str) -> list[dict[str, Any]]:
    found, after = [], None
    while True:
        page = service.client.call("GET", path, limit=1000, after=after, **query)
        found += page["items"]
        after = page["next"]
        if after is None:
            return found


def _deliveries(service: ServiceProcess, request: str, target: int) -> list[dict[str, Any]]:
    found, after = [], 0
    while True:
        page = service.client.call("GET", f"/v1/requests/{request}/deliveries", limit=1000, after=after)
        found += page["items"]
        if page["next"] is None:
            return [row for row in found if row["target"] == target]
        after = page["next"]
