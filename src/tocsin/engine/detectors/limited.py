"""Rules that are left to the plain meaning, and that nothing bounds: they are given up before they take for ever.

Such a rule looks through all combinations of what it holds at every arrival. How much it may hold depends on how many
events it combines, and is counted, not timed: the same events always lead to the same end.
"""

from __future__ import annotations

from typing import Final

from tocsin.algebra import detectors
from tocsin.algebra.detectors import Detector, Due, Setting
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.partitions import Partitions
from tocsin.algebra.patterns import Either, Pattern, Repeat, Streak, Times, children
from tocsin.algebra.rules import Rule
from tocsin.events import Event

MOST_COMBINED: Final = 250_000
"""Combinations that an arrival may make a rule look through: about a second of CPU."""
MOST_HELD: Final = 10_000
LEAST_HELD: Final = 128
NO_LIMIT: Final = 1 << 60


def most_held(pattern: Pattern) -> int:
    """How many events a rule may hold: any number where each is looked at by itself."""
    others = _combined(pattern) - 1
    return NO_LIMIT if others < 1 else min(MOST_HELD, max(LEAST_HELD, int(MOST_COMBINED ** (1 / others))))


def _combined(pattern: Pattern) -> int:
    """How many events are combined each with each. Of a run only its beginning and its end can be chosen."""
    counts = [_combined(each) for each in children(pattern)]
    match pattern:
        case Either():
            return max(counts, default=0)
        case Times(count=count):
            return counts[0] * count
        case Repeat() | Streak():
            return max(3, counts[0])
    return sum(counts) if counts else 1


class Limited(detectors.Searching):
    """The plain meaning of a rule that looks through everything it holds, as long as that is little."""

    def __init__(self, rule: Rule, setting: Setting, since: int) -> None:
        super().__init__(rule, setting, since)
        self.failure = ""
        self._most = most_held(rule.guarded)

    def arrive(self, arrival: Event) -> list[Occurrence]:
        if self.failure:
            return []
        if len(self._events) >= self._most:
            self._give_up()
            return []
        return super().arrive(arrival)

    def _give_up(self) -> None:
        """It ends here, and lets go of what it holds."""
        self.failure = (
            f"it looks through all that it holds at every arrival, and that is more than {self._most:,} events: "
            "a window around it, or a detection window, would bound that"
        )
        self._events, self._used = [], []
        self._pending.clear()
        self.setting.failures += 1

    def next_own(self) -> Due | None:
        return None if self.failure else super().next_own()

    def is_as_begun(self, begun: Detector) -> bool:
        return not self.failure and super().is_as_begun(begun)


def failure_of(detector: Detector) -> str:
    """Why a detector was given up, or that of one of its partitions; nothing if it was not."""
    if isinstance(detector, Partitions):
        return next((failure for part in detector.parts.values() if (failure := failure_of(part))), "")
    return detector.failure if isinstance(detector, Limited) else ""
