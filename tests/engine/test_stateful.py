"""Rules in the network that remember more than events: consuming contexts and automata give what the meaning gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from tests.amounts import examples
from tests.engine.comparing import Cell, difference
from tests.engine.strategies import POLICIES, example
from tests.engine.test_memories import saved_at
from tests.engine.test_verbs import cuts, feed
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.notes import Notes
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Context, Program, Rule
from tocsin.engine.engine import Engine
from tocsin.events import Detection, Event, Moment
from tocsin.plan.programs import Place
from tocsin.planner.places import placed
from tocsin.rules.loader import load_expression
from tocsin.rules.options import window_of
from tocsin.rules.programs import rules_program
from tocsin.runtime.logs import detections
from tocsin.runtime.options import Options
from tocsin.session import Session

CONTEXTS = (Context.CHRONICLE, Context.RECENT, Context.CONTINUOUS)
OPERATORS = ("type at site", "name of a composite", "where", "both", "sequence", "global", "gap", "concurrent")
ROUNDS = examples(20)
"""Examples for each operator in each context under each policy."""


@pytest.fixture(autouse=True)
def _chains_are_cut_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 3)


def test_consuming_contexts_in_the_network() -> None:
    """Every operator in every context under every policy: a rule of the network that needs it has fired."""
    cells: Counter[Cell] = Counter()
    wanted = [(operator, context, policy) for operator in OPERATORS for context in CONTEXTS for policy in POLICIES]
    for operator, context, policy in wanted:
        for number in range(ROUNDS):
            made = example(Random(f"{operator} {context} {policy} {number}"), operator, context, policy)
            assert not difference(made, cells), made
    assert [cell for cell in wanted if not cells[cell[0], cell[1].value, cell[2]]] == []


# -- more events than the examples have, so that much waits at once -----------------------------------------------------

EXPRESSIONS = (
    "(x:A ; y:B when x.k == y.k) ; z:C when y.k == z.k && z.v > x.v",
    "x:A ; y:B ; z:C when x.k == y.k && z.v > x.v",
    "(x:A & y:B when x.k == y.k) & z:C when y.k == z.k",
    "(x:A & y:A when x.k == y.k) ; z:C when y.k == z.k && z.v >= x.v",
    "x:A ; (y:B & z:C when y.k == z.k) when x.k == z.k",
    "(x:A ; y:B when x.k == y.k && y.v > x.v) & (z:A ; w:C when z.k == w.k) when x.k == w.k",
)


def consuming(random: Random) -> Program:
    """A rule in a consuming context, with a window mostly."""
    condition = random.choice((None, "z.v > 1"))
    return _completed(random, load_expression(random.choice(EXPRESSIONS), "gem", condition), random.choice(CONTEXTS))


def automaton(random: Random) -> Program:
    """A chain of one to four atoms with filters and domains, strongly or weakly after each other."""
    text = _atom(random, 0)
    for place in range(1, random.randint(1, 4)):
        text += random.choice((" ; ", " ")) + _atom(random, place)
    return _completed(random, load_expression(text, "core", random.choice((None, None, "x.v > 0"))), None)


def _atom(random: Random, place: int) -> str:
    filters = []
    if place and random.random() < 0.7:
        filters.append(f"k = {'xyzw'[random.randrange(place)]}.k")
    if random.random() < 0.2:
        filters.append("v > 0")
    if place and random.random() < 0.2:
        filters.append(f"v >= {'xyzw'[random.randrange(place)]}.v")
    kind = random.choice("ABC") + (f"({' && '.join(filters)})" if filters else "")
    others = ["A", "B", "X", "X(v = 1)", *([f"X(k = {'xyzw'[random.randrange(place)]}.k)"] if place else [])]
    within = f" in {{{kind}, {random.choice(others)}}}" if random.random() < 0.4 else ""
    return f"[{'xyzw'[place]}:{kind}{within}]"


def _completed(random: Random, program: Program, context: Context | None) -> Program:
    window = window_of(random.choice(("5 sec", "20 sec", "90 sec"))) if random.random() < 0.7 else None
    rule = Session(program, Options(context=context, window=window)).program.rules[0]
    assert placed(rule).place in (Place.PAIRED, Place.CHAINED)
    if random.random() < 0.7:
        return rules_program([rule])
    # Two that are equal, one that shares all but its condition.
    return rules_program([rule, replace(rule, name="two", condition=None), replace(rule, name="three")])


def log(random: Random) -> tuple[Event, ...]:
    """Events of few keys or many, some late, some at once, some that last; some with a key like no other."""
    time, clock, keys, made = 0, 0, random.choice((2, 5, 60)), list[Event]()
    for number in range(random.choice((20, 60, 150))):
        time += random.choice((0, 300_000, 1_000_000))
        clock = max(clock, time)
        end = max(0, time - random.choice((0, 0, 0, random.randint(0, 6_000_000))))
        odd = random.random() < 0.02
        key = random.choice((None, "q", Moment(5))) if odd else random.randrange(keys)
        data = {"k": key, "v": random.randrange(4)}
        start = end - random.choice((0, 0, 200_000))
        made.append(Event(random.choice("ABCXZ"), end, start, str(number), random.choice("st"), data, clock))
    return tuple(made)


def found_as_by_replay(draw: Callable[[Random], Program], seed: str, count: int) -> int:
    """How many detections random programs have, all as `replay` says, in pieces of any size and saved at any place."""
    found = 0
    for number in range(count):
        random = Random(f"{draw.__name__} {seed} {number}")
        program, events = draw(random), log(random)
        theirs, mine = Notes(), Notes()
        should = list(map(repr, replay(program, events, notes=theirs)))
        size = random.choice((1, 7, 4096))
        assert list(map(repr, detections(program, events, batch=size, notes=mine))) == should, (number, program)
        assert mine.refused == theirs.refused
        assert list(map(repr, saved_at(cuts(random, events), program, None))) == should, (number, program)
        found += len(should)
    return found


@pytest.mark.parametrize("draw", [consuming, automaton])
def test_much_waits(draw: Callable[[Random], Program]) -> None:
    assert found_as_by_replay(draw, "much", examples(75)) > 250


@pytest.mark.parametrize("draw", [consuming, automaton])
def test_slots_that_nobody_has_are_given_up(draw: Callable[[Random], Program]) -> None:
    for number in range(60):
        random = Random(f"{draw.__name__} slots {number}")
        program, events = draw(random), log(random)
        engine, found = Engine(program, None, Notes()), list[Detection]()
        for piece in cuts(random, events):
            found += feed(engine, list(piece))
            for table in engine.builder.tables():
                table.least = -1
            engine.network.sweep()
        engine.finish(None)
        assert list(map(repr, found + engine.drain())) == list(map(repr, replay(program, events))), (number, program)


def test_what_is_equal_waits_once() -> None:
    """Two rules on one pair share it; a third, in another context, does not."""
    pair = load_expression("x:A ; y:B when x.k == y.k", "gem").rules[0].pattern
    triple = load_expression("(x:A ; y:B when x.k == y.k) ; z:C", "gem").rules[0].pattern
    one, two = (
        Rule("one", pair, "gem", context=Context.CHRONICLE),
        Rule("two", triple, "gem", context=Context.CHRONICLE),
    )
    engine = Engine(rules_program([one, two, replace(one, name="three", context=Context.CONTINUOUS)]), None, Notes())
    feed(engine, [Event("A", 1, 1, "1", "", {"k": 1}, 1)])
    assert len(engine.builder.nodes) == 3
    held = [waiting.count for node in engine.builder.nodes.values() for _, waiting in node.held()]
    assert sum(held) == 3  # the first pair is also below the second


def test_equal_chains_of_two_rules_wait_once() -> None:
    """001 section 6.1: a detector that is there is used again."""
    texts = ["[B] ; [P]", "[B];[P]", "[B] ; [P] ; [M]"]
    rules = [load_expression(text, "core", name=f"r{place}").rules[0] for place, text in enumerate(texts)]
    engine = Engine(rules_program(rules), None, Notes())
    found = feed(engine, [Event("B", 1, 1, "1", "", {}, 1), Event("P", 2, 2, "2", "", {}, 2)])
    assert [one.rule for one in found] == ["r0", "r1"]
    assert len(engine.builder.nodes) == 2


def test_a_rule_that_goes_takes_what_waited_along() -> None:
    pattern = load_expression("x:A ; y:B when x.k == y.k", "gem").rules[0].pattern
    kept = Rule("kept", pattern, "gem", context=Context.CHRONICLE)
    others = [
        replace(
            kept,
            name=f"r{number}",
            condition=load_expression("x:A", "gem", f"x.v > {number}").rules[0].condition,
            context=Context.CONTINUOUS,
        )
        for number in range(20)
    ]
    engine = Engine(rules_program([kept, *others]), None, Notes())
    feed(engine, [Event("A", 1, 1, "1", "", {"k": 1, "v": 100}, 1)])
    engine.change(rules_program([kept]))
    found = feed(engine, [Event("B", 2, 2, "2", "", {"k": 1}, 2)])
    assert [one.rule for one in found] == ["kept"]
    assert len(engine.builder.nodes) == 1
