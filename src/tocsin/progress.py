"""Progress of long work: one line on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Final, TypeVar

from tocsin.events import Arrival
from tocsin.formats.blocks import Parcel

INTERVAL: Final = 0.2
"""Seconds between two looks at the counts."""
PATIENCE: Final = 2.0
"""Seconds after which work counts as long."""

T = TypeVar("T")


class Progress:
    """Counts what passes. Shown always, never, or (None) on a terminal once the work turns out to be long."""

    def __init__(self, shown: bool | None, total: int | None = None) -> None:
        self._total = total
        self._wanted = sys.stderr.isatty() if shown is None else shown
        self._seen = 0
        self._found: int | None = None
        self._begun = time.monotonic()
        self._next = self._begun + (PATIENCE if shown is None else 0)
        self._written = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._written:
            self._show(time.monotonic())
            sys.stderr.write("\n")

    def add(self, count: int) -> None:
        """So many events more."""
        self._seen += count
        if self._wanted:
            now = time.monotonic()
            if now >= self._next:
                self._show(now)

    def events(self, arrivals: Iterable[Arrival]) -> Iterator[Arrival]:
        """The arrivals as they pass."""
        passed = 0
        for arrival in arrivals:
            passed += 1
            if passed == 64:
                self.add(passed)
                passed = 0
            yield arrival
        self.add(passed)

    def parcels(self, parcels: Iterable[Parcel]) -> Iterator[Parcel]:
        """The same of events that come many at a time."""
        for parcel in parcels:
            self.add(len(parcel))
            yield parcel

    def counted(self, detections: Iterable[T]) -> Iterator[T]:
        """The detections as they pass."""
        self._found = 0
        for detection in detections:
            self._found += 1
            yield detection

    def _show(self, now: float) -> None:
        self._next, self._written = now + INTERVAL, True
        rate = self._seen / max(now - self._begun, 1e-6)
        part = f" of {self._total:,} ({self._seen / self._total:.0%})" if self._total else ""
        found = "" if self._found is None else f"  {self._found:,} detections"
        sys.stderr.write(f"\r{self._seen:,}{part} events{found}  {rate:,.0f} events/s ")
        sys.stderr.flush()
