"""2g stamps in the network: what is searched for near exact times is what the meaning finds, with its stamps."""

from __future__ import annotations

from random import Random

import pytest

from tests.engine.test_memories import saved_at
from tests.engine.test_stateful import log
from tests.engine.test_verbs import cuts
from tocsin.algebra.notes import Notes
from tocsin.algebra.order import Release
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Context, Program
from tocsin.engine.engine import Engine
from tocsin.events import Event
from tocsin.rules.loader import load_expression
from tocsin.rules.options import window_of
from tocsin.runtime.logs import detections
from tocsin.runtime.options import Options
from tocsin.session import Session

IN_THE_NETWORK = (
    ("global", "A ; B"),
    ("global", "(A ; B) ; C"),
    ("global", "A ; B ; C"),
    ("global", "(A | B) ; C"),
    ("gem", "x:A ; y:B when x.k == y.k"),
    ("gem", "x:A & y:B when x.k == y.k"),
    ("gem", "(x:A & y:B when x.k == y.k) ; z:C when z.k == x.k"),
    ("gem", "({x:A ; y:B} ! z:C) when z.k == x.k || !?z"),
    ("gem", "x:A + [2*sec] ; y:B when x.k == y.k"),
    ("eps", "TimesEq(2, A, k) ; B"),
    # Stamps are joined, and then compared.
    ("global", "A || B"),
    ("global", "A || B || C"),
    ("global", "(A , B) ; C"),
    ("global", "(A || B) ; C"),
    ("global", "C ; (A , B)"),
    ("global", "(A ; B) || C"),
    ("global", "A ; NOT B ; C"),
    ("global", "(A , B) ; NOT A ; C"),
    ("global", "A ; NOT (B , C) ; C"),
    ("gem", "x:A & B & C when |@x != @x || @x >= @x"),
    ("gem", "A ;= B"),  # what is up to two ticks earlier may be with it
    ("sel", "(A -> B) in 5 seconds"),
    ("sel", "A*2 -> B"),
    ("pretty", "(A 2 times within 5 s) then B"),
)
ON_THE_PLAIN_MEANING = (
    ("sel", "A -> !B in 5 seconds"),  # what is absent has no stamp
    ("sel", "(A -> B)*2"),
)


def program_of(language: str, text: str, context: Context, window: str | None = None) -> Program:
    options = Options(context=context, window=None if window is None else window_of(window))
    return Session(load_expression(text, language), options).program


@pytest.mark.parametrize(("language", "text"), IN_THE_NETWORK)
def test_the_network_finds_what_the_meaning_finds(language: str, text: str) -> None:
    found = 0
    for number in range(4):
        random = Random(f"stamped {text} {number}")
        context = (Context.UNRESTRICTED, Context.GENERIC)[number % 2]
        program, granularity = program_of(language, text, context, "20 sec"), random.choice((500_000, 2_000_000))
        events = log(random)
        assert Engine(program, granularity, Notes())._is_native(program.rules[0])
        should = list(map(repr, replay(program, events, granularity=granularity)))
        assert list(map(repr, detections(program, events, granularity=granularity))) == should
        assert list(map(repr, saved_at(cuts(random, events), program, None, granularity))) == should
        found += len(should)
    assert found > 3


@pytest.mark.parametrize(("language", "text"), ON_THE_PLAIN_MEANING)
def test_what_exact_times_do_not_tell_is_left_to_the_meaning(language: str, text: str) -> None:
    program = program_of(language, text, Context.UNRESTRICTED)
    assert Engine(program, None, Notes())._is_native(program.rules[0])
    assert "2g stamps" in Engine(program, 1_000_000, Notes()).why_plain(program.rules[0])
    events = log(Random(f"plain {text}"))[:30]
    should = list(map(repr, replay(program, events, granularity=1_000_000)))
    assert list(map(repr, detections(program, events, granularity=1_000_000))) == should


@pytest.mark.parametrize("context", [Context.UNRESTRICTED, Context.GENERIC])
def test_of_two_stamps_for_the_same_events_both_keep_the_same_one(context: Context) -> None:
    """`({A ; A} ! B) & A` takes its first A once more, and with it that site, or its last: an equal set of events."""
    program = program_of("gem", "({A ; A} ! B) & A", context)
    first = Event("A", 1_500_000, 1_500_000, "1", "t", {}, 1_500_000)
    last = Event("A", 2_500_000, 2_500_000, "2", "s", {}, 2_500_000)
    (should,) = replay(program, [first, last], granularity=1_000_000)
    assert should.stamp == {"base": 1, "interval": 1, "offset": {"s": 1, "t": 0}}
    assert list(detections(program, [first, last], granularity=1_000_000)) == [should]


@pytest.mark.parametrize(("language", "text"), IN_THE_NETWORK)
def test_a_rule_that_comes_later_goes_by_stamps_too(language: str, text: str) -> None:
    """It is planned by itself: with the ticks of the engine that it comes to."""
    made, other = program_of(language, text, Context.UNRESTRICTED, "20 sec"), load_expression("D", "eps")
    first, *events = log(Random(f"later {text}"))
    engine = Engine(other, 1_000_000, Notes())
    engine.step(Release(first.arrival, first))
    engine.change(made)
    for event in events:
        engine.step(Release(event.arrival, event))
    should = [
        one.events for one in replay(made, events, granularity=1_000_000) if one.detected_us <= events[-1].arrival
    ]
    assert [one.events for one in engine.drain()] == should
