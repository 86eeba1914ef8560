"""EPS event expressions (000 section 5): each form, how operators bind, and how expressions are written."""

from __future__ import annotations

import pytest

from tests.languages.building import both, either, event, microseconds, then
from tocsin.algebra.guards import Literal
from tocsin.algebra.patterns import (
    Absence,
    After,
    AnyEvent,
    At,
    AtInstant,
    Concurrent,
    Every,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Times,
    Where,
)
from tocsin.errors import RuleError, Source, Span
from tocsin.languages import eps
from tocsin.time.calendar import TimePoint, parse_instant
from tocsin.time.spans import DAY, MINUTE, SECOND, Period

A, B, C, D = (event(name) for name in "abcd")


def parse(text: str) -> Pattern:
    return eps.parse(Source(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 000 section 5
        (
            "TimesEq(3, E1, attr1) || (E2; E1)",
            either(Times(3, Primitive("E1"), "attr1", True), then(event("E2"), Primitive("E1"))),
        ),
        ("at(E, 0/0/2 0:01:05)", After(event("E"), microseconds(2 * DAY + MINUTE + 5 * SECOND))),
        # 000 section 6, Fig. 2
        ("(E1 & E2) & E3", both(event("E1"), event("E2"), event("E3"))),
        ("E1 & E2", both(event("E1"), event("E2"))),
        # 000 section 8.2
        ("s:st ; r:rt", then(event("st", "s"), event("rt", "r"))),
        # the conformance cases
        ("TimesEq(2, e, k)", Times(2, event("e"), "k", True)),
        ("TimesDf(3, scan, port)", Times(3, event("scan"), "port", False)),
        ("x:e1 & y:e2", both(event("e1", "x"), event("e2", "y"))),
        # further forms
        ("a", A),
        ("x:a", event("a", "x")),
        ("x:y:a", Named("x", event("a", "y"))),
        ("x:(a ; b)", Named("x", then(A, B))),
        ("'com.example.login' ; \"b\"", then(event("com.example.login"), B)),
        ("TimesEq(1, x:'com.example.login', 'user-id')", Times(1, event("com.example.login", "x"), "user-id", True)),
        ("at(2026/11/15 20:00:00)", AtInstant(parse_instant("2026-11-15T20:00:00Z"))),
        ("at(2026-11-15T20:00:00.25Z)", AtInstant(parse_instant("2026-11-15T20:00:00.25Z"))),
        ("every(0/0/1 0:00:00)", Every(microseconds(DAY))),
        ("every(1/6/0)", Every(Period(1, 6))),
        ("every(5 min)", Every(microseconds(5 * MINUTE))),
        ("at(a ; b || c, 0/1/0 0:00:00.5)", After(either(then(A, B), C), Period(0, 1, SECOND // 2))),
        ("a // with a comment\n ; /* and\n another */ b", then(A, B)),
    ],
)
def test_forms(text: str, expected: Pattern) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a & b ; c || d", either(then(both(A, B), C), D)),
        ("a || b ; c & d", either(A, then(B, both(C, D)))),
        ("a ; b & c ; d", then(A, both(B, C), D)),
        ("a ; b ; c", then(A, B, C)),
        ("(a ; b) ; c", then(A, B, C)),
        ("((a ; b) ; c) ; d", then(A, B, C, D)),
        ("a ; (b ; c)", then(A, then(B, C))),
        ("a ; (b ; c) ; d", then(A, then(B, C), D)),
        ("a & (b & c)", both(A, both(B, C))),
        ("(a || b) || (c || d)", either(A, B, either(C, D))),
        ("x:a ; b", then(event("a", "x"), B)),
        ("(x:(a ; b)) ; c", then(Named("x", then(A, B)), C)),
    ],
)
def test_operators_bind_and_associate_to_the_left(text: str, expected: Pattern) -> None:
    assert parse(text) == expected


def test_a_type_that_occurs_twice_names_itself_nowhere() -> None:
    assert parse("a ; a ; b") == then(Primitive("a"), Primitive("a"), B)
    assert parse("b:a ; b") == then(event("a", "b"), Primitive("b"))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("((a))", "a"),
        ("(a & b) ; (c || d)", "a & b ; (c || d)"),
        ("(a ; b) ; c", "a ; b ; c"),
        ("a ; (b ; c)", "a ; (b ; c)"),
        ("x:(a)", "x:a"),
        ("x:(a;b)", "x:(a ; b)"),
        ("'at' ; 'a b'", '"at" ; "a b"'),
        ("every(36 hours)", "every(0/0/1 12:00:00)"),
        ("at(2026-11-15T20:00:00.250Z)", "at(2026/11/15 20:00:00.25)"),
        ("TimesEq(2,x:e,'a b')", 'TimesEq(2, x:e, "a b")'),
        ("a:a ; a", "a:a ; a"),
    ],
)
def test_expressions_are_written_without_needless_parentheses(text: str, written: str) -> None:
    assert eps.render(parse(text)) == written


def test_an_exact_time_point_is_written_as_an_absolute_timer() -> None:
    assert eps.render(At(TimePoint(20, 0, day=15, month=11, year=2026))) == "at(2026/11/15 20:00:00)"


@pytest.mark.parametrize(
    ("pattern", "construct"),
    [
        (Never(A), "free negation"),
        (Where(A, Literal(True)), "a guard inside the expression"),
        (Absence(A, B, C), "absence between two events"),
        (At(TimePoint(10, 0)), "a partial time point"),
        (AnyEvent(), "any event"),
        (Repeat(A, 2, 3), "repetition"),
        (Concurrent(A, B), "concurrency"),
        (After(A, microseconds(1), instant=True), "delta"),
        (Sequence((A, B), Precedence.GAP), "without overlap"),
        (Sequence((A, B), Precedence.GLOBAL), "2g-precedence"),
        (Sequence(()), "a chain of nothing"),
        (Primitive("a", "s1"), "at a site"),
        (Times(2, both(A, B), "k", True), "anything but an event type"),
        (Every(microseconds(-1)), "negative span"),
    ],
)
def test_what_eps_lacks_is_named(pattern: Pattern, construct: str) -> None:
    with pytest.raises(RuleError) as caught:
        eps.render(pattern)
    assert "EPS has no way to write" in str(caught.value)
    assert construct in str(caught.value)


def test_spans_cover_what_was_read() -> None:
    pattern = parse("x:a & (b ; c)")
    assert pattern.span == Span(0, 13)
    assert isinstance(pattern, both(A).__class__)
    named, group = pattern.parts  # type: ignore[attr-defined]  # the line above says so
    assert (named.span, named.pattern.span, group.span) == (Span(0, 3), Span(2, 3), Span(6, 13))
    assert [part.span for part in group.parts] == [Span(7, 8), Span(11, 12)]
    times = parse(" TimesEq(2, e, k) ")
    assert times.span == Span(1, 17)
