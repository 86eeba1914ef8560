"""A log of events through Spark: what `tocsin detect --engine spark` and `spark-streaming` run.

The log has an order of its own, that of its lines. So the order of arrival is worked out here, as the embedded engine
does it, and what it releases, with the clock it is released at, is what goes through Spark: every order gives the same
answer there, to the clock at which each detection is reported.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from tocsin.algebra.event_records import plain, whole_record
from tocsin.algebra.notes import Notes
from tocsin.algebra.order import heard_sources, released
from tocsin.algebra.replay import accepted
from tocsin.errors import TocsinError
from tocsin.events import Arrival, Detection
from tocsin.planner.lanes import Version, lanes
from tocsin.runtime.clocks import Group, by_clock
from tocsin.session import Session
from tocsin.spark.batch import detected
from tocsin.spark.events import EventColumns
from tocsin.spark.routes import Routes, lane_routes, routed
from tocsin.spark.session import local_session, reason_of
from tocsin.spark.shard import Conditions
from tocsin.spark.shard_cache import LATE
from tocsin.spark.steps import LAST
from tocsin.spark.streams import detected_in_stream, marked

SHARDS: Final = 3
"""Few, for a log is small; more than one, so that keys are told apart."""
PIECES: Final = 4
"""The micro-batches that a log is streamed in."""
COLUMNS: Final = (
    "sequence bigint, now bigint, lag bigint, clock bigint, type string, id string, source string, data string,"
    " event string"
)


def detections_of_log(
    session: Session, log: Iterable[Arrival], *, streaming: bool, seconds: bool, notes: Notes
) -> Iterator[Detection]:
    """Every detection of a session's rules on a log, in order of detection."""
    arrivals = list(log)
    found: list[Detection] = []
    try:
        for group in by_clock(session.program, session.options.order):
            found += _of_group(session, group, arrivals, streaming, seconds, notes)
    except PySparkException as error:
        raise TocsinError(f"Spark could not run the rules: {reason_of(error)}") from error
    places = {rule.name: place for place, rule in enumerate(session.program.rules)}
    found.sort(key=lambda one: (one.detected_us, places[one.rule], one.time_us, one.start_us, one.events, one.id))
    return iter(found)


def _of_group(
    session: Session, group: Group, log: list[Arrival], streaming: bool, seconds: bool, notes: Notes
) -> list[Detection]:
    rows = log_rows(group, log, session.options.ignore_late, notes)
    found = log_routes(session, group, seconds)
    spark = local_session()
    if streaming:
        made = streamed(spark, rows, partial(routed, found=found, clock="time"), found)
    else:
        events = _events(spark.createDataFrame(rows, COLUMNS))
        made = collected(detected(routed(events, found), found))
    return [detection_of_row(row) for row in made if row["rule"] in group.heard]


def log_routes(session: Session, group: Group, seconds: bool) -> Routes:
    """The shards of the rules of a group."""
    options = session.options
    conditions = Conditions(group.order, options.granularity, seconds=seconds, until=options.until, is_released=True)
    return lane_routes(lanes([Version(0, None, group.program)]), conditions, SHARDS, None)


def log_rows(group: Group, log: list[Arrival], ignore_late: bool, notes: Notes) -> list[tuple[Any, ...]]:
    """A log as rows of COLUMNS: what its order releases. There is one at least: so there is something to end."""
    rows: list[tuple[Any, ...]] = []
    releases = released(log, group.order, heard_sources(group.program))
    for sequence, release in enumerate(accepted(releases, notes, ignore_late)):
        event = release.event
        told: tuple[Any, ...] = (None, "", "", None, None)
        if event is not None:
            data, record = json.dumps(plain(event.data)), json.dumps(whole_record(event))
            told = (event.type, event.id, event.source, data, record)
        rows.append((sequence, release.now, release.lag, release.clock, *told))
    return rows or [(0, 0, 0, None, None, "", "", None, None)]


def _events(frame: Any) -> EventColumns:
    return EventColumns(frame, frozenset(("type", "id", "source", "sequence")), None)


# -- as a stream ------------------------------------------------------------------------------------------------


def streamed(
    spark: Any,
    rows: list[tuple[Any, ...]],
    route: Callable[[EventColumns], Any],
    found: Routes,
    pieces: int = PIECES,
    columns: str = COLUMNS,
) -> list[Any]:
    """What is found in the rows if they are streamed, some at a time, and then the end: so late that all is over."""
    home = Path(tempfile.mkdtemp(prefix="tocsin-stream-"))
    try:
        names = [column.split()[0] for column in columns.split(",")]
        size = max(1, -(-len(rows) // pieces))
        parts = [rows[start : start + size] for start in range(0, len(rows), size)]
        last = (LAST // 1_000_000, *[None] * (len(names) - 1))
        source = home / "events"
        source.mkdir()
        for number, piece in enumerate([*parts, [last]]):
            path = source / f"{number:06}.json"
            path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in piece))
            os.utime(path, (1_000_000 + number, 1_000_000 + number))  # files are read in the order of their ages
        stream = spark.readStream.schema(columns).option("maxFilesPerTrigger", 1).json(str(source))
        events = _events(stream.withColumn("time", F.timestamp_seconds("sequence")))
        events = marked(events, found.conditions[0], "0 seconds")
        made = detected_in_stream(route(events), found)
        name = f"tocsin_{home.name.replace('-', '_')}"
        query = (
            made.writeStream.format("memory")
            .queryName(name)
            .option("checkpointLocation", str(home / "checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        rows_found = collected(spark.table(name).filter(~F.col(LATE)))
        spark.catalog.dropTempView(name)
        return rows_found
    finally:
        shutil.rmtree(home, ignore_errors=True)


# -- back -------------------------------------------------------------------------------------------------------


def collected(frame: Any) -> list[Any]:
    """All rows, with times as microseconds: dates of Python know neither every year nor UTC."""
    for name in ("start", "time", "detected"):
        frame = frame.withColumn(name, F.unix_micros(name))
    rows: list[Any] = frame.collect()
    return rows


def detection_of_row(row: Any) -> Detection:
    """A row that was collected, as a detection."""
    return Detection(
        row["rule"],
        row["type"],
        row["start"],
        row["time"],
        row["detected"],
        tuple(row["events"]),
        json.loads(row["data"]),
        row["notification"],
        None if row["stamp"] is None else json.loads(row["stamp"]),
        row["id"],
        row["source"],
        row["severity"],
        tuple(row["tags"] or ()),
        row["suppressed"] or 0,
    )
