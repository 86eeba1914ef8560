"""A pipeline at work: a streaming query that writes what each micro-batch found, told as it goes.

Every micro-batch is written to a directory of its own, `batch=N`, and written again in full should it be repeated after
a crash: so each detection is there once. What cannot be read, and what came too late, goes to the quarantine with the
reason.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections import Counter
from collections.abc import Callable
from threading import Lock
from typing import Any, Final

from pyspark.errors import StreamingQueryException
from pyspark.sql import functions as F

from tocsin.api import load
from tocsin.errors import UsageError
from tocsin.pipelines.description import Pipeline
from tocsin.pipelines.metrics import PROMETHEUS, Endpoint, lag_of
from tocsin.pipelines.versions import news_of
from tocsin.rules.options import context_of, order_of, window_of
from tocsin.runtime.clocks import by_order
from tocsin.runtime.options import Options
from tocsin.runtime.shadow import Shadow
from tocsin.spark.detection import Given, detected_through
from tocsin.spark.live import live_rules
from tocsin.spark.shard_cache import CANDIDATE
from tocsin.spark.sinks import write
from tocsin.spark.sources import events_of
from tocsin.spark.sources.kafka import packages
from tocsin.spark.streams import delay_of

PAUSED: Final = "the rules are about to change"
"""Why a micro-batch is not begun."""
MOST_SEEN: Final = 1000
"""Micro-batches that are known to have been counted; Spark tells of the last hundred."""


class SparkRun:
    """A pipeline's query, and what it has done so far. `told` is called after every micro-batch.

    When the rules change, the query is stopped between two micro-batches and begun again with the next version of them.
    """

    def __init__(self, spark: Any, pipeline: Pipeline, told: Callable[[SparkRun], None]) -> None:
        self.pipeline, self._told = pipeline, told
        self.detections: Counter[str] = Counter()
        self.events = self.late = self.bad = self.batches = self.retries = self.dead = 0
        self.refused = self.repeated = 0
        self.published: Counter[str] = Counter()
        self.reason = ""
        """Why a sink did not take something, the last time that it did not."""
        self.news: list[str] = []
        """What there is to tell about rules, since someone last looked."""
        self.begun = time.monotonic()
        options = Options(
            context=None if pipeline.context is None else context_of(pipeline.context),
            order=order_of(pipeline.order),
            window=None if pipeline.window is None else window_of(pipeline.window),
        )
        self._frames = events_of(spark, pipeline, _by_arrival(pipeline, options))
        self._given = Given(
            options, pipeline.columns, pipeline.shards, watermark=pipeline.watermark, remember=pipeline.remember
        )
        self.rules, self._home = live_rules(spark, pipeline, options, delay_of(self._frames[0], pipeline.watermark))
        self.shadow = None if pipeline.shadow is None else Shadow()
        self._refuse()
        self._writing = Lock()
        self._is_pausing = False
        self._counted: tuple[tuple[str, int], ...] = ()
        self._written: int | None = None
        self.query: Any = None
        self._endpoints = [Endpoint(url, self.metrics) for url in pipeline.metrics if url.startswith(PROMETHEUS)]
        self.query = self._started()

    def close(self) -> None:
        """Lets go of the ports that it has."""
        while self._endpoints:
            self._endpoints.pop().close()

    def _started(self) -> Any:
        pipeline, (good, bad) = self.pipeline, self._frames
        found = detected_through(good, self.rules.versions, self._given, _beside(pipeline.checkpoint))
        found = found.withColumn("reason", F.when(F.col("late"), F.lit("later than the watermark")))
        if bad is not None:
            found = found.unionByName(bad, allowMissingColumns=True)
        writer = found.writeStream.foreachBatch(self._write).option("checkpointLocation", pipeline.checkpoint)
        trigger = {"availableNow": True} if pipeline.trigger is None else {"processingTime": pipeline.trigger}
        return writer.trigger(**trigger).start()

    # -- rules that change -------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Goes on with other rules, if there are any."""
        following = self.rules.turned()
        self._refuse()
        if following is None:
            return
        before = self.rules.versions[-1]
        self._pause()
        entry = self.rules.begin(following)
        self.news.append(news_of(entry, before))
        self.query = self._started()
        self._told(self)

    def _refuse(self) -> None:
        self.news += [f"refused, the rules go on as they were: {reason}" for reason in self.rules.refused]
        self.rules.refused = []

    def _pause(self) -> None:
        """Stops the query where a micro-batch is done: nothing is written by rules that are no longer in force."""
        with self._writing:
            self._is_pausing = True
        try:
            commits = self._home.commits
            while self._written is not None and self.query.isActive and not commits.is_committed(self._written):
                self.query.awaitTermination(0.02)
        except StreamingQueryException as error:
            if PAUSED not in str(error):
                raise
        self.query.stop()
        self._count()
        logging.getLogger("py4j.clientserver").disabled = False
        self._is_pausing = False

    # -- micro-batches -----------------------------------------------------------------------------------------------

    def _write(self, batch: Any, number: int) -> None:
        with self._writing:
            if self._is_pausing:
                logging.getLogger("py4j.clientserver").disabled = True  # it would tell of it with a traceback
                raise UsageError(PAUSED)
            batch = batch.persist()
            try:
                self._put(batch, number)
            finally:
                batch.unpersist()
            self._written = number

    def _put(self, batch: Any, number: int) -> None:
        """Writes what a micro-batch has found, and counts it."""
        is_live = F.col("rule").isNotNull() & ~F.col(CANDIDATE)
        found = batch.filter(is_live).drop("late", "reason", CANDIDATE)
        for sink in self.pipeline.sinks:
            told = write(found, sink, number, self.pipeline.checkpoint)
            if told is not None:
                self.published[str(sink)] += told.taken
                self.retries += told.retries
                self.dead += told.dead
                self.reason = told.first or self.reason
        counted = batch.filter(F.col("rule").isNull() | ~F.col(CANDIDATE)).groupBy("rule", "late").count().collect()
        counts = {(row["rule"], row["late"]): row["count"] for row in counted}
        lost = sum(count for (rule, late), count in counts.items() if rule is None and late is not None)
        if lost and self.pipeline.quarantine is not None:
            is_kept = F.col("rule").isNull() & F.col("late").isNotNull()
            kept = batch.filter(is_kept).select("reason", "id", "type", "time", "data")
            kept.write.mode("overwrite").json(f"{self.pipeline.quarantine}/batch={number}")
        if (None, None) in counts:
            is_note = F.col("rule").isNull() & F.col("late").isNull()
            self._note([row["data"] for row in batch.filter(is_note).select("data").collect()])
        if self.shadow is not None:
            self._compare(batch.filter(F.col("rule").isNotNull()), number)
        for (rule, late), count in counts.items():
            if rule is not None:
                self.detections[rule] += count
            elif late:
                self.late += count
            elif late is not None:
                self.bad += count

    def _note(self, notes: list[str]) -> None:
        """What shards have counted besides detections and late events."""
        for told in map(json.loads, notes):
            self.refused += told["refused"]
            self.repeated += told["repeated"]

    def _compare(self, found: Any, number: int) -> None:
        """Tells the candidate's detections from those of the rules, where both have rules of one name."""
        assert self.shadow is not None
        assert self.pipeline.shadow is not None
        names = sorted({rule.name for rule in self.rules.versions[-1].candidate.rules})
        mine = found.filter(F.col("rule").isin(names))
        rows = mine.select("rule", F.to_json("events").alias("events"), CANDIDATE).collect()
        self.shadow.add((row["rule"], row["events"], row[CANDIDATE]) for row in rows)
        if self.pipeline.shadow.path is not None:
            kept = mine.drop("late", "reason")
            kept.write.mode("overwrite").parquet(f"{self.pipeline.shadow.path}/batch={number}")

    def wait(self, is_stopped: Callable[[], bool]) -> None:
        """Waits for the end of the query, or for someone to stop it, and tells of every micro-batch meanwhile."""
        try:
            self._wait(is_stopped)
            if self.query.exception() is not None:
                raise self.query.exception()
        except StreamingQueryException:
            # A signal to the whole group ends Python's workers, too: the next run does that micro-batch again.
            if not is_stopped():
                raise

    def _wait(self, is_stopped: Callable[[], bool]) -> None:
        while True:
            ended = self.query.awaitTermination(0.2)
            if self._count():
                self._told(self)
            if ended or not self.query.isActive:
                break
            limit = self.pipeline.source.simulated
            if is_stopped() or (limit is not None and self.events >= limit.events):
                self.query.stop()
                break
            self._follow()

    def _count(self) -> int:
        """Counts the micro-batches that are done since the last time. Spark also tells that it has nothing to do."""
        some = [each for each in self.query.recentProgress if "addBatch" in each["durationMs"]]
        new = [each for each in some if (each["runId"], each["batchId"]) not in self._counted]
        self._counted = (*self._counted[-MOST_SEEN:], *((each["runId"], each["batchId"]) for each in new))
        self.batches += len(new)
        scans = 1 if self._frames[1] is None else 2
        self.events += sum(each["numInputRows"] // scans for each in new)
        return len(new)

    def metrics(self) -> dict[str, Any]:
        """All of it as figures."""
        progress = None if self.query is None else self.query.lastProgress
        state = progress["stateOperators"][0] if progress is not None and progress["stateOperators"] else None
        seconds = time.monotonic() - self.begun
        return {
            "events": self.events,
            "events_per_second": round(self.events / max(seconds, 1e-9), 1),
            "batches": self.batches,
            "detections": dict(self.detections),
            "late": self.late,
            "bad": self.bad,
            "refused": self.refused,
            "repeated": self.repeated,
            "published": dict(self.published),
            "retries": self.retries,
            "dead_letters": self.dead,
            "lag_messages": None if progress is None else lag_of(progress["sources"]),
            "batch_seconds": None if progress is None else progress["batchDuration"] / 1000,
            "watermark": None if progress is None else progress["eventTime"].get("watermark"),
            "shards_with_state": None if state is None else state["numRowsTotal"],
            "state_bytes": None if state is None else state["memoryUsedBytes"],
            "seconds": round(seconds, 3),
            "version": self.rules.versions[-1].number,
        } | ({} if self.shadow is None else {"shadow": self.shadow.difference()})

    def write_metrics(self) -> None:
        """Puts the figures where the pipeline wants them; whoever reads them never finds half of them."""
        for path in self.pipeline.metrics:
            if path.startswith(PROMETHEUS):
                continue
            with open(path + ".tmp", "w", encoding="utf-8") as file:
                json.dump(self.metrics(), file, indent=2)
            os.replace(path + ".tmp", path)


def session_settings(pipeline: Pipeline) -> dict[str, str]:
    """The settings of Spark's that a pipeline needs: those it names, and Kafka's connector where it has to be got."""
    settings = dict(pipeline.spark)
    addresses = [pipeline.source.address, *(sink.address for sink in pipeline.sinks)]
    wanted = [packages(each) for each in addresses if each is not None and each.scheme == "kafka"]
    if wanted and not any(name in settings for name in ("spark.jars", "spark.jars.packages")):
        settings["spark.jars.packages"] = wanted[0]
    return settings


def _by_arrival(pipeline: Pipeline, options: Options) -> bool:
    """Whether some rule goes by when events arrived. Rules that are watched have the pipeline's order."""
    orders = [options.order]
    if pipeline.watch is None:
        orders = [group.order for group in by_order(load(*pipeline.rules), options.order)]
    return any(order.policy != "guaranteed" for order in orders)


def _beside(checkpoint: str) -> str | None:
    """The directory for what shards remember: in the checkpoint, where that is one of files that Python can write."""
    return f"{checkpoint}/shards" if "://" not in checkpoint else None
