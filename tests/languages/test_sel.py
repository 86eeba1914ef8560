"""SEL event expressions (004): each form, how operators bind, and how expressions are written."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings

from tests.amounts import examples
from tests.conformance.cases import Case, all_cases
from tests.languages import strategies as own
from tests.languages.building import attribute, both, comparing, either, event, microseconds
from tocsin.algebra.guards import Call, Literal
from tocsin.algebra.patterns import (
    Absence,
    After,
    AnyEvent,
    AtInstant,
    Between,
    Concurrent,
    Every,
    Instant,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Times,
    Where,
    Within,
)
from tocsin.errors import RuleError, Source, Span
from tocsin.languages import sel
from tocsin.time.calendar import parse_instant
from tocsin.time.spans import DAY, HOUR, MINUTE, SECOND, Period, parse_period

A, B, C, D, E, F = (event(name) for name in "abcdef")
PC, PI = Primitive("c"), Primitive("i")
TRUE = Literal(True)


def parse(text: str) -> Pattern:
    return sel.parse(Source(text))


def then(*parts: Pattern) -> Pattern:
    return Sequence(parts, Precedence.GAP)


def within(pattern: Pattern, span: str) -> Pattern:
    return Within(pattern, parse_period(span))


# 004's own expressions; where it prints an arrow it is one here, and the arrow in the text must read the same.
PAPER = [
    # II.B
    ("a -> (f&!e) -> b", then(A, both(F, Never(E)), B)),
    ("(!e -> f) in 2 minutes", within(then(Never(E), F), "2 min")),
    # II.C
    ("a -> !(c|d|e) -> b", then(A, Never(either(C, D, E)), B)),
    ("{a -> b} -> {c -> d}", then(Instant(then(A, B)), Instant(then(C, D)))),
    # II.D
    (
        "!LinkADownAlert -> {LinkADown -> !LinkAUp in 2 minutes} in 5 minutes",
        within(
            then(Never(event("LinkADownAlert")), Instant(within(then(event("LinkADown"), Never(event("LinkAUp"))), "2 min"))),
            "5 min",
        ),
    ),
    # III.C 1-7
    ("a -> !b in 20 seconds", within(then(A, Never(B)), "20 sec")),
    ("!b -> a in 5 minutes", within(then(Never(B), A), "5 min")),
    ("a -> !c -> b in 40 seconds", within(then(A, Never(C), B), "40 sec")),
    ("a -> !b -> b in 2 minutes", within(then(A, Never(Primitive("b")), Primitive("b")), "2 min")),
    (
        "!c -> ({a -> !b} in 2 minutes) in 5 minutes",
        within(then(Never(C), within(Instant(then(A, Never(B))), "2 min")), "5 min"),
    ),
    (
        "(!b -> a in 20 seconds) -> (c & (d | !e) in 2 minutes)",
        then(within(then(Never(B), A), "20 sec"), within(both(C, either(D, Never(E))), "2 min")),
    ),
    (
        "c -> !i -> c -> !i -> c -> !i -> c in 730 days",
        within(then(PC, Never(PI), PC, Never(PI), PC, Never(PI), PC), "730 days"),
    ),
    ("(c -> !i)*[3, 3] -> c in 730 days", within(then(Repeat(then(PC, Never(event("i"))), 3, 3), PC), "730 days")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), PAPER)
def test_the_papers_expressions(text: str, expected: Pattern) -> None:
    assert parse(text) == parse(text.replace("->", "→")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a -> b | c & d", then(A, either(B, both(C, D)))),
        ("a & b | c -> d", then(either(both(A, B), C), D)),
        ("!a & b", both(Never(A), B)),
        ("!(a & b)", Never(both(A, B))),
        ("!!a", Never(Never(A))),
        ("!a*2", Never(Repeat(A, 2, 2))),
        ("(!a)*2", Repeat(Never(A), 2, 2)),
        ("!a delta 5 seconds", Never(After(A, microseconds(5 * SECOND), instant=True))),
        ("a & b delta 1 hour", both(A, After(B, microseconds(HOUR), instant=True))),
        ("a*2 delta 1 hour", After(Repeat(A, 2, 2), microseconds(HOUR), instant=True)),
        ("x:a*2", Repeat(event("a", "x"), 2, 2)),
        ("x:(a*[2,4])", Named("x", Repeat(A, 2, 4))),
        ("x:y:a", Named("x", event("a", "y"))),
        ("x:{a -> b}", Named("x", Instant(then(A, B)))),
        ("(a -> b) -> c", then(A, B, C)),
        ("a -> (b -> c)", then(A, then(B, C))),
        ("a -> b if a.k > 1", Where(then(A, B), comparing("a.k", ">", 1))),
        ("(x:a if x.k == 1) -> b", then(Where(event("a", "x"), comparing("x.k", "==", 1)), B)),
        ("a if true in 1 hour", within(Where(A, TRUE), "1 h")),
        ("(a if true) in 1 hour", within(Where(A, TRUE), "1 h")),
        ("a in 1 hour if true", Where(within(A, "1 h"), TRUE)),
        ("a if true if false", Where(Where(A, TRUE), Literal(False))),
        ("a in 1 hour in 2 hours", within(within(A, "1 h"), "2 h")),
        ("a -> b in 1 hour at [0, 5]", Between(within(then(A, B), "1 h"), 0, 5 * SECOND)),
        ("a if a.k in (1, 2) in 1 hour", within(Where(A, Call("in", (attribute("a.k"), Literal(1), Literal(2)))), "1 h")),
        ("x:a -> !(y:b if y.k == x.k)", then(event("a", "x"), Never(Where(event("b", "y"), comparing("y.k", "==", attribute("x.k")))))),
        ("'com.example.up' -> \"delta\"", then(event("com.example.up"), event("delta"))),
        ("a // first\n -> /* then */ b", then(A, B)),
    ],
)  # fmt: skip
def test_operators_bind_as_in_the_table(text: str, expected: Pattern) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("span", "period"),
    [
        ("20 seconds", microseconds(20 * SECOND)),
        ("1 second", microseconds(SECOND)),
        ("5 minutes", microseconds(5 * MINUTE)),
        ("2 hours", microseconds(2 * HOUR)),
        ("730 days", microseconds(730 * DAY)),
        ("20seconds", microseconds(20 * SECOND)),
        ("2.5 h", microseconds(2 * HOUR + 30 * MINUTE)),
        ("250 ms", microseconds(250_000)),
        ("1 hour 30 minutes", microseconds(90 * MINUTE)),
        ("1h30m", microseconds(90 * MINUTE)),
        ("1 year 6 months", Period(1, 6)),
        ("20 // of them\n seconds", microseconds(20 * SECOND)),
    ],
)
def test_spans(span: str, period: Period) -> None:
    assert parse(f"a in {span}") == Within(A, period)
    assert parse(f"a delta {span} -> b") == parse(f"a Δ {span} -> b") == then(After(A, period, instant=True), B)


def test_a_delta_may_be_nothing_and_a_window_may_not() -> None:
    assert parse("a delta 0 seconds") == After(A, Period(), instant=True)
    with pytest.raises(RuleError):
        parse("a in 0 seconds")


@pytest.mark.parametrize(
    ("written", "instant"),
    [
        ("0", 0),
        ("12.5", 12_500_000),
        ("-1.25", -1_250_000),
        ("0.1234567", 123_456),
        ("2026-11-15T20:00:00Z", parse_instant("2026-11-15T20:00:00Z")),
        ("2026-11-15T20:00:00.25+01:00", parse_instant("2026-11-15T19:00:00.25Z")),
        ("2026-11-15", parse_instant("2026-11-15T00:00:00Z")),
        ("2026/11/15 20:00:00", parse_instant("2026-11-15T20:00:00Z")),
        ("20:00 15/11/2026", parse_instant("2026-11-15T20:00:00Z")),
        ("20:00:00.250 Sun 15/Nov/2026", parse_instant("2026-11-15T20:00:00.25Z")),
        ("15/5/95", parse_instant("1995-05-15T00:00:00Z")),
    ],
)
def test_times_of_a_fixed_window(written: str, instant: int) -> None:
    assert parse(f"a at [{written}, 9999-12-31]") == Between(A, instant, parse_instant("9999-12-31T00:00:00Z"))
    assert parse(f"a at[0001-01-01,{written}]") == Between(A, parse_instant("0001-01-01T00:00:00Z"), instant)


# -- writing ---------------------------------------------------------------------------------------------------------

thorough = settings(
    max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@given(own.SEL_PATTERNS)
@example(Named("x", Named("a", Primitive("a"))))
@example(Never(Named("x", Never(A))))
@example(Within(Where(Within(A, Period(months=1)), Literal(5)), Period(microseconds=1)))
@example(After(After(A, Period(), instant=True), Period(1, 2, 3), instant=True))
@thorough
def test_what_is_written_is_read_again(pattern: Pattern) -> None:
    text = sel.render(pattern)
    assert parse(text) == pattern
    assert sel.render(parse(text)) == text


CASES = [case for case in all_cases() if case.languages == {"sel"} and "expr" in case.fields]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_case_is_written_and_read_again(case: Case) -> None:
    pattern = parse(case.fields["expr"])
    assert parse(sel.render(pattern)) == pattern


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("((a))", "a"),
        ("(a -> !b) in 65 sec", "a -> !b in 65 seconds"),
        ("a in 90 min", "a in 90 minutes"),
        ("a in 86400 s", "a in 1 day"),
        ("a in 1 sec", "a in 1 second"),
        ("a in 1500 ms", "a in 1.5 seconds"),
        ("a in 14 months 1 min", "a in 1 year 2 months 1 minute"),
        ("a delta 0 min", "a delta 0 seconds"),
        ("a at [0, 2026/11/15]", "a at [1970-01-01T00:00:00Z, 2026-11-15T00:00:00Z]"),
        ("(a if (true)) in 1 h", "a if true in 1 hour"),
        ("a in 1 h if true", "(a in 1 hour) if true"),
        ("a in 1 h in 2 h", "(a in 1 hour) in 2 hours"),
        ("(a & b) -> (c | d)", "a & b -> c | d"),
        ("(a -> b) & c", "(a -> b) & c"),
        ("(a -> b) -> c", "a -> b -> c"),
        ("a -> (b -> c)", "a -> (b -> c)"),
        ("! (! a)", "!!a"),
        ("!(a)*[2,2]", "!a*2"),
        ("(a*2)*[1,3]", "a*2*[1, 3]"),
        ("x:(a*2)", "x:(a*2)"),
        ("{ (a→b) }", "{a -> b}"),
        ("'in' -> 'a b'", '"in" -> "a b"'),
    ],
)
def test_expressions_are_written_without_needless_parentheses(text: str, written: str) -> None:
    assert sel.render(parse(text)) == written


@pytest.mark.parametrize(
    ("pattern", "construct"),
    [
        (Absence(A, B, C), "absence between two events"),
        (Times(2, A, "k", True), "TimesEq"),
        (Concurrent(A, B), "concurrency"),
        (AnyEvent(), "any event"),
        (Every(microseconds(SECOND)), "a periodic timer"),
        (AtInstant(0), "an absolute timer"),
        (After(A, microseconds(1)), "GEM's `e + [t]`"),
        (Sequence((A, B)), "the order of ends"),
        (Sequence((A, B), Precedence.GLOBAL), "2g-precedence"),
        (Sequence((), Precedence.GAP), "a chain of nothing"),
        (Primitive("a", "s1"), "at a site"),
        (Within(A, microseconds(-1)), "a negative span"),
    ],
)
def test_what_sel_lacks_is_named(pattern: Pattern, construct: str) -> None:
    with pytest.raises(RuleError) as caught:
        sel.render(both(D, pattern))
    assert "SEL has no way to write" in str(caught.value)
    assert construct in str(caught.value)


def test_spans_cover_what_was_read() -> None:
    text = "  x:a -> !(b | c)*2 if x.k > 1 in 5 min"
    window = parse(text)
    assert isinstance(window, Within)
    guarded = window.pattern
    assert isinstance(guarded, Where)
    sequence = guarded.pattern
    assert isinstance(sequence, Sequence)
    spans = [window.span, guarded.span, sequence.span, *(part.span for part in sequence.parts)]
    assert spans == [Span(2, len(text)), Span(2, 30), Span(2, 19), Span(2, 5), Span(9, 19)]
    braces = parse("{a} delta 5 s at [1, 2]")
    assert isinstance(braces, Between)
    assert isinstance(braces.pattern, After)
    assert [part.span for part in (braces, braces.pattern, braces.pattern.pattern)] == [
        Span(0, 23),
        Span(0, 13),
        Span(0, 3),
    ]
