"""Mistakes in SEL texts, each shown where it was made; any text at all; and what the page of SEL shows."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amounts import examples
from tests.languages import strategies as own
from tests.languages.building import event, refusal
from tests.languages.large import CHAINS, LARGE, MANY
from tocsin import languages
from tocsin.algebra.patterns import Instant, Never, Pattern, Precedence, Primitive, Sequence
from tocsin.errors import RuleError, Source
from tocsin.languages import sel
from tocsin.languages.depth import MAX_DEPTH
from tocsin.rules.loader import load_expression
from tocsin.session import Session

PAGE = (Path(__file__).parents[2] / "docs" / "languages" / "sel.md").read_text()
TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"
LOOSEST = "'if', 'in' and 'at' bind loosest: put parentheses around what they are written on"
FOLLOWING = "'*', 'delta', '&', '|', '->', 'if', 'in', 'at' or "
OPERATORS = FOLLOWING.replace(", 'at' or ", " or 'at'")
SPAN = "a span of time is written as 20 seconds or 5 minutes"
TIME = "a time as 12.5, 2026-11-15T20:00:00Z or 20:00 15/11/2026"
UNIT = "a unit of time, as sec, min, hour or day"
COUNT = "the number of events must be a whole number from 1 on"

# Text, line and column, message, what was expected, hint.
MISTAKES = [
    ("", "1:1", "unexpected end of the text", "an event", ""),
    ("a ->", "1:5", "unexpected end of the text", "an event", ""),
    ("-> a", "1:1", "unexpected '->'", "an event", ""),
    ("a & | b", "1:5", "unexpected '|'", "an event", ""),
    ("!", "1:2", "unexpected end of the text", "an event", ""),
    ("x:", "1:3", "unexpected end of the text", "an event", ""),
    ("x:!a", "1:3", "unexpected '!'", "an event", "put parentheses around '!' and what it negates"),
    ("now:a", "1:1", "unexpected 'now'", "an event variable", "'now' is a word of the guard language"),
    ("if", "1:1", "unexpected 'if'", "an event", "'if' is a word of this language: an event type of that name stands in quotes, \"if\""),
    ("a -> delta", "1:6", "unexpected 'delta'", "an event", "'delta' is a word of this language: an event type of that name stands in quotes, \"delta\""),
    ("'' -> a", "1:1", "an event type cannot be empty", "", ""),
    ("a b", "1:3", "unexpected 'b'", FOLLOWING + "the end of the text", ""),
    ("a\n ->\n  b c", "3:5", "unexpected 'c'", FOLLOWING + "the end of the text", ""),
    ("a dleta 5 sec", "1:3", "unexpected 'dleta'", FOLLOWING + "the end of the text", "did you mean 'delta'?"),
    ("a)", "1:2", "unexpected ')'", FOLLOWING + "the end of the text", ""),
    ("(a -> b", "1:8", "unexpected end of the text", FOLLOWING + "')'", "the '(' of line 1, column 1 is not closed"),
    ("{a", "1:3", "unexpected end of the text", FOLLOWING + "'}'", "the '{' of line 1, column 1 is not closed"),
    ("{a)", "1:3", "unexpected ')'", FOLLOWING + "'}'", ""),
    ("a ; b", "1:3", "unexpected ';'", OPERATORS, "in SEL followed by is written ->"),
    ("a || b", "1:3", "unexpected '||'", OPERATORS, "'||' joins guards; either of two events is written |"),
    ("a && b", "1:3", "unexpected '&&'", OPERATORS, "'&&' joins guards; both of two events is written &"),
    ("a when true", "1:3", "unexpected 'when'", OPERATORS, "in SEL a guard follows 'if'"),
    ("a within 5 sec", "1:3", "unexpected 'within'", OPERATORS, "in SEL a window is written 'in 20 seconds'"),
    ("a + [5*sec]", "1:3", "unexpected '+'", OPERATORS, "in SEL a time after an event is written e delta 5 seconds"),
    ("a in 5 sec -> b", "1:12", "unexpected '->'", "'if', 'in' or 'at'", LOOSEST),
    ("a if a.k > 1 -> b", "1:14", "unexpected '->'", "'||', '&&', an arithmetic operator, 'if', 'in' or 'at'", LOOSEST),
    ("a at [1, 2] & b", "1:13", "unexpected '&'", "'if', 'in' or 'at'", LOOSEST),
    ("a if", "1:5", "unexpected end of the text", "a value", ""),
    ("a if a.k ==", "1:12", "unexpected end of the text", "a value", ""),
    ("a in", "1:5", "unexpected end of the text", "a number", SPAN),
    ("a in [5*sec]", "1:6", "unexpected '['", "a number", SPAN),
    ("a in PT5M", "1:6", "unexpected 'PT5M'", "a number", SPAN),
    ("a in 5", "1:7", "unexpected end of the text", "a unit of time", ""),
    ("(a in 5)", "1:8", "unexpected ')'", "a unit of time", ""),
    ("a in 5 parsecs", "1:8", "unknown unit of time 'parsecs'", UNIT, "did you mean 'secs'?"),
    ("a in 5 minuts", "1:8", "unknown unit of time 'minuts'", UNIT, "did you mean 'minutes'?"),
    ("a in 0 sec", "1:6", "a period must be longer than nothing", "", ""),
    ("a in 0.5 months", "1:6", "a part of a month has no fixed length", "whole months, or days", ""),
    ("a delta", "1:8", "unexpected end of the text", "a number", SPAN),
    ("a delta -5 sec", "1:9", "unexpected '-'", "a number", SPAN),
    ("a*", "1:3", "unexpected end of the text", "'[' or a number of events", ""),
    ("a*b", "1:3", "unexpected 'b'", "'[' or a number of events", ""),
    ("a*0", "1:3", COUNT, "", ""),
    ("a*2.5", "1:3", COUNT, "", ""),
    ("a*[0, 2]", "1:4", COUNT, "", ""),
    ("a*[3, 2]", "1:3", "a run of at least 3 cannot be one of at most 2", "", ""),
    ("a*[2]", "1:5", "unexpected ']'", "','", ""),
    ("a*[2, 3", "1:8", "unexpected end of the text", "']'", "the '[' of line 1, column 3 is not closed"),
    ("a at 10:30", "1:6", "unexpected '10'", "'['", "a fixed window is written as at [t1, t2]"),
    ("a at [1]", "1:8", "unexpected ']'", "','", ""),
    ("a at [1, ]", "1:10", "unexpected ']'", TIME, ""),
    ("a at [1, 2", "1:11", "unexpected end of the text", "']'", "the '[' of line 1, column 6 is not closed"),
    ("a at [1, 2, 3]", "1:11", "unexpected ','", "']'", ""),
    ("a at [10:30, 2]", "1:7", "a partial time point comes again and again, a window only once", TIME, ""),
    ("a at [1, 5*sec]", "1:10", "a window is fixed by two times, not by a span", TIME, ""),
    ("a at [2026-02-29, 2]", "1:7", "February 2026 has 28 days", "", ""),
    ("a at [1, Mon 15/11/2026]", "1:10", "wrong weekday: 15/Nov/2026 is a Sun", "", ""),
    ("a at [1, 999999999999]", "1:10", "the instant is outside the years 1 to 9999", "", ""),
    ("a -> b\x00", "1:7", "illegal character U+0000", "", ""),
    ("a => b", "1:3", "unexpected '='", FOLLOWING + "the end of the text", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "message", "expected", "hint"), MISTAKES)
def test_a_mistake_is_shown_where_it_was_made(text: str, place: str, message: str, expected: str, hint: str) -> None:
    with pytest.raises(RuleError) as caught:
        sel.parse(Source(text, "FILE"))
    (fault,) = caught.value.faults
    assert str(caught.value).startswith(f"FILE:{place}: {message}")
    assert (fault.message, fault.expected, fault.hint) == (message, expected, hint)


# Rules that read well and cannot be: text, line and column, message.
UNSOUND = [
    ("a -> !b -> !c -> d in 60 seconds", "1:6", "both facing ends of '->' are fluid: '!b' and '!c'"),
    ("a -> (b | !c) ->\n !d & e -> f in 1 hour", "1:6", "both facing ends of '->' are fluid: '(b | !c)' and '!d & e'"),
    ("(a -> !b) -> (!c -> d)", "1:7", "both facing ends of '->' are fluid: '!b' and '(!c -> d)'"),
    ("a -> !b", "1:1", "an outer end is fluid, and there is no window to bound it"),
    ("{a -> !b} -> c", "1:1", "a fluid end inside has no window to bound it"),
    ("c -> (a -> !b) delta 5 sec", "1:6", "a fluid end inside has no window to bound it"),
    ("!a -> b -> !c in 60 seconds", "1:1", "both ends are fluid, so a sliding window has nothing to hang on"),
    ("a -> (!b)*2 -> c", "1:6", "what is repeated is fluid at both ends"),
    ("a -> (!b in 5 sec) -> (!b in 5 sec)", "1:23", "a window cannot hang on one like it"),
    ("a at [20, 10]", "1:1", "this window ends before it begins"),
    ("x:a -> x:b", "1:1", "the variable 'x' is used twice"),
    ("a -> !b -> c if b.k == 1", "1:17", "there is no event variable 'b' here"),
    ("(!(y:b if y.k == x.k) -> a) & (x:c -> !d) at [0, 9]", "1:1",
     "a guard inside '!' speaks of 'x', which stands to its right in the same '&'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "message"), UNSOUND)
def test_a_rule_that_cannot_be_is_refused_where_it_is_wrong(text: str, place: str, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        Session(load_expression(text, "sel"))
    assert str(caught.value).startswith(f"<expression>:{place}: {message}\n")


# -- any text ---------------------------------------------------------------------------------------------------------

_SIGNS = (
    "a b x ( ) [ ] { } -> → ! & | * : , . == < > - + @ $ ? || && ; // /* */ 'q' 5 2.5 0 [1,2] [2,3] \\ \n \x00 \ud800"
)
_WORDS = "if in at delta Δ seconds minutes day not and true x.k 2026-11-15 10:30 15/11/2026 '' \""
WORDS = st.lists(st.sampled_from([*_SIGNS.split(" "), *_WORDS.split(" ")]), max_size=25).map(" ".join)
ANYTHING = st.text(st.characters(exclude_categories=[]), max_size=60)


@given(st.one_of(ANYTHING, WORDS))
@settings(max_examples=examples(250))
def test_any_text_gives_a_pattern_or_a_rule_error(text: str) -> None:
    error = refusal(sel.parse, text)
    if error is not None:
        assert all(fault.place is not None and fault.message for fault in error.faults)
        str(error).encode("utf-8")  # it can be printed, whatever the text held


@given(own.SEL_PATTERNS, st.data())
@settings(max_examples=examples(50))
def test_a_part_of_a_good_text_gives_a_pattern_or_a_rule_error(pattern: Pattern, data: st.DataObject) -> None:
    text = sel.render(pattern)
    refusal(sel.parse, text[: data.draw(st.integers(0, len(text)))])


@pytest.mark.parametrize(
    "opener", ["(", "{", "!", "x:", "a->(", "a|b&!{", "a if (", "a if abs(", "a*[", "a at [", "!x:("]
)
@pytest.mark.parametrize("count", [MAX_DEPTH + 1, 10_000])
def test_deep_nesting_is_refused_and_not_fatal(opener: str, count: int) -> None:
    with pytest.raises(RuleError):
        sel.parse(Source(opener * count + "a"))


@pytest.mark.parametrize(
    ("opener", "closer"),
    [("(", ")"), ("{", "}"), ("!", ""), ("x:", ""), ("b -> (", ")"), ("b & (", ")"), ("(", " if true)"), ("", "*2"),
     ("", " delta 1 day"), ("", " in 1 day"), ("", " if true"), ("", " at [1, 2]"), ("(", " -> c)*2")],
)  # fmt: skip
def test_the_limit_is_two_hundred_levels(opener: str, closer: str) -> None:
    levels = MAX_DEPTH // 2 if closer == " -> c)*2" else MAX_DEPTH
    read = sel.parse(Source(opener * levels + "a" + closer * levels))
    again = sel.parse(Source(sel.render(read)))
    assert read == again
    assert hash(read) == hash(again)
    for more in (levels + 1, 10_000):
        with pytest.raises(RuleError, match=TOO_DEEP):
            sel.parse(Source(opener * more + "a" + closer * more))


@pytest.mark.parametrize("symbol", ["->", "&", "|"])
def test_long_chains_are_flat(symbol: str) -> None:
    pattern = sel.parse(Source(symbol.join(["a"] * 5_000)))
    assert getattr(pattern, "parts") == (Primitive("a"),) * 5_000  # noqa: B009 - not every pattern has parts


def test_what_is_too_deep_to_be_read_is_not_written() -> None:
    deep: Pattern = event("a")
    for _ in range(5_000):
        deep = Sequence((Primitive("b"), Never(Instant(deep))), Precedence.GAP)
    with pytest.raises(RuleError, match=TOO_DEEP):
        sel.render(deep)


@pytest.mark.parametrize("kind", [*LARGE, *MANY, *CHAINS, "runs", "spans", "edges"])
def test_a_large_text_is_read_or_refused_at_once(kind: str) -> None:
    own_kinds = {"runs": "a*2->", "spans": "1 sec ", "edges": "1:"}
    size = 1_000_000 if kind in LARGE else 200_000
    text = own_kinds[kind] * (size // 6) if kind in own_kinds else (LARGE | MANY | CHAINS)[kind](size)
    text = {"spans": "a in ", "edges": "a at [1, "}.get(kind, "") + text
    begin = time.thread_time()
    error = refusal(sel.parse, text)
    assert time.thread_time() - begin < 30
    assert len(str(error)) < 50_000


# -- the language by name, and its page --------------------------------------------------------------------------------


def test_it_is_found_by_its_name() -> None:
    assert "sel" in languages.languages()
    assert languages.render(languages.parse("a->!b->c", "sel"), "sel") == "a -> !b -> c"


ROW = re.compile(r"^\| (`.*?) \|", re.MULTILINE)


def test_the_expressions_shown_are_read() -> None:
    shown = [code.replace("\\|", "|") for row in ROW.findall(PAGE) for code in re.findall(r"`([^`]+)`", row)]
    assert len(shown) > 30
    for expression in shown:
        sel.parse(Source(re.sub(r"\bif g\b", "if true", expression)))


def test_the_commands_shown_are_right() -> None:
    commands = re.findall(r"-e '(.*?)' --lang sel", PAGE)
    assert commands
    for expression in commands:
        Session(load_expression(expression, "sel"))


def test_the_mistakes_shown_are_the_ones_given() -> None:
    block = PAGE.split("## Mistakes")[1].split("```")[1].strip("\n")
    shown = []
    for expression in ("a -> b in 5 minuts", "a -> !b -> !c -> d in 60 seconds"):
        with pytest.raises(RuleError) as caught:
            Session(load_expression(expression, "sel"))
        shown.append(str(caught.value))
    assert block == "\n".join(shown)
