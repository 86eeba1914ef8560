"""Blocks of events of one type, for one rule that looks for runs: one loop finds what the meaning finds."""

from __future__ import annotations

from random import Random

import pytest

from tests.amounts import examples
from tests.engine.test_memories import saved_at
from tests.engine.test_verbs import cuts, feed
from tocsin.algebra.notes import Notes
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import SEARCHED, Context, Program
from tocsin.engine.engine import Engine
from tocsin.engine.network.block_runs import sole_run
from tocsin.events import Event
from tocsin.rules.loader import load_expression
from tocsin.rules.options import window_of
from tocsin.runtime.options import Options
from tocsin.session import Session

TAKEN = (
    "A 3 times with the same k",
    "A 3 times with the same k within 5 s",
    "A at least 2 times with the same k within 4 s",
    "A as x 3 times with the same k within 5 s where first(x.v) < last(x.v)",
)
NOT_TAKEN = (
    "A 2 times",
    "A 3 times with the same k and different v",
    "A 2 times with the same k followed by A",
)


def program_of(text: str, window: str | None = None, context: Context = Context.UNRESTRICTED) -> Program:
    options = Options(context=context, window=None if window is None else window_of(window))
    return Session(load_expression(text, "pretty"), options).program


def log(random: Random, count: int) -> list[Event]:
    """In order but for a few, several at one instant, some without a key."""
    events: list[Event] = []
    now = 0
    for number in range(count):
        now += random.choice((0, 200_000, 500_000, 1_000_000))
        end = max(0, now - 3_000_000) if random.random() < 0.03 else now
        start = end - random.choice((0, 0, 0, 400_000))
        data = {"v": random.randrange(4)} | ({} if random.random() < 0.02 else {"k": random.randrange(6)})
        kind = "A" if random.random() < 0.9 else "B"
        events.append(Event(kind, end, min(start, end), str(number), "", data, now))
    return events


@pytest.mark.parametrize("text", [*TAKEN, *NOT_TAKEN])
def test_which_rules_have_a_loop_of_their_own(text: str) -> None:
    engine = Engine(program_of(text), None, Notes())
    feed(engine, log(Random(1), 20))
    assert (sole_run(engine.network.gates["A"]) is not None) == (text in TAKEN)


def test_what_is_used_up_is_linked_both_ways() -> None:
    engine = Engine(program_of(TAKEN[0], context=Context.GENERIC), None, Notes())
    feed(engine, log(Random(1), 20))
    assert sole_run(engine.network.gates["A"]) is None


@pytest.mark.parametrize("text", TAKEN)
def test_it_is_the_meaning(text: str) -> None:
    found = 0
    for number in range(examples(6)):
        random = Random(f"block runs {text} {number}")
        program, events = program_of(text, random.choice((None, "6 sec")), SEARCHED[number % 2]), log(random, 90)
        should = list(map(repr, replay(program, events)))
        engine = Engine(program, None, Notes())
        assert list(map(repr, feed(engine, events))) == should
        assert list(map(repr, saved_at(cuts(random, events), program, None))) == should
        found += len(should)
    assert found > 20


def test_blocks_are_as_single_events() -> None:
    """Some blocks with what is counted: events that came late, and those that were refused."""
    events = log(Random(5), 2_200)
    together, single = (Engine(program_of(TAKEN[1], "6 sec"), None, Notes()) for _ in range(2))
    one_by_one = [each for event in events for each in feed(single, [event])]
    assert list(map(repr, feed(together, events))) == list(map(repr, one_by_one))
    assert together.notes.refused == single.notes.refused
