"""The figures of the simulator count what was carried."""

from __future__ import annotations

import json

import pytest

from tocsin.cli import main


def test_what_the_simulator_carries_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "sites", "simulator", "--scale", "0.01", "--json"]) == 0
    told = capsys.readouterr().out
    records = {each["name"]: each for each in json.loads(told)}
    assert records["simulator"]["events"] == 3_000
    assert records["simulator-office"]["events"] > 100
    assert all(each["agrees"] for each in records.values())
