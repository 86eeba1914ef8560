"""Work that is done again and again beside the program: on a thread of its own, which ends with the program."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Lock, Thread, current_thread
from typing import Final

_LOG: Final = logging.getLogger("tocsin.sensor")
_AFTER_FAULT: Final = 1.0
"""Seconds until it is tried again where the work itself failed: a full disk, say."""


class Background:
    """Calls `turn` whenever it is due: it gives the seconds until then, or nothing if it is to be woken."""

    def __init__(self, name: str, turn: Callable[[], float | None]) -> None:
        self._name, self._turn = name, turn
        self._woken, self._is_stopped = Event(), False
        self._thread: Thread | None = None
        self._starting = Lock()

    def wake(self) -> None:
        """There is something to do. The first time the thread is started."""
        if self._thread is None:
            self._start()
        self._woken.set()

    def _start(self) -> None:
        with self._starting:  # several threads may wake it at once
            if self._thread is None:
                thread = Thread(target=self._run, name=self._name, daemon=True)
                thread.start()
                self._thread = thread

    def is_current(self) -> bool:
        """Whether it is this thread that asks."""
        return self._thread is current_thread()

    def stop(self, seconds: float) -> None:
        """No further turn. Waits so long for the one that is being done."""
        self._is_stopped = True
        self._woken.set()
        if self._thread is not None and not self.is_current():
            self._thread.join(seconds)

    def _run(self) -> None:
        while not self._is_stopped:
            self._woken.clear()
            try:
                wait = self._turn()
            except Exception:  # noqa: BLE001 - the thread must go on, whatever it was
                _LOG.exception("the sensor could not do its work, and tries again")
                wait = _AFTER_FAULT
            if not self._is_stopped:
                self._woken.wait(wait)
