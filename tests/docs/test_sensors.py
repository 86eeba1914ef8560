"""docs/sensors.md is true: its commands are given and its programs run again, against a service that keeps the contract."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sensor.services import KEY, HttpStub, served
from tocsin.cli import main
from tocsin.sensor.settings import Given

PAGE = Path(__file__).parents[2] / "docs" / "sensors.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = [(kind, name, text) for kind, name, text in re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", TEXT, re.M | re.S)]


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[HttpStub]:
    monkeypatch.chdir(tmp_path)
    with served() as stub:
        monkeypatch.setenv("TOCSIN_URL", stub.url)
        monkeypatch.setenv("TOCSIN_KEY", KEY)
        yield stub


def test_the_commands_say_what_is_shown(service: HttpStub, capsys: pytest.CaptureFixture[str]) -> None:
    shown = 0
    for kind, name, text in BLOCKS:
        if name:
            Path(name).write_text(text)
        if kind == "console":
            for command, expected in re.findall(r"^\$ tocsin (.*)\n((?:[^$].*\n)*)", text, re.M):
                assert main(shlex.split(command)) == 0
                assert capsys.readouterr().err == expected
                shown += 1
    assert shown == 3
    assert service.events[0]["data"] == {"user": "bob", "attempts": 3}


def test_the_programs_run(service: HttpStub) -> None:
    names: dict[str, object] = {}
    programs = [text for kind, _, text in BLOCKS if kind == "python"]
    assert len(programs) == 5
    for text in programs:
        exec(compile(text, str(PAGE), "exec"), names)
    types = [event["type"] for event in service.events]
    assert types == ["opened"] * 4 + ["transfer_start", "transfer_end", "level_updated", "log"]


def test_what_is_named_is_there() -> None:
    settings = set(re.findall(r"`(\w+)=", TEXT)) & set(Given.__annotations__)
    assert settings >= {"stamps", "when_full", "sync", "heartbeat"}
    for name in ("capacity", "longest_pause", "drift", "trust", "dead_letters"):
        assert name in Given.__annotations__
        assert f"`{name}`" in TEXT
