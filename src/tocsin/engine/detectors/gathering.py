"""002's `a * b` where nothing is used up on the way: what is gathered and what it is gathered for, in order of time.

An `a` that is not late is only kept. A `b` takes all that came before it, which is what it tells; a late `a` goes to
every `b` after it.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator

from tocsin.algebra import detectors
from tocsin.algebra.combinations import accumulated, before, named
from tocsin.algebra.detectors import Setting
from tocsin.algebra.meaning import find
from tocsin.algebra.occurrence import Occurrence, chronology
from tocsin.algebra.patterns import Named, Pattern, Precedence
from tocsin.algebra.rules import Context, Rule
from tocsin.algebra.scene import FAR, History, Scene
from tocsin.algebra.values import holds
from tocsin.events import Event
from tocsin.plan.gatherings import GatheringShape

Ended = tuple[int, int, Occurrence]
"""An occurrence with when it ended and a number that tells it from others of that time."""


class Gathering(detectors.Searching):
    """The meaning of a rule that gathers single events for a single event."""

    def __init__(self, rule: Rule, setting: Setting, since: int, shape: GatheringShape) -> None:
        self._shape = shape
        self._firsts: list[Ended] = []
        self._lasts: list[Ended] = []
        self._next = 0
        self._slack = 0
        """By how much something may end after what follows it: stamps of composites are joined."""
        super().__init__(rule, setting, since)

    def arrive(self, arrival: Event) -> list[Occurrence]:
        late, own = self._keep(arrival)
        found = own if late is None else [*self._after(late), *own]
        wholes = (self._whole(self._gathered(one)) for one in found)
        distinct: dict[tuple[object, ...], Occurrence] = {}
        for whole in sorted([one for one in wholes if one is not None], key=chronology):
            distinct.setdefault(whole.key, whole)
        return self._choose(list(distinct.values()))

    def _keep(self, arrival: Event) -> tuple[Occurrence | None, list[Occurrence]]:
        """Takes an event in: as one that is gathered, and as those for which is gathered."""
        if arrival.stamp is not None:
            self._slack = FAR
        firsts, lasts = self._as(self._shape.each, arrival), self._as(self._shape.last, arrival)
        for held, ones in ((self._firsts, firsts), (self._lasts, lasts)):
            for one in ones:
                insort(held, (one.end, self._next, one))
                self._next += 1
        return firsts[0] if firsts else None, lasts

    def _as(self, pattern: Pattern, event: Event) -> list[Occurrence]:
        now = self.around.now
        history = History([event], now, now, self.setting.granularity, self.declared, self.around)
        return list(find(pattern, Scene(history, find), event))

    def _after(self, first: Occurrence) -> Iterator[Occurrence]:
        """All for which something late is gathered: single events that are before others end before them."""
        for _, _, last in self._lasts[bisect_left(self._lasts, (first.end + 1 - self._slack, -1)) :]:
            if before(first, last, Precedence.GLOBAL):
                yield last

    def _gathered(self, last: Occurrence) -> Occurrence:
        """All that came before something, with it."""
        earlier = self._firsts[: bisect_left(self._firsts, (last.end + self._slack, -1))]
        return accumulated([one for _, _, one in earlier if before(one, last, Precedence.GLOBAL)], last)

    def _whole(self, one: Occurrence) -> Occurrence | None:
        """The same with its names; nothing if a guard does not hold."""
        for each in self._shape.around:
            if isinstance(each, Named):
                one = named(each.name, one)
            elif not holds(each.guard, one.variables(), self.around):
                return None
        return one if holds(self.rule.condition, one.variables(), self.around) else None

    def _choose(self, found: list[Occurrence]) -> list[Occurrence]:
        if self.context is Context.UNRESTRICTED:
            return super()._choose(found)
        if found:
            used = set(map(id, found[0].events))
            self._firsts = [each for each in self._firsts if id(each[2].events[0]) not in used]
            self._lasts = [each for each in self._lasts if id(each[2].events[0]) not in used]
        return found[:1]

    def forget(self, now: int) -> None:
        assert self.rule.window is not None
        since = (self.rule.window.scaled(-1).added_to(now), -1)
        del self._firsts[: bisect_left(self._firsts, since)]
        del self._lasts[: bisect_left(self._lasts, since)]

    def remembered(self) -> object:
        held = {id(event): event for _, _, one in (*self._firsts, *self._lasts) for event in one.events}
        self._events = sorted(held.values(), key=_place)
        found = super().remembered()
        self._events = []
        return found

    def remember(self, memory: object) -> None:
        super().remember(memory)
        self._firsts, self._lasts = [], []
        for event in self._events:
            self._keep(event)
        self._events = []


def _place(event: Event) -> tuple[int, int, int]:
    return event.place
