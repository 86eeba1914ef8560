"""How the service is run: killed and started again, two on one store, standby, backup, figures, the OpenAPI document."""

from __future__ import annotations

import socket
import sqlite3
import subprocess
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.service.processes import COMMAND, ServiceProcess, until
from tocsin.bench.brokers.postgresql import Postgresql
from tocsin.errors import TocsinError


def test_after_a_kill_it_is_as_if_nothing_had_happened(service: ServiceProcess) -> None:
    service.ask("pair", "a ; b")
    service.ask("timer", "a unless b within 1 hour", "pretty")
    service.send({"type": "a", "id": "a1"})
    service.kill()
    service.start()
    assert service.send({"type": "a", "id": "a1"})["duplicates"] == 1
    service.send({"type": "b", "id": "b1"})
    (found,) = service.detections(rule="pair")
    assert found["events"] == ["a1", "b1"]
    assert service.client.call("GET", "/v1/status")["events"] == 2


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_twenty_kills_under_load_lose_nothing_and_tell_nothing_twice(tmp_path: Path) -> None:
    service = ServiceProcess(tmp_path, "snapshots: {entries: 7}\n").start()
    try:
        service.ask("load", "a ; b", context="chronicle")
        sent, number = 0, 0
        for _ in range(20):
            for _ in range(10):
                events = [{"type": "ab"[n % 2], "id": str(n), "source": "s"} for n in range(number, number + 6)]
                number += 6
                sent += service.send(*events)["accepted"]
            service.kill()
            service.start()
            again = [{"type": "ab"[n % 2], "id": str(n), "source": "s"} for n in range(number - 6, number)]
            assert service.send(*again)["duplicates"] == 6
        found = service.detections(sent // 2, rule="load")
        assert [one["events"] for one in found] == [[str(n), str(n + 1)] for n in range(0, sent, 2)]
        assert [one["number"] for one in found] == list(range(1, sent // 2 + 1))
        status = service.client.call("GET", "/v1/status")
        assert status["events"] == sent == number
    finally:
        service.kill()


def test_a_timer_that_was_due_meanwhile_fires_at_the_start_marked_late(service: ServiceProcess) -> None:
    service.ask("missing", "a unless b within 1 second", "pretty", window="1 minute")
    service.send({"type": "a", "id": "alone"})
    service.kill()
    subprocess.run(["sleep", "1.2"], check=True)  # the clock of the machine is what is waited for
    service.start()
    (found,) = service.detections(rule="missing")
    assert found["events"] == ["alone"]
    assert found["late"] is True


def test_a_second_service_refuses_and_a_standby_takes_over(tmp_path: Path) -> None:
    first, second = ServiceProcess(tmp_path), ServiceProcess(tmp_path)
    try:
        first.start()
        first.ask("pair", "a ; b")
        first.send({"type": "a", "id": "1"})
        second.begin()
        assert second.process is not None
        assert second.process.wait(60) == 1
        until(lambda: [line for line in second.said if "another service writes to" in line])
        second.begin("--standby")
        until(lambda: [line for line in second.said if "standing by" in line])
        first.kill()
        second.wait()
        second.key = first.key
        second.send({"type": "b", "id": "2"})
        (found,) = second.detections(rule="pair")
        assert found["events"] == ["1", "2"]
    finally:
        first.kill()
        second.kill()


def test_it_ends_in_order_with_a_snapshot(service: ServiceProcess) -> None:
    service.ask("pair", "a ; b")
    service.send({"type": "a"})
    assert service.stop() == 0
    with sqlite3.connect(f"file:{service.store}?mode=ro", uri=True) as db:
        ((position,),) = db.execute("SELECT position FROM snapshots")
        assert position == 2
    service.start()
    service.send({"type": "b"})
    service.detections(rule="pair")


def test_a_backup_can_be_restored(service: ServiceProcess, tmp_path: Path) -> None:
    service.ask("pair", "a ; b")
    service.send({"type": "a", "id": "1"})
    copy = tmp_path / "copy.db"
    assert service.client.download("/v1/backup", str(copy)) == copy.stat().st_size
    service.kill()
    restored = tmp_path / "elsewhere" / "tocsin.db"
    done = subprocess.run(
        [*COMMAND, "service", "restore", str(copy), "--store", str(restored)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "1 events" in done.stdout
    other = ServiceProcess(tmp_path, store=str(restored))
    try:
        other.start()
        other.key = service.key
        other.send({"type": "b", "id": "2"})
        (found,) = other.detections(rule="pair")
        assert found["events"] == ["1", "2"]
    finally:
        other.kill()


def test_figures_for_prometheus(service: ServiceProcess) -> None:
    service.ask("pair", "a ; b")
    service.send({"type": "a"}, {"type": "b"}, {"type": 5})
    service.detections(rule="pair")
    figures = service.client.call("GET", "/metrics")
    for line in (
        "tocsin_events_total 2.0",
        'tocsin_refused_total{code="event-invalid"} 1.0',
        'tocsin_request_detections_total{request="pair"} 1.0',
        "tocsin_requests 1.0",
        "tocsin_writable 1.0",
    ):
        assert line in figures


def test_rules_files_are_requests_of_the_operator(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("rules:\n- {name: pair, language: eps, expression: a ; b, window: 1 hour}\n")
    service = ServiceProcess(tmp_path, "snapshots: {entries: 50}\n", str(rules))
    try:
        service.start()
        service.send({"type": "a"})
        service.stop()
        rules.write_text(rules.read_text() + "- {name: other, language: eps, expression: c ; d, window: 1 hour}\n")
        service.start()
        service.send({"type": "b"})
        service.detections(rule="pair")  # what was equal kept what it remembered
        assert [each["name"] for each in service.client.call("GET", "/v1/requests")["requests"]] == ["pair", "other"]
    finally:
        service.kill()


def test_a_wrong_rules_file_stops_the_start_with_its_place(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("rules:\n- {name: pair, language: eps, expression: 'a ; ; b', window: 1 hour}\n")
    service = ServiceProcess(tmp_path, "snapshots: {entries: 50}\n", str(rules))
    service.begin()
    assert service.process is not None
    assert service.process.wait(60) == 1
    until(lambda: [line for line in service.said if "rules.yaml:2:" in line])


def test_a_service_on_postgresql(tmp_path: Path, postgresql: Postgresql) -> None:
    service = ServiceProcess(tmp_path, store=postgresql.store_url("service"))
    try:
        service.start()
        service.ask("pair", "a ; b")
        service.send({"type": "a", "id": "1"})
        service.kill()
        service.start()
        service.send({"type": "b", "id": "2"})
        (found,) = service.detections(rule="pair")
        assert found["events"] == ["1", "2"]
        postgresql.kill()
        postgresql.start()
        until(lambda: [each for each in [_sent(service)] if each])  # it goes on when the database is back
    finally:
        service.kill()


def _sent(service: ServiceProcess) -> bool:
    try:
        return service.send({"type": "c", "id": "3"})["accepted"] + 1 > 0
    except TocsinError:
        return False


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/openapi.json"])
def test_what_needs_no_key(service: ServiceProcess, path: str) -> None:
    service.key = ""
    assert service.client.call("GET", path)


def test_it_ends_in_order_although_a_listener_does_not_read(service: ServiceProcess) -> None:
    made = service.ask("wide", "wide", notify="{wide.text}")
    service.send(*({"type": "wide", "text": "x" * 20_000} for _ in range(400)))
    service.detections(400, rule="wide")
    parts = urlsplit(service.url)
    head = f"GET /v1/stream?after=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {service.key}\r\n"
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
    with ExitStack() as stack:
        for more in ("", f"{upgrade}dGhlIHNhbXBsZSBub25jZQ==\r\n"):
            listener = stack.enter_context(socket.socket())
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            listener.connect((parts.hostname, parts.port))
            listener.sendall(f"{head}{more}\r\n".encode())
        until(lambda: [1] * service.client.call("GET", "/v1/status")["listeners"], 2)
        assert service.stop() == 0
    service.start()
    assert service.client.call("GET", f"/v1/requests/{made['id']}")["detections"] == 400
    assert service.client.call("GET", "/v1/status")["evaluated"] == 2
