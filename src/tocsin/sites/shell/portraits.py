"""Pictures of parts that leave, taken while the site goes on: by a copy of its process, which is the part as it was.

A copy costs some milliseconds however much the part holds; what is written to memory afterwards is copied then. Where
there is no such thing as a copy of a process, or it fails, the picture is taken at once, and the site waits for it.
"""

from __future__ import annotations

import gc
import os
import signal
import tempfile
from collections.abc import Callable
from typing import BinaryIO, Final, NamedTuple

_MOST_FILES: Final = 1 << 16


class _Sitting(NamedTuple):
    """A picture in work."""

    process: int
    file: BinaryIO


class Painter:
    """Takes pictures. `is_apart`: in processes of their own."""

    def __init__(self, *, is_apart: bool = False) -> None:
        self._is_apart = is_apart and hasattr(os, "fork")
        self._sittings: dict[str, _Sitting] = {}
        self._finished: dict[str, bytes] = {}

    def begin(self, key: str, make: Callable[[], bytes]) -> None:
        """Begins a picture of what is there at this moment."""
        if not self._is_apart:
            self._finished[key] = make()
            return
        file = tempfile.TemporaryFile()  # noqa: SIM115 - open until the other process has written it
        process = os.fork()
        if process == 0:
            _paint(make, file.fileno())
        self._sittings[key] = _Sitting(process, file)

    @property
    def is_busy(self) -> bool:
        """Whether any picture is in work, or has not been taken away."""
        return bool(self._sittings or self._finished)

    def finished(self, *, waits: bool = False) -> dict[str, bytes | None]:
        """The pictures that are there now, each given once; None of one that could not be taken. `waits`: all."""
        found: dict[str, bytes | None] = dict(self._finished)
        self._finished.clear()
        for key, (process, file) in list(self._sittings.items()):
            ended, status = os.waitpid(process, 0 if waits else os.WNOHANG)
            if ended:
                del self._sittings[key]
                with file:
                    file.seek(0)
                    found[key] = file.read() if status == 0 else None
        return found

    def close(self) -> None:
        """Ends what is in work: nobody waits for it any more."""
        for process, file in self._sittings.values():
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            file.close()
        self._sittings.clear()


def _paint(make: Callable[[], bytes], file: int) -> None:
    """The copy's whole life. It leaves without a word: what else it has of the site is not its own."""
    status = 1
    try:
        gc.disable()  # it would touch, and so copy, all that there is
        for some in ((3, file), (file + 1, _MOST_FILES)):  # the broker's and the directory's lock, above all
            os.closerange(*some)
        data = memoryview(make())
        while data:
            data = data[os.write(file, data) :]
        status = 0
    finally:
        os._exit(status)
