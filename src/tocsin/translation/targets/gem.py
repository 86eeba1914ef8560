"""GEM: a script stays a script; other rules, which have no actions, are GEM expressions in a YAML file."""

from __future__ import annotations

from typing import Final

from tocsin.algebra.rules import Program
from tocsin.languages.gem import render_script
from tocsin.translation.files import YAML, expect, yaml_of
from tocsin.translation.rules import Asked, translated
from tocsin.translation.text import Text

NAME: Final = "gem"


def write(asked: Asked) -> Text:
    """The rules in GEM."""
    expect(asked, NAME, (".gem", *YAML))
    if _is_script(asked.program) and asked.suffix not in YAML:
        return Text(render_script(asked.program.statements))
    made = translated(asked, NAME)
    if asked.suffix == ".gem":
        return Text(render_script(made.program.statements), made.remarks, made.refused)
    return yaml_of(made)


def _is_script(program: Program) -> bool:
    return any(rule.strict for rule in program.rules) and all(rule.language == NAME for rule in program.rules)
