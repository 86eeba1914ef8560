"""Warnings: rules that are legal and probably not meant, each where it stands; and no false alarms."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.algebra.building import both, either, instant, later, named, no, p, seq, within
from tests.algebra.checking import SOUND, condition_doubts, rule_program, script_doubts, shown
from tests.conformance.cases import Case
from tests.conformance.runtimes import program_of
from tocsin.algebra import rule_warnings
from tocsin.algebra.patterns import (
    AnyEvent,
    Atom,
    Automaton,
    Between,
    Concatenation,
    Described,
    Every,
    Pattern,
    Times,
    Where,
)
from tocsin.algebra.rule_warnings import contradiction, is_bounded, program_doubts
from tocsin.algebra.rules import Rule
from tocsin.errors import Source
from tocsin.languages.guards import parse_guard_text
from tocsin.rules.loader import load_expression
from tocsin.time.spans import parse_period

MINUTE = parse_period("1 min")
FOR_EVER = "remembers events for ever: nothing bounds its state"


def reason(guard: str) -> str | None:
    return contradiction(parse_guard_text(Source(guard)))


# -- state ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("([A], [B]){T = 5 min}", True),
        ("([A], [T in {T, B}]){T = 5 min}", True),
        ("([A] | [B], [C] ; [D]* [T in {T, E}]){T = 5 min}", True),
        ("([A], [B]){T = 5 min} | ([B], [A]){T = 1 min}", True),
        ("([A], ([B], [C]){U = 1 h}){T = 5 min}", True),
        ("([A], [[B] [C] in {B, X}]){T = 5 min}", True),
        ("(([A], [B]){T = 1 min}, [C]){U = 1 min}", True),
        ("[A] ; [B]", False),
        ("[A]*", False),
        ("([A] [B], [C]){T = 5 min}", False),  # it waits for B
        ("([A], [T] [B]){T = 5 min}", False),  # it waits for B when the time is over
        ("([A], [!X in {X, T}] [B]){T = 5 min}", False),  # T may be what is no X
        ("([A], [T]*){T = 5 min}", False),
        ("([A], [B]){T = 2026-11-15T20:00:00Z}", False),  # a time that is past does not end it
        ("([A], [B]){T = 5 min} || [C]", False),
    ],
)
def test_a_time_after_which_every_run_has_ended_bounds_an_automaton(expression: str, expected: bool) -> None:
    assert is_bounded(load_expression(expression, "core").rules[0]) == expected


@pytest.mark.parametrize(
    "pattern",
    [
        p("a"), AnyEvent(), Every(MINUTE), named("x", "a"), either(p("a"), p("b")), later(p("a"), "5 sec"), instant(p("a")),
        within(seq(p("a"), p("b")), "5 sec"), Between(both(p("a"), p("b")), 0, 5), Automaton(Atom(Described("a"))),
        Where(p("a"), parse_guard_text(Source("true"))), within(instant(seq(p("a"), p("b"))), "5 sec"),
        within(seq(instant(within(seq(p("a"), p("b")), "1 sec")), instant(p("c"))), "5 sec"),
    ],
)  # fmt: skip
def test_what_keeps_nothing_or_little_is_bounded(pattern: Pattern) -> None:
    assert is_bounded(Rule("r", pattern))


@pytest.mark.parametrize(
    "pattern",
    [
        seq(p("a"), p("b")), both(p("a"), p("b")), Times(2, p("a"), "k", True), either(p("a"), both(p("a"), p("b"))),
        later(seq(p("a"), p("b")), "5 sec"), named("x", both(p("a"), p("b"))), seq(p("a"), no("b"), p("c")),
        Automaton(Concatenation((Atom(Described("a")), Atom(Described("b"))), False)),
        within(seq(instant(seq(p("a"), p("b"))), p("c")), "5 sec"), Between(instant(instant(both(p("a"), p("b")))), 0, 5),
        within(within(both(p("c"), instant(seq(p("a"), p("b")))), "1 sec"), "5 sec"),
    ],
)  # fmt: skip
def test_what_waits_for_more_needs_a_window(pattern: Pattern) -> None:
    assert not is_bounded(Rule("r", pattern))
    assert is_bounded(Rule("r", pattern, window=MINUTE))


def test_an_unbounded_rule_is_pointed_out() -> None:
    (doubt,) = program_doubts(load_expression("a ; b", "eps"))
    assert str(doubt) == (f"<expression>:1:1: warning: rule 'rule' {FOR_EVER}\n  a ; b\n  ^^^^^\n  give it a window")


def test_a_window_around_an_instant_is_said_to_be_none_for_what_is_in_it() -> None:
    (doubt,) = program_doubts(load_expression("{a -> b} -> c in 5 seconds", "sel"))
    assert FOR_EVER in doubt.message
    assert doubt.hint is not None
    assert "{E} in 5 minutes" in doubt.hint
    assert program_doubts(load_expression("({a -> b} in 5 minutes) -> c in 5 seconds", "sel")) == []


# -- guards that can never hold --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("guard", "why"),
    [
        ("5 < 3", "it is always false"),
        ("false && 1 == 1", "it is always false"),
        ("'a' == 'b'", "it is always false"),
        ("x.v > 5 && x.v < 3", "> 5 and < 3 exclude each other"),
        ("x.v >= 5 && x.v < 5", ">= 5 and < 5 exclude each other"),
        ("x.v > 5 && x.v <= 5", "> 5 and <= 5 exclude each other"),
        ("x.v == 1 && x.v == 2", "== 1 and == 2 exclude each other"),
        ("x.v == 1 && x.v != 1", "== 1 and != 1 exclude each other"),
        ("x.v > 5 && x.v == 5", "> 5 and == 5 exclude each other"),
        ("x.v == 5 && x.v >= 6", ">= 6 and == 5 exclude each other"),
        ("5 < x.v && y.v > 1 && 3 > x.v", "> 5 and < 3 exclude each other"),
        ("x.k == 'a' && x.k == 'b'", "== 'a' and == 'b' exclude each other"),
        ("@y - @x > [5*sec] && @y - @x < [1*sec]", "> [5*sec] and < [1*sec] exclude each other"),
        ("[Sat] == @y && @y == [Sun]", "== [Sat] and == [Sun] exclude each other"),
        ("[10:00] <= @x && @x < [09:30]", ">= [10:00] and < [09:30] exclude each other"),
        ("x.v == 1 && (y.v < 1 && y.v > 1)", "> 1 and < 1 exclude each other"),
        ("(x.v < 1 && x.v > 1) || 5 < 3", "> 1 and < 1 exclude each other"),
        ("x.w > 0 && (x.v < 1 && x.v > 1 || 5 < 3)", "> 1 and < 1 exclude each other"),
    ],
)
def test_a_guard_that_can_never_hold(guard: str, why: str) -> None:
    assert reason(guard) == why


def test_many_bounds_are_not_compared_each_with_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of exceptions took half a minute; now only the tightest bounds are compared."""
    asked = []
    excludes = rule_warnings._excludes
    monkeypatch.setattr(rule_warnings, "_excludes", lambda *given: bool(asked.append(given)) or excludes(*given))
    exceptions = " && ".join(f"x.v != {number} && x.v > {number}" for number in range(500))
    assert reason(exceptions) is None
    assert reason(f"{exceptions} && x.v == 7") == "> 499 and == 7 exclude each other"
    assert len(asked) < 20


@pytest.mark.parametrize(
    "guard",
    [
        "x.v > 3 && x.v < 5", "x.v >= 5 && x.v <= 5", "x.v == 1 && x.v == 1.0", "x.v != 1 && x.v != 2", "x.v > 5 || x.v < 3",
        "x.v > 5 && y.v < 3", "x.v > 5 && x.w < 3", "x.v == 'a' && x.w == 'b'", "x.v > 5 && x.v < 'a'", "!(x.v > 5 && x.v < 3)",
        "[Mon] <= @x && @x <= [Fri]", "@x == [Sat] || @x == [Sun]", "@x > [Sat] && @x < [10:00]", "now > 5", "self == 'self'",
        "x.v > 5 && (x.v < 3 || x.v < 9)", "1 == 1", "x.v == null && x.v != true", "?x", "x.flag",
        "x.v <= 5 && x.v == 5", "x.v >= 5 && x.v == 5", "x.v < 5 && x.v != 5", "x.v == 4 && x.v < 5", "x.v == 4 && x.v <= 4",
    ],
)  # fmt: skip
def test_a_guard_that_may_hold_is_left_alone(guard: str) -> None:
    assert reason(guard) is None


def test_weekend_meant_as_both_days_is_pointed_out_where_it_stands(tmp_path: Path) -> None:
    """003's example 5, with `&&` where its author meant `||`."""
    text = """
        event backup
        event out
        rule r { y:backup when [Sat] == @y && @y == [Sun] ==> notify out }
        enable r
    """
    (doubt,) = script_doubts(tmp_path, text)
    assert doubt == "3:24 this guard can never hold: == [Sat] and == [Sun] exclude each other"


def test_conditions_and_guards_of_absences_are_looked_at_too(tmp_path: Path) -> None:
    assert condition_doubts("x.v > 5 && x.v < 3") == ["1:1 this guard can never hold: > 5 and < 3 exclude each other"]
    assert len(condition_doubts("true", "(x:a when 5 < 3) ; y:b", "gem")) == 2
    text = "event a(long v)\nevent b\nevent out\nrule r [1*min] { {x:a ; b} ! b when x.v > 5 && x.v < 5 ==> notify out }\nenable r"
    assert script_doubts(tmp_path, text) == ["4:37 this guard can never hold: > 5 and < 5 exclude each other"]


def test_a_guard_that_needs_what_must_be_absent(tmp_path: Path) -> None:
    text = "event a(long v)\nevent b(long v)\nevent out\nrule r [1*min] {{ {{x:a ; a}} ! w:b when {guard} ==> notify out }}\nenable r"
    message = "this guard can never hold: it decides with 'w' absent, and then this part is false"
    assert script_doubts(tmp_path, text.format(guard="x.v > 0 && w.v == x.v")) == [f"4:50 {message}"]
    assert script_doubts(tmp_path, text.format(guard="x.v > 0 || (?w && w.v == x.v)")) == []


# -- scripts -------------------------------------------------------------------------------------------------------


def test_a_rule_that_is_never_enabled(tmp_path: Path) -> None:
    text = "event a\nrule r { a ==> a }"
    assert script_doubts(tmp_path, text) == ["2:1 rule 'r' is never enabled, so it never fires"]


@pytest.mark.parametrize(
    "enabling", ["enable r", "enable *", "rule s { a ==> enable r }\nenable s", "disable r\nenable r"]
)
def test_a_rule_that_is_enabled_somehow(tmp_path: Path, enabling: str) -> None:
    assert script_doubts(tmp_path, f"event a\nrule r {{ a ==> a }}\n{enabling}") == []


def test_enabling_all_does_not_reach_rules_that_come_later(tmp_path: Path) -> None:
    text = "event a\nenable *\nrule r { a ==> enable }"
    assert script_doubts(tmp_path, text) == ["3:1 rule 'r' is never enabled, so it never fires"]


def test_an_event_that_is_never_used(tmp_path: Path) -> None:
    text = "event a\nevent b\nevent c\nevent out\nrule r { a & at[10:00] ==> b; notify out }\nenable r"
    assert "3:1 event 'c' is declared and never used" in script_doubts(tmp_path, text)
    assert len(script_doubts(tmp_path, text)) == 2


def test_any_event_uses_all(tmp_path: Path) -> None:
    assert script_doubts(tmp_path, "event a\nevent out\nrule r { * ==> notify out }\nenable r") == []


def test_a_rule_that_waits_for_itself() -> None:
    itself = shown(program_doubts(rule_program(p("r"))))
    assert itself == ["rule 'r' waits for an event of its own name, and does not see what it makes itself"]


def test_a_rule_that_is_switched_off_on_purpose_is_no_doubt() -> None:
    program = rule_program(p("a"))
    assert program_doubts(type(program)(program.statements[:1])) == []


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case.name)
def test_the_cases_raise_no_false_alarm(case: Case, tmp_path: Path) -> None:
    """What the cases say deliberately: rules without a window, rules that are never enabled, events nobody uses."""
    deliberate = (FOR_EVER, "so it never fires", "declared and never used")
    assert [
        doubt for doubt in shown(program_doubts(program_of(case, tmp_path))) if not doubt.endswith(deliberate)
    ] == []
