"""`tocsin service` and `tocsin serve` as commands: what they show of a real service, and what they say when it goes wrong."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.service.processes import COMMAND, ServiceProcess, until
from tocsin.commands.service import ROLES, STATES
from tocsin.service.access.permissions import Role
from tocsin.service.deliveries.records import State


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    """A service with a request whose only callback cannot be dialled, and a detection of it."""
    home = tmp_path_factory.mktemp("service")
    made = ServiceProcess(home)
    try:
        made.start()
        made.ask("pair", "a ; b", callback="http://10.0.0.1/hook", notify="b came")
        made.send({"type": "a", "id": "1", "source": "s"}, {"type": "b", "id": "2", "source": "s"}, {"id": "3"})
        made.detections()
        yield made
    finally:
        made.kill()


@pytest.fixture
def asked(service: ServiceProcess, tocsin: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Commands that know where the service is, and its operator's key."""
    monkeypatch.setenv("TOCSIN_URL", service.url)
    monkeypatch.setenv("TOCSIN_KEY", service.key)
    return tocsin


def test_a_service_tells_how_it_is(asked: Run) -> None:
    status = json.loads(asked("service", "status", "--json").out)
    assert (status["requests"], status["events"], status["detections"]) == (1, 2, 1)
    assert status["refused"] == {"event-invalid": 1}
    assert "detections" in asked("service", "status").out
    (request,) = json.loads(asked("service", "requests", "--json").out)
    for name in (request["name"], request["id"]):
        assert json.loads(asked("service", "requests", name, "--json").out)["id"] == request["id"]
    assert "event-invalid" in asked("service", "refused").out
    assert "request.create" in asked("service", "audit").out


def test_history_is_shown(asked: Run) -> None:
    assert [each["id"] for each in asked("service", "events").records] == ["1", "2"]
    assert [each["id"] for each in asked("service", "events", "--newest", "--limit", "1").records] == ["2"]
    assert [each["id"] for each in asked("service", "events", "--type", "a").records] == ["1"]
    head, row = asked("service", "detections", "--rule", "pair").out.splitlines()
    assert head.split() == ["number", "time", "rule", "events", "notification"]
    assert row.endswith("b came")


def test_who_was_told_and_who_was_not(asked: Run) -> None:
    def dead() -> list[object]:
        return list(json.loads(asked("service", "notifications", "pair", "--state", "dead", "--json").out)["items"])

    (letter,) = until(dead)
    assert "10.0.0.1 may not be dialled" in letter["error"]
    assert "10.0.0.1 may not be dialled" in asked("service", "notifications", "pair").out.replace(
        "...", "10.0.0.1 may not be dialled"
    )
    assert json.loads(asked("service", "redrive", "pair", "--json").out) == {"redriven": 1}
    until(dead)


def test_keys_are_made_rotated_and_revoked(asked: Run) -> None:
    made = json.loads(
        asked("service", "keys", "new", "door", "--role", "sensor", "--types", "door.*", "--days", "1", "--json").out
    )
    assert (made["role"], made["types"], made["key"][:3]) == ("sensor", ["door.*"], "tk_")
    assert made["expires"]
    rotated = json.loads(asked("service", "keys", "rotate", made["id"], "--json").out)
    assert rotated["key"] != made["key"]
    assert asked("service", "keys", "revoke", made["id"]).code == 0
    shown = asked("service", "keys").out
    assert "door" in shown
    assert made["key"] not in shown


def test_a_backup_overwrites_nothing_and_a_failed_one_leaves_nothing(
    asked: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked("service", "backup", "copy.db").code == 0
    size = (tmp_path / "copy.db").stat().st_size
    again = asked("service", "backup", "copy.db")
    assert (again.code, again.err) == (1, "tocsin: cannot write 'copy.db': File exists\n")
    assert (tmp_path / "copy.db").stat().st_size == size
    monkeypatch.setenv("TOCSIN_KEY", "")
    assert asked("service", "backup", "other.db").code == 1
    assert not (tmp_path / "other.db").exists()
    assert "2 events" in asked("service", "restore", "copy.db", "--store", "new/tocsin.db").out
    assert "is there already" in asked("service", "restore", "copy.db", "--store", "new/tocsin.db").err


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("requests nothing", "there is no request 'nothing'"),
        ("notifications", "takes one name"),
        ("keys new", "keys new NAME"),
        ("keys rotate k1", "there is no key 'k1'"),
        ("restore copy.db", "--store PATH"),
        ("restore nowhere.db --store x.db", "there is no backup nowhere.db"),
        ("events --from soon", "'from'"),
        ("status --url ftp://x", "ftp://x is no address of a service"),
    ],
)
def test_what_cannot_be_done_is_said(asked: Run, command: str, told: str) -> None:
    done = asked("service", *command.split())
    assert done.code == 1
    assert told in done.err


def test_nobody_answers(tocsin: Run) -> None:
    with socket.socket() as taken:  # bound, and nobody listens
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        assert (
            tocsin("service", "status", "--url", url).err
            == f"tocsin: the service at {url} does not answer: Connection refused\n"
        )


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("--config nowhere.yaml", "nowhere.yaml"),
        ("--port 99999", "there is no port 99999"),
        ("--port 0 rules.gem", "tocsin console --connect loads a GEM script"),
        ("--port 0 wrong.yaml", "wrong.yaml:1:"),
    ],
)
def test_a_start_that_fails_says_why(tmp_path: Path, command: str, told: str) -> None:
    (tmp_path / "rules.gem").write_text("enable r")
    (tmp_path / "wrong.yaml").write_text("rules: [{name: x, language: eps}]")
    done = subprocess.run(
        [*COMMAND, "serve", *command.split()],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(each for each in sys.path if each)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_the_words_are_those_of_the_service(tocsin: Run) -> None:
    assert tuple(Role) == ROLES
    assert tuple(State) == STATES
    assert tocsin("service", "keys", "new", "x", "--role", "king").code == 2


def test_a_key_is_made_in_the_store_when_all_are_lost(
    tmp_path: Path, tocsin: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = ServiceProcess(tmp_path)
    arguments = ("service", "keys", "new", "again", "--role", "operator", "--store", service.store)
    assert "there is no store" in tocsin(*arguments).err
    try:
        service.start()
        assert "a service runs on" in tocsin(*arguments).err
        service.kill()
        made = tocsin(*arguments)
        (key,) = [line.split()[1] for line in made.out.splitlines() if line.startswith("key")]
        service.start()
        assert not any("told this once" in line for line in service.said)
        monkeypatch.setenv("TOCSIN_URL", service.url)
        monkeypatch.setenv("TOCSIN_KEY", key)
        assert len(json.loads(tocsin("service", "keys", "--json").out)) == 2
        assert "made in the store" in tocsin("service", "audit").out
        assert "NAME=NUMBER" in tocsin("service", "keys", "new", "x", "--rates", "events").err
        made = tocsin("service", "keys", "new", "x", "--role", "sensor", "--rates", "events=5,requests=2", "--json")
        assert json.loads(made.out)["rates"]["events"] == 5
    finally:
        service.kill()
