"""Automata with time events in the network: branches that wait for them are rows, and the agenda wakes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from tests.amounts import examples
from tests.engine.comparing import difference
from tests.engine.strategies import Example
from tests.engine.test_stateful import found_as_by_replay
from tocsin.algebra.notes import Notes
from tocsin.algebra.order import Release
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Program, Rule
from tocsin.engine.detectors.indexed import IndexedAutomaton
from tocsin.engine.engine import Engine
from tocsin.engine.network.alarms import Alarms
from tocsin.engine.state.snapshot import restore, snapshot
from tocsin.engine.state.transfer import merged, take_out
from tocsin.events import Event
from tocsin.plan.programs import Place
from tocsin.planner.places import placed
from tocsin.rules.loader import load_expression
from tocsin.rules.options import window_of
from tocsin.rules.programs import rules_program
from tocsin.runtime.options import Options
from tocsin.session import Session

SECOND = 1_000_000
HEARTBEAT = "([x:A], [T in {T, A(k = x.k)}]){T = 5 sec}"
EXPRESSIONS = (
    HEARTBEAT,
    "([x:A], [T in {T, A(k = x.k), X(v = x.v), X(k = x.k)}]){T = 2 sec} ; [y:B(k = x.k)]",
    "([x:A], [y:B(k = x.k) in {B(k = x.k), T}]){T = 3 sec}",
    "([x:A] [y:B(k = x.k)], [z:C(k = y.k) in {C(k = y.k), T}] ; [w:A]){T = 4 sec}",
    "(([x:A], [T]){T = 1 sec} , [U in {U, B(k = x.k)}]){U = 2 sec}",
    "([x:A], ([y:B(k = x.k)], [U in {U, T}]){U = 1 sec}){T = 3 sec}",
    "[x:A] ([y:B(v >= x.v)], [T in {T, C}] [z:C(k = x.k)]){T = 2 sec}",
    "([x:A], [T in {T}] ; [y:B(k = x.k) in {B(k = x.k), X}]){T = 1 sec}",
)


def rule(text: str, name: str = "r", condition: str | None = None) -> Rule:
    made = load_expression(text, "core", condition, name=name).rules[0]
    assert placed(made).place is Place.CHAINED
    return made


def drawn(random: Random) -> Program:
    """A rule, perhaps in a window, perhaps beside others that are equal or wait for the same."""
    loaded = load_expression(random.choice(EXPRESSIONS), "core", random.choice((None, None, "x.v > 0")))
    window = window_of(random.choice(("5 sec", "20 sec"))) if random.random() < 0.5 else None
    one = Session(loaded, Options(window=window)).program.rules[0]
    assert placed(one).place is Place.CHAINED
    if random.random() < 0.6:
        return rules_program([one])
    other = rule(random.choice(EXPRESSIONS), "other")
    return rules_program([one, other, replace(one, name="two", condition=None), replace(one, name="three")])


def feeding(random: Random) -> Program:
    """An automaton that is fed by another, and one that no rule feeds."""
    made = rule("([x:A], [T in {T, B(k = x.k)}]){T = 2 sec}", "made")
    user = rule("([x:made], [T in {T, made, C}]){T = 1 sec}", "user")
    return rules_program(random.sample([made, user, rule(HEARTBEAT, "third")], 3))


@pytest.mark.parametrize("draw", [drawn, feeding])
def test_much_waits(draw: Callable[[Random], Program]) -> None:
    """Late and equal times, odd keys, in pieces of any size, saved at any place: the same detections."""
    assert found_as_by_replay(draw, "timed", examples(60)) > 250


def at(kind: str, time: float, start: float | None = None, arrival: float | None = None, **data: object) -> Event:
    begun, came = (time if each is None else each for each in (start, arrival))
    return Event(kind, int(time * SECOND), int(begun * SECOND), kind, data=data, arrival=int(came * SECOND))


@pytest.mark.parametrize(
    ("text", "events", "count"),
    [
        # At one instant: the time event comes before an event of just that instant, after one that only ends then.
        ("([x:A], [T in {T, B}]){T = 5 sec}", [at("A", 0), at("B", 5)], 1),
        ("([x:A], [T in {T, B}]){T = 5 sec}", [at("A", 0), at("B", 5, 4)], 0),
        ("([x:A], [T in {T, B}]){T = 5 sec}", [at("A", 0), at("B", 7, arrival=5), at("B", 5, 4, 6)], 1),
        # One that is past when its run begins occurs all the same.
        ("([x:A], [T]){T = 5 sec}", [at("C", 60), at("A", 0, arrival=60)], 1),
        # What equals nothing is waited for by time alone.
        ("([x:A], [T in {T, B(k = x.k)}]){T = 5 sec}", [at("A", 0), at("B", 1, k=1), at("C", 9)], 1),
        # A run sees nothing that arrived before it began.
        ("([x:A], [T in {T, B}]){T = 5 sec}", [at("B", 3, arrival=0), at("A", 1), at("C", 9)], 1),
    ],
)
def test_time_events_at_one_instant(text: str, events: list[Event], count: int) -> None:
    named = tuple(replace(each, id=str(place)) for place, each in enumerate(events))
    one = Example(rules_program([rule(text)]), named)
    assert difference(one) == ""
    assert len(list(replay(one.program, named))) == count


def test_what_has_moved_with_its_rule_is_still_waited_for() -> None:
    one, other = (Engine(rules_program([rule(HEARTBEAT, name)]), None, Notes()) for name in ("one", "two"))
    for each in (one, other):
        each.push("A", 0, {"k": 1}, id="first")
        each.push("A", SECOND, {"k": 2}, id="second")
    both = merged(other, rules_program([rule(HEARTBEAT, "two"), rule(HEARTBEAT, "one")]), take_out(one, {"one"}))
    both.push("A", 2 * SECOND, {"k": 1}, id="third")
    assert [(found.rule, found.events) for found in both.advance(6 * SECOND + 1)] == [
        ("two", ("second",)),
        ("one", ("second",)),
    ]


def test_what_an_earlier_release_remembered_goes_on() -> None:
    """There it was no row of the network: it goes on beside it, and meets what it concerns by an index."""
    program = rules_program([rule(HEARTBEAT)])
    earlier = Engine(program, None, Notes(), plain=frozenset(["r"]))
    earlier.step(Release(0, Event("A", 0, 0, "first", data={"k": 1}, arrival=0)))
    now = Engine(program, None, Notes())
    restore(now, snapshot(earlier))
    assert isinstance(now.running["r"], IndexedAutomaton)
    assert [found.events for found in now.advance(6 * SECOND)] == [("first",)]


def test_branches_that_are_gone_leave_nothing_behind() -> None:
    engine = Engine(rules_program([rule(HEARTBEAT)]), None, Notes())
    for number in range(2_000):
        engine.push("A", number * SECOND, {"k": 1})
    (alarms,) = [each for each in engine.network.agenda.waitings if isinstance(each, Alarms)]
    assert alarms.used <= 3 * 8
    assert len(alarms.pending()) == 1
    assert engine.next_due() == (1_999 + 5) * SECOND


def test_a_rule_that_goes_is_waited_for_no_longer() -> None:
    engine = Engine(rules_program([rule(HEARTBEAT), rule(HEARTBEAT, "kept", "x.k > 1")]), None, Notes())
    engine.push("A", 0, {"k": 2})
    engine.change(rules_program([rule(HEARTBEAT, "kept", "x.k > 1")]))
    saved = snapshot(engine)
    again = Engine(engine.program, None, Notes())
    restore(again, saved)
    for each in (engine, again):
        assert [found.rule for found in each.advance(6 * SECOND)] == ["kept"]
