"""The quarantine: a file where bad events are kept with the reason, to be mended and sent again."""

from __future__ import annotations

import json
from collections.abc import Callable
from os import PathLike
from types import TracebackType
from typing import IO


class Quarantine:
    """Writes one JSON object a bad line: `{"file", "line", "reason", "text"}`.

    Added to what the file holds already, and written through at once: a bad event must not be lost because the
    process was stopped. The file is made with the first bad event.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = path
        self.count = 0
        self._file: IO[str] | None = None

    def put(self, file: str, line: int, text: str, reason: str) -> None:
        """Keeps one bad event."""
        if self._file is None:
            self._file = open(self.path, "a", encoding="ascii")  # noqa: SIM115 - open as long as the quarantine is
        record = {"file": file, "line": line, "reason": reason, "text": text}
        self._file.write(json.dumps(record) + "\n")
        self._file.flush()
        self.count += 1

    def of(self, file: str) -> Callable[[int, str, str], None]:
        """What `read_events(..., on_bad=...)` calls for the bad lines of `file`."""
        return lambda line, text, reason: self.put(file, line, text, reason)

    def close(self) -> None:
        """Ends the file; what is put in later opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Quarantine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
