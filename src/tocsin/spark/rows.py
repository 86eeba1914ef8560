"""Detections as rows of a DataFrame: the fields that `tocsin detect` writes, and the key of keyed rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from pyspark.sql import functions as F

from tocsin.engine.frames.reports import Reported
from tocsin.engine.frames.texts import key_text
from tocsin.events import Detection
from tocsin.formats.instants import TimeStyle
from tocsin.formats.writers import timely, to_json
from tocsin.planner.placement import KEY, Placement
from tocsin.runtime.verbs import DetectionBatch
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT

KINDS: Final = {
    "id": "string",
    "rule": "string",
    "type": "string",
    "start": "timestamp",
    "time": "timestamp",
    "detected": "timestamp",
    "events": "array<string>",
    "data": "string",
    "notification": "string",
    "source": "string",
    "stamp": "string",
    "key": "string",
    "severity": "string",
    "tags": "array<string>",
    "suppressed": "int",
}
"""The columns of detections. `data` is a text of JSON: rules have different data."""
FIELDS: Final = tuple(KINDS)
MOMENTS: Final = ("start", "time", "detected")
IDENTITY: Final = "["
"""What stands for an id may be the text that it is the hash of: a list, as JSON has it."""
MOST_ROWS: Final = 8192
"""Detections that leave a shard at a time."""


def schema_of(fields: Iterable[str]) -> str:
    """Some columns as Spark declares them."""
    return ", ".join(f"{name} {KINDS[name]}" for name in fields)


SCHEMA: Final = schema_of(FIELDS)


def identified(frame: Any) -> Any:
    """Rows as they leave the shards, with ids instead of the texts that they are hashes of: if anyone asks for them."""
    id_, is_text = F.col("id"), F.col("id").startswith(IDENTITY)
    return frame.withColumn("id", F.when(is_text, F.substring(F.sha2(id_, 256), 1, 24)).otherwise(id_))


def row_batches(
    pa: Any, found: Iterable[DetectionBatch], placement: Placement, style: TimeStyle, fields: Sequence[str] = FIELDS
) -> Iterator[Any]:
    """What a shard found as record batches: many rows in each, however few a rule has found at a time."""
    keys = dict(placement.key_names)
    texts = pa.list_(pa.string())
    kinds = dict.fromkeys(MOMENTS, pa.timestamp("us", "UTC")) | {"events": texts, "tags": texts}
    kinds["suppressed"] = pa.int32()
    some: list[Any] = []
    count = 0
    for each in found:
        made = _of_columns(pa, each) if isinstance(each, Reported) else _of_detections(each, keys, style)
        some.append(pa.record_batch({name: _column(pa, made[name](), kinds.get(name, pa.string())) for name in fields}))
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


Columns = dict[str, Callable[[], Any]]
"""How each column is made, if it is asked for."""


def _of_columns(pa: Any, found: Reported) -> Columns:
    count = found.count
    nothing = partial(pa.nulls, count, pa.string())
    return {
        "id": lambda: found.identities,
        "rule": lambda: found.rules,
        "type": lambda: found.rules,
        "start": lambda: _stamps(pa, found.starts),
        "time": lambda: _stamps(pa, found.times),
        "detected": lambda: _stamps(pa, found.detected),
        "events": lambda: found.events,
        "data": lambda: found.data,
        "notification": lambda: found.notifications,
        "source": partial(pa.repeat, "", count),
        "stamp": nothing,
        "key": lambda: found.keys,
        "severity": nothing,
        "tags": partial(pa.nulls, count, pa.list_(pa.string())),
        "suppressed": partial(pa.nulls, count, pa.int32()),
    }


def _of_detections(ones: Sequence[Detection], keys: Mapping[str, str], style: TimeStyle) -> Columns:
    told: dict[str, Callable[[Detection], Any]] = {
        "id": lambda one: one.id,
        "rule": lambda one: one.rule,
        "type": lambda one: one.type,
        "start": lambda one: _stamp(one.start_us),
        "time": lambda one: _stamp(one.time_us),
        "detected": lambda one: _stamp(one.detected_us),
        "events": lambda one: list(one.events),
        "data": lambda one: _data(one, style),
        "notification": lambda one: one.notification,
        "source": lambda one: one.source,
        "stamp": lambda one: None if one.stamp is None else to_json(one.stamp),
        "key": lambda one: _key(one, keys.get(one.rule)),
        "severity": lambda one: one.severity,
        "tags": lambda one: list(one.tags) or None,
        "suppressed": lambda one: one.suppressed or None,
    }
    return {name: partial(_listed, tell, ones) for name, tell in told.items()}


def _listed(tell: Callable[[Detection], Any], ones: Sequence[Detection]) -> list[Any]:
    return [tell(one) for one in ones]


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
