"""What the tests of the readers share: events as plain tuples, and readers over text."""

from __future__ import annotations

import io
from typing import Any

from tocsin.events import Arrival, Event
from tocsin.formats import read_events


def read(content: str | bytes, format: str = "jsonl", **options: Any) -> list[Arrival]:
    """The arrivals of a file with this content."""
    raw = content.encode() if isinstance(content, str) else content
    return list(read_events(io.BytesIO(raw), format=format, **options))


def read_with_bad(
    content: str | bytes, format: str = "jsonl", **options: Any
) -> tuple[list[Arrival], list[tuple[int, str]]]:
    """The arrivals, and line number and reason of each line that was skipped."""
    bad: list[tuple[int, str]] = []
    found = read(
        content, format, on_error="skip", on_bad=lambda line, text, reason: bad.append((line, reason)), **options
    )
    return found, bad


def as_tuple(arrival: Arrival) -> tuple[object, ...]:
    """Everything an event says, or a heartbeat marked as one."""
    if isinstance(arrival, Event):
        return (
            arrival.id,
            arrival.type,
            arrival.source,
            arrival.start,
            arrival.end,
            dict(arrival.data),
            arrival.arrival,
        )
    return ("heartbeat", arrival.source, arrival.time, arrival.arrival)


def tuples(arrivals: Any) -> list[tuple[object, ...]]:
    return [as_tuple(arrival) for arrival in arrivals]
