"""Python as a language that patterns are written in. It is read as a text like the others: no code is run."""

from __future__ import annotations

from typing import Final

from tocsin.languages.fluent_text import render
from tocsin.languages.python_source import parse

__all__ = ["NAME", "parse", "render"]

NAME: Final = "python"
