"""Definitions before an expression (core language): each is a detector of its own, so it becomes a rule of its own.

Its rule is `hidden`: known by its name as an event type, and not reported. It shares the window and the order of the
rule it stands in. The same definition in several rules of a file is one rule, and so is one that only repeats a rule
of the file; different ones of one name are a fault, which `algebra/checks.py` finds.
"""

from __future__ import annotations

from typing import NamedTuple

from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rules import Command, Define, Enable, Rule, Statement
from tocsin.errors import Source
from tocsin.languages import core, parse
from tocsin.languages.core import Definition


class Written(NamedTuple):
    """A rule as it stands in a text: with the detectors that are defined before its expression."""

    rule: Rule
    definitions: tuple[Definition, ...] = ()
    enabled: bool = True


def read_expression(source: Source, language: str) -> tuple[tuple[Definition, ...], Pattern]:
    """The detectors that are defined before an expression, and the expression's own pattern."""
    return core.parse_rules(source) if language == core.NAME else ((), parse(source, language))


def statements_of(rules: list[Written]) -> list[Statement]:
    """The rules of a file, each after those that it defines."""
    found: list[Statement] = []
    known = {(rule.name, rule.pattern) for rule, _, _ in rules}
    for rule, definitions, enabled in rules:
        for name, pattern, span in definitions:
            own = Rule(name, pattern, rule.language, window=rule.window, order=rule.order, hidden=True, span=span)
            if (name, pattern) not in known and Define(own) not in found:
                found += [Define(own, span=span), Command(Enable(name))]
        found += [Define(rule, span=rule.span), *([Command(Enable(rule.name))] if enabled else [])]
    return found
