"""GEM scripts (003 sections 3 and 4): every example, and what else scripts may say."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.languages.building import (
    all_of,
    attribute,
    both,
    comparing,
    either,
    event,
    lasting,
    microseconds,
    refusal,
    then,
)
from tocsin.algebra.guards import Binary, Duration, End, Literal, Point, SourceOf
from tocsin.algebra.patterns import Absence, After, AnyEvent, At, Every, Named, Never, Pattern, Primitive, Where
from tocsin.algebra.rules import (
    Action,
    Command,
    Context,
    Declaration,
    Define,
    Disable,
    Enable,
    Forward,
    Load,
    Notify,
    Order,
    Raise,
    Remove,
    Rule,
    Statement,
    Stop,
    Trigger,
)
from tocsin.errors import RuleError, Source, Span
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


class TestSection3:
    def test_declarations(self) -> None:
        text = "event signal\nevent warning(double temp, itime interval, string mesg)\n"
        attributes = (("temp", "double"), ("interval", "itime"), ("mesg", "string"))
        assert parse(text) == (Declaration("signal"), Declaration("warning", attributes))

    def test_notify(self) -> None:
        text = """
event e1
event e2(long l)
event e3(long l, double d, string s)
rule testrule {\\
  a ==>\\
    notify e1;\\
    notify e2(10);\\
    notify e3(10, 3.4, "Hello World")\\
}
"""
        assert parse(text)[-1] == rule(
            "testrule",
            event("a"),
            Notify("e1"),
            Notify("e2", (Literal(10),)),
            Notify("e3", (Literal(10), Literal(3.4), Literal("Hello World"))),
        )

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (
                "rule failure { link_failure ==> forward link_failure }",
                rule("failure", event("link_failure"), Forward("link_failure")),
            ),
            (
                "rule failure { x:link_failure ==> forward x }",
                rule("failure", event("link_failure", "x"), Forward("x")),
            ),
            ("rule R1 { e1 ; e2 ==> forward e2 }", rule("R1", then(E1, E2), Forward("e2"))),
            (
                "rule R2 { e1 ; e2 ; x:e2 ==> forward x }",
                rule("R2", then(E1, Primitive("e2"), event("e2", "x")), Forward("x")),
            ),
            (
                "rule R3 { e1 ; x:(e2 & e3) ==> forward x }",
                rule("R3", then(E1, Named("x", both(E2, E3))), Forward("x")),
            ),
        ],
    )
    def test_forward(self, text: str, expected: Define) -> None:
        assert parse(text) == (expected,)

    def test_trigger(self) -> None:
        call = Trigger("signal_loss", (Literal(20), Literal("Link Failure")))
        assert parse('rule r1 { a ==> signal_loss(20, "Link Failure") }') == (rule("r1", event("a"), call),)
        assert parse('rule r1 { a ==> trigger signal_loss(20, "Link Failure") }') == (rule("r1", event("a"), call),)
        assert parse("rule r2 { a ; signal_loss ; b ==> c; signal_loss ; trigger }") == (
            rule(
                "r2",
                then(event("a"), event("signal_loss"), event("b")),
                Trigger("c"),
                Trigger("signal_loss"),
                Trigger("trigger"),
            ),
        )

    def test_enable_and_disable(self) -> None:
        text = """
rule A { e1 ==> forward e1; e2; disable }
rule B { e2 + [5*sec] ==> enable A }
enable A
enable B
"""
        assert parse(text) == (
            rule("A", E1, Forward("e1"), Trigger("e2"), Disable()),
            rule("B", After(E2, microseconds(5 * SECOND)), Enable("A")),
            enable("A"),
            enable("B"),
        )

    def test_top_level_triggers(self) -> None:
        text = """
e2
e2 [8:30 15/5/95]
e1 (3, "some string", [5*hour+30*min])
e1 [10:30:0.0 Mon 15/5/95] (3, "some string", [5*hour+30*min])
e1 "s10" [10:30 15/5/95] (3, "some string", [5*hour+30*min])
"""
        values = (Literal(3), Literal("some string"), Duration(microseconds(5 * HOUR + 30 * MINUTE)))
        day = {"day": 15, "month": 5, "year": 1995}
        assert parse(text) == (
            Raise("e2"),
            Raise("e2", None, TimePoint(8, 30, **day)),
            Raise("e1", None, None, values),
            Raise("e1", None, TimePoint(10, 30, 0, 0, 0, **day), values),
            Raise("e1", "s10", TimePoint(10, 30, **day), values),
        )

    def test_event_reports(self) -> None:
        text = 'warning "sensor1" [10:30 27/6/95] (-4.5, "Temperature too low")'
        point = TimePoint(10, 30, day=27, month=6, year=1995)
        assert parse(text) == (Raise("warning", "sensor1", point, (Literal(-4.5), Literal("Temperature too low"))),)

    def test_commands(self) -> None:
        text = 'enable *\ndisable *\ndisable r\nstop\n~ e\n~ rule r\nload "testfile.mi"'
        assert parse(text) == (
            enable("*"),
            Command(Disable("*")),
            Command(Disable("r")),
            Stop(),
            Remove("e"),
            Remove("r", rule=True),
            Load("testfile.mi"),
        )


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


class TestLinesAndNames:
    def test_newlines_inside_brackets_and_after_backslashes_do_not_end_a_statement(self) -> None:
        text = "event e(\n long a,\n long b\n)\nrule r [\n5*sec\n]\\\n {\n a\n ;\n b\n ==>\n notify e(\n1\n,2)\n;\n disable\n}\n"
        same = "event e(long a, long b)\nrule r [5*sec] { a ; b ==> notify e(1, 2); disable }"
        assert parse(text) == parse(same)

    def test_windows_line_ends(self) -> None:
        assert parse("event a\r\nrule r {\\\r\n a ==> b }\r\n") == parse("event a\nrule r { a ==> b }")

    def test_blank_lines_and_comments(self) -> None:
        assert parse("\n\n /* x\n y */ // z\n event a // b\n\n") == (Declaration("a"),)
        assert parse("") == ()

    def test_a_last_semicolon_changes_nothing(self) -> None:
        assert parse("rule r { a ==> b; }") == parse("rule r { a ==> b }")

    def test_any_name_may_stand_in_quotes(self) -> None:
        text = (
            "event 'com.example.login'(string 'user-id')\n"
            "rule 'my-rule' { 'com.example.login' ==> notify 'a b'; 'stop'; forward 'com.example.login'; enable 'my-rule' }\n"
            "enable 'my-rule'\n~ 'rule'\n~ rule 'r r'\n'event' \"s\"\n"
        )
        login = "com.example.login"
        actions = (Notify("a b"), Trigger("stop"), Forward(login), Enable("my-rule"))
        assert parse(text) == (
            Declaration(login, (("user-id", "string"),)),
            rule("my-rule", event(login), *actions),
            enable("my-rule"),
            Remove("rule"),
            Remove("r r", rule=True),
            Raise("event", "s"),
        )

    def test_words_of_scripts_are_names_in_expressions(self) -> None:
        assert parse("rule rule { stop ; load ==> notify event }") == (
            rule("rule", then(event("stop"), event("load")), Notify("event")),
        )


class TestWriting:
    def test_a_script_is_written_one_statement_a_line(self) -> None:
        text = """event warning(string sensor_id, double t)
event "stop"
rule warning [15*sec] {
  (x:temp_alarm & y:press_alarm when $x == $y) + [5*sec]
  ==> warning($x, x.t);
      notify "stop";
      disable
}
enable warning
enable *
e1 "s10" [10:30 15/May/1995] (3, "x", [5*hour+30*min])
~ e1
~ rule warning
load "more.gem"
stop
"""
        assert gem.render_script(parse(text)) == text

    @pytest.mark.parametrize(
        ("statement", "part"),
        [
            (Command(Enable()), "must name a rule"),
            (rule("r", event("a")), "no action"),
            (rule("*", event("a"), Disable()), "all rules"),
            (rule("r", event("a"), Enable("*")), "all rules"),
            (rule("r", Never(event("a")), Disable()), "free negation"),
            (rule("r", event("a"), Action()), "no action Action"),
            (Define(Rule("r", event("a"), actions=(Disable(),), condition=Literal(True))), "a condition"),
            (Define(Rule("r", event("a"), actions=(Disable(),), context=Context.RECENT)), "the context recent"),
            (Define(Rule("r", event("a"), "sel", actions=(Disable(),))), "the context unrestricted"),
            (Define(Rule("r", event("a"), actions=(Disable(),), order=Order("guaranteed"))), "an order of arrival"),
            (Define(Rule("r", event("a"), actions=(Disable(),), notify="x")), "a notification text"),
            (Define(Rule("r", event("a"), actions=(Disable(),), callback="x")), "a callback"),
            (Define(Rule("r", event("a"), actions=(Disable(),), select=(("n", Literal(1)),))), "a selection"),
        ],
    )
    def test_what_a_script_cannot_say_is_named(self, statement: Statement, part: str) -> None:
        with pytest.raises(RuleError) as caught:
            gem.render_script([statement])
        assert part in str(caught.value)


def test_spans_cover_what_was_read() -> None:
    text = 'event e(long a)\nrule r {\n a ==> notify e(1); disable\n}\nenable r\ne "s"\n~ rule r\nload "f"\nstop\n'
    found = parse(text)
    covered = [text[s.span.start : s.span.stop] for s in found if s.span is not None]
    assert covered == [
        "event e(long a)",
        "rule r {\n a ==> notify e(1); disable\n}",
        "enable r",
        'e "s"',
        "~ rule r",
        'load "f"',
        "stop",
    ]
    define, command = found[1], found[2]
    assert isinstance(define, Define)
    assert isinstance(command, Command)
    spans = [action.span for action in define.rule.actions]
    assert [text[span.start : span.stop] for span in spans if span] == ["notify e(1)", "disable"]
    assert define.rule.span == define.span
    assert command.action.span == command.span
    assert isinstance(define.rule.actions[0], Notify)
    assert define.rule.actions[0].arguments[0].span == Span(text.index("1);"), text.index("1);") + 1)


SYNTAX_CASES = Path(__file__).parents[1] / "cases" / "gem.yaml"


@pytest.mark.skipif(not SYNTAX_CASES.exists(), reason="the conformance cases are not here")
def test_the_scripts_of_the_conformance_cases() -> None:
    cases = [case for case in yaml.safe_load(SYNTAX_CASES.read_text())["cases"] if "script" in case]
    assert cases
    for case in cases:
        refused = refusal(gem.parse_script, case["script"])
        if refused is None:
            statements = parse(case["script"])
            assert gem.parse_script(Source(gem.render_script(statements))) == statements
        else:
            assert case.get("error", "nothing") in str(refused), case["name"]
