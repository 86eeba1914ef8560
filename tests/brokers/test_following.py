"""Events of an address as they come: `tocsin detect --events URL`, `Live.follow`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest

import tocsin as tc
from tests.brokers.streams import made_stream
from tocsin.bench.brokers.servers import Broker, Nats
from tocsin.encodings import Message
from tocsin.errors import EventError, UsageError
from tocsin.sinks import sink_of
from tocsin.transports import SINK, address_of

RULE = ["-e", "a ; b", "--lang", "eps", "--context", "unrestricted"]
EVENTS = [{"type": kind, "time": n, "id": str(n)} for n, kind in enumerate("abxab")]


def _send(url: str, events: list[dict[str, object]]) -> None:
    address = address_of(url, SINK)
    sink_of(address).publish(address, [Message(json.dumps(each).encode()) for each in events])


def _detect(*arguments: str) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-c",
        "from tocsin.cli import main; raise SystemExit(main())",
        "detect",
        *RULE,
        *arguments,
    ]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ)


def _pairs(lines: list[str]) -> list[list[str]]:
    return sorted(json.loads(line)["events"] for line in lines)


@pytest.mark.parametrize("kind", ["nats", "kafka", "mqtt", "file"])
def test_detect_follows_until_it_is_interrupted(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """The same detections as from a file, each as soon as it is there."""
    name = f"f{uuid4().hex[:8]}"
    if kind == "file":
        (tmp_path / "events").touch()
        url = f"file:{tmp_path / 'events'}"
    else:
        broker: Broker = request.getfixturevalue({"mqtt": "mosquitto"}.get(kind, kind))
        if isinstance(broker, Nats):
            made_stream(broker, name, name)
        url = broker.url(name)
    with _detect("--events", url) as running:
        assert running.stdout is not None
        if kind == "mqtt":  # nobody keeps what comes before somebody listens
            _send_until_heard(url, running)
        else:
            _send(url, EVENTS)
            first = [running.stdout.readline() for _ in range(3)]
            assert _pairs(first) == [["0", "1"], ["0", "4"], ["3", "4"]]
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
        assert running.returncode == 0, errors
        assert "Traceback" not in errors


def _send_until_heard(url: str, running: subprocess.Popen[str]) -> None:
    """Events again and again, from other sources, until a detection tells that somebody listens."""
    import threading

    heard = threading.Event()

    def send() -> None:
        number = 0
        while not heard.is_set():
            _send(url, [{**each, "source": str(number)} for each in EVENTS])
            number += 1

    sending = threading.Thread(target=send)
    sending.start()
    assert running.stdout is not None
    try:
        assert json.loads(running.stdout.readline())["rule"] == "rule"
    finally:
        heard.set()
        sending.join()


def test_until_a_time_that_is_past_is_all_there_is(nats: Nats) -> None:
    made_stream(nats, "past", "past")
    _send(nats.url("past"), EVENTS)
    with _detect("--events", nats.url("past"), "--until", "100") as running:
        found, errors = running.communicate(timeout=60)
    assert running.returncode == 0, errors
    assert _pairs(found.splitlines()) == [["0", "1"], ["0", "4"], ["3", "4"]]


def test_what_is_wrong_is_said(nats: Nats, tmp_path: Path) -> None:
    made_stream(nats, "wrong", "wrong")
    _send(nats.url("wrong"), [{"type": "a"}])
    for arguments, message in (
        (["--events", nats.url("nowhere")], "no stream keeps 'nowhere'"),
        (["--events", "nats://127.0.0.1:1/a"], "nobody answers there"),
        (["--events", "natz://127.0.0.1:1/a"], "unknown scheme 'natz'"),
        (["--events", nats.url("wrong"), "--events", "x.jsonl"], "one address is followed at a time"),
        (["--events", nats.url("wrong"), "--input-format", "csv"], "an address says its encoding"),
        (["--events", nats.url("wrong"), "--until", "100"], "the event has no time"),
    ):
        with _detect(*arguments) as running:
            _, errors = running.communicate(timeout=60)
        assert (running.returncode, "Traceback" in errors) in ((1, False), (2, False)), errors
        assert message in errors


def test_live_follows(tmp_path: Path) -> None:
    """Rules in files are looked at meanwhile; a name goes on where it was."""
    (tmp_path / "r.yaml").write_text("rules: [{name: one, language: eps, expression: 'x:a'}]")
    url = f"memory:{uuid4().hex}"
    _send(url, EVENTS)
    live = tc.Live(tmp_path / "r.yaml")
    found = live.follow(url, seconds=0.5, name="me")
    assert [next(found).events, next(found).events] == [("0",), ("3",)]
    (tmp_path / "r.yaml").write_text("rules: [{name: two, language: eps, expression: 'x:b'}]")
    _send(url, [{"type": "b", "time": 9, "id": "9"}])
    assert [(one.rule, one.events) for one in found] == [("two", ("9",))]
    assert live.version == 2
    assert list(live.follow(url, seconds=0.01, name="me")) == []
    _send(url, [{"type": "b"}])
    with pytest.raises(EventError, match="the event has no time"):
        list(live.follow(url, seconds=0.01, name="me"))
    with pytest.raises(UsageError, match="unknown scheme"):
        next(live.follow("nowhere://x/y"))
