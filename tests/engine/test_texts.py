"""Tests of texts, made for all rules in one go: the same answers as a guard by itself gives."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algebra.building import SECOND
from tocsin.algebra.guards import Attribute, Binary, Call, Guard, Literal, Not
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import Named, Pattern, Primitive, Sequence, Where
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Context, Rule
from tocsin.algebra.text_patterns import BadPattern, is_like, matches
from tocsin.engine.engine import Engine
from tocsin.engine.network.needed_texts import needed_by_regex, needed_by_wildcards
from tocsin.engine.network.sieve import Sieve
from tocsin.engine.network.text_guards import necessary
from tocsin.engine.network.text_search import TextSearch, encoded
from tocsin.engine.network.texts import Fact
from tocsin.engine.state.snapshot import restore, snapshot
from tocsin.events import Event
from tocsin.rules.programs import rules_program
from tocsin.runtime.logs import detections
from tocsin.time.periods import Period

LETTERS = "abAB\\é€"
texts = st.text(LETTERS, max_size=6)
some_texts = st.text(LETTERS, min_size=1, max_size=3)
values = st.one_of(texts, st.none(), st.integers(0, 2), st.booleans(), st.just(["a", "b"]))
attributes = st.sampled_from(("p", "q"))


@st.composite
def subjects(draw: st.DrawFn, variable: str) -> Guard:
    found = Attribute(variable, draw(attributes))
    return Call("lower", (found,)) if draw(st.booleans()) else found


wildcards = st.text(LETTERS + "%_?", max_size=6)
pieces = st.sampled_from(
    [
        *(
            "a",
            "b",
            "AB",
            "ks",
            "K",
            "S",
            "é",
            "\ud800",
            r"\\",
            r"\.",
            r"\s",
            r"\w",
            r"\Q*\E",
            r"\x41",
            r"\pL",
            ".",
            "^",
            "$",
        ),
        *("?", "*", "+", "{0,2}", "{1}", "{", "}", "|", "[ab]", "[^]b]", "[[:alpha:]]", "]"),
        *("(?:ab|b)", "(a)", r"(?:[)]\))", "(?i:k)", "(?i)"),
    ]
)
"""Of regular expressions, and of what is none."""


def expressions() -> st.SearchStrategy[str]:
    return st.builds(
        lambda flags, some: flags + "".join(some), st.sampled_from(("", "(?i)", "(?ms)")), st.lists(pieces, max_size=6)
    )


@st.composite
def atoms(draw: st.DrawFn, variable: str) -> Guard:
    subject = draw(subjects(variable))
    kind = draw(st.sampled_from(("contains", "startswith", "endswith", "==", "in", "number", "!=", "matches", "like")))
    if kind == "in":
        return Call("in", (subject, *(Literal(each) for each in draw(st.lists(some_texts, min_size=1, max_size=3)))))
    if kind == "number":
        return Binary(">", subject, Literal(0))
    if kind in ("matches", "like"):
        patterns = draw(st.lists(expressions() if kind == "matches" else wildcards, min_size=1, max_size=2))
        return Call(kind, (subject, *map(Literal, patterns)))
    text = Literal(draw(texts))
    if kind in ("==", "!="):
        return Binary(kind, *(draw(st.permutations((subject, text)))))
    return Call(kind, (subject, text))


def guards(variable: str = "x") -> st.SearchStrategy[Guard]:
    def joined(inner: st.SearchStrategy[Guard]) -> st.SearchStrategy[Guard]:
        return st.builds(Binary, st.sampled_from(("&&", "||")), inner, inner) | st.builds(Not, inner)

    return st.recursive(atoms(variable), joined, max_leaves=6)


@st.composite
def rules(draw: st.DrawFn) -> list[Rule]:
    found = []
    for number in range(draw(st.integers(1, 4))):
        pattern: Pattern = Where(Named("x", Primitive(draw(st.sampled_from("ab")))), draw(guards()))
        if draw(st.booleans()):
            pattern = Sequence((pattern, Where(Named("y", Primitive("b")), draw(guards("y")))))
        context = draw(st.sampled_from((Context.UNRESTRICTED, Context.GENERIC)))
        found.append(Rule(f"r{number}", pattern, context=context, window=Period.of(microseconds=4 * SECOND)))
    return found


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    found = []
    now = 0
    for number in range(draw(st.integers(1, 8))):
        now += draw(st.integers(0, 2)) * SECOND
        time = now - draw(st.sampled_from((0, 0, 0, 1, 3))) * SECOND
        data = {name: draw(values) for name in draw(st.sets(attributes))}
        found.append(Event(draw(st.sampled_from("ab")), time, time, str(number), "", data, now))
    return found


@given(st.lists(some_texts, max_size=8, unique=True), st.text(LETTERS + "c", max_size=20))
def test_every_text_is_found_wherever_it_is(looked_for: list[str], text: str) -> None:
    search, found = TextSearch(looked_for), [7]
    length = search.find(text, found)
    assert length == len(encoded(text))
    expected = {
        (number, len(encoded(text[: place + len(each)])))
        for number, each in enumerate(looked_for)
        for place in range(len(text))
        if text.startswith(each, place)
    }
    pairs = list(zip(found[::2], found[1::2], strict=True))
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == expected


@given(rules(), logs())
def test_rules_about_texts_give_what_the_meaning_gives(rules: list[Rule], log: list[Event]) -> None:
    program = rules_program(rules)
    expected = [(one.rule, one.events, one.detected_us) for one in replay(program, log)]
    assert [(one.rule, one.events, one.detected_us) for one in detections(program, log)] == expected
    engine = Engine(program, None, Notes())
    pushed = []
    for event in log:
        if len(pushed) % 2:  # saved and gone on with, wherever the last detection left it
            saved, engine = snapshot(engine), Engine(program, None, Notes())
            restore(engine, saved)
        pushed += engine.push(event.type, event.end, event.data, event.id, event.source, arrival=event.arrival)
    assert [(one.rule, one.events, one.detected_us) for one in pushed] == expected


def contains(name: str, text: str) -> Guard:
    return Call("contains", (Call("lower", (Attribute("x", name),)), Literal(text)))


def fact(name: str, text: str) -> Fact:
    return Fact(name, True, "contains", text)


@given(expressions(), st.text("abABkKsS\u212a\u017fé.*?)\\\ud800 ", max_size=12))
def test_what_an_expression_matches_has_the_text_that_it_needs(pattern: str, text: str) -> None:
    needed = needed_by_regex(pattern)
    try:
        is_match = matches(text, pattern)
    except BadPattern:
        return
    assert not is_match or needed.text in (text.lower() if needed.folded else text)


@given(st.text("abAé%_\\?\ud800", max_size=8), st.text("abAé%_\\?\ud800", max_size=8))
def test_what_is_like_a_pattern_has_the_text_that_it_needs(pattern: str, text: str) -> None:
    needed = needed_by_wildcards(pattern)
    try:
        is_match = is_like(text, pattern)
    except BadPattern:
        return
    assert not is_match or needed in text


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (r"ipconfig\s+/all", "ipconfig"),
        (r"cmd.{0,5}(?:/c|/r).+powershell.+\"", "powershell"),
        (r"(?i)echo.*clip.*&&.*(?:Clipboard|i`?n)", "echo"),
        (r"ab+cdee*f", "cde"),
        (r"abc|abd", ""),
        (r"\Qa|b\Ecde", ""),
    ],
)
def test_the_longest_text_that_an_expression_needs(pattern: str, text: str) -> None:
    assert needed_by_regex(pattern).text == text


def test_of_each_necessary_clause_a_fact_holds_wherever_the_guard_does() -> None:
    long, short, other = contains("p", "mimikatz"), contains("p", "ab"), contains("q", "cd")
    of_long, of_short, of_other = fact("p", "mimikatz"), fact("p", "ab"), fact("q", "cd")
    assert necessary([long]) == [(of_long,)]
    assert necessary([short, long]) == [(of_long,), (of_short,)]
    assert necessary([Binary("||", short, other)]) == [(of_short, of_other)]
    both = Binary("&&", other, long)
    assert necessary([Binary("||", short, both)]) == [(of_short, of_long), (of_short, of_other)]
    assert necessary([Not(long)]) == []
    assert necessary([Binary("||", long, Not(short))]) == []
    expression = Call("matches", (Attribute("x", "p"), Literal("(?i)Mimi.*tz"), Literal("ab+c")))
    assert necessary([expression]) == [(fact("p", "mimi"), Fact("p", False, "contains", "ab"))]


def test_an_arrival_starts_only_the_searches_that_its_texts_are_in() -> None:
    made = [
        Rule(f"r{number}", Where(Named("x", Primitive("a")), contains("p", text)))
        for number, text in enumerate(("one", "two", "three"))
    ]
    engine = Engine(rules_program(made), None, Notes())
    found = engine.push("a", SECOND, {"p": "One and THREE"})
    assert [one.rule for one in found] == ["r0", "r2"]
    sieve = engine.network.gates["a"].in_order
    assert isinstance(sieve, Sieve)
    assert sieve.sifted(engine.network.search) == [sieve.roots[0], sieve.roots[2]]
    assert engine.network.gates["a"].searches() == 3
    assert not engine.push("a", 2 * SECOND, {"p": 5})
    assert [one.rule for one in engine.push("a", 3 * SECOND, {"p": "two"})] == ["r1"]


def test_a_search_runs_where_all_its_clauses_are_met_and_one_without_clauses_always() -> None:
    made = [
        Rule("both", Where(Named("x", Primitive("a")), Binary("&&", contains("p", "one"), contains("q", "two")))),
        Rule("none", Where(Named("x", Primitive("a")), Not(contains("p", "one")))),
        Rule("five", Where(Named("x", Primitive("a")), _all([contains("p", each) for each in "abcde"]))),
    ]
    engine = Engine(rules_program(made), None, Notes())
    engine.push("a", 0, {})
    sieve = engine.network.gates["a"].in_order
    assert isinstance(sieve, Sieve)
    assert sieve.next_in_order is None
    ran = {}
    for number, (p, q) in enumerate((("one", "one"), ("one", "two"), ("abcd", ""), ("abcde", ""))):
        found = [one.rule for one in engine.push("a", (number + 1) * SECOND, {"p": p, "q": q})]
        ran[p, q] = ([sieve.roots.index(each) for each in sieve.sifted(engine.network.search)], found)
    assert ran == {
        ("one", "one"): ([1], []),
        ("one", "two"): ([0, 1], ["both"]),
        ("abcd", ""): ([1, 2], ["none"]),  # no more than four clauses are looked at
        ("abcde", ""): ([1, 2], ["none", "five"]),
    }


def test_a_long_list_is_gone_through_once_by_a_value_that_is_no_text() -> None:
    """It was gone through once for each of its texts: three events took minutes."""
    texts = [Literal(str(number)) for number in range(300)]
    notes = Notes()
    engine = Engine(
        rules_program([Rule("r", Where(Named("x", Primitive("a")), Call("in", (Attribute("x", "p"), *texts))))]),
        None,
        notes,
    )
    assert not engine.push("a", SECOND, {"p": 7})
    engine.count_incomparable()
    assert sum(notes.incomparable.values()) == len(texts)
    assert engine.push("a", SECOND, {"p": "299"})
    assert not engine.push("a", SECOND, {"p": "300"})


def _all(guards: list[Guard]) -> Guard:
    return reduce(lambda one, other: Binary("&&", one, other), guards)
