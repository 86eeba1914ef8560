"""The spine: options fill what rules leave open, and every order is a clock of its own."""

from __future__ import annotations

from typing import Any

import pytest

from tests.algebra.building import SECOND, log
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import Atom, Automaton, Described, Run
from tocsin.algebra.rules import (
    BEST_EFFORT,
    Command,
    Context,
    Declaration,
    Define,
    Enable,
    Order,
    Program,
    Rule,
    Trigger,
)
from tocsin.errors import RuleError, Source, UsageError
from tocsin.languages import parse
from tocsin.languages.guards import parse_guard_text
from tocsin.rules.programs import rules_program
from tocsin.runtime.clocks import Group, by_order
from tocsin.runtime.options import Options, completed
from tocsin.session import Session
from tocsin.time.spans import parse_period

DELAY = Order("delay", delay=parse_period("5 sec"))
MINUTE, HOUR = parse_period("1 min"), parse_period("1 hour")
ABAB: list[list[Any]] = [["1", "a", 1], ["2", "b", 2], ["3", "a", 3], ["4", "b", 4]]


def rule(name: str, expression: str, **settings: Any) -> Rule:
    return Rule(name, parse(expression, "eps"), "eps", **settings)


def run(
    rules: list[Rule], rows: list[list[Any]], notes: Notes | None = None, **options: Any
) -> list[tuple[str, int, str]]:
    found = Session(rules_program(rules), Options(**options)).detections(log(rows), notes)
    return [(one.rule, one.detected_us // SECOND, "".join(one.events)) for one in found]


# -- options -----------------------------------------------------------------------------------------------------------


def test_options_fill_only_what_a_rule_leaves_open() -> None:
    options = Options(context=Context.RECENT, window=MINUTE)
    bare, full = rule("bare", "a"), rule("full", "a", context=Context.GENERIC, window=HOUR)
    first, second = completed(rules_program([bare, full]), options).rules
    assert (first.context, first.window) == (Context.RECENT, MINUTE)
    assert second == full


def test_the_kind_of_run_is_for_automata() -> None:
    automaton = Rule("r", Automaton(Atom(Described("a"))), "core")
    (found,) = completed(rules_program([automaton]), Options(run=(Run.ONCE, ""))).rules
    assert found.pattern == Automaton(Atom(Described("a")), Run.ONCE)
    with pytest.raises(UsageError, match="a run is a matter of the core language"):
        Session(rules_program([rule("r", "a")]), Options(run=(Run.ONCE, "")))


def test_a_session_is_checked_when_it_is_made_and_can_be_asked_again() -> None:
    with pytest.raises(RuleError):
        Session(rules_program([rule("r", "a", condition=parse_guard_text(Source("z.v > 1")))]))
    session = Session(rules_program([rule("r", "a ; b")]))
    assert [list(session.detections(log(ABAB))) for _ in range(2)][1]
    assert [doubt.severity for doubt in session.doubts] == ["warning"]


# -- orders ------------------------------------------------------------------------------------------------------------


def test_one_order_is_one_clock_with_the_whole_program() -> None:
    program = rules_program([rule("r", "a"), rule("s", "b", order=BEST_EFFORT)])
    assert by_order(program, BEST_EFFORT) == [Group(BEST_EFFORT, program, frozenset({"r", "s"}))]
    assert by_order(Program(), DELAY) == [Group(DELAY, Program(), frozenset())]


def test_each_order_has_its_own_rules_and_detections_come_in_order_of_detection() -> None:
    rules = [rule("slow", "a ; b", order=DELAY), rule("fast", "a ; b")]
    assert run(rules, ABAB) == [("fast", 2, "12"), ("fast", 4, "34"), ("slow", 7, "12"), ("slow", 9, "34")]


def test_a_rule_sees_the_rules_it_uses_on_its_own_clock() -> None:
    late: list[list[Any]] = [["1", "b", 2], ["2", "a", 1, {}, {"arrival": 3}], ["3", "c", 9], ["4", "x", 60]]
    rules = [
        rule("pair", "a ; b", context=Context.CHRONICLE),
        rule("more", "pair ; c", order=DELAY),
        rule("most", "more", order=DELAY),
    ]
    assert run(rules, late) == [("pair", 3, "21"), ("more", 14, "213"), ("most", 14, "213")]


@pytest.mark.parametrize("seen", ["made", "*"])
def test_what_a_rule_triggers_is_made_for_rules_of_another_order_too(seen: str) -> None:
    maker = Rule("maker", parse("a", "gem"), "gem", actions=(Trigger("made"),))
    seer = Rule("seer", parse(f"x:{seen}", "gem"), "gem", order=DELAY)
    program = Program((Declaration("made"),)) + rules_program([maker, seer])
    found = list(Session(program).detections(log([["1", "a", 1], ["2", "z", 60]])))
    assert ("seer", 6 * SECOND, ("1",)) in [(one.rule, one.detected_us, one.events) for one in found]
    assert {one.rule for one in found} == {"seer"}


def test_a_rule_that_another_one_switches_is_switched_on_its_own_clock() -> None:
    switch = Rule("switch", parse("a", "gem"), "gem", actions=(Enable("lamp"),))
    lamp = rule("lamp", "b", order=DELAY)
    program = Program((Define(switch), Define(lamp), Command(Enable("switch"))))
    found = list(Session(program).detections(log([["1", "b", 1], ["2", "a", 2], ["3", "b", 3], ["4", "z", 60]])))
    assert [one.events for one in found] == [("3",)]


def test_what_two_clocks_count_alike_is_counted_once() -> None:
    notes = Notes()
    never = parse_guard_text(Source("a.v > 1"))
    rules = [rule("r", "a", condition=never), rule("s", "a", condition=never, order=DELAY)]
    past = [rule("t", "at(1970/01/01 00:00:00)"), rule("u", "a", order=DELAY)]
    run(rules + past, [["1", "a", 1, {"v": "x"}], ["2", "a", 2]], notes)
    assert (notes.arrivals, notes.incomparable) == (2, {"number with string": 1})
    assert notes.warnings == ["rule 't' waits for a time that is past: it never comes"]
