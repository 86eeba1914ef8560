"""Rules that are changed while they run: only what is right takes effect."""

from __future__ import annotations

from pathlib import Path

import pytest

from tocsin.errors import RuleError, UsageError
from tocsin.rules.rulebook import Page, Rulebook, files_of

PAIR = 'rules: [{name: pair, language: eps, expression: "a ; b"}]\n'
OTHER = 'rules: [{name: other, language: eps, expression: "c"}]\n'
BAD = 'rules: [{name: pair, language: eps, expression: "a ; ;"}]\n'


def names(page: Page | None) -> list[str]:
    assert page is not None
    return [rule.name for rule in page.program.rules]


def test_a_directory(tmp_path: Path) -> None:
    """Files come, change, are wrong for a while, and go."""
    book = Rulebook(files_of([str(tmp_path)]))
    (tmp_path / "a.yaml").write_text(PAIR)
    (tmp_path / "a.test.yaml").write_text("cases: []")
    (tmp_path / "notes.txt").write_text("no rules")
    assert names(book.opened()) == ["pair"]
    assert book.read() is None
    (tmp_path / "b.yaml").write_text(OTHER)
    assert names(book.read()) == ["pair", "other"]
    (tmp_path / "a.yaml").write_text(BAD)
    page = book.read()
    assert names(page) == ["pair", "other"]
    assert page is not None
    assert page.refused[0].startswith(f"{tmp_path}/a.yaml:1:54: ")
    assert book.read() is None, "a mistake is told once"
    (tmp_path / "a.yaml").unlink()
    assert names(book.read()) == ["other"]


def test_rules_that_are_right_only_each_by_itself(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(PAIR)
    book = Rulebook(files_of([str(tmp_path)]))
    book.opened()
    (tmp_path / "b.yaml").write_text(PAIR)
    page = book.read()
    assert page is not None
    assert (names(page), list(page.texts)) == (["pair"], [f"{tmp_path}/a.yaml"])
    assert "pair" in page.refused[0]


def test_what_was_right_before_is_known_after_a_restart(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BAD)
    book = Rulebook(files_of([str(tmp_path)]), {f"{tmp_path}/a.yaml": PAIR})
    page = book.read()
    assert names(page) == ["pair"]
    assert page is not None
    assert len(page.refused) == 1


def test_at_first_everything_must_be_right(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BAD)
    with pytest.raises(RuleError):
        Rulebook(files_of([str(tmp_path)])).opened()
    with pytest.raises(UsageError, match="not a rules file"):
        Rulebook(files_of([str(tmp_path / "a.txt")])).opened()
