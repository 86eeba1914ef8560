"""The demo on a small campus: every rule finds something, on Spark as without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("pyspark", reason="the demo runs on Spark")
pytest.importorskip("numpy", reason="the demo's events are made with NumPy")

from demo import steps
from demo.campus import Campus, simulated
from demo.telling import meanings_of
from tocsin.pipelines.description import read_pipeline

SMALL = Campus(buildings=2, rooms=12, links=12, users=12, reading=60, seed=5)
RULES = read_pipeline(str(steps.HERE / "pipeline.yaml")).rules
SAID = {
    "link_dead",
    "cut_off",
    "break_in",
    "cold_room",
    "heating_up",
    "guessing",
    "got_in",
    "overloaded",
    "flapping",
    "unanswered",
    "forced_door",
    "in_turn",
    "stays_full",
    "mistyped",
}


def test_the_same_seed_makes_the_same_day() -> None:
    assert simulated(SMALL).equals(simulated(SMALL))


def test_every_rule_that_tells_something_says_what_it_means() -> None:
    assert meanings_of(RULES).keys() == SAID


def test_on_spark(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table, pictures and lines; the run is good only if the embedded engine finds the same."""
    out = tmp_path / "demo"
    assert steps.run(SMALL, out, spark, files=3) == 0
    told = capsys.readouterr().out
    assert told.rstrip().endswith("make serve-demo")
    lines = [json.loads(line) for line in (out / "detections.jsonl").read_text().splitlines()]
    assert f"finds the same {len(lines)}." in told
    assert {line["rule"] for line in lines} == SAID
    for name in SAID | {"overview"}:
        ElementTree.parse(out / "pictures" / f"{name}.svg")
    assert "100%" in told


def test_without_java(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The same, from the embedded engine, and a line that says why."""
    monkeypatch.setattr(steps.shutil, "which", lambda name: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert steps.run(SMALL, tmp_path / "demo", files=1) == 0
    told = capsys.readouterr().out
    assert "Spark needs Java 17" in told
    assert (tmp_path / "demo" / "pictures" / "overview.svg").exists()
