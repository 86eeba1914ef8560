"""Orders of arrival: what is tried is allowed, differs, and a failing one is made small."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.events import Event
from tocsin.testing.arrivals import Delays, Late, least, orders

SECOND = 1_000_000


def late(times: list[int], delay: int = 10, sources: str = "", by_source: bool = False) -> Late:
    names = sources or "s" * len(times)
    events = [
        Event("a", time * SECOND, time * SECOND, str(number), source)
        for number, (time, source) in enumerate(zip(times, names, strict=True))
    ]
    return Late(tuple(events), delay * SECOND, by_source)


def ids(one: Late, delays: Delays) -> str:
    return "".join(event.id for event in one.arriving(delays))


WORLDS = st.integers(1, 8).flatmap(
    lambda size: st.builds(
        late,
        st.lists(st.integers(0, 30), min_size=size, max_size=size),
        st.integers(1, 20),
        st.text("st", min_size=size, max_size=size),
        st.booleans(),
    )
)


@given(WORLDS, st.integers(0, 40), st.text(max_size=3))
def test_every_order_is_allowed(one: Late, count: int, seed: str) -> None:
    found = orders(one, count, seed)
    assert len(found) == len(set(found)) <= count
    assert found == orders(one, count, seed)
    for delays in found:
        arriving = one.arriving(delays)
        assert sorted(event.id for event in arriving) == sorted(event.id for event in one.events)
        assert all(event.end <= event.arrival <= event.end + one.delay for event in arriving)
        assert all(first.arrival <= second.arrival for first, second in pairwise(arriving))
        for time in {event.end for event in one.events}:
            assert _keeps_order([event for event in arriving if event.end == time])
        for source in {event.source for event in one.events} if one.by_source else ():
            assert _keeps_order([event for event in arriving if event.source == source])


def _keeps_order(some: list[Event]) -> bool:
    return some == sorted(some, key=lambda event: (event.end, int(event.id)))


def test_the_extreme_ones_are_among_them() -> None:
    one = late([0, 3, 6, 9])
    found = [ids(one, delays) for delays in orders(one, 30, "")]
    assert "0123" in found
    assert "3210" in found
    assert "1230" in found
    assert len(set(found)) > 10


def test_a_source_keeps_its_order_where_it_must() -> None:
    one = late([0, 3, 6, 9], sources="stst", by_source=True)
    found = {ids(one, delays) for delays in orders(one, 60, "")}
    assert {"0123", "0213", "1302"} <= found
    assert all(each.index("0") < each.index("2") and each.index("1") < each.index("3") for each in found)


@pytest.mark.parametrize("seed", range(5))
def test_a_failing_order_is_made_as_small_as_can_be(seed: int) -> None:
    """It fails if 2 comes after 5: what is left is that, and nothing else."""
    one = late(list(range(10)))

    def fails(delays: Delays) -> bool:
        order = ids(one, delays)
        return order.index("2") > order.index("5")

    failing = next(delays for delays in orders(one, 200, str(seed)) if fails(delays))
    small = least(one, failing, fails)
    assert small == tuple(3 * SECOND if place == 2 else 0 for place in range(10))
    assert ids(one, small) == "0134526789"


def test_a_delay_that_no_event_marks_is_halved_down() -> None:
    """A timer, say: it fails from 7 seconds on."""
    one = late([0, 100], delay=60)
    assert least(one, (60 * SECOND, 0), lambda delays: delays[0] >= 7 * SECOND)[0] <= 8 * SECOND
