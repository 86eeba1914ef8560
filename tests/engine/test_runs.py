"""Runs of each group, `a 2 to 3 times with the same k`: in the network, held to the meaning on random rules and logs."""

from __future__ import annotations

import pytest

from tests.engine.kinds import KINDS
from tests.fuzz.engine import run
from tocsin.algebra.names import name_leaves
from tocsin.algebra.rules import Rule
from tocsin.engine.build import why_apart
from tocsin.errors import Source
from tocsin.languages import pretty


@pytest.mark.parametrize(
    "text",
    [
        "a 2 to 3 times with the same k",
        "a 2 to 3 times with the same k and v",
        "a 2 to 3 times with the same k followed by b within 1 minute",
    ],
)
def test_runs_of_groups_are_in_the_network(text: str) -> None:
    assert not why_apart(Rule("r", name_leaves(pretty.parse(Source(text))), "pretty"))


def test_runs_of_groups_are_the_meaning() -> None:
    cells = KINDS["searched"].cells
    numbers = [number for number in range(8 * len(cells)) if cells[number % len(cells)][0] == "run"]
    count, failed, _ = run(11, numbers)
    assert failed == []
    assert count > 60
