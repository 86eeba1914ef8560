"""The pretty language of 001 section 8: composite events in words, for people who do not program."""

from __future__ import annotations

from typing import Final

from tocsin.algebra.names import name_leaves
from tocsin.algebra.patterns import Pattern
from tocsin.errors import Source
from tocsin.languages.parser import Cursor
from tocsin.languages.pretty_expressions import EXPRESSION_SYNTAX, PrettyExpressions
from tocsin.languages.pretty_text import PrettyWriter

__all__ = ["NAME", "parse", "render"]

NAME: Final = "pretty"


def parse(source: Source) -> Pattern:
    """The event expression that the whole text is."""
    cursor = Cursor(source, EXPRESSION_SYNTAX)
    pattern = PrettyExpressions(cursor).expression()
    cursor.expect_end()
    cursor.refuse_deep(pattern)
    return name_leaves(pattern)


def render(pattern: Pattern) -> str:
    """`pattern` in words; parsing them gives `pattern` again."""
    return PrettyWriter(pattern).text()
