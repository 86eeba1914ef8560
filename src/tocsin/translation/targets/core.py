"""The core language, as a YAML rules file."""

from __future__ import annotations

from typing import Final

from tocsin.translation.files import in_yaml
from tocsin.translation.rules import Asked
from tocsin.translation.text import Text

NAME: Final = "core"


def write(asked: Asked) -> Text:
    """The rules in this language."""
    return in_yaml(asked, NAME)
