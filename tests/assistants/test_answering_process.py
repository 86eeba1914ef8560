"""The process that answers: what takes too long or too much is stopped, and the next question is answered."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.assistants.commands import environment
from tocsin.assistants.answering_process import AnsweringProcess, Unanswered
from tocsin.assistants.limits import MOST_TEXT
from tocsin.errors import UsageError

RULE = {"expression": "a ; b", "language": "gem"}
ENDLESS = {"expression": "a & b & c & d & e & f & g & h", "language": "sel"}
EVENTS = [{"type": kind, "time": time} for time in range(60) for kind in "abcdefgh"]


@pytest.fixture(scope="module")
def process() -> Iterator[AnsweringProcess]:
    made = AnsweringProcess(seconds=60)
    yield made
    made.close()


def test_a_question_that_never_ends_is_stopped_and_the_next_one_answered() -> None:
    process = AnsweringProcess(seconds=1)
    try:
        with pytest.raises(UsageError, match=r"took longer than 1 s and was stopped: ask about fewer"):
            process.ask("why", rules=ENDLESS, events=EVENTS)
        process.seconds = 60
        assert process.ask("check", rules=RULE)["ok"]
    finally:
        process.close()


def test_what_needs_too_much_memory_is_refused() -> None:
    process = AnsweringProcess(seconds=60, memory=200 << 20)
    try:
        with pytest.raises((Unanswered, UsageError), match="memory"):
            process.ask("backtest", rules=ENDLESS, events=EVENTS)
        assert process.ask("check", rules=RULE)["ok"]
    finally:
        process.close()


def test_a_process_that_dies_is_replaced(process: AnsweringProcess) -> None:
    assert process.ask("check", rules=RULE)["ok"]
    assert process._process is not None
    os.kill(process._process.pid, 9)
    process._process.wait()
    assert process.ask("check", rules=RULE)["ok"]


def test_one_that_is_closed_answers_nothing() -> None:
    process = AnsweringProcess()
    process.close()
    with pytest.raises(UsageError, match="no more questions"):
        process.ask("check", rules=RULE)


def test_no_module_is_taken_from_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    (tmp_path / "yaml.py").write_text("raise SystemExit('taken')\n")
    monkeypatch.chdir(tmp_path)
    process = AnsweringProcess(seconds=60)
    try:
        assert process.ask("check", rules=RULE)["ok"]
    finally:
        process.close()


@pytest.mark.parametrize("kind", ["sel", "gem", "eps", "core", "global", "pretty", "python"])
@pytest.mark.parametrize(
    "text", ["(" * 100_000, "a" * 300_000, "!" * 50_000, "x:" * 50_000, "[" * 50_000, "\ud800", "\0", ""]
)
def test_hostile_expressions_are_answered(process: AnsweringProcess, kind: str, text: str) -> None:
    found = process.ask("check", rules={"expression": text, "language": kind})
    assert found["ok"] is (text == "a" * 300_000 and kind not in ("core", "python"))
    assert found["ok"] or found["faults"][0]["message"]


@pytest.mark.parametrize(
    "text",
    [
        "rules: " + "[" * 1_000,
        "rules: " + "{a: " * 1_000,
        "a: &a [x, x]\n" + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]\n" for n in range(24)) + "rules: *y\n",
        "rules:\n" + "  - {name: r, language: gem, expression: a}\n" * 1_000,
        "rules: !!python/object/apply:os.system ['true']\n",
    ],
    ids=["lists", "mappings", "aliases", "many", "objects"],
)  # fmt: skip
def test_hostile_files_are_answered(process: AnsweringProcess, text: str) -> None:
    found = process.ask("check", rules={"text": text, "kind": "yaml"})
    assert not found["ok"]
    assert found["faults"][0]["line"] >= 1
    for question in ("diagnose", "outline", "format"):
        process.ask(question, text=text, file="rules.yaml")


def test_what_is_too_long_is_refused(process: AnsweringProcess) -> None:
    with pytest.raises(Unanswered, match=r"400,001 characters are too many for one question; at most 400,000"):
        process.ask("check", rules={"text": "a" * (MOST_TEXT + 1), "kind": "gem"})


def test_an_answer_that_is_too_long_is_refused(process: AnsweringProcess) -> None:
    rules = "rules:\n" + "".join(
        f"  - {{name: {'r' * 500}{n}, language: gem, expression: a ; b}}\n" for n in range(500)
    )
    with pytest.raises(Unanswered, match="the answer has more than 400,000 characters"):
        process.ask("check", rules={"text": rules, "kind": "yaml"})
