"""Who gets in, and how far: keys, roles, scopes, rates."""

from __future__ import annotations

import pytest

from tests.service.processes import ServiceProcess
from tocsin.service.client import Client, ServiceRefused


@pytest.fixture
def service(shared_service: ServiceProcess) -> ServiceProcess:
    return shared_service


def client(service: ServiceProcess, name: str, role: str, **scopes: list[str]) -> Client:
    made = service.client.call("POST", "/v1/keys", {"name": name, "role": role, **scopes})
    return Client(service.url, made["key"])


def test_without_a_key_only_health_is_told(service: ServiceProcess) -> None:
    nobody = Client(service.url, "tk_wrong")
    assert nobody.call("GET", "/healthz") == "ok\n"
    assert nobody.call("GET", "/readyz") == "ready\n"
    for path in ("/v1/requests", "/v1/events", "/v1/status", "/metrics", "/v1/stream"):
        with pytest.raises(ServiceRefused) as caught:
            nobody.call("GET", path)
        assert caught.value.status == 401


def test_a_sensor_sends_events_of_its_types_and_reads_nothing(service: ServiceProcess) -> None:
    sensor = client(service, "probe", "sensor", types=["plant.*"])
    answer = sensor.call("POST", "/v1/events", [{"type": "plant.temp"}, {"type": "office.temp"}])
    assert answer["accepted"] == 1
    assert [(each["index"], each["code"]) for each in answer["refused"]] == [(1, "type-out-of-scope")]
    assert sensor.call("GET", "/v1/time")["time"] > 0
    with pytest.raises(ServiceRefused) as caught:
        sensor.call("GET", "/v1/events")
    assert (caught.value.status, caught.value.faults[0]["code"]) == (403, "role-not-permitted")


def test_a_subscriber_has_to_do_with_its_own_requests_alone(service: ServiceProcess) -> None:
    ann, bob = client(service, "ann", "subscriber"), client(service, "bob", "subscriber")
    document = {"name": "anns", "language": "eps", "expression": "aa ; ab", "window": "1 hour"}
    made = ann.call("POST", "/v1/requests", document)
    assert made["owner"] == "ann"
    service.send({"type": "aa"}, {"type": "ab"})
    (found,) = service.detections(rule="anns")
    assert [each["id"] for each in ann.call("GET", "/v1/detections")["items"]] == [found["id"]]
    assert bob.call("GET", "/v1/detections")["items"] == []
    assert bob.call("GET", "/v1/requests")["requests"] == []
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/disable"), ("GET", "/deliveries")):
        with pytest.raises(ServiceRefused) as caught:
            bob.call(method, f"/v1/requests/{made['id']}{path}")
        assert caught.value.status == 404  # not even that it is there
    with pytest.raises(ServiceRefused) as caught:
        bob.call("POST", "/v1/requests", {**document, "name": "forged", "owner": "ann"})
    assert caught.value.faults[0]["code"] == "owner-out-of-scope"
    with pytest.raises(ServiceRefused):
        bob.call("GET", f"/v1/detections/{found['id']}")


def test_keys_are_rotated_and_revoked_and_never_told_again(service: ServiceProcess) -> None:
    made = service.client.call("POST", "/v1/keys", {"name": "robot", "role": "sensor"})
    old = Client(service.url, made["key"])
    fresh = service.client.call("POST", f"/v1/keys/{made['id']}/rotate", {})
    new = Client(service.url, fresh["key"])
    for each in (old, new):  # for a while both are good
        assert each.call("GET", "/v1/time")["time"] > 0
    service.client.call("DELETE", f"/v1/keys/{made['id']}")
    with pytest.raises(ServiceRefused) as caught:
        old.call("GET", "/v1/time")
    assert caught.value.faults[0]["code"] == "key-revoked"
    listed = service.client.call("GET", "/v1/keys")["keys"]
    assert all("key" not in each for each in listed)
    audited = [each["action"] for each in service.client.call("GET", "/v1/audit")["items"]]
    assert {"key.create", "key.rotate", "key.revoke"} <= set(audited)


def test_keys_outlast_a_kill(service: ServiceProcess) -> None:
    sensor = client(service, "lasting", "sensor")
    service.kill()
    service.start()
    again = Client(service.url, sensor._key)
    assert again.call("POST", "/v1/events", [{"type": "after"}])["accepted"] == 1


def test_who_asks_too_often_is_told_when_to_come_back(tmp_path) -> None:  # type: ignore[no-untyped-def]
    settings = "access: {rates: {events: 10, events_at_once: 20}}\n"
    service = ServiceProcess(tmp_path, settings).start()
    try:
        events = [{"type": "flood", "id": str(number)} for number in range(15)]
        assert service.send(*events)["accepted"] == 15
        status, answer = service.raw("/v1/events", b'[{"type": "flood"}' + b', {"type": "flood"}' * 14 + b"]")
        assert (status, answer["faults"][0]["code"]) == (429, "too-many-events")
        status, answer = service.raw("/v1/events", b'[{"type": "flood"}' + b', {"type": "flood"}' * 30 + b"]")
        assert (status, answer["faults"][0]["code"]) == (413, "batch-above-rate")
    finally:
        service.kill()
