"""Patterns in words: a phrase for every shape there is, none of which shows how it is made."""

from __future__ import annotations

import dataclasses
import doctest
import inspect
import re

import pytest

from tests.conformance.cases import all_cases
from tocsin.algebra import patterns
from tocsin.algebra.patterns import EventSet, Pattern, walk
from tocsin.errors import Source, TextError, UsageError
from tocsin.explain import meanings
from tocsin.explain.meanings import meaning
from tocsin.languages import parse
from tocsin.rules.definitions import read_expression

SHAPES = [
    each
    for _, each in inspect.getmembers(patterns, inspect.isclass)
    if issubclass(each, Pattern | EventSet) and each not in (Pattern, EventSet)
]
PHRASES = [
    ("eps", "a ; b", "a, and then, ending later, b"),
    ("eps", "x:a & y:a", "a (x) and a (y), in any order"),
    ("eps", "TimesEq(3, login, user)", "any 3 login with the same user"),
    ("eps", "TimesDf(3, scan, port)", "any 3 scan with different port"),
    ("gem", "({a ; b} ! c) + [6*sec]", "6s after (a, and then, ending later, b, with no c between)"),
    ("gem", "every[2*hour] | *", "every 2h or any event"),
    ("gem", "x:a when x.t > 30", "a (x) where x.t > 30"),
    ("sel", "{a -> b} -> c", "(the end of (a, and after it is over b)), and after it is over c"),
    ("sel", "a delta 5 minutes", "the moment 5m after a"),
    ("sel", "a*[2, 4]", "2 to 4 a in a row, each after the one before"),
    ("sel", "a -> !b in 20 seconds", "(a, and after it is over no b), all of it within 20s"),
    ("pretty", "a at least 5 times with the same ip within 1 minute",
     "at least 5 a in a row, with the same ip, within 1m, told once until there have been fewer"),
    ("pretty", "a then b by host", "(a, and after it is over b), all with the same host"),
    ("global", "a || b@berlin", "a and b from berlin, neither before the other"),
    ("global", "a * b", "b, with every a before it that is not used up yet"),
    ("core", "[A in {A, B}] ; [!B in *]",
     "A, as the next of A or B, and after it is over anything but B, as the very next event; it begins anew with every event"),
    ("core", "([B], [P in {P, T}]){T = 1 h}",
     "B, and then P, as the next of P or T, where T is the time 1h later; it begins anew with every event"),
    ("python", 'tc.event("a", "x").then_or_with(tc.event("b"))', "a (x), and then, or at the same instant, b"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "expression", "said"), PHRASES)
def test_a_pattern_in_words(language: str, expression: str, said: str) -> None:
    assert meaning(parse(expression, language)) == said


def expressions() -> list[tuple[str, str]]:
    """Every expression of the conformance cases, with its language."""
    found = []
    for case in all_cases():
        rules = case.fields.get("rules", [])
        some = rules if isinstance(rules, list) else []
        found += [(rule["language"], str(rule["expression"])) for rule in some if "expression" in rule]
        if "expression" in case.fields:
            found.append((case.fields["lang"], str(case.fields["expression"])))
    return sorted(set(found))


def test_every_shape_has_words_of_its_own() -> None:
    seen: set[type] = set()
    for language, expression in expressions():
        try:
            pattern = read_expression(Source(expression), language).pattern
        except (TextError, UsageError):
            continue
        said = meaning(pattern)
        seen |= {type(part) for part in walk(pattern)}
        seen |= {type(getattr(part, each.name)) for part in walk(pattern) for each in dataclasses.fields(part)}
        assert not re.search(r"\b(" + "|".join(shape.__name__ for shape in SHAPES) + r")\(", said), said
        assert said.count("(") == said.count(")") or any(sign in expression for sign in "'\""), said
    assert len(seen & set(SHAPES)) > len(SHAPES) * 0.8


def test_its_example_is_true() -> None:
    done = doctest.testmod(meanings)
    assert done.attempted
    assert not done.failed
