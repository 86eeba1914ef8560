"""An engine at work for long: what it tells of itself, what it forgets, what it does when a guard fails."""

from __future__ import annotations

import pytest

from tests.algebra.building import SECOND
from tests.engine.comparing import difference, expected
from tests.engine.strategies import Example
from tests.engine.test_verbs import cuts, feed, native_examples
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.guards import Attribute, Binary, Literal
from tocsin.algebra.notes import Notes
from tocsin.algebra.order import Release
from tocsin.algebra.patterns import AnyEvent, Named, Primitive, Sequence, Where
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Command, Context, Declaration, Define, Disable, Enable, Program, Rule
from tocsin.engine.engine import Engine
from tocsin.events import Detection, Event
from tocsin.rules.programs import rules_program
from tocsin.time.spans import Period

A, B = Named("a", Primitive("a")), Named("b", Primitive("b"))
K_OF_A, K_OF_B, ONE, TWO = Attribute("a", "k"), Attribute("b", "k"), Literal(1), Literal(2)
SAME = Where(Sequence((A, B)), Binary("==", Attribute("a", "k"), Attribute("b", "k")))


def test_stats_of_each_rule() -> None:
    window = Period.of(microseconds=5 * SECOND)
    rules = [Rule("pair", SAME, window=window), Rule("all_b", Primitive("b")), Rule("other", Primitive("x"))]
    engine = Engine(rules_program(rules), None, Notes())
    for second in range(20):
        engine.push("ab"[second % 2], second * SECOND, {"k": 1})
    engine.push("a", 17 * SECOND, {"k": 1})
    engine.push("a", 1 * SECOND, {"k": 1})
    told = engine.stats()
    assert told["events"] == 22
    assert isinstance(told["rules"], dict)
    pair, single, other = (told["rules"][name] for name in ("pair", "all_b", "other"))
    assert (pair["seen"], pair["late"], pair["refused"], pair["detections"]) == (22, 2, 1, 10)
    assert (single["seen"], single["late"], single["detections"]) == (10, 0, 10)
    assert (other["seen"], other["held"], other["detections"]) == (0, 0, 0)


def test_detections_of_each_rule_of_a_family() -> None:
    rules = [
        Rule(f"r{limit}", Where(A, Binary(">", Attribute("a", "v"), Literal(limit))), context=Context.UNRESTRICTED)
        for limit in range(5)
    ]
    engine = Engine(rules_program(rules), None, Notes())
    found = [one for value in (0, 1, 2, 9) for one in engine.push("a", value * SECOND, {"v": value})]
    told = engine.stats()["rules"]
    assert isinstance(told, dict)
    assert len(engine.network.firings) == 1
    counts = {rule.name: sum(one.rule == rule.name for one in found) for rule in rules}
    assert counts == {"r0": 3, "r1": 2, "r2": 1, "r3": 1, "r4": 1}
    assert {name: record["detections"] for name, record in told.items()} == counts


def test_what_push_gives_is_like_a_list() -> None:
    engine = Engine(rules_program([Rule("all_b", Primitive("b"))]), None, Notes())
    nothing, something = engine.push("a", SECOND), engine.push("b", 2 * SECOND)
    assert not nothing
    assert something
    for given in (nothing, something):
        as_list = list(given)
        assert given == as_list
        assert as_list == given
        assert repr(given) == repr(as_list)
        assert given + as_list == as_list + given == [*as_list, *as_list]  # type: ignore[operator]
        with pytest.raises(TypeError, match="unhashable"):
            hash(given)
    assert nothing != something
    assert nothing + something == something + nothing == list(something)  # type: ignore[operator]


def test_what_has_left_every_window_is_forgotten() -> None:
    rule = Rule("pair", SAME, window=Period.of(microseconds=10 * SECOND))
    engine = Engine(rules_program([rule]), None, Notes())
    held = []
    for second in range(3000):
        engine.push("ab"[second % 2], second * SECOND, {"k": second})
        held.append(engine.stats()["held"])
    assert max(held[600:]) <= max(held[:600])  # type: ignore[type-var]  # whole numbers
    assert len(engine.network.store.batches) <= 3


def test_rules_that_come_and_go_leave_nothing_behind() -> None:
    """Each b starts the rule anew: what it had seen is gone, and so is what it was built of."""
    switch = Rule("switch", Primitive("b"), actions=(Disable("pair"), Enable("pair")))
    pair = Rule("pair", Sequence((Named("x", Primitive("a")), Named("y", Primitive("a")))))
    statements = (Define(pair), Define(switch), Command(Enable("pair")), Command(Enable("switch")))
    log = [Event("aab"[n % 3], n * SECOND, n * SECOND, str(n), "", {}, n * SECOND) for n in range(300)]
    engine = Engine(Program(statements), None, Notes())
    engine.network.search.is_stepping = True
    found = []
    for event in log:
        engine.step(Release(event.arrival, event))
        found += engine.drain()
    assert found == list(replay(Program(statements), log))
    assert len(engine.network.firings) < 40
    assert engine.network.gates["a"].searches() < 80


class Spiteful(int):
    """A number that cannot be compared."""

    def __gt__(self, other: object) -> bool:
        raise ArithmeticError("not with me")

    __lt__ = __gt__


def test_a_guard_that_fails_stops_its_rule_alone() -> None:
    rules = [
        Rule("fails", Where(A, Binary(">", Attribute("a", "v"), Literal(1)))),
        Rule("goes_on", Primitive("a")),
    ]
    notes = Notes()
    engine = Engine(rules_program(rules), None, notes)
    found = engine.push("a", 1, {"v": 5})
    found += engine.push("a", 2, {"v": Spiteful(2**60)})
    found += engine.push("a", 3, {"v": 5})
    assert [one.rule for one in found] == ["fails", "goes_on", "goes_on", "goes_on"]
    assert notes.warnings == ["rule 'fails' is stopped: its guard failed with ArithmeticError: not with me"]


def test_slots_of_values_that_are_gone_are_given_up() -> None:
    rule = Rule("pair", SAME, window=Period.of(microseconds=10 * SECOND))
    engine = Engine(rules_program([rule]), None, Notes())
    found, most = 0, 0
    for second in range(150_000):
        found += len(engine.push("ab"[second % 2], second * SECOND, {"k": f"key {second // 2}"}))
        if second % 200 == 0:
            most = max(most, max(int(table.count) for table in engine.builder.tables()))
    assert found == 75_000
    assert 60_000 < most < 70_000


def test_giving_slots_up_changes_no_later_detection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slots are given up after every piece, however few there are."""
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 3)
    given_up = 0
    for random, made in native_examples(250, 21):
        engine = Engine(made.program, None, Notes())
        found: list[Detection] = []
        for piece in cuts(random, made.log):
            found += feed(engine, list(piece))
            for table in engine.builder.tables():
                table.least = -1
                given_up -= int(table.count)
            engine.network.sweep()
            given_up += sum(int(table.count) for table in engine.builder.tables())
        engine.finish(made.until)
        found += engine.drain()
        should = list(replay(made.program, made.log, until=made.until))
        assert list(map(repr, found)) == list(map(repr, should)), made
    assert given_up < 0


def test_giving_up_slots_of_pairs() -> None:
    """Two keys together have slots of their own, made of slots that get other numbers."""
    keys = [Binary("==", Attribute("a", key), Attribute("b", key)) for key in ("k", "m")]
    rule = Rule("pair", Where(Sequence((A, B)), Binary("&&", *keys)), window=Period.of(microseconds=8 * SECOND))
    engine = Engine(rules_program([rule]), None, Notes())
    found = 0
    for second in range(400):
        for table in engine.builder.tables():
            table.least = -1
        engine.network.sweep()
        data = {"k": 1000 - second // 4, "m": second // 8 * 7}
        found += len(engine.push("ab"[second // 2 % 2], second * SECOND, data))
    assert found == 200  # two pairs of every four with the same keys


def test_any_event_is_refused_only_if_it_is_of_a_declared_class() -> None:
    """A rule of a script does not want what is not declared, however old it is."""
    rule = Rule("r", AnyEvent(), context=Context.GENERIC, window=Period.of(microseconds=SECOND), strict=True)
    declared = Program((Declaration("b"), Define(rule), Command(Enable("r"))))
    log = tuple(Event(kind, -4 * SECOND, -4 * SECOND, kind) for kind in ("a", "b"))
    example = Example(declared, log, batch=2)
    assert not difference(example)
    assert expected(example)[1].refused.total() == 1


@pytest.mark.parametrize(
    "guard", [Binary("<", K_OF_A, Binary("+", K_OF_B, ONE)), Binary(">", Binary("*", K_OF_A, TWO), K_OF_B)]
)
@pytest.mark.parametrize("value", [2**53 - 1, 2**53, 2**53 + 1, -(2**53), 2**52])
def test_sums_of_great_whole_numbers_are_exact(guard: Binary, value: int) -> None:
    """2**53 + 1 is 2**53 as a real number, and not less than itself."""
    rule = Rule("r", Where(Sequence((A, B)), guard), context=Context.UNRESTRICTED)
    log = tuple(Event(kind, place, place, kind, data={"k": value}) for place, kind in enumerate("ab"))
    assert not difference(Example(rules_program([rule]), log, batch=2))
