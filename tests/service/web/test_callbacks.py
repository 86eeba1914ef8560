"""Callbacks: who asked is told, in order, again where it failed; what was not taken is a dead letter."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.service.processes import ServiceProcess, until
from tests.service.receivers import Answer, Receiver
from tocsin.sinks.signatures import is_signed, key_of

SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"


@pytest.fixture
def receiver() -> Iterator[Callable[..., Receiver]]:
    made: list[Receiver] = []

    def make(answer: Answer = lambda number: 204) -> Receiver:
        made.append(Receiver(answer))
        return made[-1]

    yield make
    for each in made:
        each.close()


def pairs(service: ServiceProcess, count: int, name: str = "") -> None:
    for _ in range(count):
        service.send({"type": f"{name}a"}, {"type": f"{name}b"})


def deliveries(service: ServiceProcess, request: str, state: str) -> list[dict[str, object]]:
    return service.client.call("GET", f"/v1/requests/{request}/deliveries", state=state)["items"]


def test_a_webhook_is_told_in_order_and_signed(service: ServiceProcess, receiver: Callable[..., Receiver]) -> None:
    hook = receiver()
    request = service.ask("told", "a ; b", callback={"url": hook.url, "secret": SECRET}, notify="a pair")
    pairs(service, 5)
    until(lambda: hook.posts, 5)
    assert hook.numbers == [1, 2, 3, 4, 5]
    headers, detection, body = hook.posts[0]
    assert detection["notification"] == "a pair"
    assert is_signed([key_of(SECRET)], headers, body, int(headers["webhook-timestamp"]))
    assert len({post[0]["webhook-id"] for post in hook.posts}) == 5
    until(lambda: deliveries(service, request["id"], "delivered"), 5)
    assert "C2FVsBQI" not in json.dumps(service.client.call("GET", f"/v1/requests/{request['id']}"))


def test_what_fails_is_sent_again_under_the_same_name(
    service: ServiceProcess, receiver: Callable[..., Receiver]
) -> None:
    hook = receiver(lambda number: 500 if number == 0 else 204)
    request = service.ask("again", "a ; b", callback=hook.url)
    pairs(service, 2)
    until(lambda: deliveries(service, request["id"], "delivered"), 2)
    assert hook.numbers == [1, 1, 2]
    assert hook.posts[0][0]["webhook-id"] == hook.posts[1][0]["webhook-id"]


def test_a_receiver_that_hangs_delays_nobody_else(service: ServiceProcess, receiver: Callable[..., Receiver]) -> None:
    hanging, quick = receiver(lambda number: 0), receiver()
    service.ask("hangs", "ha ; hb", callback=hanging.url)
    service.ask("quick", "qa ; qb", callback=quick.url)
    for _ in range(20):
        service.send({"type": "ha"}, {"type": "hb"}, {"type": "qa"}, {"type": "qb"})
    until(lambda: quick.posts, 20)
    assert len(hanging.posts) == 1


def test_a_receiver_that_is_gone_is_told_no_more_until_it_is_enabled(
    service: ServiceProcess, receiver: Callable[..., Receiver]
) -> None:
    hook = receiver(lambda number: 410 if number == 0 else 204)
    request = service.ask("gone", "a ; b", callback=hook.url)
    pairs(service, 3)

    def health() -> dict[str, object]:
        return service.client.call("GET", f"/v1/requests/{request['id']}/deliveries")["targets"][0]

    until(lambda: [each for each in [health()] if each["health"] == "disabled"])
    assert len(hook.posts) == 1
    service.client.call("POST", f"/v1/requests/{request['id']}/targets/0/enable")
    until(lambda: deliveries(service, request["id"], "delivered"), 3)
    assert hook.numbers == [1, 1, 2, 3]


def test_a_private_address_is_refused_when_it_is_dialled_and_the_dead_letter_can_be_sent_again(
    tmp_path: Path, receiver: Callable[..., Receiver]
) -> None:
    hook = receiver()
    service = ServiceProcess(tmp_path, "listen: {host: 0.0.0.0}\n")
    try:
        service.start()
        service.url = service.url.replace("0.0.0.0", "127.0.0.1")
        request = service.ask("private", "a ; b", callback=hook.url)
        pairs(service, 1)
        (dead,) = until(lambda: deliveries(service, request["id"], "dead"))
        assert "may not be dialled" in dead["error"]
        assert hook.posts == []
        service.stop()
        (tmp_path / "serve.yaml").write_text("deliveries: {allowed_networks: [127.0.0.0/8]}\n")
        service.start()
        assert service.client.call("POST", f"/v1/requests/{request['id']}/redrive", {}) == {"redriven": 1}
        until(lambda: hook.posts)
        assert hook.numbers == [1]
    finally:
        service.kill()


def test_files_and_programs_only_under_the_operators_names(tmp_path: Path) -> None:
    program = tmp_path / "siren.sh"
    program.write_text(f'#!/bin/sh\ncat >> "{tmp_path}/siren.txt"\n')
    program.chmod(0o755)
    settings = f"deliveries:\n  files: {{alarms: {tmp_path}/alarms.jsonl}}\n  programs: {{siren: [{program}]}}\n"
    service = ServiceProcess(tmp_path, settings)
    try:
        service.start()
        request = service.ask("local", "a ; b", callback=[{"file": "alarms"}, {"program": "siren"}])
        pairs(service, 2)
        until(lambda: deliveries(service, request["id"], "delivered"), 4)
        lines = (tmp_path / "alarms.jsonl").read_text().splitlines()
        assert [json.loads(line)["number"] for line in lines] == [1, 2]
        assert (tmp_path / "siren.txt").read_text().count('"rule": "local"') == 2
    finally:
        service.kill()


def test_every_notification_is_delivered_although_the_service_is_killed(
    service: ServiceProcess, receiver: Callable[..., Receiver]
) -> None:
    hook = receiver()
    request = service.ask("killed", "a ; b", callback=hook.url)
    for _ in range(4):
        pairs(service, 5)
        service.kill()
        service.start()
    until(lambda: deliveries(service, request["id"], "delivered"), 20)
    assert sorted(set(hook.numbers)) == list(range(1, 21))
    names = {post[1]["number"]: post[0]["webhook-id"] for post in hook.posts}
    assert all(names[post[1]["number"]] == post[0]["webhook-id"] for post in hook.posts)


def test_a_cancelled_request_tells_nobody(service: ServiceProcess, receiver: Callable[..., Receiver]) -> None:
    hook = receiver(lambda number: 503)
    request = service.ask("cancelled", "a ; b", callback=hook.url)
    pairs(service, 3)
    until(lambda: hook.posts)
    service.client.call("DELETE", f"/v1/requests/{request['id']}")
    until(lambda: [0] if service.client.call("GET", "/v1/status")["deliveries"]["waiting"] == 0 else [])


def test_the_callback_of_an_eps_request_is_called(tmp_path: Path, receiver: Callable[..., Receiver]) -> None:
    """000 section 4: a request names the port to which its notifications go."""
    told = receiver()
    rules = tmp_path / "requests.eps"
    rules.write_text(
        f'request pair {{\n  event: x:a ; y:b\n  condition: y.v > 10\n  notification: "b was {{y.v}}"\n'
        f'  callback: "{told.url}"\n  window: 10 min\n}}\n'
    )
    service = ServiceProcess(tmp_path, "", str(rules))
    try:
        service.start()
        service.send({"type": "a"}, {"type": "b", "v": 9}, {"type": "a"}, {"type": "b", "v": 11})
        until(lambda: told.posts)
        assert [post[1]["notification"] for post in told.posts] == ["b was 11"]
        service.stop()
        service.start()  # what is equal in the file stays as it is
        (request,) = service.client.call("GET", "/v1/requests")["requests"]
        assert (request["name"], request["version"]) == ("pair", 1)
    finally:
        service.kill()
