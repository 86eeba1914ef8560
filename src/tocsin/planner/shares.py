"""Events dealt out by a key: equal keys have one share, so what is asked of events of one key is asked in one place.

Equal is what the algebra calls equal: 1 and 1.0, and a moment or a period and its seconds (SEMANTICS section 6).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple
from zlib import crc32

from tocsin.algebra.attributes import found_in
from tocsin.algebra.rules import Rule
from tocsin.events import Event, Moment
from tocsin.plan.searches import SOURCE, TYPE
from tocsin.planner.equalities import NoKey
from tocsin.planner.keys import key_of
from tocsin.time.spans import SECOND, Period


class Share(NamedTuple):
    """One of several shares of a stream, or of a part: by what attribute events are dealt out, which, of how many."""

    by: str
    number: int
    of: int

    def has(self, event: Event) -> bool:
        """Whether an event belongs to it."""
        value = event.source if self.by == SOURCE else found_in(event.data, self.by)
        return dealt(value, self.of) == self.number


def dealt(value: object, shares: int) -> int:
    """The share that a key belongs to. What equals nothing may be anywhere."""
    if isinstance(value, str):
        return crc32(value.encode("utf-8", "surrogatepass")) % shares
    if isinstance(value, Moment):
        return value.microseconds % shares
    if isinstance(value, Period):
        return value.length() % shares
    if isinstance(value, int):
        return value * SECOND % shares
    if isinstance(value, float) and math.isfinite(value):
        return (int(value) * SECOND if value.is_integer() else round(value * SECOND)) % shares
    return 0


def common_key(rules: Iterable[Rule], types: Iterable[str]) -> dict[str, str]:
    """For each of some types the attribute in which all events of an occurrence are equal, of whichever rule.

    Raises `NoKey` with the reason if there is none.
    """
    merged: dict[str, str] = {}
    for rule in rules:
        key, _ = key_of(rule)
        for kind, name in key.items():
            if merged.setdefault(kind, name) != name:
                raise NoKey(f"events of type {kind} are compared by different attributes")
    lacking = sorted(set(types) - merged.keys())
    if lacking:
        raise NoKey(f"{', '.join(lacking)} may be of any key")
    if TYPE in merged.values():
        raise NoKey("its events are alike in their types alone")
    return merged
