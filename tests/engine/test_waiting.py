"""What is waited for while the clock goes on: guards that ask the clock are asked when a window is over."""

from __future__ import annotations

import pytest

from tests.algebra.building import SECOND
from tests.engine.comparing import difference, expected
from tests.engine.strategies import Example
from tests.engine.test_ties import log
from tocsin.algebra.guards import Binary, Duration, End, Guard, Not, Now
from tocsin.algebra.patterns import Absence, Both, Named, Never, Pattern, Precedence, Primitive, Sequence, Where, Within
from tocsin.algebra.rules import BEST_EFFORT, Context, Disable, Rule
from tocsin.algebra.rules import Order as Policy
from tocsin.errors import Source
from tocsin.languages import sel
from tocsin.planner.branches import branches
from tocsin.planner.search_plans import anchored_plans
from tocsin.rules.programs import rules_program
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
    "around": lambda guard: (Where(Sequence((X, Y), Precedence.GAP), guard),),
    "inside": lambda guard: (Sequence((Where(X, guard), Y), Precedence.ENDS),),
    "an absence": lambda guard: (Absence(first=X, last=Y, without=Primitive("e"), order=Precedence.GAP, guard=guard),),
}


@pytest.mark.parametrize("context", [Context.UNRESTRICTED, Context.GENERIC])
@pytest.mark.parametrize("opening", OPENINGS)
def test_the_clock_is_asked_when_the_window_is_over(opening: str, context: Context) -> None:
    found = 0
    for seconds, operator in ((2, "=="), (2, "!="), (1, "<"), (5, ">="), (0, "==")):
        for guard in (compared_with(seconds, operator), Not(compared_with(seconds, operator))):
            parts: tuple[Pattern, ...] = (*OPENINGS[opening](guard), Never(Primitive("b")))
            window = Within(Sequence(parts, Precedence.GAP), Period.of(microseconds=5 * SECOND))
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


# -- what opens a window -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "(a -> b) -> (!d in 10 seconds) in 1 minute",
        "(a -> !b)*3 in 1 minute",
        "(a -> (c & !b) in 10 seconds) -> d in 20 seconds",
        "(a -> b -> !c in 10 seconds)",
    ],
)
def test_what_opens_a_window_is_not_looked_for_in_all_of_the_log(text: str) -> None:
    """In order the last of it comes last: the others are looked for no longer ago than the window lets them be."""
    waits = [wait for branch in branches(sel.parse(Source(text))) for wait in branch.waits]
    opened = [wait.opening.branch for wait in waits if wait.opening is not None]
    assert opened
    for branch in opened:
        plans = [plan for plan in anchored_plans(branch, oldest_first=False, waiting=True) if plan.in_order]
        assert plans
        assert all(step.no_sooner or step.after for plan in plans for step in plan.steps)


def test_a_window_that_two_branches_wait_for_is_opened_for_either() -> None:
    """What one of them asks of its events the other does not."""
    hung = "(a -> b) -> (!d in 10 seconds)"
    for text in (f"({hung} in 15 seconds) | ({hung} in 1 minute)", f"({hung} in 1 minute) | ({hung} in 15 seconds)"):
        program = rules_program([Rule("r", sel.parse(Source(text)), "sel")])
        example = Example(program, log(("a", 1, 1), ("b", 30, 30), ("c", 50, 50)))
        assert not difference(example)
        assert len(expected(example)[0]) == 1


def test_nothing_is_waited_for_by_a_rule_that_was_disabled_meanwhile() -> None:
    """Its window ends at an instant that rules go through one after the other, where it has no turn any more."""
    silent = Sequence((X, Never(Primitive("b"))), Precedence.GAP)
    waiting = Rule("waiting", Within(silent, Period.of(microseconds=3 * SECOND)))
    stopping = Rule("stopping", Named("y", Primitive("c")), actions=(Disable("waiting"),))
    using = Rule("using", Named("z", Primitive("stopping")))
    program = rules_program([stopping, waiting, using])
    given = log(("a", 0, 0), ("c", 3, 3), ("d", 3, 3), ("d", 5, 5))
    for order in (BEST_EFFORT, Policy("guaranteed")):
        assert not difference(Example(program, given, order=order))
