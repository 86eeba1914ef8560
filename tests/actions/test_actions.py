"""Actions by configuration: real programs and a real web server on this machine."""

from __future__ import annotations

import fcntl
import json
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tocsin.actions.configuration import Configuration, read_actions
from tocsin.actions.executor import Actions
from tocsin.actions.programs import Failed, run_program
from tocsin.actions.templates import Unfilled, filled, parse_places
from tocsin.errors import RuleError
from tocsin.events import Amendment, Detection
from tocsin.formats.instants import TimeStyle
from tocsin.monitor.monitor import Monitor
from tocsin.sinks.signatures import is_signed
from tocsin.time.clocks import VirtualClock

STYLE = TimeStyle(seconds=True)
ALARM = Detection("hot", "alarm", 1_000_000, 2_000_000, 2_000_000, ("1", "3"), {"room": "r 7", "x.t": 31.5}, id="abc")


# -- places ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("plain", "plain"),
        ("{room}", "r 7"),
        ("{x.t} in {data.room}", "31.5 in r 7"),
        ("{rule}/{type}/{id}/{start}/{time}/{events}", "hot/alarm/abc/1.0/2.0/1 3"),
        ("{{room}} {notification}", "{room} "),
    ],
)
def test_places_are_filled(text: str, meant: str) -> None:
    assert filled(parse_places(text), ALARM, STYLE) == meant


def test_a_place_without_a_value_is_no_empty_word() -> None:
    with pytest.raises(Unfilled, match=r"there is no 'where': room, x\.t"):
        filled(parse_places("--in={where}"), ALARM, STYLE)


# -- programs ----------------------------------------------------------------------------------------------------------


def python(code: str, *words: str) -> list[str]:
    return [sys.executable, "-c", code, *words]


def test_a_program_gets_its_words_as_they_are_and_the_detection_on_its_input() -> None:
    code = "import sys; print(sys.argv[1:], sys.stdin.read().strip())"
    said = run_program(python(code, "$(id) ; rm -rf *", "a b"), '{"rule": "hot"}\n', 30)
    assert said.strip() == "['$(id) ; rm -rf *', 'a b'] {\"rule\": \"hot\"}"


def test_a_program_that_fails_says_why() -> None:
    with pytest.raises(Failed, match="it ended with 3: no such room"):
        run_program(python("import sys; print('no such room'); sys.exit(3)"), "", 30)
    with pytest.raises(Failed, match="it cannot be run: No such file or directory"):
        run_program(["no-such-program-anywhere"], "", 30)
    with pytest.raises(Failed, match="it cannot be run: embedded null byte"):
        run_program(python("", "a\0b"), "", 30)


def test_a_program_that_takes_too_long_is_stopped_with_all_it_started(tmp_path: Path) -> None:
    held = tmp_path / "held"
    code = "import fcntl, os, signal, sys; file = open(sys.argv[1], 'w'); fcntl.flock(file, fcntl.LOCK_EX); print('I wait'); "
    code += "sys.stdout.flush(); os.fork(); signal.pause()"
    with pytest.raises(Failed, match=r"it took longer than 2 s and was stopped"):
        run_program(python(code, str(held)), "", 2)
    with held.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # which waits while any of them lives


# -- webhooks ----------------------------------------------------------------------------------------------------------


class Server(ThreadingHTTPServer):
    """A web server that answers as it is told, and remembers what it was sent."""

    daemon_threads = True

    def __init__(self, answers: list[int]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = answers
        self.got: list[tuple[dict[str, str], bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook?token=secret"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((dict(self.headers), body))
        self.send_response(self.server.answers.pop(0) if self.server.answers else 204)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Quietly."""


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server([])
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def configured(folder: Path, text: str) -> Configuration:
    path = folder / "actions.yaml"
    path.write_text(text)
    return read_actions(str(path))


def done(configuration: Configuration, *detections: Detection) -> tuple[Actions, list[str]]:
    """What comes of detections when all that is to be done is done."""
    said: list[str] = []
    actions = Actions(configuration, STYLE, said.append)
    for one in detections:
        actions(one)
    actions.close()
    return actions, said


def test_a_webhook_gets_the_detection_signed(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOOK_SECRET", "shh")
    text = f"actions:\n- {{class: alarm, webhook: '{server.url}', secret_from: HOOK_SECRET}}\n"
    actions, said = done(configured(tmp_path, text), ALARM)
    assert (actions.counts, said) == ({"done": 1}, [])
    ((headers, body),) = server.got
    assert json.loads(body)["data"] == {"room": "r 7", "x.t": 31.5}
    assert headers["Webhook-Id"] == "abc"
    assert is_signed([b"shh"], headers, body, time.time())


def test_a_webhook_is_called_again_where_that_may_help(server: Server, tmp_path: Path) -> None:
    server.answers += [503, 429, 200]
    text = f"actions:\n- {{webhook: '{server.url}', retries: 3, backoff: 1 msec}}\n"
    actions, said = done(configured(tmp_path, text), ALARM)
    assert (actions.counts, said, len(server.got)) == ({"done": 1}, [], 3)
    assert len({headers["Webhook-Id"] for headers, _ in server.got}) == 1


@pytest.mark.parametrize(
    ("answers", "attempts", "why"),
    [
        ([400], 1, "HTTP 400 Bad Request"),
        ([302], 1, "HTTP 302 Found"),
        ([500, 500, 500], 3, "HTTP 500 Internal Server Error (3 attempts)"),
    ],
)
def test_a_webhook_that_fails_is_said_and_counted_without_its_secrets(
    server: Server, tmp_path: Path, answers: list[int], attempts: int, why: str
) -> None:
    server.answers += answers
    text = f"actions:\n- {{webhook: '{server.url}', retries: 2, backoff: 1 msec}}\n"
    actions, said = done(configured(tmp_path, text), ALARM)
    assert (actions.counts, len(server.got)) == ({"failed": 1}, attempts)
    assert said == [f"action failed: webhook http://127.0.0.1, for alarm of rule hot: {why}"]


def test_nobody_answers(tmp_path: Path) -> None:
    server = Server([])
    url = server.url
    server.server_close()
    text = f"actions:\n- {{webhook: '{url}', retries: 1, backoff: 1 msec}}\n"
    _, (said,) = done(configured(tmp_path, text), ALARM)
    assert said.endswith("no answer: [Errno 111] Connection refused (2 attempts)")


# -- all of it ---------------------------------------------------------------------------------------------------------

WRITE = "import os, sys; open(sys.argv[1], 'a').write(' '.join(sys.argv[2:]) + chr(10))"


def writing(path: Path, *words: str) -> str:
    return json.dumps(python(WRITE, str(path), *words))


def test_actions_are_chosen_by_rule_and_by_class(tmp_path: Path) -> None:
    out = tmp_path / "out"
    text = f"""\
at_once: 1
actions:
- {{rule: hot, run: {writing(out, "hot {type}")}}}
- {{class: alarm, run: {writing(out, "alarm {rule}")}}}
- {{rule: cold, class: alarm, run: {writing(out, "both")}}}
- {{run: {writing(out, "any {room}")}}}
"""
    cold = Detection("cold", "note", 0, 0, 0, (), {"room": "8"})
    actions, said = done(configured(tmp_path, text), ALARM, cold)
    assert out.read_text().splitlines() == ["hot alarm", "alarm hot", "any r 7", "any 8"]
    assert (actions.counts["done"], said, actions.summary()) == (4, [], "4 actions done")


def test_what_is_taken_back_is_acted_on_where_that_is_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "out"
    text = f"""\
at_once: 1
actions:
- {{run: {writing(out, "alarm {id}")}}}
- {{change: retracted, run: {writing(out, "no alarm {amends} because of {because}")}}}
- {{change: restored, rule: cold, run: {writing(out, "never")}}}
"""
    told = [Amendment("hot", "hot", 0, 0, 0, (), id=f"n{n}", amends="n0", because="7") for n in range(1, 4)]
    changes = [replace(one, change=each) for one, each in zip(told, ("retracted", "replaced", "restored"), strict=True)]
    actions, said = done(configured(tmp_path, text), Detection("hot", "hot", 0, 0, 0, (), id="n0"), *changes)
    assert out.read_text().splitlines() == ["alarm n0", "no alarm n0 because of 7", "alarm n2"]
    assert (actions.counts["done"], said) == (3, [])


def test_a_failure_stops_neither_the_others_nor_the_monitor(tmp_path: Path) -> None:
    out = tmp_path / "out"
    text = f"actions:\n- {{run: [no-such-program]}}\n- {{run: {writing(out, '{k}')}}}\n- {{run: {writing(out, '{nothing}')}}}\n"
    said: list[str] = []
    monitor = Monitor(clock=VirtualClock(5))
    actions = Actions(configured(tmp_path, text), monitor.style, said.append)
    monitor.listeners.append(actions)
    monitor.command("event a(long k)\nrule r { x:a ==> forward x }\nenable r\na(1)\na(2)")
    actions.close()
    assert sorted(out.read_text().split()) == ["1", "2"]
    assert actions.counts == {"done": 2, "failed": 4}
    assert "action failed: run no-such-program, for a of rule r: it cannot be run: No such file or directory" in said
    assert any(text.endswith("there is no 'nothing': k") for text in said)


def test_what_finds_no_room_is_refused_and_counted(tmp_path: Path) -> None:
    code = "import fcntl, sys; fcntl.flock(open(sys.argv[1]), fcntl.LOCK_EX)"
    held = tmp_path / "held"
    wait = json.dumps(python(code, str(held)))
    configuration = configured(tmp_path, f"at_once: 1\nwaiting: 1\nactions:\n- {{run: {wait}, time_limit: 60 sec}}\n")
    said: list[str] = []
    actions = Actions(configuration, STYLE, said.append)
    with held.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # what is run ends when this is given up
        for _ in range(4):
            actions(ALARM)
        assert actions.counts == {"refused": 2}
    actions.close()
    assert actions.counts == {"refused": 2, "done": 2}
    assert actions.summary() == "2 actions done, 2 refused"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "actions.yaml:1:1: the file is empty"),
        ("actions: 3", "actions.yaml:1:10: 'actions' must be a list"),
        ("actions:\n- run: logger -t x", "actions.yaml:2:8: a program is a list: its name and its arguments"),
        ("actions:\n- run: ['{program}']", "actions.yaml:2:9: which program is run cannot depend on an event"),
        ("actions:\n- run: [a, '{b']", "actions.yaml:2:12: a single '{'"),
        ("actions:\n- rule: r", "actions.yaml:2:3: an action runs a program or calls a webhook"),
        ("actions:\n- {run: [a], retries: 3}", "actions.yaml:2:23: 'retries' does not go with 'run'"),
        ("actions:\n- {run: [a], time_limit: 0 sec}", "actions.yaml:2:26: this must be longer than nothing"),
        ("actions:\n- {webhook: 'file:///etc/passwd'}", "actions.yaml:2:13: this is no address of a web server"),
        (
            "actions:\n- {webhook: 'http://x', secret_from: NO_SUCH}",
            "actions.yaml:2:38: the environment has no 'NO_SUCH'",
        ),
        ("actions: []\nat_once: 0", "actions.yaml:2:10: '0' is not possible here"),
        ("actions: []\nwaitng: 0", "actions.yaml:2:1: there is no setting 'waitng'"),
        ("actions: [", "actions.yaml:1:11: this is not YAML"),
    ],
)
def test_a_bad_file_says_what_is_wrong_and_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("actions.yaml").write_text(text)
    with pytest.raises(RuleError) as caught:
        read_actions("actions.yaml")
    assert str(caught.value).startswith(message)
