"""Detections as rows of a DataFrame: the fields that `tocsin detect` writes, and the key of keyed rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tocsin.engine.reports import Reported
from tocsin.events import Detection
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import timely, to_json
from tocsin.planner.placement import KEY, Placement
from tocsin.spark.shard import Found
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT

SCHEMA: Final = (
    "id string, rule string, type string, start timestamp, time timestamp, detected timestamp, events array<string>,"
    " data string, notification string, source string,"
    " stamp string, key string"
)
"""`data` is a text of JSON: rules have different data."""
MOMENTS: Final = ("start", "time", "detected")
MOST_ROWS: Final = 8192
"""Detections that leave a shard at a time."""


def row_batches(pa: Any, found: Found, placement: Placement, style: TimeStyle) -> Iterator[Any]:
    """What a shard found as record batches of SCHEMA."""
    made = (
        _of_columns(found) if isinstance(found, Reported) else _of_detections(found, dict(placement.key_names), style)
    )
    moment = pa.timestamp("us", "UTC")
    kinds = dict.fromkeys(MOMENTS, moment) | {"events": pa.list_(pa.string())}
    for start in range(0, len(made["id"]), MOST_ROWS):
        rows = slice(start, start + MOST_ROWS)
        yield pa.record_batch(
            {name: pa.array(values[rows], kinds.get(name, pa.string())) for name, values in made.items()}
        )


def _of_columns(found: Reported) -> dict[str, list[Any]]:
    count = len(found.ids)
    nothing: list[Any] = [None] * count
    return {
        "id": found.ids,
        "rule": [found.rule] * count,
        "type": [found.rule] * count,
        "start": list(map(_stamp, found.starts)),
        "time": list(map(_stamp, found.times)),
        "detected": list(map(_stamp, found.detected)),
        "events": found.events,
        "data": found.data,
        "notification": nothing,
        "source": [""] * count,
        "stamp": nothing,
        "key": [_text(value) for value in found.values],
    }


def _of_detections(ones: Sequence[Detection], keys: Mapping[str, str], style: TimeStyle) -> dict[str, list[Any]]:
    return {
        "id": [one.id for one in ones],
        "rule": [one.rule for one in ones],
        "type": [one.type for one in ones],
        "start": [_stamp(one.start) for one in ones],
        "time": [_stamp(one.time) for one in ones],
        "detected": [_stamp(one.detected) for one in ones],
        "events": [list(one.events) for one in ones],
        "data": [_data(one, style) for one in ones],
        "notification": [one.notification for one in ones],
        "source": [one.source for one in ones],
        "stamp": [None if one.stamp is None else to_json(one.stamp) for one in ones],
        "key": [_key(one, keys.get(one.rule)) for one in ones],
    }


def _data(one: Detection, style: TimeStyle) -> str:
    return to_json(timely({name: value for name, value in one.data.items() if name != KEY}, style))


def _stamp(instant: int) -> int:
    return min(max(instant, FIRST_INSTANT), LAST_INSTANT)


def _key(one: Detection, name: str | None) -> str | None:
    """The value that all its events have in common."""
    if name is None or name not in one.data:
        return None
    value = one.data[name]
    if isinstance(value, list):
        value = value[0] if value else None
    return _text(value)


def _text(value: object) -> str | None:
    return value if value is None or isinstance(value, str) else to_json(value)
