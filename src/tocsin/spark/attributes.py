"""Which attributes rules read: the others need not leave the JVM."""

from __future__ import annotations

from collections.abc import Iterable

from tocsin.algebra.attributes import items_of
from tocsin.algebra.guards import Attribute, Call, Guard, walk
from tocsin.algebra.patterns import Aggregate, Automaton, Pattern, Repeat, Streak, Times
from tocsin.algebra.patterns import walk as parts_of
from tocsin.algebra.rule_warnings import guards_of
from tocsin.algebra.rules import Forward, Notify, Rule, Trigger
from tocsin.algebra.templates import pieces_of


def attributes_read(rules: Iterable[Rule], is_told: bool = True) -> frozenset[str] | None:
    """The names of all attributes that rules read; None where a rule tells all that its events have.

    `is_told`: whether someone asks for the data of detections.
    """
    names: set[str] = set()
    for rule in rules:
        if _tells_all(rule, is_told):
            return None
        for guard in guards_read(rule):
            if any(isinstance(part, Call) and part.function == "text" for part in walk(guard)):
                return None
            names.update(part.name for part in walk(guard) if isinstance(part, Attribute))
        names.update(rule.partition)
        names.update(name for part in parts_of(rule.pattern) for name in compared_in(part))
    return frozenset(items_of(frozenset(names)))


def compared_in(part: Pattern) -> tuple[str, ...]:
    """The attributes that a repetition compares."""
    match part:
        case Times(attribute=str(name)):
            return (name,)
        case Streak(same=same, different=str(name)):
            return (*same, name)
        case Streak(same=same) | Repeat(same=same) | Aggregate(same=same):
            return same
    return ()


def _tells_all(rule: Rule, is_told: bool) -> bool:
    """Whether its detections have all attributes of its events, or its guards stand where they are not looked for."""
    if any(isinstance(part, Automaton) for part in parts_of(rule.pattern)):
        return True
    if rule.actions:
        return any(isinstance(action, Forward) for action in rule.actions)
    return is_told and not rule.select and not rule.hidden


def guards_read(rule: Rule) -> list[Guard]:
    """All that a rule works out of its events: conditions, what it selects, what its actions tell."""
    found = [*guards_of(rule), *(guard for _, guard in rule.select)]
    for action in rule.actions:
        if isinstance(action, Notify | Trigger):
            found += action.arguments
    if rule.suppress is not None:
        found += rule.suppress.by
    return found + [piece for piece in pieces_of(rule) if not isinstance(piece, str)]
