"""Rules on the plain meaning that look around an arrival alone: what is detected is the same, and little is looked at."""

from __future__ import annotations

from random import Random

import pytest

from tests.algebra.building import SECOND
from tests.engine.comparing import difference
from tests.engine.shaping import Shaping
from tests.engine.strategies import POLICIES, Drawing, Example, completed
from tests.engine.worlds import World
from tocsin.algebra.detectors import Setting
from tocsin.algebra.guards import Binary, End, Now
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import (
    Between,
    Concurrent,
    Either,
    Instant,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Where,
    Within,
)
from tocsin.algebra.rules import SEARCHED, Context, Rule
from tocsin.algebra.scene import History
from tocsin.engine.detectors.indexed import remembering
from tocsin.engine.detectors.vicinity import Searching, vicinity
from tocsin.engine.engine import Engine
from tocsin.events import Event
from tocsin.time.periods import Period

FIVE = Period.of(microseconds=5 * SECOND)
A, B = Named("a", Primitive("a")), Named("b", Primitive("b"))
TODAY = Where(A, Binary("<=", End("a"), Now()))
TWICE = Sequence((Named("x", Primitive("a")), Named("x", Primitive("b"))), Precedence.GAP)
RULES: dict[str, Pattern] = {
    "a run that asks the clock": Within(Repeat(TODAY, 2, 3), FIVE),
    "one in words": Streak(2, TODAY, period=FIVE),
    "nothing at all": Between(Never(A), 2 * SECOND, 6 * SECOND),
    "many ways to repeat alternatives": Within(Repeat(Either((A, B)), 1, 6), FIVE),
}


@pytest.mark.parametrize("context", SEARCHED)
@pytest.mark.parametrize("name", RULES)
def test_the_same_is_detected(name: str, context: Context) -> None:
    """Under every policy, with late and equal times, beside other rules and fed by them."""

    class OneRule(Drawing):
        def pattern(self, operator: str | None = None, types: tuple[str, ...] = ()) -> Pattern:
            return RULES[name] if operator is not None else Shaping(self.world, types).leaf()

    for number in range(20):
        random = Random(f"{name}/{context}/{number}")
        made: Example = completed(OneRule(World(random), "type", context), POLICIES[number % 4])
        rule = next(rule for rule in made.program.rules if rule.pattern == RULES[name])
        engine = Engine(made.program, None, Notes())
        assert engine.why_plain(rule)
        assert isinstance(remembering(rule, Setting(), 0), Searching)
        assert not difference(made)


def test_what_is_looked_at_does_not_grow_with_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    made = History.__post_init__

    def counting(self: History) -> None:
        looked.append(len(self.events))
        made(self)

    monkeypatch.setattr(History, "__post_init__", counting)
    one = remembering(Rule("r", Within(TWICE, FIVE), context=SEARCHED[0]), Setting(), 0)
    for second in range(400):
        one.take(Event("ab"[second % 2], second * SECOND, second * SECOND, arrival=second * SECOND), second * SECOND)
    assert max(looked[-100:]) == max(looked[100:200]) < 30


@pytest.mark.parametrize(
    ("pattern", "distance"),
    [
        (Within(TWICE, FIVE), 10 * SECOND),
        (Between(Never(A), 2 * SECOND, 6 * SECOND), 4 * SECOND),
        (Concurrent(A, B), 2 * SECOND),
        (A, 0),
        (TWICE, None),
        (Streak(2, A), None),
        (Streak(2, A, period=FIVE, once=True), None),
        (Within(Sequence((Instant(TWICE), B), Precedence.GAP), FIVE), None),
    ],
)
def test_how_far_a_pattern_looks(pattern: Pattern, distance: int | None) -> None:
    assert vicinity(pattern, SECOND) == distance


def test_of_a_fixed_window_only_what_lies_in_it_is_remembered() -> None:
    """However long the log is before and after it."""
    one = remembering(Rule("r", Between(Never(A), 2 * SECOND, 6 * SECOND), context=SEARCHED[0]), Setting(), 0)
    for second in range(100):
        one.take(Event("a", second * SECOND, second * SECOND, arrival=second * SECOND), second * SECOND)
    events, *_ = one.remembered()
    assert [event.end for event in events] == [second * SECOND for second in range(2, 7)]
