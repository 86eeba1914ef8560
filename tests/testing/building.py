"""Test files and cases made on the spot."""

from __future__ import annotations

from pathlib import Path

import pytest

from tocsin.errors import TextError
from tocsin.testing.cases import Case, CaseFile
from tocsin.testing.files import read_cases
from tocsin.testing.verdicts import Asked, Outcome, judge, trials

PAIR = """\
rules:
  - {name: pair, language: eps, expression: "x:a ; y:b", window: 1 min}
"""


def file_of(folder: Path, text: str, name: str = "made.test.yaml") -> CaseFile:
    """A test file, read."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_cases(path)


def case_of(folder: Path, text: str, rules: str = PAIR) -> Case:
    """The only case of a test file: what stands in it, without its name."""
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    return file_of(folder, f"{rules}cases:\n  - name: made\n{lines}").cases[0]


def outcomes(case: Case, runtimes: tuple[str, ...] = (), permutations: int = 50, seed: int = 0) -> list[Outcome]:
    """How a case does in its runtimes."""
    return [judge(trial) for trial in trials(case, Asked(runtimes, permutations, seed))]


def outcome(case: Case) -> Outcome:
    """How a case does in the engine."""
    return outcomes(case, ("local",))[0]


def refusal(folder: Path, text: str) -> str:
    """What is said about a test file that cannot be read."""
    with pytest.raises(TextError) as caught:
        file_of(folder, text)
    return str(caught.value).replace(f"{folder}/", "")
