"""Detection on a static DataFrame: route, shuffle, and in each partition one shard from beginning to end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyspark import TaskContext

from tocsin.spark.routing import Routes
from tocsin.spark.rows import SCHEMA, row_batch
from tocsin.spark.shard import Shard

MOST_ROWS = 8192
"""Detections that leave a shard at a time."""


def detected(frame: Any, found: Routes) -> Any:
    """The detections on routed events."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        context = TaskContext.get()
        shard = 0 if context is None else context.partitionId()
        yield from shard_rows(batches, found, shard)

    return frame.repartitionById(found.count, "shard").mapInArrow(run, SCHEMA)


def shard_rows(batches: Iterator[Any], found: Routes, number: int) -> Iterator[Any]:
    """The detections of one shard as record batches."""
    import pyarrow as pa

    placement, conditions = found.of(number)
    shard = Shard(placement, conditions, found.attributes)
    given = [batch for batch in batches if batch.num_rows]
    if given:
        for some in shard.take(pa.Table.from_batches(given)):
            for start in range(0, len(some), MOST_ROWS):
                yield row_batch(pa, some[start : start + MOST_ROWS], placement, shard.style)
    if given or placement.has_clock:
        yield row_batch(pa, shard.finish(), placement, shard.style)
