"""A pattern once for every choice among its alternatives: each is then searched for by itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from tocsin.algebra.ends import is_open
from tocsin.algebra.guards import Binary, Guard
from tocsin.algebra.patterns import (
    Absence,
    After,
    AnyEvent,
    At,
    AtInstant,
    Between,
    Both,
    Concurrent,
    Either,
    Every,
    Instant,
    Named,
    Partitioned,
    Pattern,
    Primitive,
    Repeat,
    Sequence,
    Where,
    Within,
)
from tocsin.plan.searches import Closed, Copies, Delayed

MOST_BRANCHES = 1024
"""A pattern with more alternatives than that is not multiplied out."""
MOST_COPIED = 64
"""A repetition of alternatives is searched for once for each way to choose among them, copy by copy: `(a | b)*6`. Its
copies are looked for in each other's order, which takes four times as long to plan with every copy more."""


class Unsupported(Exception):
    """Why a pattern cannot be searched for leaf by leaf."""


LEAVES = Primitive | AnyEvent | At | AtInstant | Every


def is_single(pattern: Pattern) -> bool:
    """Whether a pattern is a single event, under whatever names and guards."""
    while isinstance(pattern, Named | Where):
        pattern = pattern.pattern
    return isinstance(pattern, LEAVES)


def alternatives(pattern: Pattern) -> list[Pattern]:
    """`pattern` once for every choice among its alternatives. What must be absent keeps its own."""
    match pattern:
        case Either(parts=parts):
            return _few(choice for part in _merged(parts) for choice in alternatives(part))
        case Absence(first=first, last=last):
            pairs = product(alternatives(first), alternatives(last))
            return _few(replace(pattern, first=one, last=other) for one, other in pairs)
        case Both(parts=parts) | Sequence(parts=parts):
            return _few(replace(pattern, parts=choice) for choice in product(*map(alternatives, parts)))
        case Concurrent(left=left, right=right):
            pairs = product(alternatives(left), alternatives(right))
            return _few(replace(pattern, left=one, right=other) for one, other in pairs)
        case Repeat(pattern=inner, least=least, most=most):
            lengths = range(least, most + 1)
            if is_single(inner):
                return _few(replace(pattern, least=length, most=length) for length in lengths)
            choices = alternatives(inner)
            if sum(len(choices) ** n for n in lengths[:MOST_COPIED]) > MOST_COPIED and len(choices) > 1:
                raise Unsupported(f"more than {MOST_COPIED} ways to repeat its alternatives")
            return _few(Copies(inner, n, n, parts=each) for n in lengths for each in product(choices, repeat=n))
        case Delayed(pattern=inner):
            return [replace(pattern, pattern=choice) for choice in alternatives(inner)]
        case After(pattern=inner):
            return [Delayed(choice, pattern) for choice in alternatives(inner)]
        case Within(pattern=inner) if is_open(inner):
            return [Closed(choice, pattern) for choice in alternatives(inner)]
        case Between(pattern=inner):
            return [Closed(choice, pattern) for choice in alternatives(inner)]
        case Named() | Where() | Instant() | Within() | Partitioned():
            return [replace(pattern, pattern=choice) for choice in alternatives(pattern.pattern)]
    return [pattern]


def _merged(parts: tuple[Pattern, ...]) -> list[Pattern]:
    """Alternatives of which those that stand for one event, called the same, are one: with either's guard."""
    groups: dict[Pattern, list[tuple[Guard, ...]]] = {}
    for part in parts:
        event, guards = part, list[Guard]()
        while isinstance(event, Where):
            guards.append(event.guard)
            event = event.pattern
        inner = event.pattern if isinstance(event, Named) else event
        if isinstance(inner, Primitive | AnyEvent):
            groups.setdefault(event, []).append(tuple(guards))
        else:
            groups.setdefault(part, []).append(())
    return [_guarded(event, ways) for event, ways in groups.items()]


def _guarded(event: Pattern, ways: list[tuple[Guard, ...]]) -> Pattern:
    """An event that one of several lists of guards must hold of."""
    if () in ways:
        return event
    return Where(event, _joined("||", [_joined("&&", list(guards)) for guards in dict.fromkeys(ways)]))


def _joined(operator: str, guards: list[Guard]) -> Guard:
    """Guards as one, not nested deeper than has to be."""
    if len(guards) == 1:
        return guards[0]
    middle = len(guards) // 2
    return Binary(operator, _joined(operator, guards[:middle]), _joined(operator, guards[middle:]))


def _few(choices: Iterable[Pattern]) -> list[Pattern]:
    found: list[Pattern] = []
    for choice in choices:
        if len(found) == MOST_BRANCHES:
            raise Unsupported(f"more than {MOST_BRANCHES} alternatives")
        found.append(choice)
    return found
