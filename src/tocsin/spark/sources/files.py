"""Events from a directory of files, which may grow; and events made up from a seed."""

from __future__ import annotations

from typing import Any, Final

from pyspark.sql import functions as F

from tocsin.errors import UsageError
from tocsin.pipelines.description import Pipeline, Simulated, Source

CORRUPT: Final = "_corrupt_record"
_EPOCH: Final = 1_767_225_600_000
"""Milliseconds: simulated events begin with 2026."""


def read_files(spark: Any, pipeline: Pipeline) -> tuple[Any, Any]:
    """The events of a directory that can be read, and the rows that cannot, in the shape of detections."""
    source = pipeline.source
    reader = spark.readStream
    if source.files_per_trigger is not None:
        reader = reader.option("maxFilesPerTrigger", source.files_per_trigger)
    if source.format == "parquet":
        return reader.schema(source.schema or _parquet_schema(spark, source)).parquet(source.path), None
    schema = f"{source.schema}, {CORRUPT} string"
    reader = reader.schema(schema).option("mode", "PERMISSIVE").option("columnNameOfCorruptRecord", CORRUPT)
    if source.format == "csv":
        frame = reader.option("header", source.header).csv(source.path)
    else:
        frame = reader.json(source.path)
    kind, when = (F.col(f"`{pipeline.columns.get(name, name)}`") for name in ("type", "time"))
    reason = (
        F.when(F.col(CORRUPT).isNotNull(), F.lit("the line cannot be read"))
        .when(when.isNull(), F.lit("the event has no time"))
        .when(kind.isNull() | (kind == ""), F.lit("the event has no type"))
    )
    told = F.coalesce(F.col(CORRUPT), F.to_json(F.struct(*(F.col(f"`{n}`") for n in frame.columns if n != CORRUPT))))
    bad = frame.filter(reason.isNotNull()).select(
        reason.alias("reason"), told.alias("data"), F.lit(False).alias("late")
    )
    return frame.filter(reason.isNull()).drop(CORRUPT), bad


def _parquet_schema(spark: Any, source: Source) -> Any:
    try:
        return spark.read.parquet(source.path).schema
    except Exception as error:  # whatever it is, there is no schema
        raise UsageError(f"the schema of {source.path} cannot be read: put Parquet files there, or say it") from error


def simulated(spark: Any, asked: Simulated) -> Any:
    """Events whose type, key and value depend on the seed and their number alone."""
    rate = (
        spark.readStream.format("rate-micro-batch")
        .option("rowsPerBatch", asked.per_batch)
        .option("startTimestamp", _EPOCH)
        .option("advanceMillisPerBatch", asked.per_batch)
        .load()
    )

    def chosen(salt: int, count: int) -> Any:
        return F.pmod(F.xxhash64(F.col("value"), F.lit(asked.seed), F.lit(salt)), F.lit(count))

    types = F.array(*(F.lit(each) for each in asked.types))
    return rate.select(
        F.element_at(types, (chosen(1, len(asked.types)) + 1).cast("int")).alias("type"),
        F.timestamp_millis(F.lit(_EPOCH) + F.col("value")).alias("time"),
        F.col("value").cast("string").alias("id"),
        chosen(2, asked.keys).alias("key"),
        (chosen(3, 1000) / 10).alias("value"),
    )
