"""The console over the wire: a real service, a real pseudo-terminal, and a service that goes away and comes back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("apsw", reason="the service needs apsw")
pytest.importorskip("starlette", reason="the service needs starlette")
pytest.importorskip("uvicorn", reason="the service needs uvicorn")

from tests.console.terminal import END, PATIENCE, Terminal
from tests.service.processes import COMMAND, ServiceProcess, until
from tocsin.service.client import Client, ServiceRefused

SCRIPT = """\
event ping(long n)
event pair(long a, long b)
rule pairs [1*min] { x:ping ; y:ping ==> notify pair(x.n, y.n) }
"""


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServiceProcess]:
    """A service whose operator gives one script a name; its key is in the environment."""
    (tmp_path / "each.gem").write_text("event each(long n)\nrule all { x:each ==> forward x }\nenable all\n")
    made = ServiceProcess(tmp_path, "scripts: {everything: each.gem}\n")
    try:
        made.start()
        made.port = urlsplit(made.url).port or 0
        monkeypatch.setenv("TOCSIN_KEY", made.key)
        yield made
    finally:
        made.kill()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "here"
    (made / "rules").mkdir(parents=True)
    (made / "script.gem").write_text('load "rules/inner.gem"\nenable pairs\n')
    (made / "rules" / "inner.gem").write_text(SCRIPT)
    return made


def pings(service: ServiceProcess, *numbers: int) -> None:
    for number in numbers:  # one body each: what comes together has one time, and nothing is after it
        service.send({"type": "ping", "data": {"n": number}})


def talked(service: ServiceProcess, folder: Path, lines: str, *more: str) -> subprocess.CompletedProcess[str]:
    """A session whose input is no terminal."""
    return subprocess.run(
        [*COMMAND, "console", "--connect", service.url, *more],
        input=lines,
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=PATIENCE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        check=False,
    )


# -- in a terminal -----------------------------------------------------------------------------------------------------


def test_commands_go_over_the_wire_and_firings_come_above_the_prompt(service: ServiceProcess, folder: Path) -> None:
    pytest.importorskip("prompt_toolkit", reason="pip install 'tocsin[console]'")
    with Terminal("console", "script.gem", "--connect", service.url, folder=folder) as terminal:
        terminal.until("rule pairs is enabled")
        terminal.until("gem>")
        terminal.type("show ru")  # half a command, when events come
        pings(service, 1, 2)
        terminal.until(">> pair [")
        terminal.until("(1, 2)  <- rule pairs")
        terminal.enter("les")
        terminal.until("pairs  enabled     2     2        1")
        terminal.enter("rule r { ping ==> forwrad ping }")
        terminal.until("<console>:1:27: unexpected 'ping'")
        terminal.until("  did you mean 'forward'?")
        terminal.enter("ping(3)")
        terminal.enter("ping(4)")
        terminal.until("(3, 4)  <- rule pairs, of ping#1, ping#2")
        terminal.until("gem>")  # before the prompt is there again, the end of the input is nobody's
        terminal.type(END)
        assert terminal.ended() == 0
    assert service.client.call("GET", "/v1/monitor")["stopped"] is False  # the session has ended, and nothing else


def test_a_service_that_goes_away_is_told_and_nothing_is_lost_or_told_twice(
    service: ServiceProcess, folder: Path
) -> None:
    pytest.importorskip("prompt_toolkit", reason="pip install 'tocsin[console]'")
    with Terminal("console", "script.gem", "--connect", service.url, folder=folder) as terminal:
        terminal.until("gem>")
        pings(service, 1, 2)
        terminal.until("(1, 2)  <- rule pairs")
        service.kill()
        terminal.until("the service is away: ")
        terminal.enter("enable pairs")
        terminal.until("does not answer: Connection refused")
        service.start()
        pings(service, 3, 4)  # perhaps before the console is back
        terminal.until("the service is back: going on behind detection 1")
        assert terminal.until("(3, 4)  <- rule pairs").count(">> pair [") == 1
        pings(service, 5, 6)
        assert terminal.until("(5, 6)  <- rule pairs").count(">> pair [") == 1
        terminal.enter("quit")
        assert terminal.ended() == 0


def test_stop_halts_the_monitor_for_everybody(service: ServiceProcess, folder: Path) -> None:
    with Terminal("console", "script.gem", "--connect", service.url, folder=folder) as terminal:
        terminal.until("gem>")
        terminal.enter("stop")
        terminal.until("the monitor has stopped; what it held is discarded")
        assert terminal.ended() == 0
    shown = service.client.call("GET", "/v1/monitor")
    assert (shown["stopped"], shown["state"]["rules"]) == (True, [])


# -- from a pipe -------------------------------------------------------------------------------------------------------


def test_a_session_from_a_pipe_shows_what_one_of_ones_own_would(service: ServiceProcess, folder: Path) -> None:
    lines = 'ping(1)\n{"type": "ping", "id": "e", "data": {"n": 2}}\nshow event ping\nshow firings\nenable nothing\n'
    done = talked(service, folder, lines, "script.gem")
    said = done.stdout.splitlines()
    assert said[:4] == ["event ping is declared", "event pair is declared", "rule pairs is defined", said[3]]
    assert said[4].startswith(">> pair [")
    assert said[4].endswith("(1, 2)  <- rule pairs, of ping#1, e")
    assert said[5:7] == ["event ping(long n)", "2 taken"]
    assert said[7] == said[4].removeprefix(">> ")
    assert said[8:10] == ["<console>:1:1: there is no rule 'nothing' yet", "  enable nothing"]
    assert done.returncode == 1


def test_scripts_are_files_here_or_known_to_the_service_by_name(service: ServiceProcess, folder: Path) -> None:
    lines = 'load "script.gem"\nload "everything"\neach(5)\n'
    done = talked(service, folder, lines, "--format", "jsonl")
    (fired,) = map(json.loads, done.stdout.splitlines())
    assert (fired["rule"], fired["data"], done.returncode) == ("all", {"n": 5}, 0)
    assert "rule pairs is defined" in done.stderr
    done = talked(service, folder, f'load "{service.home / "serve.yaml"}x"\n')
    assert "there is no script" in done.stdout
    (folder / "bad.gem").write_text("event fine\nrule r { fine => forward fine }\n")
    done = talked(service, folder, 'load "bad.gem"\n')
    assert done.stdout.splitlines()[:2] == ["bad.gem:2:15: unexpected '='", "  rule r { fine => forward fine }"]


def test_an_event_that_does_not_fit_is_refused_at_once(service: ServiceProcess, folder: Path) -> None:
    done = talked(service, folder, '{"type": "ping", "data": {"n": "x"}}\n{"type": 1}\n', "script.gem")
    assert "<console>:1:1: 'n' of event 'ping' is declared as long" in done.stdout
    assert '  {"type": 1}' in done.stdout
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--events", "x.jsonl"], "--events is for a monitor of your own"),
        (["--order", "delay:5 sec"], "--order is for a monitor of your own"),
        (["--key-from", "NO_SUCH_KEY"], "the environment variable NO_SUCH_KEY has no key"),
        (["nowhere.gem"], "cannot read 'nowhere.gem'"),
    ],
)
def test_what_does_not_go_together_is_said(service: ServiceProcess, folder: Path, more: list[str], said: str) -> None:
    done = talked(service, folder, "", *more)
    assert (done.returncode, said in done.stderr) == (1, True), done.stderr


def test_who_is_not_let_in_is_told(service: ServiceProcess, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = service.client.call("POST", "/v1/keys", {"name": "ann", "role": "subscriber"})
    monkeypatch.setenv("ANNS", made["key"])
    done = talked(service, folder, "", "--key-from", "ANNS")
    assert (done.returncode, "the role 'subscriber' may not give commands" in done.stderr) == (1, True), done.stderr
    monkeypatch.setenv("ANNS", "tk_wrong")
    done = talked(service, folder, "", "--key-from", "ANNS")
    assert (done.returncode, "the key comes by the environment" in done.stderr) == (1, True), done.stderr
    service.kill()
    done = talked(service, folder, "")
    assert (done.returncode, "does not answer: Connection refused" in done.stderr) == (1, True), done.stderr


# -- over HTTP alone ---------------------------------------------------------------------------------------------------


def test_a_text_is_answered_with_remarks_and_firings_or_with_faults(service: ServiceProcess) -> None:
    path = "/v1/monitor"
    assert service.raw(path, SCRIPT.encode() + b"enable pairs\nping(1)", "text/plain")[0] == 200
    status, done = service.raw(path, b"ping(2)", "text/plain; charset=utf-8")
    assert (status, [one["data"] for one in done["detections"]]) == (200, [{"a": 1, "b": 2}])
    status, told = service.raw(path, json.dumps({"text": 'load "s"', "scripts": {"s": "event ping"}}).encode())
    (fault,) = told["faults"]
    assert (status, fault["code"], fault["key"], fault["line"], fault["column"]) == (422, "command-invalid", "s", 1, 1)
    assert service.raw(path, b"", "text/csv")[0] == 415
    assert service.raw(path, b"\xff", "text/plain")[0] == 400
    assert service.raw(path, b'{"texts": ""}')[0] == 422
    assert service.raw(path, b"e" * 1_000_001, "text/plain")[0] == 413

    def commands() -> list[tuple[str, str]]:
        audit = service.client.call("GET", "/v1/audit")["items"]
        return [(each["actor"], each["outcome"]) for each in audit if each["action"] == "monitor.command"]

    told = ["done", "done", "refused", "media-type", "not-utf8", "document-invalid", "text-too-long"]
    assert until(commands, len(told))[::-1] == [("operator", each) for each in told]


def test_reports_are_events_for_the_monitor_and_its_firings_belong_to_gem(service: ServiceProcess) -> None:
    service.raw("/v1/monitor", SCRIPT.encode() + b"enable pairs", "text/plain")
    assert service.raw("/v1/events", b'ping "s" (1)\n', "text/plain")[0] == 202
    assert service.raw("/v1/events", b"ping (2)\n", "text/plain")[0] == 202
    (found,) = service.detections(request="gem")
    assert (found["rule"], found["data"], found["request"]) == ("pairs", {"a": 1, "b": 2}, "gem")
    keys = {"ann": ["ann"], "wall": ["gem"]}
    for name, owners in keys.items():
        key = service.client.call("POST", "/v1/keys", {"name": name, "role": "subscriber", "owners": owners})["key"]
        client = Client(service.url, key)
        seen = [one["id"] for one in client.call("GET", "/v1/detections")["items"]]
        assert seen == ([found["id"]] if "gem" in owners else [])
        with pytest.raises(ServiceRefused) as caught:
            client.call("GET", "/v1/monitor")
        assert caught.value.status == 403


def test_after_a_crash_the_monitor_goes_on(service: ServiceProcess) -> None:
    service.raw("/v1/monitor", SCRIPT.encode() + b"enable pairs\nping(1)", "text/plain")
    service.kill()
    service.start()
    pings(service, 2)
    (found,) = service.detections(request="gem")
    assert found["data"] == {"a": 1, "b": 2}
