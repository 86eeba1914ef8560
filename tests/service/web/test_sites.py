"""The map of sites, asked for over HTTP while real sites are at work over NATS."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from demo.sites import Plant
from tests.service.processes import ServiceProcess, until
from tocsin.bench.brokers.servers import free_port
from tocsin.errors import RuleError
from tocsin.service.settings_file import settings_of


def told(service: ServiceProcess) -> dict[str, Any]:
    answer: dict[str, Any] = service.client.call("GET", "/v1/sites")
    return answer


def found(service: ServiceProcess, rule: str) -> dict[str, Any]:
    """The last detection of a rule, once there is one."""
    one: dict[str, Any] = until(lambda: [each for each in told(service)["detections"] if each["rule"] == rule])[0]
    return one


def test_the_map_has_sites_parts_links_and_streams(overseer: ServiceProcess, plant: Plant) -> None:
    found(overseer, "evacuation")
    answer = told(overseer)
    assert answer["trouble"] == ""
    assert [each["site"] for each in answer["sites"] if not each["is_silent"]] == ["gate", "hall", "office", "roof"]
    rules = {name for part in answer["parts"] if part["role"] == "rule" for name in part["rules"]}
    assert rules == {"intruder", "fire", "evacuation"}
    assert {"roof", "hall"} <= {part["site"] for part in answer["parts"] if part["role"] == "join"}
    crossing = {(each["site"], each["to"]) for each in answer["streams"] if each["site"] != each["to"]}
    assert crossing == {("gate", "office"), ("hall", "office"), ("roof", "office")}
    sent = {(each["site"], each["to"]): each for each in answer["links"]}
    assert all(sent[way]["messages"] > 0 and sent[way]["bytes"] > 0 for way in crossing)
    assert len({each["id"] for each in answer["detections"]}) == len(answer["detections"])


def test_a_detection_is_followed_over_the_sites(overseer: ServiceProcess, plant: Plant) -> None:
    one = found(overseer, "evacuation")
    trail = overseer.client.call("GET", "/v1/sites/trace", detection=one["id"][:12])
    assert trail["detection"]["id"] == one["id"]
    assert trail["trail"]["site"] == "office"
    givers = {way["by"]["giver"] for way in trail["trail"]["from"]}
    assert givers == {"gate", "roof"}


def test_who_is_cut_off_is_silent_and_blocks_until_it_heals(overseer: ServiceProcess, plant: Plant) -> None:
    found(overseer, "intruder")
    plant.cut_off("hall")
    try:
        plant.report(3, without="hall")
        (blocked,) = until(lambda: [each for each in told(overseer)["blocked"] if each["waits_for"] == "hall"])[:1]
        until(lambda: [each for each in told(overseer)["sites"] if each["site"] == "hall" and each["is_silent"]])
        assert (blocked["rules"], blocked["site"]) == (["intruder"], "office")
        (blocked,) = [each for each in told(overseer)["blocked"] if each["waits_for"] == "hall"][:1]
        assert "site 'hall' has not been heard of for" in blocked["why"]
        gone = overseer.client.call("GET", "/v1/sites/trace", detection=found(overseer, "intruder")["id"])
        assert gone["silent"] == ["hall"]
    finally:
        plant.heal("hall")
    until(lambda: [each for each in told(overseer)["sites"] if each["site"] == "hall" and not each["is_silent"]])


def test_what_cannot_be_told_is_said(overseer: ServiceProcess, shared_service: ServiceProcess) -> None:
    status, answer = shared_service.raw("/v1/sites", method="GET")
    assert (status, answer["faults"][0]["code"]) == (404, "sites-unset")
    assert "--sites" in answer["faults"][0]["hint"]
    status, answer = overseer.raw("/v1/sites/trace?detection=nonsense", method="GET")
    assert (status, answer["faults"][0]["code"]) == (404, "detection-unknown")
    for asked in ("", "?detection="):
        status, answer = overseer.raw(f"/v1/sites/trace{asked}", method="GET")
        assert (status, answer["faults"][0]["code"]) == (422, "query-invalid")
    assert answer["faults"][0]["message"] == "'detection' is empty"
    guest = overseer.client.call("POST", "/v1/keys", {"name": "guest", "role": "subscriber"})
    status, answer = overseer.raw("/v1/sites", method="GET", Authorization=f"Bearer {guest['key']}")
    assert (status, answer["faults"][0]["code"]) == (403, "role-not-permitted")


def test_a_broker_that_is_not_there_is_told_and_the_service_goes_on(tmp_path: Path) -> None:
    service = ServiceProcess(tmp_path, f"sites: nats://user:secret@127.0.0.1:{free_port()}/plant\n")
    try:
        answer = told(service.start())
        assert "NATS does not answer" in answer["trouble"]
        assert "secret" not in str(answer)
        assert answer["sites"] == answer["blocked"] == []
        status, refused = service.raw("/v1/sites/trace?detection=d", method="GET")
        assert (status, refused["faults"][0]["code"]) == (503, "sites-unreachable")
    finally:
        service.kill()


@pytest.mark.parametrize("url", ["http://127.0.0.1", "nats://127.0.0.1/a/b c"])
def test_a_setting_that_is_no_broker_of_sites_is_refused_at_its_place(url: str) -> None:
    with pytest.raises(RuleError) as error:
        settings_of(f'log: json\nsites: "{url}"\n', "serve.yaml")
    assert error.value.faults[0].place is not None
    assert error.value.faults[0].place.line == 2
