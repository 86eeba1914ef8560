"""Rules that nothing bounds, on the plain meaning: they are given up when they hold too much, told, and alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.engine.test_verbs import feed
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import Both, Either, Primitive, Repeat, Times
from tocsin.algebra.rules import Context, Rule
from tocsin.engine.detectors.limited import LEAST_HELD, MOST_HELD, NO_LIMIT, most_held
from tocsin.engine.engine import Engine
from tocsin.engine.state.snapshot import restore, snapshot
from tocsin.events import Event
from tocsin.planner.places import why_apart
from tocsin.rules.loader import load_expression
from tocsin.rules.programs import rules_program

A, B = Primitive("a"), Primitive("b")


def rule(name: str = "many", context: Context = Context.UNRESTRICTED) -> Rule:
    (made,) = load_expression("(a | b)*7 -> c -> d", "sel", name=name).rules
    return replace(made, context=context)


def log(count: int, types: str) -> list[Event]:
    return [Event(types[n % len(types)], n * 1_000, n * 1_000, str(n), arrival=n * 1_000) for n in range(count)]


@pytest.mark.parametrize("context", [Context.UNRESTRICTED, Context.GENERIC])
def test_it_is_given_up_and_told(context: Context) -> None:
    notes = Notes()
    engine = Engine(rules_program([rule(context=context), Rule("other", Primitive("c"))]), None, notes)
    most = most_held(rule().guarded)
    found = feed(engine, log(most + 10, "c"))
    assert notes.warnings == [
        f"rule 'many' is stopped: it looks through all that it holds at every arrival, and that is more than "
        f"{most} events: a window around it, or a detection window, would bound that"
    ]
    assert [one.rule for one in found] == ["other"] * (most + 10)
    assert "many" not in engine.running


def test_before_that_it_is_the_meaning() -> None:
    notes = Notes()
    engine = Engine(rules_program([rule()]), None, notes)
    last = [replace(each, end=each.end + 9_000, start=each.end + 9_000) for each in log(2, "cd")]
    assert len(feed(engine, [*log(8, "ab"), *last])) == 2
    assert not notes.warnings


def test_all_who_share_it_are_told() -> None:
    notes = Notes()
    engine = Engine(rules_program([rule("one"), rule("two")]), None, notes)
    feed(engine, log(most_held(rule().guarded) + 1, "c"))
    assert [warning.split(":")[0] for warning in notes.warnings] == ["rule 'one' is stopped", "rule 'two' is stopped"]


def test_what_was_given_up_does_not_come_back() -> None:
    engine = Engine(rules_program([rule()]), None, Notes())
    feed(engine, log(most_held(rule().guarded) + 1, "c"))
    other = Engine(rules_program([rule()]), None, Notes())
    restore(other, snapshot(engine))
    assert "many" not in other.running


def test_a_detection_window_bounds_it() -> None:
    notes = Notes()
    windowed = replace(rule(), window=load_expression("a in 1 second", "sel").rules[0].pattern.period)  # type: ignore[attr-defined]
    engine = Engine(rules_program([windowed]), None, notes)
    spread = [replace(each, end=each.end * 100, start=each.start * 100) for each in log(100, "ab")]
    feed(engine, [replace(each, arrival=each.end) for each in spread])
    assert not notes.warnings


def test_how_many_it_may_hold() -> None:
    """The more events are combined, the fewer; of a run only the ends can be chosen."""
    assert most_held(A) == most_held(Either((A, B))) == NO_LIMIT
    assert most_held(Both((A, B))) == MOST_HELD
    assert most_held(Repeat(Either((A, B)), 10, 10)) == 500
    assert most_held(rule().pattern) == LEAST_HELD
    assert most_held(Times(9, A, None, True)) == LEAST_HELD


def test_many_ways_to_repeat_alternatives_are_not_multiplied_out() -> None:
    assert not why_apart(Rule("r", Repeat(Either((A, B)), 1, 5)))
    assert "ways to repeat" in why_apart(Rule("r", Repeat(Either((A, B)), 7, 7)))
    assert "ways to repeat" in why_apart(Rule("r", Repeat(Either((A, B)), 1, 1_000_000)))
