"""EPS, the language of 000 (Moreto & Endler): event expressions, and requests for notification."""

from __future__ import annotations

from typing import Final

from tocsin.algebra.names import name_leaves
from tocsin.algebra.patterns import Pattern
from tocsin.errors import Source
from tocsin.languages.eps_documents import parse_document, render_document
from tocsin.languages.eps_expressions import EXPRESSION_SYNTAX, EpsExpressions, EpsWriter
from tocsin.languages.parser import Cursor

__all__ = ["NAME", "parse", "parse_document", "render", "render_document"]

NAME: Final = "eps"


def parse(source: Source) -> Pattern:
    """The event expression that the whole text is."""
    cursor = Cursor(source, EXPRESSION_SYNTAX)
    pattern = EpsExpressions(cursor).expression()
    cursor.expect_end()
    cursor.refuse_deep(pattern)
    return name_leaves(pattern)


def render(pattern: Pattern) -> str:
    """`pattern` as an EPS event expression; parsing it gives `pattern` again."""
    return EpsWriter(pattern).text()
