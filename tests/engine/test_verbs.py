"""The engine's verbs: push, advance, change, snapshot and restore give what the plain meaning gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from tests.amounts import examples
from tests.engine.strategies import Example, example
from tests.fuzz.engine import numbered
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.notes import Notes
from tocsin.algebra.order import Release
from tocsin.algebra.patterns import AnyEvent, Named, Primitive, Sequence
from tocsin.algebra.replay import Replay, replay
from tocsin.algebra.rules import Declaration, Notify, Program, Rule
from tocsin.engine.engine import Engine
from tocsin.engine.state.snapshot import VERSION, restore, snapshot
from tocsin.errors import SnapshotError
from tocsin.events import Arrival, Detection, Event
from tocsin.rules.programs import rules_program

EXAMPLES = examples(125)


@pytest.fixture(autouse=True)
def _chains_are_cut_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that trigger each other without end are common among random ones."""
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 3)


def feed(engine: Engine, arrivals: list[Arrival]) -> list[Detection]:
    """Gives an engine some arrivals, all at once where it can take them so."""
    if not engine.has_interplay:
        engine.process_arrivals(list(arrivals))
        return engine.drain()
    engine.network.search.is_stepping = True
    found = []
    for arrival in arrivals:
        engine.step(Release(arrival.arrival, arrival if isinstance(arrival, Event) else None))
        found += engine.drain()
    return found


def native_examples(count: int, seed: int) -> Iterator[tuple[Random, Example]]:
    """Random examples in the order of arrival whose rules all run in the network."""
    for number in range(count):
        random = Random(seed * 1_000_003 + number)
        made = example(random, policy="best-effort")
        engine = Engine(made.program, None, Notes())
        if not made.ignore_late and all(map(engine._is_native, made.program.rules)):
            yield random, made


def cuts(random: Random, log: tuple[Arrival, ...]) -> list[tuple[Arrival, ...]]:
    """The log in random pieces."""
    places = sorted(random.randint(0, len(log)) for _ in range(random.randint(0, 3)))
    return [log[a:b] for a, b in pairwise([0, *places, len(log)])]


def test_a_snapshot_changes_no_later_detection() -> None:
    for random, made in native_examples(EXAMPLES, 1):
        found: list[Detection] = []
        engine = Engine(made.program, None, Notes())
        for piece in cuts(random, made.log):
            found += feed(engine, list(piece))
            saved, engine = snapshot(engine), Engine(made.program, None, Notes())
            restore(engine, saved)
        engine.finish(made.until)
        found += engine.drain()
        should = list(replay(made.program, made.log, until=made.until))
        assert list(map(repr, found)) == list(map(repr, should)), made


def test_push_is_replay() -> None:
    for _, made in native_examples(EXAMPLES, 2):
        assert_push_is_replay(made)


def test_push_is_replay_where_rules_feed_others() -> None:
    """What is pushed comes together with the windows that end at its instant."""
    for number in range(examples(75)):
        assert_push_is_replay(numbered(7, number, "linked"))


def assert_push_is_replay(made: Example) -> None:
    engine = Engine(made.program, None, Notes())
    found: list[Detection] = []
    for each in made.log:
        if isinstance(each, Event):
            own = {"id": each.id, "source": each.source, "start": each.start, "arrival": each.arrival}
            found += engine.push(each.type, each.end, each.data, **own)
        else:
            found += engine.advance(each.arrival)
    engine.finish(made.until)
    found += engine.drain()
    should = list(replay(made.program, made.log, until=made.until))
    assert list(map(repr, found)) == list(map(repr, should)), made


def test_a_change_of_rules_keeps_what_is_equal() -> None:
    for random, made in native_examples(EXAMPLES, 3):
        others = (other for _, other in native_examples(50, random.randint(0, 10**6)))
        other = next(each for each in others if is_in_days(each) == is_in_days(made))
        program = mixed(random, made.program, other.program)
        first, second = cuts(random, made.log)[0], made.log
        second = made.log[len(first) :]
        judge, engine = Replay(made.program, None, Notes()), Engine(made.program, None, Notes())
        should = stepped(judge, first)
        found = feed(engine, list(first))
        judge.change(program)
        engine.change(program)
        should += stepped(judge, second)
        found += feed(engine, list(second))
        judge.finish(made.until)
        engine.finish(made.until)
        should += judge.drain()
        found += engine.drain()
        assert list(map(repr, found)) == list(map(repr, should)), (made, program)


def test_events_come_one_by_one_before_and_after_rules_that_use_each_other() -> None:
    pair = Rule("pair", Sequence((Named("x", Primitive("a")), Named("y", Primitive("b")))), "python")
    using = [pair, Rule("one", Primitive("c"), "python"), Rule("two", Primitive("one"), "python")]
    engine = Engine(rules_program([pair]), None, Notes())
    engine.push("a", 1, {"v": 1}, id="1")
    engine.change(rules_program(using))
    engine.push("a", 2, {"v": 2}, id="2")
    engine.change(rules_program([pair]))
    assert [one.data for one in engine.push("b", 3, {"v": 3}, id="3")] == [
        {"x.v": 1, "y.v": 3},
        {"x.v": 2, "y.v": 3},
    ]


def is_in_days(made: Example) -> bool:
    """Whether time goes by in days: a rule that rings every second would ring for long."""
    return any(arrival.arrival > 10**12 for arrival in made.log)


def mixed(random: Random, one: Program, other: Program) -> Program:
    """Some rules of one program, and of another under other names; each with its own statement that enables it."""
    rules = [rule for rule in one.rules if random.random() < 0.6]
    rules += [replace(rule, name=f"new_{rule.name}") for rule in other.rules if random.random() < 0.6]
    random.shuffle(rules)
    declared = [statement for statement in one.statements if isinstance(statement, Declaration)]
    return Program((*declared, *rules_program(rules).statements))


def stepped(judge: Replay, arrivals: tuple[Arrival, ...]) -> list[Detection]:
    found = []
    for arrival in arrivals:
        judge.step(Release(arrival.arrival, arrival if isinstance(arrival, Event) else None))
        found += judge.drain()
    return found


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: b"", "no snapshot"),
        (lambda data: b"{}", "no snapshot"),
        (lambda data: data.replace(f"snapshot {VERSION}".encode(), b"snapshot 99", 1), "version 99"),
        (lambda data: data[:-1], "damaged"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "damaged"),
    ],
)
def test_a_damaged_snapshot_is_refused(damage: Callable[[bytes], bytes], message: str) -> None:
    program = rules_program([Rule("r", Primitive("a"))])
    engine = Engine(program, None, Notes())
    engine.push("a", 1)
    with pytest.raises(SnapshotError, match=message):
        restore(Engine(program, None, Notes()), damage(snapshot(engine)))


def test_any_event_takes_classes_that_are_declared_later() -> None:
    """A rule on `*` goes on, and the new declarations are its own, too; what came before them does not count."""
    pair = Sequence((Named("x", AnyEvent()), Named("y", AnyEvent())))
    any_two = Rule("any", pair, "gem", strict=True, actions=(Notify("found", ()),))
    some = [Program((Declaration("a"), *rules_program([any_two]).statements))]
    some.append(Program((Declaration("b"), *some[0].statements)))
    first = tuple(Event(kind, at, at, str(at), arrival=at) for at, kind in enumerate("aba", 1))
    second = tuple(Event(kind, at, at, str(at), arrival=at) for at, kind in enumerate("bab", 4))
    judge, engine = Replay(some[0], None, Notes()), Engine(some[0], None, Notes())
    should, found = stepped(judge, first), feed(engine, list(first))
    judge.change(some[1])
    engine.change(some[1])
    should += stepped(judge, second)
    found += feed(engine, list(second))
    assert [one.events for one in found] == [one.events for one in should]
    assert any("4" in one.events for one in found)
