"""Partitions in the engine: an event costs what its own partition does, however many there are.

What falls due next is told by a heap, what has left the window is forgotten when its partition is looked at again, and
partitions that remember nothing are dropped when there have come many.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import Any, Final

from tocsin.algebra.detectors import Detector, Due, Setting
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.partitions import Make, Moment, Partitions
from tocsin.algebra.rules import Rule

FEW: Final = 16
"""Partitions that are kept whatever they remember."""
SELDOM: Final = 8
"""So many events for each partition come between two looks at all of them."""


class IndexedPartitions(Partitions):
    """A rule with a detector for each value, each of which is looked at when it is concerned."""

    def __init__(self, rule: Rule, setting: Setting, since: int, make: Make) -> None:
        super().__init__(rule, setting, since, make)
        self._due: list[Moment] = []
        self._noted: dict[str, Moment] = {}
        """What each of them waits for; of what is due, what is not here is over."""
        self._most = FEW
        self._left = SELDOM * FEW
        """How many events until all partitions are looked at."""

    def forget(self, now: int) -> None:
        """Partitions forget when they are looked at; here only the time goes on."""

    def _heard(self, value: str, found: list[Occurrence]) -> list[Occurrence]:
        self._note(value, self.parts[value])
        heard = super()._heard(value, found)
        self._left -= 1
        if self._left <= 0 or len(self.parts) > self._most:
            self._look_at_all()
        return heard

    def _note(self, value: str, part: Detector) -> None:
        """A partition may wait for another moment than before."""
        moment = _moment(value, part)
        if moment != self._noted.get(value):
            if moment is None:
                del self._noted[value]
            else:
                self._noted[value] = moment
                heappush(self._due, moment)

    def _first(self) -> Moment | None:
        while self._due and self._noted.get(self._due[0][2]) != self._due[0]:
            heappop(self._due)
        return self._due[0] if self._due else None

    def _look_at_all(self) -> None:
        """Lets all of them forget what has left the window, and drops those that remember nothing."""
        now, begun = self.around.now, self._any_part
        for value, part in list(self.parts.items()):
            part.move(now)
            if part.is_as_begun(begun):
                del self.parts[value]
        moments = [moment for value, part in self.parts.items() if (moment := _moment(value, part)) is not None]
        self._noted = {moment[2]: moment for moment in moments}
        self._due = moments
        heapify(self._due)
        self._most = FEW + 2 * len(self.parts)
        self._left = SELDOM * self._most

    def remembered(self) -> Any:
        self._look_at_all()
        return super().remembered()

    def remember(self, memory: Any) -> None:
        super().remember(memory)
        self._look_at_all()


def _moment(value: str, part: Detector) -> Moment | None:
    due: Due | None = part.next_due()
    return None if due is None else (due, part.among(), value)
