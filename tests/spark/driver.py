"""A driver to be killed: streams a directory of events through rules into Parquet, from wherever it was left.

    python -m tests.spark.driver FOLDER [--files] [--master local[2]]

Reads FOLDER/in, writes FOLDER/out, keeps FOLDER/checkpoint, with `--files` also FOLDER/shards; prints a line when it
has begun and for each micro-batch.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tocsin as tc
from tests.spark.events import PLAIN, STREAMED
from tocsin.spark import streams
from tocsin.spark.session import local_session
from tocsin.stores import ledger


class EagerRunner(streams.ShardRunner):
    """Writes the whole state every few micro-batches, everything into files, and deletes files soon after.

    The settings are made where the shards run: in Spark's workers, which import the package anew.
    """

    def __call__(self, key: tuple[int], frames: Iterator[Any], state: Any) -> Iterator[Any]:
        ledger.LEAST, ledger.SMALL, ledger.RETAINED = 4096, 0, 4  # a query that is begun again goes back one batch
        yield from super().__call__(key, frames, state)


def main(folder: Path, master: str, with_files: bool) -> None:
    """Runs to the end of what there is."""
    if master.startswith("local-cluster"):
        os.environ["SPARK_HOME"] = str(_home(folder / "home"))
    if with_files:
        streams.ShardRunner = EagerRunner
    settings = {"spark.master": master, "spark.sql.shuffle.partitions": "2"}
    # Executors have directories of their own: a relative PYTHONPATH does not lead them to the package.
    settings["spark.executorEnv.PYTHONPATH"] = str(Path(tc.__file__).parents[1])
    spark = local_session(**settings)
    stream = spark.readStream.schema(PLAIN).option("maxFilesPerTrigger", 1).json(str(folder / "in"))
    state = str(folder / "shards") if with_files else None
    found = tc.spark.detect(stream, STREAMED, watermark="4 seconds", shards=2, state=state)
    query = (
        found.writeStream.format("parquet")
        .option("path", str(folder / "out"))
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    print("begun", flush=True)
    seen: Any = None
    while query.isActive:
        query.awaitTermination(0.05)
        progress = query.lastProgress
        if progress is not None and progress["batchId"] != seen:
            seen = progress["batchId"]
            print("batch", seen, flush=True)
    if query.exception() is not None:
        raise query.exception()
    spark.stop()


def _home(folder: Path) -> Path:
    """Spark's own directory by another name: workers write their logs into it, and the installed one is not theirs."""
    import pyspark

    folder.mkdir(exist_ok=True)
    for path in Path(pyspark.__file__).parent.iterdir():
        if path.name != "work":
            (folder / path.name).symlink_to(path)
    return folder


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--files", action="store_true")
    asked = parser.parse_args()
    main(asked.folder, asked.master, asked.files)
