"""docs/testing-rules.md is true: its files are written, its commands run, and what they print is what it shows.

`python -m tests.docs.test_testing_rules` records the sessions anew.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from pathlib import Path

import pytest

from tocsin.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "testing-rules.md"
FILE = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SESSION = re.compile(r"^```console\n\$ (tocsin [^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = re.compile(r"\d+\.\d(?= s$)|(?<=  )\d+\.\d\d$", re.MULTILINE)


def write_files(folder: Path) -> None:
    for name, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        (folder / name).write_text(text, encoding="utf-8")


def printed(command: str) -> str:
    """What a command prints, with times that are the same in every run."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        main(shlex.split(command)[1:])
    return SECONDS.sub("0.1", said.getvalue())


SESSIONS = SESSION.findall(PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("command", "shown"), SESSIONS, ids=[command for command, _ in SESSIONS])
def test_session(command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert printed(command) == shown


def test_the_python_shown() -> None:
    (code,) = PYTHON.findall(PAGE.read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    exec(compile(code, str(PAGE), "exec"), names)
    test = names["test_cold"]
    assert callable(test)
    test()


def test_every_session_is_found() -> None:
    assert len(SESSIONS) == PAGE.read_text(encoding="utf-8").count("```console") >= 4


def record(folder: Path) -> None:
    """Writes what the commands print into the page."""
    write_files(folder)
    os.chdir(folder)
    text = SESSION.sub(
        lambda found: f"```console\n$ {found[1]}\n{printed(found[1])}```", PAGE.read_text(encoding="utf-8")
    )
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    import tempfile

    record(Path(tempfile.mkdtemp()))
