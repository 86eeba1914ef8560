"""No text breaks a parser: it gives a value or a RuleError, in time proportional to the text."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amounts import examples
from tests.languages.building import event, refusal
from tests.languages.large import LARGE, MANY
from tests.languages.strategies import GEM_PATTERNS, GUARDS
from tocsin.algebra.guards import Binary, Literal, Not, Reference
from tocsin.algebra.names import name_leaves
from tocsin.algebra.patterns import After, Named, Pattern, Primitive, Sequence, Where
from tocsin.errors import RuleError, Source
from tocsin.languages import core, eps, gem, global_, pretty, python_, sel
from tocsin.languages.depth import MAX_DEPTH
from tocsin.languages.guards import parse_guard_text, render_guard
from tocsin.time.spans import Period

PARSERS: dict[str, Callable[[Source], object]] = {
    "guard": parse_guard_text,
    "eps": eps.parse,
    "document": eps.parse_document,
    "gem": gem.parse,
    "script": gem.parse_script,
    "sel": sel.parse,
    "core": core.parse,
    "definitions": core.parse_rules,
    "global": global_.parse,
    "pretty": pretty.parse,
    "python": python_.parse,
}
WRITERS: dict[str, Callable[[Any], str]] = {
    "guard": render_guard,
    "eps": eps.render,
    "gem": gem.render,
    "sel": sel.render,
    "core": core.render,
    "global": global_.render,
    "pretty": pretty.render,
    "python": python_.render,
}
TOO_DEEP = "nested more than 200 levels deep"

ANYTHING = st.text(st.characters(exclude_categories=[]), max_size=60)
_SIGNS = "a b x e1 ( ) [ ] { } ; & | ! + - * / % . , : @ $ ? ~ = < > == => ==> || && |@ =< // /* */"
_KEYWORDS = (
    "when at every event rule enable disable notify forward stop load request TimesEq in and or not true if delta -> NOT"
    " then followed by without unless where within between as any end of after times time with the same different"
)
_OTHERS = [
    "[5*sec]",
    "[10:30]",
    "'s'",
    '"',
    "'",
    "\\",
    "\n",
    "\\\n",
    "5",
    "2.5",
    "1e3",
    "min",
    "0/0/2 0:01:05",
    "20 seconds",
    "{T = 5 min}",
    "D = [a]\n",
    "*[2, 3]",
    "⊆",
    "¬",
    "\x00",
    "\ud800",
    "é",
]
WORDS = st.lists(
    st.sampled_from([*_SIGNS.split(), *_KEYWORDS.split(), *_OTHERS]),
    max_size=25,
).map(" ".join)


@pytest.mark.parametrize("parser", PARSERS)
@given(text=st.one_of(ANYTHING, WORDS))
@settings(max_examples=examples(150))
def test_any_text_gives_a_value_or_a_rule_error(parser: str, text: str) -> None:
    error = refusal(PARSERS[parser], text)
    if error is not None:
        assert all(fault.place is not None and fault.message for fault in error.faults)
        str(error).encode("utf-8")  # it can be printed, whatever the text held


@given(GEM_PATTERNS, st.data())
@settings(max_examples=examples(50))
def test_a_part_of_a_good_text_gives_a_value_or_a_rule_error(pattern: Pattern, data: st.DataObject) -> None:
    text = gem.render(pattern)
    cut = text[: data.draw(st.integers(0, len(text)))]
    for parse in PARSERS.values():
        refusal(parse, cut)


OPENERS = {
    "guard": ["(", "abs(", "!", "-", "not ", "x in (", "1+(", "1||1&&1==1+1*(", "before(x,", "["],
    "eps": ["(", "x:", "at(", "a;(", "a||b;c&x:(", "TimesEq(2,", "at(x:("],
    "gem": ["(", "{", "x:", "{a;", "a;(", "a|b;c&x:(", "a when (", "a when abs(", "[", "at[", "({a;b}!"],
    "sel": ["(", "{", "x:", "!", "a -> (", "a | b & !(", "a if (", "a if abs(", "a at [", "({"],
    "core": ["(", "[", "([A], ", "[A] (", "[A] ; (", "[A in {", "[!", "[A(", "[A(abs(", "[{"],
    "global": ["(", "x:", "at(", "a ; (", "a ; NOT (", "a || ", "a * ", "a ; NOT b ; "],
    "pretty": [
        "(",
        "not ",
        "end of ",
        "5 s after ",
        "a then (",
        "a or b and (",
        "a without ",
        "a where (",
        "a where abs(",
    ],
}


@pytest.mark.parametrize(
    ("parser", "opener"), [(parser, opener) for parser, openers in OPENERS.items() for opener in openers]
)
@pytest.mark.parametrize("count", [MAX_DEPTH + 1, 10_000])
def test_deep_nesting_is_refused_and_not_fatal(parser: str, opener: str, count: int) -> None:
    texts = {parser: opener * count + "a"}
    if parser == "gem":
        texts["script"] = f"rule r {{ {texts['gem']} ==> b }}"
    if parser == "eps":
        texts["document"] = f"request r {{ event: {texts['eps']} }}"
    if parser == "core":
        texts["definitions"] = f"D = {texts['core']}\n[D]"
    if parser == "guard":
        texts |= {"gem": f"a when {texts['guard']}", "script": f"rule r {{ a ==> b({texts['guard']}) }}"}
    for name, text in texts.items():
        with pytest.raises(RuleError):
            PARSERS[name](Source(text))


CLOSED = {
    "guard": [("(", ")"), ("abs(", ")"), ("!", ""), ("-", ""), ("x in (", ")"), ("1 + (", ")"), ("before(x, ", ")")],
    "eps": [("(", ")"), ("x:", ""), ("at(", ", 0/0/1)"), ("b ; (", ")"), ("b & (", ")")],
    "gem": [
        ("(", ")"),
        ("x:", ""),
        ("{b ; ", "} ! c"),
        ("b ; (", ")"),
        ("(", " + [1*sec])"),
        ("(", " when true)"),
        ("{b ; c} ! (", ")"),
    ],
    "sel": [
        ("(", ")"),
        ("{", "}"),
        ("x:", ""),
        ("!", ""),
        ("b -> (", ")"),
        ("b & (", ")"),
        ("", "*2"),
        ("(", " if true)"),
    ],
    "core": [("(", ")"), ("[", " in x]"), ("([b], ", "){t = 1 s}"), ("[b] ; (", ")"), ("", "*")],
    "global": [("(", ")"), ("x:", ""), ("at(", ", 0/0/1)"), ("b ; (", ")"), ("b ; NOT (", ") ; c"), ("", " * b")],
    "pretty": [("(", ")"), ("not ", ""), ("end of ", ""), ("5 s after ", ""), ("b then (", ")"), ("(", " where true)")],
}


@pytest.mark.parametrize(
    ("parser", "opener", "closer"), [(parser, *pair) for parser, pairs in CLOSED.items() for pair in pairs]
)
def test_the_limit_is_two_hundred_levels(parser: str, opener: str, closer: str) -> None:
    def nested(count: int) -> str:
        return opener * count + ("[a]" if parser == "core" else "a") + closer * count

    read = PARSERS[parser](Source(nested(MAX_DEPTH)))
    written = WRITERS[parser](read)
    assert PARSERS[parser](Source(written)) == read
    assert hash(read) == hash(PARSERS[parser](Source(written)))
    repr(read)
    with pytest.raises(RuleError, match=TOO_DEEP):
        PARSERS[parser](Source(nested(MAX_DEPTH + 1)))


@pytest.mark.parametrize("text", ["1" + " + 1" * MAX_DEPTH, "1" + " + 1 - 1" * (MAX_DEPTH // 2)])
def test_a_chain_of_guard_operators_is_nesting(text: str) -> None:
    guard = parse_guard_text(Source(text))
    assert parse_guard_text(Source(render_guard(guard))) == guard
    for more in (" + 1", " + 1" * 100_000):
        with pytest.raises(RuleError, match=TOO_DEEP):
            parse_guard_text(Source(text + more))


@pytest.mark.parametrize("operator", ["&&", "||"])
def test_a_chain_of_conditions_is_none(operator: str) -> None:
    guard = parse_guard_text(Source("true" + f" {operator} true" * 10_000))
    assert parse_guard_text(Source(render_guard(guard))) == guard


def test_chains_of_postfix_operators_are_nesting() -> None:
    for suffix in (" + [1*sec]", " when true"):
        gem.parse(Source("a" + suffix * MAX_DEPTH))
        with pytest.raises(RuleError, match=TOO_DEEP):
            gem.parse(Source("a" + suffix * 100_000))


def test_a_guard_counts_where_it_stands() -> None:
    gem.parse(Source("(" * 100 + "a when " + "!" * 99 + "true" + ")" * 100))
    with pytest.raises(RuleError, match=TOO_DEEP):
        gem.parse(Source("x:(" * 100 + "a when " + "!" * 100 + "true" + ")" * 100))


@pytest.mark.parametrize(
    ("parse", "symbol", "count"),
    [
        (gem.parse, ";", 20_000),
        (gem.parse, "&", 5_000),
        (gem.parse, "|", 5_000),
        (eps.parse, ";", 5_000),
        (eps.parse, "||", 20_000),
        (sel.parse, "->", 20_000),
        (sel.parse, "&", 5_000),
        (global_.parse, ";", 5_000),
        (pretty.parse, " then ", 5_000),
        (pretty.parse, " or ", 5_000),
    ],
)
def test_long_chains_are_flat(parse: Callable[[Source], Pattern], symbol: str, count: int) -> None:
    pattern = parse(Source(symbol.join(["a"] * count)))
    assert getattr(pattern, "parts") == (Primitive("a"),) * count  # noqa: B009 - not every pattern has parts


@pytest.mark.parametrize("write", [gem.render, eps.render, global_.render])
def test_what_is_too_deep_to_be_read_is_not_written(write: Callable[[Pattern], str]) -> None:
    deep: Pattern = event("a")
    for _ in range(5_000):
        deep = After(deep, Period(microseconds=1))
    with pytest.raises(RuleError, match=TOO_DEEP):
        write(deep)
    right: Pattern = Primitive("a")
    for _ in range(5_000):
        right = Sequence((Primitive("a"), right))
    with pytest.raises(RuleError, match=TOO_DEEP):
        write(right)


def test_a_guard_too_deep_to_be_read_is_not_written() -> None:
    guard: Not | Literal = Literal(True)
    for _ in range(5_000):
        guard = Not(guard)
    with pytest.raises(RuleError, match=TOO_DEEP):
        render_guard(guard)
    with pytest.raises(RuleError, match=TOO_DEEP):
        gem.render(Where(event("a"), guard))


SIZE = 1_000_000


@pytest.mark.parametrize(("kind", "size"), [*((kind, SIZE) for kind in LARGE), *((kind, SIZE // 5) for kind in MANY)])
def test_a_large_text_is_read_or_refused_at_once(kind: str, size: int) -> None:
    """`make fuzz` does the same on ten megabytes."""
    text = (LARGE | MANY)[kind](size)
    for name, parse in PARSERS.items():
        begin = time.thread_time()
        error = refusal(parse, text)
        # CPU time, and more than ten times what it takes: a test of the order of growth.
        assert time.thread_time() - begin < 30, name
        assert len(str(error)) < 50_000


@given(GUARDS)
@settings(max_examples=examples(50))
def test_reading_does_not_depend_on_blanks(guard: Binary | Reference) -> None:
    text = render_guard(guard)
    assert parse_guard_text(Source(f"\n\t {text} // end")) == parse_guard_text(Source(text))


def test_leaves_are_named_at_the_limit() -> None:
    pattern = gem.parse(Source("x:(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH))
    assert isinstance(pattern, Named)
    assert name_leaves(pattern) == pattern
