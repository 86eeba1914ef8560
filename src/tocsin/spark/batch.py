"""Detection on a static DataFrame: route, shuffle, and in each partition one shard from beginning to end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pyspark import TaskContext

from tocsin.engine.frames.reports import Reported
from tocsin.runtime.verbs import DetectionBatch
from tocsin.spark.older import partitioned
from tocsin.spark.packs import ROWS, SHARD, packed, unpacked
from tocsin.spark.routes import Routes
from tocsin.spark.rows import FIELDS, identified, row_batches, schema_of
from tocsin.spark.shard import Shard


def detected(frame: Any, found: Routes, fields: Sequence[str] = FIELDS) -> Any:
    """The detections on routed events; of their columns those that are asked for."""
    return detected_in(packed(frame, found), found, fields)


def detected_in(pieces: Any, found: Routes, fields: Sequence[str]) -> Any:
    """The same on events that are packed."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        context = TaskContext.get()
        shard = 0 if context is None else context.partitionId()
        yield from shard_rows(batches, found, shard, fields)

    made = partitioned(pieces, found.count, SHARD).mapInArrow(run, schema_of(fields))
    return identified(made) if "id" in fields else made


def shard_rows(batches: Iterator[Any], found: Routes, number: int, fields: Sequence[str] = FIELDS) -> Iterator[Any]:
    """The detections of one shard as record batches."""
    import pyarrow as pa

    placement, conditions = found.of(number)
    shard = Shard(placement, conditions)
    given = unpacked(piece for batch in batches for piece in batch[ROWS].to_pylist())
    if given is not None or placement.has_clock:
        span = found.span_of(number)
        some = (within(each, span) for each in _all_of(shard, given))
        yield from row_batches(pa, some, placement, shard.style, fields)


def _all_of(shard: Shard, given: Any) -> Iterator[DetectionBatch]:
    """What a shard finds from beginning to end."""
    if given is not None:
        yield from shard.take(given)
    yield shard.finish()


def within(found: DetectionBatch, span: tuple[int, int] | None) -> DetectionBatch:
    """What was found in a slice of time: the rest is for other slices to tell."""
    if span is None:
        return found
    start, end = span
    if not isinstance(found, Reported):
        return [one for one in found if start <= one.detected_us < end]
    detected = found.detected.to_numpy()
    (kept,) = ((detected >= start) & (detected < end)).nonzero()
    return found.taken(kept)
