"""How far a long run has got: the step it is at, and how many tasks of Spark's stages are done. For terminals."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, Final, TextIO

INTERVAL: Final = 0.2
"""Seconds between two looks."""
WIDTH: Final = 24


class Watching:
    """Shows the steps of a run. `spark` is asked for its stages once there is one."""

    def __init__(self, shown: bool | None = None, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._is_shown = self._stream.isatty() if shown is None else shown
        self.spark: Any = None
        self.seconds: dict[str, float] = {}
        """How long each step took."""

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """A step of the run, shown while it lasts."""
        begun, over = time.monotonic(), Event()
        thread = Thread(target=self._watch, args=(name, begun, over), daemon=True)
        if self._is_shown:
            thread.start()
        try:
            yield
        finally:
            over.set()
            self.seconds[name] = self.seconds.get(name, 0.0) + time.monotonic() - begun
            if self._is_shown:
                thread.join()
                self._stream.write(f"\r\033[K{name}: {time.monotonic() - begun:.1f} s\n")
                self._stream.flush()

    def _watch(self, name: str, begun: float, over: Event) -> None:
        while True:
            self._stream.write(f"\r\033[K{name}: {self._told()}{time.monotonic() - begun:.0f} s ")
            self._stream.flush()
            if over.wait(INTERVAL):
                return

    def _told(self) -> str:
        """The tasks of the stages that run now."""
        context = None if self.spark is None else getattr(self.spark, "sparkContext", None)
        if context is None:
            return ""
        tracker = context.statusTracker()
        stages = [tracker.getStageInfo(each) for each in tracker.getActiveStageIds()]
        known = [stage for stage in stages if stage is not None]
        done, total = (sum(getattr(each, name) for each in known) for name in ("numCompletedTasks", "numTasks"))
        if not total:
            return ""
        full = WIDTH * done // total
        return f"[{'#' * full}{'.' * (WIDTH - full)}] {done:,} of {total:,} tasks, "
