"""The planning of many subscriptions at a tiny scale: what it says, and that it is the same each time. No times."""

from __future__ import annotations

import json
import shutil

import pytest

from tocsin.bench.sites import moving
from tocsin.bench.sites.figures import FIGURES
from tocsin.bench.sites.planning import instance, planning
from tocsin.cli import main


def test_plans_are_the_same_each_time_and_the_best_there_are() -> None:
    one, other = (list(planning(0.002)) for _ in range(2))
    assert [record.name for record in one] == ["planning", "planning-p99"]
    assert all(record.agrees and record.events == 600 for record in one)
    assert [(each.matches, each.checksum) for each in one] == [(each.matches, each.checksum) for each in other]


def test_instances_have_the_sizes_that_were_asked_for() -> None:
    made = instance(1, 50, 20, 30, 100)
    assert (len(made.topology.sites), len(made.rules), len(made.wanted)) == (50, 30, 100)
    assert made.topology.tree is not None
    assert len({demand.name for demand, _ in made.wanted}) > 10


def test_the_command_tells_it_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "sites", "planning", "--scale", "0.001", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert [figure["name"] for figure in figures] == ["planning", "planning-p99"]
    assert all(figure["agrees"] for figure in figures)


@pytest.mark.skipif(shutil.which("nats-server") is None, reason="there is no nats-server")
def test_a_part_that_moves_takes_all_that_it_holds_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "BEFORE", 0.5)
    monkeypatch.setattr(moving, "AFTER", 0.2)
    [record] = FIGURES["move"](0.01)
    assert (record.events, record.agrees) == (3_000, True)
    assert record.matches > 50
    assert record.details["max_ms"] > 0
