"""The page about other engines: its examples are what is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.foreign.constructs import Construct
from tocsin.foreign import esper_epl, flink_sql

PAGE = Path(__file__).parents[2] / "docs" / "translate-foreign.md"
RULE = re.compile(r"^\*\*(\w+)\*\* `(.+?)`(?:, condition `(.+?)`)?(?:, window `(.+?)`)?$")


def examples() -> list[tuple[Construct, str, str]]:
    """Each rule of the page with the texts below it."""
    found: list[tuple[Construct, str, str]] = []
    shown: Construct | None = None
    for part in re.split(r"\n\n|(?<=```\n)", PAGE.read_text(encoding="utf-8")):
        if (rule := RULE.match(part)) is not None:
            shown = Construct("rule", rule[1], rule[2], rule[3], rule[4])
        elif shown is not None and (block := re.match(r"\n?```(sql|epl)\n(.*)", part, re.DOTALL)):
            found.append((shown, block[1], block[2]))
        elif not part.startswith("\n```"):
            shown = None
    return found


@pytest.mark.parametrize(("construct", "kind", "text"), examples())
def test_the_page_shows_what_is_written(construct: Construct, kind: str, text: str) -> None:
    made = (flink_sql.translate if kind == "sql" else esper_epl.translate)(construct.rule())
    assert text.rstrip() == f"{made}```"


def test_there_are_examples_of_both() -> None:
    assert {kind for _, kind, _ in examples()} == {"sql", "epl"}
