"""The guard grammar: what each form means, how operators bind, and how guards are written."""

from __future__ import annotations

import pytest

from tocsin.algebra.functions import FUNCTIONS
from tocsin.algebra.guards import (
    Attribute,
    Binary,
    Call,
    Duration,
    End,
    Guard,
    Literal,
    Negative,
    Now,
    Occurred,
    Point,
    Reference,
    Self,
    SourceOf,
    Start,
)
from tocsin.errors import RuleError, Source, Span
from tocsin.languages.guards import parse_guard_text, render_guard
from tocsin.time.calendar import TimePoint
from tocsin.time.spans import DAY, HOUR, MINUTE, SECOND, Period

X, Y = Attribute("x", "a"), Attribute("y", "b")


def parse(text: str) -> Guard:
    return parse_guard_text(Source(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"text"', Literal("text")),
        ("'it\\'s'", Literal("it's")),
        ("5", Literal(5)),
        ("5.0", Literal(5.0)),
        ("1e3", Literal(1000.0)),
        ("-5", Literal(-5)),
        ("- 2.5", Literal(-2.5)),
        ("-(5)", Negative(Literal(5))),
        ("--5", Negative(Literal(-5))),
        ("true", Literal(True)),
        ("false", Literal(False)),
        ("null", Literal(None)),
        ("now", Now()),
        ("self", Self()),
        ("x", Reference("x")),
        ("x.a", X),
        ("x.'user-id'", Attribute("x", "user-id")),
        ("x.in", Attribute("x", "in")),
        ("@x", End("x")),
        ("|@x", Start("x")),
        ("$x", SourceOf("x")),
        ("?x", Occurred("x")),
        ("é.ü", Attribute("é", "ü")),
        ("[5*sec]", Duration(Period(microseconds=5 * SECOND))),
        ("[min]", Duration(Period(microseconds=MINUTE))),
        ("[2*day+12*hour]", Duration(Period(microseconds=2 * DAY + 12 * HOUR))),
        ("[65*sec]", Duration(Period(microseconds=MINUTE + 5 * SECOND))),
        ("[1h30m]", Duration(Period(microseconds=HOUR + 30 * MINUTE))),
        ("[PT5M]", Duration(Period(microseconds=5 * MINUTE))),
        ("[5*sec /* really */\n]", Duration(Period(microseconds=5 * SECOND))),
        ("5 min", Duration(Period(microseconds=5 * MINUTE))),
        ("2.5 h", Duration(Period(microseconds=2 * HOUR + 30 * MINUTE))),
        ("10sec", Duration(Period(microseconds=10 * SECOND))),
        ("1 year", Duration(Period(years=1))),
        ("-5 min", Negative(Duration(Period(microseconds=5 * MINUTE)))),
        ("[10:00]", Point(TimePoint(10, 0))),
        ("[Mon]", Point(TimePoint(weekday=0))),
        ("[24/Dec/95]", Point(TimePoint(day=24, month=12, year=1995))),
        ("[10:30:0.0 Mon 15/5/95]", Point(TimePoint(10, 30, 0, 0, 0, 15, 5, 1995))),
        ("abs(x.a)", Call("abs", (X,))),
        ("during(x, y)", Call("during", (Reference("x"), Reference("y")))),
        ("contains(x.a, 'ex')", Call("contains", (X, Literal("ex")))),
        ("count(x)", Call("count", (Reference("x"),))),
        ("x.a in ('p', \"q\")", Call("in", (X, Literal("p"), Literal("q")))),
        ("x.a in (1)", Call("in", (X, Literal(1)))),
        ("min(x.a) < 5 min", Binary("<", Call("min", (X,)), Duration(Period(microseconds=5 * MINUTE)))),
    ],
)
def test_values(text: str, expected: Guard) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("x.a == 1", "x.a = 1"),
        ("x.a <= 1", "x.a =< 1"),
        ("x.a && y.b", "x.a and y.b"),
        ("x.a || y.b", "x.a or y.b"),
        ("!x.a", "not x.a"),
        ("x.a || y.b && x.a", "x.a || (y.b && x.a)"),
        ("!x.a == 1", "!(x.a == 1)"),
        ("!x.a && y.b", "(!x.a) && y.b"),
        ("x.a && !y.b || x.a", "(x.a && (!y.b)) || x.a"),
        ("x.a + 1 < y.b * 2", "(x.a + 1) < (y.b * 2)"),
        ("1 + 2 * 3 - 4", "(1 + (2 * 3)) - 4"),
        ("1 - 2 - 3", "(1 - 2) - 3"),
        ("8 / 4 % 3", "(8 / 4) % 3"),
        ("-x.a * 2", "(-x.a) * 2"),
        ("2 - -3", "2 - (-3)"),
        ("x.a + 1 in (2, 3)", "(x.a + 1) in (2, 3)"),
        ("!x.a in (2)", "!(x.a in (2))"),
        ("@x - |@x < [3*sec]", "(@x - |@x) < [3*sec]"),
        ("?z && x == y || ?w && $x == $w", "(?z && (x == y)) || (?w && ($x == $w))"),
    ],
)
def test_binding(text: str, same: str) -> None:
    assert parse(text) == parse(same)


@pytest.mark.parametrize("operator", ["==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "//", "%", "&&", "||"])
def test_every_operator(operator: str) -> None:
    assert parse(f"x.a {operator} y.b") == Binary(operator, X, Y)
    assert parse(f"x.a{operator}y.b") == Binary(operator, X, Y)


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - {"in"}))
def test_every_function(name: str) -> None:
    arguments = (X, Y)[: FUNCTIONS[name].least]
    assert parse(f"{name}({', '.join(['x.a', 'y.b'][: len(arguments)])})") == Call(name, arguments)


@pytest.mark.parametrize("name", ["abs", "min", "sec", "count", "before", "at", "when", "rule"])
def test_functions_and_units_are_no_words(name: str) -> None:
    assert parse(f"{name}.a > 1 && {name} == x") == Binary(
        "&&", Binary(">", Attribute(name, "a"), Literal(1)), Binary("==", Reference(name), Reference("x"))
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("((x.a)) == (1)", "x.a == 1"),
        ("(x.a && y.b) && x.a", "x.a && y.b && x.a"),
        ("x.a && (y.b && x.a)", "x.a && (y.b && x.a)"),
        ("(x.a || y.b) && x.a", "(x.a || y.b) && x.a"),
        ("1 - (2 - 3)", "1 - (2 - 3)"),
        ("(1 * 2) + 3", "1 * 2 + 3"),
        ("(x.a == 1) == true", "(x.a == 1) == true"),
        ("!(!x.a)", "!!x.a"),
        ("!(x.a == 1)", "!(x.a == 1)"),
        ("(!x.a) == true", "(!x.a) == true"),
        ("-(x.a + 1)", "-(x.a + 1)"),
        ("5 min", "[5*min]"),
        ("[65 sec]", "[1*min+5*sec]"),
        ("[Monday]", "[Mon]"),
        ("'a\"b'", '"a\\"b"'),
        ("x.a in ('p')", 'x.a in ("p")'),
        ("x . 'é'", "x.é"),
    ],
)
def test_guards_are_written_without_needless_parentheses(text: str, written: str) -> None:
    assert render_guard(parse(text)) == written


def test_spans_cover_what_was_read() -> None:
    guard = parse("  (x.a + 1) < @y && !?z")
    assert guard.span == Span(2, 23)
    assert isinstance(guard, Binary)
    assert isinstance(guard.left, Binary)
    assert guard.left.span == Span(2, 16)
    assert guard.left.left.span == Span(2, 11)  # with its parentheses
    assert guard.left.right.span == Span(14, 16)
    assert guard.right.span == Span(20, 23)


@pytest.mark.parametrize(
    ("guard", "part"),
    [
        (Reference("now"), "no event variable can be called"),
        (End("two words"), "no event variable can be called"),
        (Literal(float("inf")), "inf"),
        (Literal(float("nan")), "nan"),
        (Literal(10**400), "400 digits"),
        (Literal("\ud800"), "surrogate"),
        (Duration(Period(microseconds=-1)), "negative period"),
        (Call("in", (X,)), "Call"),
        (Guard(), "Guard"),
    ],
)
def test_what_cannot_be_read_is_not_written(guard: Guard, part: str) -> None:
    with pytest.raises(RuleError) as caught:
        render_guard(guard)
    assert part in str(caught.value)
