"""What a rule is known by where its state is kept."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from hypothesis import given, settings

from tests.algebra.test_codec import RULES
from tocsin.algebra.guards import Attribute, Binary, Literal
from tocsin.algebra.identity import former_rule_key, rule_key
from tocsin.algebra.patterns import Named, Primitive
from tocsin.algebra.rules import Rule, Suppress
from tocsin.time.spans import Period


@settings(max_examples=25)
@given(RULES)
def test_a_rule_was_known_by_the_text_that_python_printed(rule: Rule) -> None:
    rule = replace(rule, partition=())
    told = repr(rule).replace("Automaton(", "Detector(").replace("<Precedence.", "<Order.")
    assert former_rule_key(rule) == hashlib.sha256(told.encode()).hexdigest()


@settings(max_examples=25)
@given(RULES, RULES)
def test_equal_rules_and_only_those_have_one_key(one: Rule, other: Rule) -> None:
    assert rule_key(one) == rule_key(replace(one, span=None))
    assert (rule_key(one) == rule_key(other)) is (one == other)


def test_what_is_said_about_a_rule_is_no_part_of_its_key() -> None:
    rule = Rule("r", Named("x", Primitive("a")))
    suppress = Suppress((Attribute("x", "k"),), Period(microseconds=5))
    said = replace(rule, severity="high", tags=("t",), description="d", references=("u",), message=("m",))
    assert rule_key(replace(said, suppress=suppress)) == rule_key(rule)
    assert rule_key(replace(rule, notify="text")) != rule_key(rule)


def test_a_key_is_the_same_in_every_process_and_release() -> None:
    rule = Rule("r", Primitive("a"), "gem")
    assert rule_key(rule) == "aee7739dea9fd2790edcf95b4619525c4917e3433d6c2fa4479c329d44a7c3f8"


@pytest.mark.parametrize("number", [float("inf"), float("-inf")])
def test_a_rule_that_no_json_can_hold_has_a_key(number: float) -> None:
    rule = Rule("r", Named("x", Primitive("a")), condition=Binary("<", Attribute("x", "v"), Literal(number)))
    assert rule_key(rule) == rule_key(replace(rule))
    assert rule_key(rule) != rule_key(replace(rule, condition=Binary("<", Attribute("x", "v"), Literal(-number))))
