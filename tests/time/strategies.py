"""Time points to test with."""

from __future__ import annotations

from hypothesis import strategies as st

from tocsin.time import TimePoint


@st.composite
def partial_points(draw: st.DrawFn) -> TimePoint:
    """Points with some fields open, not all of them possible; rare dates often."""
    timed = draw(st.booleans())
    day = draw(st.none() | st.integers(1, 31) | st.sampled_from([29, 30, 31]))
    month = draw(st.none() | st.integers(1, 12) | st.just(2))
    year = draw(st.none() | st.none() | st.integers(1890, 2110) | st.sampled_from([1900, 1996, 2000, 2100]))
    return TimePoint(
        draw(st.integers(0, 23)) if timed else None,
        draw(st.integers(0, 59)) if timed else None,
        draw(st.integers(0, 59)) if timed else None,
        draw(st.integers(0, 999)) if timed else None,
        draw(st.none() | st.integers(0, 6)),
        day,
        month,
        year,
    )
