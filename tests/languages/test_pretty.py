"""Composite events in words (001 section 8): each form, how words bind, mistakes, and how patterns are written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tocsin as tc
from tests.amounts import examples
from tests.languages import strategies as own
from tests.languages.building import attribute, both, comparing, either, event, microseconds, refusal
from tocsin.algebra.guards import Literal
from tocsin.algebra.patterns import (
    Absence,
    After,
    AnyEvent,
    At,
    AtInstant,
    Between,
    By,
    Concurrent,
    Every,
    Instant,
    Named,
    Never,
    Partitioned,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
    walk,
)
from tocsin.errors import RuleError, Source
from tocsin.languages import pretty, sel
from tocsin.time.calendar import parse_instant, parse_time_point
from tocsin.time.spans import HOUR, MINUTE, parse_period

A, B, C, D = (event(name) for name in "abcd")
PAGE = (Path(__file__).parents[2] / "docs" / "languages" / "pretty.md").read_text()
LOOSEST = "'where', 'by', 'within' and 'between' bind loosest: put parentheses around what they are written on"

COUNTED = "make a rule of it, and count that by its name"
SEVERAL = "a number of times may have several: 'login 3 times with the same user and host'"
ADDED = "'and' adds an attribute here: put parentheses around '(... with the same ...)' and go on"
OR_WITH = "what may come at the same time, too, is written 'a followed by or with b'"
DIFFERENT = (
    "that is said of a number of times, 'login 3 times with different host', or as a guard: 'where x.host != y.host'"
)


def parse(text: str) -> Pattern:
    return pretty.parse(Source(text))


def then(*parts: Pattern) -> Pattern:
    return Sequence(parts, Precedence.GAP)


def within(pattern: Pattern, span: str) -> Pattern:
    return Within(pattern, parse_period(span))


def without(first: Pattern, last: Pattern, absent: Pattern) -> Pattern:
    return Absence(first, last, absent, order=Precedence.GAP)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'Event A' followed_by 'Event B' within '1h'", within(then(event("Event A"), event("Event B")), "1 h")),
        ("a followed by b", then(A, B)),
        ("a then b followed_by c followed by d", then(A, B, C, D)),
        ("a and b or c then d", then(either(both(A, B), C), D)),
        ("a or b and c", either(A, both(B, C))),
        ("not a and b", both(Never(A), B)),
        ("not (a and b)", Never(both(A, B))),
        ("a unless b within 2 minutes", within(then(A, Never(B)), "2 min")),
        ("a then b unless c", then(A, B, Never(C))),
        ("a then b without c", without(A, B, C)),
        ("a then b then c without d", without(then(A, B), C, D)),
        ("a then b without c then d", then(without(A, B, C), D)),
        ("(a then b) without c", without(A, B, C)),
        ("a then b without c without d", without(A, B, either(C, D))),
        ("a unless b unless c unless d within 1 h", within(then(A, Never(either(B, C, D))), "1 h")),
        ("a unless b unless c and d", then(A, Never(either(B, both(C, D))))),
        ("a 3 times", Streak(3, A)),
        ("a at least 3 times", Streak(3, A, once=True)),
        ("a at least 3 times within 1 h", Streak(3, A, period=parse_period("1 h"), once=True)),
        ("a 1 time", Streak(1, A)),
        ("a 2 to 4 times", Repeat(A, 2, 4)),
        ("a 2 to 2 times with the same k", Repeat(A, 2, 2, ("k",))),
        ("(a then b) 2 times", Repeat(then(A, B), 2, 2)),
        ("not a 2 times", Never(Streak(2, A))),
        ("a 3 times with the same user", Streak(3, A, ("user",))),
        ("a 3 times with same user and host within 1 h", Streak(3, A, ("user", "host"), None, parse_period("1 h"))),
        ("a 3 times with the same user, host and different port", Streak(3, A, ("user", "host"), "port")),
        ("a 3 times with different port with the same user", Streak(3, A, ("user",), "port")),
        ("(a 3 times with the same user) and b", both(Streak(3, A, ("user",)), B)),
        ("a 3 times with different 'user-id'", Streak(3, A, (), "user-id")),
        ("a as x 3 times with same user", Streak(3, event("a", "x"), ("user",))),
        ("(a 3 times where true) within 1 h", Where(Streak(3, A, period=parse_period("1 h")), Literal(True))),
        ("any 3 a", Times(3, A, None, True)),
        ("any 3 a as x with the same user", Times(3, event("a", "x"), "user", True)),
        ("any 3 a with different 'user-id' then b", then(Times(3, A, "user-id", False), B)),
        ("a followed by or with b", Sequence((A, B), Precedence.WEAK)),
        ("a then or with b then c", then(Sequence((A, B), Precedence.WEAK), C)),
        ("a followed by or with b without c", Absence(A, B, C, order=Precedence.WEAK)),
        ("a then b by ip and host within 1 h", within(By(then(A, B), ("ip", "host")), "1 h")),
        ("a then b with the same ip and host within 1 h", within(By(then(A, B), ("ip", "host")), "1 h")),
        ("a as x as y", Named("y", event("a", "x"))),
        ("(a then b) as x", Named("x", then(A, B))),
        ("a and 5 minutes after b", both(A, After(B, microseconds(5 * MINUTE), instant=True))),
        ("'1h' after a", After(A, microseconds(HOUR), instant=True)),
        ("'1h' then a", then(event("1h"), A)),
        ("end of (a then b) then c", then(Instant(then(A, B)), C)),
        ("any event then a", then(AnyEvent(), A)),
        ("every 10 minutes and a", both(Every(parse_period("10 min")), A)),
        ("at [10:30 Fri] then a", then(At(parse_time_point("10:30 Fri")), A)),
        ("at '2026-11-15T20:00:00Z'", AtInstant(parse_instant("2026-11-15T20:00:00Z"))),
        ("a where true within 1 hour", within(Where(A, Literal(True)), "1 h")),
        ("a as x then b where x.k > 1", Where(then(event("a", "x"), B), comparing("x.k", ">", 1))),
        ("a as x unless (b as y where y.k == x.k)",
         then(event("a", "x"), Never(Where(event("b", "y"), comparing("y.k", "==", attribute("x.k")))))),
        ("a between '1970-01-01T00:00:01Z' and '1970-01-01T00:00:02Z'", Between(A, 1_000_000, 2_000_000)),
    ],
)  # fmt: skip
def test_forms(text: str, expected: Pattern) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "place", "message", "hint"),
    [
        ("", "1:1", "unexpected end of the text", ""),
        ("a followed b", "1:12", "unexpected 'b'", "did you mean 'by'?"),
        ("a then", "1:7", "unexpected end of the text", ""),
        ("a -> b", "1:3", "unexpected '->'", "in words, one event after another is written 'followed by'"),
        ("a & b", "1:3", "unexpected '&'", "in words, both of two events is written 'and'"),
        ("!a", "1:1", "unexpected '!'", ""),
        ("x:a", "1:2", "unexpected ':'", "an event is named behind it: 'login as x'"),
        ("a in 5 minutes", "1:3", "unexpected 'in'", "a window is written 'within 20 seconds'"),
        ("a without b", "1:3", "'without' needs two steps to stand between",
         "as in 'a followed by b without c'; what must not come after a is 'a unless c within 5 minutes'"),
        ("a 0 times", "1:3", "the number of times must be a whole number from 1 on", ""),
        ("a 3 to 2 times", "1:8", "a run of at least 3 cannot be one of at most 2", ""),
        ("a 2 to 3 times with different k", "1:1", "what has different values comes a fixed number of times", ""),
        ("(a then b) 2 times with the same k", "1:1", "only single events are counted like this", COUNTED),
        ("any 2 a with the same k and l", "1:1", "'any' compares one attribute", SEVERAL),
        ("a 2 times with the same k and b 2 times", "1:33", "unexpected '2'", ADDED),
        ("a followed by or b", "1:18", "unexpected 'b'", OR_WITH),
        ("a then b with different k", "1:15", "unexpected 'different'", DIFFERENT),
        ("a then b with the k", "1:19", "unexpected 'k'", ""),
        ("a 3 tmies", "1:5", "unexpected 'tmies'", "did you mean 'times'?"),
        ("a within 0 seconds", "1:10", "a period must be longer than nothing", ""),
        ("a within soon", "1:10", "unexpected 'soon'", "a span of time is written as 20 seconds or '1h'"),
        ("a within '5 parsecs'", "1:13", "unknown unit of time 'parsecs'", "did you mean 'secs'?"),
        ("a within 1 hour then b", "1:17", "unexpected 'then'", LOOSEST),
        ("a between '2026' and 5", "1:16", None, ""),
        ("(a then b", "1:10", "unexpected end of the text", "the '(' of line 1, column 1 is not closed"),
        ("a as now", "1:6", "unexpected 'now'", "'now' is a word of the guard language"),
    ],
)  # fmt: skip
def test_a_mistake_is_shown_where_it_was_made(text: str, place: str, message: str | None, hint: str) -> None:
    error = refusal(pretty.parse, text)
    assert error is not None
    (fault,) = error.faults
    assert fault.span is not None
    found = Source(text).at(fault.span)
    assert f"{found.line}:{found.column}" == place
    if message is not None:
        assert fault.message == message
        assert fault.hint == hint


@given(own.PRETTY_PATTERNS)
@settings(
    max_examples=examples(75), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
def test_what_is_written_is_read_again(pattern: Pattern) -> None:
    assert parse(pretty.render(pattern)) == pattern


WORDS = (
    "a b ( ) 'x' 5 3 minutes and or not then followed by without unless where within between times time as every any"
)
MORE = "event at least end of after with the same different k to [10:30] true x.k == '1h' : -> ! é \x00 \""


@given(st.lists(st.sampled_from([*WORDS.split(), *MORE.split()]), max_size=20).map(" ".join))
@settings(max_examples=examples(150), deadline=None)
def test_no_text_breaks_it(text: str) -> None:
    try:
        pattern = parse(text)
    except RuleError:
        return
    assert parse(pretty.render(pattern)) == pattern


@pytest.mark.parametrize(
    ("pattern", "construct"),
    [
        (Sequence((A, B)), "a sequence whose parts may overlap"),
        (After(A, parse_period("1 s")), "a timer that begins with what it waits for"),
        (After(A, parse_period("0 s"), instant=True), "a time after an event that is no later"),
        (Concurrent(A, B), "concurrency"),
        (Primitive("a", "s"), "an event type at a site"),
        (Absence(A, B, C, Literal(True), Precedence.GAP), "a guard on what must be absent"),
    ],
)
def test_what_it_lacks_is_named(pattern: Pattern, construct: str) -> None:
    with pytest.raises(RuleError, match=f"the pretty language has no way to write {construct}"):
        pretty.render(pattern)


@pytest.mark.parametrize(
    ("words", "signs"),
    [
        ("down unless up within 2 minutes", "down -> !up in 2 minutes"),
        ("(not b followed by a) within 5 minutes", "(!b -> a) in 5 minutes"),
        ("end of (a then b) then c 2 to 3 times", "{a -> b} -> c*[2, 3]"),
    ],
)
def test_words_mean_what_sel_means(words: str, signs: str) -> None:
    assert parse(words) == sel.parse(Source(signs))


def test_what_the_page_shows_is_read() -> None:
    rows = re.findall(r"^\| (`[^|]*`) \|", PAGE, re.MULTILINE)
    expressions = [code for row in rows for code in re.findall(r"`([^`]+)`", row)]
    assert len(expressions) > 15
    for expression in expressions:
        parse(expression)


def test_it_detects() -> None:
    rule = tc.rule("r", "down as d unless (up as u where u.link == d.link) within 2 minutes", language="pretty")
    events = [
        {"type": "down", "time": 0, "id": "1", "data": {"link": 1}},
        {"type": "down", "time": 10, "id": "2", "data": {"link": 2}},
        {"type": "up", "time": 60, "id": "3", "data": {"link": 1}},
    ]
    (found,) = tc.detect(rule, events)
    assert found.events == ("2",)


def test_nothing_that_is_denied_is_lost() -> None:
    twice = pretty.parse(Source("a unless b unless c within 5 minutes"))
    assert [part.type for part in walk(twice) if isinstance(part, Primitive)] == ["a", "b", "c"]
    assert pretty.parse(Source("a followed by b without c without d")) == pretty.parse(
        Source("a followed by b without (c or d)")
    )


def test_a_partition_stands_around_the_whole() -> None:
    """It comes after all that a pattern has, before what is told once, and goes from the pattern to the rule."""
    pattern = parse("a followed by b within 1 h partition by user and 'host name'")
    assert pattern == Partitioned(parse("a followed by b within 1 h"), ("user", "host name"))
    assert pretty.render(pattern) == 'a followed by b within 1 hour partition by user and "host name"'
    rule = tc.rule("r", "a followed by b partition by user once in 5 minutes", language="pretty")
    assert (rule.partition, rule.pattern) == (("user",), parse("a followed by b"))
    with pytest.raises(RuleError, match="unexpected end"):
        parse("a partition by")


def test_partition_is_a_type_like_any_other() -> None:
    assert parse("partition followed by a") == then(Named("partition", Primitive("partition")), A)
