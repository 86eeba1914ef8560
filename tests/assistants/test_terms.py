"""The terms that editors offer: every example is what it says it is, and nothing is left out."""

from __future__ import annotations

import pytest

from tocsin.assistants.editor.terms import (
    CALLABLE,
    CALLS,
    EPS_CLAUSES,
    GEM_STATEMENTS,
    GUARD_TERMS,
    SETTINGS,
    TERMS,
    Term,
)
from tocsin.errors import Source
from tocsin.languages import gem, languages
from tocsin.languages.eps_documents import parse_document
from tocsin.languages.guards import parse_guard_text
from tocsin.rules.definitions import read_expression
from tocsin.rules.documents import KEYS


@pytest.mark.parametrize(
    ("language", "example"), [(name, each.example) for name, some in TERMS.items() for each in some]
)
def test_examples_are_expressions_of_their_language(language: str, example: str) -> None:
    assert read_expression(Source(example), language).pattern is not None


@pytest.mark.parametrize(
    "term", [term for some in TERMS.values() for term in some] + [*GUARD_TERMS, *CALLS.values(), *GEM_STATEMENTS]
)
def test_examples_show_their_term(term: Term) -> None:
    assert term.sign.split()[0] in term.example
    assert term.means


@pytest.mark.parametrize("example", [each.example for each in (*GUARD_TERMS, *CALLS.values())])
def test_examples_are_guards(example: str) -> None:
    parse_guard_text(Source(example), "eps")


@pytest.mark.parametrize("example", [each.example for each in GEM_STATEMENTS])
def test_examples_are_statements(example: str) -> None:
    assert gem.parse_script(Source(example))


def test_clauses_are_those_of_a_request() -> None:
    clauses = {"condition": "x.t > 1", "notification": '"hot"', "callback": '"http://x"', "window": "5 min"}
    clauses |= {"event": "x:a", "context": "recent", "order": "best-effort"}
    text = "\n".join(f"  {each.sign}: {clauses.pop(each.sign)}" for each in EPS_CLAUSES[1:])
    assert parse_document(Source(f"request r {{\n{text}\n}}"))
    assert not clauses


def test_every_language_and_function_and_setting_has_words() -> None:
    assert set(TERMS) == set(languages())
    assert set(CALLS) == CALLABLE
    assert set(SETTINGS) == set(KEYS)


def test_terms_are_told_apart() -> None:
    for some in (*TERMS.values(), GUARD_TERMS):
        signs = [each.sign for each in some]
        assert len(signs) == len(set(signs))
