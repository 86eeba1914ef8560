"""What must hold of the meaning itself: it agrees with an independent reading, and replay agrees with it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.algebra.building import SECOND
from tests.algebra.oracle import choices
from tests.algebra.strategies import NEGATIVE, POSITIVE, TIMED, logs
from tests.amounts import examples
from tocsin.algebra.meaning import occurrences
from tocsin.algebra.patterns import Pattern
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import BEST_EFFORT, Command, Context, Define, Enable, Order, Program, Rule
from tocsin.algebra.scene import FAR, History
from tocsin.events import Detection, Event
from tocsin.time.spans import Period

MANY = settings(max_examples=examples(200), deadline=None)


def run(
    pattern: Pattern, log: list[Event], context: Context = Context.UNRESTRICTED, order: Order = BEST_EFFORT
) -> list[Detection]:
    rule = Rule("r", pattern, "eps", context=context)
    return list(replay(Program((Define(rule), Command(Enable("r")))), log, order=order))


def sets(found: list[Detection]) -> list[tuple[str, ...]]:
    return sorted(one.events for one in found)


def ids(found: list[Detection]) -> list[str]:
    return sorted(one.id for one in found)


@MANY
@given(NEGATIVE, logs())
def test_occurrences_agree_with_an_independent_reading(pattern: Pattern, log: list[Event]) -> None:
    found = {(frozenset(one.events), one.end) for one in occurrences(pattern, History(log, FAR))}
    assert found == {(chosen, end) for chosen, end, _ in choices(pattern, log)}


@MANY
@given(POSITIVE, logs())
def test_everything_that_occurs_is_detected_once_whatever_the_order_of_arrival(
    pattern: Pattern, log: list[Event]
) -> None:
    """Without negation an occurrence is complete when its last event arrives, and then nothing can undo it."""
    wanted = occurrences(pattern, History(log, FAR))
    found = run(pattern, log)
    assert len(ids(found)) == len(set(ids(found))) == len(wanted)
    assert sets(found) == sorted(tuple(event.id for event in one.events) for one in wanted)


@MANY
@given(TIMED, logs(), st.sampled_from(list(Context)))
def test_a_long_delay_restores_the_order(pattern: Pattern, log: list[Event], context: Context) -> None:
    """A delay of at least the greatest lateness gives what the same events in order of occurrence give.

    What occurs at one instant is put in the total order: a source's events stay as they came.
    """
    ordered = sorted(log, key=lambda event: (event.end, event.start, event.source))
    in_time = [Event(e.type, e.end, e.start, e.id, e.source, e.data, e.end) for e in ordered]
    delayed = run(pattern, log, context, Order("delay", delay=Period.of(microseconds=20 * SECOND)))
    assert ids(delayed) == ids(run(pattern, in_time, context))


@MANY
@given(TIMED, logs(late=False), st.data(), st.sampled_from(list(Context)))
def test_guaranteed_does_not_depend_on_the_order_of_arrival(
    pattern: Pattern, log: list[Event], data: st.DataObject, context: Context
) -> None:
    """Each source in its own order, the sources mixed in any way: the same detections."""
    guaranteed = Order("guaranteed")
    first = [event for event in log if event.source == "s"]
    second = [event for event in log if event.source == "t"]
    mixed: list[Event] = []
    while first or second:
        side = first if first and (not second or data.draw(st.booleans())) else second
        mixed.append(side.pop(0))
    arrived = [Event(e.type, e.end, e.start, e.id, e.source, e.data, 100 + n) for n, e in enumerate(mixed)]
    wanted = ids(run(pattern, log, context, guaranteed))
    tied = len({event.end for event in log}) < len(log)
    found = ids(run(pattern, arrived, context, guaranteed))
    # Events of one instant from two sources have no order but that of arrival, which the consuming contexts follow.
    assert found == wanted or (tied and context is not Context.UNRESTRICTED)


@MANY
@given(NEGATIVE, logs())
def test_generic_fires_once_an_arrival_and_uses_up(pattern: Pattern, log: list[Event]) -> None:
    found = run(pattern, log, Context.GENERIC)
    used = [event for one in found for event in one.events]
    assert len(used) == len(set(used))
    assert len(found) <= len(log)


@MANY
@given(POSITIVE, logs())
def test_generic_chooses_among_what_occurs(pattern: Pattern, log: list[Event]) -> None:
    assert set(ids(run(pattern, log, Context.GENERIC))) <= set(ids(run(pattern, log)))


@MANY
@given(POSITIVE, logs())
def test_generic_leaves_nothing_that_could_still_fire(pattern: Pattern, log: list[Event]) -> None:
    """After the last arrival, what is left unused holds no occurrence that a later arrival alone would not need."""
    found = run(pattern, log, Context.GENERIC)
    used = {event for one in found for event in one.events}
    left = [event for event in log if event.id not in used]
    for arrival in log[-1:]:
        if arrival in left:
            assert not occurrences(pattern, History(left, FAR), arrival)


@MANY
@given(NEGATIVE, logs(late=False))
def test_detections_come_in_order_and_never_before_their_events(pattern: Pattern, log: list[Event]) -> None:
    arrivals = {event.id: event.arrival for event in log}
    clock = -1
    for one in run(pattern, log):
        assert one.detected_us >= clock
        assert one.detected_us == max(arrivals[event] for event in one.events)
        clock = one.detected_us
