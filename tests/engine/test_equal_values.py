"""Equality is not transitive: a time equals the number of its seconds and its text, and those are not equal."""

from __future__ import annotations

from itertools import permutations

import pytest

from tests.algebra.building import SECOND
from tests.engine.comparing import difference
from tests.engine.strategies import Example
from tocsin.algebra.guards import Attribute, Binary
from tocsin.algebra.patterns import Both, Named, Precedence, Primitive, Sequence, Where
from tocsin.algebra.rules import Context, Rule
from tocsin.events import Event, Moment
from tocsin.rules.programs import rules_program

VALUES = (1, "1", Moment(SECOND))


def equal(one: str, attribute: str, other: str, another: str) -> Binary:
    return Binary("==", Attribute(one, attribute), Attribute(other, another))


@pytest.mark.parametrize("context", [Context.UNRESTRICTED, Context.GENERIC])
@pytest.mark.parametrize("values", list(permutations(VALUES)), ids=str)
def test_what_equals_a_third_need_not_be_equal(values: tuple[object, ...], context: Context) -> None:
    """x4.k == x2.k and x2.k == x1.w do not make x4.k == x1.w, and looking for x1 by x4.k is not enough."""
    x1, x2, x4 = (Named(name, Primitive("a")) for name in ("x1", "x2", "x4"))
    pair = Where(Sequence((x1, x2), Precedence.GLOBAL), equal("x2", "k", "x1", "w"))
    rule = Rule("r", Where(Both((x4, pair)), equal("x4", "k", "x2", "k")), context=context)
    for k in (*VALUES, None):
        log = tuple(
            Event("a", place * SECOND, place * SECOND, str(place), data={"k": key, "w": value}, arrival=place * SECOND)
            for place, (key, value) in enumerate(zip((k, values[0], k, values[1]), (*values, k), strict=True))
        )
        assert not difference(Example(rules_program([rule]), log))
