"""Patterns and rules as JSON: read back as they were, equal texts for equal ones, and nothing else is read."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amounts import examples
from tests.languages.strategies import GEM_STATEMENTS, GUARDS, ORDERS, POSITIVE_PERIODS, TEXTS, time_points
from tocsin.algebra import guards as g
from tocsin.algebra import patterns as p
from tocsin.algebra import rules as r
from tocsin.algebra.checks import program_faults
from tocsin.algebra.codec import VERSION, content_hash, from_json, from_record, to_json, to_record
from tocsin.errors import RuleError, Span
from tocsin.languages import parse
from tocsin.languages.depth import MAX_DEPTH
from tocsin.time.spans import Period

# -- every shape -----------------------------------------------------------------------------------------------------

COUNTS = st.integers(-3, 10**20)
NAMES = st.one_of(st.sampled_from(["a", "b"]), TEXTS)
SPANS = st.none() | st.builds(Span, COUNTS, COUNTS)


Arguments = dict[type, tuple[st.SearchStrategy[Any], ...]]


def built(arguments: Arguments) -> st.SearchStrategy[Any]:
    return st.one_of([st.builds(shape, *each) for shape, each in arguments.items()])


def larger_sets(inner: st.SearchStrategy[p.EventSet]) -> Arguments:
    several = st.lists(inner, max_size=3).map(tuple)
    return {p.Union: (several,), p.Intersection: (several,), p.Complement: (inner,)}


SMALL_SETS: Arguments = {p.Described: (NAMES, st.none() | GUARDS, st.none() | NAMES), p.Everything: ()}
SETS = st.recursive(built(SMALL_SETS), lambda inner: built(larger_sets(inner)), max_leaves=3)
LEAVES: Arguments = {
    p.Primitive: (NAMES, st.none() | NAMES),
    p.AnyEvent: (),
    p.At: (time_points(),),
    p.AtInstant: (COUNTS,),
    p.Every: (POSITIVE_PERIODS,),
    p.Atom: (SETS, st.none() | SETS),
}


NAMED = st.lists(NAMES, max_size=2).map(tuple)


def larger(inner: st.SearchStrategy[p.Pattern]) -> Arguments:
    several = st.lists(inner, max_size=3).map(tuple)
    orders = st.sampled_from(p.Precedence)
    return {
        p.Named: (NAMES, inner),
        p.Where: (inner, GUARDS),
        p.Both: (several,),
        p.Either: (several,),
        p.Sequence: (several, orders),
        p.Concurrent: (inner, inner),
        p.Absence: (inner, inner, inner, st.none() | GUARDS, orders),
        p.Times: (COUNTS, inner, NAMES, st.booleans()),
        p.Repeat: (inner, COUNTS, COUNTS),
        p.Streak: (COUNTS, inner, NAMED, st.none() | NAMES, st.none() | POSITIVE_PERIODS, st.booleans()),
        p.Aggregate: (
            *(inner, GUARDS, POSITIVE_PERIODS, NAMED),
            *(st.booleans(), st.none() | POSITIVE_PERIODS, st.booleans()),
        ),
        p.By: (inner, NAMED),
        p.Partitioned: (inner, NAMED),
        p.Accumulate: (inner, inner),
        p.After: (inner, POSITIVE_PERIODS, st.booleans()),
        p.Instant: (inner,),
        p.Within: (inner, POSITIVE_PERIODS),
        p.Between: (inner, COUNTS, COUNTS),
        p.Never: (inner,),
        p.Widened: (inner, SETS),
        p.Concatenation: (several, st.booleans()),
        p.Alternation: (several,),
        p.Iteration: (inner,),
        p.Timing: (inner, inner, NAMES, POSITIVE_PERIODS | COUNTS),
        p.Parallel: (inner, inner),
        p.Automaton: (inner, st.sampled_from(p.Run)),
    }


PATTERNS = st.recursive(built(LEAVES), lambda inner: built(larger(inner)), max_leaves=5)
RULES = st.builds(
    r.Rule,
    NAMES,
    PATTERNS,
    st.sampled_from(sorted(r.LANGUAGE_CONTEXTS)),
    st.none() | GUARDS,
    st.none() | st.sampled_from(r.Context),
    st.none() | POSITIVE_PERIODS,
    st.none() | ORDERS,
    notify=st.none() | TEXTS,
    select=st.lists(st.tuples(NAMES, GUARDS), max_size=2).map(tuple),
    callback=st.none() | TEXTS,
    strict=st.booleans(),
    partition=st.just(()) | NAMED,
    span=SPANS,
)
PROGRAMS = st.lists(GEM_STATEMENTS | st.builds(r.Define, RULES), max_size=3).map(lambda made: r.Program(tuple(made)))


def test_the_strategies_know_every_shape() -> None:
    """A shape that is added to the algebra must be stored too."""
    families = (p.Pattern, p.EventSet)
    shapes = {each for each in vars(p).values() if isinstance(each, type) and issubclass(each, families)} - {*families}
    assert shapes == {*LEAVES, *larger(st.nothing()), *SMALL_SETS, *larger_sets(st.nothing())}


@settings(max_examples=examples(50))
@given(PATTERNS)
def test_a_pattern_is_read_back_as_it_was(pattern: p.Pattern) -> None:
    found = from_json(to_json(pattern), p.Pattern)
    assert found == pattern
    assert type(found) is type(pattern)
    assert to_json(found) == to_json(pattern)


@settings(max_examples=examples(60))
@given(PROGRAMS)
def test_a_program_is_read_back_as_it_was(program: r.Program) -> None:
    assert from_json(to_json(program, "program"), r.Program, "program") == program


@settings(max_examples=examples(50))
@given(GUARDS)
def test_a_guard_is_read_back_with_its_exact_types(guard: g.Guard) -> None:
    found = from_json(to_json(guard), g.Guard)
    assert found == guard
    assert repr(found) == repr(guard).replace("value=-0.0", "value=0.0")


FEW = st.sampled_from([p.Primitive("a"), p.Primitive("b"), p.AnyEvent()])
SMALL = st.recursive(FEW, lambda inner: built(larger(inner)), max_leaves=2)


@settings(max_examples=examples(75))
@given(SMALL, SMALL)
def test_equal_patterns_and_only_those_have_equal_hashes(one: p.Pattern, other: p.Pattern) -> None:
    assert (content_hash(one) == content_hash(other)) is (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (g.Literal(1), g.Literal(1.0)),
        (g.Literal(1), g.Literal(True)),
        (g.Literal("1"), g.Literal(1)),
        (g.Literal(None), g.Literal("null")),
        (g.Literal(0), g.Literal(False)),
        (p.Both((p.Primitive("a"),)), p.Either((p.Primitive("a"),))),
        (p.Primitive("a", "b"), p.Primitive("ab")),
    ],
)
def test_what_python_or_a_text_might_confuse_is_told_apart(one: object, other: object) -> None:
    assert one != other
    assert content_hash(one) != content_hash(other)


def test_zero_has_one_hash() -> None:
    assert content_hash(g.Literal(-0.0)) == content_hash(g.Literal(0.0))


def test_a_hash_is_the_same_in_every_process_and_release() -> None:
    pair = p.Sequence((p.Primitive("a"), p.Primitive("b")))
    assert content_hash(pair) == "e3eb5336cdfd5fdc864c3809eb50c5a55b7033f44c468405c40c0bbaeca63a82"


def test_where_it_stood_is_left_out() -> None:
    plain = p.Primitive("a")
    placed = replace(plain, span=Span(3, 9))
    assert to_json(placed) == to_json(plain)
    assert from_json(to_json(placed), p.Pattern).span is None


def test_defaults_are_left_out() -> None:
    assert to_record(p.Primitive("a")) == {"is": "Primitive", "type": "a"}
    assert to_record(p.Sequence((), p.Precedence.GAP)) == {"is": "Sequence", "parts": [], "order": "gap"}
    assert to_record(r.Rule("r", p.AnyEvent())) == {"is": "rule.Rule", "name": "r", "pattern": {"is": "AnyEvent"}}
    assert json.loads(to_json(p.AnyEvent())) == {"tocsin": VERSION, "pattern": {"is": "AnyEvent"}}


@pytest.mark.parametrize(
    "text", ["(a & " * (MAX_DEPTH - 2) + "b" + ")" * (MAX_DEPTH - 2), "a when a.v > 1" + " + 1" * 150]
)
def test_the_deepest_pattern_a_parser_lets_through_is_read_back(text: str) -> None:
    pattern = parse(text, "gem")
    assert from_json(to_json(pattern), p.Pattern) == pattern


# -- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "this is not JSON"),
        ("{", "this is not JSON"),
        ("[" * 100_000, "this is not JSON"),
        ('{"tocsin": NaN}', "NaN is no number"),
        ("[]", "this is no stored rule"),
        ("{}", "this is no stored rule"),
        ('{"tocsin": 2}', "stored by another version (2)"),
        ('{"tocsin": true}', "stored by another version (True)"),
        ('{"tocsin": 1.0}', "stored by another version (1.0)"),
        ('{"tocsin": [[1]]}', "stored by another version (a list)"),
        ('{"tocsin": 1}', "there is no pattern stored here"),
        ('{"tocsin": 1, "pattern": null}', "pattern: a shape is expected"),
        ('{"tocsin": 1, "pattern": {"is": 5}}', "pattern: a shape is expected"),
        ('{"tocsin": 1, "pattern": {"is": "os.system"}}', "pattern: 'os.system' is not a pattern"),
        ('{"tocsin": 1, "pattern": {"is": "Pattern"}}', "pattern: 'Pattern' is not a pattern"),
        ('{"tocsin": 1, "pattern": {"is": "guard.Now"}}', "pattern: 'guard.Now' is not a pattern"),
        ('{"tocsin": 1, "pattern": {"is": "Primitive"}}', "pattern: Primitive has no 'type'"),
        ('{"tocsin": 1, "pattern": {"is": "Primitive", "type": 5}}', "pattern.type: a text is expected"),
        ('{"tocsin": 1, "pattern": {"is": "Primitive", "type": "a", "span": 5}}', "pattern: Primitive has no 'span'"),
        ('{"tocsin": 1, "pattern": {"is": "Both", "parts": "ab"}}', "pattern.parts: a list is expected"),
        ('{"tocsin": 1, "pattern": {"is": "Both", "parts": [5]}}', "pattern.parts[0]: a shape is expected"),
        ('{"tocsin": 1, "pattern": {"is": "Both", "parts": [{"is": "Everything"}]}}', "'Everything' is not a pattern"),
        ('{"tocsin": 1, "pattern": {"is": "Sequence", "parts": [], "order": "up"}}', "'up' is none of ends, gap, global"),
        ('{"tocsin": 1, "pattern": {"is": "Sequence", "parts": [], "order": {}}}', "an object is none of"),
        ('{"tocsin": 1, "pattern": {"is": "AtInstant", "instant": true}}', "pattern.instant: a whole number is expected"),
        ('{"tocsin": 1, "pattern": {"is": "AtInstant", "instant": 1.0}}', "pattern.instant: a whole number is expected"),
    ],
)  # fmt: skip
def test_a_foreign_or_damaged_text_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(RuleError) as caught:
        from_json(text, p.Pattern)
    assert reason in str(caught.value)


@pytest.mark.parametrize("levels", [460, 5_000])
@pytest.mark.parametrize(
    ("opening", "closing"), [('{"is": "Instant", "pattern": ', "}"), ('{"is": "Both", "parts": [', "]}")]
)
def test_what_is_nested_too_deeply_is_refused(levels: int, opening: str, closing: str) -> None:
    with pytest.raises(RuleError, match=r"nested too deeply|maximum recursion depth"):
        from_json(
            '{"tocsin": 1, "pattern": ' + opening * levels + '{"is": "AnyEvent"}' + closing * levels + "}", p.Pattern
        )


def test_what_json_has_no_number_for_cannot_be_stored() -> None:
    with pytest.raises(RuleError, match="cannot be stored"):
        to_json(g.Literal(float("nan")))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2),
    max_leaves=3,
)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """The text of a rule with one value replaced, one key renamed, or a stretch cut out."""
    document: Any = json.loads(to_json(draw(RULES), "rule"))
    if draw(st.booleans()):
        text = json.dumps(document)
        start = draw(st.integers(0, len(text)))
        return text[:start] + draw(st.text(max_size=3)) + text[start + draw(st.integers(0, 10)) :]
    place = document
    while True:
        inside = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = draw(st.sampled_from(inside))
        if not isinstance(place[key], dict | list) or not place[key] or draw(st.integers(0, 3)) == 0:
            break
        place = place[key]
    if isinstance(place, dict) and draw(st.booleans()):
        place[draw(st.sampled_from(["is", "name", "parts", "pattern", "x"]))] = place.pop(key)
    else:
        place[key] = draw(JSON)
    return json.dumps(document)


@settings(max_examples=examples(50))
@given(damaged())
def test_a_damaged_rule_is_refused_or_is_another_rule_that_can_be_checked(text: str) -> None:
    try:
        rule = from_json(text, r.Rule, "rule")
    except RuleError:
        return
    assert isinstance(rule, r.Rule)
    assert all(type(getattr(rule, f.name)) is not dict for f in fields(rule))
    program_faults(r.Program((r.Define(rule),)))


@given(JSON)
def test_any_json_is_refused(value: object) -> None:
    with pytest.raises(RuleError):
        from_record(value, p.Pattern)


def test_a_period_out_of_its_range_is_put_right_on_the_way_in() -> None:
    text = to_json(p.Every(Period(months=11))).replace("11", "14")
    assert from_json(text, p.Pattern) == p.Every(Period(years=1, months=2))
