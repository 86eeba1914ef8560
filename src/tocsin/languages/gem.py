"""GEM, the language of 003 (Mansouri-Samani & Sloman): event expressions, and scripts of declarations and rules."""

from __future__ import annotations

from typing import Final

from tocsin.algebra.names import name_leaves
from tocsin.algebra.patterns import Pattern
from tocsin.errors import Source
from tocsin.languages.gem_expressions import EXPRESSION_SYNTAX, GemExpressions, GemWriter
from tocsin.languages.gem_script_text import render_script
from tocsin.languages.gem_scripts import parse_script
from tocsin.languages.parser import Cursor

__all__ = ["NAME", "parse", "parse_script", "render", "render_script"]

NAME: Final = "gem"


def parse(source: Source) -> Pattern:
    """The event expression that the whole text is."""
    cursor = Cursor(source, EXPRESSION_SYNTAX)
    pattern = GemExpressions(cursor).expression()
    cursor.expect_end()
    cursor.refuse_deep(pattern)
    return name_leaves(pattern)


def render(pattern: Pattern) -> str:
    """`pattern` as a GEM event expression; parsing it gives `pattern` again."""
    return GemWriter(pattern).text()
