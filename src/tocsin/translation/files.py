"""How a translation becomes a file: YAML for every language, and the files that a language has of its own."""

from __future__ import annotations

from tocsin.algebra.scripts import enabled_by
from tocsin.errors import UsageError, choices
from tocsin.rules.document_text import render_document
from tocsin.translation.rules import Asked, Translated, translated
from tocsin.translation.text import Text

YAML = (".yaml", ".yml")


def in_yaml(asked: Asked, language: str) -> Text:
    """The rules in a language, as a YAML rules file."""
    expect(asked, language, YAML)
    return yaml_of(translated(asked, language))


def as_they_are(asked: Asked) -> Text:
    """The rules in the languages that they are in, as a YAML rules file."""
    expect(asked, "YAML", YAML)
    return Text(render_document(asked.program.rules, enabled_by(asked.program)))


def yaml_of(made: Translated) -> Text:
    """Translated rules as a YAML rules file."""
    return Text(render_document(made.rules, made.enabled), made.remarks, made.refused)


def expect(asked: Asked, language: str, suffixes: tuple[str, ...]) -> None:
    """Refuses a file of a kind that cannot hold the language."""
    if asked.suffix and asked.suffix not in suffixes:
        kinds = choices([f"*{suffix}" for suffix in suffixes])
        raise UsageError(f"rules in {language} are written to {kinds}, not to *{asked.suffix}")
