"""Random examples of another kind: plain rules by key, on logs that are long for what the rules hold.

Rings of rows go round many times, tables of values grow, and one value among many is of another kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial, reduce
from itertools import accumulate, pairwise
from random import Random

from tests.algebra.building import SECOND
from tests.engine.comparing import Cell
from tests.engine.strategies import Example, policy_of
from tocsin.algebra.guards import Attribute, Binary, Guard, Literal, or_absent
from tocsin.algebra.patterns import (
    Absence,
    After,
    Both,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Sequence,
    Times,
    Where,
    Within,
)
from tocsin.algebra.rules import SEARCHED, Context, Rule
from tocsin.events import Detection, Event, Moment
from tocsin.rules.programs import rules_program
from tocsin.time.periods import Period

ODD: tuple[object, ...] = (
    "x",
    "1",
    None,
    1.5,
    2.0,
    float("nan"),
    True,
    Moment(1),
    Period.of(microseconds=1),
    [1],
    2**60,
)
"""What is no small number; a moment or a period among numbers is the one that no table of values can keep."""


def same(one: str, other: str) -> Guard:
    """Two variables have one key."""
    return Binary("==", Attribute(one, "k"), Attribute(other, "k"))


def keyed(names: Iterable[str]) -> Guard:
    """All of them have."""
    return reduce(partial(Binary, "&&"), (same(*pair) for pair in pairwise(names)))


def _named(names: str) -> tuple[Pattern, ...]:
    return tuple(Named(name, Primitive(name)) for name in names)


def _seconds(count: int) -> Period:
    return Period.of(microseconds=count * SECOND)


def _sequence(names: str, random: Random) -> Pattern:
    return Where(Sequence(_named(names), random.choice((Precedence.ENDS, Precedence.GAP))), keyed(names))


def _guarded(random: Random) -> Pattern:
    more = Binary("+", Attribute("a", "v"), Literal(random.randint(-3, 3)))
    return Where(_sequence("abc", random), Binary(random.choice((">", "<=")), Attribute("c", "v"), more))


def _absence(random: Random) -> Pattern:
    a, b, c = _named("abc")
    made = Absence(a, b, c, or_absent(same("c", "a"), "c"), Precedence.GAP)
    return Where(made if random.random() < 0.5 else Within(made, _seconds(4)), same("a", "b"))


def _twice(random: Random) -> Pattern:
    one, other = Named("x", Primitive("a")), Named("y", Primitive("a"))
    return Where(Sequence((one, other, Named("b", Primitive("b")))), keyed("xyb"))


def _unless(random: Random) -> Pattern:
    a, b = _named("ab")
    return Within(Sequence((a, Never(Where(b, same("b", "a")))), Precedence.GAP), _seconds(random.randint(1, 4)))


def _after(random: Random) -> Pattern:
    a, b = _named("ab")
    return Where(Sequence((a, After(b, _seconds(random.randint(1, 3))))), same("a", "b"))


LONG: dict[str, Callable[[Random], Pattern]] = {
    "two": partial(_sequence, "ab"),
    "three": partial(_sequence, "abc"),
    "four": partial(_sequence, "abcd"),
    "both": lambda random: Where(Both(_named("abc")), keyed("abc")),
    "guarded": _guarded,
    "absence": _absence,
    "twice": _twice,
    "unless": _unless,
    "after": _after,
    "times": lambda random: Times(3, Primitive("a"), "k", same=True),
}


OF_NODES = ("two", "three", "four", "both", "guarded", "twice", "after")
"""Those that a context which uses up can have."""


def long_example(random: Random, operator: str, context: str, policy: str) -> Example:
    """One to three rules, the first with an operator, and a log that is long for them."""
    possible = list(LONG) if Context(context) in SEARCHED else OF_NODES
    operators = [operator, *random.choices(possible, k=random.choice((0, 0, 1, 2)))]
    rules = [
        Rule(f"r{place}", LONG[each](random), context=Context(context), window=_seconds(random.choice((3, 5, 9))))
        for place, each in enumerate(operators)
    ]
    batch, until = random.choice((1, 7, 40, 4096)), 200 * SECOND
    log = _log(random)
    return Example(rules_program(rules), log, policy_of(random, policy, SECOND), until, batch=batch, operator=operator)


def _log(random: Random) -> tuple[Event, ...]:
    count, keys = random.randint(30, 80), random.choice((1, 2, 5, 20, 50))
    times = list(accumulate(random.choice((0, 1, 1)) for _ in range(count)))
    values: list[object] = [random.randrange(keys) for _ in range(count)]
    if random.random() < 0.4:
        for place in random.sample(range(count), random.choice((1, 2, 10))):
            values[place] = random.choice(ODD)
    late = random.choice((0.0, 0.0, 0.2))
    events = [
        Event(
            random.choice("abcd"),
            time * SECOND,
            time * SECOND,
            data={"k": value, "v": random.randint(0, 9)},
            source=random.choice("st"),
            arrival=(time + (random.randint(1, 4) if random.random() < late else 0)) * SECOND,
        )
        for time, value in zip(times, values, strict=True)
    ]
    events.sort(key=lambda event: event.arrival)
    return tuple(replace(event, id=str(place)) for place, event in enumerate(events, 1))


def long_met(example: Example, found: list[Detection]) -> set[Cell]:
    """The cell of an example whose first rule fired."""
    rule = example.program.rules[0]
    assert rule.context is not None
    fired = any(one.rule == rule.name for one in found)
    return {(example.operator, rule.context.value, example.order.policy)} if fired else set()
