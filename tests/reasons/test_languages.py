"""What is told agrees with the plain meaning in SEL and GLOBAL too: windows, runs, free negation, 2g stamps."""

from __future__ import annotations

from random import Random

import pytest

import tocsin as tc
from tests.reasons.candidates import candidates
from tocsin.algebra.rules import BEST_EFFORT, Context, Rule
from tocsin.events import Event
from tocsin.reasons.frames import Frame
from tocsin.reasons.judgements import Judge
from tocsin.reasons.trace import occurrence_key, watched
from tocsin.rules.programs import rules_program

SECOND = 1_000_000
SEL = [
    "a*2 in 5 seconds",
    "a*[1,2] -> b",
    "(a -> b)*2",
    "(a -> !b)*2 -> c in 8 seconds",
    "a -> !b -> c",
    "a -> !c -> b in 5 seconds",
    "!b -> a in 3 seconds",
    "a -> !b in 4 seconds",
    "a -> (!b in 3 seconds)",
    "(!b in 2 seconds) -> a",
    "(a & !b) -> c in 6 seconds",
    "x:a -> !(y:b if y.k == x.k) -> z:c",
    "(x:a if x.k == 1) -> y:b if x.k == y.k in 5 seconds",
    "{a -> b} -> c",
    "({a -> b} in 3 seconds) -> c",
    "a delta 2 seconds -> b",
    "a -> (b | c) -> a",
    "!b at [1970-01-01T00:00:02Z, 1970-01-01T00:00:06Z]",
    "(a -> b) at [1970-01-01T00:00:01Z, 1970-01-01T00:00:05Z]",
]
GLOBAL = ["a ; b", "a , b", "(a ; b) , c", "a || b", "a ; NOT b ; c", "a * b", "(a , b) ; c", "a | b", "(a || b) ; c"]


def _log(random: Random, steps: int) -> list[Event]:
    """Some events of three types from two sources, some late."""
    made: list[Event] = []
    clock = 0
    for number in range(random.randint(3, 8)):
        time = random.randint(0, steps)
        clock = max(clock, time + random.choice((0, 0, 2)))
        at, data = time * 10 * SECOND // steps, {"k": random.randint(0, 1)}
        arrival = max(at, clock * 10 * SECOND // steps)
        made.append(Event(random.choice("abc"), at, at, str(number), random.choice("st"), data, arrival))
    return made


def _hold(rule: Rule, log: list[Event], granularity: int | None = None) -> int:
    trace = watched(rules_program([rule]), log, order=BEST_EFFORT, granularity=granularity, engine="replay")
    judge = Judge(trace, rule)
    failing, passing = set(), set()
    for choice, events in candidates(judge, 400):
        judged = judge.judge(choice, events)
        if judged.firing is None:
            assert judged.failed, (rule.pattern, events)
            continue
        whole = Frame(choice, events, granularity).whole
        assert whole is not None
        (failing if judged.failed else passing).add(occurrence_key(whole))
    assert failing <= passing
    return len(passing)


@pytest.mark.parametrize("text", SEL)
@pytest.mark.parametrize("context", [Context.UNRESTRICTED, Context.GENERIC])
def test_sel(text: str, context: Context) -> None:
    rule = Rule("r", tc.parse(text, language="sel"), "sel", context=context)
    assert sum(_hold(rule, _log(Random(seed), 10)) for seed in range(15)) > 0


@pytest.mark.parametrize("text", GLOBAL)
@pytest.mark.parametrize("granularity", [None, SECOND // 2, SECOND])
def test_global(text: str, granularity: int | None) -> None:
    rule = Rule("r", tc.parse(text, language="global"), "global")
    sizes = [_hold(rule, _log(Random(seed), 60), granularity) for seed in range(15)]
    # With exact times nothing is at once here.
    assert sum(sizes) > 0 or (granularity is None and "||" in text)
