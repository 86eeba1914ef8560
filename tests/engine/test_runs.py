"""Runs of each group, `a 2 to 3 times with the same k`: in the network, held to the meaning on random rules and logs."""

from __future__ import annotations

import pytest

from tests.engine.kinds import KINDS
from tests.fuzz.engine import run
from tocsin.algebra.names import name_leaves
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import Named, Never, Precedence, Primitive, Repeat, Sequence, Within
from tocsin.algebra.rules import Rule
from tocsin.engine.engine import Engine
from tocsin.errors import Source
from tocsin.languages import pretty
from tocsin.planner.places import why_apart
from tocsin.rules.programs import rules_program
from tocsin.time.periods import Period


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


def test_runs_of_different_lengths_are_not_compared() -> None:
    """They have different events, so that none of them is made into an occurrence to tell it from the others."""
    rule = Rule("r", name_leaves(pretty.parse(Source("a 2 to 4 times"))), "pretty")
    engine = Engine(rules_program([rule]), None, Notes())
    found = [one for second in range(6) for one in engine.push("a", second * 1_000_000)]
    assert len(found) == 5 + 4 + 3
    assert [firing.is_distinct for firing in engine.network.firings] == [False]


def test_a_run_in_a_run_that_is_fluid_stays_on_the_plain_meaning() -> None:
    """And so does one whose name stands for more than what decides which is the next."""
    until = Sequence((Primitive("a"), Never(Primitive("b"))), Precedence.GAP)
    for inner in (Repeat(until, 2, 2), Named("x", until)):
        pattern = Within(Repeat(inner, 2, 2), Period.of(microseconds=60_000_000))
        assert why_apart(Rule("r", pattern)).startswith("a run ")
