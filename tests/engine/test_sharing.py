"""A request is rewritten towards what runs: names, sides and the order of what may come in any order do not matter."""

from __future__ import annotations

import pytest

from tests.algebra.building import SECOND
from tocsin.algebra.notes import Notes
from tocsin.algebra.replay import replay
from tocsin.api import rule
from tocsin.engine.engine import Engine
from tocsin.events import Event
from tocsin.rules.programs import rules_program

LOG = [
    Event(kind, n * SECOND, n * SECOND, str(n), data={"k": n % 2, "v": n * 7 % 5}, arrival=n * SECOND)
    for n, kind in enumerate("abcabbcaccab" * 3)
]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("x:a ; y:b", "x.k == y.k"), ("p:a ; q:b", "p.k == q.k")),
        (("x:a ; y:b", "x.k == y.k"), ("x:a ; y:b", "y.k == x.k")),
        (("x:a ; y:b", "x.v < y.v"), ("x:a ; y:b", "y.v > x.v")),
        (("x:a ; y:b", "x.v <= y.v"), ("q:a ; z:b", "z.v >= q.v")),
        (("x:a & y:b", "x.k == y.k"), ("y:b & x:a", "y.k == x.k")),
        (("x:a & y:b & z:c", "x.k == y.k"), ("z:c & y:b & x:a", "y.k == x.k")),
        (("x:a ; y:b ; z:c", "x.k == y.k && y.k == z.k"), ("c:a ; b:b ; a:c", "c.k == b.k && b.k == a.k")),
    ],
)
def test_what_means_the_same_is_searched_for_once(one: tuple[str, str], other: tuple[str, str]) -> None:
    """Of two rules that are written differently only the ends of the searches are their own."""
    rules = [
        rule(name, text, condition=condition, context="unrestricted", window=20)
        for name, (text, condition) in (("first", one), ("second", other))
    ]
    alone, both = (Engine(rules_program(some), None, Notes()) for some in (rules[:1], rules))
    for engine in (alone, both):
        engine.process_arrivals(list(LOG))
    assert len(both.builder.chains) == len(alone.builder.chains)
    assert both.builder.steps() == alone.builder.steps()
    assert list(map(repr, both.drain())) == list(map(repr, replay(rules_program(rules), LOG)))


def test_what_does_not_mean_the_same_is_not() -> None:
    first = rule("first", "x:a ; y:b", condition="x.v < y.v", context="unrestricted")
    second = rule("second", "x:a ; y:b", condition="x.v > y.v", context="unrestricted")
    alone, both = (Engine(rules_program(some), None, Notes()) for some in ([first], [first, second]))
    for engine in (alone, both):
        engine.process_arrivals(list(LOG))
    assert both.builder.steps() > alone.builder.steps()


def test_families_with_the_same_constants_note_their_own_rules() -> None:
    """They begin with the same test of the same constants, and each has to know which of its rules passed it."""
    plain = [rule(f"plain{v}", "x:a ; y:b", condition=f"y.v <= {v}", context="unrestricted") for v in (0, 2)]
    more = [
        rule(f"more{v}", "x:a ; y:b", condition=f"y.v <= {v} && x.v < y.v + 9", context="unrestricted") for v in (0, 2)
    ]
    program = rules_program([*plain, *more])
    engine = Engine(program, None, Notes())
    engine.process_arrivals(list(LOG))
    assert list(map(repr, engine.drain())) == list(map(repr, replay(program, LOG)))


def test_null_is_unequal_to_what_is_no_number() -> None:
    log = [
        Event("a", SECOND, SECOND, "1", data={"w": None}, arrival=SECOND),
        Event("b", 2 * SECOND, 2 * SECOND, "2", data={"w": float("nan")}, arrival=2 * SECOND),
    ]
    program = rules_program([rule("r", "x:a ; y:b", condition="x.w != y.w", context="unrestricted")])
    engine = Engine(program, None, Notes())
    engine.process_arrivals(log)
    found = [one.events for one in engine.drain()]
    assert found == [one.events for one in replay(program, log)] == [("1", "2")]
