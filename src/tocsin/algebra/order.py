"""In which order arrivals are evaluated: the detection policy, one module in front of everything (SEMANTICS section 4).

A log in order of arrival becomes a stream of `Release`s: advance the clock to `now`, then take the event. Under
best-effort `now` is the arrival clock; under the others it is the time of the event being evaluated, so that
results do not depend on when things happened to arrive.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tocsin.algebra.delays import Sources
from tocsin.algebra.rules import Order
from tocsin.errors import UsageError
from tocsin.events import Arrival, Event, Heartbeat


@dataclass(frozen=True)
class Release:
    """The next thing to evaluate: time has reached `now`, and perhaps an event with it.

    `lag` is what the arrival clock is ahead of `now`, `clock` the arrival clock itself where that is not constant:
    what is detected meanwhile is reported as detected then.
    """

    now: int
    event: Event | None = None
    lag: int = 0
    clock: int | None = None


@dataclass(frozen=True)
class Refused:
    """An arrival older than what its own source had reported: counted and reported, never dropped silently."""

    event: Event
    reason: str


def released(log: Iterable[Arrival], order: Order) -> Iterator[Release | Refused]:
    """The log as the policy evaluates it."""
    match order.policy:
        case "best-effort":
            return _best_effort(log)
        case "delay":
            assert order.delay is not None
            return _delayed(log, order.delay.length())
        case "guaranteed":
            return _guaranteed(list(log))
        case "probabilistic":
            assert order.probability is not None
            return _probabilistic(log, order.probability)
    raise UsageError(f"there is no order '{order.policy}'")


def _best_effort(log: Iterable[Arrival]) -> Iterator[Release]:
    for arrival in log:
        yield Release(arrival.arrival, arrival if isinstance(arrival, Event) else None)


def _delayed(log: Iterable[Arrival], delay: int) -> Iterator[Release]:
    """000's scheduler, 003's uniform delaying: every event waits until the clock is `delay` past its time.

    An event later than that cannot be put in order any more; it is evaluated at once, as under best-effort.
    """
    held: list[tuple[int, int, Event]] = []
    reached: int | None = None
    for number, arrival in enumerate(log):
        limit = arrival.arrival - delay
        while held and held[0][0] <= limit:
            event = heapq.heappop(held)[2]
            reached = event.end if reached is None else max(reached, event.end)
            yield Release(reached, event, lag=delay)
        if reached is not None:
            reached = max(reached, limit)
            yield Release(reached, lag=delay)
        if isinstance(arrival, Heartbeat):
            continue
        if arrival.end <= limit:
            reached = max(limit if reached is None else reached, arrival.end)
            yield Release(reached, arrival, lag=delay)
        else:
            heapq.heappush(held, (arrival.end, number, arrival))
    while held:
        event = heapq.heappop(held)[2]
        yield Release(event.end, event, lag=delay)


def _guaranteed(log: list[Arrival]) -> Iterator[Release | Refused]:
    """An event is evaluated when every source has reported strictly later, or the input has ended."""
    frontier: dict[str, int | None] = {arrival.source: None for arrival in log}
    held: list[tuple[int, int, Event]] = []
    started = False
    for number, arrival in enumerate(log):
        time = arrival.end if isinstance(arrival, Event) else arrival.time
        known = frontier[arrival.source]
        if isinstance(arrival, Event):
            if known is not None and time < known:
                source = f"source '{arrival.source}'" if arrival.source else "their source"
                yield Refused(arrival, f"older than what {source} had already reported")
                continue
            heapq.heappush(held, (time, number, arrival))
        frontier[arrival.source] = time if known is None else max(known, time)
        reports = [reached for reached in frontier.values() if reached is not None]
        stable = min(reports) if len(reports) == len(frontier) else None
        while stable is not None and held and held[0][0] < stable:
            event = heapq.heappop(held)[2]
            started = True
            yield Release(event.end, event, clock=arrival.arrival)
        if stable is not None and started:
            yield Release(stable, clock=arrival.arrival)
    clock = log[-1].arrival if log else 0
    while held:
        event = heapq.heappop(held)[2]
        yield Release(event.end, event, clock=clock)


def _probabilistic(log: Iterable[Arrival], probability: float) -> Iterator[Release]:
    """An event is evaluated when it is probably stable, as far as the delays of each source tell (`delays.py`).

    One that comes after all when others of later time have been evaluated is evaluated at once, as under best-effort.
    """
    sources = Sources()
    held: list[tuple[int, int, Event]] = []
    reached: int | None = None
    clock: int | None = None
    for number, arrival in enumerate(log):
        while held and clock is not None:
            moment = sources.stable_at(held[0][0], probability, clock)
            if moment is None or moment > arrival.arrival:
                break
            event = heapq.heappop(held)[2]
            reached = event.end if reached is None else max(reached, event.end)
            clock = max(clock, moment)
            yield Release(reached, event, clock=clock)
        clock = arrival.arrival
        time = arrival.end if isinstance(arrival, Event) else arrival.time
        sources.report(arrival.source, time, clock)
        if isinstance(arrival, Event):
            heapq.heappush(held, (arrival.end, number, arrival))
    while held:
        event = heapq.heappop(held)[2]
        reached = event.end if reached is None else max(reached, event.end)
        yield Release(reached, event, clock=clock)
