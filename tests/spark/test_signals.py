"""`tocsin run` that is told to stop: by SIGINT as from a terminal, by SIGTERM to it and all that it has begun."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

import tocsin as tc

pytest.importorskip("pyspark", reason="tocsin run needs pyspark")

PIPELINE = """\
source: {format: simulated, seed: 3, types: [a, b], keys: 10, events: 100000000, per_batch: 2000}
rules: [rules.yaml]
watermark: 1 second
shards: 2
sinks: [{format: parquet, path: found}]
checkpoint: checkpoint
trigger: 1 second
metrics: metrics.json
spark: {spark.master: "local[2]", spark.sql.shuffle.partitions: "2"}
"""
COMMAND = [sys.executable, "-c", "import sys; from tocsin.cli import main; sys.exit(main())", "run", "pipeline.yaml"]
RULES = """\
rules:
- {name: pair, language: eps, expression: "x:a ; y:b", condition: "x.key == y.key", context: chronicle, window: 1 min}
"""


@pytest.mark.slow
def test_stopped_twice(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text(RULES)
    (tmp_path / "pipeline.yaml").write_text(PIPELINE)
    environment = os.environ | {"PYTHONPATH": str(Path(tc.__file__).parents[1])}  # absolute: it runs elsewhere
    for name in (signal.SIGINT, signal.SIGTERM):
        with open(tmp_path / "said", "wb") as said:
            process = subprocess.Popen(
                COMMAND, cwd=tmp_path, env=environment, stdout=said, stderr=said, start_new_session=True
            )
        try:
            _await_batches(tmp_path, process)
            os.killpg(process.pid, name)
            process.wait(timeout=200)
        finally:
            with suppress(ProcessLookupError):  # mostly nobody is left
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        told = (tmp_path / "said").read_text()
        assert (process.returncode, "Traceback" in told) == (0, False), told
        assert "stopped: " in told
        (tmp_path / "metrics.json").unlink()


def _await_batches(folder: Path, process: subprocess.Popen[bytes]) -> None:
    metrics = folder / "metrics.json"
    while process.poll() is None:
        if metrics.exists() and json.loads(metrics.read_text())["batches"] > 1:
            return
        time.sleep(0.05)
    raise AssertionError((folder / "said").read_text())
