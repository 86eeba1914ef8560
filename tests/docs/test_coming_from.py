"""docs/coming-from.md: each line of code of its table is read, and the forms of "followed by" differ as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tocsin as tc
from tocsin.rules.loader import load_expression

PAGE = (Path(__file__).parents[2] / "docs" / "coming-from.md").read_text(encoding="utf-8")
FOUND = re.findall(r"^\| .+ \| `([^`]+)` \| (core|pretty) \|$", PAGE, re.MULTILINE)
ROWS = [(text.replace("\\|", "|"), language) for text, language in FOUND]
STREAM = [
    {"type": kind, "time": at, "user": "u", "host": f"h{at}", "v": at} for at, kind in enumerate("AXBABBABCAAAB", 1)
]


def told(text: str, language: str, kinds: str) -> list[str]:
    """The places of the events of each match, in order."""
    events = [{"type": kind, "time": at} for at, kind in enumerate(kinds, 1)]
    return sorted(" ".join(one.events) for one in tc.detect(load_expression(text, language), events))


@pytest.mark.parametrize(("text", "language"), ROWS)
def test_what_the_table_says_is_read_and_can_happen(text: str, language: str) -> None:
    late = [{"type": "A", "time": 2000, "user": "u", "v": 0}, {"type": "X", "time": 4000}]
    many = [{"type": "A", "time": 5000 + at, "user": "w", "host": f"k{at}", "v": at} for at in range(5)]
    loop = [{"type": kind, "time": 6000 + at, "v": at} for at, kind in enumerate("ABABAC")]
    assert len(tc.detect(load_expression(text, language), [*STREAM, *late, *many, *loop])) > 0


def test_there_are_many() -> None:
    assert len(ROWS) > 20


@pytest.mark.parametrize(
    ("text", "language", "kinds", "matches"),
    [
        ("[A] [B in *]", "core", "AXBAB", ["4 5"]),  # next
        ("[A] [B]", "core", "AXBB", ["1 3"]),  # followed by
        ("A followed by B", "pretty", "AXBB", ["1 3", "1 4"]),  # followed by any
        ("[A] [!B in *]", "core", "ABAX", ["3 4"]),
        ("A followed by C without B", "pretty", "ABCAC", ["4 5"]),
        ("[A] [A in *]{2} [B in *]", "core", "AAXABAAAB", ["6 7 8 9"]),  # consecutive
        ("[A]* [B]", "core", "AAB", ["1 2 3", "2 3", "3"]),
        ("[A in {A, B}]+ [C in {B, C}]", "core", "ABACAAC", ["3 4", "5 6 7", "6 7"]),
    ],
)
def test_the_forms_of_following_differ_as_it_says(text: str, language: str, kinds: str, matches: list[str]) -> None:
    assert told(text, language, kinds) == matches
