"""A candidate beside the rules: which detections of the two are the same, and which only one of them makes.

Both see the same events in the same stream; what the candidate finds goes nowhere but into the comparison. Detections
are the same if rule and events are: a candidate that only fires sooner has found the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

LIVE, CANDIDATE, BOTH = "live only", "candidate only", "both"
MOST_WAITING: Final = 100_000
"""Detections of one side that wait for the other's: the two may be told in different micro-batches."""


class Shadow:
    """What the rules and a candidate have found so far, by rule."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], int] = {}
        """For a rule and its events: how often the rules have found it more often than the candidate, or less."""
        self.counts: Counter[tuple[str, str]] = Counter()
        self.given_up = 0
        """Detections that were no longer waited for, because there were too many."""

    def add(self, found: Iterable[tuple[str, str, bool]]) -> None:
        """Takes detections in: rule, what stands for the events, and whether it is the candidate's."""
        for rule, events, is_candidate in found:
            step, mine, other = (-1, CANDIDATE, LIVE) if is_candidate else (1, LIVE, CANDIDATE)
            ahead = self._waiting.pop((rule, events), 0)
            if ahead * step < 0:  # the other side has waited for it
                self.counts[rule, other] -= 1
                self.counts[rule, BOTH] += 1
            else:
                self.counts[rule, mine] += 1
            if ahead + step:
                self._wait((rule, events), ahead + step)

    def _wait(self, what: tuple[str, str], ahead: int) -> None:
        if len(self._waiting) >= MOST_WAITING:
            del self._waiting[next(iter(self._waiting))]
            self.given_up += 1
        self._waiting[what] = ahead

    def state(self) -> dict[str, Any]:
        """What was found so far, as JSON values."""
        return {
            "waiting": [[*what, ahead] for what, ahead in self._waiting.items()],
            "counts": [[*what, count] for what, count in self.counts.items()],
            "given up": self.given_up,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from what `state` gave."""
        self._waiting = {(rule, events): ahead for rule, events, ahead in state["waiting"]}
        self.counts = Counter({(rule, side): count for rule, side, count in state["counts"]})
        self.given_up = state["given up"]

    def difference(self) -> dict[str, dict[str, int]]:
        """For each rule how many detections are in both, and how many only in one."""
        names = sorted({rule for rule, _ in self.counts})
        return {name: {side: self.counts[name, side] for side in (BOTH, LIVE, CANDIDATE)} for name in names}
