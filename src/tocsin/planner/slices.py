"""Rules whose past can be cut: what they find at a time depends on nothing that is older than their window.

Of a history that is there as a whole, slices of time may then be looked at each by itself, if each is given what came
before it as far back as the window reaches. A detection counts in the slice that it is found in.
"""

from __future__ import annotations

from collections.abc import Iterable

from tocsin.algebra.patterns import (
    Absence,
    Both,
    Either,
    Named,
    Never,
    Primitive,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
    walk,
)
from tocsin.algebra.rules import Context, Rule
from tocsin.planner.alternatives import Unsupported
from tocsin.planner.branches import branches
from tocsin.planner.families import effective_context

CUTTABLE = (Primitive, Named, Where, Within, Sequence, Both, Either, Absence, Never, Times, Streak)
"""No time events and no waiting: those lie apart from the events that a window is about."""


def overlap_of(rules: Iterable[Rule]) -> int | None:
    """How far back slices have to reach for all of some rules, in microseconds; None if they cannot be sliced."""
    longest = 0
    for rule in rules:
        length = _length(rule)
        if length is None:
            return None
        longest = max(longest, length)
    return longest or None


def _length(rule: Rule) -> int | None:
    window = rule.window
    if window is None or window.years or window.months or window.microseconds <= 0:
        return None
    if rule.actions or rule.strict or rule.suppress is not None:
        return None
    if not all(isinstance(part, CUTTABLE) for part in walk(rule.pattern)):
        return None
    try:
        branches(rule.guarded)
    except Unsupported:
        return None
    # A rule that uses its events up remembers which, for as long as there are any.
    return window.microseconds if effective_context(rule) is Context.UNRESTRICTED else None
