"""The events that a store keeps, as questions about the past read them: of some types only, or only the last.

An entry of the log says which types it has, so that one without any that matter is not looked into. Instead of what is
left out there is a heartbeat: the clock of rules without an order of their own goes on all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress
from typing import Final

from tocsin.algebra.rules import BEST_EFFORT, Order, Program
from tocsin.events import Arrival, Event, Heartbeat
from tocsin.formats.blocks import Block
from tocsin.planner.placement import types_of
from tocsin.service.admission import Admission, Parcel
from tocsin.service.records import Entry
from tocsin.service.store import Search, Store

MOST_ASKED: Final = 200_000
"""Events that are looked at to explain something, the latest before the time in question."""
FIRST_LOOK: Final = 2_000
"""Events in which misses are looked for, unless more are asked for."""
PAGE: Final = 200
BACK: Final = 8
"""Entries that are read at a time on the way back: each may have many events."""


class Kept:
    """The events that a store has between two times, and between two entries of its log; perhaps of some types only."""

    def __init__(
        self,
        store: Store,
        since: int | None = None,
        until: int | None = None,
        after: int = 0,
        last: int | None = None,
        types: frozenset[str] | None = None,
    ) -> None:
        self._store, self._since, self._until, self._after, self._last = store, since, until, after, last
        self._types = types
        self.events = 0
        """How many there were, whether or not they matter."""
        self.share = 0.0
        """How much of it has been read, from 0 to 1."""
        self.is_all = True
        """Whether `arrivals` had no need to leave any out."""

    def entries(self) -> Iterator[Entry]:
        """The entries with events that may lie there."""
        after = self._after
        while found := self._store.events(Search(after, PAGE, since=self._since, until=self._until)):
            for entry in found:
                if self._last is not None and entry.position > self._last:
                    return
                yield entry
            after = found[-1].position + 1

    def parcels(self) -> Iterator[Parcel]:
        """The events as they were admitted, with the times at which they arrived."""
        admission = Admission(None)
        newest = self._store.events(Search(0, 1, since=self._since, until=self._until, backwards=True))
        last, first = newest[0].first + newest[0].count if newest else 0, None
        skipped: Entry | None = None
        for entry in self.entries():
            first = entry.first if first is None else first
            self.events += entry.count
            self.share = (entry.first + entry.count - first) / max(1, last - first)
            if not self._matters(entry):
                skipped = entry
                continue
            if skipped is not None:
                yield [_beat(skipped)]
                skipped = None
            yield from admission.again(entry)
        if skipped is not None:
            yield [_beat(skipped)]
        self.share = 1.0

    def arrivals(self, most: int, *, is_exact: bool = False) -> list[Arrival]:
        """The last of them, one by one, in the order in which they came.

        An entry that has some of them counts whole, unless it `is_exact`.
        """
        pages: list[list[Arrival]] = []
        count, before, beat = 0, 0 if self._last is None else self._last + 1, None
        while count < most:
            found = self._store.events(Search(before, BACK, since=self._since, until=self._until, backwards=True))
            found = [each for each in found if each.position >= self._after]
            if not found:
                break
            before = found[-1].position
            beat = beat or _beat(found[0])
            self.events += sum(each.count for each in found)
            admission = Admission(None)
            some = [
                arrival
                for entry in reversed(found)
                if self._matters(entry)
                for parcel in admission.again(entry)
                for arrival in self._some(parcel)
                if not is_exact or self.holds(arrival.end if isinstance(arrival, Event) else arrival.time)
            ]
            pages.append(some)
            count += len(some)
        self.is_all = count < most
        last = [arrival for page in reversed(pages) for arrival in page][-most:]
        # the clock has gone on, whatever came last
        if beat is not None and self._types is not None:
            last.append(beat)
        return last

    def holds(self, time: int) -> bool:
        """Whether a time lies between the two; entries that reach beyond them are read whole."""
        return (self._since is None or time >= self._since) and (self._until is None or time <= self._until)

    def _matters(self, entry: Entry) -> bool:
        return self._types is None or not entry.types or not self._types.isdisjoint(entry.types)

    def _some(self, parcel: Parcel) -> Iterator[Arrival]:
        """Those of the types that matter, and what has none."""
        if self._types is None:
            return iter(parcel)
        if isinstance(parcel, Block):
            wanted = [kind in self._types for kind in parcel.kinds]
            places = compress(range(len(parcel)), map(wanted.__getitem__, memoryview(parcel.codes).cast("q")))
            return map(parcel.event, places)
        return (each for each in parcel if not isinstance(each, Event) or each.type in self._types)


def types_taken(program: Program, order: Order) -> frozenset[str] | None:
    """The types of events that a program's rules may go by; None, all of them, where sources are waited for."""
    rules = program.rules
    if any((rule.order or order) != BEST_EFFORT for rule in rules):
        return None
    return types_of(rules)


def _beat(entry: Entry) -> Heartbeat:
    """Instead of an entry: its time has come."""
    return Heartbeat("", entry.high, entry.arrival)
