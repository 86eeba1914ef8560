"""Patterns written as Python are the patterns again when Python has run it, and when it is read as a text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import tocsin as tc
from tests.amounts import examples
from tests.languages.strategies import EPS_PATTERNS, GEM_PATTERNS, GUARDS, PRETTY_PATTERNS, SEL_PATTERNS
from tocsin.algebra.checks import pattern_faults
from tocsin.algebra.guards import Guard, variables_of
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    Atom,
    Automaton,
    Both,
    Concurrent,
    Described,
    Named,
    Pattern,
    Precedence,
    Primitive,
    Sequence,
    Where,
)
from tocsin.algebra.rules import Rule
from tocsin.errors import Fault, RuleError
from tocsin.languages.fluent import Fluent
from tocsin.languages.fluent_text import pattern_code, render

A, B, C = (Named(name, Primitive(name)) for name in "abc")


def built(pattern: Pattern) -> Pattern:
    """What the code of a pattern builds. Only here, in a test, is it run."""
    code = pattern_code(pattern)
    names: dict[str, Any] = {"tc": tc}
    for line in code.lines:
        exec(line, names)
    made = eval(code.expression, names)
    assert isinstance(made, Fluent)
    assert tc.parse(render(pattern), "python") == made.pattern, "read as a text it is the same"
    return made.pattern


def is_writable(pattern: Pattern) -> bool:
    """A name that stands for two things, as only a fault has it, can be no name in Python."""
    faults: list[Fault] = []
    pattern_faults(Rule("r", pattern, "python"), faults.append)
    return not any("used twice" in fault.message for fault in faults)


@settings(
    max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)
@given(st.one_of(GEM_PATTERNS, SEL_PATTERNS, PRETTY_PATTERNS, EPS_PATTERNS))
def test_python_builds_what_it_was_written_from(pattern: Pattern) -> None:
    assume(is_writable(pattern))
    try:
        pattern_code(pattern)
    except RuleError as error:
        # Guards of these patterns speak of anything: some of what there is not, some of what comes later.
        assert "only after it" in str(error) or "can be called" in str(error)  # noqa: PT017 - one of two is right
        return
    assert built(pattern) == pattern


@settings(max_examples=examples(60), deadline=None)
@given(GUARDS)
def test_guards_are_built_too(guard: Guard) -> None:
    events = tuple(Named(name, Primitive("t")) for name in ("a", "b", *sorted(variables_of(guard) - {"a", "b"})))
    pattern = Where(Both(events), guard)
    assert built(pattern) == pattern


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        (Sequence((A, B, C)), "a.then_ends(b, c)"),
        (Sequence((A, B), Precedence.GLOBAL), "a.precedes(b)"),
        (Concurrent(A, B), "a.concurrent(b)"),
        (Accumulate(A, B), "a.all_before(b)"),
        (Absence(Sequence((A, B)), C, Primitive("d", "s1")), 'a.then_ends(b, c).without(tc.unnamed("d", site="s1"))'),
        (tc.parse("{x:a ; b} ! c when c.k == x.k", "gem"), "x.then_ends(b).without(c, when=c.k == x.k)"),
        (tc.parse("{x:a ; b} ! c when c.k == x.k || !?c", "gem"), "x.then_ends(b).without(c, where=c.k == x.k)"),
        (
            tc.parse("{x:a ; b} ! c when c.k == b.k || !?c", "gem"),
            "x.then_ends(b).without(c, when=(c.k == b.k) | ~c.occurred_)",
        ),
        (tc.parse("a + [5*sec] | every[5*min]", "gem"), 'a.then_wait("5 seconds") | tc.every("5 minutes")'),
        (tc.parse("* ; at[20:00 Mon]", "gem"), 'tc.any_event().then_ends(tc.at("20:00 Mon"))'),
        (tc.parse("at '2026-11-15T20:00:00Z'", "pretty"), 'tc.at("2026-11-15T20:00:00Z")'),
        (
            tc.parse("a -> b at [2026-01-01T00:00:00Z, 2026-01-02T00:00:00Z]", "sel"),
            'a.then(b).between("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")',
        ),
        (tc.parse("x:y:a", "gem"), 'y.also_named("x")'),
    ],
    ids=str,
)
def test_every_shape_has_a_method(pattern: Pattern, code: str) -> None:
    assert pattern_code(pattern).expression == code
    assert built(pattern) == pattern


def test_names_that_mean_something_in_python() -> None:
    pattern = Where(
        Sequence((Named("class", Primitive("a")), Named("tc", Primitive("b")), Named("tc_", Primitive("c")))),
        tc.guard("class.end_ == tc.where && tc_.named > 1").guard,
    )
    assert built(pattern) == pattern
    assert tc.render(pattern, "python").splitlines()[0] == 'class_ = tc.event("a", "class")'


def test_an_automaton_has_no_python() -> None:
    with pytest.raises(RuleError, match="Python has no way to write an automaton"):
        tc.render(Automaton(Atom(Described("a"))), "python")
