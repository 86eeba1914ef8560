"""docs/backtest.md is true: its commands, run on the history that its script makes, give what stands below them.

They are run in this process (`--engine local`); that Spark gives the same is tests/spark/test_backtest.py.
`TOCSIN_RENEW=1 make test ARGS=tests/docs/test_backtest.py` writes output and pictures anew, all but the photograph.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tocsin.cli import main

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "backtest.md"
FILES = re.compile(
    r"are (?:made by this script, |in )`(\S+)`:\n\n```(?:yaml|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
SESSION = re.compile(r"^```console\n\$ (tocsin [^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_sessions_and_pictures_are_real(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PAGE.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names = []
    for name, content in FILES.findall(text):
        Path(name).write_text(content, encoding="utf-8")
        names.append(name)
    assert names == ["make_history.py", "old.yaml", "new.yaml"]
    subprocess.run([sys.executable, "make_history.py"], check=True, timeout=60)

    def answered(session: re.Match[str]) -> str:
        assert main([*shlex.split(session[1])[1:], "--engine", "local"]) == 0
        found = capsys.readouterr()
        told = found.out.replace('"engine": "local"', '"engine": "spark"')
        return f"```console\n$ {session[1]}\n{told}{found.err}```"

    found, count = SESSION.subn(answered, text)
    assert count == text.count("```console") == 2
    if os.environ.get("TOCSIN_RENEW"):
        PAGE.write_text(found, encoding="utf-8")
        kept = Path("report/by-day.svg").read_text(encoding="utf-8")
        (DOCS / "pictures" / "backtest-by-day.svg").write_text(kept, encoding="utf-8")
    assert found == PAGE.read_text(encoding="utf-8")
    drawn = Path("report/by-day.svg").read_text(encoding="utf-8")
    assert drawn == (DOCS / "pictures" / "backtest-by-day.svg").read_text(encoding="utf-8")
    for name in re.findall(r"pictures/(\S+?\.(?:svg|png))", text):
        assert (DOCS / "pictures" / name).is_file()
