"""`tocsin run` that is told to stop: by SIGINT as from a terminal, by SIGTERM to it and all that it has begun."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

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
RULES = """\
rules:
- {name: pair, language: eps, expression: "x:a ; y:b", condition: "x.host == y.host", context: chronicle, window: 1 min}
"""


@pytest.mark.slow
def test_stopped_twice(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text(RULES)
    (tmp_path / "pipeline.yaml").write_text(PIPELINE)
    for name in (signal.SIGINT, signal.SIGTERM):
        command = [sys.executable, "-m", "tocsin", "run", "pipeline.yaml"]
        process = subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        try:
            _await_batches(tmp_path / "metrics.json", process)
            os.killpg(process.pid, name)
            _, said = process.communicate(timeout=100)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        assert (process.returncode, "Traceback" in said) == (0, False), said
        assert "stopped" in said
        (tmp_path / "metrics.json").unlink()


def _await_batches(metrics: Path, process: subprocess.Popen[Any]) -> None:
    while process.poll() is None:
        if metrics.exists() and json.loads(metrics.read_text())["batches"] > 1:
            return
        time.sleep(0.05)
    raise AssertionError(process.stderr.read() if process.stderr else "")
