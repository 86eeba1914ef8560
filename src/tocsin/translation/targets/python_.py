"""Python, as a program that makes the rules."""

from __future__ import annotations

from typing import Final

from tocsin.translation.files import expect
from tocsin.translation.python_programs import render_program
from tocsin.translation.rules import Asked, translated
from tocsin.translation.text import Text

NAME: Final = "python"


def write(asked: Asked) -> Text:
    """The rules as a Python program."""
    expect(asked, NAME, (".py",))
    made = translated(asked, NAME)
    return Text(render_program(made), made.remarks, made.refused)
