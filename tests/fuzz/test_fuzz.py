"""A small run of the fuzzer (`make fuzz` is the large one)."""

from __future__ import annotations

import pytest

from tests.fuzz.fuzzing import SUBJECTS, Subject, complaint, mutated
from tests.fuzz.run import main

COUNT = 2_000


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_the_texts_to_start_from_are_good(subject: Subject) -> None:
    for text in subject.texts:
        subject.parse(text)
        assert complaint(subject, text) == ""


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.name)
def test_mutated_texts(subject: Subject) -> None:
    texts = (mutated(subject, 0, number) for number in range(COUNT))
    assert [(text, problem) for text in texts if (problem := complaint(subject, text))] == []


def test_a_text_can_be_made_again() -> None:
    assert mutated(SUBJECTS[0], 1, 7) == mutated(SUBJECTS[0], 1, 7) != mutated(SUBJECTS[0], 2, 7)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--count", "50", "--no-large"]) == 0
    assert capsys.readouterr().out == f"{50 * len(SUBJECTS)} passed, 0 failed\n"


def test_a_failure_is_shown_with_its_text_and_seed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.fuzz.run.complaint", lambda subject, text: "broken" if "E1" in text else "")
    assert main(["--count", "20", "--parser", "eps", "--seed", "3"]) == 1
    shown = capsys.readouterr().out
    assert "FAILED eps: broken\n  input: " in shown
    assert "again: --seed 3 --parser eps --number " in shown
