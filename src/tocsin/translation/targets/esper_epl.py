"""Esper EPL: a statement for each rule. What it cannot say is refused, near or not."""

from __future__ import annotations

from typing import Final

from tocsin.foreign import esper_epl
from tocsin.foreign.programs import written
from tocsin.translation.files import expect
from tocsin.translation.rules import Asked
from tocsin.translation.text import Text

NAME: Final = esper_epl.NAME


def write(asked: Asked) -> Text:
    """The statements."""
    expect(asked, NAME, (".epl",))
    return Text(written(asked.program, esper_epl.translate))
