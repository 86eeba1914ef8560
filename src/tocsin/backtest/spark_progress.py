"""How far a long run has got: the step it is at, and how many tasks of Spark's stages are done. One line."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, Final, TextIO

INTERVAL: Final = 0.2
"""Seconds between two looks on a terminal, where the line is written over."""
SELDOM: Final = 30.0
"""Seconds between two lines where there is no terminal."""
WIDTH: Final = 24


class Watching:
    """Shows the steps of a run: always, never, or (None) in the way that fits what standard error is.

    `spark` is asked for its stages once there is one.
    """

    def __init__(self, shown: bool | None = None, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._is_shown = shown is not False
        self._is_terminal = self._stream.isatty() if shown is None else shown
        self.spark: Any = None

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """A step of the run, shown while it lasts."""
        if not self._is_shown:
            yield
            return
        begun, over = time.monotonic(), Event()
        thread = Thread(target=self._watch, args=(name, begun, over), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            if self._is_terminal:
                self._write(f"\r\033[K{name}: {time.monotonic() - begun:.1f} s\n")

    def _watch(self, name: str, begun: float, over: Event) -> None:
        while not over.wait(INTERVAL if self._is_terminal else SELDOM):
            line = f"{name}: {self._told()}{time.monotonic() - begun:.0f} s"
            self._write(f"\r\033[K{line} " if self._is_terminal else f"{line}\n")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()

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
