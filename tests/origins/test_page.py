"""docs/translate-from.md: what it shows is what is written."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from tocsin.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "translate-from.md"


def test_the_page_shows_what_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file, session = re.findall(r"^```\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    first, _, text = file.partition("\n")
    Path(first.removeprefix("# file: ")).write_text(text, encoding="utf-8")
    command, _, shown = session.partition("\n")
    assert main(shlex.split(command.removeprefix("$ tocsin "))) == 1
    told = capsys.readouterr()
    assert told.out + told.err == shown


def test_the_example_in_python() -> None:
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0
