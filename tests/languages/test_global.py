"""The global event expressions of 002 (definition 3.1): each operator, mistakes, and what is written."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.amounts import examples
from tests.languages import strategies as own
from tests.languages.building import both, either, event, microseconds, refusal
from tests.languages.large import CHAINS, LARGE, MANY
from tocsin import languages
from tocsin.algebra import patterns as p
from tocsin.algebra.guards import Literal
from tocsin.algebra.names import name_leaves
from tocsin.algebra.patterns import Absence, Accumulate, Concurrent, Named, Pattern, Precedence, Primitive
from tocsin.errors import RuleError, Source
from tocsin.languages import global_
from tocsin.languages.depth import MAX_DEPTH
from tocsin.time.calendar import TimePoint, parse_instant
from tocsin.time.spans import MINUTE, SECOND

A, B, C, D, E = (event(name) for name in "abcde")
E1, E2 = event("E1"), event("E2")
TOO_DEEP = "nested more than 200 levels deep"


def parse(text: str) -> Pattern:
    return global_.parse(Source(text))


def then(*parts: Pattern) -> Pattern:
    return p.Sequence(parts, Precedence.GLOBAL)


def without(first: Pattern, what: Pattern, last: Pattern) -> Pattern:
    return Absence(first, last, what, order=Precedence.GLOBAL)


def at(kind: str, site: str) -> Pattern:
    return Named(kind, Primitive(kind, site))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 002 definition 3.1, with and without the outer parentheses
        ("(E1, E2)", both(E1, E2)),
        ("(E1 | E2)", either(E1, E2)),
        ("(E1; E2)", then(E1, E2)),
        ("(E1 || E2)", Concurrent(E1, E2)),
        ("(E1; NOT E2; a)", without(E1, E2, A)),
        ("(E1* E2)", Accumulate(E1, E2)),
        # 002 example 4.11
        ("((a, E1); b) | (c; NOT E2; d)", either(then(both(A, E1), B), without(C, E2, D))),
        # sites, names, quotes
        ("a@A ; b@'site 1'", then(at("a", "A"), at("b", "site 1"))),
        ("a@A || a@B", Concurrent(Primitive("a", "A"), Primitive("a", "B"))),
        ("a@''", at("a", "")),
        ("x:a@A , y:(b ; c)", both(Named("x", Primitive("a", "A")), Named("y", then(B, C)))),
        ("x:y:a", Named("x", event("a", "y"))),
        ("'com.example.login' ; 'NOT'", then(event("com.example.login"), event("NOT"))),
        ("a // first\n ; /* then */ b", then(A, B)),
        # equal operators associate to the left
        ("a , b , c", both(A, B, C)),
        ("(a , b) , c", both(A, B, C)),
        ("a , (b , c)", both(A, both(B, C))),
        ("a ; b ; c", then(A, B, C)),
        ("a ; (b ; c)", then(A, then(B, C))),
        ("a | b | c", either(A, B, C)),
        ("a || b || c", Concurrent(Concurrent(A, B), C)),
        ("a || (b || c)", Concurrent(A, Concurrent(B, C))),
        ("a * b * c", Accumulate(Accumulate(A, B), C)),
        ("a ; NOT b ; c ; NOT d ; e", without(without(A, B, C), D, E)),
        ("a ; NOT (b ; c) ; (d ; e)", without(A, then(B, C), then(D, E))),
        # time events
        ("a ; at(2026/11/15 20:00:00)", then(A, p.AtInstant(parse_instant("2026-11-15T20:00:00Z")))),
        ("every(5 min) * a", Accumulate(p.Every(microseconds(5 * MINUTE)), A)),
        ("at(a, 0/0/0 0:00:05) , b", both(p.After(A, microseconds(5 * SECOND)), B)),
        ("at(a , b, 5 sec)", p.After(both(A, B), microseconds(5 * SECOND))),
    ],
)
def test_forms(text: str, expected: Pattern) -> None:
    assert parse(text) == expected


MISTAKES = [
    ("", "1:1", "unexpected end of the text @ expected an event"),
    ("a b", "1:3", "expected '@', ',', '|', ';', ';=', '||', '*' or the end of the text"),
    ("a ;", "1:4", "unexpected end of the text @ expected an event"),
    ("; a", "1:1", "unexpected ';' @ expected an event"),
    ("a ; ; b", "1:5", "unexpected ';' @ expected an event"),
    ("(a ; b", "1:7", "the '(' of line 1, column 1 is not closed"),
    ("a ; b)", "1:6", "unexpected ')'"),
    ("a ;\n  ) b", "2:3", "unexpected ')' @ expected an event"),
    # different operators
    ("a ; b | c", "1:7", "unexpected '|' @ put parentheses between different operators"),
    ("a , b ; c", "1:7", "unexpected ';' @ put parentheses between different operators"),
    ("a || b , c", "1:8", "unexpected ',' @ put parentheses between different operators"),
    ("a * b ; c", "1:7", "unexpected ';' @ put parentheses between different operators"),
    ("a ; b ; NOT c ; d", "1:7", "unexpected ';' @ put parentheses between different operators"),
    ("a ; NOT b ; c ; d", "1:15", "unexpected ';' @ put parentheses between different operators"),
    ("x:a ; b || c", "1:9", "unexpected '||' @ put parentheses between different operators"),
    # absence
    ("a ; NOT b", "1:10", "unexpected end of the text @ an absence has an end: a ; NOT b ; c"),
    ("a ; NOT b | c", "1:11", "unexpected '|' @ an absence has an end"),
    ("NOT a", "1:1", "unexpected 'NOT' @ an absence has a beginning"),
    ("a ; NOT", "1:8", "unexpected end of the text @ expected an event"),
    ("a ; NOT b ; NOT c", "1:13", "unexpected 'NOT'"),
    ("a , NOT:b", "1:5", "unexpected 'NOT'"),
    ("a ; not b ; c", "1:5", "NOT is written in capitals"),
    # other languages' signs
    ("a & b", "1:3", "both is written a , b"),
    ("a && b", "1:3", "both is written a , b"),
    ("!a", "1:1", "absence is written a ; NOT b ; c"),
    ("a when b", "1:3", "a guard is the condition of the rule"),
    ("a -> b", "1:3", "unexpected '-'"),
    ("TimesEq(2, a, k)", "1:8", "unexpected '('"),
    # sites, names, times
    ("a@", "1:3", "expected a site"),
    ("a@@b", "1:3", "unexpected '@' @ expected a site"),
    ("@A", "1:1", "unexpected '@' @ expected an event"),
    ("'' ; a", "1:1", "cannot be empty"),
    ("now:a", "1:1", "'now' is a word of the guard language"),
    ("at(2026/13/15 20:00:00) ; a", "1:9", "month 13 is out of range"),
    ("at(a, 0/0/0 0:00:00)", "1:7", "longer than nothing"),
    ("every a", "1:7", "expected '('"),
    ("a ; b\x00", "1:6", "illegal character U+0000"),
]


@pytest.mark.parametrize(("text", "place", "parts"), MISTAKES)
def test_mistakes_are_shown_where_they_are(text: str, place: str, parts: str) -> None:
    with pytest.raises(RuleError) as caught:
        parse(text)
    message = str(caught.value)
    assert message.startswith(f"<expression>:{place}: ")
    for part in parts.split(" @ "):
        assert part in message


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("((a))", "a"),
        ("((a, E1); b) | (c; NOT E2; d)", "((a , E1) ; b) | (c ; NOT E2 ; d)"),
        ("(a || b) || c", "a || b || c"),
        ("a*(b*c)", "a * (b * c)"),
        ("(a ; NOT b ; c) ; NOT d ; e", "a ; NOT b ; c ; NOT d ; e"),
        ("x:a@'A' , b@'b c'", 'x:a@A , b@"b c"'),
        ("'at' , 'not' , 'NOT'", '"at" , "not" , "NOT"'),
        ("at((a , b), 5 sec)", "at(a , b, 0/0/0 0:00:05)"),
        ("every(36 hours) | at(2026-11-15T20:00:00Z)", "every(0/0/1 12:00:00) | at(2026/11/15 20:00:00)"),
    ],
)
def test_expressions_are_written_without_needless_parentheses(text: str, written: str) -> None:
    assert global_.render(parse(text)) == written
    assert parse(written) == parse(text)


@pytest.mark.parametrize(
    ("pattern", "part"),
    [
        (p.Sequence((A, B)), "an order other than 2g-precedence"),
        (Absence(A, B, C), "an order other than 2g-precedence"),
        (Absence(A, B, C, Literal(True), Precedence.GLOBAL), "a guard inside the expression"),
        (p.Where(A, Literal(True)), "a guard inside the expression"),
        (p.AnyEvent(), "any event"),
        (p.Times(2, A, "k", True), "counting by an attribute"),
        (p.At(TimePoint(weekday=4)), "a partial time point"),
        (p.After(A, microseconds(1), instant=True), "a timer that begins where it ends"),
        (Named("NOT", Primitive("a")), "an event called NOT"),
        (p.Both(()), "a chain of nothing"),
    ],
)
def test_what_cannot_be_written_is_named(pattern: Pattern, part: str) -> None:
    with pytest.raises(RuleError) as caught:
        languages.render(pattern, "global")
    assert "GLOBAL has no way to write" in str(caught.value)
    assert part in str(caught.value)


# -- any pattern, any text ---------------------------------------------------------------------------------------------

PRIMITIVES = st.builds(Primitive, own.NAMES, st.none() | own.TEXTS | st.sampled_from(["A", "B"]))
NAMES = own.VARIABLES.filter(lambda name: name != "NOT")


def chain(shape: type[Pattern], parts: list[Pattern]) -> Pattern:
    """An operator that associates to the left, flat where it does."""
    if shape is p.Sequence:
        first = parts[0]
        return then(*(first.parts if isinstance(first, p.Sequence) else (first,)), *parts[1:])
    return own.chain(p.Both if shape is p.Both else p.Either, parts)


def _larger(inner: st.SearchStrategy[Pattern]) -> st.SearchStrategy[Pattern]:
    shapes = st.sampled_from([p.Both, p.Either, p.Sequence])
    return st.one_of(
        st.builds(chain, shapes, st.lists(inner, min_size=2, max_size=4)),
        st.builds(Concurrent, inner, inner),
        st.builds(Accumulate, inner, inner),
        st.builds(without, inner, inner, inner),
        st.builds(Named, NAMES, inner),
        st.builds(p.After, inner, own.POSITIVE_PERIODS),
    )


def global_patterns() -> st.SearchStrategy[Pattern]:
    """Patterns that the parser can make."""
    leaves = st.one_of(
        PRIMITIVES,
        st.builds(Named, NAMES, PRIMITIVES),
        st.builds(p.AtInstant, own.INSTANTS),
        st.builds(p.Every, own.POSITIVE_PERIODS),
    )
    return st.recursive(leaves, _larger, max_leaves=8).map(name_leaves)


@given(global_patterns())
@example(Concurrent(Primitive("a", ""), Primitive("a", "b c")))
@example(then(Named("NOT", Primitive("NOT")), Named("x", Primitive("not", "NOT"))))
@settings(
    max_examples=examples(75), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
def test_what_is_written_is_read_again(pattern: Pattern) -> None:
    text = global_.render(pattern)
    assert parse(text) == pattern
    assert global_.render(parse(text)) == text


_SIGNS = (
    "a b x: ( ) , | ; || * NOT ; NOT @ A at( every( 5 min ) 0/0/1 0:00:05 not ! & [ ] { } = . ' \" \\ \n \x00 \ud800 é"
)


@given(st.one_of(st.text(st.characters(exclude_categories=[]), max_size=60), st.lists(st.sampled_from(_SIGNS.split(" ")), max_size=25).map(" ".join)))  # fmt: skip
@settings(max_examples=examples(250), deadline=None)
def test_any_text_gives_a_value_or_a_rule_error(text: str) -> None:
    error = refusal(global_.parse, text)
    if error is not None:
        assert all(fault.place is not None and fault.message for fault in error.faults)
        str(error).encode("utf-8")


@pytest.mark.parametrize("opener", ["(", "x:", "at(", "a ; (", "a ; NOT (", "x:(", "a || ", "a * ", "a ; NOT b ; "])
@pytest.mark.parametrize("count", [MAX_DEPTH + 1, 10_000])
def test_deep_nesting_is_refused_and_not_fatal(opener: str, count: int) -> None:
    with pytest.raises(RuleError):
        parse(opener * count + "a")


@pytest.mark.parametrize(
    ("opener", "closer"),
    [("(", ")"), ("x:", ""), ("at(", ", 0/0/1)"), ("b ; (", ")"), ("b ; NOT (", ") ; c"), ("", " || b"), ("", " * b")],
)
def test_the_limit_is_two_hundred_levels(opener: str, closer: str) -> None:
    read = parse(opener * MAX_DEPTH + "a" + closer * MAX_DEPTH)
    assert parse(global_.render(read)) == read
    hash(read)
    repr(read)
    with pytest.raises(RuleError, match=TOO_DEEP):
        parse(opener * (MAX_DEPTH + 1) + "a" + closer * (MAX_DEPTH + 1))


@pytest.mark.parametrize(("symbol", "count"), [(";", 20_000), (" , ", 5_000), ("|", 5_000)])
def test_long_chains_are_flat(symbol: str, count: int) -> None:
    assert getattr(parse(symbol.join(["a"] * count)), "parts") == (Primitive("a"),) * count  # noqa: B009


@pytest.mark.parametrize("kind", [*LARGE, *MANY, *CHAINS])
def test_a_large_text_is_read_or_refused_at_once(kind: str) -> None:
    text = (LARGE | MANY | CHAINS)[kind](1_000_000 if kind in LARGE else 200_000)
    begin = time.thread_time()
    error = refusal(global_.parse, text)
    # CPU time, and more than ten times what it takes: a test of the order of growth.
    assert time.thread_time() - begin < 30
    assert len(str(error)) < 50_000


PAGE = (Path(__file__).parents[2] / "docs" / "languages" / "global.md").read_text(encoding="utf-8")


def test_what_the_page_shows_is_read() -> None:
    rows = PAGE[PAGE.index("| expression |") :].split("\n\n")[0].splitlines()[2:]
    shown = [code.replace("\\|", "|") for row in rows for code in re.findall(r"`([^`]+)`", row.split(" | ")[0])]
    assert len(shown) > 10
    for text in shown:
        parse(text)


def test_the_message_shown_is_the_one_given() -> None:
    with pytest.raises(RuleError) as caught:
        parse("login ; NOT logout ; login | alarm")
    assert f"```\n{caught.value}\n```" in PAGE
