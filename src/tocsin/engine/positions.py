"""Detections as columns: what `Rows` would make of its rows, for all of them at once, without making an event.

The same order, starts and times as in `Rows` and `assembly`: tests hold them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from tocsin.algebra.patterns import Absence, Both, Concurrent, Instant, Named, Order, Pattern, Sequence, Where, Within
from tocsin.engine.assembly import registers_in
from tocsin.engine.batch import Store
from tocsin.engine.firing import HEAD, MOST_BRANCHES, Firing
from tocsin.engine.network import FIRST_BELL
from tocsin.engine.numbering import SPREAD
from tocsin.engine.rows import Rows, reporting
from tocsin.errors import MissingDependency
from tocsin.plan import Chosen, Closed, Delayed, Slot
from tocsin.time.periods import Period

_NONE: Final = -(2**63)
"""No event: less than any other, for a shorter list comes first."""
_LATEST: Final = 2**63 - 1


class Positions(NamedTuple):
    """Detections in order, as arrays of NumPy. Row i is made of the events from `offsets[i]` to `offsets[i + 1]`.

    `rule` is the place of a rule in `rules`; times are microseconds; `events` are rows of the frame, from 0.
    """

    rules: list[str]
    rule: Any
    start: Any
    time: Any
    detected: Any
    events: Any
    offsets: Any


class _Part(NamedTuple):
    """Rows for one rule: numbers and ends of the events, oldest first, with `_NONE` after the last."""

    moments: Any
    rules: Any
    numbers: Any
    ends: Any
    starts: Any
    times: Any


def positions_of(rows: Rows) -> Positions:
    """All detections as columns."""
    try:
        import numpy as np  # here, for it is optional
    except ImportError:
        raise MissingDependency("NumPy", "all") from None
    names = list(rows.places)
    if not rows.count:
        none: Any = np.zeros(0, np.int64)
        return Positions(names, none, none, none, none, none, np.zeros(1, np.int64))
    times = _Times(np, rows.store)
    parts = [part for firing in rows.firings for part in _parts(np, rows, firing, times)]
    moments, rules, starts, ends = (np.concatenate([part[index] for part in parts]) for index in (0, 1, 4, 5))
    numbers, own_ends = (_stacked(np, [part[index] for part in parts]) for index in (2, 3))
    # In order of detection: by moment, rule, and then the chronologically oldest first.
    keys = [moments, rules, *own_ends.T, *numbers.T, ends, starts]
    if not _is_ascending(np, keys):
        order = np.lexsort(keys[::-1])
        moments, rules, numbers, starts, ends = (each[order] for each in (moments, rules, numbers, starts, ends))
    listed = numbers != _NONE
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(listed.sum(axis=1))])
    places = numbers[listed] // int(SPREAD)
    shifts = np.array(rows.offsets.rows) - np.array(rows.offsets.places)
    run = np.searchsorted(rows.offsets.places, places, side="right") - 1
    detected = np.frombuffer(rows.clock, np.int64)[moments]
    return Positions(names, rules, starts, ends, detected, places + shifts[run], offsets)


def _parts(np: Any, rows: Rows, firing: Firing, times: _Times) -> Iterator[_Part]:
    """The rows of a firing, those of one branch and selection together, once for each of their rules."""
    stride = int(firing.stride)
    matches = np.frombuffer(firing.matches, np.int64, int(firing.used)).reshape(-1, stride)
    heads, firsts = np.unique(matches[:, 1], return_index=True)
    for head, first in zip(heads.tolist(), firsts.tolist(), strict=True):
        rules = [rows.places[rule.name] for rule in reporting(firing, first * stride)]
        if not rules:
            continue
        some = matches if len(heads) == 1 else matches[matches[:, 1] == head]
        tree = firing.trees[head % int(MOST_BRANCHES)]
        registers = list(dict.fromkeys(registers_in(tree)))
        numbers = some[:, [int(HEAD) + register for register in registers]]
        starts, ends = times.of(numbers)
        spans = {register: (starts[:, at], ends[:, at]) for at, register in enumerate(registers)}
        start, end = _span(np, tree, spans.__getitem__)
        numbers, ends = _chronological(np, numbers, ends)
        for place in rules:
            yield _Part(some[:, 0], np.full(len(some), place), numbers, ends, start, end)


class _Times:
    """When the events were, by their numbers."""

    def __init__(self, np: Any, store: Store) -> None:
        self._np, self._store = np, store
        self._starts = np.concatenate([self._column(batch.starts, batch.count) for batch in store.batches])
        self._ends = np.concatenate([self._column(batch.ends, batch.count) for batch in store.batches])
        self._first = int(store.batches[0].first)

    def _column(self, data: bytes, count: int) -> Any:
        return self._np.frombuffer(data, self._np.int64) if data else self._np.zeros(count, self._np.int64)

    def of(self, numbers: Any) -> tuple[Any, Any]:
        """Starts and ends. Time events are few, and looked up."""
        places = numbers // int(SPREAD) - self._first
        made = numbers >= int(FIRST_BELL)
        if not made.any():
            return self._starts[places], self._ends[places]
        places[made] = 0
        starts, ends = self._starts[places], self._ends[places]
        for index in zip(*self._np.nonzero(made), strict=True):
            event = self._store.event(int(numbers[index]))
            starts[index], ends[index] = event.start, event.end
        return starts, ends


def _chronological(np: Any, numbers: Any, ends: Any) -> tuple[Any, Any]:
    """Each event once and by time, time events left out; what is left over is `_NONE`, at the end."""
    is_timer = numbers >= int(FIRST_BELL)
    if is_timer.any():
        numbers, ends = np.where(is_timer, _LATEST, numbers), np.where(is_timer, _LATEST, ends)
    if not (ends[:, :-1] < ends[:, 1:]).all():
        order = np.lexsort((numbers, ends), axis=1)
        numbers, ends = np.take_along_axis(numbers, order, 1), np.take_along_axis(ends, order, 1)
    twice = numbers == _LATEST
    twice[:, 1:] |= numbers[:, 1:] == numbers[:, :-1]
    if twice.any():
        order = np.argsort(twice, axis=1, kind="stable")
        gone = np.take_along_axis(twice, order, 1)
        numbers = np.where(gone, _NONE, np.take_along_axis(numbers, order, 1))
        ends = np.where(gone, _NONE, np.take_along_axis(ends, order, 1))
    return numbers, ends


def _stacked(np: Any, tables: list[Any]) -> Any:
    """Tables of different widths, one under the other."""
    width = max(table.shape[1] for table in tables)
    wide = [np.pad(table, ((0, 0), (0, width - table.shape[1])), constant_values=_NONE) for table in tables]
    return np.concatenate(wide)


def _is_ascending(np: Any, keys: list[Any]) -> bool:
    """Whether rows are in order already, by the first key, then the second, and so on."""
    if len(keys[0]) < 2:
        return True
    undecided = np.ones(len(keys[0]) - 1, bool)
    for key in keys:
        before, after = key[:-1], key[1:]
        if (undecided & (before > after)).any():
            return False
        undecided &= before == after
    return True


def _span(np: Any, tree: Pattern, of: Callable[[int], tuple[Any, Any]]) -> tuple[Any, Any]:
    """Where occurrences of a tree start and end: what `assembled` works out, for all rows at once."""
    match tree:
        case Slot(register=register):
            return of(register)
        case Chosen(registers=registers):
            return _around(np, [of(register) for register in registers])
        case Named(pattern=inner) | Where(pattern=inner) | Within(pattern=inner):
            return _span(np, inner, of)
        case Sequence(parts=parts, order=Order.GAP):
            return _span(np, parts[0], of)[0], _span(np, parts[-1], of)[1]
        case Both(parts=parts) | Sequence(parts=parts):
            return _around(np, [_span(np, part, of) for part in parts])
        case Concurrent(left=left, right=right) | Absence(first=left, last=right):
            return _around(np, [_span(np, left, of), _span(np, right, of)])
        case Instant(pattern=inner):
            end = _span(np, inner, of)[1]
            return end, end
        case Delayed(pattern=inner, origin=origin):
            start, end = _span(np, inner, of)
            due = _later(np, end, origin.period)
            return (due if origin.instant else start), due
        case Closed(pattern=inner, origin=within):
            start, _ = _span(np, inner, of)
            return start, _later(np, start, within.period)
    raise AssertionError(f"{type(tree).__name__} is in no branch")


def _around(np: Any, spans: list[tuple[Any, Any]]) -> tuple[Any, Any]:
    return np.minimum.reduce([start for start, _ in spans]), np.maximum.reduce([end for _, end in spans])


def _later(np: Any, times: Any, period: Period) -> Any:
    if not period.years and not period.months:
        return times + period.microseconds
    return np.array([period.added_to(time) for time in times.tolist()], np.int64)
