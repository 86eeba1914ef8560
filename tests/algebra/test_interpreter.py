"""The interpreter of scripts by itself: what is declared, defined, enabled and triggered, whoever finds patterns.

The finder here lets a rule fire for every event of the types in its pattern: nothing is looked for, so whatever goes
wrong is the interpreter's or the evaluation's.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tocsin.algebra import finder
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.detectors import Detector, Due, detector
from tocsin.algebra.evaluation import Evaluation
from tocsin.algebra.finder import Finder, Fired
from tocsin.algebra.guards import Literal
from tocsin.algebra.interpreter import Interpreter
from tocsin.algebra.notes import Notes
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.order import Release
from tocsin.algebra.patterns import Pattern, Primitive
from tocsin.algebra.rules import (
    Action,
    Command,
    Declaration,
    Define,
    Disable,
    Enable,
    Notify,
    Program,
    Raise,
    Remove,
    Rule,
    Statement,
    Stop,
    Trigger,
)
from tocsin.algebra.scripts import declared_by, enabled_by
from tocsin.events import Event

pytestmark = pytest.mark.skipif(
    not str(finder.__file__).endswith(".py"), reason="compiled, nothing that is not can be a Finder"
)


class Echoing(Finder):
    """Lets a rule fire for each event that it wants, and writes down what it is told."""

    def __init__(self, program: Program) -> None:
        self.heard: list[str] = []
        self.classes = frozenset[str]()
        self.interpreter = Interpreter(program, None, Notes(), self)
        self.evaluation = Evaluation(self.interpreter, self)

    def begun(self, rule: Rule) -> Detector:
        self.heard.append(f"+{rule.name}")
        return detector(rule, self.interpreter.setting, self.interpreter.time)

    def ended(self, name: str, one: Detector) -> None:
        assert one.rule.name == name
        self.heard.append(f"-{name}")

    def rung_by(self, one: Detector) -> list[Pattern]:
        return []

    def declared(self, classes: frozenset[str]) -> None:
        self.classes = classes

    def _fires(self, one: Detector, event: Event) -> list[Occurrence]:
        self.heard.append(f"{one.rule.name}:{event.type}")
        return [Occurrence(event.start, event.end, frozenset((event,)))] if one.wants(event) else []

    def shown(self, event: Event) -> Fired:
        numbered, running = self.numbered(event), list(self.interpreter.running.values())
        return [(one.rule, each) for one in running for each in self._fires(one, numbered)]

    def gather(self) -> None:
        self.heard.append("(")

    def settle(self) -> None:
        self.heard.append(")")

    def numbered(self, event: Event) -> Event:
        return replace(event, number=next(self.interpreter.numbers))

    def met(self, one: Detector, events: list[Event], over: int | None) -> list[Occurrence]:
        return [each for event in events for each in self._fires(one, event)]

    def is_due(self, one: Detector) -> bool:
        return False

    def due_next(self, with_periodic: bool) -> tuple[Due, str] | None:
        return None

    def woken(self, due: Due, name: str) -> Fired:
        raise AssertionError("nothing waits here")

    def come(self, *types: str) -> list[str]:
        """Events of these types come, each at the next second: what was reported."""
        for place, kind in enumerate(types):
            time = place * 1_000_000
            self.evaluation.step(Release(time, Event(kind, time, time, kind)))
        return [f"{one.rule}>{one.type}" for one in self.interpreter.drain()]


def rule(name: str, sees: str, *actions: Action, strict: bool = True) -> Rule:
    return Rule(name, Primitive(sees), actions=actions, strict=strict)


def enabled(*rules: Rule) -> Program:
    return Program((*map(Define, rules), *(Command(Enable(each.name)) for each in rules)))


# -- statements ------------------------------------------------------------------------------------------------------

NAMES = st.sampled_from(["a", "b", "c"])
STATEMENTS: st.SearchStrategy[Statement] = st.one_of(
    st.builds(Declaration, NAMES),
    st.builds(Define, st.builds(rule, st.sampled_from(["r", "s", "t"]), NAMES)),
    st.builds(Command, st.builds(Enable, st.sampled_from(["r", "s", "t", "*"]))),
    st.builds(Command, st.builds(Disable, st.sampled_from(["r", "s", "t", "*"]))),
    st.builds(Remove, NAMES),
    st.builds(Remove, st.sampled_from(["r", "s", "t"]), st.just(True)),
)
PROGRAMS = st.lists(STATEMENTS | st.just(Stop()), max_size=12).map(lambda made: Program(tuple(made)))


@settings(max_examples=150)
@given(PROGRAMS)
@example(Program((Define(rule("r", "a")), Remove("r", rule=True), Command(Enable("r")))))
def test_what_a_script_comes_to_is_told_without_running_it(program: Program) -> None:
    one = Echoing(program)
    before = one.interpreter.enabled
    one.evaluation.start(0, 0)
    assert sorted(one.interpreter.enabled) == sorted(before) == sorted(enabled_by(program))
    if not one.interpreter.has_stopped:
        assert one.interpreter.classes == declared_by(program)
    assert one.classes == frozenset(one.interpreter.classes)


@settings(max_examples=150)
@given(PROGRAMS, PROGRAMS)
def test_where_a_script_stands_is_a_script_that_gets_there(program: Program, typed: Program) -> None:
    one = Echoing(program)
    one.evaluation.start(0, 0)
    one.evaluation.command(typed.statements)
    other = Echoing(one.interpreter.standing())
    other.evaluation.start(0, 0)
    assert other.interpreter.classes == one.interpreter.classes
    assert list(other.interpreter.rules.items()) == list(one.interpreter.rules.items())
    assert other.interpreter.enabled == one.interpreter.enabled


@settings(max_examples=100)
@given(PROGRAMS, PROGRAMS)
def test_what_is_typed_before_the_clock_starts_joins_the_script(program: Program, typed: Program) -> None:
    one, other = Echoing(program), Echoing(program + typed)
    one.evaluation.command(typed.statements)
    is_stopped = any(isinstance(each, Stop) for each in typed.statements)
    for each in (one, other):
        each.evaluation.start(0, 0)
    assert one.interpreter.enabled == ([] if is_stopped else other.interpreter.enabled)


@settings(max_examples=100)
@given(PROGRAMS, PROGRAMS)
def test_what_begins_and_ends_is_told_once(program: Program, changed: Program) -> None:
    one = Echoing(program)
    one.evaluation.start(0, 0)
    one.interpreter.change(changed)
    for name in ("r", "s", "t"):
        turns = [each[0] for each in one.heard if each[1:] == name]
        assert turns == ["+", "-"] * (len(turns) // 2) + ["+"] * (len(turns) % 2)
        assert (name in one.interpreter.running) is (len(turns) % 2 == 1)


def test_rules_run_in_order_of_definition_however_they_are_enabled() -> None:
    defined = [Define(rule(name, "a")) for name in "xyz"]
    one = Echoing(Program((*defined, *(Command(Enable(name)) for name in "zxy"))))
    one.come("a")
    assert one.heard == ["+z", "+x", "+y", "x:a", "y:a", "z:a"]


def test_a_class_that_a_rule_speaks_of_is_not_removed() -> None:
    one = Echoing(Program((Declaration("a"), Define(rule("r", "a")), Remove("a"))))
    one.evaluation.start(0, 0)
    assert one.classes == {"a"}
    assert one.interpreter.notes.warnings == ["event 'a' is not removed: rule r refers to it"]


def test_a_rule_that_goes_on_after_a_change_is_not_begun_again() -> None:
    kept, gone, new = rule("kept", "a"), rule("gone", "a"), rule("new", "a")
    one = Echoing(enabled(kept, gone))
    one.evaluation.start(0, 0)
    one.interpreter.change(enabled(new, kept))
    assert one.heard == ["+kept", "+gone", "-gone", "+new"]
    assert one.interpreter.enabled == ["new", "kept"]


# -- actions ---------------------------------------------------------------------------------------------------------


def test_an_event_that_is_raised_has_the_attributes_that_its_class_declares() -> None:
    declared = Declaration("a", (("k", "long"), ("v", "long")))
    raised = Raise("a", arguments=(Literal(1), Literal(2), Literal(3)))
    echo = rule("r", "a", Notify("a", (Literal(4), Literal(5), Literal(6))))
    one = Echoing(Program((declared, Define(echo), Command(Enable("r")), raised)))
    one.evaluation.start(0, 0)
    (told,) = one.interpreter.drain()
    assert told.data == {"k": 4, "v": 5, "3": 6}


def test_what_is_triggered_waits_until_all_rules_have_seen_the_arrival() -> None:
    first = rule("first", "a", Trigger("b"), Notify("one"))
    second = rule("second", "a", Notify("two"))
    third = rule("third", "b", Notify("three"))
    assert Echoing(enabled(first, second, third)).come("a") == ["first>one", "second>two", "third>three"]


def test_a_rule_that_is_switched_off_by_another_has_seen_the_same_event() -> None:
    off = rule("off", "a", Disable("other"))
    other = rule("other", "a", Notify("seen"))
    assert Echoing(enabled(off, other)).come("a", "a") == ["other>seen"]


def test_rules_that_trigger_each_other_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 5)
    one = Echoing(enabled(rule("ping", "a", Notify("n"), Trigger("b")), rule("pong", "b", Notify("n"), Trigger("a"))))
    assert len(one.come("a")) == 6
    assert one.interpreter.notes.warnings == ["rules that trigger each other were cut after 5 events, at 'a'"]
    assert not one.interpreter.queue


def test_rules_that_feed_others_come_first_whatever_the_order_of_definition() -> None:
    last = rule("last", "middle", strict=False)
    middle = rule("middle", "first", strict=False)
    first = rule("first", "a", strict=False)
    one = Echoing(enabled(last, middle, first))
    assert one.come("a") == ["first>first", "middle>middle", "last>last"]
    assert [each for each in one.heard if each in "()"] == ["(", ")"]


def test_after_stop_nothing_is_seen() -> None:
    one = Echoing(enabled(rule("r", "a", Notify("n"))))
    assert one.come("a") == ["r>n"]
    one.evaluation.command((Stop(), Command(Enable("r"))))
    assert one.interpreter.has_stopped
    assert one.come("a") == []
