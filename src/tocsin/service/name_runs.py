"""The names that came from one source, with the times at which they came: those that run on are kept as one text.

Sensors count: the names of a batch mostly lie close together, and no other batch reaches among them. Such a *run* is
looked up by its first and last name alone, and takes hardly more memory than its characters. What does not run on
(names made by chance, of different lengths, among those of another run) stands in a dictionary. Both are exact.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import islice
from operator import eq, lt
from typing import Final

VARYING: Final = 6
"""Characters at the end in which the names of a run may differ."""
LEAST: Final = 4
"""Names of a run, at least: fewer take no more memory one by one."""
PART: Final = 8
"""Names that make up more runs than one for so many of them do not run on."""
_SEPARATOR: Final = "\n"
_HIGHEST: Final = "\U0010ffff" * VARYING


class Batch:
    """Names that came together from one source: sorted, if they run on."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.pieces: list[tuple[int, int]] = []
        """From where to where the names lie close together; none, if they do not run on."""
        self.width = _width(names)
        if self.width:
            ordered = names if _ascend(names) else sorted(names)
            self.pieces = _pieces(ordered, self.width)
            self.names = ordered if self.pieces else names
        self.has_twice = self._has_twice()

    def _has_twice(self) -> bool:
        if self.pieces:
            return any(map(eq, self.names, islice(self.names, 1, None)))
        return len(set(self.names)) < len(self.names)


class NamesOfSource:
    """What came from a source. A name that stands by itself came later than the same name in a run."""

    def __init__(self) -> None:
        self.single: dict[str, int] = {}
        self._runs: dict[int, _Runs] = {}

    def when(self, name: str) -> int | None:
        """When a name came; None if it did not."""
        found = self.single.get(name)
        if found is None and self._runs:
            runs = self._runs.get(len(name))
            found = None if runs is None else runs.when(name)
        return found

    def meets(self, batch: Batch) -> bool:
        """Whether one of these names came before."""
        if self.single and not self.single.keys().isdisjoint(batch.names):
            return True
        if not self._runs:
            return False
        if not batch.pieces:
            return any(self.when(name) is not None for name in batch.names)
        runs = self._runs.get(batch.width)
        return runs is not None and any(runs.meets(batch.names, *piece) for piece in batch.pieces)

    def add(self, batch: Batch, now: int) -> None:
        """These names came now, and none of them before."""
        if not batch.pieces:
            self.single.update(dict.fromkeys(batch.names, now))
            return
        runs = self._runs.get(batch.width)
        if runs is None:
            runs = self._runs[batch.width] = _Runs(batch.width)
        for piece in batch.pieces:
            rest = runs.add(batch.names, *piece, now)
            if rest:
                self.single.update(dict.fromkeys(rest, now))


class _Runs:
    """Runs of names of one length; none reaches into another.

    Only their first names stand in a list: the dictionaries hold nothing that the collector of garbage has to visit.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._firsts: list[str] = []
        self._texts: dict[str, str] = {}
        self._times: dict[str, int] = {}

    def when(self, name: str) -> int | None:
        place = bisect_right(self._firsts, name)
        if not place:
            return None
        first = self._firsts[place - 1]
        text, width = self._texts[first], self._width
        stride = width + 1
        places = range((len(text) + 1) // stride)
        found = bisect_left(places, name, key=lambda place: text[place * stride : place * stride + width])
        return self._times[first] if text[found * stride : found * stride + width] == name else None

    def meets(self, names: Sequence[str], start: int, stop: int) -> bool:
        """Whether one of the names in a piece is in some run."""
        low, high = bisect_right(self._firsts, names[start]), bisect_right(self._firsts, names[stop - 1])
        if high - low > stop - start:
            return any(self.when(names[place]) is not None for place in range(start, stop))
        for first in self._firsts[max(0, low - 1) : high]:
            last = self._last(first)
            some = names[bisect_left(names, first, start, stop) : bisect_right(names, last, start, stop)]
            if some and not set(self._names(first)).isdisjoint(some):
                return True
        return False

    def add(self, names: Sequence[str], start: int, stop: int, now: int) -> list[str]:
        """Keeps a piece as runs between those that there are; what lies within one of them is left over."""
        rest: list[str] = []
        while start < stop:
            first = names[start]
            place = bisect_right(self._firsts, first)
            last = self._last(self._firsts[place - 1]) if place else ""
            if place and last >= first:
                end = bisect_right(names, last, start, stop)
                rest += names[start:end]
            else:
                end = stop if place == len(self._firsts) else bisect_left(names, self._firsts[place], start, stop)
                if end - start < LEAST:
                    rest += names[start:end]
                else:
                    self._firsts.insert(place, first)
                    self._texts[first] = _SEPARATOR.join(names[start:end])
                    self._times[first] = now
            start = end
        return rest

    def _last(self, first: str) -> str:
        return self._texts[first][-self._width :]

    def _names(self, first: str) -> list[str]:
        text, width = self._texts[first], self._width
        return [text[place : place + width] for place in range(0, len(text), width + 1)]


def _width(names: Sequence[str]) -> int:
    """How long each name is; 0 where they are not equally long."""
    width = len(names[0])
    return width if len(names) >= LEAST and set(map(len, names)) == {width} else 0


def _ascend(names: Sequence[str]) -> bool:
    return all(map(lt, names, islice(names, 1, None)))


def _pieces(names: Sequence[str], width: int) -> list[tuple[int, int]]:
    """The stretches of sorted names that differ at their ends alone; nothing, where those are too many."""
    size, most = max(0, width - VARYING), 1 + len(names) // PART
    if names[0][:size] == names[-1][:size]:
        return [(0, len(names))]
    found, start = list[tuple[int, int]](), 0
    while start < len(names):
        stop = bisect_right(names, names[start][:size] + _HIGHEST, start)
        found.append((start, stop))
        if len(found) > most:
            return []
        start = stop
    return found
