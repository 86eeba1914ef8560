"""The detection policies: when each arrival is evaluated, what counts as late, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.algebra.building import SECOND
from tests.algebra.strategies import logs
from tocsin.algebra.notes import Notes
from tocsin.algebra.order import OutOfOrder, Release, released
from tocsin.algebra.patterns import Every, Named, Primitive, Sequence
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import BEST_EFFORT, Command, Context, Define, Enable, Order, Program, Rule
from tocsin.errors import UsageError
from tocsin.events import Arrival, Detection, Event, Heartbeat
from tocsin.time.spans import parse_period

GUARANTEED = Order("guaranteed")


def delay(span: str) -> Order:
    return Order("delay", delay=parse_period(span))


def event(name: str, time: float, arrival: float | None = None, source: str = "") -> Event:
    """An event whose id is its type and time: `a1`."""
    instant = round(time * SECOND)
    came = instant if arrival is None else round(arrival * SECOND)
    return Event(name, instant, instant, f"{name}{time:g}", source, {}, came)


def beat(source: str, time: float, arrival: float) -> Heartbeat:
    return Heartbeat(source, round(time * SECOND), round(arrival * SECOND))


def evaluated(log: list[Arrival], order: Order) -> list[str]:
    """Ids in the order of evaluation; `a1@5` where the clock then stood at 5; refused ones with `!`."""
    found = []
    for step in released(log, order):
        if isinstance(step, OutOfOrder):
            found.append(f"!{step.event.id}")
        elif step.event is not None:
            found.append(f"{step.event.id}@{step.now / SECOND:g}")
    return found


def detections(
    log: list[Arrival],
    order: Order = BEST_EFFORT,
    until: float | None = None,
    notes: Notes | None = None,
    **options: bool,
) -> list[Detection]:
    rule = Rule("r", Sequence((Primitive("a"), Primitive("b"))), "eps", context=Context.CHRONICLE)
    program = Program((Define(rule), Command(Enable("r"))))
    limit = None if until is None else round(until * SECOND)
    return list(replay(program, log, order=order, until=limit, notes=notes, **options))


# -- best effort -----------------------------------------------------------------------------------------------------


def test_best_effort_evaluates_on_arrival() -> None:
    assert evaluated([event("b", 5), event("a", 1, 6), beat("", 7, 7)], BEST_EFFORT) == ["b5@5", "a1@6"]


def test_a_heartbeat_moves_the_clock() -> None:
    assert list(released([beat("s", 5, 9)], BEST_EFFORT)) == [Release(9 * SECOND)]


# -- delay -----------------------------------------------------------------------------------------------------------


def test_a_delay_puts_late_arrivals_back_in_their_place() -> None:
    log: list[Arrival] = [event("b", 2), event("a", 1, 4), event("x", 3, 5), event("y", 20)]
    assert evaluated(log, delay("5 sec")) == ["a1@1", "b2@2", "x3@3", "y20@20"]


def test_an_event_is_released_as_soon_as_the_clock_is_past_its_delay() -> None:
    """What is due just when something arrives waits: it may have the same time, and come after that."""
    first, second = event("a", 0), event("x", 5)
    arriving = iter([first, event("y", 4.9), second, event("w", 5.1), event("z", 30)])
    assert next(released(arriving, delay("5 sec"))) == Release(0, first, lag=5 * SECOND)
    assert next(arriving).type == "z"


def test_later_than_the_delay_is_evaluated_at_once() -> None:
    log: list[Arrival] = [event("b", 10), event("x", 30), event("a", 1, 31), event("c", 26, 31)]
    assert evaluated(log, delay("5 sec")) == ["b10@10", "a1@26", "c26@26", "x30@30"]


def test_equal_times_are_released_in_order_of_arrival() -> None:
    log: list[Arrival] = [event("b", 1), event("a", 1), event("c", 1, 3)]
    assert evaluated(log, delay("5 sec")) == ["b1@1", "a1@1", "c1@1"]


def test_the_end_of_the_input_releases_what_is_held() -> None:
    assert evaluated([event("b", 2), event("a", 1, 3)], delay("1 hour")) == ["a1@1", "b2@2"]


def test_what_was_delayed_is_detected_the_delay_after_its_time() -> None:
    (found,) = detections([event("b", 2), event("a", 1, 4), event("x", 50)], delay("5 sec"))
    assert (found.time_us, found.detected_us, found.events) == (2 * SECOND, 7 * SECOND, ("a1", "b2"))


def test_no_delay_is_best_effort_in_order() -> None:
    log: list[Arrival] = [event("a", 1), event("b", 2), event("b", 1.5, 3)]
    assert evaluated(log, delay("0 sec")) == ["a1@1", "b2@2", "b1.5@3"]


@given(logs(), st.integers(0, 8))
def test_a_delay_loses_and_doubles_nothing_and_time_never_goes_back(log: list[Event], seconds: int) -> None:
    steps = [step for step in released(log, delay(f"{seconds} sec")) if isinstance(step, Release)]
    assert sorted(step.event.id for step in steps if step.event is not None) == sorted(event.id for event in log)
    assert [step.now for step in steps] == sorted(step.now for step in steps)


# -- guaranteed ------------------------------------------------------------------------------------------------------


def test_guaranteed_waits_for_every_source_to_report_strictly_later() -> None:
    log: list[Arrival] = [event("b", 5, source="s"), event("x", 5, 6, "t"), event("a", 4, 7, "t")]
    assert evaluated(log, GUARANTEED) == ["!a4", "b5@5", "x5@5"]
    later: list[Arrival] = [
        event("b", 5, source="s"),
        event("a", 4, 6, "t"),
        event("x", 9, source="s"),
        event("x", 9, source="t"),
    ]
    assert evaluated(later, GUARANTEED) == ["a4@4", "b5@5", "x9@9", "x9@9"]


def test_a_heartbeat_makes_stable_without_an_event() -> None:
    log: list[Arrival] = [event("a", 1, source="s"), beat("t", 3, 3), beat("s", 2, 4), event("x", 50, source="s")]
    steps = list(released(log, GUARANTEED))
    first = next(step for step in steps if isinstance(step, Release))
    assert first == Release(SECOND, log[0], clock=4 * SECOND)  # type: ignore[arg-type]  # an event


def test_a_source_that_is_silent_holds_everything_until_the_end() -> None:
    log: list[Arrival] = [event("a", 1, source="s"), event("b", 9, source="s"), beat("t", 0.5, 10)]
    assert [step.clock for step in released(log, GUARANTEED) if isinstance(step, Release)] == [10 * SECOND] * 2


def test_below_its_own_frontier_is_refused_and_counted() -> None:
    notes = Notes()
    log: list[Arrival] = [event("b", 5, source="s"), event("a", 4, 6, "s"), event("a", 4, 7, "t")]
    assert [one.events for one in detections(log, GUARANTEED, notes=notes)] == [("a4", "b5")]
    assert notes.refused == {"older than what source 's' had already reported": 1}


def test_a_heartbeat_counts_as_a_report_of_its_source() -> None:
    assert evaluated([beat("s", 5, 5), event("a", 4, 6, "s"), event("b", 5, 7, "s")], GUARANTEED) == ["!a4", "b5@5"]


def test_an_old_heartbeat_takes_nothing_back() -> None:
    log: list[Arrival] = [event("a", 5, source="s"), beat("s", 3, 6), event("b", 4, 7, "s")]
    assert evaluated(log, GUARANTEED) == ["!b4", "a5@5"]


def test_detected_is_when_it_became_stable() -> None:
    log: list[Arrival] = [
        event("b", 2, source="s"),
        event("a", 1, 3, "t"),
        event("x", 8, source="s"),
        event("x", 9, source="t"),
    ]
    (found,) = detections(log, GUARANTEED)
    assert (found.time_us, found.detected_us) == (2 * SECOND, 9 * SECOND)


@given(logs())
def test_guaranteed_evaluates_in_order_of_time(log: list[Event]) -> None:
    steps = list(released(log, GUARANTEED))
    times = [step.now for step in steps if isinstance(step, Release)]
    assert times == sorted(times)
    taken = [step.event.id for step in steps if step.event is not None]
    assert sorted(taken) == sorted(event.id for event in log)


# -- the end, and late events ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [BEST_EFFORT, delay("5 sec"), GUARANTEED], ids=lambda order: order.policy)
def test_nothing_arrives_and_nothing_happens(order: Order) -> None:
    assert list(released([], order)) == []
    assert detections([], order, until=10) == []


@pytest.mark.parametrize("order", [BEST_EFFORT, delay("5 sec"), GUARANTEED], ids=lambda order: order.policy)
def test_until_lets_time_events_fall_due_after_the_last_arrival(order: Order) -> None:
    program = Program((Define(Rule("r", Every(parse_period("10 sec")), "eps")), Command(Enable("r"))))
    found = replay(program, [event("x", 5)], order=order, until=30 * SECOND)
    assert [one.time_us // SECOND for one in found] == [15, 25]


def test_until_before_the_last_arrival_ends_nothing_early() -> None:
    assert len(detections([event("a", 1), event("b", 20)], until=5)) == 1


def test_late_events_can_be_ignored_and_are_counted() -> None:
    log: list[Arrival] = [event("b", 5), event("a", 1, 6), event("b", 7)]
    assert [one.events for one in detections(log)] == [("a1", "b5")]
    notes = Notes()
    assert detections(log, notes=notes, ignore_late=True) == []
    assert notes.refused == {"late, and --late ignore was asked for": 1}


def test_under_a_delay_what_waits_is_not_late() -> None:
    log: list[Arrival] = [event("b", 5), event("a", 1, 6), event("x", 30)]
    assert len(detections(log, delay("10 sec"), ignore_late=True)) == 1


def test_an_event_older_than_the_window_is_refused_and_counted() -> None:
    rule = Rule("r", Named("a", Primitive("a")), "eps", window=parse_period("10 sec"))
    notes = Notes()
    log: list[Arrival] = [event("x", 20), event("a", 9, 21), event("a", 11, 21)]
    found = replay(Program((Define(rule), Command(Enable("r")))), log, notes=notes)
    assert [one.events for one in found] == [("a11",)]
    assert notes.refused == {"older than the detection window of rule r": 1}


def test_an_order_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no order 'newest-first'"):
        released([], Order("newest-first"))
