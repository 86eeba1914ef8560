"""The steps of the demo, one after the other: simulate, stream, show, draw, and check against the embedded engine."""

from __future__ import annotations

import os
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import tocsin as tc
from demo.campus import LONGEST_DELAY, Campus, simulated
from demo.pictures import draw
from demo.telling import Progress, say, summary, write_lines
from tocsin.events import Detection
from tocsin.pipelines.description import Pipeline, read_pipeline

HERE: Final = Path(__file__).resolve().parent
FILES: Final = 10
"""A micro-batch takes one of them."""


def run(campus: Campus, out: Path, spark: Any = None, files: int = FILES) -> int:
    """The whole demo, on a Spark of its own if none is given. Gives 1 if the two engines do not agree."""
    begun = time.monotonic()
    shutil.rmtree(out, ignore_errors=True)
    (out / "events").mkdir(parents=True)
    pipeline = placed(read_pipeline(str(HERE / "pipeline.yaml")), out)

    say(f"A day on a campus: {campus.rooms} rooms, {campus.links} links, {campus.users} users, simulated.")
    events = simulated(campus)
    write_events(events, out / "events", files)
    say(f"{events.num_rows:,} events in {files} files, up to {LONGEST_DELAY:.0f} seconds out of order.\n")

    why = missing()
    if why is None:
        found = streamed(pipeline, events.num_rows, spark, out / "spark.log")
    else:
        say(f"{why}: the embedded engine takes the same events instead.\n")
        found = embedded(pipeline.rules, events, progress=None)
    found.sort(key=lambda one: (one.time_us, one.rule, one.id))
    write_lines(found, out / "detections.jsonl")

    say(f"{len(found):,} detections:\n")
    for line in summary(found, pipeline.rules):
        say(line)
    pictures = draw(found, events, pipeline.rules, out / "pictures")
    agreed = why is not None or agree(found, embedded(pipeline.rules, events))
    say("")
    for what, where in (
        ("timelines, for a browser", f"{pictures[0]} and {len(pictures) - 1} more, one for each rule"),
        ("detections as JSON Lines", out / "detections.jsonl"),
        ("events, as Parquet", out / "events"),
        ("rules and pipeline", HERE / "rules"),
    ):
        say(f"{what + ':':27}{str(where).replace(str(HERE.parent) + '/', '')}")
    say(f"done in {time.monotonic() - begun:.0f} seconds")
    say("to watch such a campus live, in a browser: make serve-demo")
    return 0 if agreed else 1


# -- events ---------------------------------------------------------------------------------------------------------


def placed(pipeline: Pipeline, out: Path) -> Pipeline:
    """The pipeline with everything it reads and writes in another directory."""
    return replace(
        pipeline,
        source=replace(pipeline.source, path=str(out / "events")),
        sinks=tuple(replace(sink, path=str(out / "detections")) for sink in pipeline.sinks),
        checkpoint=str(out / "checkpoint"),
        metrics=(str(out / "metrics.json"),),
    )


def write_events(events: Any, folder: Path, files: int) -> None:
    """The events in files, which Spark takes by their age."""
    now = time.time()
    size = -(-events.num_rows // files)
    for number in range(files):
        path = folder / f"{number:02}.parquet"
        pq.write_table(events.slice(number * size, size), path, compression="snappy")
        os.utime(path, (now - files + number,) * 2)


# -- Spark ----------------------------------------------------------------------------------------------------------


def missing() -> str | None:
    """Why Spark cannot run here: all else that it needs is in the environment."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return "Spark needs Java 17, which is not here (apt-get install openjdk-17-jre-headless)"
    return None


def streamed(pipeline: Pipeline, total: int, given: Any, log: Path) -> list[Detection]:
    """What the pipeline finds, with its progress shown."""
    from tocsin.spark.pipeline_run import SparkRun

    spark = given or started(log)
    try:
        with Progress(total) as shown:
            running = SparkRun(spark, pipeline, shown.add)
            running.wait(lambda: False)
        running.write_metrics()
    finally:
        if given is None:
            spark.stop()
    return written(Path(pipeline.sinks[0].path))


def started(log: Path) -> Any:
    """A Spark of our own. What Java has to say goes to a file: it keeps the standard error that it is started with."""
    from tocsin.spark.session import local_session

    # For a minute's work the second of Java's two compilers costs more than it saves.
    os.environ.setdefault("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    say("starting Spark", end="" if sys.stdout.isatty() else "\n")
    own = os.dup(2)
    with log.open("w") as file:
        os.dup2(file.fileno(), 2)
        try:
            return local_session(**{"spark.driver.memory": "2g", "spark.sql.shuffle.partitions": "2"})
        finally:
            os.dup2(own, 2)
            os.close(own)


def written(folder: Path) -> list[Detection]:
    """The detections that a pipeline has put into its directory."""
    from tocsin.spark.logs import detection_of_row  # here: without Java there may be no PySpark

    found: list[Detection] = []
    for path in sorted(folder.glob("batch=*/*.parquet")):
        rows = pq.ParquetFile(path, coerce_int96_timestamp_unit="us").read()
        for name in ("start", "time", "detected"):
            rows = rows.set_column(rows.schema.get_field_index(name), name, rows[name].cast(pa.int64()))
        found += [detection_of_row(row) for row in rows.to_pylist()]
    return found


# -- the embedded engine ------------------------------------------------------------------------------------------


def embedded(files: tuple[str, ...], events: Any, progress: bool | None = False) -> list[Detection]:
    """What the engine finds in this process, without Spark, on the same events in order of their times.

    Each script by itself: rules that switch each other are evaluated event by event, and get only what they declare.
    """
    ordered = events.sort_by([("time", "ascending")])
    found: list[Detection] = []
    scripts = [(path,) for path in files if path.endswith(".gem")]
    for paths in (*scripts, tuple(path for path in files if not path.endswith(".gem"))):
        program = tc.load(*paths)
        declared = pa.array(list(program.declarations), pa.string())
        given = ordered.filter(pc.is_in(ordered["type"], declared)) if program.declarations else ordered
        found += tc.detect(program, given, progress=progress)
    return found


def agree(found: list[Detection], other: list[Detection]) -> bool:
    """Says whether both engines found the same, and what they did not."""
    mine, theirs = {one.id: one for one in found}, {one.id: one for one in other}
    if len(found) == len(other) and mine.keys() == theirs.keys():
        say(f"\nThe embedded engine, on the same events without Spark, finds the same {len(found):,}.")
        return True
    for name, one, another in (("Spark", mine, theirs), ("the embedded engine", theirs, mine)):
        only = [one[key] for key in one.keys() - another.keys()]
        say(f"\n{len(only):,} found by {name} alone" + (f", such as {only[0]}" if only else ""), file=sys.stderr)
    return False
