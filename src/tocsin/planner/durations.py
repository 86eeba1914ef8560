"""How long what a rule looks at can last, where its pattern says so itself: `(a -> !b) in 2 minutes`.

Where events are evaluated in the order of their times, nothing that is older can matter any more. So such a rule is
given that length as its window, if it has none: it finds the same, and need not remember everything for ever.
"""

from __future__ import annotations

from tocsin.algebra.patterns import (
    Absence,
    Aggregate,
    Both,
    Either,
    Named,
    Never,
    Pattern,
    Primitive,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
    walk,
)
from tocsin.algebra.rules import LANGUAGE_CONTEXTS, SEARCHED, Rule
from tocsin.time.periods import Period

INSIDE = (Primitive, Named, Where, Sequence, Both, Either, Absence, Never, Times, Streak, Aggregate)
"""What stays inside a window around it: no moments that stand for something older, no windows that hang elsewhere."""


def lasting(rule: Rule) -> Period | None:
    """The longest time between what a rule looks at and the moment at which it fires; None if it is not known."""
    pattern: Pattern = rule.pattern
    while isinstance(pattern, Named | Where):
        pattern = pattern.pattern
    context = rule.context or LANGUAGE_CONTEXTS[rule.language]
    if not isinstance(pattern, Within | Streak | Aggregate) or pattern.period is None or rule.actions or rule.strict:
        return None
    inside = list(walk(pattern.pattern))
    # What was told once is not told again for what lies further back than any window around it.
    told = any(isinstance(part, Streak) and part.once for part in inside)
    if context not in SEARCHED or told or not all(isinstance(part, INSIDE) for part in inside):
        return None
    return None if pattern.period.years or pattern.period.months else pattern.period
