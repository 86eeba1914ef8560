"""How far a subscriber gets: types in scope, rules of others, what is told of requests that are not its own."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from tests.service.processes import ServiceProcess, until
from tocsin.service.client import Client, ServiceRefused

_NUMBERS = itertools.count()


@pytest.fixture
def service(shared_service: ServiceProcess) -> ServiceProcess:
    return shared_service


@pytest.fixture
def ann(service: ServiceProcess) -> Client:
    """Somebody whose scope is what the plant sends."""
    return client(service, types=["plant.*"])


@pytest.fixture
def secret(service: ServiceProcess) -> Iterator[dict[str, Any]]:
    """A request of the operator, with a detection."""
    name = f"secret{next(_NUMBERS)}"
    made = service.ask(name, f"x{name} ; y{name}")
    service.send({"type": f"x{name}"}, {"type": f"y{name}"})
    (found,) = service.detections(rule=name)
    yield {"id": made["id"], "name": name, "detection": found["id"]}
    service.client.call("DELETE", f"/v1/requests/{made['id']}")


def client(service: ServiceProcess, role: str = "subscriber", **scopes: list[str]) -> Client:
    made = service.client.call("POST", "/v1/keys", {"name": f"one{next(_NUMBERS)}", "role": role, **scopes})
    return Client(service.url, made["key"])


def refused(client: Client, method: str, path: str, body: object = None, **query: object) -> tuple[int, str]:
    with pytest.raises(ServiceRefused) as caught:
        client.call(method, path, body, **query)
    return caught.value.status, caught.value.faults[0]["code"]


def document(expression: str, name: str = "", language: str = "eps", **more: object) -> dict[str, object]:
    name = name or f"rule{next(_NUMBERS)}"
    return {"name": name, "language": language, "expression": expression, "window": "1 hour", **more}


@pytest.mark.parametrize(
    ("language", "expression"),
    [
        ("eps", "login"),
        ("sel", "a -> login"),
        ("core", "[login];[a]"),
        ("pretty", "login 3 times"),
        ("gem", "login ; a"),
    ],
)
def test_a_request_takes_only_types_in_scope(ann: Client, language: str, expression: str) -> None:
    for path in ("/v1/requests", "/v1/requests?dry_run"):
        assert refused(ann, "POST", path, document(expression, language=language)) == (403, "type-out-of-scope")
    body = {"request": document(expression, language=language)}
    assert refused(ann, "POST", "/v1/backtest", body) == (403, "type-out-of-scope")


def test_what_takes_events_of_any_type_takes_those_out_of_scope(ann: Client) -> None:
    assert refused(ann, "POST", "/v1/requests", document("[*]", language="core")) == (403, "type-out-of-scope")


def test_types_in_scope_are_taken(service: ServiceProcess, ann: Client) -> None:
    made = ann.call(
        "POST", "/v1/requests", document("tc.event('plant.a').then(tc.event('plant.b'))", language="python")
    )
    service.send({"type": "plant.a"}, {"type": "plant.b"})
    service.detections(request=made["id"])
    assert len(ann.call("GET", "/v1/detections")["items"]) == 1
    body = {"request": document("tc.event('plant.a')", language="python"), "against": made["id"]}
    assert ann.call("POST", "/v1/backtest", body)["detections"] == 1


def test_a_change_gets_no_further(service: ServiceProcess, ann: Client) -> None:
    body = document("tc.event('plant.a')", language="python")
    made = ann.call("POST", "/v1/requests", body)
    wider = body | {"expression": "tc.event('login')"}
    assert refused(ann, "PUT", f"/v1/requests/{made['id']}", wider) == (403, "type-out-of-scope")
    service.client.call("PUT", f"/v1/requests/{made['id']}", wider)  # an operator may; then ann cannot switch it on
    ann.call("POST", f"/v1/requests/{made['id']}/disable")
    assert refused(ann, "POST", f"/v1/requests/{made['id']}/enable") == (403, "type-out-of-scope")


def test_rules_of_others_are_not_built_on(service: ServiceProcess, secret: dict[str, Any]) -> None:
    bob = client(service)  # all types, no owner but himself
    assert refused(bob, "POST", "/v1/requests", document(f"{secret['name']} ; b")) == (403, "owner-out-of-scope")
    friend = client(service, owners=["operator"])
    assert friend.call("POST", "/v1/requests", document(f"{secret['name']} ; b"))["enabled"]


def test_others_requests_are_not_told_of(service: ServiceProcess, secret: dict[str, Any]) -> None:
    bob = client(service)
    body = {"request": document("b"), "against": secret["id"]}
    assert refused(bob, "POST", "/v1/backtest", body) == (404, "request-unknown")
    assert refused(bob, "POST", "/v1/requests", document("b", shadow=secret["id"])) == (404, "request-unknown")
    assert refused(bob, "GET", "/v1/why", detection=secret["detection"])[0] == 403
    with pytest.raises(ServiceRefused) as caught:
        bob.call("GET", "/v1/why", rule="nobodys", at="0")
    assert secret["name"] not in str(caught.value)
    assert refused(bob, "GET", "/v1/why", rule=secret["name"], at="0")[0] == 403


def test_a_back_test_against_what_is_not_there_is_refused(service: ServiceProcess) -> None:
    body = {"request": document("b"), "against": "r0"}
    assert refused(service.client, "POST", "/v1/backtest", body) == (404, "request-unknown")


def test_declarations_out_of_scope_are_not_listed(service: ServiceProcess, ann: Client) -> None:
    for name in ("plant.declared", "hidden"):
        service.client.call("PUT", f"/v1/types/{name}", {"schema": {"type": "object"}})
    try:
        assert [each["name"] for each in ann.call("GET", "/v1/types")["types"]] == ["plant.declared"]
        assert len(service.client.call("GET", "/v1/types")["types"]) == 2
    finally:
        for name in ("plant.declared", "hidden"):
            service.client.call("DELETE", f"/v1/types/{name}")


def test_an_operator_is_confined_by_nothing(service: ServiceProcess) -> None:
    chief = client(service, "operator", types=["plant.*"])
    assert chief.call("POST", "/v1/events", [{"type": "elsewhere"}])["accepted"] == 1
    assert chief.call("GET", "/v1/events", type="elsewhere")["items"]


def _refusals(service: ServiceProcess) -> list[dict[str, Any]]:
    found = [each for each in service.client.call("GET", "/v1/audit")["items"] if each["outcome"] != "done"]
    return found if found and found[0]["outcome"] == "key-unknown" else []


def test_what_was_refused_is_in_the_audit_without_secrets(service: ServiceProcess, ann: Client) -> None:
    key = service.key
    body = document(
        "login",
        name="asked",
        callback={"url": "https://example.org/", "secret": "whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"},
    )
    assert refused(ann, "POST", "/v1/requests", body)[0] == 403
    assert refused(service.client, "POST", "/v1/requests", document("a ;", name=key))[0] == 422
    assert refused(ann, "DELETE", "/v1/keys/none") == (403, "role-not-permitted")
    assert refused(service.client, "DELETE", "/v1/keys/none") == (404, "key-unknown")
    refused(service.client, "POST", "/v1/requests?dry_run", document("a ;"))  # changes nothing, so it is not there
    audit = until(lambda: _refusals(service), 4)[:4]
    assert [(each["action"], each["outcome"]) for each in audit] == [
        ("key.revoke", "key-unknown"),
        ("key.revoke", "role-not-permitted"),
        ("request.create", "expression-invalid"),
        ("request.create", "type-out-of-scope"),
    ]
    assert {each["address"] for each in audit} == {"127.0.0.1"}
    assert all(each["credential"].startswith("key_") for each in audit)
    assert "c2VjcmV0" not in str(audit)
    assert key not in str(audit)


def test_what_was_done_is_in_the_audit_with_key_and_address(service: ServiceProcess, ann: Client) -> None:
    made = ann.call("POST", "/v1/requests", document("tc.event('plant.z')", language="python"))
    ann.call("DELETE", f"/v1/requests/{made['id']}")
    done = service.client.call("GET", "/v1/audit")["items"][:2]
    assert [(each["action"], each["subject"]) for each in done] == [
        ("request.cancel", made["id"]),
        ("request.create", made["id"]),
    ]
    for each in done:
        assert (each["actor"], each["outcome"], each["address"]) == (made["owner"], "done", "127.0.0.1")
        assert each["credential"].startswith("key_")
