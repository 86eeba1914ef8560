"""`tocsin simulate`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tocsin.simulate.office import experiment


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer subscribers: the rest is the same."""
    monkeypatch.setattr(experiment, "SUBSCRIBERS", (1, 2))
    monkeypatch.setattr(experiment, "FIRST_SCENARIO", (1,))


def test_tables_pictures_and_json(tocsin: Run, tmp_path: Path) -> None:
    code, out, _ = tocsin("simulate", "office", "--scale", "0.01", "--quiet", "--svg", str(tmp_path / "pictures"))
    assert code == 0
    assert "scenario 2" in out
    assert "001 has 53% and 8%" in out
    assert (tmp_path / "pictures" / "office-traffic.svg").read_text(encoding="utf-8").startswith("<svg")
    outputs = [tocsin("simulate", "office", "--scale", "0.01", "--quiet", "--json", "--seed", "5") for _ in range(2)]
    assert outputs[0] == outputs[1]
    assert json.loads(outputs[0][1])["seed"] == 5


def test_progress_is_told_unless_quiet(tocsin: Run) -> None:
    assert "2 subscribers" in tocsin("simulate", "office", "--scale", "0.01")[2]
    assert tocsin("simulate", "office", "--scale", "0.01", "--quiet")[2] == ""


def test_what_there_is_not_is_refused_with_what_there_is(tocsin: Run) -> None:
    code, out, err = tocsin("simulate", "ofice")
    assert (code, out) == (1, "")
    assert (
        err
        == "tocsin: there is no simulation 'ofice': expected one of office, sites, topology, internet, inev, or a YAML file\n"
    )
    assert tocsin("simulate", "office", "--scale", "0")[0] == 1
    assert tocsin("simulate")[0] == 2
