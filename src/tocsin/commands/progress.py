"""Progress of long work: one line on a terminal, nothing anywhere else."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from types import TracebackType

from tocsin.events import Arrival, Detection

INTERVAL = 0.2
"""Seconds between two looks at the counts."""


class Progress:
    """Counts what passes. `visible`: the detections go elsewhere, so the line is not in their way."""

    def __init__(self, visible: bool) -> None:
        self._shown = visible and sys.stderr.isatty()
        self._seen = self._found = 0
        self._begun = self._last = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown and self._seen:
            self._show()
            sys.stderr.write("\n")

    def events(self, arrivals: Iterable[Arrival]) -> Iterator[Arrival]:
        """The arrivals as they pass."""
        for arrival in arrivals:
            self._seen += 1
            if self._shown and self._seen % 64 == 0 and time.monotonic() - self._last > INTERVAL:
                self._show()
            yield arrival

    def counted(self, detections: Iterable[Detection]) -> Iterator[Detection]:
        """The detections as they pass."""
        for detection in detections:
            self._found += 1
            yield detection

    def _show(self) -> None:
        self._last = time.monotonic()
        rate = self._seen / max(self._last - self._begun, 1e-6)
        sys.stderr.write(f"\r{self._seen:,} events  {self._found:,} detections  {rate:,.0f} events/s ")
        sys.stderr.flush()
