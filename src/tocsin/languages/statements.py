"""What texts of many statements share: names of rules and events, and how many faults are told at once."""

from __future__ import annotations

from typing import Final

from tocsin.errors import Fault
from tocsin.languages.lexer import Kind, Token
from tocsin.languages.parser import Cursor

MAX_FAULTS: Final = 50


def open_brace(cursor: Cursor) -> Token:
    """Steps over the brace that opens a body, on the line of what it belongs to."""
    if not cursor.at("{"):
        cursor.fail(hint="the brace stands on the same line" if cursor.token.kind is Kind.NEWLINE else "")
    return cursor.advance()


def take_name(cursor: Cursor, label: str) -> str:
    """A name, as it is or in quotes; `label` is what people call it."""
    token = cursor.token
    if token.kind is not Kind.STRING:
        return cursor.expect_kind(Kind.NAME, label).text
    if not token.value:
        cursor.refuse(Fault("a name cannot be empty", token.span))
    cursor.advance()
    return token.value
