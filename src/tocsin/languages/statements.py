"""What texts of many statements share: names of rules and events, and how many faults are told at once."""

from __future__ import annotations

from typing import Final

from tocsin.errors import Fault
from tocsin.languages.lexer import Kind
from tocsin.languages.parser import Cursor

MAX_FAULTS: Final = 50


def take_name(cursor: Cursor, label: str) -> str:
    """A name, as it is or in quotes; `label` is what people call it."""
    token = cursor.token
    if token.kind is not Kind.STRING:
        return cursor.expect_kind(Kind.NAME, label).text
    if not token.value:
        cursor.refuse(Fault("a name cannot be empty", token.span))
    cursor.advance()
    return token.value
