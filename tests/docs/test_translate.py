"""docs/translate.md: every file it shows is written, and every command gives what the page shows."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tocsin.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "translate.md"
BLOCK = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE, PROMPT = "# file: ", "$ tocsin "


def blocks() -> list[str]:
    return BLOCK.findall(PAGE.read_text(encoding="utf-8"))


def sessions(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a block, each with what it is shown to give."""
    for piece in re.split(rf"^{re.escape(PROMPT)}", block, flags=re.MULTILINE)[1:]:
        command, _, shown = piece.partition("\n")
        yield command, shown


def test_the_sessions_are_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    tried = 0
    for block in blocks():
        first, _, text = block.partition("\n")
        if first.startswith(FILE):
            Path(first.removeprefix(FILE)).write_text(text, encoding="utf-8")
        for command, shown in sessions(block):
            code = main(shlex.split(command))
            out, err = capsys.readouterr()
            assert out + err == shown
            assert code == (0 if out or "rules in" in err else 1)
            tried += 1
    assert tried > 8


def test_every_law_has_its_row() -> None:
    """A law that is added is told: the page has a row for each function, or for two that are one thing."""
    from tocsin.translation.laws import LAWS, OUTER

    rows = re.findall(r"^\| .* \| .* \|$", PAGE.read_text(encoding="utf-8").partition("## The laws")[2], re.MULTILINE)
    assert len(rows) - 2 >= len({*LAWS, *OUTER})
