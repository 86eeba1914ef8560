"""An absence whose guard says which events count, in a window or a negation: searched for, as the meaning has it."""

from __future__ import annotations

from random import Random

import pytest

from tests.algebra.building import SECOND
from tests.engine.comparing import difference, expected
from tests.engine.long_logs import same
from tests.engine.strategies import Example
from tocsin.algebra.guards import Binary, or_absent
from tocsin.algebra.patterns import Absence, Named, Never, Pattern, Precedence, Primitive, Sequence, Where, Within
from tocsin.algebra.rules import Context, Rule
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


@pytest.mark.parametrize("name", [name for name in PATTERNS if name.startswith("in a negation")])
@pytest.mark.parametrize(("kinds", "count"), [("acdb", 0), ("acedb", 1), ("ab", 1)])
def test_a_guard_in_a_negation_sees_what_is_around(name: str, kinds: str, count: int) -> None:
    """c and d with no e between them, of one key with a: that is not to be between a and b."""
    events = tuple(Event(kind, time * SECOND, time * SECOND, kind, data={"k": 1}) for time, kind in enumerate(kinds))
    example = Example(rules_program([Rule("r", PATTERNS[name], context=Context.UNRESTRICTED)]), events)
    assert not difference(example)
    assert len(expected(example)[0]) == count
