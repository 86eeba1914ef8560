"""The table of docs/translate.md: every cell is tried, and every exact one is run beside its source."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from tests.translation.comparing import LANGUAGES, detected, read, translation
from tests.translation.constructs import CONSTRUCTS, Construct
from tests.translation.drawing import log
from tocsin.algebra.rules import Program
from tocsin.rules.loader import load_expression
from tocsin.rules.options import context_of
from tocsin.runtime.options import Options, completed

PAGE = Path(__file__).parents[2] / "docs" / "translate.md"
EXACT, REFUSED, OWN = "=", "-", "own"
SOURCES = {each.what: each for each in CONSTRUCTS}
LOGS = [log(Random(number), most=9) for number in range(10)]


def program(construct: Construct) -> Program:
    """The construct as a rule."""
    context = None if construct.context is None else context_of(construct.context)
    return completed(load_expression(construct.text, construct.language), Options(context=context))


@cache
def cell(construct: Construct, target: str) -> str:
    """What the table says of a construct in a target."""
    if construct.language == target:
        return OWN
    return REFUSED if translation(program(construct), target) is None else EXACT


def table() -> str:
    """The table as the page shows it."""
    heads = ["construct", "written", *LANGUAGES]
    rows = [heads, ["---", "---", *[":-:" for _ in LANGUAGES]]]
    for each in CONSTRUCTS:
        context = "" if each.context is None else f", {each.context}"
        written = f"`{each.text.replace('|', chr(92) + '|')}` ({each.language}{context})"
        rows.append([each.what, written, *[cell(each, target) for target in LANGUAGES]])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def test_the_table_of_the_page_is_so() -> None:
    assert table() in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("construct", CONSTRUCTS, ids=lambda each: each.what)
def test_what_is_exact_detects_the_same(construct: Construct) -> None:
    own = program(construct)
    wanted = [detected(own, each) for each in LOGS]
    assert any(wanted), "the events must make the rule fire, or nothing is shown"
    for target in LANGUAGES:
        text = translation(own, target)
        if text is not None:
            assert [detected(read(text), each) for each in LOGS] == wanted, text


def test_every_pair_of_languages_has_cells() -> None:
    cells = {(each.language, target): cell(each, target) for each in CONSTRUCTS for target in LANGUAGES}
    assert {language for language, _ in cells} == set(LANGUAGES) - {"python"}
    assert len(re.findall(r"\| = ", table())) > len(CONSTRUCTS) * 2
