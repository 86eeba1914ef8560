"""2g stamps in a branch: how far a search by exact times has to look, and where it asks the stamps themselves.

Single events that are in 002's order end in it, too. Where stamps have been joined that is so within a few ticks: what
is before something may end a tick later than it, and what is concurrent with it two. So a search looks that much
further than it would by exact times, and `Stamped` then says what counts. How much later than its own end the events
of a part may end is its `late`, in ticks.
"""

from __future__ import annotations

from dataclasses import replace

from tocsin.algebra.patterns import Precedence
from tocsin.plan.searches import Extreme, Point, Shifted, Stamped
from tocsin.planner.alternatives import Unsupported
from tocsin.planner.branch_builder import Building, Extent
from tocsin.time.periods import Period

FAR_APART = 2
"""Ticks after which whatever ends is later by its stamp."""


def refuse(building: Building, is_refused: bool = True) -> None:
    """What is searched for by exact times alone, where those do not tell."""
    if building.granularity is not None and is_refused:
        raise Unsupported("the network searches by exact times, and here joined 2g stamps are compared")


def put_in_order(building: Building, left: Extent, right: Extent, order: Precedence) -> None:
    """One part is before another."""
    if building.granularity is None:
        building.follow(left.end, right.end, or_equal=order is Precedence.WEAK)
        return
    slack = left.late
    if order is Precedence.GLOBAL:
        slack += left.is_joined or right.is_joined
    elif order is Precedence.WEAK:
        slack += FAR_APART
    if slack == 0:
        building.follow(left.end, right.end)
    else:
        _follow_within(building, left.end, right.end, slack)
    if slack or right.late or order is Precedence.GLOBAL:
        building.constraints.append(Stamped(left.planted(), right.planted(), order))


def put_together(building: Building, left: Extent, right: Extent) -> None:
    """Two parts are concurrent."""
    if building.granularity is None:
        building.follow(left.end, right.end, same=True)
        return
    _follow_within(building, left.end, right.end, left.late + FAR_APART)
    _follow_within(building, right.end, left.end, right.late + FAR_APART)
    building.constraints.append(Stamped(left.planted(), right.planted(), None))


def put_far_apart(building: Building, left: Extent, right: Extent) -> None:
    """One part ends so long before another that it is before it by any stamp."""
    building.follow(_moved(building, left.end, FAR_APART + right.late), right.end)


def _follow_within(building: Building, left: Point, right: Point, ticks: int) -> None:
    """One point is before another, or less than so many ticks after it: said of both, so that either bounds the other.

    Of the latest of several points each by itself, so that what is known of one tells whether anything can follow.
    """
    building.is_loose = True
    for point in left.of if isinstance(left, Extreme) and left.is_latest else (left,):
        building.follow(point, _moved(building, right, ticks))
        building.follow(_moved(building, point, -ticks), right)


def _moved(building: Building, point: Point, ticks: int) -> Point:
    assert building.granularity is not None
    return Shifted(point, Period.of(microseconds=ticks * building.granularity))


def joined(building: Building, whole: Extent, extents: list[Extent]) -> Extent:
    """Parts of which none is the last, as one: stamped with what of them is not before another."""
    if building.granularity is None:
        return whole
    late, is_joined = extents[0].late, extents[0].is_joined
    for extent in extents[1:]:
        late = max(late, extent.late) + (is_joined or extent.is_joined)
        is_joined = True
    return replace(whole, late=late, is_joined=is_joined)


def stamped_as(whole: Extent, last: Extent) -> Extent:
    """What is stamped as its last part."""
    return replace(whole, late=last.late, is_joined=last.is_joined)
