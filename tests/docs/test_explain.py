"""docs/explain.md is true: its commands give the output that stands below them, and its pictures.

`TOCSIN_RENEW=1 make test ARGS=tests/docs/test_explain.py` writes output and pictures anew.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from tocsin.cli import main

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "explain.md"
RULES = re.compile(r"They are in `(\S+)`:\n\n```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SESSION = re.compile(r"^```console\n\$ (tocsin [^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_sessions_and_pictures_are_real(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PAGE.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name, rules in RULES.findall(text):
        Path(name).write_text(rules, encoding="utf-8")

    def answered(session: re.Match[str]) -> str:
        assert main(shlex.split(session[1])[1:]) == 0
        return f"```console\n$ {session[1]}\n{capsys.readouterr().out}```"

    found, count = SESSION.subn(answered, text)
    assert count == text.count("```console") >= 5
    renewed = bool(os.environ.get("TOCSIN_RENEW"))
    if renewed:
        PAGE.write_text(found, encoding="utf-8")
    assert found == PAGE.read_text(encoding="utf-8")
    pictures = [path for path in Path().iterdir() if path.suffix == ".svg"]
    assert {path.name for path in pictures} == set(re.findall(r"pictures/(\S+?\.svg)", text))
    for path in pictures:
        kept = DOCS / "pictures" / path.name
        if renewed:
            kept.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
        assert path.read_text(encoding="utf-8") == kept.read_text(encoding="utf-8")
