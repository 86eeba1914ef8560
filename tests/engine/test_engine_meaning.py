"""The engine gives what the plain meaning gives: random rules on random logs, every operator, context and policy.

The examples are those of `tests/fuzz/engine.py` with seed 0: what differs is seen again, and made smaller, by
`.venv/bin/python tests/fuzz/engine.py --seed 0 --number N`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.amounts import examples
from tests.engine.comparing import Cell, difference, given_by_engine
from tests.engine.kinds import KINDS
from tests.engine.strategies import BATCHES, EXAMPLES, OPERATORS, POLICIES, Example, is_sound
from tests.fuzz import engine as fuzzing
from tests.fuzz.engine import main, numbered, run, table
from tocsin.runtime.logs import detections

SEED = 3
ROUNDS = examples(4)
"""Examples for each operator in each context under each policy."""
MOST_ROUNDS = examples(60)
"""Examples for a cell that is hard to meet."""
CELLS = KINDS["searched"].cells


@cache
def results(round_: int) -> tuple[int, list[tuple[int, str]], Counter[Cell]]:
    """What one example for each cell gave."""
    return run(SEED, range(round_ * len(CELLS), (round_ + 1) * len(CELLS)))


@pytest.mark.parametrize("round_", range(ROUNDS))
def test_the_engine_is_the_meaning(round_: int) -> None:
    count, failed, _ = results(round_)
    assert failed == []
    assert count == len(CELLS)


def test_every_operator_was_put_to_the_test() -> None:
    """In every context, under every policy: a rule on the engine that needs the operator has fired.

    A cell that none of the rounds has met gets examples of its own until one does: few logs let a rule fire that asks
    for much, and some of its shapes stay on the plain meaning.
    """
    met = sum((results(round_)[2] for round_ in range(ROUNDS)), Counter[Cell]())
    for place, cell in enumerate(CELLS):
        for round_ in range(ROUNDS, MOST_ROUNDS):
            if met[cell]:
                break
            _, failed, seen = run(SEED, [round_ * len(CELLS) + place])
            assert failed == []
            met += seen
    assert [cell for cell in CELLS if not met[cell]] == []


@settings(max_examples=examples(75), derandomize=True, database=None)
@given(EXAMPLES)
def test_the_engine_is_the_meaning_for_hypothesis_too(example: Example) -> None:
    told = difference(example)
    assert not told


@pytest.mark.parametrize("number", range(60))
def test_batches_make_no_difference(number: int) -> None:
    example = numbered(3, number)
    found = [[repr(one) for one in given_by_engine(replace(example, batch=size))[0]] for size in BATCHES]
    assert all(each == found[0] for each in found)


# -- the examples ----------------------------------------------------------------------------------------------------


def test_an_example_can_be_made_again() -> None:
    one, same, other = numbered(1, 7), numbered(1, 7), numbered(2, 7)
    assert one.program == same.program != other.program
    assert list(map(repr, one.log)) == list(map(repr, same.log))


def test_operators_contexts_and_policies_take_turns() -> None:
    examples = [numbered(5, number) for number in range(len(CELLS))]
    seen = {(one.operator, one.order.policy) for one in examples}
    assert len(seen) == len(OPERATORS) * len(POLICIES)
    assert all(is_sound(one.program) for one in examples)


# -- the command ------------------------------------------------------------------------------------------------------


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--examples", "20", "--seed", "4"]) == 0
    assert capsys.readouterr().out == "20 passed, 0 failed\n"


def test_the_command_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--examples", "20", "--table"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("| operator | unrestricted, best-effort |")
    assert len(shown) == 2 + len(OPERATORS)
    assert table(Counter({("both", "generic", "delay"): 7})).splitlines()[10].count(" 7 ") == 1


def test_a_difference_is_shown_made_smaller_and_written_as_a_script(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def forgetful(*arguments: object, **options: object) -> list[object]:
        return list(detections(*arguments, **options))[1:]  # type: ignore[arg-type]  # what `detections` takes

    monkeypatch.setattr("tests.engine.comparing.detections", forgetful)
    monkeypatch.setattr(fuzzing, "SCRIPTS", tmp_path)
    assert main(["--examples", "12", "--seed", "1", "--most-shrunk", "1"]) == 1
    shown = capsys.readouterr().out
    assert "FAILED --seed 1 --number " in shown
    (path,) = tmp_path.iterdir()
    assert f"smallest: {path}" in shown
    text = path.read_text()
    monkeypatch.undo()
    exec(compile(text, str(path), "exec"), {})  # by itself it shows no difference here, for the engine is not forgetful
    assert text.count("events.Event(") == 1


def test_what_never_ends_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*arguments: object, **options: object) -> list[object]:
        while True:
            pass

    monkeypatch.setattr("tests.engine.comparing.detections", endless)
    monkeypatch.setattr("tests.engine.comparing.SECONDS", 1)
    assert difference(numbered(1, 1)).startswith("the engine fails: NotDone")
