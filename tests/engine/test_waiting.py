"""What is waited for while the clock goes on: guards that ask the clock are asked when a window is over."""

from __future__ import annotations

import pytest

from tests.algebra.building import SECOND
from tests.engine.comparing import difference, expected
from tests.engine.strategies import Example
from tests.engine.test_ties import log
from tocsin.algebra.guards import Binary, Duration, End, Guard, Not, Now
from tocsin.algebra.patterns import Absence, Both, Named, Never, Order, Pattern, Primitive, Sequence, Where, Within
from tocsin.algebra.rules import Context, Rule
from tocsin.session import rules_program
from tocsin.time.periods import Period

X, Y = Named("x", Primitive("a")), Named("y", Primitive("c"))
AGED = Binary("-", Now(), End("x"))
"""How long ago x was."""


def compared_with(seconds: int, operator: str) -> Guard:
    return Binary(operator, AGED, Duration(Period.of(microseconds=seconds * SECOND)))


OPENINGS = {
    "one": lambda guard: (Where(X, guard),),
    "two": lambda guard: (Where(X, guard), Y),
    "the second": lambda guard: (X, Where(Both((Y, Named("z", Primitive("d")))), guard)),
    "around": lambda guard: (Where(Sequence((X, Y), Order.GAP), guard),),
    "inside": lambda guard: (Sequence((Where(X, guard), Y), Order.ENDS),),
    "an absence": lambda guard: (Absence(first=X, last=Y, without=Primitive("e"), order=Order.GAP, guard=guard),),
}


@pytest.mark.parametrize("context", [Context.UNRESTRICTED, Context.GENERIC])
@pytest.mark.parametrize("opening", OPENINGS)
def test_the_clock_is_asked_when_the_window_is_over(opening: str, context: Context) -> None:
    found = 0
    for seconds, operator in ((2, "=="), (2, "!="), (1, "<"), (5, ">="), (0, "==")):
        for guard in (compared_with(seconds, operator), Not(compared_with(seconds, operator))):
            parts: tuple[Pattern, ...] = (*OPENINGS[opening](guard), Never(Primitive("b")))
            window = Within(Sequence(parts, Order.GAP), Period.of(microseconds=5 * SECOND))
            program = rules_program([Rule("r", window, context=context)])
            for given in (
                log(("a", 5, 3), ("c", 6, 6), ("d", 6, 6)),
                log(("a", 5, 5), ("c", 6, 7), ("d", 7, 7), ("a", 8, 8)),
                log(("a", 5, 7), ("d", 8, 9), ("c", 8, 9)),
            ):
                example = Example(program, given)
                assert not difference(example), (guard, given)
                found += len(expected(example)[0])
    assert found
