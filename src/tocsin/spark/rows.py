"""Detections as rows of a DataFrame: the fields that `tocsin detect` writes, and the key of keyed rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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


def row_batches(pa: Any, found: Iterable[Found], placement: Placement, style: TimeStyle) -> Iterator[Any]:
    """What a shard found as record batches of SCHEMA: many rows in each, however few a rule has found at a time."""
    keys = dict(placement.key_names)
    rows: dict[str, list[Any]] = {}
    for some in found:
        made = _of_columns(some) if isinstance(some, Reported) else _of_detections(some, keys, style)
        if not rows:
            rows = {name: list(values) for name, values in made.items()}
        else:
            for name, values in made.items():
                rows[name] += values
        if len(rows["id"]) >= MOST_ROWS:
            yield from _batches(pa, rows)
            rows = {}
    if rows:
        yield from _batches(pa, rows)


def _batches(pa: Any, rows: dict[str, list[Any]]) -> Iterator[Any]:
    kinds = dict.fromkeys(MOMENTS, pa.timestamp("us", "UTC")) | {"events": pa.list_(pa.string())}
    for start in range(0, len(rows["id"]), MOST_ROWS):
        some = slice(start, start + MOST_ROWS)
        yield pa.record_batch(
            {name: pa.array(values[some], kinds.get(name, pa.string())) for name, values in rows.items()}
        )


def _of_columns(found: Reported) -> dict[str, list[Any]]:
    count = len(found.ids)
    nothing: list[Any] = [None] * count
    return {
        "id": found.ids,
        "rule": [found.rule] * count,
        "type": [found.rule] * count,
        "start": _stamps(found.starts),
        "time": _stamps(found.times),
        "detected": _stamps(found.detected),
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


def _stamps(instants: list[int]) -> list[int]:
    if not instants or (min(instants) >= FIRST_INSTANT and max(instants) <= LAST_INSTANT):
        return instants
    return list(map(_stamp, instants))


def _key(one: Detection, name: str | None) -> str | None:
    """The value that all its events have in common."""
    if name is None or name not in one.data:
        return None
    value = one.data[name]
    if isinstance(value, list):
        value = value[0] if value else None
    return _text(value)


def _text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return str(value) if type(value) is int else to_json(value)
