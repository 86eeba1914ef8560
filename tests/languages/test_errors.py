"""Every mistake is shown where it was made, with what was expected: texts, places and messages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tocsin.errors import RuleError, Source
from tocsin.languages import eps, gem, parse
from tocsin.languages.guards import parse_guard_text

PARSERS: dict[str, Callable[[Source], object]] = {
    "guard": parse_guard_text,
    "eps": eps.parse,
    "document": eps.parse_document,
    "gem": gem.parse,
    "script": gem.parse_script,
}

CASES: list[tuple[str, str, str, str]] = [
    # -- guards
    ("guard", "", "1:1", "unexpected end of the text @ expected a value"),
    ("guard", "x.a ==", "1:7", "unexpected end of the text @ expected a value"),
    ("guard", "x.a == == 1", "1:8", "unexpected '==' @ expected a value"),
    ("guard", "x.a < 1 < 2", "1:9", "unexpected '<' @ comparisons do not chain"),
    ("guard", "x.a == 1 in (2)", "1:10", "unexpected 'in' @ comparisons do not chain"),
    ("guard", "x.a in (1) == 2", "1:12", "unexpected '==' @ comparisons do not chain"),
    ("guard", "x.a in ()", "1:5", "'in' needs at least one value"),
    ("guard", "x.a in 1", "1:5", "unexpected 'in' @ expected 'in (...)'"),
    (
        "guard",
        "(x.a",
        "1:5",
        "expected '||', '&&', a comparison, an arithmetic operator or ')' @ the '(' of line 1, column 1 is not closed",
    ),
    ("guard", "x.a)", "1:4", "unexpected ')' @ or the end of the text"),
    ("guard", "x.", "1:3", "expected an attribute"),
    ("guard", "x.5", "1:3", "unexpected '5' @ expected an attribute"),
    ("guard", "@5", "1:2", "unexpected '5' @ expected an event variable"),
    ("guard", "$now", "1:2", "'now' is a word of the guard language"),
    ("guard", "1 + !x.a", "1:5", "unexpected '!' @ put parentheses around '!'"),
    ("guard", "x.a && and", "1:8", "unexpected 'and' @ expected a value"),
    ("guard", "bas(x.a)", "1:1", "unknown function 'bas' @ did you mean 'abs'?"),
    ("guard", "zzz(x.a)", "1:1", "unknown function 'zzz' @ the functions are abs"),
    ("guard", "abs(x.a, 1)", "1:1", "abs takes one argument, not 2"),
    ("guard", "during(x)", "1:1", "during takes two arguments, not 1"),
    ("guard", "abs(x.a", "1:8", "an arithmetic operator, ',' or ')' @ is not closed"),
    ("guard", "[29/Feb/1995] < @x", "1:2", "February 1995 has 28 days"),
    ("guard", "@x < [01:30 Fri 29/Feb/1996]", "1:13", "Thu"),
    ("guard", "@x < [25:00]", "1:7", "hour 25 is out of range"),
    ("guard", "@x - @y < [5*sex]", "1:14", "unknown unit of time 'sex' @ did you mean 'sec'?"),
    ("guard", "@x < [10:00", "1:12", "expected ']' @ the '[' of line 1, column 6 is not closed"),
    ("guard", "x.a == 'abc", "1:8", "the string is not closed"),
    ("guard", "x.a == 'a\\qb'", "1:10", "unknown escape"),
    ("guard", "x.a == 1e999", "1:8", "the number is out of range"),
    ("guard", "x.a ; y.b", "1:5", "unexpected ';'"),
    ("guard", "x.a ==\n  1 +\n  ;", "3:3", "unexpected ';' @ expected a value"),
    ("guard", "x.a /* never", "1:5", "the comment is never closed"),
    ("guard", "x.a ≤ 5", "1:5", "illegal character U+2264 (LESS-THAN OR EQUAL TO)"),
    # -- EPS
    ("eps", "a b", "1:3", "unexpected 'b' @ expected '&', ';', '||' or the end of the text"),
    ("eps", "a ; ; b", "1:5", "unexpected ';' @ expected an event"),
    ("eps", "a | b", "1:3", "in EPS either is written ||"),
    ("eps", "a && b", "1:3", "in EPS both is written &"),
    ("eps", "a when a.x > 1", "1:3", "the condition of the request"),
    ("eps", "{a ; b} ! c", "1:1", "unexpected '{' @ expected an event"),
    ("eps", "(a ; b", "1:7", "expected '&', ';', '||' or ')' @ the '(' of line 1, column 1 is not closed"),
    ("eps", "TimesEQ(3, e, k)", "1:1", "did you mean 'TimesEq'?"),
    ("eps", "TimesEq(0, e, k)", "1:9", "a whole number from 1 on"),
    ("eps", "TimesEq(2.5, e, k)", "1:9", "a whole number from 1 on"),
    ("eps", "TimesEq(2, (a ; b), k)", "1:12", "unexpected '(' @ expected an event type"),
    ("eps", "TimesEq(2, e)", "1:13", "unexpected ')' @ expected ','"),
    ("eps", "TimesEq 3", "1:9", "expected '('"),
    ("eps", "at(2026/13/15 20:00:00)", "1:9", "month 13 is out of range"),
    ("eps", "at(e 0/0/2)", "1:6", "unexpected '0' @ or ','"),
    ("eps", "at(e, 0/0/2 0:99:05)", "1:15", "minutes are out of range"),
    ("eps", "every(0/0/0 0:00:00)", "1:7", "longer than nothing"),
    ("eps", "now:e", "1:1", "'now' is a word of the guard language"),
    ("eps", "'' ; a", "1:1", "cannot be empty"),
    # -- EPS documents
    ("document", "hello", "1:1", "expected 'request'"),
    ("document", "request r\n", "1:10", "unexpected end of the line @ expected '{' @ on the same line"),
    ("document", "request r {\n evnt: a\n}", "2:2", "unexpected 'evnt' @ did you mean 'event'?"),
    ("document", "request r {\n event a\n}", "2:8", "expected ':'"),
    ("document", "request r {\n event: a b\n}", "2:11", "expected '&', ';', '||', '}' or the end of the line"),
    ("document", "request r {\n event: a\n event: b\n}", "3:2", "two clauses 'event'"),
    ("document", "request r {\n condition: true\n}", "1:1", "no event expression"),
    ("document", "request r {\n event: a\n", "2:10", "the '{' of line 1, column 11 is not closed"),
    ("document", "request r {\n event: a\n order: guaranteed:0 sec\n}", "3:20", "a period must be longer than nothing"),
    ("document", "request r {\n event: a\n order: guaranteed:soon\n}", "3:20", "unknown unit of time 'soon'"),
    ("document", "request r {\n event: a\n order: best-effort:5\n}", "3:20", "unexpected ':'"),
    ("document", "request r {\n event: a\n order: probabilistic:2\n}", "3:23", "a probability lies above 0"),
    # -- GEM expressions
    ("gem", "", "1:1", "unexpected end of the text @ expected an event"),
    ("gem", "a b", "1:3", "unexpected 'b' @ expected '+', '&', ';', '|', 'when' or the end of the text"),
    ("gem", "a when a.x > 1 ; b", "1:16", "unexpected ';' @ put parentheses around the guarded event"),
    ("gem", "a when a.x > 1 & b", "1:16", "unexpected '&' @ put parentheses around the guarded event"),
    ("gem", "a whne a.x > 1", "1:3", "did you mean 'when'?"),
    ("gem", "a || b", "1:3", "either of two events is written |"),
    ("gem", "a && b", "1:3", "both of two events is written &"),
    ("gem", "a ! b", "1:3", "'!' has no interval on its left @ {e1 ; e2} ! e3"),
    ("gem", "x:{a ; b} ! c", "1:11", "put parentheses around the whole"),
    ("gem", "{a ; b} & c", "1:9", "unexpected '&' @ expected '!'"),
    ("gem", "{a & b} ! c", "1:1", "a sequence is needed between { and }"),
    ("gem", "{a ; b} ! c ! d", "1:13", "put parentheses around the first absence"),
    ("gem", "{a ; b ! c", "1:8", "'!' has no interval on its left"),
    ("gem", "{a ; b", "1:7", "the '{' of line 1, column 1 is not closed"),
    ("gem", "a + 5", "1:5", "expected '[' @ a time stands in brackets"),
    ("gem", "a + [0*sec]", "1:6", "longer than nothing"),
    ("gem", "a + [10:30]", "1:8", "unexpected ':'"),
    ("gem", "[5*sec]", "1:2", "a time point is needed here, not a period"),
    ("gem", "at 10:30", "1:4", "expected '[' @ a time stands in brackets"),
    ("gem", "every[10:30]", "1:9", "unexpected ':'"),
    ("gem", "a ; at[01:30 29/Feb/1995]", "1:14", "February"),
    ("gem", "a ;\n\n  at[01:30\n  Fri 29/Feb/1996]", "4:3", "Thu"),
    ("gem", "when", "1:1", "unexpected 'when' @ expected an event"),
    ("gem", "a ; b\x00", "1:6", "illegal character U+0000"),
    # -- GEM scripts
    ("script", "evnt e", "1:6", "unexpected 'e' @ did you mean 'event'?"),
    ("script", "event\n", "1:6", "unexpected end of the line @ expected a name for the event"),
    (
        "script",
        "event e(strng s)",
        "1:9",
        "expected ')', 'char', 'long', 'double', 'string', 'time' or 'itime' @ did you mean 'string'?",
    ),
    ("script", "event e(long)", "1:13", "expected a name for the attribute"),
    ("script", "event e(long a", "1:15", "the '(' of line 1, column 8 is not closed"),
    ("script", "event a\nrule r { a ==> }", "2:16", "unexpected '}' @ expected an action"),
    ("script", "event a\nrule r { a }", "2:12", "expected '+', '&', ';', '|', 'when' or '==>'"),
    ("script", "rule r { a = > b }", "1:12", "the actions of a rule follow ==>"),
    ("script", "rule r [10:30] { a ==> b }", "1:11", "unexpected ':'"),
    ("script", "rule r { a ==> notfy b }", "1:22", "did you mean 'notify'?"),
    ("script", "rule r { a ==> b\n c }", "2:2", "actions are separated by ';'"),
    ("script", "rule r { a ==> load 'f' }", "1:16", "'load' stands only at top level"),
    ("script", "rule r { a ==> stop }", "1:16", "'stop' stands only at top level"),
    ("script", "rule r { a ==> ~ a }", "1:16", "'~' stands only at top level"),
    ("script", "rule r { a ==> enable * }", "1:23", "'enable *' stands only at top level"),
    ("script", "rule r { a ==> disable * }", "1:24", "'disable *' stands only at top level"),
    ("script", "rule r { a ==> b", "1:17", "the '{' of line 1, column 8 is not closed"),
    ("script", "rule r\n", "1:7", "unexpected end of the line @ expected '[' or '{' @ on the same line"),
    ("script", "rule '*' { a ==> b }", "1:6", "'*' stands for all rules"),
    ("script", "enable", "1:7", "expected '*' or a rule"),
    ("script", "enable r; disable s", "1:9", "a statement ends with its line"),
    ("script", "load testfile.mi", "1:6", "expected a file name in quotes"),
    ("script", "~ rule", "1:7", "expected a rule"),
    ("script", 'e1 "s1" [5*sec]', "1:10", "a time point is needed here, not a period"),
    ("script", "event a\n\n  ) b", "3:3", "unexpected ')' @ expected a statement"),
    ("script", "event a \\ b", "1:9", "a backslash may stand only at the end of a line"),
]


@pytest.mark.parametrize(("parser", "text", "place", "parts"), CASES)
def test_a_mistake_is_shown_where_it_was_made(parser: str, text: str, place: str, parts: str) -> None:
    with pytest.raises(RuleError) as caught:
        PARSERS[parser](Source(text, "FILE"))
    shown = str(caught.value)
    assert shown.startswith(f"FILE:{place}: ")
    for part in parts.split(" @ "):
        assert part in shown
    assert len(caught.value.faults) == 1


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 40


@pytest.mark.parametrize(
    ("parser", "text", "expected"),
    [
        (
            "script",
            "event a\nevent a2\nrule r [5*min] {\n  a ; b when\n}\n",
            "rules/x.gem:5:1: unexpected '}'\n  }\n  ^\n  expected a value",
        ),
        (
            "gem",
            "login ; (logout & x:transfer when x.sum > 10 ; alarm)",
            "rules/x.gem:1:46: unexpected ';'\n"
            "  login ; (logout & x:transfer when x.sum > 10 ; alarm)\n"
            "                                               ^\n"
            "  expected '||', '&&', an arithmetic operator or 'when'\n"
            "  'when' binds loosest: put parentheses around the guarded event",
        ),
        (
            "eps",
            "a ; TimesEq(3, b, k) ; tiemsEq(2, c, k)",
            "rules/x.gem:1:24: unexpected 'tiemsEq'\n"
            "  a ; TimesEq(3, b, k) ; tiemsEq(2, c, k)\n"
            "                         ^^^^^^^\n"
            "  expected an event\n"
            "  did you mean 'TimesEq'?",
        ),
        (
            "guard",
            "\tx.a = [29/Feb/1995]",
            "rules/x.gem:1:9: February 1995 has 28 days\n  \tx.a = [29/Feb/1995]\n  \t       ^^^^^^^^^^^",
        ),
    ],
)
def test_the_whole_message(parser: str, text: str, expected: str) -> None:
    with pytest.raises(RuleError) as caught:
        PARSERS[parser](Source(text, "rules/x.gem"))
    assert str(caught.value) == expected


def test_a_text_inside_a_larger_file_is_shown_where_it_stands_there() -> None:
    with pytest.raises(RuleError) as caught:
        gem.parse(Source("a ;\n  ; b", "rules.yaml", line=7, column=17, indent=4))
    assert str(caught.value).startswith("rules.yaml:8:7: unexpected ';'")
    with pytest.raises(RuleError) as caught:
        gem.parse(Source("a ; ; b", "rules.yaml", line=7, column=17))
    assert str(caught.value).startswith("rules.yaml:7:21: unexpected ';'")


class TestAllFaultsOfAScript:
    def test_one_a_statement_in_order(self) -> None:
        text = """event e(strng s)
rule r1 { a ==> }
event good
rule r2 {
  a ;; b
  ==> notify x
}
enable r1 r2
rule r3 { at[29/Feb/95] ==> notify x }
enable
"""
        with pytest.raises(RuleError) as caught:
            gem.parse_script(Source(text))
        places = [(fault.place.line, fault.place.column) for fault in caught.value.faults if fault.place]
        assert places == [(1, 9), (2, 17), (5, 6), (8, 11), (9, 14), (10, 7)]

    def test_a_rule_that_is_not_closed_does_not_swallow_the_next(self) -> None:
        text = "rule r1 { a ==> notify b\nevent c\nrule r2 { a ==> notify (\nrule r3 { a ==> notify 5 }\n"
        with pytest.raises(RuleError) as caught:
            gem.parse_script(Source(text))
        places = [(fault.place.line, fault.place.column) for fault in caught.value.faults if fault.place]
        assert places == [(2, 1), (3, 24), (4, 24)]

    def test_at_most_fifty(self) -> None:
        with pytest.raises(RuleError) as caught:
            gem.parse_script(Source("enable\n" * 1000))
        assert len(caught.value.faults) == 50
        with pytest.raises(RuleError) as caught:
            eps.parse_document(Source("request r {\n" + " x: y\n" * 1000 + "}"))
        assert len(caught.value.faults) == 50


@pytest.mark.parametrize(
    ("text", "language", "word"),
    [
        ("times followed by b", "pretty", "times"),
        ("a followed by any", "pretty", "any"),
        ("end followed by b", "pretty", "end"),
        ("at followed by b", "pretty", "at"),
        ("every followed by b", "pretty", "every"),
        ("a -> if", "sel", "if"),
        ("when ; b", "gem", "when"),
        ("at ; b", "eps", "at"),
        ("[in]", "core", "in"),
    ],
)
def test_a_word_of_the_language_used_as_a_type(text: str, language: str, word: str) -> None:
    with pytest.raises(RuleError) as refused:
        parse(Source(text), language)
    assert refused.value.faults[0].hint.startswith(f"'{word}' is a word of this language: an event type of that name")
    parse(Source('"' + word + '"' if language != "core" else f'["{word}"]'), language)
