"""What SQLite's write-ahead log holds is moved into the file by a thread, so that commits do not wait for that.

A thread alone never gets done while commits go on, and the log would grow: where it has become long, the commit that
finds it so moves the little that is left, and the log begins anew.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

import apsw

DUE: Final = 1_000
"""Pages of the log at which the thread begins ..."""
MOST: Final = 8_000
"""... and at which a commit waits for it."""


class Checkpoints:
    """At work beside a connection that writes, until it is stopped."""

    def __init__(self, path: Path, db: apsw.Connection, *, due: int = DUE, most: int = MOST) -> None:
        self._path, self._due, self._most = path, due, most
        self._pages = 0
        self._is_due = threading.Event()
        self._is_over = False
        db.set_wal_hook(self._note)
        self._thread = threading.Thread(target=self._run, name="tocsin-checkpoints", daemon=True)
        self._thread.start()

    def _note(self, db: apsw.Connection, name: str, pages: int) -> int:
        self._pages = pages
        if pages >= self._due:
            self._is_due.set()
        return apsw.SQLITE_OK

    def _run(self) -> None:
        with suppress(apsw.Error):  # what is wrong with the disk is told to who commits
            db = apsw.Connection(str(self._path), apsw.SQLITE_OPEN_READWRITE)
            try:
                db.pragma("schema_version")  # a connection that has read nothing knows of no log
                while True:
                    self._is_due.wait()
                    self._is_due.clear()
                    if self._is_over:
                        break
                    with suppress(apsw.BusyError):
                        db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            finally:
                db.close()

    def after_commit(self, db: apsw.Connection) -> None:
        """Moves what is left, where the log has become long. What was committed lasts, whatever comes of this."""
        if self._pages >= self._most:
            self._pages = 0  # not again at once, where a reader is in the way
            with suppress(apsw.Error):
                db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)

    def stop(self) -> None:
        """Lets the thread end what it is at."""
        self._is_over = True
        self._is_due.set()
        self._thread.join()
