"""An absence whose guard says which events count, inside a window: searched for, and what the meaning finds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.algebra.building import SECOND
from tests.engine.comparing import difference, expected
from tests.engine.strategies import Example
from tocsin.algebra.guards import Attribute, Binary, Guard, or_absent
from tocsin.algebra.patterns import Absence, Named, Order, Pattern, Primitive, Sequence, Where, Within
from tocsin.algebra.rules import Context, Rule
from tocsin.engine.build import why_apart
from tocsin.events import Event
from tocsin.session import rules_program
from tocsin.time.periods import Period

A, B, C, D = (Named(name, Primitive(name)) for name in "abcd")


def same(one: str, other: str) -> Guard:
    return Binary("==", Attribute(one, "k"), Attribute(other, "k"))


COUNTING = Absence(A, B, C, or_absent(same("c", "a"), "c"), Order.GAP)
PATTERNS: dict[str, Pattern] = {
    "which count": Within(COUNTING, Period.of(microseconds=4 * SECOND)),
    "which count, by a guard as well": Within(
        Where(Absence(A, B, Where(C, same("c", "c")), COUNTING.guard, Order.GAP), same("a", "b")),
        Period.of(microseconds=4 * SECOND),
    ),
    "decides, too": Within(
        Absence(A, B, C, Binary("||", same("c", "a"), same("a", "b")), Order.GAP), Period.of(microseconds=4 * SECOND)
    ),
    "between steps": Sequence((D, COUNTING), Order.GAP),
}

LOGS = st.lists(
    st.tuples(st.sampled_from("aabbccd"), st.integers(0, 8), st.integers(0, 2), st.integers(0, 3)), max_size=10
)


def log(rows: list[tuple[str, int, int, int]]) -> tuple[Event, ...]:
    """Type, time, key, and by how much it is late."""
    ordered = sorted(rows, key=lambda row: row[1] + row[3])
    return tuple(
        Event(kind, time * SECOND, time * SECOND, str(place), data={"k": key}, arrival=(time + late) * SECOND)
        for place, (kind, time, key, late) in enumerate(ordered)
    )


@pytest.mark.parametrize("context", [Context.UNRESTRICTED, Context.GENERIC])
@pytest.mark.parametrize("name", PATTERNS)
def test_an_absence_that_selects_is_searched_for_in_a_window(name: str, context: Context) -> None:
    rule = Rule("r", PATTERNS[name], context=context)
    assert why_apart(rule) == ""
    found = 0

    @settings(max_examples=60, deadline=None)
    @given(LOGS)
    def as_the_meaning_says(rows: list[tuple[str, int, int, int]]) -> None:
        nonlocal found
        example = Example(rules_program([rule]), log(rows))
        assert not difference(example)
        found += len(expected(example)[0])

    as_the_meaning_says()
    assert found
