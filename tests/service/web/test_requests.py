"""Requests for notification over HTTP: made, read, changed, switched, cancelled; faults as data, all at once."""

from __future__ import annotations

import json

import pytest

from tests.service.processes import ServiceProcess, until
from tocsin.service.client import ServiceRefused


@pytest.fixture
def service(shared_service: ServiceProcess) -> ServiceProcess:
    return shared_service


def test_a_request_has_a_life(service: ServiceProcess) -> None:
    made = service.ask("life", "la ; lb", description="a pair", severity="high", tags=["demo"])
    assert (made["version"], made["name"], made["enabled"], made["owner"]) == (1, "life", True, "operator")
    path = f"/v1/requests/{made['id']}"
    service.send({"type": "la", "id": "l1"}, {"type": "lb", "id": "l2"})
    (first,) = service.detections(rule="life")
    assert (first["events"], first["severity"], first["tags"]) == (["l1", "l2"], "high", ["demo"])
    assert service.client.call("GET", path)["detections"] == 1

    service.client.call("POST", f"{path}/disable")
    service.send({"type": "la"}, {"type": "lb"})
    service.client.call("POST", f"{path}/enable")
    service.send({"type": "lb", "id": "l3"})  # what came before it was enabled again is forgotten
    service.send({"type": "la", "id": "l4"}, {"type": "lb", "id": "l5"})
    found = service.detections(2, rule="life")
    assert [each["events"] for each in found] == [["l1", "l2"], ["l4", "l5"]]

    service.client.call("DELETE", path)
    with pytest.raises(ServiceRefused) as caught:
        service.client.call("GET", path)
    assert caught.value.status == 404


def test_a_change_keeps_what_is_equal(service: ServiceProcess) -> None:
    made = service.ask("kept", "ka ; kb")
    service.send({"type": "ka", "id": "k1"})
    changed = service.client.call(
        "PUT", f"/v1/requests/{made['id']}", {**made["document"], "description": "the same, said better"}
    )
    assert changed["version"] == 2
    service.send({"type": "kb", "id": "k2"})
    (found,) = service.detections(rule="kept")
    assert found["events"] == ["k1", "k2"]


def test_who_changes_what_somebody_else_has_changed_is_told(service: ServiceProcess) -> None:
    made = service.ask("shared_by_two", "sa ; sb")
    path, body = f"/v1/requests/{made['id']}", json.dumps(made["document"]).encode()
    assert service.raw(path, method="GET")[0] == 200
    first = service.head["etag"]
    assert first == '"1"'
    other = json.dumps({**made["document"], "description": "by the one"}).encode()
    assert service.raw(path, other, method="PUT", **{"If-Match": first})[0] == 200
    assert service.head["etag"] == '"2"'
    for method, where in (("PUT", path), ("DELETE", path), ("POST", f"{path}/disable"), ("POST", f"{path}/enable")):
        status, told = service.raw(where, body if method == "PUT" else b"", method=method, **{"If-Match": first})
        assert (status, told["faults"][0]["code"], service.head["etag"]) == (412, "request-changed", '"2"')
    now = service.client.call("GET", path)
    assert (now["version"], now["enabled"], now["document"]["description"]) == (2, True, "by the one")
    for seen in ('"2"', '"7", "3"', "*"):
        assert service.raw(path, body, method="PUT", **{"If-Match": seen})[0] == 200
    assert service.raw(path, method="DELETE", **{"If-Match": '"5"'})[0] == 204


@pytest.mark.parametrize(
    ("language", "expression"),
    [
        ("eps", "x ; y"),
        ("gem", "x ; y"),
        ("sel", "x -> y in 1 minute"),
        ("core", "[x] ; [y]"),
        ("global", "x ; y"),
        ("pretty", "x followed by y"),
        ("python", 'tc.event("x").then(tc.event("y"))'),
    ],
)
def test_every_notation_is_understood(service: ServiceProcess, language: str, expression: str) -> None:
    kinds = (f"{language}-one", f"{language}-two") if language in ("python",) else (f"{language}one", f"{language}two")
    text = expression.replace("x", kinds[0]) if language != "python" else expression.replace('"x"', f'"{kinds[0]}"')
    text = text.replace(" y", f" {kinds[1]}").replace("[y]", f"[{kinds[1]}]").replace('"y"', f'"{kinds[1]}"')
    service.ask(f"in-{language}", text, language)
    service.send({"type": kinds[0], "id": f"{language}1"}, {"type": kinds[1], "id": f"{language}2"})
    (found,) = service.detections(rule=f"in-{language}")
    assert found["events"] == [f"{language}1", f"{language}2"]


def test_a_sigma_rule_is_a_request(service: ServiceProcess) -> None:
    sigma = (
        "title: whoami\nlogsource: {product: linux}\ndetection:\n  s: {CommandLine|contains: whoami}\n  condition: s\n"
    )
    made = service.client.call("POST", "/v1/requests", {"language": "sigma", "expression": sigma})
    assert made["name"] == "whoami"
    service.send({"type": "linux", "CommandLine": "sudo whoami", "id": "w"})
    (found,) = service.detections(rule="whoami")
    assert found["events"] == ["w"]


def test_faults_are_data_with_their_places_and_come_all_at_once(service: ServiceProcess) -> None:
    document = {
        "name": "wrong",
        "language": "eps",
        "expression": "a ; ; b",
        "window": "soon",
        "severity": "terrible",
        "callback": {"file": "nowhere"},
    }
    with pytest.raises(ServiceRefused) as caught:
        service.client.call("POST", "/v1/requests", document)
    faults = {fault["key"]: fault for fault in caught.value.faults}
    assert caught.value.status == 422
    assert set(faults) == {"expression", "window", "severity", "callback.file"}
    place = {name: faults["expression"][name] for name in ("code", "line", "column", "end", "expected")}
    assert place == {"code": "expression-invalid", "line": 1, "column": 5, "end": 6, "expected": "an event"}


def test_a_wrong_shape_hides_no_other_fault(service: ServiceProcess) -> None:
    document = {"name": "bad", "language": "eps", "expression": "a ; ; b", "windw": "1 min", "enabled": "perhaps"}
    for method, path in (("POST", "/v1/requests"), ("PUT", f"/v1/requests/{service.ask('shape', 'a ; b')['id']}")):
        with pytest.raises(ServiceRefused) as caught:
            service.client.call(method, path, {**document, "callback": {"file": "none"}, "tags": 5})
        faults = {fault["key"]: fault for fault in caught.value.faults}
        assert faults["windw"]["hint"] == "did you mean 'window'?"
        assert faults["expression"]["column"] == 5
        assert {"windw", "expression", "enabled", "callback.file"} <= set(faults)
    for odd in ([], {"name": []}, {"name": "u", "language": {}, "expression": [["a"]], "select": 1, "suppress": [2]}):
        with pytest.raises(ServiceRefused) as caught:
            service.client.call("POST", "/v1/requests", odd)
        assert caught.value.status == 422


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"name": "u", "language": "eps", "expression": "ua ; ub"}, "rule-unbounded"),
        ({"name": "u", "language": "klingon", "expression": "a", "window": "1 min"}, "language-invalid"),
        ({"name": "u", "language": "eps", "expression": "a", "window": "1 min", "shadow": "r999"}, "shadow-invalid"),
        ({"name": "u", "language": "eps", "expression": "a" * 30_000, "window": "1 min"}, "expression-too-long"),
        ({"name": "u", "language": "eps", "window": "1 min"}, "document-invalid"),
        ({"name": "u", "language": "eps", "expression": "a", "windows": "1 min"}, "key-unknown"),
    ],
)
def test_every_refusal_has_its_code(service: ServiceProcess, document: dict[str, object], code: str) -> None:
    with pytest.raises(ServiceRefused) as caught:
        service.client.call("POST", "/v1/requests", document)
    assert [fault["code"] for fault in caught.value.faults] == [code]
    assert all(each["name"] != "u" for each in service.client.call("GET", "/v1/requests")["requests"])


def test_a_name_is_taken_once(service: ServiceProcess) -> None:
    service.ask("taken", "ta ; tb")
    with pytest.raises(ServiceRefused, match="there is a rule 'taken' already"):
        service.ask("taken", "tc ; td")


def test_a_dry_run_says_what_it_would_cost_and_keeps_nothing(service: ServiceProcess) -> None:
    service.ask("standing", "sa ; sb")
    document = {"name": "tried", "language": "eps", "expression": "sa ; sb", "window": "2 hours"}
    told = service.client.call("POST", "/v1/requests", document, dry_run="1")
    assert told["shared_nodes"] > 0
    assert told["rules"][0]["bounded"] is True
    assert all(each["name"] != "tried" for each in service.client.call("GET", "/v1/requests")["requests"])


def test_a_shadow_is_compared_and_told_to_nobody(service: ServiceProcess) -> None:
    live = service.ask("live", "ha ; hb")
    shadow = service.ask("candidate", "ha ; hb", condition="hb.v > 1", shadow=live["id"])
    service.send({"type": "ha"}, {"type": "hb", "v": 5}, {"type": "ha"}, {"type": "hb", "v": 0})
    service.detections(2, rule="live")
    path = f"/v1/requests/{shadow['id']}/shadow"
    until(lambda: [each for each in [service.client.call("GET", path)] if each["live_only"] == 1])
    difference = service.client.call("GET", path)
    assert (difference["both"], difference["live_only"], difference["shadow_only"]) == (1, 1, 0)
    assert service.client.call("GET", "/v1/detections", rule="candidate")["items"] == []


def test_why_and_why_not(service: ServiceProcess) -> None:
    service.ask("reasoned", "x:ra ; y:rb", condition="x.k == y.k")
    service.send({"type": "ra", "id": "r1", "k": 1}, {"type": "rb", "id": "r2", "k": 1})
    (found,) = service.detections(rule="reasoned")
    why = service.client.call("GET", "/v1/why", detection=found["id"])
    (fired,) = next(each["fired"] for each in why["rules"] if each["rule"] == "reasoned")
    assert [each["event"]["id"] for each in fired["constituents"]] == ["r1", "r2"]
    service.send({"type": "ra", "id": "r3", "k": 1}, {"type": "rb", "id": "r4", "k": 2})
    last = service.client.call("GET", "/v1/events", type="rb", newest="true")["items"][0]
    why = service.client.call("GET", "/v1/why", rule="reasoned", at=last["time"])
    told = json.dumps(next(each["misses"] for each in why["rules"] if each["rule"] == "reasoned"))
    assert "x.k == y.k" in told


def test_why_knows_from_when_on_a_request_sees_events(service: ServiceProcess) -> None:
    service.send({"type": "late", "id": "n1", "k": 1})
    made = service.ask("late", "late at least 2 times with the same k within 1 hour", "pretty")
    path = f"/v1/requests/{made['id']}"
    service.send({"type": "late", "id": "n2", "k": 1}, {"type": "late", "id": "n3", "k": 1})
    service.detections(rule="late")
    altered = "late at least 3 times with the same k within 1 hour"
    service.client.call("PUT", path, {**made["document"], "expression": altered})
    service.send(*({"type": "late", "id": f"n{number}", "k": 1} for number in (4, 5, 6)))
    service.detections(2, rule="late")
    service.client.call("POST", f"{path}/disable")
    service.client.call("POST", f"{path}/enable")
    service.send(*({"type": "late", "id": f"n{number}", "k": 1} for number in (7, 8, 9)))
    for found in service.detections(3, rule="late")[1:]:  # the first is one of a rule that is no more
        why = service.client.call("GET", "/v1/why", detection=found["id"])
        (fired,) = next(each["fired"] for each in why["rules"] if each["rule"] == "late")
        assert [each["event"]["id"] for each in fired["constituents"]] == found["events"]


def test_why_goes_by_the_rules_that_stood_then(service: ServiceProcess) -> None:
    made = service.ask("pair", "a ; b")
    service.send({"type": "a", "id": "1"}, {"type": "b", "id": "2"})
    (found,) = service.detections(rule="pair")
    path, document = f"/v1/requests/{made['id']}", {"name": "pair", "language": "eps", "window": "1 hour"}

    def constituents() -> list[str]:
        told = service.client.call("GET", "/v1/why", detection=found["id"])
        return [each["event"]["id"] for each in told["rules"][0]["fired"][0]["constituents"]]

    assert constituents() == ["1", "2"]
    service.client.call("PUT", path, document | {"expression": "a ; c"})
    assert constituents() == ["1", "2"]
    told = service.client.call("GET", "/v1/why", rule="pair", at=found["detected"])
    assert [each["id"] for each in told["rules"][0]["fired"]] == [found["id"]]
    service.client.call("POST", f"{path}/disable")
    assert constituents() == ["1", "2"]
    service.client.call("DELETE", path)
    assert constituents() == ["1", "2"]
    service.ask("pair", "x ; y", "eps")  # another one of that name
    assert constituents() == ["1", "2"]


def test_why_of_events_that_happened_long_ago(service: ServiceProcess) -> None:
    """A history is sent at once: what its times are and when it came have nothing to do with each other."""
    expression = "old at least 3 times with the same ip within 1 minute"
    service.client.call("POST", "/v1/requests", {"name": "ancient", "language": "pretty", "expression": expression})
    day = "2015-12-10T0"
    service.send(*({"type": "old", "id": f"o{each}", "time": f"{day}{each}:00:00Z", "ip": 1} for each in range(4)))
    service.send(*({"type": "old", "id": f"p{each}", "time": f"{day}7:00:0{each}Z", "ip": 2} for each in range(4)))
    service.send(*({"type": "old", "id": f"q{each}", "time": f"{day}6:00:0{each}Z", "ip": 1} for each in range(2)))
    (found,) = service.detections(rule="ancient")
    (answer,) = service.client.call("GET", "/v1/why", detection=found["id"])["rules"]
    assert [each["event"]["id"] for each in answer["fired"][0]["constituents"]] == found["events"] == ["p0", "p1", "p2"]


def test_why_of_what_did_not_happen(service: ServiceProcess) -> None:
    service.ask("silent", "up -> !down in 1 second", "sel")
    service.send({"type": "up", "id": "u1"})
    (found,) = service.detections(rule="silent")
    (answer,) = service.client.call("GET", "/v1/why", detection=found["id"])["rules"]
    assert [each["id"] for each in answer["fired"]] == [found["id"]]


def test_why_does_not_explain_the_monitor_and_says_so(service: ServiceProcess) -> None:
    script = b"event ping(long n)\nrule all { x:ping ==> forward x }\nenable all\nping(1)"
    assert service.raw("/v1/monitor", script, "text/plain")[0] == 200
    (found,) = service.detections(request="gem")
    with pytest.raises(ServiceRefused, match="rule 'all' is one of the GEM monitor"):
        service.client.call("GET", "/v1/why", detection=found["id"])


def test_a_back_test_runs_over_what_is_kept(service: ServiceProcess) -> None:
    live = service.ask("now", "ba ; bb", condition="bb.v > 2")
    service.send({"type": "ba"}, {"type": "bb", "v": 5}, {"type": "ba"}, {"type": "bb", "v": 1})
    service.detections(rule="now")
    candidate = {"name": "now", "language": "eps", "expression": "ba ; bb", "window": "1 hour"}
    told = service.client.call("POST", "/v1/backtest", {"request": candidate, "against": live["id"]})
    assert told["detections"] == 2
    assert told["against"] == {"both": 1, "candidate only": 1, "live only": 0}


def test_a_back_test_is_of_a_stretch_of_time(service: ServiceProcess) -> None:
    """Also where one body reaches beyond it."""
    service.send(*({"type": "past", "id": f"past{each}", "time": f"2016-01-01T0{each}:00:00Z"} for each in range(9)))
    stretch = {"from": "2016-01-01T03:00:00Z", "to": "2016-01-01T05:00:00Z"}
    candidate = {"name": "past", "language": "eps", "expression": "past"}
    told = service.client.call("POST", "/v1/backtest", {"request": candidate, **stretch})
    assert told["by_hour"] == {f"2016-01-01T0{each}": 1 for each in (3, 4, 5)}


def test_many_requests_share_one_graph(service: ServiceProcess) -> None:
    for number in range(3):
        service.ask(f"graph{number}", "ga ; gb", condition=f"gb.v > {number}", context="unrestricted")
    graph = service.client.call("GET", "/v1/graph")
    assert {f"graph{number}" for number in range(3)} <= {each["rule"] for each in graph["rules"]}
    assert graph["graphs"][0]["nodes"]
    assert "rules" in graph["held"]


def test_the_changes_of_a_request_are_kept(service: ServiceProcess) -> None:
    made = service.ask("changed", "ea ; eb", callback="http://127.0.0.1:9/secret-path")
    path = f"/v1/requests/{made['id']}"
    service.client.call("PUT", path, {**made["document"], "window": "2 hours"})
    service.client.call("POST", f"{path}/disable")
    told = service.client.call("GET", f"{path}/changes")["items"]
    assert [(each["action"], each["version"], each["actor"]) for each in told] == [
        ("disable", 3, "operator"),
        ("alter", 2, "operator"),
        ("create", 1, "operator"),
    ]
    assert "secret-path" not in json.dumps(told)


def test_what_is_suppressed_is_counted_and_told_with_the_next(service: ServiceProcess) -> None:
    service.ask("calm", "sup", "eps", suppress={"by": "sup.ip", "for": "1 hour"})
    service.send(*({"type": "sup", "ip": ip} for ip in ("x", "x", "x", "y")))
    found = service.detections(2, rule="calm")
    assert len(found) == 2


def test_a_budget_stops_the_request_that_uses_it_up_and_no_other(service: ServiceProcess) -> None:
    service.ask("greedy", "ba1 ; bb1", budget="rows=5,policy=stop", context="unrestricted")
    service.ask("modest", "ba1 ; bb1")
    service.send(*({"type": "ba1"} for _ in range(20)), {"type": "bb1"})
    service.detections(rule="modest")
    assert service.client.call("GET", "/v1/detections", rule="greedy")["items"] == []
