"""A driver that is killed and begun again finds the same, each once. The long version is `make chaos`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.spark.events import STREAMED, closing, expected, mixed_up, rows, written

KILLS = int(os.environ.get("TOCSIN_KILLS", "2"))
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_killed_driver_goes_on_where_it_was(spark: Any, tmp_path: Path) -> None:
    count = max(200, KILLS * 75)  # so that there is something left to do at every kill
    given = rows(count, seed=9)
    arriving = mixed_up(given, 4, 3)
    written(tmp_path / "in", [*(arriving[start : start + 25] for start in range(0, count, 25)), [closing()]])
    random = Random(KILLS)
    for _ in range(KILLS):
        assert not _run(tmp_path, random.randrange(1, 4), random.random()), "it must not be done before it is killed"
    while not _run(tmp_path, None, 0):
        pass
    made = spark.read.parquet(str(tmp_path / "out"))
    listed = [row["id"] for row in made.select("id").collect()]
    assert sorted(listed) == sorted(expected(given, STREAMED))


def _run(folder: Path, batches: int | None, wait: float) -> bool:
    """Runs the driver; killed some moments after so many micro-batches, if that is given. Whether it came to its end."""
    command = [sys.executable, "-m", "tests.spark.driver", str(folder)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    seen = 0
    for line in process.stdout:
        seen += line.startswith("batch")
        if batches is not None and seen >= batches:
            try:
                process.wait(wait)  # a moment anywhere in the micro-batch that comes next
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
            break
    process.stdout.close()
    code = process.wait()
    assert code in (0, -signal.SIGKILL)
    return code == 0
