"""What a rule is known by where its state is kept: whoever looks for the same and does the same goes on with it.

The key is the canonical hash of `codec.py`, which leaves out what is at its default: a field that a later release adds
to a shape changes no key. Snapshots before version 4 have the hash of the text that Python printed then.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import lru_cache

from tocsin.algebra.codec import content_hash
from tocsin.algebra.rules import Rule

FORMER_FIELDS = (
    "name",
    "pattern",
    "language",
    "condition",
    "context",
    "window",
    "order",
    "actions",
    "notify",
    "select",
    "callback",
    "strict",
    "hidden",
)
"""What the text of a rule told when snapshots knew rules by it. No field that came later is among them."""

FORMER_NAMES = (("Automaton(", "Detector("), ("<Precedence.", "<Order."))
"""Classes that were renamed since: as they are printed now, and as they were."""


@lru_cache(maxsize=10_000)
def rule_key(rule: Rule) -> str:
    """The key of a rule: what it looks for and does, whatever is said about it."""
    bare = replace(rule, severity=None, tags=(), suppress=None, description="", references=(), message=())
    return content_hash(bare)


def former_rule_key(rule: Rule) -> str:
    """The key that snapshots before version 4 know a rule by. No rule had a partition then."""
    if rule.partition:
        return rule_key(rule)
    told = ", ".join(f"{name}={getattr(rule, name)!r}" for name in FORMER_FIELDS)
    return hashlib.sha256(in_former_names(f"Rule({told})").encode()).hexdigest()


def in_former_names(text: str) -> str:
    """A text that Python has printed of patterns, as it was when classes had other names."""
    for name, former in FORMER_NAMES:
        text = text.replace(name, former)
    return text
