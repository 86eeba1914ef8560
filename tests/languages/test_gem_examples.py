"""GEM scripts: the examples of 003 sections 4 to 6, and its misprints."""

from __future__ import annotations

import pytest

from tests.languages.building import (
    all_of,
    attribute,
    both,
    comparing,
    either,
    event,
    lasting,
    microseconds,
    then,
)
from tocsin.algebra.guards import Binary, End, Literal, Point, SourceOf
from tocsin.algebra.patterns import Absence, After, AnyEvent, At, Every, Named, Pattern, Where
from tocsin.algebra.rules import (
    Action,
    Command,
    Declaration,
    Define,
    Disable,
    Enable,
    Forward,
    Notify,
    Rule,
    Statement,
    Trigger,
)
from tocsin.errors import RuleError, Source
from tocsin.languages import gem
from tocsin.time.calendar import TimePoint
from tocsin.time.spans import HOUR, MINUTE, SECOND, Period


def parse(text: str) -> tuple[Statement, ...]:
    return gem.parse_script(Source(text, "script.gem"))


def rule(name: str, pattern: Pattern, *actions: Action, window: Period | None = None) -> Define:
    return Define(Rule(name, pattern, "gem", window=window, actions=actions, strict=True))


def enable(name: str) -> Command:
    return Command(Enable(name))


E1, E2, E3 = event("e1"), event("e2"), event("e3")


class TestSection4:
    def test_example_1_is_a_misprint(self) -> None:
        text = """event power_cut
event disaster
rule disaster [10*min] {\\
    x:power_cut\\
        when ([24/Dec/95] < @x ) && ( @x < [2/Jan/96])\\
            ($x=="master generator") &&\\
            ==> notify disaster\\
}
enable disaster
"""
        with pytest.raises(RuleError) as caught:
            parse(text)
        assert str(caught.value) == (
            "script.gem:6:13: unexpected '('\n"
            '              ($x=="master generator") &&\\\n'
            "              ^\n"
            "  expected '||', '&&', a comparison, an arithmetic operator, 'when' or '==>'"
        )

    def test_example_1_as_it_was_meant(self) -> None:
        text = """event power_cut
event disaster
rule disaster [10*min] {\\
    x:power_cut\\
        when ([24/Dec/95] < @x ) && ( @x < [2/Jan/96]) &&\\
            ($x=="master generator")\\
            ==> notify disaster\\
}
enable disaster
"""
        first = Point(TimePoint(day=24, month=12, year=1995))
        last = Point(TimePoint(day=2, month=1, year=1996))
        guard = all_of(
            Binary("<", first, End("x")),
            Binary("<", End("x"), last),
            Binary("==", SourceOf("x"), Literal("master generator")),
        )
        assert parse(text) == (
            Declaration("power_cut"),
            Declaration("disaster"),
            rule(
                "disaster", Where(event("power_cut", "x"), guard), Notify("disaster"), window=microseconds(10 * MINUTE)
            ),
            enable("disaster"),
        )

    def test_example_2(self) -> None:
        text = """event shut_down ( string reason)
rule protection { [Fri 13/-/-] ==>\\
    notify shut_down("Friday 13th")}
enable protection
"""
        assert parse(text) == (
            Declaration("shut_down", (("reason", "string"),)),
            rule("protection", At(TimePoint(weekday=4, day=13)), Notify("shut_down", (Literal("Friday 13th"),))),
            enable("protection"),
        )

    def test_example_3(self) -> None:
        pattern = Where(
            then(E1, Named("y", AnyEvent())), Binary("<=", Binary("-", End("y"), End("e1")), lasting(5 * SECOND))
        )
        text = "rule A { ( e1 ; y:* ) when (@y-@e1) <= [5*sec] ==> forward y }"
        assert parse(text) == (rule("A", pattern, Forward("y")),)

    def test_example_4(self) -> None:
        text = """event gauge_changed( double val)
event upper_exceeded
event lower_exceeded
rule gauge_rule1 {\\
  x:gauge_changed when x.val >= 10 ==> \\
    notify upper_exceeded; enable gauge_rule2; disable }
rule gauge_rule2 {\\
  x:gauge_changed when x.val <= 5 ==>\\
    notify lower_exceeded; enable gauge_rule1; disable }
enable gauge_rule2
"""
        gauge = event("gauge_changed", "x")
        assert parse(text)[3:] == (
            rule(
                "gauge_rule1",
                Where(gauge, comparing("x.val", ">=", 10)),
                Notify("upper_exceeded"),
                Enable("gauge_rule2"),
                Disable(),
            ),
            rule(
                "gauge_rule2",
                Where(gauge, comparing("x.val", "<=", 5)),
                Notify("lower_exceeded"),
                Enable("gauge_rule1"),
                Disable(),
            ),
            enable("gauge_rule2"),
        )

    def test_example_5(self) -> None:
        text = """event backup
rule backup {\\
  ( x:every[hour]\\
    when ([8:00] < @x) && (@x < [17:00]) &&\\
      ([Mon] <= @x) && (@x <= [Fri])) |\\
  ( y:every[2*hour]\\
    when ([10:00] < @y) && (@y < [16:00]) &&\\
      ([Sat] == @y) && (@y == [Sun]))\\
    ==> notify backup\\
}

enable backup
"""

        def point(**fields: int) -> Point:
            return Point(TimePoint(**fields))

        working = all_of(
            Binary("<", point(hour=8, minute=0), End("x")),
            Binary("<", End("x"), point(hour=17, minute=0)),
            Binary("<=", point(weekday=0), End("x")),
            Binary("<=", End("x"), point(weekday=4)),
        )
        weekend = all_of(
            Binary("<", point(hour=10, minute=0), End("y")),
            Binary("<", End("y"), point(hour=16, minute=0)),
            Binary("==", point(weekday=5), End("y")),
            Binary("==", End("y"), point(weekday=6)),
        )
        pattern = either(
            Where(Named("x", Every(microseconds(HOUR))), working),
            Where(Named("y", Every(microseconds(2 * HOUR))), weekend),
        )
        assert parse(text) == (Declaration("backup"), rule("backup", pattern, Notify("backup")), enable("backup"))

    def test_example_6(self) -> None:
        text = """event temp_alarm(double t)
event press_alarm(double p)
event warning(string sensor_id; double t; double p)
rule warning [15*sec] {\\
  ((x:temp_alarm & y:press_alarm)\\
    when (( $x==$y ) && (( @x-@y ) < [10*sec] ))) + [5*sec]\\
    ==> warning($x, x.t, y.p)\\
}

enable warning
"""
        guard = all_of(
            Binary("==", SourceOf("x"), SourceOf("y")),
            Binary("<", Binary("-", End("x"), End("y")), lasting(10 * SECOND)),
        )
        pair = Where(both(event("temp_alarm", "x"), event("press_alarm", "y")), guard)
        action = Trigger("warning", (SourceOf("x"), attribute("x.t"), attribute("y.p")))
        assert parse(text)[2:] == (
            Declaration("warning", (("sensor_id", "string"), ("t", "double"), ("p", "double"))),
            rule("warning", After(pair, microseconds(5 * SECOND)), action, window=microseconds(15 * SECOND)),
            enable("warning"),
        )

    def test_example_7(self) -> None:
        text = """event ALARM_A
event ALARM_B
rule EXPECTED_ALARM_RULE { \\
    ({x:ALARM_A ; z:(y:ALARM_A + [1*min])} ! w:ALARM_B)\\
    when (?z && (x == y)) || (?w && ($x == $w))\\
    ==> forward x \\
}
enable EXPECTED_ALARM_RULE
"""
        define = parse(text)[2]
        assert isinstance(define, Define)
        assert isinstance(define.rule.pattern, Absence)
        assert define.rule.pattern.guard is not None
        assert define.rule.actions == (Forward("x"),)


class TestMisprints:
    """Rules that 003 prints with a bracket missing or wrong (section 3.2.3 c)."""

    def test_a_rule_without_its_last_brace(self) -> None:
        with pytest.raises(RuleError) as caught:
            parse('rule r1 { a ==> signal_loss(20, "Link Failure")')
        assert str(caught.value).startswith("script.gem:1:48: unexpected end of the text\n")
        assert "expected ';' or '}'\n  the '{' of line 1, column 9 is not closed" in str(caught.value)

    def test_a_rule_closed_by_a_parenthesis(self) -> None:
        with pytest.raises(RuleError) as caught:
            parse("rule r2 { a ; signal_loss ; b ==> c )")
        assert str(caught.value).startswith("script.gem:1:37: unexpected ')'\n")


class TestSections5And6:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("rule r1 { {e1 ; e2} ! e3 ==> notify e1 }", rule("r1", Absence(E1, E2, E3), Notify("e1"))),
            (
                "rule r2 { ({e1 ; e2} ! e3) + [6*sec] ==> notify e1 }",
                rule("r2", After(Absence(E1, E2, E3), microseconds(6 * SECOND)), Notify("e1")),
            ),
            (
                "rule test_rule [11*hour] { (a & b) ; ((c ; d) ! e) ==> notify a }",
                rule(
                    "test_rule",
                    then(both(event("a"), event("b")), Absence(event("c"), event("d"), event("e"))),
                    Notify("a"),
                    window=microseconds(11 * HOUR),
                ),
            ),
        ],
    )
    def test_rules(self, text: str, expected: Define) -> None:
        assert parse(text) == (expected,)
