"""Runs of each group, `a 2 to 3 times with the same k`: in the network, held to the meaning on random rules and logs."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.amounts import examples
from tests.engine.comparing import difference
from tests.engine.kinds import KINDS
from tests.engine.strategies import Example
from tests.fuzz.engine import run
from tocsin.algebra.names import name_leaves
from tocsin.algebra.notes import Notes
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Rule
from tocsin.engine.engine import Engine
from tocsin.errors import Source
from tocsin.events import Event
from tocsin.languages import pretty
from tocsin.planner.places import why_apart
from tocsin.rules.loader import load_expression
from tocsin.rules.programs import rules_program


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


FLUID = (
    "x:(a -> !b)*2 in 10 seconds",
    "x:(a -> !b)*[1,2] -> c",
    "(x:(a -> !b) if x.v > 0)*2 in 10 seconds",
    "x:(c -> y:(a -> !b))*2 in 10 seconds",
    "((a -> !b)*2)*2 -> c",
    "(x:(a -> !b)*[1,2])*2 in 12 seconds",
    "(y:(x:(a -> !b)*2) | c)*2 in 12 seconds",
    "((a -> (c & !b))*2)*[1,2] in 15 seconds",
)
"""Runs of what reaches to the next of the run: with a name for it, and inside of each other."""
WITHIN = ("(a*2 -> b)*2", "(x:a*2 -> b)*2 in 20 seconds", "((x:a -> b)*2 -> c)*[1,2]")
"""Runs with runs in them, whose names are told as they are written."""


@pytest.mark.parametrize("text", [*FLUID, *WITHIN])
def test_a_run_in_a_run_is_the_meaning(text: str) -> None:
    program = load_expression(text, "sel")
    assert not why_apart(program.rules[0])
    found = 0
    for seed in range(examples(60)):
        random, time, log = Random(f"{text} {seed}"), 0, list[Event]()
        for number in range(11):
            time += random.randint(0, 2) * 1_000_000
            start = max(0, time - random.choice((0, 0, 0, 1_000_000)))
            kind = random.choice("aaabbcc")
            log.append(Event(kind, time, start, str(number), "", {"v": random.randint(0, 2)}, number))
        if random.random() < 0.3:
            random.shuffle(log)
        log = [replace(event, arrival=place) for place, event in enumerate(log)]
        assert difference(Example(program, tuple(log))) == ""
        found += len(list(replay(program, log)))
    assert found
