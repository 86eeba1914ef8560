"""Batches from events, one object each."""

from __future__ import annotations

from array import array

from tocsin.engine.batch import Batch
from tocsin.events import Arrival, Event

NOTHING = ""
"""The type of what only moves the clock. No event has it."""


def batch_of(arrivals: list[Arrival]) -> Batch:
    """Some arrivals as a batch. A heartbeat is a row of a type that nobody wants."""
    kinds: dict[str, int] = {}
    events: list[Event] = []
    for arrival in arrivals:
        if isinstance(arrival, Event):
            events.append(arrival)
        else:
            events.append(Event(NOTHING, arrival.time, arrival.time, source=arrival.source, arrival=arrival.arrival))
    codes = array("q", [kinds.setdefault(event.type, len(kinds)) for event in events])
    return Batch(
        len(events),
        list(kinds),
        codes.tobytes(),
        array("q", [event.end for event in events]).tobytes(),
        array("q", [event.start for event in events]).tobytes(),
        array("q", [event.arrival for event in events]).tobytes(),
        events=events,
    )
