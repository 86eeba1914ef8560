"""What a rule says beside its expression: it goes along, or is refused where a notation cannot say it."""

from __future__ import annotations

import pytest

import tocsin as tc
from tocsin.algebra.patterns import Automaton, Run

PARTED = tc.rule("r", "a followed by b partition by user", language="pretty")


@pytest.mark.parametrize("target", ["pretty", "sel", "gem"])
def test_a_partition_goes_along(target: str) -> None:
    assert "\n  partition: user\n" in tc.translate(PARTED, target)


def test_a_partition_in_python() -> None:
    assert 'tc.rule("r", a.then(b), partition=["user"])' in tc.translate(PARTED, "python")


@pytest.mark.parametrize("target", ["flink-sql", "esper-epl"])
def test_other_engines_are_given_no_partition_yet(target: str) -> None:
    with pytest.raises(tc.RuleError, match="a partition cannot be translated"):
        tc.translate(PARTED, target)


def test_what_a_match_ends_is_written_in_core_and_nowhere_else() -> None:
    rule = tc.rule("r", "[x:a] ; [b]", language="core", run="to first x")
    assert isinstance(rule.pattern, Automaton)
    assert (rule.pattern.run, rule.pattern.step) == (Run.FIRST, "x")
    assert "\n  run: to first x\n" in tc.translate(rule, "core")
    with pytest.raises(tc.RuleError, match="an automaton with the run 'to first x'"):
        tc.translate(rule, "sel")
    with pytest.raises(tc.RuleError, match="the run 'to first' cannot be translated"):
        tc.translate(rule, "flink-sql")
