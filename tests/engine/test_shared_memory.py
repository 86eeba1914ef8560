"""Rules of the plain meaning that look for the same remember it once, and find what each would have found alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algebra.building import SECOND
from tests.algebra.test_core_meaning import MANY, PARTS, RUNS, logs
from tests.amounts import examples
from tests.engine.strategies import example
from tests.engine.test_memories import CONSUMING, OPERATORS, saved_at
from tests.engine.test_verbs import cuts, feed
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.notes import Notes
from tocsin.algebra.order import Release
from tocsin.algebra.patterns import Automaton, Pattern, Run
from tocsin.algebra.replay import Replay, replay
from tocsin.algebra.rules import Context, Program, Rule
from tocsin.engine.detectors.shared import Shared
from tocsin.engine.engine import Engine
from tocsin.engine.state.snapshot import restore, snapshot
from tocsin.events import Arrival, Detection, Event
from tocsin.rules.loader import load_expression
from tocsin.rules.programs import rules_program
from tocsin.runtime.logs import detections
from tocsin.runtime.options import Options
from tocsin.session import Session

GRANULARITIES = [None, 2 * SECOND]


@pytest.fixture(autouse=True)
def _chains_are_cut_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 3)


def alike(random: Random, rules: list[Rule]) -> Program:
    """Rules that make nothing for each other, each with others like it: equal, or with another condition."""
    plain = [replace(rule, actions=(), strict=False) for rule in rules]
    conditions = [None, *(rule.condition for rule in plain)]
    copies = [
        replace(rule, name=f"{rule.name} again {place}", condition=random.choice((rule.condition, *conditions)))
        for rule in plain
        for place in range(random.randint(1, 3))
    ]
    together = [*plain, *copies]
    random.shuffle(together)
    return rules_program(together)


def drawn(count: int, granularity: int | None) -> Iterator[tuple[Random, Program, tuple[Arrival, ...], int | None]]:
    contexts = [*CONSUMING, *([Context.UNRESTRICTED, Context.GENERIC] if granularity else [])]
    for number in range(count):
        random = Random(f"shared {granularity} {number}")
        made = example(random, random.choice(OPERATORS), random.choice(contexts), "best-effort")
        yield random, alike(random, list(made.program.rules)), made.log, made.until


@pytest.mark.parametrize("granularity", GRANULARITIES)
def test_what_is_shared_finds_what_each_would_find(granularity: int | None) -> None:
    compared = shared = 0
    for random, program, log, until in drawn(examples(100), granularity):
        theirs, mine = Notes(), Notes()
        should = list(map(repr, replay(program, log, until=until, granularity=granularity, notes=theirs)))
        found = detections(program, log, until=until, granularity=granularity, notes=mine)
        assert list(map(repr, found)) == should, program
        assert (mine.refused, mine.warnings) == (theirs.refused, theirs.warnings)
        saved = saved_at(cuts(random, log), program, until, granularity)
        assert list(map(repr, saved)) == should, program
        compared += len(should)
        shared += sharing(running(program, log, granularity)) > 0
    assert compared > 100
    assert shared > 25


@MANY
@given(PARTS, logs(), RUNS, st.randoms(use_true_random=False))
def test_automata_that_are_equal_run_once(pattern: Pattern, log: list[Event], run: Run, random: Random) -> None:
    program = alike(random, [Rule("r", Automaton(pattern, run), "core")])
    should = list(map(repr, replay(program, log)))
    assert list(map(repr, detections(program, log))) == should
    assert list(map(repr, saved_at(cuts(random, tuple(log)), program, None))) == should


def running(program: Program, log: tuple[Arrival, ...], granularity: int | None = None) -> Engine:
    engine = Engine(program, granularity, Notes())
    feed(engine, list(log))
    return engine


def sharing(engine: Engine) -> int:
    """How many detectors are spared."""
    shared = [one for one in engine.running.values() if isinstance(one, Shared)]
    return len(shared) - len({id(one.common) for one in shared})


# -- rules that come and go --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("granularity", GRANULARITIES)
def test_rules_that_change_keep_what_they_share(granularity: int | None) -> None:
    compared = 0
    for random, program, log, until in drawn(examples(75), granularity):
        pieces = cuts(random, log)
        versions = [random.sample(program.rules, random.randint(1, len(program.rules))) for _ in pieces]
        compared += len(compare_changes(list(map(rules_program, versions)), pieces, until, granularity))
    assert compared > 25


def compare_changes(
    versions: list[Program], pieces: list[tuple[Arrival, ...]], until: int | None, granularity: int | None
) -> list[Detection]:
    """The engine, saved in between, against the plain meaning: the same changes at the same places."""
    engine, monitor = (kind(versions[0], granularity, Notes()) for kind in (Engine, Replay))
    found, should = list[Detection](), list[Detection]()
    for version, piece in zip(versions, pieces, strict=True):
        for one in (engine, monitor):
            one.change(version)
        found += feed(engine, list(piece))
        for arrival in piece:
            event = arrival if isinstance(arrival, Event) else None
            monitor.step(Release(arrival.arrival, event))
        should += monitor.drain()
        saved = snapshot(engine)
        engine = Engine(version, granularity, Notes())
        restore(engine, saved)
    for one in (engine, monitor):
        one.finish(until)
    assert list(map(repr, found + engine.drain())) == list(map(repr, should + monitor.drain())), versions
    return should


TWICE = "[x:A] ; ([B] | [C])"
LOG = tuple(
    Event(kind, n * SECOND, n * SECOND, str(n), data={"v": n % 4}, arrival=n * SECOND)
    for n, kind in enumerate("ABACAABCBA")
)


def automaton(name: str, condition: str | None = None, text: str = TWICE) -> Rule:
    return replace(Session(load_expression(text, "core", condition), Options()).program.rules[0], name=name)


def test_an_automaton_that_branches_is_shared_whatever_the_condition() -> None:
    program = rules_program([automaton("one"), automaton("two", "x.v > 1"), automaton("other", text="[A] ; [B]*")])
    assert sharing(running(program, LOG)) == 1


def test_a_rule_that_comes_later_remembers_for_itself() -> None:
    engine = Engine(rules_program([automaton("one")]), None, Notes())
    feed(engine, list(LOG[:5]))
    engine.change(rules_program([automaton("one"), automaton("two")]))
    feed(engine, list(LOG[5:]))
    assert sharing(engine) == 0


def test_rules_that_concern_each_other_part() -> None:
    """From when one of them uses another by name, each remembers for itself; what they remembered stays."""
    pair = rules_program([automaton("one"), automaton("two")])
    linked = rules_program([*pair.rules, automaton("three", text="[one] ; [B]")])
    engine = running(pair, LOG[:5])
    assert sharing(engine) == 1
    engine.change(linked)
    assert sharing(engine) == 0
    assert compare_changes([pair, linked], [LOG[:5], LOG[5:]], None, None)


def test_what_is_shared_is_saved_once() -> None:
    one, many = (rules_program([automaton(f"r{n}") for n in range(count)]) for count in (1, 40))
    sizes = [len(snapshot(running(program, LOG * 3))) for program in (one, many)]
    assert sizes[1] < sizes[0] + 40 * 150
    engine = Engine(many, None, Notes())
    restore(engine, snapshot(running(many, LOG)))
    assert sharing(engine) == 39
