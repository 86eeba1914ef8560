"""Automata with alternatives, iterations, time events, pairings: as they mean, and an event meets what it concerns."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.engine.test_memories import saved_at
from tests.engine.test_stateful import log
from tests.engine.test_verbs import cuts
from tocsin.algebra.combinations import leaf_occurrence
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import Automaton, Parallel, Run
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Program
from tocsin.algebra.values import Surroundings
from tocsin.engine.detectors.branches import Branch
from tocsin.engine.detectors.machines import Machine
from tocsin.events import Event
from tocsin.rules.loader import load_expression
from tocsin.rules.options import window_of
from tocsin.rules.programs import rules_program
from tocsin.runtime.logs import detections
from tocsin.runtime.options import Options
from tocsin.session import Session

HEARTBEAT = "([x:A], [T in {T, A(k = x.k)}]){T = 5 sec}"
EXPRESSIONS = (
    HEARTBEAT,
    "([x:A], [y:B(k = x.k)] | [T]){T = 3 sec}",
    "([x:A], [y:B(k = x.k)] [T in {T, X(k = x.k), X(v = y.v)}]){T = 4 sec}",
    "([x:A] [y:B(k = x.k)]*, [T in {T, C(k = x.k)}]){T = 2 sec}",
    "[x:A] [y:B(k = x.k)]* ; [z:C(k = x.k)]",
    "([x:A] | [x:B]) ; [z:C(k = x.k && v >= x.v)]",
    "[x:A] ([y:B(k = x.k)] | [y:B(k = x.k && v > 1)] | [z:C in {C, X(k = x.k)}])",
    "[x:A] [!B(k = x.k) in {B(k = x.k), C(k = x.k), X(v = x.v)}]",
    "[x:A] [!X(k = x.k) & !Z]",
    "[x:A] ([y:B(k = x.k), C(k = x.k) in {B(k = x.k), C(k = x.k), X(v = x.v)}]) ([B] | [C])*",
    "([x:A] ; [y:B(k = x.k)]) || ([z:C] [w:A(k = z.k)])",
    "([x:A], [T]){T = 2 sec} || [z:C] [w:B(k = z.k)]*",
)


def program_of(random: Random) -> Program:
    """An automaton in one of its runs, perhaps in a window, perhaps beside others that are equal or nearly so."""
    loaded = load_expression(random.choice(EXPRESSIONS), "core", random.choice((None, None, "x.v > 0")))
    window = window_of(random.choice(("5 sec", "20 sec"))) if random.random() < 0.5 else None
    rule = Session(loaded, Options(window=window)).program.rules[0]
    assert isinstance(rule.pattern, Automaton)
    rule = replace(rule, pattern=replace(rule.pattern, run=random.choice((Run.EVERY, Run.EVERY, Run.AGAIN, Run.ONCE))))
    if random.random() < 0.7:
        return rules_program([rule])
    return rules_program([rule, replace(rule, name="two", condition=None), replace(rule, name="three")])


@pytest.mark.parametrize("part", range(4))
def test_much_waits(part: int) -> None:
    """Late and equal times, odd keys, snapshots at any place: the same detections, refusals included."""
    found = 0
    for number in range(part * 25, part * 25 + 25):
        random = Random(f"machines {number}")
        program, events = program_of(random), log(random)
        theirs, mine = Notes(), Notes()
        should = list(map(repr, replay(program, events, notes=theirs)))
        assert list(map(repr, detections(program, events, notes=mine))) == should, (number, program)
        assert mine.refused == theirs.refused
        assert list(map(repr, saved_at(cuts(random, events), program, None))) == should, (number, program)
        found += len(should)
    assert found > 150


# -- what an event costs -----------------------------------------------------------------------------------------------


def machine_of(text: str, run: Run = Run.EVERY) -> Machine:
    pattern = load_expression(text, "core").rules[0].pattern
    assert isinstance(pattern, Automaton)
    assert not isinstance(pattern.pattern, Parallel)
    return Machine(pattern.pattern, run, Surroundings())


def event(number: int, kind: str, **data: object) -> Event:
    return Event(kind, number, number, str(number), data=data, arrival=number, number=number)


@pytest.mark.parametrize("key", [3, 3.0, "h3"])
def test_an_event_meets_only_the_branches_of_its_key(key: object) -> None:
    machine = machine_of(HEARTBEAT)
    for number in range(500):
        machine.feed(event(number, "A", k=f"h{number}" if isinstance(key, str) else number))
    assert machine.branches() == 500
    assert [one.variables["x"] for one in _met(machine, event(500, "A", k=key))] == [_bound(machine, 3)]
    assert _met(machine, event(501, "A")) == []
    assert _met(machine, event(501, "B", k=key)) == []
    machine.feed(event(502, "A", k=key))
    assert machine.branches() == 500  # its own has failed, and another begun


def test_what_is_no_plain_value_is_compared_one_by_one() -> None:
    machine = machine_of(HEARTBEAT)
    for number, key in enumerate((True, None, [1], 1, "1")):
        machine.feed(event(number, "A", k=key))
    assert len(_met(machine, event(5, "A", k=1))) == 4  # what is equal, and what may be
    assert len(_met(machine, event(5, "A", k=True))) == 5


def test_several_keys_and_none() -> None:
    machine = machine_of("[x:A] [y:B(k = x.k), B(v = x.v)]")
    for number in range(20):
        machine.feed(event(number, "A", k=number, v=number % 5))
    assert len(_met(machine, event(20, "B", k=7, v=1))) == 5  # 1, 6, 11, 16, and 7
    machine = machine_of("[x:A] [y:B(k = x.k), B(v > x.v)]")
    for number in range(20):
        machine.feed(event(number, "A", k=number, v=number % 5))
    assert len(_met(machine, event(20, "B", k=7, v=1))) == 20


def test_branches_that_are_gone_are_not_held() -> None:
    machine = machine_of(HEARTBEAT)
    for number in range(2_000):
        machine.feed(event(number, "A", k=1))
    assert machine.branches() == 1
    assert len(machine._waiting._due) < 200
    assert len(machine._waiting._ages) < 200


def test_a_long_iteration_is_not_copied() -> None:
    """Each step adds one event to what is there; the whole is put together where it is complete."""
    machine = machine_of("[x:A] [B]* [C]")
    machine.feed(event(0, "A"))
    for number in range(1, 300):
        assert machine.feed(event(number, "B")) == []
    (waiting,) = [one for one in machine._waiting.all() if one.last is not None and one.last[0] == 299]
    assert len(waiting.path.events) == 1
    (found,) = machine.feed(event(300, "C"))
    assert len(found.events) == 301


def _met(machine: Machine, arrival: Event) -> list[Branch]:
    reaches = machine._reached(arrival.type)
    return [branch for branch, _ in machine._waiting.concerned(reaches, leaf_occurrence(arrival, None))]


def _bound(machine: Machine, place: int) -> object:
    return machine._waiting.all()[place].variables["x"]
