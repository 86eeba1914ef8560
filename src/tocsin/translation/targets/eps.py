"""EPS, as a document of requests; rules that select their data, or do not run, as YAML."""

from __future__ import annotations

from typing import Final

from tocsin.languages.eps import render_document
from tocsin.translation.files import YAML, expect, yaml_of
from tocsin.translation.rules import Asked, translated
from tocsin.translation.text import Text

NAME: Final = "eps"


def write(asked: Asked) -> Text:
    """The rules as requests."""
    expect(asked, NAME, (".eps", *YAML))
    made = translated(asked, NAME)
    is_document = all(not rule.select and not rule.hidden and rule.name in made.enabled for rule in made.rules)
    if asked.suffix == ".eps" or (is_document and not asked.suffix):
        return Text(render_document(made.program.statements), made.remarks, made.refused)
    return yaml_of(made)
