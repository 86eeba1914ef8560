"""How many combinations there may be is known before they are looked for; and what is found is told before there is more."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import pytest

import tocsin as tc
from tocsin.algebra.rules import Context
from tocsin.events import Arrival, Event
from tocsin.rules.loader import load_expression
from tocsin.rules.programs import rules_program
from tocsin.runtime.forecast import MANY, forecast, may_combine, thinned
from tocsin.runtime.logs import HELD, detections
from tocsin.runtime.options import Options
from tocsin.session import Session

SECOND = 1_000_000


def log(count: int, kinds: str = "ab", keys: int = 4) -> list[Event]:
    return [
        Event(kinds[n % len(kinds)], n * SECOND, n * SECOND, str(n), data={"k": n % keys}, arrival=n * SECOND)
        for n in range(count)
    ]


def combinations(text: str, language: str, events: list[Event], context: Context | None = None) -> int:
    program = Session(load_expression(text, language), Options(context=context)).program
    return forecast("rule", program, events, None).combinations


@pytest.mark.parametrize(
    ("text", "language", "context", "expected"),
    [
        ("x:a & y:b & z:b", "sel", None, 500 * comb(500, 2)),
        ("TimesEq(4, a, k)", "eps", Context.UNRESTRICTED, 2 * comb(250, 4)),
        ("x:a -> y:b", "sel", None, 500 * 501 // 2),
    ],
)
def test_it_is_of_the_right_size(text: str, language: str, context: Context | None, expected: int) -> None:
    told = combinations(text, language, log(1000), context)
    assert expected / 10 < told < expected * 10


@pytest.mark.parametrize("text", ["x:a -> y:b in 5 seconds", "(x:a -> y:b in 3 minutes) if x.k == y.k && x.k == 9"])
def test_what_a_window_or_a_key_bounds_is_no_news(text: str) -> None:
    assert combinations(text, "sel", log(1000)) < 10_000


def test_bursts_that_a_window_holds_are_seen() -> None:
    """Thinned out they fall apart: only more of the events show what all of them would lead to."""
    burst = [Event("a", n * SECOND // 8, n * SECOND // 8, str(n), arrival=n * SECOND // 8) for n in range(1600)]
    told = combinations("(w:a & x:a & y:a & z:a) in 10 seconds", "sel", burst)
    assert told > MANY


def test_bursts_that_hardly_show_when_thinned_are_not_made_too_much_of() -> None:
    """Of the few events looked at first hardly five come together: what that grows to is no more than a fifth power."""
    bursts, size = 12, 40
    kinds = [("a" if n < size else "b", 1_000 * burst + n) for burst in range(bursts) for n in range(2_000 // bursts)]
    events = [
        Event(kind, time * SECOND, time * SECOND, str(n), arrival=time * SECOND) for n, (kind, time) in enumerate(kinds)
    ]
    expected = bursts * comb(size, 5)
    told = combinations("any 5 a within 2 minutes", "pretty", events)
    assert expected / 10 < told < expected * 10


def test_which_rules_are_looked_at() -> None:
    assert not may_combine(tc.rule("r", "a ; b"))  # generic
    assert not may_combine(tc.rule("r", "x:a", context="unrestricted"))
    assert not may_combine(tc.rule("r", "[a] [b]", language="core"))
    assert may_combine(tc.rule("r", "a ; b", context="unrestricted"))


def test_only_what_is_a_great_deal_is_told() -> None:
    rules = [tc.rule("many", "x:a & y:b & z:b", language="sel"), tc.rule("few", "a ; b")]
    session = Session(rules_program(rules))
    (told,) = session.forecasts(log(1000))
    assert told.rule == "many"
    assert told.combinations >= MANY


def test_thinned_events_are_spread_and_every_type_stays() -> None:
    events = [*log(900), Event("rare", 901 * SECOND, 901 * SECOND, "rare", arrival=901 * SECOND)]
    some = thinned(events, 30)
    assert {event.type for event in some} == {"a", "b", "rare"}
    assert len(some) in range(28, 34)
    assert [event.end for event in some] == sorted(event.end for event in some)
    assert thinned(events, 5000) == events


def test_what_is_found_is_told_before_much_more_is_read() -> None:
    taken = 0

    def read() -> Iterator[Arrival]:
        nonlocal taken
        for event in log(4000):
            taken += 1
            yield event

    rule = tc.rule("r", "x:a & y:b & z:b", language="sel")
    found = detections(rules_program([rule]), read())
    for _ in range(HELD):
        next(found)
    assert taken < 300  # in whole batches it would be 4,000, and two billion found before the first was told
