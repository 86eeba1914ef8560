"""Rows that come to stand where others stood: what those were linked to is nothing to them."""

from __future__ import annotations

import pytest

from tests.algebra.building import SECOND
from tests.engine.comparing import difference
from tests.engine.long_logs import same
from tests.engine.strategies import Example
from tests.engine.test_glance import rule, running, then
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import After, Named, Precedence, Primitive, Sequence, Where
from tocsin.algebra.rules import Context, Rule
from tocsin.engine.engine import Engine
from tocsin.events import Event, Moment
from tocsin.rules.programs import rules_program
from tocsin.time.periods import Period


def key(place: int, odd: int) -> object:
    """The one value that no table can keep beside numbers."""
    return Moment(5) if place == odd else 1


@pytest.mark.parametrize(("count", "odd", "batch"), [(24, 9, 8), (40, 36, 8), (80, 73, 16), (80, 77, 16), (90, 77, 1)])
def test_a_table_may_collapse_when_a_ring_has_gone_round(count: int, odd: int, batch: int) -> None:
    log = tuple(
        Event("ab"[place % 2], place * SECOND, place * SECOND, str(place), data={"k": key(place, odd)})
        for place in range(count)
    )
    assert not difference(Example(rules_program([rule(then("a", "b"), seconds=4)]), log, batch=batch))


def test_also_where_events_come_one_by_one() -> None:
    engine, found = running(rule(then("a", "b"), seconds=4)), 0
    for place in range(200):
        found += len(engine.push("ab"[place % 2], place * SECOND, {"k": key(place, 150)}))
    assert found > 150


@pytest.mark.parametrize("rounds", [5, 30])
def test_what_waits_is_still_there_when_other_rules_are_gone(rounds: int) -> None:
    """Many rules that go at once have the searches built anew: what is used up goes on being told."""
    x, y = Named("x", Primitive("a")), Named("y", Primitive("b"))
    pattern = Sequence((x, After(y, Period.of(microseconds=SECOND))), Precedence.ENDS)
    window = Period.of(microseconds=600 * SECOND)
    kept = Rule("kept", Where(pattern, same("x", "y")), context=Context.GENERIC, window=window)
    others = [rule(Sequence((x, Named("y", Primitive(f"t{number}")))), f"r{number}") for number in range(12)]
    engine = Engine(rules_program([kept, *others]), None, Notes())
    engine.begin(0)
    engine.build()
    engine.change(rules_program([kept]))
    found = 0
    for place in range(rounds):
        for kind, time in (("a", 1), ("b", 2), ("c", 4)):
            found += len(engine.push(kind, (4 * place + time) * SECOND, {"k": 1}))
    assert found == rounds
