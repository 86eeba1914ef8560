"""Spark's own log of a pipeline's micro-batches, in the checkpoint: how far time has got, and what is done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tocsin.pipelines.versions import BEFORE_ALL


class CommitLog:
    """The log of the micro-batches that are done."""

    def __init__(self, checkpoint: str) -> None:
        self._home = Path(checkpoint) / "commits"

    def latest_read(self, delay: int) -> int:
        """The latest time of all events of the micro-batches that are done; `delay` is the watermark's, in ms."""
        watermark = int(self._last().get("nextBatchWatermarkMs", 0))
        # Spark counts in whole milliseconds: the event may have been anywhere in the last of them.
        return (watermark + delay + 1) * 1000 - 1 if watermark > 0 else BEFORE_ALL

    def is_committed(self, batch: int) -> bool:
        """Whether a micro-batch is done."""
        return (self._home / str(batch)).exists()

    def _last(self) -> dict[str, Any]:
        """The last record: a line with its version, and one of JSON."""
        numbers = [int(path.name) for path in self._home.glob("[0-9]*") if path.name.isdigit()]
        if not numbers:
            return {}
        lines = (self._home / str(max(numbers))).read_text(encoding="utf-8").splitlines()
        found: dict[str, Any] = json.loads(lines[1]) if len(lines) > 1 else {}
        return found
