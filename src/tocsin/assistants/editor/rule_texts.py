"""Expressions and guards that stand in a file of rules, each with its language and its place.

Lines and columns are counted from 1, as in faults.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from tocsin.errors import Source, Span, TextError
from tocsin.languages import languages
from tocsin.rules.documents import Reader
from tocsin.rules.loader import READERS
from tocsin.rules.sigma_documents import looks_like_sigma

EXPRESSION, GUARD = "expression", "guard"
YAML: Final = (".yaml", ".yml")

_HEADED: Final = re.compile(r"^rules:[ \t]*(#.*)?$", re.MULTILINE)
_CASES: Final = re.compile(r"^cases:", re.MULTILINE)
_FIRST: Final = re.compile(r"^[ \t]*-[ \t]+(name|language|expression):", re.MULTILINE)


@dataclass(frozen=True)
class RuleText:
    """An expression or a guard, and the rule it belongs to."""

    kind: str
    language: str
    source: Source
    rule: str

    def offset(self, line: int, column: int) -> int | None:
        """Which character of the text stands at a place of the file; None where none does, or nobody can tell."""
        begin = 0
        for part in self.source.text.split("\n"):
            place = self.source.at(Span(begin, begin + 1))
            if place.line == line and place.column <= column <= place.column + len(part):
                return begin + column - place.column
            begin += len(part) + 1
        return None


def is_rules(text: str, file: str) -> bool:
    """Whether a file holds rules: not every file of YAML does."""
    suffix = Path(file).suffix.lower()
    if suffix not in YAML:
        return suffix in READERS
    if _HEADED.search(text):
        return has_heading(text) and _FIRST.search(text) is not None
    return looks_like_sigma(text)


def has_heading(text: str) -> bool:
    """Whether a file of YAML says that it holds rules: a look at its lines, whatever else is in it."""
    return _HEADED.search(text) is not None and _CASES.search(text) is None


def rule_nodes(reader: Reader) -> list[yaml.Node]:
    """The rules of a rules file in YAML, right or wrong; none where it is no YAML."""
    try:
        root = reader.compose("rules: a list of rules")
    except TextError:
        return []
    for key, value in root.value if isinstance(root, yaml.MappingNode) else []:
        if key.value == "rules" and isinstance(value, yaml.SequenceNode):
            return list(value.value)
    return []


def rule_texts(reader: Reader) -> Iterator[RuleText]:
    """Every expression and guard of a rules file in YAML, as far as it can be read."""
    for node in rule_nodes(reader):
        if not isinstance(node, yaml.MappingNode):
            continue
        found = {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}
        language, name = _plain(found.get("language")), _plain(found.get("name"))
        if language not in languages():
            continue
        for kind, part in _parts(found):
            try:
                yield RuleText(kind, language, reader.source_of(part), name)
            except TextError:
                continue  # it is no text, which is told as a fault


def _parts(found: dict[str, yaml.Node]) -> Iterator[tuple[str, yaml.Node]]:
    if "expression" in found:
        yield EXPRESSION, found["expression"]
    if "condition" in found:
        yield GUARD, found["condition"]
    select = found.get("select")
    if isinstance(select, yaml.MappingNode):
        yield from ((GUARD, value) for _, value in select.value)


def _plain(node: yaml.Node | None) -> str:
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""
