"""Whatever a parser lets through can be checked, planned, run, explained, saved and written: long lists, deep nesting."""

from __future__ import annotations

from pathlib import Path

import pytest

import tocsin as tc
from tocsin.algebra.codec import from_json, to_json
from tocsin.algebra.guards import Guard, joined, operands
from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import Rule
from tocsin.cli import main
from tocsin.engine.engine import Engine
from tocsin.engine.state.snapshot import restore, snapshot
from tocsin.errors import Source
from tocsin.events import Event
from tocsin.languages.depth import MAX_DEPTH
from tocsin.languages.guards import parse_guard_text, render_guard
from tocsin.rules.document_text import render_document
from tocsin.rules.programs import rules_program
from tocsin.rules.sigma import read_sigma
from tocsin.runtime.options import Options
from tocsin.session import Session

MANY = 1_200
"""More than Python has levels of recursion."""
DEEP = MAX_DEPTH - 4
"""What stands around a guard in a pattern takes some levels."""

GUARDS = {
    "alternatives": " || ".join(f"x.v == {n}" for n in range(MANY)),
    "conditions": " && ".join(f"x.v != {n}" for n in range(2, MANY)),
    "members": f"x.v in ({', '.join(map(str, range(MANY)))})",
    "parentheses": "(" * DEEP + "x.v == 1" + ")" * DEEP,
    "negations": "!" * (DEEP // 2 * 2) + "(x.v == 1)",
    "sums": "x.v" + " + 0" * (DEEP - 1) + " == 1",
    "calls": "abs(" * (DEEP - 2) + "x.v" + ")" * (DEEP - 2) + " == 1",
    "both by turns": "(x.v == 1 && (x.v == 2 || " * (DEEP // 2) + "x.v == 1" + "))" * (DEEP // 2),
}
LANGUAGES = {
    "gem": "x:a ; y:b when {}",
    "sel": "x:a -> y:b if {} in 5 seconds",
    "pretty": "a as x followed by b where {} within 5 seconds",
    "core": "[x:a];[b({})]",
}
EVENTS = [Event("a", 1, 1, "1", "", {"v": 1}, 1, number=1), Event("b", 2, 2, "2", "", {"v": 1}, 2, number=2)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", GUARDS)
def test_it_goes_all_the_way(kind: str, language: str, tmp_path: Path) -> None:
    rule = tc.rule("r", LANGUAGES[language].format(GUARDS[kind]), language=language)
    program = rules_program([rule])
    for engine in ("replay", "local"):
        found = [one.events for one in Session(program, Options(engine=engine)).detections(EVENTS)]
        assert found == [("1", "2")], engine
    assert from_json(to_json(rule, "rule"), Rule, "rule") == rule
    first, second = Engine(program, None, Notes()), Engine(program, None, Notes())
    first.push("a", 1_000_000, {"v": 1})
    restore(second, snapshot(first))
    assert len(second.push("b", 2_000_000, {"v": 1})) == 1
    file, events = tmp_path / "rules.yaml", tmp_path / "events.jsonl"
    file.write_text(render_document([rule], ["r"]))
    events.write_text('{"type": "a", "time": 1, "data": {"v": 1}}\n{"type": "c", "time": 2}\n')
    for command in (["check"], ["explain"], ["why", "--events", str(events)]):
        assert main([command[0], str(file), *command[1:]]) == 0


@pytest.mark.parametrize("count", [1, 2, 16, 17, 33, 1000])
@pytest.mark.parametrize("operator", ["&&", "||"])
def test_a_long_chain_is_written_flat_and_read_again(operator: str, count: int) -> None:
    text = f" {operator} ".join(f"x.v == {n}" for n in range(count))
    guard = parse_guard_text(Source(text))
    assert render_guard(guard) == text
    paired = joined(operator, [guard, guard])
    assert parse_guard_text(Source(render_guard(paired))) == paired
    assert _depth(guard) < 32


def _depth(guard: Guard) -> int:
    return 1 + max((_depth(part) for part in operands(guard)), default=0)


def test_a_sigma_rule_with_a_long_list_runs() -> None:
    values = "".join(f"\n      - word{n}" for n in range(MANY))
    text = f"title: t\ndetection:\n  selection:\n    Image|contains:{values}\n  condition: selection\n"
    event = Event("event", 1, 1, "1", "", {"Image": f"x WORD{MANY - 1} y"}, 1, number=1)
    for engine in ("replay", "local"):
        found = Session(read_sigma(text, "sigma.yml"), Options(engine=engine)).detections([event])
        assert len(list(found)) == 1
