"""An absence whose guard says which events count, in a window or a negation: searched for, as the meaning has it."""

from __future__ import annotations

from random import Random

import pytest

from tests.algebra.building import SECOND
from tests.engine.comparing import difference, expected
from tests.engine.long_logs import same
from tests.engine.strategies import Example
from tocsin.algebra.growth import grow
from tocsin.algebra.guards import Binary, Guard, Not, Occurred, Reference, or_absent
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.patterns import (
    Absence,
    After,
    Either,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Sequence,
    Where,
    Within,
)
from tocsin.algebra.rules import Context, Rule
from tocsin.algebra.values import Surroundings
from tocsin.engine.detectors.pooled_nodes import PooledMakers, PooledMissing
from tocsin.events import Event
from tocsin.planner.places import why_apart
from tocsin.rules.programs import rules_program
from tocsin.time.periods import Period

A, B, C, D, E = (Named(name, Primitive(name)) for name in "abcde")


COUNTING = Absence(A, B, C, or_absent(same("c", "a"), "c"), Precedence.GAP)
PATTERNS: dict[str, Pattern] = {
    "which count": Within(COUNTING, Period.of(microseconds=4 * SECOND)),
    "which count, by a guard as well": Within(
        Where(Absence(A, B, Where(C, same("c", "c")), COUNTING.guard, Precedence.GAP), same("a", "b")),
        Period.of(microseconds=4 * SECOND),
    ),
    "decides, too": Within(
        Absence(A, B, C, Binary("||", same("c", "a"), same("a", "b")), Precedence.GAP),
        Period.of(microseconds=4 * SECOND),
    ),
    "between steps": Sequence((D, COUNTING), Precedence.GAP),
    "in a negation that speaks of what is around": Sequence(
        (A, Never(Absence(C, D, E, Binary("||", same("e", "a"), same("a", "d")), Precedence.GAP)), B), Precedence.GAP
    ),
    "in a negation, by a guard of its own": Sequence(
        (A, Never(Absence(C, D, Where(E, same("e", "a")), None, Precedence.GAP)), B), Precedence.GAP
    ),
}


W, V, U = Named("w", Primitive("c")), Named("v", Primitive("d")), Named("u", Primitive("e"))
LATER = Named("t", After(Named("b", Primitive("a")), Period.of(microseconds=3 * SECOND)))
SAME_EVENT = Binary("==", Reference("a"), Reference("b"))


def either(one: Guard, other: Guard) -> Guard:
    return Binary("||", one, other)


def both(one: Guard, other: Guard) -> Guard:
    return Binary("&&", one, other)


CONSUMED: dict[str, Pattern] = {
    "only one of those that cancel has the name": Absence(
        A, Named("b", Primitive("b")), Either((W, V)), or_absent(same("a", "w"), "w")
    ),
    "only one of those that begin has the name": Absence(
        Either((A, U)), B, W, either(both(Occurred("w"), same("a", "w")), both(Not(Occurred("w")), same("a", "b")))
    ),
    "alternatives on both sides": Absence(
        Either((A, U)), B, Either((W, V)), either(either(both(Occurred("w"), same("a", "w")), Occurred("b")), Not(Occurred("a")))
    ),
    "a time after the same event": Absence(A, LATER, W, either(Occurred("w"), SAME_EVENT)),
    "a time after the same event, and which count": Absence(
        A, LATER, W, either(both(Occurred("t"), SAME_EVENT), both(Occurred("w"), same("a", "w")))
    ),
    "a time after the same event, and by either name": Absence(
        A, LATER, Either((W, V)), either(both(Occurred("w"), same("a", "w")), SAME_EVENT)
    ),
}  # fmt: skip


def log(random: Random) -> tuple[Event, ...]:
    """Few keys and instants; some events are late."""
    rows = [(random.choice("aabbccdde"), time, random.choice((0, 0, 0, 2))) for time in range(random.randint(3, 12))]
    rows.sort(key=lambda row: row[1] + row[2])
    return tuple(
        Event(kind, time * SECOND, time * SECOND, str(place), data={"k": random.randint(0, 1)}, arrival=at * SECOND)
        for place, (kind, time, at) in enumerate((kind, time, time + late) for kind, time, late in rows)
    )


@pytest.mark.parametrize("context", [Context.UNRESTRICTED, Context.GENERIC])
@pytest.mark.parametrize("name", PATTERNS)
def test_an_absence_that_selects_is_searched_for(name: str, context: Context) -> None:
    rule = Rule("r", PATTERNS[name], context=context)
    assert why_apart(rule) == ""
    found = 0
    for seed in range(150):
        example = Example(rules_program([rule]), log(Random(f"{name}/{seed}")))
        assert not difference(example)
        found += len(expected(example)[0])
    assert found


@pytest.mark.parametrize("name", CONSUMED)
def test_what_selects_by_names_that_may_be_unbound_is_no_key(name: str) -> None:
    """Of those that wait a value finds some: never too few, whichever of the alternatives has occurred."""
    found = 0
    for seed in range(120):
        random = Random(f"{name}/{seed}")
        rule = Rule("r", CONSUMED[name], context=random.choice(list(Context)))
        example = Example(rules_program([rule]), log(random))
        assert not difference(example), seed
        found += len(expected(example)[0])
    assert found > 20


def test_a_time_after_an_event_meets_that_event_alone() -> None:
    """`({x:beat ; y:(z:beat + [1*min])} ! w:beat) when ?w || x == z` looked at all beats there had been."""
    pattern = CONSUMED["a time after the same event, and which count"]
    node = grow(pattern, Context.CHRONICLE, Surroundings(), None, PooledMakers(None))
    assert isinstance(node, PooledMissing)
    events = [
        Event("a", time * SECOND, time * SECOND, str(time), data={"k": time % 3}, number=time) for time in range(50)
    ]
    for event in events:
        node.offer(event, None, None)
    waited = Occurrence(
        7 * SECOND, 10 * SECOND, (events[7],), (("b", Occurrence(7 * SECOND, 7 * SECOND, (events[7],))),)
    )
    assert [[event.id for event in one.events] for one in node.partners(1, waited)] == [["7"]]


@pytest.mark.parametrize("name", [name for name in PATTERNS if name.startswith("in a negation")])
@pytest.mark.parametrize(("kinds", "count"), [("acdb", 0), ("acedb", 1), ("ab", 1)])
def test_a_guard_in_a_negation_sees_what_is_around(name: str, kinds: str, count: int) -> None:
    """c and d with no e between them, of one key with a: that is not to be between a and b."""
    events = tuple(Event(kind, time * SECOND, time * SECOND, kind, data={"k": 1}) for time, kind in enumerate(kinds))
    example = Example(rules_program([Rule("r", PATTERNS[name], context=Context.UNRESTRICTED)]), events)
    assert not difference(example)
    assert len(expected(example)[0]) == count
