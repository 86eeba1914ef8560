"""Detections as columns: what `Rows` would make of its rows, for all of them at once, without making an event.

The same order, starts and times as in `Rows` and `assembly`: tests hold them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, pairwise
from typing import Any, Final, NamedTuple

from tocsin.algebra.patterns import (
    Absence,
    Automaton,
    Both,
    Concurrent,
    Instant,
    Named,
    Pattern,
    Precedence,
    Sequence,
    Where,
    Within,
)
from tocsin.engine.frames.rows import Rows, reporting
from tocsin.engine.network.batch import Store
from tocsin.engine.network.firings import HEAD, MOST_BRANCHES, Firing
from tocsin.engine.network.network import FIRST_BELL
from tocsin.engine.network.numbers import SPREAD
from tocsin.errors import MissingDependency
from tocsin.plan.searches import (
    Chosen,
    Closed,
    Copies,
    Delayed,
    Edge,
    Extreme,
    Moment,
    Opened,
    Point,
    Shifted,
    Slot,
    Spanned,
    tree_registers,
)
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
    """Rows for one rule: columns of the numbers and ends of the events, oldest first, with `_NONE` after the last.

    `shown`: the numbers in the order in which they are listed, which for an automaton is that of its states.
    """

    moments: Any
    rule: int
    numbers: list[Any]
    ends: list[Any]
    start: Any
    end: Any
    shown: list[Any]


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
    width = max(len(part.numbers) for part in parts)
    moments = _joined(np, [part.moments for part in parts])
    rules = _joined(np, [np.full(len(part.moments), part.rule, np.int32) for part in parts])
    starts, ends = (_joined(np, [part[index] for part in parts]) for index in (4, 5))
    numbers, own_ends, shown = (_widened(np, parts, index, width) for index in range(3))
    # In order of detection: by moment, rule, and then the chronologically oldest first.
    groups = moments if len(parts) == 1 else moments * len(names) + rules
    order = _order(np, [groups, *own_ends, *numbers, ends, starts], width)
    del own_ends
    if order is not None:
        rules = rules if len(parts) == 1 else rules[order]
        moments, starts, ends = moments[order], starts[order], ends[order]
    events, offsets = _listed(np, shown, order, rows)
    return Positions(names, rules, starts, ends, np.frombuffer(rows.clock, np.int64)[moments], events, offsets)


def _parts(np: Any, rows: Rows, firing: Firing, times: _Times) -> Iterator[_Part]:
    """The rows of a firing, those of one branch and selection together, once for each of their rules."""
    stride = int(firing.stride)
    matches = np.frombuffer(firing.matches, np.int64, int(firing.used)).reshape(-1, stride)
    heads = np.ascontiguousarray(matches[:, 1])
    for head in [int(heads[0])] if (heads == heads[0]).all() else np.unique(heads).tolist():
        chosen = heads == head
        rules = reporting(firing, int(chosen.argmax()) * stride)
        if not rules:
            continue
        some = matches if chosen.all() else matches[chosen]
        tree = firing.trees[head % int(MOST_BRANCHES)]
        registers = list(dict.fromkeys(tree_registers(tree)))
        numbers = [np.ascontiguousarray(some[:, int(HEAD) + register]) for register in registers]
        spans = {register: times.of(column) for register, column in zip(registers, numbers, strict=True)}
        start, end = span_of(np, tree, spans.__getitem__)
        as_found = numbers
        numbers, ends = _chronological(np, numbers, [spans[register][1] for register in registers])
        shown = as_found if isinstance(rules[0].pattern, Automaton) else numbers
        for rule in rules:
            yield _Part(np.ascontiguousarray(some[:, 0]), rows.places[rule.name], numbers, ends, start, end, shown)


class _Times:
    """When the events were, by their numbers."""

    def __init__(self, np: Any, store: Store) -> None:
        self._np, self._store = np, store
        batches = store.batches
        self._ends = np.concatenate([self._column(batch.ends, batch.count) for batch in batches])
        self._starts = self._ends
        if not all(batch.starts is batch.ends for batch in batches):
            self._starts = np.concatenate([self._column(batch.starts, batch.count) for batch in batches])
        self._first = int(batches[0].first)

    def _column(self, data: bytes, count: int) -> Any:
        return self._np.frombuffer(data, self._np.int64) if data else self._np.zeros(count, self._np.int64)

    def of(self, numbers: Any) -> tuple[Any, Any]:
        """Starts and ends. Time events are few, and looked up."""
        places = numbers // int(SPREAD) - self._first
        is_made = numbers >= int(FIRST_BELL)
        made = self._np.nonzero(is_made)[0].tolist() if is_made.any() else []
        places[made] = 0
        ends = self._ends[places]
        if not made and self._starts is self._ends:
            return ends, ends
        starts = self._starts[places]
        for place in made:
            event = self._store.event(int(numbers[place]))
            starts[place], ends[place] = event.start, event.end
        return starts, ends


def _chronological(np: Any, columns: list[Any], ends_of: list[Any]) -> tuple[list[Any], list[Any]]:
    """Each event once and by time, time events left out; what is left over is `_NONE`, at the end."""
    if not any((column >= int(FIRST_BELL)).any() for column in columns):
        # Mostly the registers are by time, or in some other order that is the same in all rows.
        usual = sorted(range(len(columns)), key=lambda place: int(ends_of[place][0]))
        if all((ends_of[one] < ends_of[other]).all() for one, other in pairwise(usual)):
            return [columns[place] for place in usual], [ends_of[place] for place in usual]
    numbers, ends = np.stack(columns, 1), np.stack(ends_of, 1)
    is_timer = numbers >= int(FIRST_BELL)
    numbers, ends = np.where(is_timer, _LATEST, numbers), np.where(is_timer, _LATEST, ends)
    order = np.lexsort((numbers, ends), axis=1)
    numbers, ends = np.take_along_axis(numbers, order, 1), np.take_along_axis(ends, order, 1)
    gone = numbers == _LATEST
    gone[:, 1:] |= numbers[:, 1:] == numbers[:, :-1]
    order = np.argsort(gone, axis=1, kind="stable")
    gone = np.take_along_axis(gone, order, 1)
    numbers = np.where(gone, _NONE, np.take_along_axis(numbers, order, 1))
    ends = np.where(gone, _NONE, np.take_along_axis(ends, order, 1))
    return [*np.ascontiguousarray(numbers.T)], [*np.ascontiguousarray(ends.T)]


def _joined(np: Any, columns: list[Any]) -> Any:
    return np.concatenate(columns) if len(columns) > 1 else columns[0]


def _widened(np: Any, parts: list[_Part], index: int, width: int) -> list[Any]:
    """Columns of all parts, which have as many as the widest: numbers, ends, or numbers as they are listed."""
    several: list[list[Any]] = []
    for part in parts:
        columns = (part.numbers, part.ends, part.shown)[index]
        several.append(columns + [np.full(len(part.moments), _NONE)] * (width - len(columns)))
    return [_joined(np, list(columns)) for columns in zip(*several, strict=True)]


def _order(np: Any, keys: list[Any], width: int) -> Any:
    """The order of the rows by the first key, then the second, and so on; None where they are in order already.

    Searches go from the latest to the earliest, so that what was found together mostly stands in reverse. And it mostly
    ends with the same event, so that the keys before tell it apart: the others are looked at only if not.
    """
    if _is_ascending(np, keys):
        return None
    groups = keys[0]
    if _is_ascending(np, chain([groups], (~key for key in keys[1:]))):
        firsts = np.flatnonzero(np.concatenate([[True], groups[1:] != groups[:-1]]))
        ends = np.append(firsts[1:], len(groups))
        return np.repeat(firsts + ends - 1, ends - firsts) - np.arange(len(groups))
    order = np.lexsort(keys[:width][::-1])
    ties = np.ones(len(order) - 1, bool)
    for key in keys[:width]:
        in_order = key[order]
        ties &= in_order[1:] == in_order[:-1]
    return np.lexsort(keys[::-1]) if ties.any() else order


def _is_ascending(np: Any, keys: Iterable[Any]) -> bool:
    undecided: Any = True
    for key in keys:
        before, after = key[:-1], key[1:]
        if (undecided & (before > after)).any():
            return False
        undecided = undecided & (before == after)
        if not undecided.any():
            return True
    return True


def _listed(np: Any, numbers: list[Any], order: Any, rows: Rows) -> tuple[Any, Any]:
    """The rows of the frame that events stand in, one list after the other, and where each list begins."""
    count, width = len(numbers[0]), len(numbers)
    table = np.empty((count, width), np.int64)
    for place, column in enumerate(numbers):
        np.floor_divide(column, int(SPREAD), out=table[:, place])
    if order is not None:
        table = table[order]
    listed = None
    if any((column == _NONE).any() for column in numbers):
        listed = table != _NONE // int(SPREAD)
    places = table.reshape(-1) if listed is None else table[listed]
    shifts = np.array(rows.offsets.rows) - np.array(rows.offsets.places)
    places += shifts if len(shifts) == 1 else shifts[np.searchsorted(rows.offsets.places, places, side="right") - 1]
    if listed is None:
        return places, np.arange(0, count * width + 1, width)
    return places, np.concatenate([np.zeros(1, np.int64), np.cumsum(listed.sum(axis=1))])


def span_of(np: Any, tree: Pattern, of: Callable[[int], tuple[Any, Any]]) -> tuple[Any, Any]:
    """Where occurrences of a tree start and end: what `assembled` works out, for all rows at once."""
    match tree:
        case Slot(register=register):
            return of(register)
        case Chosen(registers=registers):
            return _around(np, [of(register) for register in registers])
        case Named(pattern=inner) | Where(pattern=inner) | Within(pattern=inner):
            return span_of(np, inner, of)
        case Sequence(parts=parts, order=Precedence.GAP):
            return span_of(np, parts[0], of)[0], span_of(np, parts[-1], of)[1]
        case Both(parts=parts) | Sequence(parts=parts) | Copies(parts=parts):
            return _around(np, [span_of(np, part, of) for part in parts])
        case Concurrent(left=left, right=right) | Absence(first=left, last=right):
            return _around(np, [span_of(np, left, of), span_of(np, right, of)])
        case Instant(pattern=inner):
            end = span_of(np, inner, of)[1]
            return end, end
        case Delayed(pattern=inner, origin=origin):
            start, end = span_of(np, inner, of)
            due = _later(np, end, origin.period)
            return (due if origin.instant else start), due
        case Closed(pattern=inner, origin=within):
            start, _ = span_of(np, inner, of)
            assert isinstance(within, Within)
            return start, _later(np, start, within.period)
        case Opened(pattern=inner, origin=within):
            _, end = span_of(np, inner, of)
            return _later(np, end, within.period.scaled(-1)), end
        case Spanned(start=begun, end=ended):
            none = np.zeros_like(of(tree_registers(tree)[0])[0])  # a fixed moment is one for all rows
            return none + _times_of(np, begun, of), none + _times_of(np, ended, of)
    raise AssertionError(f"{type(tree).__name__} is in no branch")


def _times_of(np: Any, point: Point, of: Callable[[int], tuple[Any, Any]]) -> Any:
    """When a point is, for all rows at once."""
    match point:
        case Edge(register=register, is_start=is_start):
            return of(register)[0 if is_start else 1]
        case Extreme(of=points, is_latest=is_latest):
            return (np.maximum if is_latest else np.minimum).reduce(
                np.broadcast_arrays(*(_times_of(np, each, of) for each in points))
            )
        case Shifted(point=inner, period=period):
            return _later(np, _times_of(np, inner, of), period)
        case Moment(time=time):
            return np.int64(time)


def _around(np: Any, spans: list[tuple[Any, Any]]) -> tuple[Any, Any]:
    return np.minimum.reduce([start for start, _ in spans]), np.maximum.reduce([end for _, end in spans])


def _later(np: Any, times: Any, period: Period) -> Any:
    if not period.years and not period.months:
        return times + period.microseconds
    return np.array([period.added_to(time) for time in times.tolist()], np.int64)
