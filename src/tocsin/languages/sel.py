"""SEL, the language of 004 (Zhu & Sethi): event patterns with free negation and time windows."""

from __future__ import annotations

from typing import Final

from tocsin.algebra.names import name_leaves
from tocsin.algebra.patterns import Pattern
from tocsin.errors import Source
from tocsin.languages.parser import Cursor
from tocsin.languages.sel_expressions import EXPRESSION_SYNTAX, SelExpressions
from tocsin.languages.sel_text import SelWriter

__all__ = ["NAME", "parse", "render"]

NAME: Final = "sel"


def parse(source: Source) -> Pattern:
    """The event expression that the whole text is."""
    cursor = Cursor(source, EXPRESSION_SYNTAX)
    pattern = SelExpressions(cursor).expression()
    cursor.expect_end()
    cursor.refuse_deep(pattern)
    return name_leaves(pattern)


def render(pattern: Pattern) -> str:
    """`pattern` as a SEL event expression; parsing it gives `pattern` again."""
    return SelWriter(pattern).text()
