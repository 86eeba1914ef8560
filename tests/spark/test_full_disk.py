"""A stream whose disk is full ends with the system's word for it, and goes on when there is room: nothing is lost."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tocsin as tc
from tests.spark.events import PLAIN, STREAMED, closing, expected, mixed_up, rows, written

FULL = "No space left on device"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, of a few megabytes."""
    path = tmp_path / "disk"
    path.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", path], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("this needs the right to mount a file system")
    try:
        yield path
    finally:
        subprocess.run(["umount", "--lazy", path], check=True)


@pytest.mark.parametrize("with_files", [True, False], ids=["files", "store"])
def test_a_full_disk(spark: Any, tmp_path: Path, disk: Path, with_files: bool) -> None:
    from pyspark.errors import StreamingQueryException

    given = rows(120, seed=6)
    arriving = mixed_up(given, 4, 3)
    source = written(tmp_path / "in", [arriving[start : start + 20] for start in range(0, 60, 20)])
    _run(spark, source, disk, with_files)
    later = written(tmp_path / "later", [arriving[60:90], arriving[90:], [closing()]])
    for number, path in enumerate(sorted(later.iterdir())):
        path.rename(source / f"later{number}.json")
    filler = disk / "filler"
    _fill(filler)
    with pytest.raises(StreamingQueryException, match=FULL):
        _run(spark, source, disk, with_files)
    filler.unlink()
    _run(spark, source, disk, with_files)
    found = [row["id"] for row in spark.read.parquet(str(disk / "out")).select("id").collect()]
    assert sorted(found) == sorted(expected(given, STREAMED))


def _run(spark: Any, source: Path, disk: Path, with_files: bool) -> None:
    """All that is there, a file in each micro-batch."""
    stream = spark.readStream.schema(PLAIN).option("maxFilesPerTrigger", 1).json(str(source))
    state = f"{disk}/shards" if with_files else None
    found = tc.spark.detect(stream, STREAMED, watermark="4 seconds", shards=2, state=state)
    writer = found.writeStream.format("parquet").option("path", f"{disk}/out")
    query = writer.option("checkpointLocation", f"{disk}/checkpoint").trigger(availableNow=True).start()
    query.awaitTermination()


def _fill(path: Path) -> None:
    """Leaves no room."""
    with open(path, "wb", buffering=0) as file:
        size = 1 << 16
        while size:
            try:
                file.write(bytes(size))
            except OSError:
                size //= 2
