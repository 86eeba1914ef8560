"""Sensors across `fork`: the child reports what is its own, under ids of its own; the parent goes on as before."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.sensor.services import HttpStub
from tests.sensor.test_sensor import sensor_of

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning"),  # that is what is tried
]


def in_child(work: Callable[[], Any]) -> None:
    """Does something in a forked process, and waits until it is done."""
    child = os.fork()
    if child == 0:
        code = 1
        signal.alarm(60)  # a child that hangs ends, and fails
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            sys.stdout.flush()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


@pytest.mark.parametrize("is_on_disk", [False, True])
def test_a_child_reports_its_own_and_not_its_parents(service: HttpStub, tmp_path: Path, is_on_disk: bool) -> None:
    given = {"buffer": tmp_path / "buffer"} if is_on_disk else {}
    with sensor_of(service, linger=3600, **given) as sensor:
        mine = [sensor.send("tick", who="parent") for _ in range(10)]

        def work() -> None:
            for _ in range(5):
                sensor.send("tick", who="child")
            assert sensor.flush(30)
            assert sensor.stats.sent == 5
            assert sensor.close()

        in_child(work)
        assert [event["data"]["who"] for event in service.events] == ["child"] * 5
        mine += [sensor.send("tick", who="parent") for _ in range(10)]
        assert sensor.flush(30)
    assert [event["id"] for event in service.events if event["data"]["who"] == "parent"] == mine
    assert len(set(service.ids)) == 25
    assert service.connections >= 2


def test_what_a_child_leaves_is_sent_by_whoever_has_the_directory_next(service: HttpStub, tmp_path: Path) -> None:
    service.stop()
    sensor = sensor_of(service, buffer=tmp_path / "buffer")
    sensor.send("tick", who="parent")
    in_child(lambda: sensor.send("tick", who="child"))
    sensor.close(0)
    service.start()
    with sensor_of(service, buffer=tmp_path / "buffer") as sensor:
        assert sensor.flush(30)
    assert [event["data"]["who"] for event in service.events] == ["parent", "child"]


def test_forks_while_threads_send(service: HttpStub) -> None:
    """A fork never meets a lock that nobody will let go of: else a child would hang."""
    with sensor_of(service, batch=20, heartbeat="1 ms", capacity=20_000, when_full="wait") as sensor:
        stop = threading.Event()

        def send() -> None:
            while not stop.is_set():
                sensor.send("tick", who="parent")

        threads = [threading.Thread(target=send) for _ in range(2)]
        for each in threads:
            each.start()
        try:
            for number in range(5):
                in_child(lambda number=number: sensor.send("tick", who=f"child {number}") and sensor.close(30))
        finally:
            stop.set()
            for each in threads:
                each.join()
        assert sensor.flush(60)
    found = [event["data"]["who"] for event in service.events]
    assert [who for who in found if who != "parent"] == [f"child {number}" for number in range(5)]
    assert len(set(service.ids)) == len(service.ids)
