"""A candidate beside the rules: which detections of the two are the same, and which only one of them makes.

Both see the same events in the same stream; what the candidate finds goes nowhere but into the comparison. Detections
are the same if rule and events are: so their ids are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

LIVE, CANDIDATE, BOTH = "live only", "candidate only", "both"
MOST_WAITING: Final = 100_000
"""Detections of one side that wait for the other's: the two may be told in different micro-batches."""


class Shadow:
    """What the rules and a candidate have found so far, by rule."""

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[str, bool]] = {}
        self.counts: Counter[tuple[str, str]] = Counter()
        self.given_up = 0
        """Detections that were no longer waited for, because there were too many."""

    def add(self, found: Iterable[tuple[str, str, bool]]) -> None:
        """Takes detections in: rule, id, and whether it is the candidate's."""
        for rule, name, is_candidate in found:
            other = self._waiting.get(name)
            if other == (rule, not is_candidate):
                del self._waiting[name]
                self.counts[rule, CANDIDATE if other[1] else LIVE] -= 1
                self.counts[rule, BOTH] += 1
            elif other is None:
                self._wait(name, rule, is_candidate)

    def _wait(self, name: str, rule: str, is_candidate: bool) -> None:
        if len(self._waiting) >= MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
            self.given_up += 1
        self._waiting[name] = rule, is_candidate
        self.counts[rule, CANDIDATE if is_candidate else LIVE] += 1

    def difference(self) -> dict[str, dict[str, int]]:
        """For each rule how many detections are in both, and how many only in one."""
        names = sorted({rule for rule, _ in self.counts})
        return {name: {side: self.counts[name, side] for side in (BOTH, LIVE, CANDIDATE)} for name in names}
