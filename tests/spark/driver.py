"""A driver to be killed: streams a directory of events through rules into Parquet, from wherever it was left.

    python -m tests.spark.driver FOLDER

Reads FOLDER/in, writes FOLDER/out, keeps FOLDER/checkpoint; prints a line when it has begun and for each micro-batch.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import tocsin as tc
from tests.spark.events import PLAIN, STREAMED
from tocsin.spark.session import local_session


def main(folder: Path) -> None:
    """Runs to the end of what there is."""
    settings = {"spark.master": "local[2]", "spark.sql.shuffle.partitions": "2"}
    spark = local_session(**settings)
    stream = spark.readStream.schema(PLAIN).option("maxFilesPerTrigger", 1).json(str(folder / "in"))
    found = tc.spark.detect(stream, STREAMED, watermark="4 seconds", shards=2)
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


if __name__ == "__main__":
    main(Path(sys.argv[1]))
