"""An arrival that has no partners starts no search: a glance at the heads of the chains tells."""

from __future__ import annotations

from tests.algebra.building import SECOND
from tests.engine.long_logs import keyed
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import Named, Pattern, Primitive, Sequence, Where
from tocsin.algebra.rules import Context, Rule
from tocsin.engine.engine import Engine
from tocsin.engine.network.slots import Heads
from tocsin.engine.network.vectors import filled
from tocsin.rules.programs import rules_program
from tocsin.time.periods import Period


def then(*kinds: str) -> Pattern:
    parts = tuple(Named(kind, Primitive(kind)) for kind in kinds)
    return Where(Sequence(parts), keyed(kinds))


def rule(pattern: Pattern, name: str = "r", seconds: int = 60) -> Rule:
    window = Period.of(microseconds=seconds * SECOND)
    return Rule(name, pattern, context=Context.UNRESTRICTED, window=window)


def running(*rules: Rule) -> Engine:
    engine = Engine(rules_program(list(rules)), None, Notes())
    engine.begin(0)
    engine.build()
    return engine


def partners(engine: Engine, kind: str) -> list[list[str]]:
    """For each search that an event of a type starts: whom it looks for."""
    found, root = [], engine.network.gates[kind].in_order
    while root is not None:
        names, each = [], None if root.glance is None else root.glance.partner
        while each is not None:
            names.append(each.arena.name)
            each = each.also
        found.append(sorted(names))
        root = root.next_in_order
    return found


def is_vain(engine: Engine, kind: str) -> bool:
    """What a glance says of the event of a type that came last."""
    gate = engine.network.gates[kind]
    assert gate.in_order is not None
    assert gate.in_order.glance is not None
    return gate.in_order.glance.is_vain((gate.arena.tail - 1) & gate.arena.mask)


def test_a_search_begins_where_every_chain_has_a_row_of_the_key() -> None:
    engine = running(rule(then("a", "b", "c")))
    assert partners(engine, "c") == [["a", "b"]]
    for time, kind, key in ((1, "c", 1), (2, "a", 1), (3, "c", 1), (4, "b", 2), (5, "c", 2), (6, "c", "one")):
        assert not engine.push(kind, time * SECOND, {"k": key})
        assert is_vain(engine, "c")
    engine.push("b", 7 * SECOND, {"k": 1})
    (found,) = engine.push("c", 8 * SECOND, {"k": 1})
    assert found.events == ("2", "7", "8")
    assert not is_vain(engine, "c")


def test_what_has_left_the_window_is_no_partner() -> None:
    engine = running(rule(then("a", "b"), seconds=5))
    engine.push("a", 1 * SECOND, {"k": 1})
    engine.push("b", 2 * SECOND, {"k": 1})
    assert not is_vain(engine, "b")
    engine.network.set_clock(100 * SECOND, 100 * SECOND)
    engine.network.sweep()
    assert not engine.push("b", 100 * SECOND, {"k": 1})
    assert is_vain(engine, "b")


def test_a_late_arrival_is_searched_for_whoever_is_there() -> None:
    engine = running(rule(then("a", "b")))
    engine.push("b", 5 * SECOND, {"k": 1}, arrival=5 * SECOND)
    (found,) = engine.push("a", 1 * SECOND, {"k": 1}, arrival=6 * SECOND)
    assert found.events == ("2", "1")


def test_each_search_has_its_own_glance() -> None:
    engine = running(rule(then("a", "c"), "one"), rule(then("b", "c"), "other", seconds=30))
    assert partners(engine, "c") == [["a"], ["b"]]
    engine.push("a", 1 * SECOND, {"k": 1})
    assert [found.rule for found in engine.push("c", 2 * SECOND, {"k": 1})] == ["one"]
    engine.push("b", 3 * SECOND, {"k": 1})
    assert [found.rule for found in engine.push("c", 4 * SECOND, {"k": 1})] == ["one", "other"]


def test_rules_that_begin_together_and_part_have_none() -> None:
    """One search for both: that one of them has no partners says nothing of the other."""
    one, other = rule(then("a", "c"), "one"), rule(then("b", "c"), "other")
    assert partners(running(one), "c") == [["a"]]
    engine = running(one, other)
    assert partners(engine, "c") == [[]]
    engine.push("b", 1 * SECOND, {"k": 1})
    assert [found.rule for found in engine.push("c", 2 * SECOND, {"k": 1})] == ["other"]


def test_a_rule_more_and_a_rule_less_are_seen() -> None:
    one, other = rule(then("a", "b"), "one"), rule(then("d", "b"), "other")
    engine = running(one)
    engine.change(rules_program([one, other]))
    engine.push("d", 1 * SECOND, {"k": 1})
    assert [found.rule for found in engine.push("b", 2 * SECOND, {"k": 1})] == ["other"]
    engine.change(rules_program([other]))
    assert [found.rule for found in engine.push("b", 3 * SECOND, {"k": 1})] == ["other"]


def test_a_slot_has_room_for_all_chains_or_for_none() -> None:
    """Of many keys the last may be new: then there is no row of it, and no room for one."""
    engine = running(rule(then("a", "b", "c", "d"), seconds=600))
    for key in range(17):
        assert not engine.push("a", key * SECOND, {"k": key})
    for key in range(17, 200):
        assert not engine.push("d", key * SECOND, {"k": key})


def test_values_that_get_other_slots_keep_their_rows() -> None:
    heads = Heads()
    for _ in range(3):
        heads.column()
    heads.reserve(65)
    heads.rows[33 * 4 + 1] = 777
    numbers = filled(34, 0)
    for slot in range(34):
        numbers[slot] = slot
    heads.renumber(numbers, 34)
    assert heads.rows[33 * 4 + 1] == 777
