"""Guards inside an expression as one condition around it, for the languages that have no other.

`(a when g) ; b` = `a ; b` with the condition g, in the contexts that search: all combinations are looked at, so it is
one whether a part is tested or the whole. Not through what counts or denies (there the guard chooses what is counted),
and a guard that asks the clock not through a timer.
"""

from __future__ import annotations

from dataclasses import replace

from tocsin.algebra.guards import Binary, Guard, Not, Occurred, variables_of
from tocsin.algebra.names import always_bound, bound
from tocsin.algebra.patterns import (
    Absence,
    After,
    Both,
    Concurrent,
    Either,
    Named,
    Pattern,
    Sequence,
    Where,
)
from tocsin.translation.facts import asks_the_clock


def lifted(pattern: Pattern) -> tuple[Pattern, list[Guard]]:
    """The pattern without the guards that can stand around it, and those guards."""
    match pattern:
        case Where(pattern=inner, guard=guard):
            inner, found = lifted(inner)
            return inner, [*found, guard]
        case Named(pattern=inner):
            inner, found = lifted(inner)
            return replace(pattern, pattern=inner), found
        case After(pattern=inner):
            inner, found = lifted(inner)
            if any(map(asks_the_clock, found)):
                return pattern, []
            return replace(pattern, pattern=inner), found
        case Both(parts=parts) | Sequence(parts=parts):
            each = [lifted(part) for part in parts]
            return replace(pattern, parts=tuple(one for one, _ in each)), [g for _, found in each for g in found]
        case Concurrent(left=left, right=right):
            (left, ones), (right, others) = lifted(left), lifted(right)
            return replace(pattern, left=left, right=right), ones + others
        case Either(parts=parts):
            return _alternatives(pattern, parts)
        case Absence():
            return _absence(pattern)
    return pattern, []


def _alternatives(pattern: Either, parts: tuple[Pattern, ...]) -> tuple[Pattern, list[Guard]]:
    """`(a when g) | b` = `a | b` with the condition `!?a || g`."""
    made: list[Pattern] = []
    tests: list[Guard] = []
    for part in parts:
        inner, found = lifted(part)
        name = always_bound(inner)
        if found and name is None:
            made.append(part)
            continue
        made.append(inner)
        tests += [Binary("||", Not(Occurred(name)), guard) for guard in found if name is not None]
    return replace(pattern, parts=tuple(made)), tests


def _absence(pattern: Absence) -> tuple[Pattern, list[Guard]]:
    (first, ones), (last, others) = lifted(pattern.first), lifted(pattern.last)
    found = ones + others
    guard = pattern.guard
    if guard is not None and not variables_of(guard) & bound(pattern.without).keys():
        found, guard = [*found, guard], None
    return replace(pattern, first=first, last=last, guard=guard), found
