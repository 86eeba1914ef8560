"""The tests of the demo's rules, which stand beside them, pass; and every rule fires in one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tocsin.cli import main

RULES = Path(__file__).parents[2] / "demo" / "rules"


def test_the_demos_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(RULES), "--permutations", "12", "--coverage"]) == 0
    told = capsys.readouterr().out
    assert "rules: 15 of 15 fired in some case\n" in told
    assert "17 cases, 17 passed, 0 failed" in told
