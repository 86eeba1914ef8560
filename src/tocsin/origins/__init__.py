"""Rules written for other engines, read: EPL, Flink SQL and Siddhi. `foreign` writes them.

words, spans, conditions    what all of them read alike
row_patterns                MATCH_RECOGNIZE, as Flink SQL and EPL write it
makers                      the streams that a statement makes, whether it becomes a rule or not
row_columns, row_automata   what its columns are, and its rows as core expressions
atoms                       core expressions, put together
filters, patterns           the parts of EPL's and Siddhi's patterns, as core expressions; every_combination, in words
esper_epl, flink_sql, ...   one engine each, found by itself: a module with NAME and `read_statement`; epl_patterns

A text is a list of statements. One that cannot be said is refused at its place; the others are read all the same.
"""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from tocsin.algebra.checks import program_faults
from tocsin.algebra.links import mentioned
from tocsin.algebra.rules import Command, Define, Enable, Program, Rule, Statement
from tocsin.errors import Fault, RuleError, Source, Span, UsageError, choices, nearest, placed
from tocsin.languages.lexer import Kind
from tocsin.origins.makers import streams_made
from tocsin.origins.words import Words

__all__ = ["Read", "origins", "read"]


class Origin(Protocol):
    """What a module of an engine offers."""

    NAME: str

    def read_statement(self, words: Words, number: int) -> Rule | None:
        """The rule of the statement that begins here; None if it detects nothing."""


@dataclass(frozen=True)
class Read:
    """What a text says: the rules, and why others are left out."""

    rules: tuple[Rule, ...]
    refused: tuple[Fault, ...] = ()

    @property
    def program(self) -> Program:
        """The rules as a program, all of them enabled."""
        statements: list[Statement] = []
        for rule in self.rules:
            statements += [Define(rule, span=rule.span), Command(Enable(rule.name))]
        return Program(tuple(statements))


def origins() -> tuple[str, ...]:
    """The names of the engines whose texts are read."""
    return tuple(sorted(_modules()))


def read(source: Source, origin: str) -> Read:
    """The rules of a text, statement by statement."""
    module = _modules().get(origin)
    if module is None:
        known = origins()
        raise UsageError(f"cannot read '{origin}': {nearest(origin, known) or f'there are {choices(known)}'}")
    words = Words(source)
    rules: dict[str, Rule] = {}
    makers: dict[str, _Maker] = {}
    faults: list[Fault] = []
    number = 0
    while words.token.kind is not Kind.END:
        if words.accept(";"):
            continue
        start = words.token
        number += 1
        name = None
        try:
            rule = module.read_statement(words, number)
        except RuleError as error:
            rule = None
            faults += [placed(fault) for fault in error.faults]
            words.restart(start)
            words.skip_statement()
        if rule is not None:
            name = _free(rule.name, rules)
            rules[name] = replace(rule, name=name)
            makers[name] = _Maker(name, start.start)
        for stream in streams_made(list(words.since(start))):
            makers.setdefault(stream, _Maker(name, start.start))
    if not rules and not faults:
        faults.append(source.place(Fault("there is no pattern in this text")))
    made = _sound(rules, makers, source, faults)
    return Read(made, tuple(sorted(faults, key=_line)))


@dataclass(frozen=True)
class _Maker:
    """The statement that makes a stream: where it begins, and the rule that it became, if it did."""

    rule: str | None
    start: int


def _sound(rules: dict[str, Rule], makers: dict[str, _Maker], source: Source, faults: list[Fault]) -> tuple[Rule, ...]:
    """The rules that can run. One that reads what another writes would see an event with a beginning and an end, and
    one that reads what a statement makes that is no rule would wait for ever."""
    made = []
    for rule in rules.values():
        fed = sorted(mentioned(rule) & makers.keys())
        if fed and (maker := makers[fed[0]]).rule is not None:
            hint = f"use the rule '{maker.rule}' in the rules that are written, and look at the times of its detections"
            found = [Fault(f"'{fed[0]}', which another statement makes, cannot be read here", rule.span, hint=hint)]
        elif fed:
            line = source.at(Span(maker.start, maker.start)).line
            what = (
                f"'{fed[0]}', which gets events from the statement of line {line}, cannot be read here: that is no rule"
            )
            hint = "put what that statement asks for into the conditions here, and name the events that it reads"
            found = [Fault(what, rule.span, hint=hint)]
        else:
            found = program_faults(Program((Define(rule), Command(Enable(rule.name)))))
        faults += map(placed, found)
        made += [] if any(fault.severity == "error" for fault in found) else [rule]
    return tuple(made)


def _line(fault: Fault) -> tuple[int, int]:
    return (0, 0) if fault.place is None else (fault.place.line, fault.place.column)


def _free(name: str, taken: dict[str, Rule]) -> str:
    """A name that no rule has yet: two queries may be written into one table."""
    made, number = name, 1
    while made in taken:
        number += 1
        made = f"{name}_{number}"
    return made


@cache
def _modules() -> dict[str, Origin]:
    found: dict[str, Origin] = {}
    for each in pkgutil.iter_modules(__path__):
        module = import_module(f"{__name__}.{each.name}")
        if hasattr(module, "NAME") and hasattr(module, "read_statement"):
            found[module.NAME] = cast(Origin, module)
    return found
