"""Aggregates over windows in the network, on logs that are long beside their windows: what comes, goes and comes late."""

from __future__ import annotations

from random import Random

import pytest

import tocsin as tc
from tests.algebra.building import SECOND
from tests.engine.comparing import difference, expected
from tests.engine.strategies import Example
from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import Order, Rule
from tocsin.engine.engine import Engine
from tocsin.engine.network import slots
from tocsin.events import Event
from tocsin.languages import parse
from tocsin.planner.durations import lasting
from tocsin.planner.places import why_apart
from tocsin.rules.programs import rules_program
from tocsin.runtime import Runtime
from tocsin.runtime.clocks import by_order
from tocsin.time.periods import Period

TEXTS = (
    "count(a by k) >= 4 within 20 seconds",
    "sum(a.v by k) > 12 within 20 seconds each time",
    "avg(a.v by k) > 2 * previous(avg(a.v)) within 10 seconds",
    "percentile(a.v, 80) - median(a.v) >= 1 per 30 seconds each time",
    "distinct(a.v by k) >= 4 and min(a.v) == 0 within 30 seconds",
    "stddev(a.v by k) > 2.9 within 1 minute with no gap of 6 seconds",
    "last(a.v by k) - first(a.v) >= 6 within 15 seconds",
    "count(a.v by k) == 3 within 10 seconds each time",
)


def log(seed: int, count: int, *, late: float = 0.2, keys: int = 3) -> tuple[Event, ...]:
    """Events about a second apart, some late, some without a value or with one that is no number."""
    random, clock, made = Random(seed), 0.0, []
    for number in range(count):
        clock += random.choice((0, 0.5, 1, 1, 2)) + (40 if random.random() < 0.01 else 0)
        at = clock - (random.choice((1, 4, 15)) if random.random() < late else 0)
        data: dict[str, object] = {"k": random.randrange(keys), "v": random.choice((0, 1, 2, 4, 7, 0.1, 8.25))}
        if random.random() < 0.05:
            data["v"] = random.choice(("many", None, float("nan"), 10**20))
        if random.random() < 0.05:
            del data["v"]
        end = round(at * SECOND)
        made.append(
            Event("a" if random.random() < 0.9 else "b", end, end, str(number), "s", data, round(clock * SECOND))
        )
    return tuple(made)


@pytest.mark.parametrize("window", [None, 5, 45])
@pytest.mark.parametrize("text", TEXTS)
def test_a_long_log_is_told_as_the_meaning_tells_it(text: str, window: int | None) -> None:
    period = None if window is None else Period.of(microseconds=window * SECOND)
    rule = Rule("r", parse(text, "pretty"), "pretty", window=period)
    assert not why_apart(rule)
    one = Example(rules_program([rule]), log(7, 150), batch=16)
    assert not difference(one)
    assert expected(one)[0]


def test_slots_are_given_other_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups and different values are told apart by tables that give up what nobody holds."""
    monkeypatch.setattr(slots, "LEAST", 4)
    monkeypatch.setattr("tocsin.engine.network.network.BLOCK", 16)
    for text in (TEXTS[0], TEXTS[4]):
        rule = Rule("r", parse(text, "pretty"), "pretty", window=Period.of(microseconds=40 * SECOND))
        assert not difference(Example(rules_program([rule]), log(9, 200, keys=12), batch=16))


@pytest.mark.parametrize("text", TEXTS)
def test_it_goes_on_after_a_restart(text: str) -> None:
    """What was told before is not told otherwise afterwards, though what it was told by is held no longer."""
    rule = tc.rule("r", f"({text}) followed by b within 30 seconds", language="pretty", window="40 s")
    program, events = rules_program([rule]), log(3, 120)
    whole = Runtime(program)
    wanted = [one.id for event in events for one in whole.process([event])]
    runtime, found = Runtime(program), list[str]()
    for number, event in enumerate(events):
        found += [one.id for one in runtime.process([event])]
        if number % 17 == 0:
            saved, runtime = runtime.snapshot(), Runtime(program)
            runtime.restore(saved)
    assert found == wanted
    assert wanted


def test_in_order_what_is_older_than_the_windows_is_forgotten() -> None:
    rule = tc.rule("r", "count(a by k) > previous(count(a)) + 3 within 20 seconds", language="pretty")
    assert lasting(rule) is not None
    (group,) = by_order(rules_program([rule]), Order("guaranteed"))
    engine = Engine(group.program, None, Notes())
    for number in range(3000):
        engine.push("a", number * SECOND, {"k": number % 5})
    (gate,) = engine.network.event_gates()
    assert gate.arena.arrived - gate.arena.head < 400


def test_a_rule_that_begins_later_counts_from_then_on() -> None:
    other = tc.rule("other", "b", language="pretty")
    live = tc.Live([other])
    live.push({"type": "a", "time": 1})
    live.change([other, tc.rule("r", "count(a) >= 2 within 1 minute", language="pretty")])
    found = [live.push({"type": "a", "time": at}) for at in (2, 3)]
    assert [[one.rule for one in each] for each in found] == [[], ["r"]]


def test_the_events_of_a_window_are_not_asked_outside_of_it() -> None:
    with pytest.raises(tc.RuleError, match="only the event with which the aggregate is told is known here"):
        tc.detect(tc.rule("r", "count(a) >= 2 within 1 minute", language="pretty", select={"n": "count(a)"}), [])
