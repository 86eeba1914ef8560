"""Python as a language that patterns are written in. It is read by Python itself: Tocsin evaluates no code."""

from __future__ import annotations

from typing import Final

from tocsin.languages.fluent_text import render

__all__ = ["NAME", "render"]

NAME: Final = "python"
