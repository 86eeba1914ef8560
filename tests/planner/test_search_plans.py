"""Search plans: a walk back ends where the window does, whichever leaf the search looks for first."""

from __future__ import annotations

from itertools import permutations

import pytest

from tocsin.plan.searches import SearchPlan
from tocsin.planner.passes import plan
from tocsin.rules.loader import load_expression

IN_A_ROW = [" -> ".join(types) for types in permutations("abcd")]


def plans_of(text: str) -> list[SearchPlan]:
    made = plan(load_expression(text, "sel"))
    return [each for one in made.families[0].branches for each in one.arrivals]


@pytest.mark.parametrize(
    "text",
    [
        *(f"{types} in 10 seconds" for types in IN_A_ROW),
        *(f"!x -> {types} in 10 seconds" for types in IN_A_ROW[:8]),
        "(a | b)*3 in 10 seconds",
        "b & (c -> a -> d) in 10 seconds",
    ],
)
def test_every_walk_ends_at_the_window(text: str) -> None:
    """What lies between two events of it was looked for as far back as the log goes, if it was looked for first."""
    for made in plans_of(text):
        for step in made.steps:
            assert step.after or step.no_sooner, f"{step.leaf.pattern} after {made.anchor}"


def test_without_a_window_nothing_ends_it() -> None:
    assert not all(step.after or step.no_sooner for made in plans_of("b -> a -> c") for step in made.steps)


def test_a_window_in_the_middle_is_opened_by_what_is_near() -> None:
    """Not by every pair of the log: what comes after it has to lie in the window around them."""
    made = plan(load_expression("d -> b -> (!c in 5 seconds) -> a in 20 seconds", "sel"))
    openings = [each for one in made.families[0].openings for each in one.arrivals]
    assert openings
    assert all(step.after or step.no_sooner for each in openings for step in each.steps)
