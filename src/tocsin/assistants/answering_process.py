"""A process that answers questions about rules under limits of time and memory, and is replaced when it breaks them.

What is in a rule or an event is somebody else's text. Planning and running it happens in a process of its own, which
may write no file, has no key in its environment and no connection to anybody. A question that takes too long costs
that process; the next question gets a new one.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
import time
from typing import IO, Any, Final

from tocsin.assistants.limits import MEMORY, SECONDS
from tocsin.errors import TocsinError, UsageError

_PIECE: Final = 1 << 16
_SECRETS: Final = ("TOCSIN_KEY", "TOCSIN_URL")


class Unanswered(TocsinError):
    """A question that was refused, with the faults of the text it was about."""

    def __init__(self, message: str, faults: list[dict[str, Any]]) -> None:
        self.faults = faults
        super().__init__(message)


class AnsweringProcess:
    """Asks questions of `tocsin.assistants.answers`, one at a time, from any thread."""

    def __init__(self, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        self.seconds, self.memory = seconds, memory
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    def ask(self, question: str, **given: object) -> dict[str, Any]:
        """The answer; what is refused, takes too long or needs too much raises an error that says so."""
        line = json.dumps({"question": question, "given": given}).encode() + b"\n"
        with self._lock:
            try:
                answer = self._answer(self._running(), line)
            except BaseException:
                self._end()
                raise
            if answer.get("is_last"):
                self._end()
        if "refused" in answer:
            raise Unanswered(answer["refused"], answer["faults"])
        found: dict[str, Any] = answer["answer"]
        return found

    def close(self) -> None:
        """Ends the process, and with it a question that is being answered; there will be no other."""
        self._is_closed = True
        process = self._process
        if process is not None:
            process.kill()
        with self._lock:
            self._end()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._is_closed:
            raise UsageError("no more questions are answered")
        if self._process is None or self._process.poll() is not None:
            self._end()
            # -P: no module is taken from the working directory, which may be anybody's.
            command = [sys.executable, "-P", "-m", "tocsin.assistants.answers", str(self.seconds), str(self.memory)]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={name: value for name, value in os.environ.items() if name not in _SECRETS},
                start_new_session=True,  # an interrupt from the terminal is for whoever asks
            )
        return self._process

    def _answer(self, process: subprocess.Popen[bytes], line: bytes) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(line)
            process.stdin.flush()
        except BrokenPipeError:
            raise UsageError(self._broken(process)) from None
        found = self._line(process.stdout, time.monotonic() + self.seconds)
        if not found.endswith(b"\n"):
            raise UsageError(self._broken(process))
        answer: dict[str, Any] = json.loads(found)
        return answer

    def _line(self, stream: IO[bytes], deadline: float) -> bytes:
        """The line that comes, as far as it comes."""
        pieces: list[bytes] = []
        while not (pieces and pieces[-1].endswith(b"\n")):
            ready, _, _ = select.select([stream], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                stopped = f"this took longer than {self.seconds:g} s and was stopped"
                raise UsageError(f"{stopped}: ask about fewer rules or events, or give the rules a window")
            piece = os.read(stream.fileno(), _PIECE)
            if not piece:
                break
            pieces.append(piece)
        return b"".join(pieces)

    def _broken(self, process: subprocess.Popen[bytes]) -> str:
        process.wait()
        most = f"{self.memory >> 20} MiB of memory and {self.seconds:g} s"
        return f"the process that works on this ended (exit code {process.returncode}); it may use {most}"

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue  # what was still to be written went nowhere
