"""A pattern once for every choice among its alternatives: each is then searched for by itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from tocsin.algebra.ends import is_open
from tocsin.algebra.patterns import (
    Absence,
    After,
    Both,
    Concurrent,
    Either,
    Instant,
    Named,
    Pattern,
    Sequence,
    Where,
    Within,
)
from tocsin.plan import Closed, Delayed

MOST_BRANCHES = 64
"""A pattern with more alternatives than that is not multiplied out."""


class Unsupported(Exception):
    """Why a pattern cannot be searched for leaf by leaf."""


def alternatives(pattern: Pattern) -> list[Pattern]:
    """`pattern` once for every choice among its alternatives. What must be absent keeps its own."""
    match pattern:
        case Either(parts=parts):
            return _few(choice for part in parts for choice in alternatives(part))
        case Absence(first=first, last=last):
            pairs = product(alternatives(first), alternatives(last))
            return _few(replace(pattern, first=one, last=other) for one, other in pairs)
        case Both(parts=parts) | Sequence(parts=parts):
            return _few(replace(pattern, parts=choice) for choice in product(*map(alternatives, parts)))
        case Concurrent(left=left, right=right):
            pairs = product(alternatives(left), alternatives(right))
            return _few(replace(pattern, left=one, right=other) for one, other in pairs)
        case Delayed(pattern=inner):
            return [replace(pattern, pattern=choice) for choice in alternatives(inner)]
        case After(pattern=inner):
            return [Delayed(choice, pattern) for choice in alternatives(inner)]
        case Within(pattern=inner) if is_open(inner):
            return [Closed(choice, pattern) for choice in alternatives(inner)]
        case Named() | Where() | Instant() | Within():
            return [replace(pattern, pattern=choice) for choice in alternatives(pattern.pattern)]
    return [pattern]


def _few(choices: Iterable[Pattern]) -> list[Pattern]:
    found: list[Pattern] = []
    for choice in choices:
        if len(found) == MOST_BRANCHES:
            raise Unsupported(f"more than {MOST_BRANCHES} alternatives")
        found.append(choice)
    return found
