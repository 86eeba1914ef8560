"""Definitions before an expression (core language): each is a detector of its own, so it becomes a rule of its own.

Its rule is `hidden`: not reported, and nobody else can name it. Inside the expression its name hides a type or a rule
of that name. It shares the window and the order of the rule it stands in. The same definition in several rules of a
file is one rule; different ones of one name have nothing to do with each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from tocsin.algebra.codec import content_hash
from tocsin.algebra.links import mentioned
from tocsin.algebra.names import retyped
from tocsin.algebra.patterns import Automaton, Pattern
from tocsin.algebra.rules import DEFINED, Command, Define, Enable, Program, Rule, Statement, Suppress, shown_name
from tocsin.errors import RuleError, Source
from tocsin.languages import core, parse, pretty
from tocsin.languages.borrowed import advised
from tocsin.languages.core import Definition


class Written(NamedTuple):
    """A rule as it stands in a text: with the detectors that are defined before its expression."""

    rule: Rule
    definitions: tuple[Definition, ...] = ()
    enabled: bool = True


class Read(NamedTuple):
    """What a text says that stands for a rule: detectors defined before it, its own pattern, and what it tells."""

    definitions: tuple[Definition, ...]
    pattern: Pattern
    suppress: Suppress | None = None


def read_expression(source: Source, language: str) -> Read:
    """An expression with what some languages let stand before or after it."""
    try:
        if language == core.NAME:
            return Read(*core.parse_rules(source))
        if language == pretty.NAME:
            return Read((), *pretty.parse_rule(source))
    except RuleError as error:
        raise advised(error, source.text, language) from None
    return Read((), parse(source, language))


def statements_of(rules: list[Written]) -> list[Statement]:
    """The rules of a file, each after those that it defines."""
    found: list[Statement] = []
    for rule, definitions, enabled in rules:
        known: dict[str, str] = {}
        for name, pattern, span in definitions:
            own = _hidden(
                Rule(
                    name,
                    retyped(pattern, known),
                    rule.language,
                    window=rule.window,
                    order=rule.order,
                    partition=rule.partition,
                )
            )
            known[name] = own.name
            if Define(own) not in found:
                found += [Define(replace(own, span=span), span=span), Command(Enable(own.name))]
        using = replace(rule, pattern=retyped(rule.pattern, known)) if known else rule
        found += [Define(using, span=rule.span), *([Command(Enable(rule.name))] if enabled else [])]
    return found


def _hidden(definition: Rule) -> Rule:
    """A definition as a rule under a name that no text can hold: what it is called, and what it is."""
    return replace(definition, name=f"{definition.name}{DEFINED}{content_hash(definition)[:16]}", hidden=True)


def spelled(program: Program) -> Program:
    """The same program with definitions under names that can be written, to be shown or to become rules."""
    rules = program.rules
    taken = {name for rule in rules for name in (rule.name, *mentioned(rule))}
    given: dict[str, str] = {}
    for rule in rules:
        if DEFINED in rule.name:
            name = plain = shown_name(rule.name)
            for number in count(2):
                if name not in taken:
                    break
                name = f"{plain}_{number}"
            taken.add(name)
            given[rule.name] = name
    return Program(tuple(_spelled(each, given) for each in program.statements)) if given else program


def _spelled(statement: Statement, given: Mapping[str, str]) -> Statement:
    match statement:
        case Define(rule=rule) if isinstance(rule.pattern, Automaton):
            own = replace(rule, name=given.get(rule.name, rule.name), pattern=retyped(rule.pattern, given))
            return replace(statement, rule=own)
        case Command(action=Enable(rule=str(name))) if name in given:
            return replace(statement, action=Enable(given[name]))
    return statement
