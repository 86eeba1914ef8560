"""Types of guards: every fault that can be told before anything runs, and where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.algebra.building import p, times
from tests.algebra.checking import condition_faults, pattern_faults, script_faults
from tocsin.algebra.guards import Attribute, Binary, Call, Guard, Literal, Point
from tocsin.algebra.patterns import Named, Where
from tocsin.algebra.types import Scope, guard_faults, value_faults
from tocsin.time.calendar import TimePoint

DECLARED = """
    event a(long v, double d, string s, char c, time t, itime p)
    event b(long v)
    event none
    event out
    rule r [1*min] {{
      x:a ; y:b when {guard}
      ==> notify out
    }}
    enable r
"""


def declared_faults(folder: Path, guard: str) -> list[str]:
    """Faults of a guard over declared events; the guard begins at line 6, column 18."""
    return script_faults(folder, DECLARED.format(guard=guard))


@pytest.mark.parametrize(
    "guard",
    [
        "x.v < y.v && x.v < x.d && x.d == 1 && x.v != 1.5",
        "x.s == 'a' && x.c == x.s && x.s < 'b' && x.s + x.c == 'ab'",
        "x.t < @y && x.t == 5 && @x - @y < x.p && x.p < [5*sec] && x.p > 1.5",
        "x.t - x.p < now && x.p + x.t == @x && x.p * 2 + x.p - x.p == 2 * x.p && x.p * 1.5 > [1*sec]",
        "$x == self && ?x && !?y && x != y && before(x, y) && x.s == null && null != x.v",
        "abs(x.v) > 1 && abs(x.p) > [1*sec] && len(x.s) == 3 && lower(x.s) == upper(x.c)",
        "contains(x.s, 'a') && contains(x, y) && startswith(x.s, x.c) && x.s in ('a', null) && x.v in (1, 2.5)",
        "-x.v < 1 && [Mon] <= @x && @x == [10:00] && x.v % 2 == 0 && sum(x.v) + count(x) > 2 && max(x.t) > @x",
    ],
)
def test_sound_guards_have_no_faults(tmp_path: Path, guard: str) -> None:
    assert declared_faults(tmp_path, guard) == []


@pytest.mark.parametrize(
    ("guard", "fault"),
    [
        ("x.v", "6:18 a guard must be true or false, and this is a number"),
        ("x", "6:18 a guard must be true or false, and this is an event"),
        ("x.v == x.s", "6:18 a number cannot be compared with a string by '=='"),
        ("true && x.t < x.p", "6:26 a time cannot be compared with a period by '<'"),
        ("x == 5", "6:18 an event cannot be compared with a number by '=='"),
        ("x < y", "6:18 an event cannot be compared with an event by '<'"),
        ("x.v < null", "6:18 a number cannot be compared with a null by '<'"),
        ("true < false", "6:18 a boolean cannot be compared with a boolean by '<'"),
        ("x.s - x.s == 's'", "6:18 '-' has no meaning between a string and a string"),
        ("x.t + x.t == x.t", "6:18 '+' has no meaning between a time and a time"),
        ("x.t - 5 == x.t", "6:18 '-' has no meaning between a time and a number"),
        ("x.p / 2 == x.p", "6:18 '/' has no meaning between a period and a number"),
        ("!x.v", "6:19 this is a number"),
        ("true || x.s", "6:26 this is a string"),
        ("-x.s == 1", "6:19 this is a string"),
        ("lower(x.v) == 'a'", "6:24 lower takes a string, and this is a number"),
        ("len(x.p) == 1", "6:22 len takes a string, and this is a period"),
        ("abs(x.t) == 1", "6:22 abs takes a number or a period, and this is a time"),
        ("startswith(x.s, x.v)", "6:34 startswith takes a string, and this is a number"),
        ("contains(x.s, 5)", "6:32 contains takes a string, and this is a number"),
        ("sum(x.t) == 1", "6:22 sum takes a number, and this is a time"),
        ("x.s in ('a', 5)", "6:31 a string is never equal to a number"),
        ("before(x, x.v)", "6:28 before relates two events, and this is a number"),
        ("contains(x, 'a')", "6:30 contains relates two events, and this is a string"),
        ("x.w == 1", "6:18 event 'a' has no attribute 'w'"),
        ("z.v == 1", "6:18 there is no event variable 'z' here"),
        ("@z == @x", "6:18 there is no event variable 'z' here"),
    ],
)
def test_every_fault_of_a_type_where_it_stands(tmp_path: Path, guard: str, fault: str) -> None:
    assert declared_faults(tmp_path, guard) == [fault]


def test_several_faults_are_told_at_once_in_order(tmp_path: Path) -> None:
    assert declared_faults(tmp_path, "z.v == 1 && x.v == 'a' && x.u > 0") == [
        "6:18 there is no event variable 'z' here",
        "6:30 a number cannot be compared with a string by '=='",
        "6:44 event 'a' has no attribute 'u'",
    ]


def test_a_fault_says_what_would_be_right() -> None:
    scope = Scope({"xray": p("a")})
    (unknown,) = guard_faults(Binary("==", Attribute("xry", "v"), Literal(1)), scope)
    assert unknown.hint == "did you mean 'xray'?"
    (number,) = guard_faults(Literal(1), scope)
    assert number.expected == "a comparison"


@pytest.mark.parametrize(
    "condition", ["x.v > 'a' && x.v > 1", "x.v", "x.v + y.w == @x", "!x.v", "lower(x.v) == x.w", "x.v in (1, 'a')"]
)
def test_what_is_not_declared_is_not_a_fault(condition: str) -> None:
    assert condition_faults(condition) == []


def test_constants_are_typed_without_declarations() -> None:
    assert condition_faults("1 == 'a'") == ["1:1 a number cannot be compared with a string by '=='"]
    assert condition_faults("x.v > 1 &&\n 5") == ["2:2 this is a number"]


def test_an_attribute_of_any_event_cannot_be_known(tmp_path: Path) -> None:
    text = "event out\nrule r { y:* when y.v > 1 && $y == 'a' && @y > 0 ==> notify out }\nenable r"
    assert script_faults(tmp_path, text) == ["2:19 'y.v': an event of any class has no attributes that could be known"]


def test_a_time_event_has_neither_attributes_nor_a_source(tmp_path: Path) -> None:
    text = "event out\nrule r { t:every[5*sec] when t.v > 1 || $t == 'a' || @t > 0 ==> notify out }\nenable r"
    assert script_faults(tmp_path, text) == [
        "2:30 't.v': a time event has no attributes and no source",
        "2:41 '$t': a time event has no attributes and no source",
    ]


def test_a_composite_of_a_script_has_only_a_start_and_an_end(tmp_path: Path) -> None:
    text = """
        event a(long v)
        event out
        rule r [1*min] { x:(y:a & z:a) when x.v > 1 || $x == 'a' || @x > |@x && x == x && ?x ==> notify out }
        enable r
    """
    assert script_faults(tmp_path, text) == [
        "3:37 'x.v': a composite event has only a start and an end",
        "3:48 '$x': a composite event has only a start and an end",
    ]


def test_elsewhere_a_composite_may_carry_attributes() -> None:
    """A rule used by name is one event with data; what stands for several has none, which is no fault."""
    assert condition_faults("x.v > 1 && $x == 'a'", "x:(a ; b)") == []


def test_a_class_name_that_occurs_twice_names_nothing() -> None:
    assert condition_faults("a.v == 1", "a ; a") == ["1:1 'a' occurs more than once, so it names no event"]
    assert condition_faults("a.v == 1", "a ; b") == []


def test_a_repeated_variable_needs_an_aggregate() -> None:
    assert condition_faults("e.v > 1", "TimesEq(2, e, k)") == ["1:1 'e' stands for several events here"]
    assert condition_faults("e.k > 1", "TimesEq(2, e, k)") == [], "it is one value for all of them"
    assert condition_faults("sum(e.k) > 1 && ?e && count(e) == 2 && last(@e) > 5", "TimesEq(2, e, k)") == []


def test_inside_a_repetition_a_variable_is_one_event() -> None:
    guard = Binary(">", Attribute("x", "v"), Literal(1))
    assert pattern_faults(times(Where(Named("x", p("a")), guard), 3)) == []
    assert pattern_faults(Where(times(Named("x", p("a")), 3), guard)) == ["'x' stands for several events here"]


@pytest.mark.parametrize(
    ("guard", "fault"),
    [
        (Call("sqrt", (Literal(1),)), "there is no function 'sqrt'"),
        (Call("abs", ()), "abs takes 1 argument, and 0 are given"),
        (Call("during", (Literal(1),)), "during takes 2 arguments, and 1 are given"),
        (Binary("^", Literal(True), Literal(True)), "there is no operator '^'"),
        (Point(TimePoint(hour=25, minute=0)), "hour 25 is out of range: 0 to 23"),
    ],
)
def test_what_no_parser_makes_is_a_fault_too(guard: Guard, fault: str) -> None:
    assert fault in [each.message for each in value_faults(guard, Scope({}))]
