"""Flink SQL: a query for each rule. What it cannot say is refused, near or not."""

from __future__ import annotations

from typing import Final

from tocsin.foreign import flink_sql
from tocsin.foreign.programs import written
from tocsin.translation.files import expect
from tocsin.translation.rules import Asked
from tocsin.translation.text import Text

NAME: Final = flink_sql.NAME


def write(asked: Asked) -> Text:
    """The queries."""
    expect(asked, NAME, (".sql",))
    return Text(written(asked.program, flink_sql.translate))
