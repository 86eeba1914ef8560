"""A file in the standard form. Of rules files in YAML, the expressions are: each on its line, where it stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from tocsin.assistants.editor.rule_texts import YAML, is_rules, rule_nodes
from tocsin.assistants.limits import MOST_TEXT
from tocsin.errors import Source, TocsinError
from tocsin.languages import languages, parse, render
from tocsin.rules.documents import Reader
from tocsin.rules.standard_form import formatted


def in_standard_form(text: str, file: str) -> dict[str, Any]:
    """The text in the standard form; None where it is no text of rules. A fault is refused, as `tocsin fmt` does."""
    if not is_rules(text, file) or len(text) > MOST_TEXT:
        return {"text": None}
    if Path(file).suffix.lower() in YAML:
        return {"text": _of_yaml(text, file)}
    return {"text": formatted(text, Path(file))}


def _of_yaml(text: str, file: str) -> str:
    """Each expression that stands on one line, in the standard form of its language. All else is as it was."""
    made = text
    for node in reversed(rule_nodes(Reader(text, file))):  # from the end, so that what is before stays where it is
        if isinstance(node, yaml.MappingNode):
            found = {key.value: value for key, value in node.value if isinstance(key, yaml.ScalarNode)}
            language, expression = found.get("language"), found.get("expression")
            if isinstance(expression, yaml.ScalarNode) and language is not None and language.value in languages():
                made = _with_standard(made, expression, language.value)
    return made


def _with_standard(text: str, node: yaml.ScalarNode, language: str) -> str:
    """The text with one expression in the standard form, if YAML reads it so afterwards; else the text."""
    begin, end = node.start_mark.index, node.end_mark.index
    written, old = text[begin:end], str(node.value)
    if "\n" in written or "//" in old or "/*" in old or written[:1] in "|>&!*":
        return text
    try:
        pattern = parse(Source(old), language)
        new = render(pattern, language)
        if new == old or parse(Source(new), language) != pattern:
            return text
    except TocsinError:
        return text
    for candidate in (written.replace(old, new), new, _single_quoted(new), json.dumps(new, ensure_ascii=False)):
        made = text[:begin] + candidate + text[end:]
        if _value_at(made, begin) == new:
            return made
    return text


def _single_quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _value_at(text: str, begin: int) -> str | None:
    """The text that YAML reads at a place."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return None
    ahead = [root]
    while ahead:
        node = ahead.pop()
        if isinstance(node, yaml.ScalarNode) and node.start_mark.index == begin:
            return str(node.value)
        if isinstance(node, yaml.MappingNode):
            ahead += [part for pair in node.value for part in pair]
        elif isinstance(node, yaml.SequenceNode):
            ahead += node.value
    return None
