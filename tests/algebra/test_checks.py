"""Is a program sound? Every fault once, each where it stands, several at once."""

from __future__ import annotations

from pathlib import Path

import pytest

import tocsin as tc
from tests.algebra.building import both, either, instant, later, named, no, p, seq, times, within
from tests.algebra.checking import (
    SOUND,
    condition_faults,
    pattern_faults,
    rule_program,
    script,
    script_faults,
    shown,
)
from tests.conformance.cases import Case
from tests.conformance.runtimes import program_of
from tocsin.algebra.checks import check, program_faults
from tocsin.algebra.guards import Attribute, Binary, Literal
from tocsin.algebra.patterns import (
    At,
    Atom,
    Automaton,
    Between,
    Concatenation,
    Described,
    Every,
    Pattern,
    Sequence,
    Times,
    Where,
    Within,
)
from tocsin.algebra.rules import Context, Declaration, Program
from tocsin.algebra.rules import Order as Policy
from tocsin.errors import RuleError
from tocsin.time.calendar import TimePoint
from tocsin.time.spans import Period

# -- scripts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("event a\nevent a(long v)", "2:1 event 'a' is declared twice"),
        ("event a(long v, double v)", "1:1 event 'a' has two attributes 'v'"),
        ("event a\n  enable r", "2:3 there is no rule 'r' yet"),
        ("event a\ndisable r\nrule r { a ==> a }", "2:1 there is no rule 'r' yet"),
        ("event a\n~ b", "2:1 there is no event 'b' to remove"),
        ("event a\n~ rule a", "2:1 there is no rule 'a' to remove"),
        ("event a\nrule r { a ==> a }\n~ rule r\nenable r", "4:1 there is no rule 'r' yet"),
        ("event a\na [Mon]", "2:1 an event happens at one time"),
        ("b", "1:1 event 'b' is not declared"),
        ("event a(long v)\na", "2:1 event 'a' has 1 attribute, and 0 are given"),
        ("event a(long v, long w)\na (1)", "2:1 event 'a' has 2 attributes, and 1 are given"),
        ("event a(long v)\na ('x')", "2:4 'v' of event 'a' is a long, and this is a string"),
        ("event a(long v)\na (1.5)", "2:4 'v' of event 'a' is a long, and this is a double"),
        ("event a(char c)\na ('xy')", "2:4 'c' of event 'a' is a char, and this is a string"),
        ("event a(itime p)\na (now)", "2:4 'p' of event 'a' is an itime, and this is a time"),
        ("event a(time t)\na (x)", "2:4 there is no event variable 'x' here"),
    ],
)
def test_every_fault_of_a_statement(tmp_path: Path, text: str, fault: str) -> None:
    assert script_faults(tmp_path, text) == [fault]


DECLARED = """\
event a(double d, long v, string s)
event b(long v)
event c
event out
event wide(long v)
event short(char c)
rule first { a ==> notify out }
"""


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("rule r { aa ==> notify out }", "8:10 event 'aa' is not declared"),
        ("rule r { a ==> notify nix }", "8:16 event 'nix' is not declared"),
        ("rule r { a ==> nix }", "8:16 event 'nix' is not declared"),
        ("rule r { a ==> forward b }", "8:16 'b' names no event here"),
        ("rule r { a & a ==> forward a }", "8:20 'a' occurs more than once, so it names no event"),
        ("rule r { a ==> notify out; enable s }", "8:28 there is no rule 's'"),
        ("rule r { a ==> notify out; disable rr }", "8:28 there is no rule 'rr'"),
        ("rule r { x:a & x:b ==> notify out }", "8:10 the variable 'x' is used twice"),
        ("rule r { a ==> notify out(1) }", "8:16 event 'out' has 0 attributes, and 1 are given"),
        ("rule r { a ==> wide(a.d) }", "8:21 'v' of event 'wide' is a long, and this is a double"),
        ("rule r { a ==> notify short(a.s) }", "8:29 'c' of event 'short' is a char, and this is a string"),
        ("rule first { b ==> notify out }", "8:1 rule 'first' is defined twice"),
        ("rule s { a when x.v > 1 ==> notify out }", "8:17 there is no event variable 'x' here"),
        ("rule s { (a when b.v > 1) ; b ==> notify out }", "8:18 there is no event variable 'b' here"),
        ("rule s { {a ; b} ! c ==> forward c }", "8:26 'c' names no event here"),
    ],
)
def test_every_fault_of_a_rule(tmp_path: Path, rule: str, fault: str) -> None:
    assert fault in script_faults(tmp_path, DECLARED + rule)


def test_long_stands_for_double_and_null_for_anything(tmp_path: Path) -> None:
    text = """
        event a(long v, string s)
        event out(double d, string s, char c, time t, itime p)
        rule r { a ==> notify out(a.v, a.s, 'c', @a, @a - |@a); notify out(1, 'x', null, null, [5*sec]) }
    """
    assert script_faults(tmp_path, text) == []


def test_all_faults_of_a_script_are_told_in_order(tmp_path: Path) -> None:
    text = """
        event a
        event a
        rule r { b ==> notify c; forward d }
        enable s
    """
    assert script_faults(tmp_path, text) == [
        "2:1 event 'a' is declared twice",
        "3:10 event 'b' is not declared",
        "3:16 event 'c' is not declared",
        "3:26 'd' names no event here",
        "4:1 there is no rule 's' yet",
    ]


def test_a_refused_program_carries_all_its_faults(tmp_path: Path) -> None:
    with pytest.raises(RuleError) as caught:
        check(script(tmp_path, "enable r\nenable s"))
    assert [fault.place.line for fault in caught.value.faults if fault.place] == [1, 2]
    assert str(tmp_path / "rules.gem:2:1: there is no rule 's' yet") in str(caught.value)


def test_a_name_that_is_almost_right_is_offered(tmp_path: Path) -> None:
    faults = program_faults(script(tmp_path, "event alarm\nrule ring { alrm ==> forward alrm }\nenable rin"))
    assert [fault.hint for fault in faults] == ["did you mean 'alarm'?", "did you mean 'ring'?"]


def test_rules_may_name_each_other_before_they_are_defined(tmp_path: Path) -> None:
    text = "event a\nrule r { a & s ==> enable s }\nrule s { a ==> disable r }"
    assert script_faults(tmp_path, text) == []


def test_what_was_removed_may_be_declared_and_defined_again(tmp_path: Path) -> None:
    text = """
        event a(long v)
        event out
        rule r { x:a when x.v > 1 ==> notify out }
        ~ rule r
        ~ a
        event a(string v)
        rule r { x:a when x.v == 'b' ==> notify out }
    """
    assert script_faults(tmp_path, text) == []


def test_an_event_that_a_rule_needs_stays_declared(tmp_path: Path) -> None:
    text = "event a\nrule r { a ==> a }\n~ a\nevent a"
    assert script_faults(tmp_path, text) == ["4:1 event 'a' is declared twice"]


def test_a_guard_on_an_absence_may_name_what_cancels(tmp_path: Path) -> None:
    declared = "event a(long v)\nevent b\nevent c(long v)\nevent out\n"
    rule = "rule r { {x:a ; y:b} ! w:c when w.v == x.v ==> notify out }"
    assert script_faults(tmp_path, declared + rule) == []
    outside = "rule r { ({x:a ; y:b} ! w:c) ; a when w.v == 1 ==> notify out }"
    assert script_faults(tmp_path, declared + outside) == ["5:39 there is no event variable 'w' here"]


@pytest.mark.parametrize(
    ("text", "language", "hint"),
    [
        ("{a ; b} ! (c when c.k == a.k)", "gem", "{a ; b} ! c when c.k == a.k || !?c"),
        ("a then b without (c where c.k == a.k)", "pretty", "a then not (c where c.k == a.k) then b"),
        ("a then b without c where c.k == a.k", "pretty", "a then not (c where c.k == a.k) then b"),
        ("a -> !c -> b if c.k == 1", "sel", "a -> !(c if c.k == a.k) -> b"),
        ("(a when a.k == b.k) ; b", "gem", "guard what has both inside"),
        ("a then b without (c then (d where d.k == c.k))", "pretty", "guard what has both inside"),
    ],
)
def test_what_is_there_but_not_here_is_told_how_to_be_spoken_of(text: str, language: str, hint: str) -> None:
    with pytest.raises(tc.RuleError) as error:
        tc.detect(tc.rule("r", text, language=language), [])
    (fault,) = error.value.faults
    assert "there is no event variable" in fault.message
    assert fault.hint is not None
    assert fault.hint.endswith(hint)
    if "as in" in fault.hint:  # what is advised is sound
        tc.detect(tc.rule("r", fault.hint.partition("as in ")[2], language=language), [])


# -- rules ---------------------------------------------------------------------------------------------------------

NOTHING = Period()


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        (seq(), "there is nothing to combine here"),
        (within(both(p("a"), either()), "5 sec"), "there is nothing to combine here"),
        (Every(NOTHING), "a period must be longer than nothing"),
        (At(TimePoint(day=31, month=2)), "31/Feb/- can never match: February has at most 29 days"),
        (later(p("a"), "0 sec"), None),
        (Within(p("a"), NOTHING), "a window must be longer than nothing"),
        (Between(p("a"), 2, 1), "this window ends before it begins"),
        (Between(p("a"), 1, 1), None),
        (Times(0, p("a"), "k", True), "a repetition needs at least one event"),
        (Times(2, both(p("a"), p("b")), "k", True), "TimesEq and TimesDf count primitive events"),
        (Times(2, named("x", "a"), "k", True), None),
        (times(p("a"), 0), "a repetition needs at least one event, and no fewer at most than at least"),
        (times(p("a"), 3, 2), "a repetition needs at least one event, and no fewer at most than at least"),
        (times(p("a"), 2, 3), None),
        (both(named("x", "a"), Automaton(Atom(Described("b")))),
         "an automaton inside another pattern must be a rule of its own, used by name"),
        # Fluid ends (004 section III.B).
        (seq(no("a"), no("b")), "both facing ends of '->' are fluid here"),
        (no("a"), "an outer end is fluid, and there is no window to bound it"),
        (seq(p("a"), no("b")), "an outer end is fluid, and there is no window to bound it"),
        (either(p("a"), no("b")), "an outer end is fluid, and there is no window to bound it"),
        (instant(seq(p("a"), no("b"))), "a fluid end inside has no window to bound it"),
        (within(instant(seq(p("a"), no("b"))), "5 sec"), None),
        (within(no("a"), "5 sec"), "both ends are fluid, so a sliding window has nothing to hang on"),
        (Between(no("a"), 1, 2), None),
        (seq(p("a"), within(no("b"), "5 sec")), None),
        (within(seq(p("a"), no("b")), "5 sec"), None),
        (seq(p("a"), no("b"), p("c")), None),
        (within(times(no("a"), 2), "5 sec"), "what is repeated is fluid at both ends"),
    ],
)  # fmt: skip
def test_every_fault_of_a_shape(pattern: Pattern, fault: str | None) -> None:
    assert pattern_faults(pattern) == [] if fault is None else fault in pattern_faults(pattern)


def test_nothing_occurs_before_what_it_waits_for() -> None:
    before = later(p("a"), "5 sec")
    assert pattern_faults(type(before)(p("a"), before.period.scaled(-1))) == ["nothing occurs before what it waits for"]


def test_a_negation_may_name_variables_bound_outside() -> None:
    same = Binary("==", Attribute("x", "k"), Attribute("y", "k"))
    inside = no(Where(named("y", "b"), same))
    assert pattern_faults(seq(named("x", "a"), inside, p("c"))) == []
    assert pattern_faults(seq(named("z", "a"), inside, p("c"))) == ["there is no event variable 'x' here"]


@pytest.mark.parametrize("context", ["chronicle", "recent", "continuous", "cumulative"])
def test_a_consuming_context_needs_nodes(context: str) -> None:
    fault = f"the context '{context}' uses up at every node, and 'within' has no such node"
    assert pattern_faults(within(p("a"), "5 sec"), context=Context(context)) == [fault]
    assert pattern_faults(Sequence((p("a"), p("b"))), context=Context(context)) == []
    automaton = Automaton(Concatenation((Atom(Described("a")), Atom(Described("b"))), False))
    assert pattern_faults(automaton, context=Context(context)) == []


def test_a_detection_window_is_longer_than_nothing() -> None:
    assert pattern_faults(p("a"), window=NOTHING) == ["a detection window must be longer than nothing"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Room {x.room}", None),
        ("{{x}} at {@x}, {|@x} from {$x}: {sum}", None),
        ("a { b", "a single '{' in a notification"),
        ("a } b", "a single '}' in a notification"),
        ("{1 + 2}", "this is not something a notification can show"),
        ("{}", "this is not something a notification can show"),
        ("{@x.v}", "this is not something a notification can show"),
        ("{z.v}", "in the notification: there is no event variable 'z' here"),
        ("{sum.v}", "in the notification: there is no event variable 'sum' here"),
        ("{many.v}", "in the notification: 'many' stands for several events here"),
    ],
)
def test_a_notification_shows_what_the_rule_knows(text: str, fault: str | None) -> None:
    pattern = seq(named("x", "a"), times(named("many", "b"), 2))
    select = (("sum", Attribute("x", "v")),)
    assert pattern_faults(pattern, notify=text, select=select) == ([] if fault is None else [fault])


def test_what_is_selected_may_have_any_type_but_must_be_known() -> None:
    assert pattern_faults(named("x", "a"), select=(("v", Attribute("x", "v")), ("five", Literal(5)))) == []
    assert pattern_faults(named("x", "a"), select=(("v", Attribute("y", "v")),)) == [
        "there is no event variable 'y' here"
    ]


def test_a_condition_is_true_or_false() -> None:
    assert condition_faults("5") == ["1:1 a guard must be true or false, and this is a number"]


def test_what_no_parser_makes_is_refused_too() -> None:
    assert pattern_faults(p("a"), language="latin") == ["rule 'r' is in an unknown language 'latin'"]
    for order in (
        Policy("newest-first"),
        Policy("delay"),
        Policy("guaranteed", delay=NOTHING),
        Policy("delay", idle=NOTHING),
        Policy("best-effort", idle=NOTHING),
        Policy("probabilistic"),
    ):
        message = f"rule 'r' asks for an order that there is not: '{order.policy}'"
        assert pattern_faults(p("a"), order=order) == [message]
    odd = Program((Declaration("a", (("v", "float"),)),))
    assert shown(program_faults(odd)) == ["'v' is of an unknown type 'float'"]


def test_two_rules_of_one_name_are_a_fault_in_any_language() -> None:
    twice = rule_program(p("a")) + rule_program(p("b"))
    (fault,) = program_faults(twice)
    assert (fault.message, fault.hint) == ("rule 'r' is defined twice", "")


# -- no false alarms -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case.name)
def test_no_case_that_must_run_has_a_fault(case: Case, tmp_path: Path) -> None:
    assert shown(program_faults(program_of(case, tmp_path))) == []
