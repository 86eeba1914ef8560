"""Numbers, times and names that nobody would ask with are refused with a place and a code, never a fault of the service."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.service.processes import ServiceProcess
from tests.service.receivers import Receiver
from tocsin.service.client import Client

FAR = "9" * 5000


@pytest.fixture
def service(shared_service: ServiceProcess) -> ServiceProcess:
    return shared_service


@pytest.fixture(scope="module")
def request_id(shared_service: ServiceProcess) -> str:
    return str(shared_service.ask("odd", "a ; b")["id"])


@pytest.mark.parametrize("path", [
    "/v1/events?from=1e300", "/v1/events?to=-1e15", "/v1/detections?from=99999999999999999999",
    "/v1/detections?from=nan", "/v1/detections?to=inf", "/v1/why?rule=odd&at=1e300", "/v1/why?rule=odd&at=-9999999999999",
    "/v1/stream?after=-1", "/v1/stream?after=99999999999999999999999",
    "/v1/requests/ID/deliveries?after=99999999999999999999999", "/v1/requests/ID/deliveries?after=-1",
])  # fmt: skip
def test_numbers_and_times_beyond_all_are_refused(service: ServiceProcess, request_id: str, path: str) -> None:
    status, answer = service.raw(path.replace("ID", request_id), method="GET")
    assert (status, answer["faults"][0]["code"]) in ((422, "query-invalid"), (422, "question-invalid"))


@pytest.mark.parametrize("last", ["\xb2", FAR, "-1", "1.5", "x"])
def test_the_last_id_is_a_number(service: ServiceProcess, last: str) -> None:
    status, answer = service.raw("/v1/stream", method="GET", **{"Last-Event-ID": last})
    assert (status, answer["faults"][0]["code"]) == (422, "query-invalid")


@pytest.mark.parametrize("target", ["%C2%B2", FAR, "-1", "x", "1"])
def test_a_target_that_there_is_not(service: ServiceProcess, request_id: str, target: str) -> None:
    status, answer = service.raw(f"/v1/requests/{request_id}/targets/{target}/enable")
    assert (status, answer["faults"][0]["code"]) == (404, "target-unknown")


@pytest.mark.parametrize("more", [
    {"days": 1e300}, {"days": 0}, {"days": -1}, {"days": 1e7}, {"rates": {"requests": 0}}, {"rates": {"events": 10**18}},
    {"rates": {"odd": 1}},
])  # fmt: skip
def test_keys_that_cannot_be(service: ServiceProcess, more: dict[str, object]) -> None:
    status, answer = service.raw("/v1/keys", json.dumps({"name": "odd", **more}).encode())
    assert (status, answer["faults"][0]["code"]) == (422, "document-invalid")


def test_a_key_has_rates_of_its_own(service: ServiceProcess) -> None:
    made = service.client.call("POST", "/v1/keys", {"name": "slow", "role": "sensor", "rates": {"events_at_once": 3}})
    assert made["rates"]["events_at_once"] == 3
    slow = Client(service.url, made["key"])
    assert slow.call("POST", "/v1/events", [{"type": "few"}] * 3)["accepted"] == 3
    status, answer = service.raw(
        "/v1/events", b'[{"type":"few"}%s]' % (b',{"type":"few"}' * 3), Authorization=f"Bearer {made['key']}"
    )
    assert (status, answer["faults"][0]["code"]) == (413, "batch-above-rate")
    rotated = service.client.call("POST", f"/v1/keys/{made['id']}/rotate", {})
    assert rotated["rates"] == made["rates"]


def test_two_requests_may_have_one_name_and_figures_are_told_once(service: ServiceProcess) -> None:
    sigma = "title: {0}\nlogsource: {{product: linux}}\ndetection:\n  s:\n    cmd|contains: {0}\n  condition: s\n"
    for word in ("evil", "odder"):
        service.ask("twins", sigma.format(word), "sigma")
        service.send({"type": "linux", "cmd": word})
        service.detections(rule=word)
    figures = service.client.call("GET", "/metrics")
    told = [
        line for line in figures.splitlines() if line.startswith('tocsin_request_detections_total{request="twins"}')
    ]
    assert told == ['tocsin_request_detections_total{request="twins"} 2.0']


@pytest.fixture
def receivers() -> Iterator[list[Receiver]]:
    made = [Receiver(lambda number: 204) for _ in range(3)]
    yield made
    for each in made:
        each.close()


@pytest.mark.parametrize("limit", [1, 2, 4])
def test_pages_of_notifications_lack_none(service: ServiceProcess, receivers: list[Receiver], limit: int) -> None:
    made = service.ask(f"pages{limit}", f"p{limit}", callback=[{"url": each.url} for each in receivers])
    service.send(*[{"type": f"p{limit}"}] * 3)
    service.detections(3, rule=f"pages{limit}")
    seen, after = [], 0
    while after is not None:
        page = service.client.call("GET", f"/v1/requests/{made['id']}/deliveries", limit=limit, after=after)
        seen += [(each["number"], each["target"]) for each in page["items"]]
        after = page["next"]
    assert len(seen) == len(set(seen)) == 9
    service.client.call("DELETE", f"/v1/requests/{made['id']}")
