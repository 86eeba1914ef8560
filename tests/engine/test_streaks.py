"""Runs in words inside windows: in the network, and all of a run lies in the window around it."""

from __future__ import annotations

import pytest

from tests.algebra.building import SECOND
from tests.engine.comparing import difference, expected
from tests.engine.strategies import Example
from tocsin.algebra.patterns import (
    After,
    Between,
    Both,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Sequence,
    Streak,
    Within,
)
from tocsin.algebra.rules import Context, Rule
from tocsin.events import Event
from tocsin.planner.places import why_apart
from tocsin.rules.programs import rules_program
from tocsin.time.periods import Period

A = Named("x", Primitive("a"))
RUNS = {
    "one": Streak(1, A),
    "two": Streak(2, A),
    "of a group": Streak(2, A, ("k",)),
    "different": Streak(2, A, ("k",), "v"),
    "short": Streak(2, A, period=Period.of(microseconds=2 * SECOND)),
    "burst": Streak(2, A, period=Period.of(microseconds=2 * SECOND), once=True),
}
WINDOWS = {
    "fixed": lambda run: Between(run, 2 * SECOND, 8 * SECOND),
    "fixed, then": lambda run: Between(Sequence((run, Primitive("b")), Precedence.GAP), 2 * SECOND, 8 * SECOND),
    "fixed, none before": lambda run: Between(
        Sequence((Never(Primitive("b")), run), Precedence.GAP), 2 * SECOND, 8 * SECOND
    ),
    "sliding": lambda run: Within(run, Period.of(microseconds=2 * SECOND)),
    "in a fixed one": lambda run: Between(Within(run, Period.of(microseconds=3 * SECOND)), 2 * SECOND, 8 * SECOND),
    "later": lambda run: After(Between(run, 2 * SECOND, 8 * SECOND), Period.of(microseconds=SECOND)),
    "beside": lambda run: Both((Between(run, 2 * SECOND, 8 * SECOND), Primitive("b"))),
}
TIMES = {
    "in order": (0, 1, 2, 3, 4, 7, 8, 9, 10),
    "late": (1, 3, 9, 8, 4, 2, 10, 7, 0),
}


@pytest.mark.parametrize("context", [Context.UNRESTRICTED, Context.GENERIC])
@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("run", RUNS)
def test_a_run_lies_in_the_window_around_it(run: str, window: str, times: str, context: Context) -> None:
    """A run that an arrival completes was not held to the edges of a fixed window."""
    pattern: Pattern = WINDOWS[window](RUNS[run])
    rule = Rule("r", pattern, "python", context=context)
    assert not why_apart(rule)
    log = [
        Event("ab"[n % 5 == 4], second * SECOND, second * SECOND, str(n), "t", {"k": n % 2, "v": n % 3}, 20 * SECOND)
        for n, second in enumerate(TIMES[times])
    ]
    one = Example(rules_program([rule]), tuple(log))
    assert not difference(one)
    assert len(expected(one)[0]) < 9


@pytest.mark.parametrize("own", [2, 4, 5, 7])
@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("closing", ["nothing after", "anything"])
def test_a_burst_begins_where_the_rules_own_window_has_left_behind_what_was_before(
    closing: str, count: int, times: str, own: int
) -> None:
    """When the fixed window ends, a run that went on with a burst may be the first that the rule still knows of."""
    burst = Streak(count, A, period=Period.of(microseconds=4 * SECOND), once=True)
    inner = Sequence((burst, Never(Primitive("b"))), Precedence.GAP) if closing == "nothing after" else burst
    rule = Rule(
        "r",
        Between(inner, SECOND, 8 * SECOND),
        context=Context.UNRESTRICTED,
        window=Period.of(microseconds=own * SECOND),
    )
    log = tuple(
        Event("a", time * SECOND, time * SECOND, str(place), arrival=max(TIMES[times][: place + 1]) * SECOND)
        for place, time in enumerate(TIMES[times])
    )
    assert why_apart(rule) == ""
    assert not difference(Example(rules_program([rule]), log, until=20 * SECOND))
