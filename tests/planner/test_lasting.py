"""Rules that last as long as their own window: in order of time they find the same, and forget what is older."""

from __future__ import annotations

from random import Random

import pytest

import tocsin as tc
from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import Order
from tocsin.engine.engine import Engine
from tocsin.planner.durations import lasting
from tocsin.rules.programs import rules_program
from tocsin.runtime.clocks import by_order
from tocsin.time.spans import SECOND, Period

WINDOWED = (
    "(x:a -> !(y:b if y.k == x.k)) in 5 seconds",
    "(!(y:b if y.k == x.k) -> x:a) in 5 seconds",
    "(x:a -> y:b if y.k == x.k) in 4 seconds",
    "(x:a & y:b & z:c) in 3 seconds",
    "((x:a | y:c) -> !b -> z:d) in 6 seconds",
)
OTHERS = (
    "x:a -> y:b",
    "({x:a -> y:b} -> !c) in 5 seconds",
    "(x:a -> (!(y:b) in 3 seconds)) in 6 seconds",
    "(x:a*3) in 9 seconds",
    "(x:a -> y:b) in 1 month",
)


def log(random: Random, count: int) -> list[dict[str, object]]:
    time, made = 0.0, []
    for number in range(count):
        time += random.choice((0, 0.5, 1, 2))
        made.append(
            {"type": random.choice("abcd"), "time": time, "id": str(number), "data": {"k": random.randrange(2)}}
        )
    return made


@pytest.mark.parametrize("context", ["unrestricted", "generic"])
@pytest.mark.parametrize("text", WINDOWED)
def test_the_same_is_found(text: str, context: str) -> None:
    rule = tc.rule("r", text, language="sel", context=context)
    assert lasting(rule) is not None
    for seed in range(15):
        given = log(Random(seed), 60)
        bounded = tc.detect(rule, given, order="guaranteed")
        assert [one.id for one in bounded] == [one.id for one in tc.detect(rule, given)], "without late events"


def test_what_is_older_is_forgotten() -> None:
    """A rule of words on a stream in order: what it holds does not grow."""
    rule = tc.rule("r", WINDOWED[0], language="sel")
    (group,) = by_order(rules_program([rule]), Order("guaranteed"))
    engine = Engine(group.program, None, Notes())
    for number in range(5000):
        engine.push("ab"[number % 2], number * SECOND, {"k": number})
    held = engine.stats()["rules"]
    assert isinstance(held, dict)
    assert held["r"]["held"] < 2500


@pytest.mark.parametrize("text", OTHERS)
def test_where_it_is_not_known(text: str) -> None:
    assert lasting(tc.rule("r", text, language="sel")) is None


def test_an_event_may_be_late_under_other_orders() -> None:
    """So nothing is forgotten there, nor where a source may come back."""
    rules = rules_program([tc.rule("r", WINDOWED[0], language="sel")])
    second = Period.of(microseconds=SECOND)
    for order in (Order(), Order("delay", delay=second), Order("guaranteed", idle=second)):
        assert by_order(rules, order)[0].program.rules[0].window is None
    assert by_order(rules, Order("guaranteed"))[0].program.rules[0].window is not None
