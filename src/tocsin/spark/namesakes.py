"""Events of a static DataFrame that have the source and the id of another: the first of them counts, for all rules.

Which shard an event goes to depends on its contents, and an event may be filtered out beforehand, so those of one name
are told apart here. Ids that are numbers, one after the other in every file or part, cannot come twice: a pass over
them alone shows that. Otherwise hashes of names, 8 bytes an event, are sorted in Python as arrays: Spark's own grouping
takes several times as long where all names are different. Mostly they are, and it ends there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from pyspark.sql import Window
from pyspark.sql import functions as F
from pyspark.sql import types as T

from tocsin.spark.contents import hash_of
from tocsin.spark.events import EventColumns
from tocsin.spark.ids import unless_no_id
from tocsin.spark.older import partitioned

NAME: Final = "namesake"
CONTENTS: Final = "contents"
PLACE: Final = "place"
ARRIVING: Final = ("arrival", "sequence")
BUCKET: Final = "bucket"
NAMES: Final = "names"
SURE: Final = "sure"
MOST_NAMES: Final = 4_194_304
"""Hashes that are dealt to the buckets at a time."""


def without_namesakes(events: EventColumns, buckets: int) -> EventColumns:
    """The events, of each name the first: as they arrived, where that is told, else by their times.

    Of what is called by its contents, copies may still be there: they meet in their shards.
    """
    if not events.is_named:
        return events
    frame = events.frame
    names = [name for name in ("source", "id") if name in frame.columns]
    doubtful = F.broadcast(_repeated(events, names, buckets))
    about = [column for column in frame.columns if column not in (*names, *ARRIVING)]
    named = frame.withColumn(NAME, hash_of(frame, names))
    firsts = named.join(doubtful, NAME).withColumn(CONTENTS, hash_of(frame, about))
    order = [column for column in (*ARRIVING, "time", "start", CONTENTS) if column in firsts.columns]
    place = unless_no_id(F.row_number().over(Window.partitionBy(*names).orderBy(*order)), names)
    firsts = firsts.withColumn(PLACE, place).filter(F.col(PLACE) == 1)
    others = named.join(doubtful, NAME, "left_anti")
    return replace(events, frame=others.select(frame.columns).unionByName(firsts.select(frame.columns)))


def _repeated(events: EventColumns, names: list[str], buckets: int) -> Any:
    """The hashes of names that come more than once. Equal ones meet in a bucket."""
    # What has no id is called by its contents, and who asks for that has to read all columns: it is left out.
    given = events.given.filter(F.col("id").isNotNull())
    hashes = given.select(hash_of(given, names).alias(NAME))
    if isinstance(given.schema["id"].dataType, T.LongType):
        doubt = F.broadcast(_are_numbered(given).filter(~F.coalesce(F.col(SURE), F.lit(True))).select(F.lit(1)))
        hashes = hashes.crossJoin(doubt).select(NAME)  # mostly with nothing, and Spark sees that before it begins
    dealt = hashes.mapInArrow(_dealer(buckets), f"{BUCKET} int, {NAMES} binary")
    return partitioned(dealt, buckets, BUCKET).mapInArrow(repeated_names, f"{NAME} bigint")


def _are_numbered(given: Any) -> Any:
    """A row that says whether ids go up by one from row to row, in each part of a DataFrame other numbers."""
    own = F.col("id")
    step = own - F.monotonically_increasing_id()
    parts = (
        given.select(own, step.alias("step"), F.spark_partition_id().alias("part"), F.input_file_name().alias("file"))
        .groupBy("part", "file")
        .agg(F.min(own).alias("least"), F.max(own).alias("most"), (F.min("step") == F.max("step")).alias("is_run"))
    )
    spans = F.sort_array(F.collect_list(F.struct("least", "most")))
    told = parts.agg(spans.alias("spans"), F.min("is_run").alias("are_runs"))
    before, after = F.expr("slice(spans, 1, size(spans) - 1)"), F.expr("slice(spans, 2, size(spans))")
    are_apart = F.zip_with(before, after, lambda one, other: one["most"] < other["least"])
    return told.filter(F.size("spans") > 0).select(
        (F.col("are_runs") & F.forall(are_apart, lambda each: each)).alias(SURE)
    )


def _dealer(buckets: int) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What Spark calls for the hashes of a partition: a few long rows are much cheaper to move than many short ones."""

    def deal(batches: Iterator[Any]) -> Iterator[Any]:
        import numpy as np
        import pyarrow as pa

        for hashes in _some(np, batches):
            order = np.argsort(hashes.view("u8") % np.uint64(buckets), kind="stable") if buckets > 1 else None
            dealt = hashes if order is None else hashes[order]
            ends = np.cumsum(np.bincount((hashes.view("u8") % np.uint64(buckets)).astype("i8"), minlength=buckets))
            pieces = [piece.tobytes() for piece in np.split(dealt, ends[:-1])]
            yield pa.record_batch(
                [pa.array(range(buckets), pa.int32()), pa.array(pieces, pa.binary())], [BUCKET, NAMES]
            )

    return deal


def _some(np: Any, batches: Iterator[Any]) -> Iterator[Any]:
    """Hashes, many at a time."""
    held: list[Any] = []
    count = 0
    for batch in batches:
        held.append(batch.column(0).to_numpy(zero_copy_only=False))
        count += len(held[-1])
        if count >= MOST_NAMES:
            yield np.concatenate(held)
            held, count = [], 0
    if count:
        yield np.concatenate(held)


def repeated_names(batches: Iterator[Any]) -> Iterator[Any]:
    """Of the hashes of a bucket, each that is there more than once."""
    import numpy as np
    import pyarrow as pa

    pieces = [np.frombuffer(piece.as_buffer(), "i8") for batch in batches for piece in batch[NAMES]]
    if pieces:
        hashes = np.sort(np.concatenate(pieces))
        found = np.unique(hashes[1:][hashes[1:] == hashes[:-1]])
        yield pa.record_batch([pa.array(found, pa.int64())], [NAME])
