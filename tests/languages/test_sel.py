"""SEL texts: the patterns they stand for, texts that are read back, and mistakes shown where they were made."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.algebra.test_sel_meaning import PATTERNS
from tocsin.algebra.names import name_leaves
from tocsin.errors import RuleError, Source
from tocsin.languages import sel

CASES = [
    case
    for name in ("sel.yaml", "sel_more.yaml")
    for case in yaml.safe_load((Path(__file__).parent.parent / "cases" / name).read_text())["cases"]
    if "expr" in case
]


@pytest.mark.parametrize("case", [c for c in CASES if c["name"] in PATTERNS], ids=lambda case: case["name"])
def test_the_papers_examples_are_the_patterns_built_by_hand(case: dict[str, str]) -> None:
    assert sel.parse(Source(case["expr"])) == name_leaves(PATTERNS[case["name"]])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_is_written_is_read_again(case: dict[str, str]) -> None:
    pattern = sel.parse(Source(case["expr"]))
    assert sel.parse(Source(sel.render(pattern))) == pattern


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "unexpected end"),
        ("a ->", 5, "unexpected end"),
        ("-> a", 1, "unexpected '->'"),
        ("a -> (b in 5 parsecs", 14, "parsecs"),
        ("a in", 5, "unexpected end"),
        ("a in 5", 7, ""),
        ("a*", 3, "unexpected end"),
        ("a*0", 3, ""),
        ("a*[3,2]", 3, ""),
        ("a*[2", 5, "unexpected end"),
        ("{a", 3, "unexpected end"),
        ("a & | b", 5, "unexpected '|'"),
        ("a if", 5, "unexpected end"),
        ("a at [1, ", 9, ""),
        ("a b", 3, "unexpected 'b'"),
        ("!", 2, "unexpected end"),
        ("x:", 3, "unexpected end"),
        ("a delta", 8, "unexpected end"),
    ],
)
def test_a_mistake_is_shown_where_it_was_made(text: str, column: int, message: str) -> None:
    source = Source(text)
    with pytest.raises(RuleError) as caught:
        sel.parse(source)
    place = source.place(caught.value.faults[0]).place
    assert place is not None
    assert (place.line, place.column) == (1, column)
    assert message in caught.value.faults[0].message


@pytest.mark.parametrize("opener", ["(", "{", "!", "x:("])
def test_deep_nesting_is_refused(opener: str) -> None:
    with pytest.raises(RuleError):
        sel.parse(Source(opener * 10_000 + "a"))
