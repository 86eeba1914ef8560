"""What can be written at a place: types, attributes and variables, operators and functions, settings and their values.

A text that is being written is wrong as a rule, so it is not parsed: the words before the cursor tell what may follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tocsin.algebra.patterns import Run
from tocsin.algebra.rules import SEVERITIES, Context
from tocsin.assistants.editor.rule_texts import YAML, has_heading
from tocsin.assistants.editor.surroundings import Surroundings, surroundings_of
from tocsin.assistants.editor.terms import CALLS, EPS_CLAUSES, GEM_STATEMENTS, GUARD_TERMS, SETTINGS, TERMS, Term
from tocsin.assistants.editor.vocabulary import Vocabulary
from tocsin.languages import languages

TYPE, ATTRIBUTE, VARIABLE, FUNCTION = "type", "attribute", "variable", "function"
OPERATOR, SETTING, VALUE = "operator", "setting", "value"

_ATTRIBUTE: Final = re.compile(r"(?<!\w)([^\W\d]\w*+)\.\w*+\Z")
_OF_EVENT: Final = re.compile(r"[@$?]\w*+\Z")
_FILTER: Final = re.compile(r"(?<!\w)([^\W\d]\w*+)\([^()]*+\Z")
_ONLY_WORD: Final = re.compile(r"\s*(?:-\s+)?\w*\Z")


@dataclass(frozen=True)
class Offer:
    """Something that can be written, what it is, and a line about it."""

    label: str
    kind: str
    told: str = ""


def completions(text: str, file: str, line: int, column: int, vocabulary: Vocabulary) -> list[Offer]:
    """What can be written at a place (from 1) of a file; each label once."""
    suffix = Path(file).suffix.lower()
    if suffix in YAML and not has_heading(text):
        return []
    here = surroundings_of(text, suffix, line, column)
    offers = _in_yaml(here, vocabulary) if suffix in YAML else _in_script(here, vocabulary)
    found: dict[str, Offer] = {}
    for offer in offers:
        found.setdefault(offer.label, offer)
    return list(found.values())


def _in_yaml(here: Surroundings, vocabulary: Vocabulary) -> Iterator[Offer]:
    values = _values()
    if here.key in values and here.is_value:
        yield from (Offer(value, VALUE) for value in values[here.key])
    elif here.key in ("expression", "condition", "select", "notify", "suppress") and here.is_value:
        yield from _in_text(here, vocabulary, is_guard=here.key != "expression")
    elif here.key in ("by", "partition") and here.is_value:
        names = dict.fromkeys(name for known in vocabulary.types.values() for name in known.attributes)
        yield from (Offer(name, ATTRIBUTE) for name in names)
    elif _ONLY_WORD.match(here.before):
        yield from (Offer(f"{name}: ", SETTING, told) for name, told in SETTINGS.items())


def _values() -> Mapping[str, tuple[str, ...]]:
    """The settings that have one of a few values."""
    return {
        "language": tuple(languages()),
        "context": tuple(each.value for each in Context),
        "order": ("best-effort", "guaranteed", "delay:", "probabilistic:"),
        "run": tuple(f"{each.value} " if each.has_step else each.value for each in Run),
        "severity": SEVERITIES,
        "enabled": ("true", "false"),
        "reported": ("true", "false"),
    }


def _in_script(here: Surroundings, vocabulary: Vocabulary) -> Iterator[Offer]:
    if _ONLY_WORD.match(here.before):
        terms = GEM_STATEMENTS if here.language == "gem" else EPS_CLAUSES
        yield from (Offer(term.sign, SETTING, _told(term)) for term in terms)
    yield from _in_text(here, vocabulary, is_guard=here.key == "condition")


def _in_text(here: Surroundings, vocabulary: Vocabulary, is_guard: bool) -> Iterator[Offer]:
    """In an expression or a guard."""
    named = here.variables()
    if (found := _ATTRIBUTE.search(here.before)) is not None:
        kind = named.get(found[1], found[1])
        yield from _attributes(kind, vocabulary)
        if here.language == "python":
            yield from _terms(TERMS["python"], OPERATOR)
        return
    kinds = [name for name in vocabulary.types if name in here.text]
    variables = [Offer(name, VARIABLE, f"an event of type {kind}") for name, kind in named.items()]
    variables += [Offer(kind, VARIABLE, "an event of this type") for kind in kinds if is_guard]
    yield from variables
    if _OF_EVENT.search(here.before) is not None:
        return
    if here.language == "core" and (found := _FILTER.search(here.before)) is not None:
        yield from _attributes(found[1], vocabulary)
        is_guard = True
    if not is_guard:
        yield from (Offer(_written(name), TYPE, "; ".join(known.told)) for name, known in vocabulary.types.items())
        yield from _terms(TERMS.get(here.language, ()), OPERATOR)
    yield from _terms(tuple(CALLS.values()), FUNCTION)
    yield from _terms(GUARD_TERMS, OPERATOR)


def _attributes(kind: str, vocabulary: Vocabulary) -> Iterator[Offer]:
    known = vocabulary.types.get(kind)
    for name, said in known.attributes.items() if known is not None else ():
        yield Offer(_written(name), ATTRIBUTE, f"{kind}{f': {said}' if said else ''}")


def _terms(terms: tuple[Term, ...], kind: str) -> Iterator[Offer]:
    yield from (Offer(term.sign, kind, _told(term)) for term in terms)


def _told(term: Term) -> str:
    return f"{term.example}: {term.means}" if term.example else term.means


def _written(name: str) -> str:
    """A name as it is written: in quotes where it is none."""
    return name if name.isidentifier() else f"'{name}'"
