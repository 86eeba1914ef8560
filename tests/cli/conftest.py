"""The commands, run in this process: `tocsin("check", "r.gem")` gives exit code, output and remarks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tocsin.cli import main


class Done(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        """The detections, if they were written as JSON Lines."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Done]


@pytest.fixture
def tocsin(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in a folder of its own; no command ever shows a traceback."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> Done:
        code = main([str(each) for each in arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return Done(code, out, err)

    return run


@pytest.fixture
def events(tmp_path: Path) -> str:
    """A file of four events: a, b, a, b at 1, 2, 3 and 4 seconds."""
    path = tmp_path / "events.jsonl"
    path.write_text(
        "".join(json.dumps({"type": "ab"[n % 2], "time": n + 1, "data": {"n": n}}) + "\n" for n in range(4))
    )
    return path.name
