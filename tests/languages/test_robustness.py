"""No text breaks a parser: it gives a value or a RuleError, in time proportional to the text."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.languages.building import event
from tests.languages.strategies import GEM_PATTERNS, GUARDS
from tocsin.algebra.guards import Binary, Literal, Not, Reference
from tocsin.algebra.names import name_leaves
from tocsin.algebra.patterns import After, Named, Pattern, Primitive, Sequence, Where
from tocsin.errors import RuleError, Source
from tocsin.languages import eps, gem
from tocsin.languages.guards import parse_guard_text, render_guard
from tocsin.languages.nesting import MAX_DEPTH
from tocsin.time.spans import Period

PARSERS: dict[str, Callable[[Source], object]] = {
    "guard": parse_guard_text,
    "eps": eps.parse,
    "document": eps.parse_document,
    "gem": gem.parse,
    "script": gem.parse_script,
}
TOO_DEEP = "nested more than 200 levels deep"

ANYTHING = st.text(st.characters(exclude_categories=[]), max_size=60)
WORDS = st.lists(
    st.sampled_from(
        [
            *"a b x e1 ( ) [ ] { } ; & | ! + - * / % . , : @ $ ? ~ = < > == => ==> || && |@ =< \n \\\n // /* */".split(" "),
            *"when at every event rule enable disable notify forward stop load request TimesEq in and or not true".split(),
            *("[5*sec]", "[10:30]", "'s'", '"', "'", "\\", "5", "2.5", "1e3", "min", "0/0/2 0:01:05", "\x00", "\ud800", "é", "condition:"),
        ]
    ),
    max_size=25,
).map(" ".join)


@pytest.mark.parametrize("parser", PARSERS)
@given(text=st.one_of(ANYTHING, WORDS))
@settings(max_examples=300)
def test_any_text_gives_a_value_or_a_rule_error(parser: str, text: str) -> None:
    try:
        PARSERS[parser](Source(text))
    except RuleError as error:
        for fault in error.faults:
            assert fault.place is not None
            assert fault.message
            str(error).encode("utf-8")  # it can be printed, whatever the text held


@given(GEM_PATTERNS, st.data())
@settings(max_examples=100)
def test_a_part_of_a_good_text_gives_a_value_or_a_rule_error(pattern: Pattern, data: st.DataObject) -> None:
    text = gem.render(pattern)
    cut = text[: data.draw(st.integers(0, len(text)))]
    for parse in PARSERS.values():
        try:
            parse(Source(cut))
        except RuleError:
            continue


OPENERS = {
    "guard": ["(", "abs(", "!", "-", "not ", "x in (", "1+(", "1||1&&1==1+1*(", "before(x,", "["],
    "eps": ["(", "x:", "at(", "a;(", "a||b;c&x:(", "TimesEq(2,", "at(x:("],
    "gem": ["(", "{", "x:", "{a;", "a;(", "a|b;c&x:(", "a when (", "a when abs(", "[", "at[", "({a;b}!"],
}


@pytest.mark.parametrize(("parser", "opener"), [(parser, opener) for parser, openers in OPENERS.items() for opener in openers])
@pytest.mark.parametrize("count", [MAX_DEPTH + 1, 10_000])
def test_deep_nesting_is_refused_and_not_fatal(parser: str, opener: str, count: int) -> None:
    texts = {parser: opener * count + "a"}
    if parser == "gem":
        texts["script"] = f"rule r {{ {texts['gem']} ==> b }}"
    if parser == "eps":
        texts["document"] = f"request r {{ event: {texts['eps']} }}"
    if parser == "guard":
        texts |= {"gem": f"a when {texts['guard']}", "script": f"rule r {{ a ==> b({texts['guard']}) }}"}
    for name, text in texts.items():
        with pytest.raises(RuleError):
            PARSERS[name](Source(text))


CLOSED = {
    "guard": [("(", ")"), ("abs(", ")"), ("!", ""), ("-", ""), ("x in (", ")"), ("1 + (", ")"), ("before(x, ", ")")],
    "eps": [("(", ")"), ("x:", ""), ("at(", ", 0/0/1)"), ("b ; (", ")"), ("b & (", ")")],
    "gem": [("(", ")"), ("x:", ""), ("{b ; ", "} ! c"), ("b ; (", ")"), ("(", " + [1*sec])"), ("(", " when true)"), ("{b ; c} ! (", ")")],
}


@pytest.mark.parametrize(("parser", "opener", "closer"), [(parser, *pair) for parser, pairs in CLOSED.items() for pair in pairs])
def test_the_limit_is_two_hundred_levels(parser: str, opener: str, closer: str) -> None:
    def nested(count: int) -> str:
        return opener * count + "a" + closer * count

    read = PARSERS[parser](Source(nested(MAX_DEPTH)))
    writer = {"guard": render_guard, "eps": eps.render, "gem": gem.render}[parser]
    written = writer(read)  # type: ignore[operator]  # a guard for guards, a pattern for the others
    assert PARSERS[parser](Source(written)) == read
    assert hash(read) == hash(PARSERS[parser](Source(written)))
    repr(read)
    with pytest.raises(RuleError, match=TOO_DEEP):
        PARSERS[parser](Source(nested(MAX_DEPTH + 1)))


@pytest.mark.parametrize("text", ["1" + " + 1" * MAX_DEPTH, "1" + " + 1 - 1" * (MAX_DEPTH // 2), "true" + " && true" * MAX_DEPTH])
def test_a_chain_of_guard_operators_is_nesting(text: str) -> None:
    guard = parse_guard_text(Source(text))
    assert parse_guard_text(Source(render_guard(guard))) == guard
    for more in (" + 1", " + 1" * 100_000):
        with pytest.raises(RuleError, match=TOO_DEEP):
            parse_guard_text(Source(text.replace("true", "1").replace("&&", "+") + more))


def test_chains_of_postfix_operators_are_nesting() -> None:
    for suffix in (" + [1*sec]", " when true"):
        gem.parse(Source("a" + suffix * MAX_DEPTH))
        with pytest.raises(RuleError, match=TOO_DEEP):
            gem.parse(Source("a" + suffix * 100_000))


def test_a_guard_counts_where_it_stands() -> None:
    gem.parse(Source("(" * 100 + "a when " + "!" * 99 + "true" + ")" * 100))
    with pytest.raises(RuleError, match=TOO_DEEP):
        gem.parse(Source("x:(" * 100 + "a when " + "!" * 100 + "true" + ")" * 100))


@pytest.mark.parametrize(("parse", "symbol"), [(gem.parse, ";"), (gem.parse, "&"), (gem.parse, "|"), (eps.parse, ";"), (eps.parse, "||")])
def test_long_chains_are_flat(parse: Callable[[Source], Pattern], symbol: str) -> None:
    pattern = parse(Source(symbol.join(["a"] * 100_000)))
    assert getattr(pattern, "parts") == (Primitive("a"),) * 100_000  # noqa: B009 - no pattern in general has parts


@pytest.mark.parametrize("write", [gem.render, eps.render])
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
LARGE = {
    "blanks": lambda size: " " * size + "a",
    "newlines": lambda size: "\n" * size + "a",
    "comment": lambda size: "/*" + "*" * size + "*/a",
    "comments": lambda size: "/**/" * (size // 4) + "a",
    "continued lines": lambda size: "\\\n" * (size // 2) + "a",
    "name": lambda size: "a" * size,
    "name beyond ASCII": lambda size: "é" * size,
    "digits": lambda size: "1" * size,
    "string": lambda size: '"' + "x" * size + '"',
    "escapes": lambda size: '"' + "\\n" * (size // 2) + '"',
    "quotes": lambda size: "'" * size,
    "one quote a line": lambda size: "'x\n" * (size // 3),
    "parentheses": lambda size: "(" * size,
    "brackets": lambda size: "[" * size,
    "braces": lambda size: "{" * size,
    "slashes": lambda size: "/" * size,
    "backslashes": lambda size: "\\" * size,
    "illegal characters": lambda size: "\x00" * size,
    "blanks of another kind": lambda size: "a\u00a0" * (size // 2),
    "sum": lambda size: "1+" * (size // 2) + "1",
    "negations": lambda size: "!" * size,
    "time": lambda size: "[" + "1:" * (size // 2) + "]",
    "faults": lambda size: ")(\n" * (size // 3),
    "words": lambda size: "abc " * (size // 4),
}


@pytest.mark.parametrize("kind", LARGE)
def test_a_megabyte_is_read_or_refused_at_once(kind: str) -> None:
    text = LARGE[kind](SIZE)
    for name, parse in PARSERS.items():
        begin = time.perf_counter()
        try:
            parse(Source(text))
        except RuleError as error:
            assert len(str(error)) < 50_000
        # Ten times what it takes: a test of the order of growth, on a machine that may be busy.
        assert time.perf_counter() - begin < 30, name


def test_a_megabyte_of_rules() -> None:
    line = "rule r [5*min] { x:e1 ; y:e2 when x.a > 5 && y.b == 'q' ==> notify z(x.a, 5) }\n"
    count = SIZE // 4 // len(line)
    assert len(gem.parse_script(Source(line * count))) == count


@given(GUARDS)
@settings(max_examples=50)
def test_reading_does_not_depend_on_blanks(guard: Binary | Reference) -> None:
    text = render_guard(guard)
    assert parse_guard_text(Source(f"\n\t {text} // end")) == parse_guard_text(Source(text))


def test_leaves_are_named_at_the_limit() -> None:
    pattern = gem.parse(Source("x:(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH))
    assert isinstance(pattern, Named)
    assert name_leaves(pattern) == pattern
