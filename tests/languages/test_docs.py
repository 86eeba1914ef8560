"""What the pages under docs/languages show is so: their examples are read, and their messages are the ones given."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tocsin.algebra.patterns import Pattern
from tocsin.errors import RuleError, Source
from tocsin.languages import eps, gem
from tocsin.languages.guards import parse_guard_text

PAGES = Path(__file__).parents[2] / "docs" / "languages"
BLOCK = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| (`.*?) \| [^|]*\|$", re.MULTILINE)


def blocks(page: str) -> list[str]:
    return BLOCK.findall((PAGES / page).read_text())


def table(page: str, heading: str) -> list[str]:
    """What stands in code in the first column of the table with that heading."""
    text = (PAGES / page).read_text()
    rows = text[text.index(f"| {heading} |") :].split("\n\n")[0]
    return [code.replace("\\|", "|") for row in ROW.findall(rows) for code in re.findall(r"`([^`]+)`", row)]


def test_the_guards_shown_are_read() -> None:
    lines = blocks("guards.md")[0].splitlines()
    assert len(lines) == 8
    for line in lines:
        parse_guard_text(Source(re.split(r" {2,}", line)[0]))


@pytest.mark.parametrize(("page", "parse"), [("gem.md", gem.parse), ("eps.md", eps.parse)])
def test_the_expressions_shown_are_read(page: str, parse: Callable[[Source], Pattern]) -> None:
    expressions = [*table(page, "expression"), *table(page, "binding, tightest first")]
    assert len(expressions) > 8
    for expression in expressions:
        parse(Source(expression.replace("when g", "when true")))


def test_the_statements_and_actions_shown_are_read() -> None:
    gem.parse_script(Source(blocks("gem.md")[0]))
    for statement in table("gem.md", "statement"):
        gem.parse_script(Source(statement))
    for action in table("gem.md", "action"):
        gem.parse_script(Source(f"rule this {{ x:a ==> {action} }}"))


def test_the_request_shown_is_read() -> None:
    eps.parse_document(Source(next(block for block in blocks("eps.md") if block.startswith("request"))))


def test_the_messages_shown_are_the_ones_given() -> None:
    script = "\n\n\nrule r { a when a.level > 3 && ; b ==> notify c }\n\n\nrule s { at[Fri 29/Feb/1996] ==> notify c }"
    with pytest.raises(RuleError) as caught:
        gem.parse_script(Source(script, "alarms.gem"))
    assert f"{caught.value}\n" in blocks("gem.md")
    with pytest.raises(RuleError) as caught:
        eps.parse_document(Source("request r {\n  condition: x.v > 10\n             && y.v < 3\n}", "rules.eps"))
    assert f"{caught.value}\n" in blocks("eps.md")
    with pytest.raises(RuleError) as caught:
        parse_guard_text(Source("x.a < 1 < 2"))
    assert f"{caught.value}\n" in blocks("guards.md")
