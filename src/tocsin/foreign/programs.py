"""Programs for other engines: a text for every rule, or every refusal. A rule used by its name has none to give."""

from __future__ import annotations

from collections.abc import Callable

from tocsin.algebra.patterns import Atom, Described, EventSet, Pattern, Primitive, Union, walk
from tocsin.algebra.rules import Command, Declaration, Define, Program, Rule
from tocsin.algebra.scripts import enabled_by
from tocsin.errors import Fault, RuleError
from tocsin.foreign.chains import refusal


def written(program: Program, translate: Callable[[Rule], str]) -> str:
    """The rules of a program, one after the other."""
    names, enabled = {rule.name for rule in program.rules}, enabled_by(program)
    texts: list[str] = []
    faults: list[Fault] = []
    for statement in program.statements:
        try:
            if isinstance(statement, Define):
                _refuse_names(statement.rule, names)
                _refuse_silence(statement.rule, statement.rule.name in enabled)
                texts.append(translate(statement.rule))
            elif not isinstance(statement, Command | Declaration):
                raise refusal(f"'{type(statement).__name__.lower()}' of a script", statement)
        except RuleError as error:
            faults += error.faults
    if faults:
        raise RuleError(faults)
    return "\n".join(texts)


def _refuse_names(rule: Rule, names: set[str]) -> None:
    for part in walk(rule.pattern):
        for kind in _types(part):
            if kind in names:
                hint = "another engine takes only its own events: write what it detects to a stream of that type"
                raise refusal(f"'{kind}', a rule used by its name,", part, hint)


def _refuse_silence(rule: Rule, is_enabled: bool) -> None:
    """A statement tells all that it finds, from the moment it is there."""
    if rule.suppress is not None:
        raise refusal("what a rule tells only once ('suppress')", rule.suppress.span or rule.span)
    if rule.hidden:
        raise refusal(f"'{rule.name}', which is not reported,", rule)
    if not is_enabled:
        raise refusal(f"'{rule.name}', which is not enabled,", rule)


def _types(part: Pattern) -> list[str]:
    if isinstance(part, Primitive):
        return [part.type]
    if isinstance(part, Atom):
        return [*_described(part.accepts), *([] if part.domain is None else _described(part.domain))]
    return []


def _described(events: EventSet) -> list[str]:
    if isinstance(events, Union):
        return [kind for each in events.sets for kind in _described(each)]
    return [events.type] if isinstance(events, Described) else []
