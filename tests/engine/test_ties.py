"""What comes together: moments and occurrences of the same events, which only names and rules tell apart."""

from __future__ import annotations

import pytest

from tests.algebra.building import SECOND
from tests.engine.comparing import difference, expected
from tests.engine.strategies import Example
from tocsin.algebra.guards import End
from tocsin.algebra.patterns import (
    After,
    AnyEvent,
    AtInstant,
    Atom,
    Automaton,
    Both,
    Described,
    Either,
    Every,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Sequence,
    Union,
    Where,
    Within,
)
from tocsin.algebra.rules import Context, Disable, Rule
from tocsin.events import Event
from tocsin.rules.programs import rules_program
from tocsin.time.periods import Period

A, B = Primitive("a"), Primitive("b")


def later(pattern: Pattern, seconds: int) -> After:
    return After(pattern, Period.of(microseconds=seconds * SECOND))


def log(*events: tuple[str, int, int]) -> tuple[Event, ...]:
    """Type, time and arrival of each."""
    return tuple(
        Event(kind, time * SECOND, time * SECOND, str(place), arrival=arrival * SECOND)
        for place, (kind, time, arrival) in enumerate(events)
    )


def test_of_equal_events_the_names_decide() -> None:
    """Two alternatives of the same event, one of them named: the oldest is the one without a name."""
    rule = Rule("r", Both((later(A, 4), Either((B, Named("x", B))))), context=Context.GENERIC)
    given = log(("b", 3, 3), ("a", 5, 4))
    assert not difference(Example(rules_program([rule]), given))


@pytest.mark.parametrize("size", [1, 3, 4096])
def test_equal_rules_have_their_moments_one_rule_after_the_other(size: int) -> None:
    """The same event waits twice: each rule has both of its moments before the next rule has any."""
    pattern = Both((later(B, 1), later(Either((A, Named("y", A))), 1)))
    rules = [Rule(name, pattern, context=Context.UNRESTRICTED) for name in ("r1", "r2")]
    given = log(("b", 1, 1), ("a", 5, 5), ("b", 8, 8), ("a", 9, 9))
    assert not difference(Example(rules_program(rules), given, batch=size))


def test_a_clock_that_is_due_may_belong_to_a_rule_that_is_disabled_since() -> None:
    """A rule on the plain meaning disables the other just when both would have something to do."""
    window = Within(Either((Where(A, End("unknown")), B)), Period.of(microseconds=2 * SECOND))
    first = Rule("first", window, context=Context.UNRESTRICTED, actions=(Disable("second"),))
    second = Rule("second", Every(Period.of(microseconds=2 * SECOND)), context=Context.UNRESTRICTED)
    given = log(("b", -2, 0), ("a", 2, 2))
    assert not difference(Example(rules_program([first, second]), given))


def test_what_an_automaton_has_not_taken_yet_is_its_own_although_it_is_disabled() -> None:
    """Which rules run is fixed when an event comes; one that is fed takes it after those that feed it, or might."""
    first = Rule("first", Automaton(Atom(Described("c"))), "core", actions=(Disable("third"),))
    second = Rule("second", Automaton(Atom(Described("a"))), "core")
    third = Rule("third", Automaton(Atom(Described("c"), Union((Described("c"), Described("second"))))), "core")
    example = Example(rules_program([first, second, third]), log(("c", 1, 1), ("c", 2, 2)))
    assert not difference(example)
    assert [found.rule for found in expected(example)[0]] == ["third"]


def test_clocks_of_one_rule_ring_as_they_are_written() -> None:
    """The alternatives are looked for one by one, and the first has only the second clock."""
    clocks = Every(Period.of(microseconds=SECOND)), AtInstant(2 * SECOND)
    rule = Rule("r", Both((Either((AnyEvent(), clocks[0])), clocks[1])), context=Context.GENERIC)
    given = log(("b", 1, 1), ("a", 5, 5))
    assert not difference(Example(rules_program([rule]), given, batch=7))


@pytest.mark.parametrize("order", [(Context.CHRONICLE, Context.GENERIC), (Context.GENERIC, Context.CHRONICLE)])
@pytest.mark.parametrize("pattern", [Every(Period.of(microseconds=2 * SECOND)), later(A, 1)], ids=["clock", "timer"])
def test_what_is_due_together_here_and_in_the_plain_meaning(pattern: Pattern, order: tuple[Context, Context]) -> None:
    """One rule runs in the network, the other does not: of the same events, the rule that is defined first comes first."""
    rules = [Rule(name, pattern, context=context) for name, context in zip(("r1", "r2"), order, strict=True)]
    given = log(("a", 1, 1), ("a", 1, 1), ("a", 4, 4))
    assert not difference(Example(rules_program(rules), given, until=8 * SECOND))


def test_a_window_that_has_ended_does_not_end_again_for_what_is_made_of_it() -> None:
    """What is made when a window ends starts where the window did: it opens no window, for that one is known."""
    window = Within(Sequence((Named("x", AnyEvent()), Never(A)), Precedence.GAP), Period.of(microseconds=4 * SECOND))
    rules = [
        Rule("first", window, context=Context.UNRESTRICTED),
        Rule("second", Named("y", Primitive("first")), context=Context.GENERIC),
        Rule("third", Named("z", Primitive("second")), context=Context.GENERIC),
    ]
    example = Example(rules_program(rules), log(("b", 1, 1), ("a", 3, 3)), until=14 * SECOND)
    assert not difference(example)
    assert expected(example)[0]


@pytest.mark.parametrize("starts", [(2, 4), (4, 2)], ids=["it starts before", "it starts after"])
def test_of_windows_that_end_together_those_of_feeders_end_first(starts: tuple[int, int]) -> None:
    """What the end of one window makes is in another that ends just then, whichever of them started first."""
    own, other = starts
    quiet = Within(Sequence((A, Never(B)), Precedence.GAP), Period.of(microseconds=(5 - other) * SECOND))
    parts = (Primitive("c"), Primitive("quiet"), Never(A))
    rules = [
        Rule("quiet", quiet, context=Context.GENERIC),
        Rule(
            "r",
            Within(Sequence(parts, Precedence.GAP), Period.of(microseconds=(5 - own) * SECOND)),
            context=Context.GENERIC,
        ),
        Rule("both", Both((Primitive("c"), Primitive("quiet"))), context=Context.GENERIC),
    ]
    given = log(*sorted([("c", own, own), ("a", other, other)], key=lambda each: each[1]))
    for order in (rules, rules[::-1]):
        assert not difference(Example(rules_program(order), given, batch=7))


def test_what_a_window_makes_is_in_time_for_one_that_ends_just_then() -> None:
    """The window from 2 to 5 ends after the one from 4 to 5, which feeds it."""
    quiet = Within(Sequence((A, Never(B)), Precedence.GAP), Period.of(microseconds=SECOND))
    parts = (Primitive("quiet"), Primitive("quiet"), Never(A))
    twice = Within(Sequence(parts, Precedence.GAP), Period.of(microseconds=3 * SECOND))
    rules = [Rule("quiet", quiet, context=Context.GENERIC), Rule("twice", twice, context=Context.GENERIC)]
    example = Example(rules_program(rules), log(("a", 2, 2), ("a", 4, 4)), batch=7)
    assert not difference(example)
    assert {one.rule for one in expected(example)[0]} == {"quiet", "twice"}


def test_what_is_made_of_a_moment_and_the_moment_itself_complete_one_occurrence() -> None:
    """The event that the first rule makes comes before the second rule's own moment, and at its time."""
    rules = [
        Rule("made", later(A, 4), context=Context.GENERIC),
        Rule("r", Both((later(A, 4), Primitive("made"))), context=Context.UNRESTRICTED),
    ]
    example = Example(rules_program(rules), log(("a", 3, 3)), batch=2)
    assert not difference(example)
    assert [one.rule for one in expected(example)[0]] == ["made", "r"]


def test_what_waits_together_may_have_left_the_window() -> None:
    """Of moments whose events are gone nothing comes; nor does anybody ask for the events to put them in order."""
    pattern = Either((later(A, 4), later(Named("x", A), 4)))
    rule = Rule("r", pattern, context=Context.GENERIC, window=Period.of(microseconds=SECOND))
    given = log(("a", 3, 3), ("b", 4, 4), ("a", 6, 6))
    assert not difference(Example(rules_program([rule]), given, batch=1))
