"""The page about Spark: its first example runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "spark.md"


def test_ten_lines(spark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)[0]
    exec(compile(code, str(PAGE), "exec"), {})
    assert '|slow|2026-11-15 10:04:00|r1 |{"d.host": "r1", "u.host": "r1"}|' in capsys.readouterr().out
