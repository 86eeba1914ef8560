"""GEM event expressions (003 section 2): each form, how operators bind, and how expressions are written."""

from __future__ import annotations

import pytest

from tests.languages.building import all_of, attribute, both, comparing, either, event, lasting, microseconds, then
from tocsin.algebra.guards import Attribute, Binary, End, Guard, Literal, Occurred, Point, Reference, SourceOf, Start
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
    Sequence,
    Times,
    Where,
    Within,
)
from tocsin.errors import RuleError, Source, Span
from tocsin.languages import gem
from tocsin.time.calendar import TimePoint
from tocsin.time.spans import DAY, HOUR, MINUTE, SECOND

A, B, C, D, E = (event(name) for name in "abcde")
E1, E2, E3 = event("e1"), event("e2"), event("e3")
TRUE = Literal(True)


def parse(text: str) -> Pattern:
    return gem.parse(Source(text))


def at(**fields: int) -> At:
    return At(TimePoint(**fields))


def point(**fields: int) -> Guard:
    return Point(TimePoint(**fields))


SECTION_2_1 = [
    ("every[min]", Every(microseconds(MINUTE))),
    ("every[2*day]", Every(microseconds(2 * DAY))),
    ("every[day+12*hour]", Every(microseconds(DAY + 12 * HOUR))),
    ("every[65*sec]", Every(microseconds(MINUTE + 5 * SECOND))),
    ("at[01:30 Thu 29/Feb/1996]", at(hour=1, minute=30, weekday=3, day=29, month=2, year=1996)),
    # Table 1
    ("at[10:30]", at(hour=10, minute=30)),
    ("at[Fri]", at(weekday=4)),
    ("at[29/Feb/96]", at(day=29, month=2, year=1996)),
    ("at[01:30 29/Feb/96]", at(hour=1, minute=30, day=29, month=2, year=1996)),
    ("at[01:30 Fri]", at(hour=1, minute=30, weekday=4)),
    ("at[01:30 -/Feb/96]", at(hour=1, minute=30, month=2, year=1996)),
    ("at[Fri 13/-/-]", at(weekday=4, day=13)),
    ("at[1/-/96]", at(day=1, year=1996)),
    ("*", AnyEvent()),
    ("[10:30]", at(hour=10, minute=30)),
]

SECTION_2_2 = [
    ("e1 & e2", both(E1, E2)),
    ("(e1 & e2) + [1*day+12*hour]", After(both(E1, E2), microseconds(DAY + 12 * HOUR))),
    ("{e1 ; e2} ! e3", Absence(E1, E2, E3)),
    ("e1 | e2", either(E1, E2)),
    ("e1 ; e2", then(E1, E2)),
    ("(e1 & e2) when (@e1 < @e2)", Where(both(E1, E2), Binary("<", End("e1"), End("e2")))),
]

SECTION_2_3 = [
    ("temp_update when temp_update.t > 10", Where(event("temp_update"), comparing("temp_update.t", ">", 10))),
    (
        "((e1 when e1.a=<10) & (e2 when e2.b>20))\nwhen (e1.c==e2.d) && (e1.e>=e2.f)",
        Where(
            both(Where(E1, comparing("e1.a", "<=", 10)), Where(E2, comparing("e2.b", ">", 20))),
            all_of(comparing("e1.c", "==", attribute("e2.d")), comparing("e1.e", ">=", attribute("e2.f"))),
        ),
    ),
    ("x:(e1;e1;y:e1)", Named("x", then(Primitive("e1"), Primitive("e1"), event("e1", "y")))),
    (
        "x: (e1 & e2 & e3) when (@x - |@x) < [3*sec]",
        Where(
            Named("x", both(E1, E2, E3)),
            Binary("<", Binary("-", End("x"), Start("x")), lasting(3 * SECOND)),
        ),
    ),
    ("at[10:00] ; e1 ; at[12:00]", then(at(hour=10, minute=0), E1, at(hour=12, minute=0))),
    (
        "e1 when ([10:00] < @e1 ) && ( @e1 < [12:00])",
        Where(
            E1,
            all_of(Binary("<", point(hour=10, minute=0), End("e1")), Binary("<", End("e1"), point(hour=12, minute=0))),
        ),
    ),
]

SECTION_5_AND_6 = [
    ("({e1 ; e2} ! e3) + [6*sec]", After(Absence(E1, E2, E3), microseconds(6 * SECOND))),
    ("(a & b) ; ((c ; d) ! e)", then(both(A, B), Absence(C, D, E))),
    ("(a & b) ; ({c ; d} ! e)", then(both(A, B), Absence(C, D, E))),
]


@pytest.mark.parametrize(("text", "expected"), [*SECTION_2_1, *SECTION_2_2, *SECTION_2_3, *SECTION_5_AND_6])
def test_the_papers_expressions(text: str, expected: Pattern) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a & b ; c | d", either(then(both(A, B), C), D)),
        ("a | b ; c & d", either(A, then(B, both(C, D)))),
        ("a ; b ; c", then(A, B, C)),
        ("(a ; b) ; c", then(A, B, C)),
        ("a ; (b ; c)", then(A, then(B, C))),
        ("x:a + [1*sec]", After(event("a", "x"), microseconds(SECOND))),
        ("x:(a + [1*sec])", Named("x", After(A, microseconds(SECOND)))),
        ("a & b + [1*sec]", both(A, After(B, microseconds(SECOND)))),
        ("a + [1*sec] + [2*sec]", After(After(A, microseconds(SECOND)), microseconds(2 * SECOND))),
        ("{a ; b} ! c + [1*sec]", Absence(A, B, After(C, microseconds(SECOND)))),
        ("{a ; b} ! c & d", both(Absence(A, B, C), D)),
        ("a & {b ; c} ! d", both(A, Absence(B, C, D))),
        ("{a ; b ; c} ! d", Absence(then(A, B), C, D)),
        ("{(a ; b) ; c} ! d", Absence(then(A, B), C, D)),
        ("{a ; (b ; c)} ! d", Absence(A, then(B, C), D)),
        ("{a & b ; c} ! (d | e)", Absence(both(A, B), C, either(D, E))),
        ("a | b when a.x > 1", Where(either(A, B), comparing("a.x", ">", 1))),
        ("a ; b when a.x > 1", Where(then(A, B), comparing("a.x", ">", 1))),
        ("a when a.x > 1 when a.y > 2", Where(Where(A, comparing("a.x", ">", 1)), comparing("a.y", ">", 2))),
        ("x:y:a", Named("x", event("a", "y"))),
        ("'com.example.login' ; \"when\"", then(event("com.example.login"), event("when"))),
        ("a ; * ; *", then(A, AnyEvent(), AnyEvent())),
        ("a \\\n ; b // c", then(A, B)),
    ],
)
def test_operators_bind_as_in_the_table(text: str, expected: Pattern) -> None:
    assert parse(text) == expected


class TestGuardOfAnAbsence:
    def test_written_on_it_it_is_its_own(self) -> None:
        guarded = Absence(A, B, C, comparing("c.x", ">", 1))
        assert parse("{a ; b} ! c when c.x > 1") == guarded
        assert parse("({a ; b} ! c) when c.x > 1") == guarded
        assert parse("((({a ; b} ! c))) when (c.x > 1)") == guarded

    def test_a_second_one_is_about_the_occurrence(self) -> None:
        expected = Where(Absence(A, B, C, comparing("c.x", ">", 1)), comparing("b.y", ">", 2))
        assert parse("({a ; b} ! c when c.x > 1) when b.y > 2") == expected
        assert parse("{a ; b} ! c when c.x > 1 when b.y > 2") == expected

    def test_one_on_something_around_it_is_not_its_own(self) -> None:
        assert parse("x:({a ; b} ! c) when true") == Where(Named("x", Absence(A, B, C)), TRUE)
        assert parse("d ; {a ; b} ! c when true") == Where(then(D, Absence(A, B, C)), TRUE)

    def test_an_absence_under_a_guard_of_another_kind_keeps_its_meaning_when_written(self) -> None:
        bare = Absence(A, B, C)
        names_c, names_b = comparing("c.x", ">", 1), comparing("b.x", ">", 1)
        assert gem.render(Where(bare, names_b)) == "{a ; b} ! c when b.x > 1"  # means the same
        assert gem.render(Where(bare, names_c)) == "({a ; b} ! c when true) when c.x > 1"


def test_example_7() -> None:
    guard = Binary(
        "||",
        all_of(Occurred("z"), Binary("==", Reference("x"), Reference("y"))),
        all_of(Occurred("w"), Binary("==", SourceOf("x"), SourceOf("w"))),
    )
    later = Named("z", After(event("ALARM_A", "y"), microseconds(MINUTE)))
    assert parse(
        "({x:ALARM_A ; z:(y:ALARM_A + [1*min])} ! w:ALARM_B) when (?z && (x == y)) || (?w && ($x == $w))"
    ) == Absence(event("ALARM_A", "x"), later, event("ALARM_B", "w"), guard)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("((a))", "a"),
        ("(a & b) ; ((c ; d) ! e)", "a & b ; {c ; d} ! e"),
        ("(a ; b) & c", "(a ; b) & c"),
        ("a ; (b ; c)", "a ; (b ; c)"),
        ("{(a ; b) ; (c ; d)} ! (e ; f)", "{a ; b ; (c ; d)} ! (e ; f)"),
        ("(a & b) + [65*sec]", "(a & b) + [1*min+5*sec]"),
        ("(a when a.x > 1) ; b", "(a when a.x > 1) ; b"),
        ("(a ; b) when (a.x > 1)", "a ; b when a.x > 1"),
        ("({a;b}!c) & d", "{a ; b} ! c & d"),
        ("({a;b}!c) + [1*sec]", "({a ; b} ! c) + [1*sec]"),
        ("({a;b}!c when true) ; d", "({a ; b} ! c when true) ; d"),
        ("[Friday 13/-/-]", "at[Fri 13/-/-]"),
        ("x:(y:*)", "x:y:*"),
        ("'every' ; 'a b'", '"every" ; "a b"'),
    ],
)
def test_expressions_are_written_without_needless_parentheses(text: str, written: str) -> None:
    assert gem.render(parse(text)) == written


def test_an_absolute_timer_is_written_as_an_exact_time_point() -> None:
    instant = TimePoint(20, 0, 0, 250, day=15, month=11, year=2026).instant()
    assert gem.render(AtInstant(instant)) == "at[20:00:00.250 15/Nov/2026]"
    with pytest.raises(RuleError, match="finer than a millisecond"):
        gem.render(AtInstant(instant + 1))


@pytest.mark.parametrize(
    ("pattern", "construct"),
    [
        (Never(A), "free negation"),
        (Times(2, A, "k", True), "TimesEq"),
        (Within(A, microseconds(1)), "a sliding window"),
        (Concurrent(A, B), "concurrency"),
        (After(A, microseconds(1), instant=True), "delta"),
        (Sequence((A, B), Precedence.GAP), "without overlap"),
        (Absence(A, B, C, order=Precedence.GLOBAL), "2g-precedence"),
        (Primitive("a", "s1"), "at a site"),
    ],
)
def test_what_gem_lacks_is_named(pattern: Pattern, construct: str) -> None:
    with pytest.raises(RuleError) as caught:
        gem.render(both(D, pattern))
    assert "GEM has no way to write" in str(caught.value)
    assert construct in str(caught.value)


@pytest.mark.parametrize("pattern", [Primitive(""), Named("now", then(A, B)), Named("x y", A), Primitive("a\udc00")])
def test_names_that_cannot_be_read_are_not_written(pattern: Pattern) -> None:
    with pytest.raises(RuleError):
        gem.render(pattern)


def test_spans_cover_what_was_read() -> None:
    text = "  ({a ; b} ! c) when a.x > 1"
    pattern = parse(text)
    assert isinstance(pattern, Absence)
    assert pattern.span == Span(2, len(text))
    parts = [pattern.first, pattern.last, pattern.without]
    assert [part.span for part in parts] == [Span(4, 5), Span(8, 9), Span(13, 14)]
    assert pattern.guard is not None
    assert pattern.guard.span == Span(21, 28)
    assert isinstance(pattern.guard, Binary)
    assert pattern.guard.left == Attribute("a", "x")
    later = parse("a + [5*sec] ; at[10:30] ; every[min] ; *")
    assert isinstance(later, Sequence)
    assert [part.span for part in later.parts] == [Span(0, 11), Span(14, 23), Span(26, 36), Span(39, 40)]
