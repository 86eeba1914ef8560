"""Long logs with rules that come and go: searches are built anew, values give up their slots, and nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.engine.long_logs import LONG, long_example
from tests.engine.strategies import Example
from tests.engine.test_verbs import cuts, feed, stepped
from tocsin.algebra.notes import Notes
from tocsin.algebra.replay import Replay
from tocsin.algebra.rules import SEARCHED, Context, Program
from tocsin.engine.engine import Engine
from tocsin.rules.programs import rules_program


@pytest.fixture(autouse=True)
def _cleaned_up_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the engine is not compiled, which has these for good."""
    monkeypatch.setattr("tocsin.engine.rule_set.MOST_DEAD", 0)
    monkeypatch.setattr("tocsin.engine.network.slots.LEAST", 4)


def together(random: Random, context: Context) -> tuple[Example, Program]:
    """A long log, and several rules that are wanted on it."""
    drawn = [long_example(random, random.choice(list(LONG)), context.value, "best-effort") for _ in range(3)]
    rules = [rule for one in drawn for rule in one.program.rules]
    return drawn[0], rules_program([replace(rule, name=f"r{place}") for place, rule in enumerate(rules)])


@pytest.mark.parametrize("context", SEARCHED)
def test_rules_that_come_and_go_lose_nothing(context: Context) -> None:
    compared = 0
    for seed in range(25):
        random = Random(f"{context}/{seed}")
        example, program = together(random, context)
        pieces = cuts(random, example.log)
        engine, judge = Engine(program, None, Notes()), Replay(program, None, Notes())
        for piece in pieces:
            version = rules_program(random.sample(program.rules, random.randint(1, len(program.rules))))
            engine.change(version)
            judge.change(version)
            found, should = feed(engine, list(piece)), stepped(judge, piece)
            assert list(map(repr, found)) == list(map(repr, should)), seed
            compared += len(should)
    assert compared > 50
