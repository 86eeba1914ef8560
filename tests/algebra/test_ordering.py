"""Orders one arrival at a time: cut anywhere they release the same; silent sources, watermarks, what is kept and told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algebra.building import SECOND
from tocsin.algebra.order import Ordering, OutOfOrder, Release, order_text, ordering, released
from tocsin.algebra.rules import BEST_EFFORT, Order
from tocsin.events import Arrival, Event, Heartbeat, Moment
from tocsin.rules.options import order_of
from tocsin.time.spans import parse_period

GUARANTEED = Order("guaranteed")
PATIENT = Order("guaranteed", idle=parse_period("3 sec"))

ORDERS = st.one_of(
    st.just(BEST_EFFORT),
    st.builds(lambda n: Order("delay", delay=parse_period(f"{n} sec")), st.integers(0, 6)),
    st.just(GUARANTEED),
    st.builds(lambda n: Order("guaranteed", idle=parse_period(f"{n} sec")), st.integers(1, 6)),
    st.builds(lambda p: Order("probabilistic", probability=p), st.sampled_from((0.2, 0.5, 0.9))),
)


@st.composite
def arrivals(draw: st.DrawFn) -> list[Arrival]:
    """Events and heartbeats of three sources in order of arrival; some late, some early, some after a long silence."""
    made: list[Arrival] = []
    clock = 0
    for number in range(draw(st.integers(0, 14))):
        clock += draw(st.sampled_from((0, 0, 1, 1, 2, 5)))
        time = max(0, clock + draw(st.sampled_from((0, 0, 0, -1, -2, -5, 2))))
        source = draw(st.sampled_from("stu"))
        if draw(st.integers(0, 4)):
            data = {"k": draw(st.sampled_from((1, "x", None, Moment(5), [1, {"$moment": 2}])))}
            times = time * SECOND, max(0, time - draw(st.integers(0, 2))) * SECOND
            made.append(Event("e", *times, str(number), source, data, clock * SECOND))
        else:
            made.append(Heartbeat(source, time * SECOND, clock * SECOND))
    return made


def sources_of(log: list[Arrival]) -> list[str]:
    return [arrival.source for arrival in log]


def told(steps: list[Release | OutOfOrder]) -> list[tuple[object, ...]]:
    """Releases as values: an event that was kept and read again is another object."""
    return [
        ("refused", step.event.id, step.reason)
        if isinstance(step, OutOfOrder)
        else (step.now, step.event and shape(step.event), step.lag, step.clock, step.is_late)
        for step in steps
    ]


def shape(event: Event) -> tuple[object, ...]:
    return (event.type, event.end, event.start, event.id, event.source, repr(event.data), event.arrival)


def moved(one: Ordering, order: Order, sources: list[str]) -> Ordering:
    """Another one in the same state, which went through JSON."""
    state: dict[str, Any] = json.loads(json.dumps(one.state()))
    other = ordering(order, sources)
    other.restore(state)
    assert (other.held, other.stats()) == (one.held, one.stats())
    return other


@given(arrivals(), ORDERS, st.data())
def test_cut_anywhere_the_releases_are_the_same(log: list[Arrival], order: Order, data: st.DataObject) -> None:
    one = ordering(order, sources_of(log))
    found: list[Release | OutOfOrder] = []
    for arrival in log:
        if data.draw(st.booleans()):
            one = moved(one, order, sources_of(log))
        found += one.offer(arrival)
    found += moved(one, order, sources_of(log)).close()
    assert told(found) == told(list(released(log, order)))


@given(arrivals(), ORDERS, st.data())
def test_a_clock_that_is_told_more_often_changes_no_event(
    log: list[Arrival], order: Order, data: st.DataObject
) -> None:
    one = ordering(order, sources_of(log))
    found: list[Release | OutOfOrder] = []
    clock = 0
    for arrival in log:
        while clock < arrival.arrival:
            clock = min(arrival.arrival, clock + data.draw(st.integers(1, 4)) * SECOND)
            found += one.advance(clock)
        found += one.offer(arrival)
    found += one.close()
    assert told(with_events(found)) == told(with_events(list(released(log, order))))
    nows = [step.now for step in found if isinstance(step, Release)]
    assert nows == sorted(nows)


def with_events(steps: list[Release | OutOfOrder]) -> list[Release | OutOfOrder]:
    return [step for step in steps if step.event is not None]


@given(arrivals(), ORDERS)
def test_nothing_is_lost_or_doubled_and_what_is_late_is_counted(log: list[Arrival], order: Order) -> None:
    one = ordering(order)
    found = [step for arrival in log for step in one.offer(arrival)]
    held = one.held
    closing = one.close()
    events = [step.event.id for step in found + closing if step.event is not None]
    assert sorted(events) == sorted(arrival.id for arrival in log if isinstance(arrival, Event))
    assert len(closing) == held
    assert one.held == 0
    releases = [step for step in found + closing if isinstance(step, Release) and step.event is not None]
    latest, late = -1, 0
    for step in releases:
        assert step.event is not None
        assert step.is_late == (step.event.end < latest)
        late += step.is_late
        latest = max(latest, step.event.end)
    refused = sum(isinstance(step, OutOfOrder) for step in found)
    assert (one.stats()["late"], one.stats()["refused"]) == (late, refused)


# -- sources that fall silent ------------------------------------------------------------------------------------------


def event(name: str, time: float, arrival: float | None = None, source: str = "") -> Event:
    instant = round(time * SECOND)
    came = instant if arrival is None else round(arrival * SECOND)
    return Event(name, instant, instant, f"{name}{time:g}", source, {}, came)


def beat(source: str, time: float, arrival: float) -> Heartbeat:
    return Heartbeat(source, round(time * SECOND), round(arrival * SECOND))


def shown(steps: list[Release | OutOfOrder]) -> list[str]:
    """`a1@5/9`: an event, the time then reached, the arrival clock; `!a1` if it is refused."""
    return [
        f"!{step.event.id}"
        if isinstance(step, OutOfOrder)
        else f"{step.event.id}@{step.now / SECOND:g}/{(step.clock or 0) / SECOND:g}"
        for step in steps
        if step.event is not None
    ]


def test_a_silent_source_no_longer_holds_the_others_back() -> None:
    one = ordering(PATIENT, ["s", "t"])
    assert one.offer(event("a", 1, source="s")) == []
    assert one.offer(event("b", 2, source="s")) == []
    assert shown(one.advance(3_999_999)) == []
    assert shown(one.advance(4 * SECOND)) == ["a1@1/4"]
    assert one.stats()["idle"] == ["t"]


def test_it_was_idle_from_the_moment_its_time_was_up_whenever_that_is_noticed() -> None:
    one = ordering(PATIENT, ["s", "t"])
    one.offer(event("a", 1, source="s"))
    one.offer(event("b", 2, 3.5, source="s"))
    assert shown(one.offer(event("c", 6, source="s"))) == ["a1@1/4", "b2@2/6"]


def test_without_a_time_it_is_waited_for_for_ever() -> None:
    one = ordering(GUARANTEED, ["s", "t"])
    one.offer(event("a", 1, source="s"))
    assert one.offer(event("b", 9, source="s")) == []
    assert one.advance(10**15) == []
    assert one.held == 2


def test_a_heartbeat_keeps_a_source_alive_and_holding() -> None:
    one = ordering(PATIENT, ["s", "t"])
    one.offer(event("a", 1, source="s"))
    for second in (2, 4, 6, 8):
        assert one.offer(event("b", second, source="s")) == []
        assert one.offer(beat("t", 0, second)) == []
    assert one.stats()["idle"] == []
    assert shown(one.offer(beat("t", 5, 9))) == ["a1@1/9", "b2@2/9", "b4@4/9"]


def test_when_all_are_silent_nothing_waits() -> None:
    one = ordering(PATIENT, ["s", "t"])
    one.offer(event("a", 1, source="s"))
    one.offer(event("b", 2, source="t"))
    assert shown(one.advance(20 * SECOND)) == ["a1@1/4", "b2@2/5"]
    assert one.stats()["reached"] == 2 * SECOND


def test_what_comes_back_late_is_evaluated_at_once_and_then_holds_again() -> None:
    one = ordering(PATIENT, ["s", "t"])
    one.offer(event("x", 0, source="t"))
    one.offer(event("a", 1, source="s"))
    assert shown(one.offer(event("b", 3.5, source="s"))) == ["x0@0/3", "a1@1/3.5"]
    assert shown(one.offer(event("c", 5, source="s"))) == ["b3.5@3.5/5"]
    assert shown(one.offer(event("y", 2, 6, source="t"))) == ["y2@5/6"]
    assert one.late == 1
    assert shown(one.offer(event("d", 8, source="s"))) == []
    assert shown(one.offer(event("z", 7, 8.5, source="t"))) == ["c5@5/8.5"]


def test_below_its_own_frontier_it_is_refused_idle_or_not_and_lives() -> None:
    one = ordering(PATIENT, ["s", "t"])
    one.offer(event("x", 2, source="t"))
    one.offer(event("a", 6, source="s"))
    assert one.stats()["idle"] == ["t"]
    assert shown(one.offer(event("y", 1, 7, source="t"))) == ["!y1"]
    assert one.stats()["idle"] == []
    assert shown(one.offer(event("b", 8, source="s"))) == []


def test_a_source_that_was_never_named_counts_from_its_first_report_on() -> None:
    one = ordering(GUARANTEED)
    one.offer(event("a", 1, source="s"))
    assert shown(one.offer(event("b", 2, source="s"))) == ["a1@1/2"]
    assert shown(one.offer(event("x", 0.5, 3, source="t"))) == ["x0.5@2/3"]
    assert shown(one.offer(event("c", 4, source="s"))) == []
    assert one.stats()["sources"] == {"s": 4 * SECOND, "t": SECOND // 2}


@given(arrivals(), st.data())
def test_patience_that_never_ends_is_none(log: list[Arrival], data: st.DataObject) -> None:
    never = Order("guaranteed", idle=parse_period("1 year"))
    assert told(list(released(log, never))) == told(list(released(log, GUARANTEED)))


# -- watermarks --------------------------------------------------------------------------------------------------------


def test_what_the_watermark_has_passed_is_stable() -> None:
    one = ordering(GUARANTEED, ["s", "t"])
    for second in (1, 2, 3):
        one.offer(event("a", second, source="s"))
    assert shown(one.watermark(2 * SECOND)) == ["a1@1/3"]
    assert shown(one.watermark(SECOND)) == []
    assert shown(one.offer(event("b", 0.5, 4, source="t"))) == ["b0.5@2/4"]
    assert shown(one.watermark(4 * SECOND)) == ["a2@2/4", "a3@3/4"]


def test_a_watermark_is_certainty_for_probabilistic_and_nothing_to_those_that_go_by_the_clock() -> None:
    one = ordering(Order("probabilistic", probability=1.0))
    one.offer(event("a", 1, source="s"))
    assert shown(one.watermark(2 * SECOND)) == ["a1@1/1"]
    delayed = ordering(order_of("delay:5 sec"))
    delayed.offer(event("a", 1))
    assert delayed.watermark(9 * SECOND) == ordering(BEST_EFFORT).watermark(9 * SECOND) == []
    assert delayed.held == 1


# -- as text -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["best-effort", "delay:5*sec", "guaranteed", "guaranteed:5*min", "probabilistic:0.95", "delay:0*sec"]
)
def test_an_order_as_text_and_back(text: str) -> None:
    assert order_of(order_text(order_of(text))) == order_of(text)


def test_sources_named_only_after_a_restart_are_waited_for() -> None:
    one = ordering(PATIENT, ["s"])
    one.offer(event("a", 1, source="s"))
    other = ordering(PATIENT, ["s", "t"])
    other.restore(one.state())
    assert shown(other.offer(event("b", 2, source="s"))) == []
    assert shown(other.advance(4 * SECOND)) == ["a1@1/4"]
