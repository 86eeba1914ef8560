"""The core language on any text and any pattern: what is written can be read again, and no text breaks the parser."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.amounts import examples
from tests.languages import strategies as own
from tests.languages.building import refusal
from tests.languages.large import LARGE, MANY
from tocsin.algebra import guards as g
from tocsin.algebra import patterns as p
from tocsin.errors import RuleError, Source
from tocsin.languages import core
from tocsin.languages.core_filters import CAPITALS, NO_VARIABLES, as_read
from tocsin.languages.depth import MAX_DEPTH

TOO_DEEP = "nested more than 200 levels deep"
thorough = settings(
    max_examples=examples(75), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)

# -- patterns, as the parser makes them --------------------------------------------------------------------------------

FILTERS = own.GUARDS.filter(lambda guard: not g.variables_of(guard) & CAPITALS).map(as_read)
NAMES = own.VARIABLES.filter(lambda name: name not in NO_VARIABLES)


def intersection(sets: list[p.EventSet]) -> p.EventSet:
    """`a & b & c`, flat on the left."""
    first = sets[0]
    return p.Intersection((*first.sets, *sets[1:]) if isinstance(first, p.Intersection) else tuple(sets))


def _larger_sets(inner: st.SearchStrategy[p.EventSet]) -> st.SearchStrategy[p.EventSet]:
    several = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        several.map(lambda sets: p.Union(tuple(sets))), several.map(intersection), st.builds(p.Complement, inner)
    )


def event_sets(names: st.SearchStrategy[str | None]) -> st.SearchStrategy[p.EventSet]:
    """Sets of events; what a complement holds has no name."""
    described = st.builds(p.Described, own.NAMES, st.none() | FILTERS, names)
    plain = st.recursive(
        st.one_of(st.builds(p.Described, own.NAMES, st.none() | FILTERS), st.just(p.Everything())),
        _larger_sets,
        max_leaves=4,
    )
    return st.one_of(
        described, plain, st.lists(described, min_size=2, max_size=3).map(lambda sets: p.Union(tuple(sets)))
    )


def concatenation(parts: list[p.Pattern], strong: bool) -> p.Pattern:
    first = parts[0]
    flat = isinstance(first, p.Concatenation) and first.strong == strong
    return p.Concatenation((*getattr(first, "parts"), *parts[1:]) if flat else tuple(parts), strong)  # noqa: B009


def alternation(parts: list[p.Pattern]) -> p.Pattern:
    first = parts[0]
    return p.Alternation((*first.parts, *parts[1:]) if isinstance(first, p.Alternation) else tuple(parts))


DOMAINS = event_sets(st.none())
ATOMS = st.builds(p.Atom, event_sets(st.none() | NAMES), st.none() | DOMAINS)


def _larger_patterns(inner: st.SearchStrategy[p.Pattern]) -> st.SearchStrategy[p.Pattern]:
    several = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        st.builds(concatenation, several, st.booleans()),
        several.map(alternation),
        st.builds(p.Iteration, inner),
        st.builds(p.Iteration, inner, st.integers(0, 3), st.none() | st.integers(3, 5)),
        st.builds(p.Widened, inner, DOMAINS),
        st.builds(p.Timing, inner, inner, own.NAMES, own.POSITIVE_PERIODS | own.INSTANTS),
    )


def core_patterns() -> st.SearchStrategy[p.Pattern]:
    """Detectors that the parser can make: chains are flat on the left, `||` stands only at the top."""
    single = st.recursive(ATOMS, _larger_patterns, max_leaves=6)
    top = st.recursive(single, lambda inner: st.builds(p.Parallel, inner, inner), max_leaves=3)
    return st.builds(p.Automaton, top)


@given(core_patterns())
@example(p.Automaton(p.Atom(p.Described("A", g.Literal(True)), p.Described("in"))))
@thorough
def test_what_is_written_is_read_again(pattern: p.Automaton) -> None:
    text = core.render(pattern)
    assert core.parse(Source(text)) == pattern
    assert core.render(core.parse(Source(text))) == text


@given(core_patterns(), st.data())
@settings(max_examples=examples(60), deadline=None)
def test_a_part_of_a_good_text_gives_a_value_or_a_rule_error(pattern: p.Automaton, data: st.DataObject) -> None:
    text = core.render(pattern)
    refusal(core.parse_rules, text[: data.draw(st.integers(0, len(text)))])


# -- texts ---------------------------------------------------------------------------------------------------------

_SIGNS = "[ ] [ ] ( ) { } ; | || * ! ¬ ⊆ in & , = : . A B S T1 o this [A] [B] ([A], AND and ) {T = 5 min}"
WORDS = st.lists(
    st.sampled_from(
        [*_SIGNS.split(" "), "S = {A}\n", "D = [A]\n", "{T = 5 min}", "(k > 1)", "\n", "'", "\x00", "\ud800", "5"]
    ),
    max_size=25,
).map(" ".join)
ANYTHING = st.text(st.characters(exclude_categories=[]), max_size=60)


@given(st.one_of(ANYTHING, WORDS))
@settings(max_examples=examples(250), deadline=None)
def test_any_text_gives_a_value_or_a_rule_error(text: str) -> None:
    for parse in (core.parse_rules, core.parse):
        error = refusal(parse, text)
        if error is not None:
            assert all(fault.place is not None and fault.message for fault in error.faults)
            str(error).encode("utf-8")  # it can be printed, whatever the text held


OPENERS = [
    "(",
    "[",
    "[(",
    "([A],",
    "[A] (",
    "[A] | (",
    "[A] ; (",
    "[A](",
    "D = (",
    "[{",
    "[!",
    "[A in {",
    "[A(",
    "[A(abs(",
]
INSIDE = ["{", "!", "(", "abs(", "!{", "k in (", "-"]


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("count", [MAX_DEPTH + 1, 10_000])
def test_deep_nesting_is_refused_and_not_fatal(opener: str, count: int) -> None:
    with pytest.raises(RuleError):
        core.parse_rules(Source(opener * count + "[A]"))
    for inside in INSIDE:
        with pytest.raises(RuleError):
            core.parse_rules(Source(f"{opener}{inside * count}A"))


@pytest.mark.parametrize(
    ("opener", "middle", "closer", "most"),
    [
        ("(", "[A]", ")", MAX_DEPTH),
        ("[", "[A]", " in X]", MAX_DEPTH),
        ("([B], ", "[A]", "){T = 1 s}", MAX_DEPTH),
        ("[B] (", "[A]", ")", MAX_DEPTH),
        ("[B] | (", "[A]", ")", MAX_DEPTH),
        ("([B] ; [C]) (", "[A]", ")*", MAX_DEPTH // 2),
        ("", "[A]", "*", MAX_DEPTH),
        ("[B] || (", "[A]", ")", MAX_DEPTH),
        ("", "[A]", " || [B]", MAX_DEPTH),
    ],
)
def test_the_limit_is_two_hundred_levels(opener: str, middle: str, closer: str, most: int) -> None:
    read = core.parse(Source(opener * most + middle + closer * most))
    assert core.parse(Source(core.render(read))) == read
    hash(read)
    repr(read)
    with pytest.raises(RuleError, match=TOO_DEEP):
        core.parse(Source(opener * (most + 1) + middle + closer * (most + 1)))


@pytest.mark.parametrize(
    ("text", "sign", "most"),
    [
        ("[~A]", "!", MAX_DEPTH),
        ("[A(~true)]", "!", MAX_DEPTH - 1),
        ("[A in !B(~true)]", "!", MAX_DEPTH - 2),
        ("([B], [A(k > 1~)]){T = 1 s}", " + 1", MAX_DEPTH - 3),
        ("(((((((((([A(k > 1~)]))))))))))", " + 1", MAX_DEPTH - 12),
    ],
)
def test_sets_and_filters_count_where_they_stand(text: str, sign: str, most: int) -> None:
    read = core.parse(Source(text.replace("~", sign * most)))
    assert core.parse(Source(core.render(read))) == read
    for more in (most + 1, 100_000):
        with pytest.raises(RuleError, match=TOO_DEEP):
            core.parse(Source(text.replace("~", sign * more)))


@pytest.mark.parametrize(("symbol", "count"), [(";", 20_000), (" ", 20_000), ("|", 5_000), (" ; ", 5_000)])
def test_long_chains_are_flat(symbol: str, count: int) -> None:
    pattern = core.parse(Source(symbol.join(["[A]"] * count)))
    assert isinstance(pattern, p.Automaton)
    assert getattr(pattern.pattern, "parts") == (p.Atom(p.Described("A")),) * count  # noqa: B009


def test_what_is_too_deep_to_be_read_is_not_written() -> None:
    deep: p.Pattern = p.Atom(p.Described("A"))
    sets: p.EventSet = p.Described("A")
    for _ in range(5_000):
        deep, sets = p.Iteration(deep), p.Complement(sets)
    for pattern in (p.Automaton(deep), p.Automaton(p.Atom(sets)), p.Automaton(p.Atom(p.Everything(), sets))):
        with pytest.raises(RuleError, match=TOO_DEEP):
            core.render(pattern)


def test_sets_of_sets_that_double_are_refused() -> None:
    text = "S0 = {A}\n" + "".join(f"S{n + 1} = {{S{n}, S{n}}}\n" for n in range(60)) + "[S60]"
    with pytest.raises(RuleError, match="too large together"):
        core.parse(Source(text))


SIZE = 1_000_000
MORE: dict[str, Callable[[int], str]] = {
    "atoms": lambda size: "[A]" * (size // 3),
    "types": lambda size: "[" + "A," * (size // 2) + "A]",
    "definitions": lambda size: "".join(f"S{n} = {{A}}\n" for n in range(size // 12)) + "[A]",
    "definitions of definitions": lambda size: (
        "S0 = {A}\n" + "".join(f"S{n + 1} = {{S{n}, B}}\n" for n in range(100)) + "[S100]"
    ),
    "stars": lambda size: "[A]" + "*" * size,
    "lines": lambda size: "[A]\n" * (size // 4),
}


@pytest.mark.parametrize("kind", [*LARGE, *MANY, *MORE])
def test_a_large_text_is_read_or_refused_at_once(kind: str) -> None:
    text = (LARGE | MANY | MORE)[kind](SIZE if kind in LARGE else SIZE // 5)
    begin = time.thread_time()
    error = refusal(core.parse_rules, text)
    # CPU time, and more than ten times what it takes: a test of the order of growth.
    assert time.thread_time() - begin < 30
    assert len(str(error)) < 50_000
