"""What has one end: an order that puts events in order makes the order in which sources were heard make no difference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from tests.engine.comparing import expected, given_by_engine
from tests.engine.kinds import KINDS
from tests.engine.linking import USERS, linked_example
from tests.engine.strategies import Example
from tocsin.algebra.links import Links
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import Either, Primitive, Sequence
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Command, Context, Define, Enable, Program, Rule
from tocsin.algebra.rules import Order as Policy
from tocsin.events import Detection, Event
from tocsin.rules.loader import load_expression, load_text
from tocsin.rules.options import order_of
from tocsin.rules.programs import rules_program
from tocsin.runtime.logs import detections
from tocsin.runtime.ordered import Ordered

GUARANTEED = Policy("guaranteed")


def interleaved(random: Random, example: Example) -> Example:
    """The same events, each source's in its own order, arriving in another."""
    left: dict[str, list[Event]] = {}
    for arrival in sorted((each for each in example.log if isinstance(each, Event)), key=lambda each: each.end):
        left.setdefault(arrival.source, []).append(arrival)
    log: list[Event] = []
    while left:
        source = random.choice(sorted(left))
        event = left[source].pop(0)
        clock = max(event.end, log[-1].arrival) if log else event.end
        log.append(replace(event, arrival=clock))
        if not left[source]:
            del left[source]
    return replace(example, log=tuple(log), order=GUARANTEED, ignore_late=False)


def found(example: Example, by_engine: bool) -> list[str]:
    made = (given_by_engine if by_engine else expected)(example)[0]
    return sorted(f"{one.rule} {one.id} {one.start_us} {one.time_us} {one.events} {one.data}" for one in made)


@pytest.mark.parametrize("of", ["searched", "automata", "linked"])
def test_in_which_order_sources_are_heard_makes_no_difference(of: str) -> None:
    random, differs = Random(7), 0
    for number in range(40):
        example = KINDS[of].numbered(5, number)
        one, other = (interleaved(random, example) for _ in range(2))
        assert found(one, False) == found(other, False) == found(other, True), number
        differs += [each.id for each in one.log] != [each.id for each in other.log]
    assert differs > 20


# -- feeders first -----------------------------------------------------------------------------------------------------


def rule(name: str, *types: str, context: Context = Context.GENERIC) -> Rule:
    leaves = tuple(map(Primitive, types))
    return Rule(name, leaves[0] if len(leaves) == 1 else Sequence(leaves), context=context)


def order(*rules: Rule, declared: tuple[str, ...] = ()) -> list[str]:
    return Links({each.name: each for each in rules}, declared).order


def test_rules_that_feed_others_come_first() -> None:
    assert order(rule("x", "a"), rule("y", "b"), rule("z", "c")) == ["x", "y", "z"], "as they are defined"
    assert order(rule("x", "y"), rule("y", "z", "a"), rule("z", "b")) == ["z", "y", "x"]
    assert order(rule("x", "y"), rule("y", "b"), declared=("y",)) == ["x", "y"], "a declared class hides the rule"


def test_in_a_circle_the_order_of_definition_counts() -> None:
    circle = [rule("p", "r", "a"), rule("q", "p"), rule("r", "q"), rule("s", "r"), rule("f", "b"), rule("t", "f", "q")]
    assert order(*circle) == ["p", "q", "r", "s", "f", "t"]
    assert order(*reversed(circle)) == ["f", "r", "q", "p", "t", "s"]
    links = Links({each.name: each for each in circle})
    assert sorted(links.feeding("t")) == ["f", "p", "q", "r"]
    assert sorted(links.feeding("q")) == ["p", "r"]


def test_rules_that_feed_each_other_in_a_circle_come_to_an_end() -> None:
    """Each takes what the other made once; what one made itself it does not see."""
    rules = [rule("x", "a", "y"), rule("y", "b"), rule("z", "x")]
    given = [Event(kind, time, time, f"{kind}{time}", arrival=time) for kind, time in (("a", 1), ("b", 2))]
    made = [one.rule for one in replay(rules_program(rules), given)]
    assert made == ["y", "x", "z"]
    assert [one.rule for one in Ordered(rules_program(rules)).process(list(given))] == made


@pytest.mark.parametrize("run", [replay, detections], ids=["meaning", "engine"])
def test_a_circle_without_an_end_is_cut(run: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tocsin.algebra.interpreter.MOST_TRIGGERS", 20)
    rules = [Rule("x", Either((Primitive("a"), Primitive("y"))), context=Context.GENERIC), rule("y", "x")]
    notes = Notes()
    list(run(rules_program(rules), [Event("a", 1, 1, "1", arrival=1)], notes=notes))  # type: ignore[call-overload]  # an iterator
    assert len(notes.warnings) == 1
    assert "rules that trigger each other were cut after 20 events" in notes.warnings[0]


@pytest.mark.parametrize("cut", range(1, 7))
def test_what_comes_in_order_may_be_cut_anywhere(cut: int) -> None:
    """A front behind another order: an instant that is cut, saved and restored is one instant."""
    program = rules_program(
        [
            rule("pair", "a", "b", context=Context.UNRESTRICTED),
            rule("after", "pair", "c", context=Context.UNRESTRICTED),
        ]
    )
    times = (("a", 1), ("a", 2), ("b", 2), ("b", 2), ("c", 3), ("c", 3), ("b", 3))
    given = [Event(kind, time, time, str(place), arrival=time) for place, (kind, time) in enumerate(times)]
    whole = Ordered(program, in_order=True)
    should = whole.process(list(given)) + whole.finish()
    first, second = Ordered(program, in_order=True), Ordered(program, in_order=True)
    made = first.process(given[:cut])
    assert first.next_due() == given[cut - 1].end, "what is held is a reason to be woken"
    second.restore(first.snapshot())
    made += second.process(given[cut:]) + second.finish()
    assert [one.id for one in made] == [one.id for one in should]
    assert len(should) == 8


# -- no rule changes what another detects ------------------------------------------------------------------------------


def program_of(rules: list[Rule]) -> Program:
    return Program((*map(Define, rules), *(Command(Enable(each.name)) for each in rules)))


@pytest.mark.parametrize("by_engine", [False, True], ids=["meaning", "engine"])
def test_who_takes_what_a_rule_makes_does_not_change_it(by_engine: bool) -> None:
    """Under every order, and most of all where a window ends: without others, that is when the instant is over.

    Time goes on to the end: where it stops before, others may have let it get further.
    """
    fired = 0
    for number in range(300):
        random = Random(f"taken {number}")
        feeder, user, policy = random.choice(("window", "window", "time event")), random.choice(USERS), choice(random)
        example = replace(linked_example(random, feeder, user, policy), until=None)
        alone = [each for each in example.program.rules if each.name == "made"]
        beside = [line for line in found(example, by_engine) if line.startswith("made ")]
        assert found(replace(example, program=program_of(alone)), by_engine) == beside, number
        fired += bool(beside)
    assert fired > 150


def choice(random: Random) -> str:
    """An order, mostly one that does not put an instant together."""
    return random.choice(("best-effort", "best-effort", "probabilistic", "delay", "guaranteed"))


def test_the_order_of_definition_makes_no_difference_to_what_is_put_in_order() -> None:
    random, differs = Random(4), 0
    for number in range(80):
        example = interleaved(random, KINDS["linked"].numbered(13, number))
        rules = random.sample(example.program.rules, len(example.program.rules))
        other = replace(example, program=program_of(rules))
        assert found(example, False) == found(other, False) == found(other, True), number
        differs += tuple(rules) != example.program.rules
    assert differs > 40


SCRIPT = "event b\nevent n\nrule maker { b ==> n }\nenable maker\n"
AT_THE_EDGE = [("a -> !n in 1 second", 0), ("(b | a) -> n -> !a in 1 second", 1), ("a -> n in 1 second", 1)]


@pytest.mark.parametrize("run", [replay, detections], ids=["meaning", "engine"])
@pytest.mark.parametrize("policy", ["best-effort", "delay:5 sec", "guaranteed"])
@pytest.mark.parametrize(("text", "times"), AT_THE_EDGE)
def test_what_a_script_triggers_at_the_end_of_a_window_still_counts(
    text: str, times: int, policy: str, run: Callable[..., list[Detection]]
) -> None:
    """Beside rules that feed others, an instant is taken together, and what it triggers comes after what arrived."""
    edge, user = (
        load_expression(text, "sel", name="edge"),
        load_expression("edge -> z in 9 seconds", "sel", name="user"),
    )
    given = [Event(kind, time, time, kind, arrival=time) for kind, time in (("a", 2_000_000), ("b", 3_000_000))]
    for rules in (edge, edge + user):
        made = [one.rule for one in run(load_text(SCRIPT) + rules, given, order=order_of(policy))]
        assert made == ["edge"] * times
