"""The quarantine: a file where bad events are kept with the reason, to be mended and sent again."""

from __future__ import annotations

import json
from os import PathLike
from types import TracebackType
from typing import IO


class Quarantine:
    """Writes one JSON object a bad line: `{"file", "line", "reason", "text"}`.

    Added to what the file holds already, and written through at once: a bad event must not be lost because the
    process was stopped. The file is made with the first bad event.
    """

    def __init__(self, path: str | PathLike[str], file: str) -> None:
        self.path, self.file = path, file
        self.count = 0
        self._kept: IO[str] | None = None

    def add(self, line: int, text: str, reason: str) -> None:
        """Keeps one bad event of `file`: what `read_events(..., on_bad=...)` calls."""
        if self._kept is None:
            self._kept = open(self.path, "a", encoding="ascii")  # noqa: SIM115 - open as long as the quarantine is
        record = {"file": self.file, "line": line, "reason": reason, "text": text}
        self._kept.write(json.dumps(record) + "\n")
        self._kept.flush()
        self.count += 1

    def close(self) -> None:
        """Ends the file; what is put in later opens it again."""
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def __enter__(self) -> Quarantine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
