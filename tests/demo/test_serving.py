"""The demo's service: every rule is asked for, and its traffic makes some of them fire."""

from __future__ import annotations

import pytest

pytest.importorskip("uvicorn", reason="the service's extra is not installed")

from demo.serving import SEVERITIES, Served, Traffic


def test_live_traffic_makes_rules_fire() -> None:
    served, traffic = Served(0), Traffic(7)
    try:
        served.ask()
        names = {each["name"] for each in served.client.call("GET", "/v1/requests")["requests"]}
        assert SEVERITIES.keys() <= names
        for tick in range(400):  # a hundred seconds of it, at once
            events = traffic.at(tick / 4)
            if events:
                served.client.call("POST", "/v1/events", events)
        while (status := served.client.call("GET", "/v1/status"))["evaluated"] < 1 or status["queued_bytes"]:
            pass
        found = {each["rule"] for each in served.client.call("GET", "/v1/detections", limit=1000)["items"]}
        assert {"got_in", "guessing", "cold_room"} <= found
    finally:
        served.stop()
