"""What a rule says beside its expression: it goes along, or is refused where a notation cannot say it."""

from __future__ import annotations

from dataclasses import replace

import pytest

import tocsin as tc
from tocsin.algebra.patterns import Automaton, Run
from tocsin.algebra.rules import Command, Define, Enable, Program
from tocsin.translation import Asked, translate

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


QUIET = tc.rule("r", "a followed by b once per a.k in 1 minute", language="pretty", severity="high")


def test_what_a_request_cannot_say_goes_along_in_yaml() -> None:
    for rule in (PARTED, QUIET):
        assert tc.translate(rule, "eps").startswith("rules:\n")
    assert "\n  suppress:\n    by: a.k\n    for: 1 minute\n  severity: high\n" in tc.translate(QUIET, "eps")


@pytest.mark.parametrize("suffix", [".eps", ".gem"])
def test_a_file_of_requests_or_a_script_tells_each_time(suffix: str) -> None:
    program = Program((Define(QUIET), Command(Enable("r"))))
    with pytest.raises(tc.RuleError, match="no way to write what rule 'r' tells only once"):
        translate(Asked(program, suffix=suffix), suffix[1:])


def test_what_a_file_of_requests_leaves_out_is_said() -> None:
    rule = tc.rule("r", "a ; b", language="eps", severity="high", tags=["x"])
    made = translate(Asked(Program((Define(rule), Command(Enable("r")))), suffix=".eps"), "eps")
    assert made.remarks == ("rule 'r': severity, tags left out",)


@pytest.mark.parametrize("target", ["flink-sql", "esper-epl"])
def test_other_engines_tell_each_time_what_runs(target: str) -> None:
    rule = tc.rule("r", "[a];[b]", language="core", suppress={"for": "1 minute"})
    with pytest.raises(tc.RuleError, match=r"what a rule tells only once \('suppress'\) cannot be translated"):
        tc.translate(rule, target)
    plain = tc.rule("r", "[a];[b]", language="core")
    with pytest.raises(tc.RuleError, match="'r', which is not enabled, cannot be translated"):
        translate(Asked(Program((Define(plain),))), target)
    with pytest.raises(tc.RuleError, match="'r', which is not reported, cannot be translated"):
        translate(Asked(Program((Define(replace(plain, hidden=True)), Command(Enable("r"))))), target)
