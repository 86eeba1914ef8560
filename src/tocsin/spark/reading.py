"""Which attributes rules read: the others need not leave the JVM."""

from __future__ import annotations

from collections.abc import Iterable

from tocsin.algebra.doubts import guards_of
from tocsin.algebra.guards import Attribute, Guard, walk
from tocsin.algebra.patterns import Detector, Times
from tocsin.algebra.patterns import walk as parts_of
from tocsin.algebra.rules import Forward, Notify, Rule, Trigger
from tocsin.algebra.templates import parse_template


def attributes_read(rules: Iterable[Rule]) -> frozenset[str] | None:
    """The names of all attributes that rules read; None where a rule tells all that its events have."""
    names: set[str] = set()
    for rule in rules:
        if _tells_all(rule):
            return None
        for guard in _guards(rule):
            names.update(part.name for part in walk(guard) if isinstance(part, Attribute))
        names.update(part.attribute for part in parts_of(rule.pattern) if isinstance(part, Times))
    return frozenset(names)


def _tells_all(rule: Rule) -> bool:
    """Whether its detections have all attributes of its events, or its guards stand where they are not looked for."""
    if any(isinstance(part, Detector) for part in parts_of(rule.pattern)):
        return True
    if rule.actions:
        return any(isinstance(action, Forward) for action in rule.actions)
    return not rule.select and not rule.hidden


def _guards(rule: Rule) -> list[Guard]:
    found = [*guards_of(rule), *(guard for _, guard in rule.select)]
    for action in rule.actions:
        if isinstance(action, Notify | Trigger):
            found += action.arguments
    if rule.notify is not None:
        found += [piece for piece in parse_template(rule.notify) if not isinstance(piece, str)]
    return found
