"""A request under construction: its pattern as a drawing, and its rule in every notation that can say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import yaml

from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, Command, Define, Enable, Program, Rule
from tocsin.errors import Fault, RuleError, TextError, TocsinError
from tocsin.languages import languages, render
from tocsin.rules.document_text import render_document
from tocsin.rules.documents import KEYS
from tocsin.service.drawings import drawing_of, pattern_of
from tocsin.service.requests import Registry, fault_of, refusal
from tocsin.translation import translate
from tocsin.translation.rules import Asked, translated

SOUGHT: Final = ("language", "expression")
"""What a drawing says."""
UNSAID: Final = ("name", "enabled")
"""What of a document is the same in every notation."""


def notations(registry: Registry, document: Mapping[str, Any], drawing: object = None) -> dict[str, Any]:
    """The rule of a document, as a drawing and in all languages; a drawing takes the place of its expression."""
    sought = {key: value for key, value in document.items() if key in KEYS}
    if drawing is not None:
        kept = {key: value for key, value in sought.items() if key not in SOUGHT}
        sought = _text_of(pattern_of(drawing), str(document.get("language"))) | kept
    named = {"name": "rule"} | {key: value for key, value in sought.items() if value not in (None, "")}
    rules = registry.made("new", named, "", 0, None).definitions
    if len(rules) != 1:
        raise refusal("drawing-invalid", f"these are {len(rules)} rules: one is drawn at a time", "expression")
    return {
        "document": {key: value for key, value in named.items() if key not in UNSAID},
        "drawing": drawing_of(rules[0].pattern),
        "notations": [_said(rules[0], named, language) for language in languages()],
        "program": _program(rules[0]),
    }


def _program(rule: Rule) -> str:
    """The rule as a Python program; nothing, where Python has no way to write it."""
    asked = Asked(Program((Define(rule), Command(Enable(rule.name)))))
    try:
        return translate(asked, "python").text
    except TocsinError:
        return ""


def _text_of(pattern: Pattern, language: str) -> dict[str, str]:
    """The pattern as a text of the language that is asked for, or of the first that can say it.

    Another language may have another context where none is said: then the one that held so far is said.
    """
    context = LANGUAGE_CONTEXTS.get(language)
    others = sorted(languages(), key=lambda each: (each != language, LANGUAGE_CONTEXTS.get(each) != context))
    faults: list[Fault] = []
    for each in others:
        try:
            told = {"language": each, "expression": render(pattern, each)}
        except TextError as error:
            faults += error.faults
        else:
            is_other = context is not None and LANGUAGE_CONTEXTS.get(each) != context
            return told | {"context": context.value} if is_other and context is not None else told
    raise RuleError(*faults[:1])


def _said(rule: Rule, document: Mapping[str, Any], language: str) -> dict[str, Any]:
    """The keys of the rule's document in a language, or why it has no way to say the rule."""
    if language == document["language"]:
        return {"language": language, "document": {key: document[key] for key in document if key not in UNSAID}}
    try:
        made = translated(Asked(Program((Define(rule),))), language)
        told = yaml.safe_load(render_document(made.rules, made.enabled))["rules"]
    except TextError as error:
        return {"language": language, "faults": [fault_of(fault).record() for fault in error.faults]}
    except TocsinError as error:
        return {"language": language, "faults": [{"code": "rule-invalid", "message": str(error)}]}
    if len(told) != 1:
        message = f"this takes {len(told)} rules in that language"
        return {"language": language, "faults": [{"code": "rule-invalid", "message": message}]}
    said = {key: value for key, value in told[0].items() if key not in UNSAID}
    return {"language": language, "document": said, "remarks": list(made.remarks)}
