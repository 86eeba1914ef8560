"""What is written can be read again, and is the same: for every guard, pattern, script and document."""

from __future__ import annotations

from hypothesis import HealthCheck, example, given, settings

from tests.amounts import examples
from tests.languages import strategies as own
from tocsin.algebra.guards import Attribute, Binary, Guard, Literal, Negative, Not
from tocsin.algebra.patterns import Absence, Both, Named, Pattern, Primitive, Sequence, Where
from tocsin.algebra.rules import Statement
from tocsin.errors import Source
from tocsin.languages import eps, gem
from tocsin.languages.guards import parse_guard_text, render_guard

thorough = settings(
    max_examples=examples(75), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@given(own.GUARDS)
@example(Negative(Literal(5)))
@example(Negative(Literal(-5)))
@example(Literal(-0.0))
@example(Not(Not(Binary("==", Literal(1), Literal(True)))))
@example(Binary("-", Literal(1), Binary("-", Literal(2), Literal(3))))
@example(Attribute("x", ""))
@thorough
def test_guards(guard: Guard) -> None:
    assert parse_guard_text(Source(render_guard(guard))) == guard


@given(own.EPS_PATTERNS)
@thorough
def test_eps_expressions(pattern: Pattern) -> None:
    assert eps.parse(Source(eps.render(pattern))) == pattern


@given(own.GEM_PATTERNS)
@example(Where(Absence(Primitive("a"), Primitive("a"), Primitive("a"), Literal(True)), Literal(False)))
@example(Named("x", Named("a", Primitive("a"))))
@example(Sequence((Named("a", Primitive("a")), Primitive("a"))))
@example(Both((Named("b", Primitive("a")), Primitive("b"))))
@thorough
def test_gem_expressions(pattern: Pattern) -> None:
    assert gem.parse(Source(gem.render(pattern))) == pattern


@given(own.GEM_SCRIPTS)
@thorough
def test_gem_scripts(statements: tuple[Statement, ...]) -> None:
    assert gem.parse_script(Source(gem.render_script(statements))) == statements


@given(own.EPS_DOCUMENTS)
@thorough
def test_eps_documents(statements: tuple[Statement, ...]) -> None:
    assert eps.parse_document(Source(eps.render_document(statements))) == statements


@given(own.GEM_PATTERNS)
@thorough
def test_writing_twice_changes_nothing(pattern: Pattern) -> None:
    text = gem.render(pattern)
    assert gem.render(gem.parse(Source(text))) == text
