"""What each part of an engine's state is known by in a snapshot: rules, chains, what is waited for, nodes, clocks.

`KEYS` are canonical hashes (`algebra/codec.py`), which a field that a later release adds does not change. Snapshots
before version 4 have `FORMER_KEYS`, made of the texts that Python prints.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from tocsin.algebra.identity import former_rule_key, in_former_names, rule_key
from tocsin.algebra.occurrence import TIMER
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.rules import Rule
from tocsin.plan.codec import PLANS


class Keys:
    """The keys of this release."""

    def rule(self, rule: Rule) -> str:
        """A rule, by what it looks for and does."""
        return rule_key(rule)

    def chain(self, name: tuple[object, ...]) -> str:
        """A chain, by its leaf and key: it is told with the rule it belongs to, so the owner is left out."""
        _, leaf, arena, attributes, *_ = name
        if str(arena).startswith(TIMER):  # clocks are numbered as they are built: which it is, is told by the leaf
            arena = TIMER
        return _hash((leaf, arena, attributes))

    def waiting(self, name: tuple[object, ...]) -> str:
        """What is waited for."""
        return _hash(name)

    def gauge(self, name: tuple[object, ...]) -> str:
        """An aggregate, by the arena whose rows it counts and what it is: it is told with the rule it belongs to."""
        return _hash(name)

    def node(self, part: str, pattern: Pattern) -> str:
        """A part of a node that remembers."""
        return _hash((part, pattern))

    def clock(self, pattern: Pattern) -> str:
        """A time event of a rule."""
        return _hash(pattern)


class FormerKeys(Keys):
    """Those of snapshots before version 4."""

    def rule(self, rule: Rule) -> str:
        return former_rule_key(rule)

    def chain(self, name: tuple[object, ...]) -> str:
        _, leaf, arena, attributes, *_ = name
        return _text_hash(repr((leaf, arena, attributes)))

    def waiting(self, name: tuple[object, ...]) -> str:
        return _text_hash(repr(name))

    def node(self, part: str, pattern: Pattern) -> str:
        return _text_hash(f"{part} {pattern!r}")

    def clock(self, pattern: Pattern) -> str:
        return in_former_names(repr(pattern))


KEYS, FORMER_KEYS = Keys(), FormerKeys()


@lru_cache(maxsize=10_000)
def _hash(value: object) -> str:
    return PLANS.content_hash(value)[:16]


def _text_hash(text: str) -> str:
    return hashlib.sha256(in_former_names(text).encode()).hexdigest()[:16]
