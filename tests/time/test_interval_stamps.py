"""Point and interval order (001 section 4.2, Fig. 5, appendix A)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.errors import UsageError
from tocsin.time import Interval, before, strongly_before, union, weakly_before

intervals = st.builds(lambda lo, length: Interval(lo, lo + length), st.integers(0, 12), st.integers(0, 6))

# Fig. 5: t1 is over before the others begin; t2 and t3 overlap.
T1, T2, T3 = Interval(0, 2), Interval(4, 7), Interval(6, 9)


def test_equal_instants_are_never_before_each_other() -> None:
    assert before(1, 2)
    assert not before(2, 2)
    assert not before(2, 1)


def test_figure_5_strong_order() -> None:
    assert strongly_before(T1, T2)
    assert strongly_before(T1, T3)
    # Formula (3) as printed would put t2 before t3, by their ends alone.
    assert not strongly_before(T2, T3)
    assert not strongly_before(T3, T2)


def test_figure_5_weak_order() -> None:
    assert weakly_before(T1, T2)
    assert weakly_before(T2, T3)
    assert weakly_before(T1, T3)
    assert not weakly_before(T3, T2)


def test_weak_order_by_end_then_start() -> None:
    assert weakly_before(Interval(5, 7), Interval(1, 8))
    assert weakly_before(Interval(1, 8), Interval(5, 8))
    assert not weakly_before(Interval(5, 8), Interval(5, 8))


def test_touching_intervals_are_not_in_strong_order() -> None:
    assert not strongly_before(Interval(0, 4), Interval(4, 7))
    assert not strongly_before(Interval(4, 4), Interval(4, 4))


@given(intervals, intervals, intervals)
def test_strong_order_is_a_strict_partial_order(a: Interval, b: Interval, c: Interval) -> None:
    assert not strongly_before(a, a)
    assert not (strongly_before(a, b) and strongly_before(b, a))
    if strongly_before(a, b) and strongly_before(b, c):
        assert strongly_before(a, c)


@given(intervals, intervals, intervals)
def test_weak_order_is_total_and_extends_the_strong_one(a: Interval, b: Interval, c: Interval) -> None:
    assert weakly_before(a, b) + weakly_before(b, a) + (a == b) == 1
    if weakly_before(a, b) and weakly_before(b, c):
        assert weakly_before(a, c)
    if strongly_before(a, b):
        assert weakly_before(a, b)


@given(intervals, intervals, intervals)
def test_union_is_the_least_cover(a: Interval, b: Interval, c: Interval) -> None:
    both = union(a, b)
    assert both == union(b, a)
    assert both.lo in (a.lo, b.lo)
    assert both.hi in (a.hi, b.hi)
    assert both.lo <= min(a.lo, b.lo) <= max(a.hi, b.hi) <= both.hi
    assert union(both, c) == union(a, union(b, c))


def test_an_interval_does_not_end_before_it_starts() -> None:
    with pytest.raises(UsageError):
        Interval(2, 1)
