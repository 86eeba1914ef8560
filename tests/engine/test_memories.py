"""What rules of the plain meaning remember can be saved and goes on: consuming contexts, automata, 2g time."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algebra.test_core_meaning import MANY, PARTS, RUNS, logs
from tests.amounts import examples
from tests.engine.kinds import WINDOWS
from tests.engine.shaping import SHAPES
from tests.engine.strategies import example
from tests.engine.test_verbs import cuts, feed
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.contexts import NODES
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import Automaton, Pattern, Run, walk
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import SEARCHED, Context, Program, Rule
from tocsin.engine.engine import Engine
from tocsin.engine.state.snapshot import restore, snapshot
from tocsin.events import Arrival, Detection, Event
from tocsin.rules.programs import rules_program

CONSUMING = [context for context in Context if context not in SEARCHED]
OPERATORS = [shape for shape in SHAPES if shape not in WINDOWS]
"""All but those that no context uses up."""


@pytest.fixture(autouse=True)
def _chains_are_cut_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 3)


def saved_at(
    pieces: list[tuple[Arrival, ...]], program: Program, until: int | None, granularity: int | None = None
) -> list[Detection]:
    """What an engine finds that is saved and made anew after each piece."""
    found: list[Detection] = []
    engine = Engine(program, granularity, Notes())
    for piece in pieces:
        found += feed(engine, list(piece))
        saved, engine = snapshot(engine), Engine(program, granularity, Notes())
        restore(engine, saved)
    engine.finish(until)
    return found + engine.drain()


@pytest.mark.parametrize("granularity", [None, 2_000_000])
@pytest.mark.parametrize("context", CONSUMING)
def test_a_consuming_context_goes_on(context: Context, granularity: int | None) -> None:
    compared = 0
    for number in range(examples(75)):
        random = Random(f"{context} {granularity} {number}")
        made = example(random, random.choice(OPERATORS), context, "best-effort")
        should = list(replay(made.program, made.log, until=made.until, granularity=granularity))
        found = saved_at(cuts(random, made.log), made.program, made.until, granularity)
        assert list(map(repr, found)) == list(map(repr, should)), made
        compared += len(should)
    assert compared > 25


@MANY
@given(PARTS, logs(), RUNS, st.randoms(use_true_random=False))
def test_an_automaton_goes_on(pattern: Pattern, log: list[Event], run: Run, random: Random) -> None:
    program = rules_program([Rule("r", Automaton(pattern, run), "core")])
    found = saved_at(cuts(random, tuple(log)), program, None)
    assert list(map(repr, found)) == list(map(repr, replay(program, log)))


def test_every_shape_that_remembers_is_met() -> None:
    met = set()
    for number in range(examples(75)):
        random = Random(f"{Context.CHRONICLE} None {number}")
        made = example(random, random.choice(OPERATORS), Context.CHRONICLE, "best-effort")
        met |= {type(part) for rule in made.program.rules for part in walk(rule.pattern)}
    assert set(NODES) <= met
