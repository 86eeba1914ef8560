"""Events over HTTP: every form that they come in, what is refused and why, repeats, what is kept of them."""

from __future__ import annotations

import json
import time
from datetime import datetime
from typing import Any

import pytest

from tests.service.processes import ServiceProcess, until
from tocsin.cli import main

NDJSON = "application/x-ndjson"


@pytest.fixture
def service(shared_service: ServiceProcess) -> ServiceProcess:
    return shared_service


def kept(service: ServiceProcess, kind: str) -> list[dict[str, object]]:
    return service.client.call("GET", "/v1/events", type=kind)["items"]


@pytest.mark.parametrize(
    ("kind", "body", "headers"),
    [
        ("application/json", b'{"type": "%s", "id": "%s", "data": {"user": "ann"}}', {}),
        ("application/json", b'{\n  "type": "%s",\n  "id": "%s",\n  "user": "ann"\n}', {}),
        ("application/json", b'[{"type": "%s", "id": "%s", "user": "ann"}]', {}),
        (NDJSON, b'{"type": "%s", "id": "%s", "user": "ann"}\n', {}),
        ("application/x-www-form-urlencoded", b'{"type": "%s", "id": "%s", "user": "ann"}', {}),
        (
            "application/cloudevents+json",
            b'{"specversion": "1.0", "type": "%s", "id": "%s", "source": "s", "data": {"user": "ann"}}',
            {},
        ),
        (
            "application/cloudevents-batch+json",
            b'[{"specversion": "1.0", "type": "%s", "id": "%s", "source": "s", "data": {"user": "ann"}}]',
            {},
        ),
        (
            "application/json",
            b'{"user": "ann"}',
            {"ce-specversion": "1.0", "ce-type": "%s", "ce-id": "%s", "ce-source": "s"},
        ),
    ],
    ids=["object", "object over lines", "list", "lines", "curl", "cloudevent", "cloudevents", "binary cloudevent"],
)
def test_an_event_comes_in_many_forms(
    service: ServiceProcess, request: pytest.FixtureRequest, kind: str, body: bytes, headers: dict[str, str]
) -> None:
    own = request.node.callspec.id.replace(" ", "-")
    body = body.replace(b"%s", own.encode())
    given = {name: value.replace("%s", own) for name, value in headers.items()}
    status, answer = service.raw("/v1/events", body, kind, **given)
    assert (status, answer) == (202, {"accepted": 1, "duplicates": 0, "refused": []})
    (event,) = kept(service, own)
    assert event["id"] == own
    assert (event.get("data") or event)["user"] == "ann"  # type: ignore[index]


def test_gem_reports_are_events(service: ServiceProcess) -> None:
    service.client.call("PUT", "/v1/types/boiler", {"gem": "event boiler(double t)"})
    status, answer = service.raw("/v1/events", b'boiler "b1" (31.5) // a remark\nboiler "b1" ("hot")\n', "text/plain")
    assert status == 202
    assert answer["accepted"] == 1
    assert [(each["index"], each["code"]) for each in answer["refused"]] == [(1, "event-mismatch")]
    (event,) = kept(service, "boiler")
    assert event["data"] == {"t": 31.5}
    assert event["source"] == "b1"


def test_a_bad_event_is_refused_alone_with_its_place_and_reason(service: ServiceProcess) -> None:
    body = b'{"type": "mixed", "id": "mixed1"}\nnonsense\n{"type": 5}\n{"id": "mixed2"}\n{"type": "mixed", "time": "noon"}\n'
    status, answer = service.raw("/v1/events", body, NDJSON)
    assert status == 202
    assert answer["accepted"] == 1
    assert [each["index"] for each in answer["refused"]] == [1, 2, 3, 4]
    assert {each["code"] for each in answer["refused"]} == {"event-invalid"}
    assert "type is 5" in answer["refused"][1]["message"]
    assert len(kept(service, "mixed")) == 1
    refused = service.client.call("GET", "/v1/refused")["items"]
    assert any(each["text"] == "nonsense" for each in refused)


def test_an_event_that_comes_again_counts_once(service: ServiceProcess) -> None:
    event = {"type": "again", "id": "again", "source": "s"}
    assert service.send(event)["accepted"] == 1
    assert service.send(event, {**event, "source": "t"}, event) == {"accepted": 1, "duplicates": 2, "refused": []}
    assert len(kept(service, "again")) == 2


def test_many_lines_are_taken_as_one_by_one(service: ServiceProcess) -> None:
    lines = [{"type": "many", "id": f"m{number}", "time": 1_000.0 + number, "v": number} for number in range(500)]
    status, answer = service.raw("/v1/events", b"\n".join(json.dumps(each).encode() for each in lines), NDJSON)
    assert (status, answer["accepted"]) == (202, 500)
    again = [*lines[:250], {"type": "many", "id": "new", "time": 2_000}]
    status, answer = service.raw("/v1/events", b"\n".join(json.dumps(each).encode() for each in again), NDJSON)
    assert (answer["accepted"], answer["duplicates"]) == (1, 250)


@pytest.mark.parametrize("newest", ["false", "true"])
def test_history_is_read_page_by_page(service: ServiceProcess, newest: str) -> None:
    kind = f"paged-{newest}"
    for start in range(0, 30, 10):
        events = [
            {"type": kind, "id": f"{kind}{n}", "source": f"s{n % 2}", "time": 5_000 + n}
            for n in range(start, start + 10)
        ]
        service.send(*events)
    seen, cursor = [], None
    while True:
        page = service.client.call("GET", "/v1/events", type=kind, source="s1", limit=4, after=cursor, newest=newest)
        seen += [event["id"] for event in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert seen == [f"{kind}{n}" for n in range(1, 30, 2)][:: -1 if newest == "true" else 1]
    some = service.client.call("GET", "/v1/events", type=kind, **{"from": 5_010, "to": 5_012})["items"]
    assert [event["id"] for event in some] == [f"{kind}{n}" for n in (10, 11, 12)]


def test_heartbeats_are_listed_only_where_they_are_asked_for(service: ServiceProcess) -> None:
    service.send({"type": "beside", "source": "beating"}, {"source": "beating", "time": 7_000, "heartbeat": True})
    some = service.client.call("GET", "/v1/events", source="beating")["items"]
    assert [each.get("type") for each in some] == ["beside"]
    (beat,) = service.client.call("GET", "/v1/events", source="beating", type="heartbeat")["items"]
    assert beat["heartbeat"] is True


def test_types_are_held_to_their_schema(service: ServiceProcess) -> None:
    schema = {"type": "object", "required": ["level"], "properties": {"level": {"type": "integer", "minimum": 0}}}
    service.client.call("PUT", "/v1/types/tank", {"schema": schema})
    answer = service.send({"type": "tank", "level": 3}, {"type": "tank", "level": -1}, {"type": "tank"})
    assert answer["accepted"] == 1
    assert [each["code"] for each in answer["refused"]] == ["event-mismatch", "event-mismatch"]
    assert "data.level" in answer["refused"][0]["message"]
    assert [each["name"] for each in service.client.call("GET", "/v1/types")["types"] if each["name"] == "tank"] == [
        "tank"
    ]
    service.client.call("DELETE", "/v1/types/tank")
    assert service.send({"type": "tank"})["accepted"] == 1


@pytest.mark.parametrize(
    ("kind", "body", "status", "code"),
    [
        ("image/png", b"x", 415, "media-type"),
        ("application/json", b"[1, 2", 400, "not-json"),
        ("application/cloudevents-batch+json", b"{}", 400, "not-json"),
        ("text/plain", b"\xff\xfe", 400, "not-utf8"),
    ],
)
def test_a_body_that_cannot_be_read_is_refused_whole(
    service: ServiceProcess, kind: str, body: bytes, status: int, code: str
) -> None:
    found, answer = service.raw("/v1/events", body, kind)
    assert (found, answer["faults"][0]["code"]) == (status, code)


def test_events_that_say_no_time_come_one_after_the_other(service: ServiceProcess) -> None:
    service.ask("in-turn", "firstoftwo ; secondoftwo")
    service.send({"type": "firstoftwo"}, {"type": "secondoftwo"})
    (found,) = service.detections(rule="in-turn")
    start, end = (datetime.fromisoformat(found[name]) for name in ("start", "time"))
    assert start < end


def test_events_that_come_too_late_for_a_rule_are_counted_and_listed_with_the_reason(service: ServiceProcess) -> None:
    service.ask("near", "nearly ; nearby", window="10 sec")
    service.ask("sure", "surely ; sureby", order="guaranteed:5 sec")
    now = time.time()
    service.send({"type": "nearly", "id": "old", "time": now - 500, "source": "n"})
    service.send({"type": "surely", "id": "1", "time": now, "source": "s"})
    service.send({"type": "sureby", "id": "2", "time": now - 5, "source": "s"})

    def listed() -> list[dict[str, Any]]:
        items = service.client.call("GET", "/v1/refused")["items"]
        return [each for each in items if each["code"] == "too-late" and json.loads(each["text"])["id"] in ("old", "2")]

    sure, near = until(listed, 2)
    assert near["message"].endswith(": older than the detection window of rule near")
    assert json.loads(near["text"])["id"] == "old"
    assert sure["message"].startswith("1 event, up to entry")
    assert "source 's' had already reported" in sure["message"]
    status = service.client.call("GET", "/v1/status")
    assert status["reasons"]["older than the detection window of rule near"] == 1
    assert status["rules"]["refused"] >= 2
    figures = service.client.call("GET", "/metrics")
    (told,) = (line for line in figures.splitlines() if line.startswith("tocsin_rules_refused_total"))
    assert float(told.split()[1]) == status["rules"]["refused"]


def test_values_that_cannot_be_compared_are_counted_while_it_goes_on(service: ServiceProcess) -> None:
    service.ask("compared", "x:cmpa ; y:cmpb", condition="x.v < y.v")
    service.send({"type": "cmpa", "v": 1}, {"type": "cmpb", "v": "text"})
    until(lambda: [1] * service.client.call("GET", "/v1/status")["rules"].get("incomparable", 0))


def test_history_is_asked_for_by_rule_and_source(service: ServiceProcess) -> None:
    made = service.ask("byrule", "bra ; brb")
    kinds = ("bra", "other", "brb", "bra")
    service.send(*({"type": kind, "id": f"br{place}", "source": f"s{place}"} for place, kind in enumerate(kinds)))

    def ids(**query: str) -> list[str]:
        return [each["id"] for each in service.client.call("GET", "/v1/events", **query)["items"]]

    assert ids(rule="byrule") == ids(request=made["id"]) == ["br0", "br2", "br3"]
    assert ids(rule="byrule", source="s2") == ["br2"]
    for query in ("rule=nobodys", "request=r0"):
        status, answer = service.raw(f"/v1/events?{query}", method="GET")
        assert (status, answer["faults"][0]["code"]) == (404, "request-unknown")
    service.detections(rule="byrule")
    assert service.client.call("GET", "/v1/detections", rule="byrule", source="elsewhere")["items"] == []
    assert len(service.client.call("GET", "/v1/detections", rule="byrule", source="")["items"]) == 1


def test_a_page_of_large_entries_is_given_in_parts_that_lack_none(
    service: ServiceProcess, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    body = b"\n".join(
        b'{"type": "big", "id": "%d", "source": "s%d", "pad": "%b"}' % (n, n % 7, b"x" * 700) for n in range(3000)
    )
    again = body.replace(b'"big", "id": "', b'"big", "id": "again')
    for each in (body, again):
        assert service.raw("/v1/events", each, "application/x-ndjson")[0] == 202
    assert service.send(*({"type": "big", "id": f"last{n}", "source": "s6"} for n in range(6)))["accepted"] == 6
    for newest in ("false", "true"):
        found, after, pages = list[str](), "", 0
        while True:
            page = service.client.call(
                "GET", "/v1/events", type="big", source="s6", limit=1000, newest=newest, after=after
            )
            found += [each["id"] for each in page["items"]]
            after, pages = page.get("next") or "", pages + 1
            if not after:
                break
        expected = [*(str(n) for n in range(6, 3000, 7)), *(f"again{n}" for n in range(6, 3000, 7))]
        expected += [f"last{n}" for n in range(6)]
        assert found == (expected[::-1] if newest == "true" else expected)
        assert pages > 1  # four megabytes at a time
    monkeypatch.setenv("TOCSIN_KEY", service.key)
    asked = ["--url", service.url, "--type", "big", "--source", "s6"]
    for limit, count in (("2000", len(expected)), ("600", 600)):  # a command goes on by itself
        assert main(["service", "events", *asked, "--limit", limit]) == 0
        shown = [json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()]
        assert shown == expected[:count]
