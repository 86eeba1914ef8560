"""What waits in a node that uses up, so kept that an occurrence meets only those it can combine with.

By the values that a guard asks to be equal, in order of age, and by when it ended. What is used up or has left the
window is marked, and taken out of the lists when it is half of them.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator
from heapq import heapify, heappop, heappush, merge
from typing import Final

from tocsin.algebra.contexts import oldest
from tocsin.algebra.occurrence import Occurrence
from tocsin.engine.detectors.reach import ANYTHING, NOTHING
from tocsin.engine.network.vectors import FAR

FEW: Final = 32
"""So many that are gone may stand among the others."""

ValueOf = Callable[[Occurrence], object]
"""By which value an occurrence is found."""


class Entry:
    """An occurrence that waits."""

    def __init__(self, one: Occurrence, number: int, value: object) -> None:
        self.one, self.number, self.value = one, number, value
        self.is_alive = True


Aged = tuple[tuple[object, ...], int, Entry]
Ended = tuple[int, tuple[object, ...], int, Entry]


class Bucket:
    """Those of one value: in order of age, and in order of their ends if that is asked for."""

    def __init__(self, is_by_end: bool) -> None:
        self.aged: list[Aged] = []
        self.ended: list[Ended] | None = [] if is_by_end else None
        self.dead = 0
        self.is_single = True
        """Whether all are single events: then the order of ends is that of age."""

    def put(self, entry: Entry) -> None:
        """One more."""
        one, age = entry.one, oldest(entry.one)
        item = (age, entry.number, entry)
        if not self.aged or self.aged[-1][:2] < item[:2]:
            self.aged.append(item)
        else:
            insort(self.aged, item)
        if self.ended is not None:
            insort(self.ended, (one.end, age, entry.number, entry))
        if len(one.primitives) != 1 or (one.stamp is not None and one.stamp.interval > 0):
            self.is_single = False

    def bury(self) -> None:
        """One of them is gone."""
        self.dead += 1
        if self.dead > FEW and self.dead * 2 > len(self.aged):
            self.aged = [item for item in self.aged if item[2].is_alive]
            if self.ended is not None:
                self.ended = [item for item in self.ended if item[3].is_alive]
            self.dead = 0

    def within(self, low: int, high: int) -> Iterator[Aged]:
        """Those that ended from one time to another, the oldest first."""
        ended = self.ended
        if ended is None or low <= -FAR:
            for item in self.aged:
                if item[2].is_alive and item[2].one.end <= high:
                    yield item
            return
        place = bisect_left(ended, (low,))
        if not self.is_single:
            found: list[Aged] = []
            while place < len(ended) and ended[place][0] <= high:
                _, age, number, entry = ended[place]
                if entry.is_alive:
                    found.append((age, number, entry))
                place += 1
            yield from sorted(found)
            return
        while place < len(ended) and ended[place][0] <= high:
            _, age, number, entry = ended[place]
            if entry.is_alive:
                yield age, number, entry
            place += 1

    def last_end(self, before: int) -> int:
        """When the last that ended before a time did so."""
        ended = self.ended
        place = 0 if ended is None else bisect_left(ended, (before,))
        while ended is not None and place > 0:
            place -= 1
            if ended[place][3].is_alive:
                return ended[place][0]
        return -FAR


class Pool:
    """Occurrences that wait. Without a `value_of` all of them wait together."""

    def __init__(self, value_of: ValueOf | None = None, *, is_by_end: bool = False) -> None:
        self._value_of, self._is_by_end = value_of, is_by_end
        self._buckets: dict[object, Bucket] = {}
        self._entries: dict[int, Entry] = {}
        self._ages: list[tuple[int, int, Entry]] = []
        self._next = 0

    def __len__(self) -> int:
        return len(self._entries)

    def put(self, one: Occurrence) -> None:
        """Lets an occurrence wait."""
        value = None if self._value_of is None else self._value_of(one)
        entry = Entry(one, self._next, value)
        self._next += 1
        self._entries[id(one)] = entry
        heappush(self._ages, (min([event.end for event in one.events], default=FAR), entry.number, entry))
        if len(self._ages) > FEW + 2 * len(self._entries):
            self._ages = [each for each in self._ages if each[2].is_alive]
            heapify(self._ages)
        if value is NOTHING:
            return  # it equals nothing, and is only remembered
        bucket = self._buckets.get(value)
        if bucket is None:
            bucket = self._buckets[value] = Bucket(self._is_by_end)
        bucket.put(entry)

    def take_out(self, one: Occurrence) -> None:
        """It waits no longer."""
        self._drop(self._entries[id(one)])

    def _drop(self, entry: Entry) -> None:
        entry.is_alive = False
        del self._entries[id(entry.one)]
        bucket = self._buckets.get(entry.value)
        if bucket is not None:
            bucket.bury()
            if bucket.dead == len(bucket.aged):
                del self._buckets[entry.value]

    def holds(self, one: Occurrence) -> bool:
        """Whether it still waits."""
        return id(one) in self._entries

    def forget(self, is_old: Callable[[Occurrence], bool]) -> list[Occurrence]:
        """Drops those that have an event older than the window, and tells which."""
        gone: list[Occurrence] = []
        while self._ages and (not self._ages[0][2].is_alive or is_old(self._ages[0][2].one)):
            entry = heappop(self._ages)[2]
            if entry.is_alive:
                self._drop(entry)
                gone.append(entry.one)
        return gone

    def meeting(self, value: object, low: int = -FAR, high: int = FAR) -> Iterable[Occurrence]:
        """Those that may equal a value and ended from one time to another, the oldest first."""
        found = self._of(value)
        if len(found) == 1:
            return (entry.one for _, _, entry in found[0].within(low, high))
        return (entry.one for _, _, entry in merge(*[bucket.within(low, high) for bucket in found]))

    def last_end(self, value: object, before: int) -> int:
        """When the last of exactly that value that ended before a time did so; never, if that cannot be told."""
        bucket = None if value is ANYTHING else self._buckets.get(value)
        return -FAR if bucket is None else bucket.last_end(before)

    def _of(self, value: object) -> list[Bucket]:
        if value is NOTHING:
            return []
        if value is ANYTHING:
            return list(self._buckets.values())
        return [self._buckets[each] for each in (value, ANYTHING) if each in self._buckets]

    def all(self) -> list[Occurrence]:
        """Every one, as they came."""
        return [entry.one for entry in self._entries.values()]
