"""The pretty language of 001 section 8: composite events in words, for people who do not program."""

from __future__ import annotations

from typing import Final

from tocsin.algebra.names import name_leaves
from tocsin.algebra.patterns import Partitioned, Pattern
from tocsin.algebra.rules import Suppress
from tocsin.errors import Fault, RuleError, Source
from tocsin.languages.parser import Cursor
from tocsin.languages.pretty_expressions import EXPRESSION_SYNTAX, PrettyExpressions
from tocsin.languages.pretty_text import PrettyWriter

__all__ = ["NAME", "parse", "parse_rule", "render"]

NAME: Final = "pretty"


def parse(source: Source) -> Pattern:
    """The event expression that the whole text is."""
    pattern, suppress = parse_rule(source)
    if suppress is not None:
        hint = "it is about what is told: a rule has it, not an expression"
        raise RuleError(source.place(Fault("'once per' has no place in this", suppress.span, hint=hint)))
    return pattern


def parse_rule(source: Source) -> tuple[Pattern, Suppress | None]:
    """An event expression, and after it `partition by user` and `once per x.ip in 10 minutes`, if they are there."""
    cursor = Cursor(source, EXPRESSION_SYNTAX)
    reader = PrettyExpressions(cursor)
    pattern = reader.expression()
    partition = reader.partition() if cursor.at("partition") else ()
    suppress = reader.suppression() if cursor.at("once") else None
    cursor.expect_end()
    cursor.refuse_deep(pattern)
    named = name_leaves(pattern)
    return Partitioned(named, partition, span=pattern.span) if partition else named, suppress


def render(pattern: Pattern) -> str:
    """`pattern` in words; parsing them gives `pattern` again."""
    return PrettyWriter(pattern).text()
