"""`a * b` where nothing is used up on the way: gathered in a memory of its own, as the meaning has it."""

from __future__ import annotations

from random import Random

import pytest

from tests.amounts import examples
from tests.engine.comparing import difference
from tests.engine.strategies import POLICIES, Example, example
from tests.engine.test_memories import saved_at
from tests.engine.test_verbs import cuts, feed
from tocsin.algebra.notes import Notes
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import SEARCHED, Context, Rule
from tocsin.engine.detectors.gathering import Gathering
from tocsin.engine.engine import Engine
from tocsin.events import Event
from tocsin.plan.gatherings import gathering_shape
from tocsin.plan.programs import Place
from tocsin.planner.places import placed
from tocsin.rules.loader import load_expression
from tocsin.rules.programs import rules_program


def rule(text: str, context: Context = Context.UNRESTRICTED) -> Rule:
    return Rule("r", load_expression(text, "global").rules[0].pattern, "global", context=context)


@pytest.mark.parametrize(
    ("text", "is_gathering"),
    [("a * b", True), ("x:(y:a * b)", True), ("(a ; b) * c", False), ("(a * b) ; c", False), ("a * (b | c)", False)],
)
def test_what_is_gathered_in_a_memory_of_its_own(text: str, is_gathering: bool) -> None:
    made = rule(text)
    assert (gathering_shape(made.pattern) is not None) == is_gathering
    assert (placed(made).place is Place.OWN_MEMORY) == is_gathering


def gathering(number: int) -> Example:
    context, policy = SEARCHED[number % 2], POLICIES[number % len(POLICIES)]
    return example(Random(f"gathering {number}"), "accumulate", context, policy)


def test_it_is_the_meaning() -> None:
    """Late events, ties, names, guards, windows, composites: exact times; with stamps it is among the 2g examples."""
    gathered = 0
    for number in range(examples(240)):
        one = gathering(number)
        assert difference(one) == "", number
        gathered += any(gathering_shape(each.pattern) is not None for each in one.program.rules)
    assert gathered > 20


def test_it_can_be_saved() -> None:
    for number in range(examples(60)):
        one = gathering(number)
        should = list(map(repr, replay(one.program, one.log, until=one.until, granularity=one.granularity)))
        pieces = cuts(Random(number), one.log)
        assert list(map(repr, saved_at(pieces, one.program, one.until, one.granularity))) == should, number


def test_what_is_not_late_is_only_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many wait, one more is not compared with any."""
    made: list[object] = []
    monkeypatch.setattr(Gathering, "_gathered", lambda self, last: made.append(last) or last)
    engine = Engine(rules_program([rule("a * b")]), None, Notes())
    feed(engine, [Event("a", time, time, str(time), arrival=time) for time in range(1_000)])
    assert made == []
