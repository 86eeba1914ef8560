"""Detection on a static DataFrame: route, shuffle, and in each partition one shard from beginning to end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pyspark import TaskContext

from tocsin.engine.frames.reports import Reported
from tocsin.runtime.verbs import DetectionBatch
from tocsin.spark.extents import parted_extent
from tocsin.spark.older import partitioned
from tocsin.spark.packs import ROWS, SHARD, packed, unpacked
from tocsin.spark.routes import Routes
from tocsin.spark.rows import FIELDS, identified, row_batches, schema_of
from tocsin.spark.shard import Shard
from tocsin.spark.slices import Cuts


def detected(frame: Any, found: Routes, extent: Any = None, fields: Sequence[str] = FIELDS) -> Any:
    """The detections on routed events; of their columns those that are asked for.

    `extent`: rows that tell shards when the history begins and ends.
    """
    return detected_in(packed(frame, found), found, extent, fields)


def detected_in(pieces: Any, found: Routes, extent: Any, fields: Sequence[str]) -> Any:
    """The same on events that are packed."""
    pieces = pieces if extent is None else pieces.unionByName(extent)

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
    pieces, extent = parted_extent(piece for batch in batches for piece in batch[ROWS].to_pylist())
    if extent is not None:
        conditions = replace(conditions, first=extent[0], last=extent[1])
    shard, given = Shard(placement, conditions), unpacked(pieces)
    if given is not None or placement.has_clock:
        slices = found.slices_of(number)
        some = (within(each, slices) for each in _all_of(shard, given))
        yield from row_batches(pa, some, placement, shard.style, fields)


def _all_of(shard: Shard, given: Any) -> Iterator[DetectionBatch]:
    """What a shard finds from beginning to end."""
    if given is not None:
        yield from shard.take(given)
    yield shard.finish()


def within(found: DetectionBatch, slices: tuple[Cuts, int] | None) -> DetectionBatch:
    """What was found in a shard's slices of time: the rest is for other shards to tell."""
    if slices is None:
        return found
    cuts, shard = slices
    if not isinstance(found, Reported):
        return [one for one in found if cuts.owns(shard, one.detected_us)]
    (kept,) = cuts.owns(shard, found.detected.to_numpy()).nonzero()
    return found.taken(kept)
