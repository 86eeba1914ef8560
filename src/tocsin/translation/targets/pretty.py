"""Composite events in words, as a YAML rules file."""

from __future__ import annotations

from typing import Final

from tocsin.translation.files import in_yaml
from tocsin.translation.rules import Asked
from tocsin.translation.text import Text

NAME: Final = "pretty"


def write(asked: Asked) -> Text:
    """The rules in this language."""
    return in_yaml(asked, NAME)
