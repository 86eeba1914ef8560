"""Detections as rows of a DataFrame: the fields that `tocsin detect` writes, and the key of keyed rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pyspark.sql import functions as F

from tocsin.engine.frames.reports import Reported, key_text
from tocsin.events import Detection
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import timely, to_json
from tocsin.planner.placement import KEY, Placement
from tocsin.runtime.verbs import DetectionBatch
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT

SCHEMA: Final = (
    "id string, rule string, type string, start timestamp, time timestamp, detected timestamp, events array<string>,"
    " data string, notification string, source string,"
    " stamp string, key string, severity string, tags array<string>, suppressed int"
)
"""`data` is a text of JSON: rules have different data."""
MOMENTS: Final = ("start", "time", "detected")
IDENTITY: Final = "["
"""What stands for an id may be the text that it is the hash of: a list, as JSON has it."""
MOST_ROWS: Final = 8192
"""Detections that leave a shard at a time."""


def identified(frame: Any) -> Any:
    """Rows as they leave the shards, with ids instead of the texts that they are hashes of: if anyone asks for them."""
    id_, is_text = F.col("id"), F.col("id").startswith(IDENTITY)
    return frame.withColumn("id", F.when(is_text, F.substring(F.sha2(id_, 256), 1, 24)).otherwise(id_))


def row_batches(pa: Any, found: Iterable[DetectionBatch], placement: Placement, style: TimeStyle) -> Iterator[Any]:
    """What a shard found as record batches of SCHEMA: many rows in each, however few a rule has found at a time."""
    keys = dict(placement.key_names)
    texts = pa.list_(pa.string())
    kinds = dict.fromkeys(MOMENTS, pa.timestamp("us", "UTC")) | {"events": texts, "tags": texts}
    kinds["suppressed"] = pa.int32()
    some: list[Any] = []
    count = 0
    for each in found:
        made = _of_columns(pa, each) if isinstance(each, Reported) else _of_detections(each, keys, style)
        some.append(pa.record_batch({name: _column(pa, made[name], kinds.get(name, pa.string())) for name in made}))
        count += some[-1].num_rows
        if count >= MOST_ROWS:
            yield from _together(pa, some)
            some, count = [], 0
    if count:
        yield from _together(pa, some)


def _column(pa: Any, values: Any, kind: Any) -> Any:
    return values.cast(kind) if isinstance(values, pa.Array) else pa.array(values, kind)


def _together(pa: Any, batches: list[Any]) -> Iterator[Any]:
    yield from pa.Table.from_batches(batches).combine_chunks().to_batches(max_chunksize=MOST_ROWS)


def _of_columns(pa: Any, found: Reported) -> dict[str, Any]:
    count = len(found.identities)
    nothing = pa.nulls(count, pa.string())
    return {
        "id": found.identities,
        "rule": found.rules,
        "type": found.rules,
        "start": _stamps(pa, found.starts),
        "time": _stamps(pa, found.times),
        "detected": _stamps(pa, found.detected),
        "events": found.events,
        "data": found.data,
        "notification": nothing,
        "source": pa.repeat("", count),
        "stamp": nothing,
        "key": found.keys,
        "severity": nothing,
        "tags": pa.nulls(count, pa.list_(pa.string())),
        "suppressed": pa.nulls(count, pa.int32()),
    }


def _of_detections(ones: Sequence[Detection], keys: Mapping[str, str], style: TimeStyle) -> dict[str, Any]:
    return {
        "id": [one.id for one in ones],
        "rule": [one.rule for one in ones],
        "type": [one.type for one in ones],
        "start": [_stamp(one.start_us) for one in ones],
        "time": [_stamp(one.time_us) for one in ones],
        "detected": [_stamp(one.detected_us) for one in ones],
        "events": [list(one.events) for one in ones],
        "data": [_data(one, style) for one in ones],
        "notification": [one.notification for one in ones],
        "source": [one.source for one in ones],
        "stamp": [None if one.stamp is None else to_json(one.stamp) for one in ones],
        "key": [_key(one, keys.get(one.rule)) for one in ones],
        "severity": [one.severity for one in ones],
        "tags": [list(one.tags) or None for one in ones],
        "suppressed": [one.suppressed or None for one in ones],
    }


def _data(one: Detection, style: TimeStyle) -> str:
    return to_json(timely({name: value for name, value in one.data.items() if name != KEY}, style))


def _stamp(instant: int) -> int:
    return min(max(instant, FIRST_INSTANT), LAST_INSTANT)


def _stamps(pa: Any, instants: Any) -> Any:
    found = pa.compute.min_max(instants).as_py()
    if not len(instants) or (found["min"] >= FIRST_INSTANT and found["max"] <= LAST_INSTANT):
        return instants
    return pa.array([_stamp(instant) for instant in instants.to_pylist()], pa.int64())


def _key(one: Detection, name: str | None) -> str | None:
    """The value that all its events have in common."""
    if name is None or name not in one.data:
        return None
    value = one.data[name]
    if isinstance(value, list):
        value = value[0] if value else None
    return key_text(value)
