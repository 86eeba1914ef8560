"""A pipeline at work: a streaming query that writes what each micro-batch found, told as it goes.

Every micro-batch is written to a directory of its own, `batch=N`, and written again in full should it be repeated after
a crash: so each detection is there once. What cannot be read, and what came too late, goes to the quarantine with the
reason.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from pyspark.sql import functions as F

from tocsin.api import load
from tocsin.errors import UsageError
from tocsin.rules.options import context_of, order_of, window_of
from tocsin.session import Options
from tocsin.spark.detecting import detected_by
from tocsin.spark.pipelines import Pipeline, Simulated, Source

CORRUPT: Final = "_corrupt_record"
SHOWN: Final = 20
"""Detections of a micro-batch that the console shows."""
_EPOCH: Final = 1_767_225_600_000
"""Milliseconds: simulated events begin with 2026."""


class Running:
    """A pipeline's query, and what it has done so far. `told` is called after every micro-batch."""

    def __init__(self, spark: Any, pipeline: Pipeline, told: Callable[[Running], None]) -> None:
        self.pipeline, self._told = pipeline, told
        self.detections: Counter[str] = Counter()
        self.events = self.late = self.bad = self.batches = 0
        self.begun = time.monotonic()
        good, bad = _read(spark, pipeline)
        self._scans = 1 if bad is None else 2  # Spark reads the source once for each of the two, and counts both
        options = Options(
            context=None if pipeline.context is None else context_of(pipeline.context),
            order=order_of(pipeline.order),
            window=None if pipeline.window is None else window_of(pipeline.window),
        )
        found = detected_by(
            good,
            load(*pipeline.rules),
            options,
            columns=pipeline.columns,
            shards=pipeline.shards,
            watermark=pipeline.watermark,
            state=_beside(pipeline.checkpoint),
        )
        found = found.withColumn("reason", F.when(F.col("late"), F.lit("later than the watermark")))
        if bad is not None:
            found = found.unionByName(bad, allowMissingColumns=True)
        writer = found.writeStream.foreachBatch(self._write).option("checkpointLocation", pipeline.checkpoint)
        trigger = {"availableNow": True} if pipeline.trigger is None else {"processingTime": pipeline.trigger}
        self.query = writer.trigger(**trigger).start()

    def _write(self, batch: Any, number: int) -> None:
        batch = batch.persist()
        try:
            found = batch.filter(F.col("rule").isNotNull()).drop("late", "reason")
            for sink in self.pipeline.sinks:
                if sink.format == "console":
                    found.select("time", "rule", "events", "data").show(SHOWN, truncate=80)
                else:
                    found.write.mode("overwrite").format(sink.format).save(f"{sink.path}/batch={number}")
            counts = {
                (row["rule"], bool(row["late"])): row["count"]
                for row in batch.groupBy("rule", "late").count().collect()
            }
            lost = sum(count for (rule, _), count in counts.items() if rule is None)
            if lost and self.pipeline.quarantine is not None:
                kept = batch.filter(F.col("rule").isNull()).select("reason", "id", "type", "time", "data")
                kept.write.mode("overwrite").json(f"{self.pipeline.quarantine}/batch={number}")
        finally:
            batch.unpersist()
        for (rule, late), count in counts.items():
            if rule is not None:
                self.detections[rule] += count
            elif late:
                self.late += count
            else:
                self.bad += count

    def wait(self, is_stopped: Callable[[], bool]) -> None:
        """Waits for the end of the query, or for someone to stop it, and tells of every micro-batch meanwhile."""
        seen = -1
        while True:
            ended = self.query.awaitTermination(0.2)
            for progress in self.query.recentProgress:
                if progress["batchId"] > seen:
                    seen = progress["batchId"]
                    self.batches += 1
                    self.events += progress["numInputRows"] // self._scans
                    self._told(self)
            if ended or not self.query.isActive:
                break
            limit = self.pipeline.source.simulated
            if is_stopped() or (limit is not None and self.events >= limit.events):
                self.query.stop()
                break
        if self.query.exception() is not None:
            raise self.query.exception()

    def metrics(self) -> dict[str, Any]:
        """All of it as figures."""
        progress = self.query.lastProgress
        state = progress["stateOperators"][0] if progress is not None and progress["stateOperators"] else None
        seconds = time.monotonic() - self.begun
        return {
            "events": self.events,
            "events_per_second": round(self.events / max(seconds, 1e-9), 1),
            "batches": self.batches,
            "detections": dict(self.detections),
            "late": self.late,
            "bad": self.bad,
            "watermark": None if progress is None else progress["eventTime"].get("watermark"),
            "shards_with_state": None if state is None else state["numRowsTotal"],
            "state_bytes": None if state is None else state["memoryUsedBytes"],
            "seconds": round(seconds, 3),
        }

    def write_metrics(self) -> None:
        """Puts the figures where the pipeline wants them; whoever reads them never finds half of them."""
        path = self.pipeline.metrics
        if path is not None:
            with open(path + ".tmp", "w", encoding="utf-8") as file:
                json.dump(self.metrics(), file, indent=2)
            os.replace(path + ".tmp", path)


def _beside(checkpoint: str) -> str | None:
    """The directory for what shards remember: in the checkpoint, where that is one of files that Python can write."""
    return f"{checkpoint}/shards" if "://" not in checkpoint else None


# -- sources ----------------------------------------------------------------------------------------------------


def _read(spark: Any, pipeline: Pipeline) -> tuple[Any, Any]:
    """The events that can be read, and the rows that cannot, in the shape of detections."""
    source = pipeline.source
    if source.simulated is not None:
        return _simulated(spark, source.simulated), None
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


def _simulated(spark: Any, asked: Simulated) -> Any:
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
