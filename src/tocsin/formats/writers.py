"""Detections and events as text: JSON Lines for programs, a table for people.

A line that is written here is read back by the JSON Lines reader: detections and events have one schema.
"""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

from tocsin.events import Amendment, Detection, Event, Moment
from tocsin.formats.instants import TimeStyle
from tocsin.time.spans import SECOND, Period

_BLOCK: Final = 500
"""Rows of a table that are held back to find the widths of its columns."""
_WIDEST: Final = 60
_PLAIN: Final = frozenset((str, int, float, bool, type(None)))
"""Types of values that are written as they are: nearly all, and asked for first."""
_HEADINGS: Final = ("time", "rule", "type", "start", "detected", "events", "notification or data")


def detection_line(detection: Detection, style: TimeStyle) -> str:
    """A detection as one JSON object, without the end of the line."""
    parts = {
        "rule": to_json(detection.rule),
        "type": to_json(detection.type),
        "start": style.json(detection.start_us),
        "time": style.json(detection.time_us),
        "detected": style.json(detection.detected_us),
        "events": to_json(detection.events),
        "data": to_json(timely(detection.data, style)),
    }
    if detection.notification is not None:
        parts["notification"] = to_json(detection.notification)
    parts["id"] = to_json(detection.id)
    if detection.source:
        parts["source"] = to_json(detection.source)
    if detection.stamp is not None:
        parts["stamp"] = to_json(detection.stamp)
    parts |= {name: to_json(value) for name, value in said_by_rule(detection).items()}
    if isinstance(detection, Amendment):
        parts |= {name: to_json(getattr(detection, name)) for name in ("amends", "change", "because")}
    return _object(parts)


def said_by_rule(detection: Detection) -> dict[str, object]:
    """What its rule says about a detection, where it says anything."""
    said: dict[str, object] = {}
    if detection.severity is not None:
        said["severity"] = detection.severity
    if detection.tags:
        said["tags"] = list(detection.tags)
    if detection.suppressed:
        said["suppressed"] = detection.suppressed
    return said


def event_line(event: Event, style: TimeStyle) -> str:
    """An event as one JSON object, without the end of the line."""
    parts = {"id": to_json(event.id), "type": to_json(event.type)}
    if event.source:
        parts["source"] = to_json(event.source)
    if event.start != event.end:
        parts["start"] = style.json(event.start)
    parts["time"] = style.json(event.end)
    if event.data:
        parts["data"] = to_json(timely(event.data, style))
    parts["arrival"] = style.json(event.arrival)
    if event.events:
        parts["events"] = to_json([part.id for part in event.events])
    return _object(parts)


def detection_lines(detections: Iterable[Detection], style: TimeStyle) -> Iterator[str]:
    """One line a detection, as they come. The style is asked at each, for the first event sets it."""
    return (detection_line(detection, style) for detection in detections)


def event_lines(events: Iterable[Event], style: TimeStyle) -> Iterator[str]:
    """One line an event, as they come."""
    return (event_line(event, style) for event in events)


def detection_table(detections: Iterable[Detection], style: TimeStyle) -> Iterator[str]:
    """The lines of an aligned table. Later rows may widen a column: only a block of rows is held back."""
    rest = iter(detections)
    widths = [display_width(heading) for heading in _HEADINGS]
    headed = False
    while block := [_cells(detection, style) for detection in islice(rest, _BLOCK)]:
        widths = [max(width, *(display_width(row[i]) for row in block)) for i, width in enumerate(widths)]
        if not headed:
            yield _aligned(_HEADINGS, widths)
            yield "  ".join("-" * width for width in widths)
            headed = True
        for row in block:
            yield _aligned(row, widths)
    if not headed:
        yield "nothing detected"


def to_json(value: object) -> str:
    """A value as JSON that every reader takes: no NaN, no half of a surrogate pair, nothing that is not JSON."""
    try:
        text = _ENCODER.encode(value)
    except ValueError:
        return to_json(_finite(value))
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False, default=_other)
    return text


def timely(value: object, style: TimeStyle) -> object:
    """The value with every moment written in the style of the run, and every period as its seconds."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Moment):
        return value.microseconds / SECOND if style.seconds else style.text(value.microseconds)
    if isinstance(value, Period):
        return value.length() / SECOND
    if isinstance(value, Mapping):
        return {key: timely(item, style) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [timely(item, style) for item in value]
    return value


def display_width(text: str) -> int:
    """How many cells of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _object(parts: Mapping[str, str]) -> str:
    return "{" + ", ".join(f'"{name}": {value}' for name, value in parts.items()) + "}"


def _other(value: object) -> object:
    """What JSON does not know, as near as it can say it."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    return str(value)


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_other)
"""Made once: `json.dumps` would make one for every value."""


def _finite(value: object) -> object:
    """The value with null for every number JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_finite(item) for item in value]
    return value


def _cells(detection: Detection, style: TimeStyle) -> tuple[str, ...]:
    """One row of the table."""
    if detection.notification is not None:
        said = detection.notification
    else:
        said = " ".join(f"{name}={_shown(timely(value, style))}" for name, value in detection.data.items())
    if isinstance(detection, Amendment):
        said = f"{detection.change} because of {detection.because} {said}".rstrip()
    times = (style.text(detection.start_us), style.text(detection.detected_us))
    events = " ".join(detection.events)
    return tuple(
        _cut(cell) for cell in (style.text(detection.time_us), detection.rule, detection.type, *times, events, said)
    )


def _shown(value: object) -> str:
    return value if isinstance(value, str) else to_json(value)


def _cut(cell: str) -> str:
    """A cell on one line and not too wide; what cannot be shown is made visible."""
    beginning = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in cell[: _WIDEST + 1])
    return beginning if len(cell) <= _WIDEST else beginning[: _WIDEST - 3] + "..."


def _aligned(cells: Iterable[str], widths: list[int]) -> str:
    padded = (cell + " " * (width - display_width(cell)) for cell, width in zip(cells, widths, strict=True))
    return "  ".join(padded).rstrip()
