"""A walk back ends at what must be absent: what lies after a row lies after all older ones, too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from tests.amounts import examples
from tests.engine.test_memories import saved_at
from tests.engine.test_stateful import log
from tests.engine.test_verbs import cuts, feed
from tocsin.algebra.notes import Notes
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Context, Rule
from tocsin.engine.engine import Engine
from tocsin.engine.network.steps import BarredWalk, OldestWalk
from tocsin.events import Event
from tocsin.rules.loader import load_expression
from tocsin.rules.programs import rules_program

BARRED = (
    "A followed by B without C",
    "(A as x where x.v > 1) followed by B as y without C where y.k == x.k",
    "A followed by B followed by A without C",
    "A followed by A without A",
)
OPEN = (
    "A as x followed by B without (C as z where z.k == x.k)",
    "A as x followed by B without (C as z where z.v > x.v)",
    "A followed by B",
)


def rule(text: str, name: str = "r") -> Rule:
    return load_expression(text, "pretty", name=name).rules[0]


def generic(text: str, name: str = "r") -> Rule:
    return replace(rule(text, name), context=Context.GENERIC)


def walks(engine: Engine) -> Iterator[BarredWalk]:
    return (step for step in engine.builder._steps.values() if isinstance(step, BarredWalk))


@pytest.mark.parametrize("text", [*BARRED, *OPEN])
def test_which_walks_are_barred(text: str) -> None:
    engine = Engine(rules_program([rule(text)]), None, Notes())
    feed(engine, [Event("A", 1, 1, "1", "", {"k": 1, "v": 2}, 1)])
    assert any(each.barrier.is_closed for each in walks(engine)) == (text in BARRED)


@pytest.mark.parametrize("text", [*BARRED, *OPEN])
def test_which_walks_for_the_oldest_are_barred(text: str) -> None:
    """Those begin at the oldest row that nothing bars, looked for from both sides."""
    engine = Engine(rules_program([generic(text)]), None, Notes())
    feed(engine, [Event("A", 1, 1, "1", "", {"k": 1, "v": 2}, 1)])
    steps = [step for step in engine.builder._steps.values() if isinstance(step, OldestWalk)]
    assert steps
    assert any(each.barrier is not None for each in steps) == (text in BARRED)


@pytest.mark.parametrize("types", ["ACACACAACB", "AAAACB", "AAAB", "CB", "AAACAB", "ACAAAB"])
def test_the_oldest_that_nothing_bars(types: str) -> None:
    program = rules_program([generic("A followed by B without C")])
    events = [Event(kind, time, time, str(time), "", {}, time) for time, kind in enumerate(types * 3)]
    engine = Engine(program, None, Notes())
    assert [one.events for one in feed(engine, events)] == [one.events for one in replay(program, events)]


def test_a_walk_that_others_share_is_not() -> None:
    """What is in one rule's way is not in the other's."""
    rules = [rule("A followed by B without C", "one"), rule("A followed by B without X", "two")]
    engine = Engine(rules_program(rules), None, Notes())
    events = [Event(kind, time, time, str(time), "", {}, time) for time, kind in enumerate("ACAB")]
    assert [(found.rule, found.events) for found in feed(engine, events)] == [
        ("one", ("2", "3")),
        ("two", ("0", "3")),
        ("two", ("2", "3")),
    ]
    assert not any(each.barrier.is_closed for each in walks(engine))


def test_nothing_is_missed() -> None:
    """Late and equal times, one rule or several that begin alike, saved at any place: as the meaning has it."""
    found = 0
    for number in range(examples(60)):
        random = Random(f"barriers {number}")
        texts = random.sample([*BARRED, *OPEN], random.choice((1, 1, 2, 3)))
        made = random.choice((rule, generic))
        program = rules_program([made(text, f"r{place}") for place, text in enumerate(texts)])
        events = log(random)[:60]
        should = list(map(repr, replay(program, events)))
        assert list(map(repr, saved_at(cuts(random, events), program, None))) == should, (number, texts)
        found += len(should)
    assert found > 150
