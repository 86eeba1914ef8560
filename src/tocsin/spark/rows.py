"""Detections as rows of a DataFrame: the fields that `tocsin detect` writes, and the key of keyed rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tocsin.events import Detection
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import timely, to_json
from tocsin.planner.placement import KEY, Placement
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT

SCHEMA: Final = (
    "id string, rule string, type string, start timestamp, time timestamp, detected timestamp, events array<string>,"
    " data string, notification string, source string,"
    " stamp string, key string"
)
"""`data` is a text of JSON: rules have different data."""


def row_batch(pa: Any, found: Iterable[Detection], placement: Placement, style: TimeStyle) -> Any:
    """The detections of a shard as a record batch of SCHEMA."""
    ones = list(found)
    moment = pa.timestamp("us", "UTC")
    keys = dict(placement.key_names)
    columns = {
        "id": pa.array([one.id for one in ones], pa.string()),
        "rule": pa.array([one.rule for one in ones], pa.string()),
        "type": pa.array([one.type for one in ones], pa.string()),
        "start": pa.array([_stamp(one.start) for one in ones], moment),
        "time": pa.array([_stamp(one.time) for one in ones], moment),
        "detected": pa.array([_stamp(one.detected) for one in ones], moment),
        "events": pa.array([list(one.events) for one in ones], pa.list_(pa.string())),
        "data": pa.array([_data(one, style) for one in ones], pa.string()),
        "notification": pa.array([one.notification for one in ones], pa.string()),
        "source": pa.array([one.source for one in ones], pa.string()),
        "stamp": pa.array([None if one.stamp is None else to_json(one.stamp) for one in ones], pa.string()),
        "key": pa.array([_key(one, keys.get(one.rule)) for one in ones], pa.string()),
    }
    return pa.RecordBatch.from_pydict(columns)


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
    if value is None:
        return None
    return value if isinstance(value, str) else to_json(value)
