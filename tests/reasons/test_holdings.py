"""What parts of rules hold while events come: when it came to be, when it ended, and how."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tocsin as tc
from tocsin.algebra.detectors import Searching
from tocsin.algebra.notes import Notes
from tocsin.algebra.replay import Replay
from tocsin.algebra.rules import BEST_EFFORT, Program
from tocsin.algebra.witness import Witness
from tocsin.events import Event
from tocsin.formats import events_from
from tocsin.reasons.holdings import Holdings
from tocsin.rules.programs import rules_program


def held(events: str, expression: str, language: str = "gem", gap: float = 1.0, **more: Any) -> dict[str, str]:
    """Each holding as `part events: from-to how`, of events that are called by their places: a1 b2."""
    program = rules_program([tc.rule("one", expression, language=language, **more)])
    holdings = followed(program, [{"type": kind, "time": place * gap} for place, kind in enumerate(events)])
    return {
        f"{each.part} {'+'.join(each.events)}": f"{each.since}-{'' if each.until is None else each.until} {each.end}".strip()
        for each in holdings.told
    }


def followed(program: Program, records: list[dict[str, Any]]) -> Holdings:
    holdings = Holdings(program, {"one"}, BEST_EFFORT, None, ())
    for step, arrival in enumerate(events_from(records)):
        holdings.take(arrival)
        holdings.step(step)
    return holdings


def test_chronicle_uses_up_the_oldest() -> None:
    told = held("aabb", "a ; b", context="chronicle", window="1 min")
    assert told == {"a 1": "0-2 used", "a 2": "1-3 used"}


def test_recent_replaces() -> None:
    assert held("aab", "a ; b", context="recent", window="1 min") == {"a 1": "0-1 replaced", "a 2": "1-2 used"}


def test_generic_uses_up_what_it_fires_for() -> None:
    told = held("abab", "a ; b", window="1 min")
    assert told == {"a 1": "0-1 used", "a 3": "2-3 used"}


def test_unrestricted_forgets_with_the_window() -> None:
    told = held("abaa", "a followed by b", "pretty", gap=20, window="30 sec")
    assert told == {"a 1": "0-2 expired", "b 2": "1-3 expired", "a 3": "2-", "a 4": "3-"}


def test_an_automaton_holds_its_runs() -> None:
    told = held("aab", "[a];[b in {a, b}]", "core", window="1 min")
    assert told["[a];[b in {a, b}] 1"].startswith("0-1")
    assert told["[a];[b in {a, b}] 2"].startswith("1-2")


def test_the_next_moment_that_is_waited_for_is_told() -> None:
    program = rules_program([tc.rule("one", "a unless b within 5 seconds", language="pretty", window="1 min")])
    holdings = Holdings(program, {"one"}, BEST_EFFORT, None, ())
    (arrival,) = events_from([{"type": "a", "time": 10}])
    holdings.take(arrival)
    assert holdings.step(0) == 15_000_000


class _Watch(Witness):
    detector: Any = None

    def enabled(self, detector: Any, now: int) -> None:
        self.detector = detector


@pytest.mark.parametrize("expression", ["a ; b", "a & b", "a ; b ; c", "{a ; b} ! c"])
@pytest.mark.parametrize("context", ["generic", "unrestricted"])
def test_searched_rules_hold_what_their_meaning_remembers(expression: str, context: str) -> None:
    """Whatever comes, late events too: at each step the events that the plain meaning still has."""
    program = rules_program([tc.rule("one", expression, language="gem", context=context, window="5 sec")])
    chance = random.Random(expression + context)
    records = []
    clock = 0.0
    for _ in range(120):
        clock += chance.random() * 2
        records.append(
            {"type": chance.choice("abcd"), "time": clock - chance.choice((0, 0, 1, 4, 9)), "arrival": clock}
        )
    meaning, watch = Replay(program, None, Notes()), _Watch()
    meaning.witness = watch
    holdings = Holdings(program, {"one"}, BEST_EFFORT, None, ())
    from tocsin.algebra.order import ordering

    clocked = ordering(BEST_EFFORT)
    for step, arrival in enumerate(events_from(records)):
        meaning.take_together(clocked.offer(arrival), is_whole=False)  # type: ignore[arg-type]
        meaning.drain()
        holdings.take(arrival)
        holdings.step(step)
        assert isinstance(watch.detector, Searching)
        remembered = {each.id for each in watch.detector.remembered()[0] if isinstance(each, Event)}
        assert {id for each in holdings.told if each.until is None for id in each.events} == remembered
