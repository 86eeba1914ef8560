"""Putting occurrences together: what the operators share, whoever chooses which ones to combine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from tocsin.algebra.attributes import found_in
from tocsin.algebra.functions import told_apart
from tocsin.algebra.guards import variables_of
from tocsin.algebra.names import bound
from tocsin.algebra.occurrence import TIMER, Bound, Occurrence, Tick, chronology, joined, merged
from tocsin.algebra.patterns import Absence, After, AnyEvent, Pattern, Precedence, Primitive
from tocsin.algebra.values import Surroundings, holds
from tocsin.events import Event
from tocsin.time.stamps import GlobalStamp, concurrent, later_or_join, latest_joined, precedes, primitive_stamp

NO_VARIABLES: Final[Mapping[str, Bound]] = MappingProxyType({})

# -- leaves and names -----------------------------------------------------------------------------------------


def accepts(pattern: Pattern, event: Event, declared: frozenset[str] | None) -> bool:
    """Whether a leaf stands for this event. A time event belongs to the one leaf that waited for it.

    `*` stands for primitive events alone: composites of other rules are for those that name them.
    """
    if isinstance(pattern, Primitive):
        return event.type == pattern.type and pattern.site in (None, event.source)
    if isinstance(pattern, AnyEvent):
        is_any = event.type != TIMER and not event.is_composite
        return is_any and (declared is None or event.type in declared)
    return event.type == TIMER and event.data.get("timer") == pattern


def leaf_occurrence(event: Event, granularity: int | None) -> Occurrence:
    """A single event as an occurrence."""
    stamp = event.stamp
    if granularity is not None and stamp is None:
        stamp = primitive_stamp(event.source, event.end, granularity)
    return Occurrence(event.start, event.end, (event,), stamp=stamp)


def named(name: str, one: Occurrence) -> Occurrence:
    """`one` under a name."""
    return one.binding(joined(one.bindings, ((name, one.binding(())),)))


# -- two as one --------------------------------------------------------------------------------------------------


def combined(left: Occurrence, right: Occurrence, stamp: GlobalStamp | None = None) -> Occurrence:
    """Both as one occurrence: events and variables of both, from the least start to the greatest end.

    Under 2g the end is the exact time of the latest constituent kept in the stamp (SEMANTICS section 6).
    """
    return Occurrence(
        min(left.start, right.start),
        max(left.end, right.end) if stamp is None else max(exact for _, exact in stamp.exact),
        merged(left.events, right.events),
        joined(left.bindings, right.bindings),
        left.ticks | right.ticks,
        stamp,
    )


def before(left: Occurrence, right: Occurrence, order: Precedence) -> bool:
    """Whether `left` is before `right` in the order that an operator uses."""
    if order is Precedence.GAP:
        return left.end < right.start
    if order is Precedence.GLOBAL and left.stamp is not None and right.stamp is not None:
        return precedes(left.stamp, right.stamp)
    if order is Precedence.WEAK:
        return not precedes(right.stamp, left.stamp) if left.stamp and right.stamp else left.end <= right.end
    return left.end < right.end


class Operator(NamedTuple):
    """How two operands combine: whether the right one fits after the left one, and what both are as one."""

    fits: Callable[[Occurrence, Occurrence], bool]
    combine: Callable[[Occurrence, Occurrence], Occurrence]


def _joined(left: Occurrence, right: Occurrence) -> Occurrence:
    """Definition 4.10's conjunction: the later stamp, or the join where neither is before the other."""
    if left.stamp is None or right.stamp is None:
        return combined(left, right)
    return combined(left, right, later_or_join(left.stamp, right.stamp))


def _are_concurrent(left: Occurrence, right: Occurrence) -> bool:
    if left.stamp is None or right.stamp is None:
        return left.end == right.end
    return concurrent(left.stamp, right.stamp)


def _as_last(left: Occurrence, right: Occurrence) -> Occurrence:
    """A sequence is stamped as its last part."""
    return combined(left, right, right.stamp)


BOTH = Operator(lambda left, right: True, _joined)
CONCURRENT = Operator(_are_concurrent, _joined)
SEQUENCES = {
    Precedence.ENDS: Operator(lambda left, right: before(left, right, Precedence.ENDS), _as_last),
    Precedence.GLOBAL: Operator(lambda left, right: before(left, right, Precedence.GLOBAL), _as_last),
    Precedence.GAP: Operator(lambda left, right: before(left, right, Precedence.GAP), _as_last),
    Precedence.WEAK: Operator(lambda left, right: before(left, right, Precedence.WEAK), _joined),
}
"""`a ; b` in each order. A chain of them holds if each neighbour fits, for a sequence ends with its last part."""


def absence_holds(
    pattern: Absence,
    whole: Occurrence,
    first: Occurrence,
    last: Occurrence,
    cancelling: Iterable[Occurrence],
    around: Surroundings,
    outer: Mapping[str, Bound] = NO_VARIABLES,
) -> bool:
    """No cancelling occurrence between first and last, and the guard of the whole expression holds.

    `outer` are the variables that are bound around it: inside a negation a guard may name them (004).
    """
    guard = pattern.guard
    if not holds(guard, {**outer, **whole.variables()}, around):
        return False
    selects = guard is not None and not variables_of(guard).isdisjoint(bound(pattern.without))
    # What is at one instant with either of them is not between them.
    order = Precedence.ENDS if pattern.order is Precedence.WEAK else pattern.order
    return not any(
        before(first, one, order)
        and before(one, last, order)
        # 003 example 7: tested with first and the cancelling one bound, and last unbound.
        and (not selects or holds(guard, {**outer, **first.variables(), **one.variables()}, around))
        for one in cancelling
    )


# -- several as one ----------------------------------------------------------------------------------------------


def attribute_value(one: Occurrence, attribute: str | None) -> object:
    """The value that repetitions compare, told apart by type; None if the event does not have it, or has a NaN."""
    if attribute is None:
        return ()  # nothing is compared: all are alike
    return told_apart(found_in(one.events[0].data, attribute)) if len(one.events) == 1 else None


def group_value(one: Occurrence, attributes: tuple[str, ...]) -> tuple[object, ...] | None:
    """The group that an event belongs to by these attributes; None if it lacks one."""
    values = tuple([attribute_value(one, attribute) for attribute in attributes])
    return None if None in values else values


def gathered(taken: Iterable[Occurrence]) -> Occurrence:
    """Several occurrences of one pattern as one; a variable inside stands for all of its occurrences."""
    ones = sorted(taken, key=chronology)
    names = sorted({name for one in ones for name, _ in one.bindings})
    bindings = tuple((name, _all_bound(name, ones)) for name in names)
    return Occurrence(
        min(one.start for one in ones),
        max(one.end for one in ones),
        merged(*(one.events for one in ones)),
        bindings,
        frozenset().union(*(one.ticks for one in ones)),
        stamp_of(ones),
    )


def stamp_of(ones: Iterable[Occurrence]) -> GlobalStamp | None:
    """The stamp of several occurrences as one: of those that are not before another."""
    stamps = [one.stamp for one in ones]
    return None if None in stamps else latest_joined(stamp for stamp in stamps if stamp is not None)


def _all_bound(name: str, ones: list[Occurrence]) -> tuple[Occurrence, ...]:
    found: list[Occurrence] = []
    for one in ones:
        value = one.variables().get(name)
        found.extend([] if value is None else [value] if isinstance(value, Occurrence) else value)
    return tuple(found)


def accumulated(firsts: list[Occurrence], last: Occurrence) -> Occurrence:
    """`last` with all of `firsts`, stamped as `last` (002 definition 4.10)."""
    return combined(gathered(firsts), last, last.stamp) if firsts else last


def delayed(pattern: After, one: Occurrence, granularity: int | None) -> Occurrence:
    """`one` as it occurs a period later: a time event, stamped at the detector's own site as `at` and `every` are."""
    due = pattern.period.added_to(one.end)
    tick = Tick(pattern, due, one.key)
    start = due if pattern.instant else one.start
    stamp = None if granularity is None else primitive_stamp("", due, granularity)
    return Occurrence(start, due, one.events, one.bindings, one.ticks | {tick}, stamp)
