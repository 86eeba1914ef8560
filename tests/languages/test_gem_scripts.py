"""GEM scripts: the examples of 003 section 3, and what else scripts may say."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.languages.building import (
    both,
    event,
    microseconds,
    refusal,
    then,
)
from tocsin.algebra.guards import Duration, Literal
from tocsin.algebra.patterns import After, Named, Never, Pattern, Primitive
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
