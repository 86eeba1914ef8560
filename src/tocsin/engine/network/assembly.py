"""Rows back to occurrences: what a plan found, put together as the meaning would have."""

from __future__ import annotations

from collections.abc import Callable

from librt.vecs import vec
from mypy_extensions import i64

from tocsin.algebra.combinations import BOTH, CONCURRENT, SEQUENCES, delayed, gathered, leaf_occurrence, named
from tocsin.algebra.occurrence import Bound, Occurrence, Tick
from tocsin.algebra.patterns import Absence, Both, Concurrent, Instant, Named, Pattern, Sequence, Where, Within
from tocsin.engine.network.arena import Arena
from tocsin.engine.network.batch import Store
from tocsin.events import Event
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


class Assembly:
    """A tree of a branch with the arenas of its registers; `granularity`: the tick of 2g stamps, if there are any."""

    def __init__(self, tree: Pattern, arenas: dict[int, Arena], granularity: int | None = None) -> None:
        self.tree, self.arenas, self.registers = tree, arenas, tree_registers(tree)
        self.granularity = granularity

    def bound(self, name: str, rows: vec[i64], store: Store) -> Bound:
        """What a variable stands for, if this is the tree it was bound to."""
        events: dict[int, Event] = {}
        for register in self.registers:
            arena = self.arenas[register]
            events[register] = store.event(arena.numbers[rows[register] & arena.mask])
        return value_of(name, self.tree, events, self.granularity)


def value_of(name: str, tree: Pattern, events: dict[int, Event], granularity: int | None = None) -> Bound:
    """What a variable stands for. One inside a repetition stands for all of its events."""
    if isinstance(tree, Named) and tree.name == name:
        return assembled(tree.pattern, events, granularity).variables()[name]
    return assembled(tree, events, granularity).binding(())


def assembled(tree: Pattern, events: dict[int, Event], granularity: int | None = None) -> Occurrence:
    """The occurrence that a branch's tree is, with these events in its registers; stamped under 2g."""
    match tree:
        case Slot(register=register):
            return leaf_occurrence(events[register], granularity)
        case Chosen(registers=registers, names=names):
            return gathered([_under(names, leaf_occurrence(events[register], granularity)) for register in registers])
        case Copies(parts=parts):
            return gathered([assembled(part, events, granularity) for part in parts])
        case Named(name=name, pattern=inner):
            return named(name, assembled(inner, events, granularity))
        case Where(pattern=inner) | Within(pattern=inner):
            return assembled(inner, events, granularity)
        case Both(parts=parts):
            return _folded(parts, events, granularity, BOTH.combine)
        case Sequence(parts=parts, order=order):
            whole = _folded(parts, events, granularity, SEQUENCES[order].combine)
            if order != "gap":
                return whole
            # 004: start(E -> F) is start(E), its end is end(F), whatever lies outside.
            return whole.spanning(
                assembled(parts[0], events, granularity).start, assembled(parts[-1], events, granularity).end
            )
        case Concurrent(left=left, right=right):
            return CONCURRENT.combine(assembled(left, events, granularity), assembled(right, events, granularity))
        case Absence(first=left, last=right, order=order):
            return SEQUENCES[order].combine(assembled(left, events, granularity), assembled(right, events, granularity))
        case Delayed(pattern=inner, origin=origin):
            return delayed(origin, assembled(inner, events, granularity), granularity)
        case Instant(pattern=inner):
            one = assembled(inner, events, granularity)
            return one.spanning(one.end, one.end)
        case Closed(pattern=inner, origin=origin):
            one = assembled(inner, events, granularity)
            assert isinstance(origin, Within)
            back = origin.period.added_to(one.start)
            ticks = one.ticks | {Tick(origin, back, (one.start,))}
            return Occurrence(one.start, back, one.events, one.bindings, ticks, one.stamp)
        case Opened(pattern=inner, origin=origin):
            one = assembled(inner, events, granularity)
            return one.spanning(origin.period.scaled(-1).added_to(one.end), one.end)
        case Spanned(pattern=inner, start=start, end=end, over=over):
            one = assembled(inner, events, granularity)
            passed = [Tick(window, time_of(due, events), (time_of(begun, events),)) for window, due, begun in over]
            return Occurrence(
                time_of(start, events),
                time_of(end, events),
                one.events,
                one.bindings,
                one.ticks.union(passed),
                one.stamp,
            )
    raise AssertionError(f"{type(tree).__name__} is in no branch")


def time_of(point: Point, events: dict[int, Event]) -> int:
    """When a point of these events is."""
    match point:
        case Edge(register=register, is_start=is_start):
            return events[register].start if is_start else events[register].end
        case Extreme(of=points, is_latest=is_latest):
            times = [time_of(each, events) for each in points]
            return max(times) if is_latest else min(times)
        case Shifted(point=inner, period=period):
            return period.added_to(time_of(inner, events))
        case Moment(time=time):
            return time


def _under(names: tuple[str, ...], one: Occurrence) -> Occurrence:
    for name in reversed(names):
        one = named(name, one)
    return one


def _folded(
    parts: tuple[Pattern, ...],
    events: dict[int, Event],
    granularity: int | None,
    combine: Callable[[Occurrence, Occurrence], Occurrence],
) -> Occurrence:
    whole = assembled(parts[0], events, granularity)
    for part in parts[1:]:
        whole = combine(whole, assembled(part, events, granularity))
    return whole
