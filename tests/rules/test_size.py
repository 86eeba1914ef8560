"""No rule that is accepted takes long to plan or to ask about: what would is refused where it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

import tocsin as tc
from tocsin.algebra.checks import program_faults
from tocsin.algebra.sizes import MOST_PASSED_ON, MOST_SEARCHED, places_of, size_of
from tocsin.cli import main
from tocsin.plan.searches import SearchPlan as Plan
from tocsin.planner.branches import branches
from tocsin.planner.search_plans import anchored_plans
from tocsin.rules.programs import rules_program

TOO_MUCH = {
    "gem": "(" * 90 + "a" + "".join(f" ; t{n} & c)" for n in range(90)),
    "gem, flat": " & ".join(f"t{n}" for n in range(5_000)),
    "sel": "(a -> b)*[1,1000] in 5 seconds",
    "sel, nested": "(a*1000)*1000",
    "pretty": " then ".join(f"t{n}" for n in range(MOST_SEARCHED + 1)),
    "eps": " ; ".join(f"t{n}" for n in range(MOST_SEARCHED + 1)),
    "global": " ; ".join(f"t{n}" for n in range(MOST_PASSED_ON + 1)),
    "core": " | ".join(f"[t{n}]" for n in range(MOST_PASSED_ON + 1)),
}


@pytest.mark.parametrize("kind", TOO_MUCH)
def test_what_would_take_long_to_plan_is_refused_where_it_stands(kind: str) -> None:
    rule = tc.rule("r", TOO_MUCH[kind], language=kind.split(",")[0])
    (fault,) = program_faults(rules_program([rule]))
    assert "too much to plan" in fault.message
    assert fault.span is not None


ALTERNATIVES = {
    "gem": ("({}) ; b", " | "),
    "eps": ("({}) ; b", " || "),
    "sel": ("(({}) -> b) in 5 seconds", " | "),
    "pretty": ("({}) followed by b within 5 seconds", " or "),
    "global": ("({}) ; b", " | "),
}


@pytest.mark.parametrize("language", ALTERNATIVES)
def test_a_list_of_alternatives_may_be_long(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, operator = ALTERNATIVES[language]
    rules, events = tmp_path / "rules.yaml", tmp_path / "events.jsonl"
    expression = text.format(operator.join(f"t{n}" for n in range(1_200)))  # deeper than Python's stack
    rules.write_text(f"rules:\n- name: r\n  language: {language}\n  expression: {expression!r}\n")
    events.write_text('{"type": "t1199", "time": 1}\n{"type": "b", "time": 2}\n')
    assert main(["check", str(rules)]) == 0
    assert main(["explain", str(rules)]) == 0
    assert main(["why", str(rules), "--events", str(events)]) == 0
    capsys.readouterr()
    assert main(["detect", str(rules), "--events", str(events)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


COUNTS = ("a 1000000 times", "a at least 1000000 times within 5 seconds", "any 1000000 a", "a 1000 times followed by b")


@pytest.mark.parametrize("expression", COUNTS)
def test_huge_counts_are_answered(expression: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules, events = tmp_path / "rules.yaml", tmp_path / "events.jsonl"
    rules.write_text(f"rules:\n- name: r\n  language: pretty\n  expression: {expression}\n")
    events.write_text("".join(f'{{"type": "a", "time": {n}}}\n' for n in range(20)))
    assert main(["check", str(rules)]) == 0
    assert main(["explain", str(rules)]) == 0
    assert main(["detect", str(rules), "--events", str(events)]) == 0
    capsys.readouterr()
    assert main(["why", str(rules), "--events", str(events)]) == 0
    told = capsys.readouterr().out
    assert "and there came 20 a" in told
    assert "nothing came near" not in told  # it was not looked for


def test_sizes() -> None:
    def sizes(text: str) -> tuple[int, int]:
        pattern = tc.rule("r", text, language="sel").pattern
        return size_of(pattern), places_of(pattern)

    assert sizes("a -> (b | c -> d)") == (3, 3)
    assert sizes("a*5 -> b") == (2, 6)
    assert sizes("(a -> b)*[2,3]") == (6, 4)
    assert sizes("(a -> !(c) -> b)") == (3, 3)


def test_which_leaf_is_chosen_next_does_not_depend_on_how_it_is_found() -> None:
    """What has a key comes first, then what follows, then what guards tie."""
    pattern = tc.rule("r", "(x:a & y:b & z:c) if x.k == z.k", language="sel").pattern
    (branch,) = branches(pattern)
    plans: list[Plan] = anchored_plans(branch, oldest_first=False)
    assert "'c'" in repr(plans[0].steps[0].leaf.pattern)
