"""docs/why.md is true: its files are written, its commands run, and they must say what stands there, picture included."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tocsin.cli import main
from tocsin.reasons.records import KINDS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "why.md").read_text(encoding="utf-8")
FILE = re.compile(r"^`([\w.]+)`:\n\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^```console\n\$ (tocsin [^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = FILE.findall(PAGE)
    assert len(files) == 2
    for name, text in files:
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("command", "said"), COMMAND.findall(PAGE))
def test_the_session(command: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out == said


def test_the_picture(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (command,) = [command for command, _ in COMMAND.findall(PAGE) if "--svg" in command]
    assert main(shlex.split(command)[1:]) == 0
    drawn = (folder / "why.svg").read_text(encoding="utf-8")
    assert drawn == (DOCS / "pictures" / "why.svg").read_text(encoding="utf-8")


def test_the_page_names_every_kind_of_failure() -> None:
    rows = re.findall(r"^\| (`.*?`) \|", PAGE, re.MULTILINE)
    assert {kind for row in rows for kind in re.findall(r"`(\w+)`", row)} >= KINDS.keys()


def test_there_are_commands() -> None:
    assert len(COMMAND.findall(PAGE)) == PAGE.count("```console") == 3
