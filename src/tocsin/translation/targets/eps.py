"""EPS, as a document of requests; rules that say what a request has no words for, as YAML."""

from __future__ import annotations

from typing import Final

from tocsin.algebra.rules import Rule
from tocsin.languages.eps import render_document
from tocsin.translation.files import YAML, expect, yaml_of
from tocsin.translation.rules import Asked, translated
from tocsin.translation.text import Text

NAME: Final = "eps"


def write(asked: Asked) -> Text:
    """The rules as requests."""
    expect(asked, NAME, (".eps", *YAML))
    made = translated(asked, NAME)
    is_document = all(rule.name in made.enabled and not _says_more(rule) for rule in made.rules)
    if asked.suffix == ".eps" or (is_document and not asked.suffix):
        return Text(render_document(made.program.statements), made.remarks, made.refused)
    return yaml_of(made)


def _says_more(rule: Rule) -> bool:
    """Whether a rule says what a request cannot."""
    told = rule.select or rule.severity or rule.tags or rule.description or rule.references
    return bool(told or rule.hidden or rule.partition or rule.suppress)
