"""docs/console.md is true: its sessions are typed again and every line compared, its tests exist, its files are read."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from tests.docs.test_papers import exists
from tocsin.actions.configuration import Webhook, read_actions
from tocsin.cli import main
from tocsin.console.words import GEM, OWN

PAGE = Path(__file__).parents[2] / "docs" / "console.md"
TEXT = PAGE.read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\S+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(found[1], found[2], found[3]) for found in FENCE.finditer(TEXT)]
SESSIONS = [text for kind, _, text in BLOCKS if kind == "console"]
TYPED = re.compile(r"^(?:gem|\.\.\.)> (.*)$", re.MULTILINE)


def again(text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """What comes of a session when its commands are given once more."""
    first = text.splitlines()[0]
    options = first.removeprefix("$ tocsin ").split()
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(TYPED.findall(text)) + "\n"))
    main([*options, "--echo"])
    return f"{first}\n{capsys.readouterr().out}"


@pytest.mark.parametrize("place", range(len(SESSIONS)))
def test_a_session_is_as_it_is_shown(
    place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for _, name, text in BLOCKS:
        if name:
            Path(name).write_text(text)
    assert again(SESSIONS[place], monkeypatch, capsys) == SESSIONS[place]


def test_there_are_sessions() -> None:
    assert len(SESSIONS) >= 3


def test_every_command_is_listed_with_a_test_that_exists() -> None:
    rows = re.findall(r"^\| ([\d.]*) ?\| (.+?) \| (`\S+::.+`) \|$", TEXT, re.MULTILINE)
    tests = [name for _, _, cell in rows for name in re.findall(r"`([^`]+)`", cell)]
    assert [name for name in tests if not exists(name)] == []
    listed = " ".join(what for _, what, _ in rows)
    words = {word.word for word in (*GEM, *OWN) if word.word}
    assert [word for word in words if f"`{word}" not in listed] == []
    assert {section for section, _, _ in rows} >= {word.section for word in GEM}


def test_the_actions_on_the_page_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = (text for kind, _, text in BLOCKS if kind == "yaml")
    (tmp_path / "actions.yaml").write_text(text)
    monkeypatch.setenv("HOOK_SECRET", "x")
    run, hook = read_actions(str(tmp_path / "actions.yaml")).actions
    assert isinstance(hook.does, Webhook)
    assert run.type == "stays"


def test_a_session_that_is_not_true_is_noticed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "$ tocsin console --speed virtual\ngem> event e\nevent e is declared, perhaps\n"
    assert again(text, monkeypatch, capsys) != text
