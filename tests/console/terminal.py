"""A real pseudo-terminal with a console in it: what is typed goes in as keys, what comes out is read as it is written."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path
from time import monotonic
from types import TracebackType

PATIENCE = 60.0
"""Seconds after which what is waited for will not come."""
UP, TAB, ENTER, INTERRUPT, END = "\x1b[A", "\t", "\r", "\x03", "\x04"

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07|\x1b[=>78]|\r|\x08")
_WHERE = b"\x1b[6n"
"""Where is the cursor? A terminal answers."""


class Terminal:
    """A `tocsin` command that believes that a person sits in front of it."""

    def __init__(
        self, *arguments: str, folder: Path, events: bool = False, path: str | None = None, output: Path | None = None
    ) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        known = [each for each in sys.path if each]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([*([path] if path else []), *known]),
            "TERM": "xterm",
            "XDG_STATE_HOME": str(folder / "state"),
        }
        target = None if output is None else output.open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tocsin.cli", *arguments],
            stdin=subprocess.PIPE if events else slave,
            stdout=slave if target is None else target,
            stderr=slave,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        if target is not None:
            target.close()
        self._raw = b""
        self._seen = 0

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()
        os.close(self._master)

    def type(self, keys: str) -> None:
        """Presses keys."""
        os.write(self._master, keys.encode())

    def enter(self, line: str) -> None:
        """Types a line."""
        self.type(line + ENTER)

    def until(self, text: str) -> str:
        """Waits for a text that is written after what was waited for last; what was written up to there."""
        begun = monotonic()
        while True:
            shown = self.shown
            found = shown.find(text, self._seen)
            if found >= 0:
                before, self._seen = shown[self._seen : found], found + len(text)
                return before
            assert monotonic() - begun < PATIENCE, f"{text!r} was not written, but:\n{shown[self._seen :]}"
            assert self._read(), f"{text!r} was not written, and the end was:\n{shown[self._seen :]}"

    @property
    def shown(self) -> str:
        """All that was written, without what moves the cursor."""
        return _ESCAPES.sub("", self._raw.decode(errors="replace"))

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], PATIENCE)
        if not ready:
            return False
        try:
            read = os.read(self._master, 65536)
        except OSError:  # the other side is closed
            return False
        for _ in range(read.count(_WHERE)):
            os.write(self._master, b"\x1b[1;1R")
        self._raw += read
        return bool(read)

    def ended(self) -> int:
        """Waits for the end; the exit code."""
        while self._read():
            pass
        return self.process.wait(PATIENCE)
