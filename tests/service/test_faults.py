"""Faults of what is around the service: it says what happened, refuses what it cannot keep, and goes on by itself."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.service.ledger import balanced
from tests.service.processes import PATIENCE, ServiceProcess, until
from tests.service.receivers import Answer, Receiver
from tocsin.bench.brokers.postgresql import Postgresql
from tocsin.errors import TocsinError
from tocsin.service.server import Service, wall_clock
from tocsin.service.settings import Settings, Store
from tocsin.service.store import open_store
from tocsin.time.spans import HOUR


@pytest.fixture
def receiver() -> Iterator[Callable[..., Receiver]]:
    made: list[Receiver] = []

    def make(answer: Answer = lambda number: 204) -> Receiver:
        made.append(Receiver(answer))
        return made[-1]

    yield make
    for each in made:
        each.close()


# -- disk ------------------------------------------------------------------------------------------------------------------


def test_a_full_disk_refuses_and_lets_go_on_when_there_is_room_again(service: ServiceProcess) -> None:
    service.ask("pair", "a ; b")
    service.send({"type": "a", "id": "kept", "source": "s"})
    assert service.process is not None
    pid = service.process.pid
    largest = max(path.stat().st_size for path in Path(service.store).parent.glob("tocsin.db*"))
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))
    filler = {"type": "filler", "source": "s", "text": "x" * 50_000}
    accepted = []
    for number in range(100):
        status, answer = service.raw("/v1/events", _json(filler | {"id": f"f{number}"}))
        if status != 202:
            break
        accepted.append(f"f{number}")
    assert (status, answer["faults"][0]["code"]) == (503, "cannot-store")
    assert service.head["retry-after"] == "1"
    assert [one["id"] for one in service.client.call("GET", "/v1/events", type="a")["items"]] == ["kept"]
    status, _ = service.raw(
        "/v1/requests", _json({"name": "more", "language": "eps", "expression": "c", "window": "1 hour"})
    )
    assert status == 503
    assert service.raw("/readyz", method="GET")[0] == 503
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    until(lambda: [1] * (service.raw("/readyz", method="GET")[0] == 200))
    service.send({"type": "b", "id": "after", "source": "s"})
    (found,) = service.detections(rule="pair")
    assert found["events"] == ["kept", "after"]
    assert balanced(service) >= len(accepted) + 2
    assert any("cannot write" in line for line in service.said)
    assert any("can write again" in line for line in service.said)


def _json(value: object) -> bytes:
    import json

    return json.dumps(value).encode()


# -- time ------------------------------------------------------------------------------------------------------------------


def test_a_service_that_was_stopped_goes_on(service: ServiceProcess) -> None:
    service.ask("pair", "a ; b")
    service.send({"type": "a", "id": "1"})
    assert service.process is not None
    os.kill(service.process.pid, signal.SIGSTOP)
    try:
        _wait_for_state(service.process.pid, "T")
    finally:
        os.kill(service.process.pid, signal.SIGCONT)
    service.send({"type": "b", "id": "2"})
    (found,) = service.detections(rule="pair")
    assert found["events"] == ["1", "2"]
    assert balanced(service) == 2


def _wait_for_state(pid: int, wanted: str) -> None:
    until(lambda: [1] * (Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == wanted))


def test_a_clock_that_jumps_back_turns_nothing_round_and_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ahead = [0]

    def told() -> list[str]:
        return [each.getMessage() for each in caplog.records if "behind the last event" in each.getMessage()]

    async def run() -> list[int]:
        settings = Settings(store=Store(str(tmp_path / "tocsin.db")))
        service = Service(settings, clock=lambda: wall_clock() + ahead[0])
        await service.start()
        document = {"name": "pair", "language": "eps", "expression": "a ; b", "window": "2 hours"}
        service.core.create(document, service.clock())
        await service.lasting(service.take(b'{"type":"a","id":"1"}').position)
        ahead[0] = -HOUR
        for line in (b'{"type":"b","id":"2"}', b'{"type":"a","id":"3"}\n{"type":"b","id":"4"}'):
            await service.lasting(service.take(line).position)
        async with asyncio.timeout(PATIENCE):
            while not told():
                await asyncio.sleep(0.05)
        await service.stop()
        reader = open_store(settings.store.place, read_only=True)
        arrivals = [each.arrival for each in reader.entries(0, 100)]
        assert reader.latest().number == 2
        reader.close()
        return arrivals

    arrivals = asyncio.run(run())
    assert arrivals == sorted(arrivals)
    (warning,) = told()
    assert "until it has caught up" in warning


# -- receivers -------------------------------------------------------------------------------------------------------------

QUICK = "snapshots: {entries: 50}\ndeliveries: {answer_time: 1 second, allowed_networks: [127.0.0.0/8]}\n"


@pytest.mark.parametrize("fault", ["answers 500", "hangs", "answers late"])
def test_a_receiver_that_fails_or_hangs_gets_all_in_order_and_delays_nobody(
    tmp_path: Path, receiver: Callable[..., Receiver], fault: str
) -> None:
    def failing(number: int) -> int:
        if number > 0 or (fault == "answers late" and bad.over.wait(2)):
            return 204
        return {"answers 500": 500, "hangs": 0, "answers late": 204}[fault]

    bad, good = receiver(failing), receiver()
    service = ServiceProcess(tmp_path, QUICK)
    try:
        service.start()
        service.ask("bad", "a ; b", callback=bad.url, context="chronicle")
        service.ask("good", "c ; d", callback=good.url, context="chronicle")
        for _ in range(3):
            service.send({"type": "a"}, {"type": "b"}, {"type": "c"}, {"type": "d"})
        until(lambda: good.posts, 3)
        until(lambda: sorted(set(bad.numbers)), 3)
        assert list(dict.fromkeys(bad.numbers)) == sorted(set(bad.numbers))
        until(lambda: [1] * (balanced(service) == 12))
    finally:
        service.kill()


# -- stores that others take -----------------------------------------------------------------------------------------------


def _take_over(postgresql: Postgresql, name: str) -> None:
    """What happens when the lock was lost and another service got it: it counts up."""
    import asyncpg

    async def done() -> None:
        connection = await asyncpg.connect(postgresql.store_url(name).partition("?")[0])
        try:
            await connection.execute(f"UPDATE {name}.state SET writer = writer + 1")
        finally:
            await connection.close()

    asyncio.run(done())


@pytest.mark.parametrize("standby", [False, True])
def test_a_service_whose_store_was_taken_stops_in_order(tmp_path: Path, postgresql: Postgresql, standby: bool) -> None:
    name = f"taken_{int(standby)}"
    service = ServiceProcess(tmp_path, store=postgresql.store_url(name))
    try:
        service.start(*(["--standby"] if standby else []))
        service.ask("pair", "a ; b")
        service.send({"type": "a", "id": "1"})
        _take_over(postgresql, name)
        status, answer = service.raw("/v1/events", b'{"type": "b", "id": "2"}')
        assert (status, answer["faults"][0]["code"]) == (503, "cannot-store")
        until(lambda: [line for line in service.said if "another service writes to" in line])
        assert service.process is not None
        if not standby:
            assert service.process.wait(60) == 1
            service.start()
        else:  # the other one is gone, so it serves again
            until(lambda: [line for line in service.said if line.startswith("listening on")], 2)
        service.send({"type": "b", "id": "2"})
        (found,) = service.detections(rule="pair")
        assert found["events"] == ["1", "2"]
        assert balanced(service) == 2
    finally:
        service.kill()


@pytest.mark.slow
def test_a_database_that_is_killed_under_load_loses_nothing(tmp_path: Path, postgresql: Postgresql) -> None:
    service = ServiceProcess(tmp_path, store=postgresql.store_url("killed"))
    try:
        service.start()
        service.ask("pair", "a ; b", context="chronicle")
        for number in range(60):
            if number == 20:
                postgresql.kill()
                _sent_at_last(service, number, is_patient=False)
                assert service.client.call("GET", "/healthz") == "ok\n"
                postgresql.start()
            _sent_at_last(service, number)
        assert service.client.call("GET", "/v1/status")["events"] == 60
        service.detections(30, rule="pair")
        assert balanced(service) == 60
    finally:
        service.kill()


def _sent_at_last(service: ServiceProcess, number: int, *, is_patient: bool = True) -> None:
    """Sends an event until it is acknowledged, or once."""
    deadline = time.monotonic() + 60
    while True:
        try:
            answer = service.send({"type": "ab"[number % 2], "id": str(number), "source": "s"})
        except TocsinError:
            assert time.monotonic() < deadline
            if not is_patient:
                return
        else:
            assert answer["accepted"] + answer["duplicates"] == 1
            return
