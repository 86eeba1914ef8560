"""Coverage: rules that fired, those that only act, and alternatives."""

from __future__ import annotations

from pathlib import Path

from tests.testing.building import case_of
from tocsin.errors import Source
from tocsin.languages import parse
from tocsin.testing.coverage import Coverage, alternatives

GEM = """\
event a
event b
event c
event t
event out
rule acts { a ==> t }
rule quiet { b ==> t }
rule says { t ==> notify out }
enable *
"""


def covered(folder: Path, rules: str, *cases: str) -> dict[str, tuple[int, int, dict[str, int]]]:
    coverage = Coverage(with_branches=True)
    for text in cases:
        coverage.add(case_of(folder, text, rules))
    return {
        each.rule: (each.cases, each.fired, {branch.text: branch.fired for branch in each.branches})
        for each in coverage.rules.values()
    }


def test_rules_that_only_act_fire_too(tmp_path: Path) -> None:
    (tmp_path / "r.gem").write_text(GEM)
    found = covered(tmp_path, "rules: r.gem\n", "given: [1 a]\nexpect: 1", "given: [1 c]\nexpect: none")
    assert {rule: told[:2] for rule, told in found.items()} == {"acts": (2, 1), "quiet": (2, 0), "says": (2, 1)}


def test_alternatives(tmp_path: Path) -> None:
    rules = 'rules: [{name: r, language: eps, expression: "(x:a || y:b) ; (c || d || e)", window: 1 min}]\n'
    found = covered(tmp_path, rules, "given: [1 a, 2 d]\nexpect: 1", "given: [1 a, 2 c]\nexpect: 1", "given: [1 b]")
    assert found == {"r": (3, 2, {"x:a": 2, "y:b": 0, "c": 1, "d": 1, "e": 0})}


def test_alternatives_where_events_are_used_up(tmp_path: Path) -> None:
    rules = 'rules: [{name: r, language: eps, expression: "(a || b) ; c", context: chronicle}]\n'
    assert covered(tmp_path, rules, "given: [1 b, 2 c, 3 c]\nexpect: 1")["r"][2] == {"a": 0, "b": 1}


def test_alternatives_of_an_automaton(tmp_path: Path) -> None:
    rules = 'rules: [{name: r, language: core, expression: "[A] ([B] | [C])"}]\n'
    assert covered(tmp_path, rules, "given: [1 A, 2 C]\nexpect: 1")["r"][2] == {"[B]": 0, "[C]": 1}


def test_every_alternative_is_taken_alone() -> None:
    pattern = parse(Source("(a || b) ; (c || d)"), "eps")
    assert [str(changed) for changed, _ in alternatives(pattern)] == [
        "a ; (c | d)",
        "b ; (c | d)",
        "(a | b) ; c",
        "(a | b) ; d",
    ]


def test_rules_that_never_fired(tmp_path: Path) -> None:
    coverage = Coverage()
    coverage.add(case_of(tmp_path, "given: [1 a]\nexpect: none"))
    assert [each.rule for each in coverage.never] == ["pair"]
    coverage.add(case_of(tmp_path, "given: [1 a, 2 b]\nexpect: 1"))
    assert coverage.never == []
