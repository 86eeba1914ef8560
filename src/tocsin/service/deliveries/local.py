"""Notifications to files and programs of this machine, under names that the operator's settings give them.

A file gets a line of JSON for each, at its end. A program is run for each, never by way of a shell, and gets it as a
line on its standard input; it has taken it if it ends with 0 in time.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from tocsin.service.deliveries.senders import TAKEN, Message, Outcome, Result
from tocsin.service.deliveries.targets import File, Program

MOST_SHOWN: Final = 500
"""Bytes of what a failed program wrote that are told; the rest is thrown away."""
_KEPT: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR")
"""What a program is told of this one's environment, which may hold secrets."""
_TICK: Final = 20
"""Milliseconds between two looks at whether a program that is silent has ended."""


class Failed(Exception):
    """A file or a program did not take a notification: why."""


class _Threads:
    """A thread for each name: a file or a program that hangs keeps only its own waiting."""

    def __init__(self) -> None:
        self._threads: dict[str, ThreadPoolExecutor] = {}

    async def run(self, name: str, work: Callable[[], None]) -> Outcome:
        """What came of some work in the thread of that name."""
        if name not in self._threads:
            self._threads[name] = ThreadPoolExecutor(1, thread_name_prefix=f"local-{name}")
        try:
            await asyncio.get_running_loop().run_in_executor(self._threads[name], work)
        except Failed as error:
            return Outcome(Result.FAILED, str(error))
        except OSError as error:
            return Outcome(Result.FAILED, error.strerror or str(error))
        return TAKEN

    def close(self) -> None:
        """Lets go of the threads, each when it has done what it does."""
        for each in self._threads.values():
            each.shutdown(wait=False, cancel_futures=True)


class Files:
    """A sender to files by their names."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths, self._threads = dict(paths), _Threads()

    async def send(self, target: File, message: Message) -> Outcome:
        """Puts a line at the end of a file, and returns when it lasts."""
        path = self._paths.get(target.name)
        if path is None:
            return Outcome(Result.REFUSED, f"the operator's settings name no file {target.name!r} any more")
        return await self._threads.run(target.name, lambda: append(path, message.body))

    async def close(self) -> None:
        """Lets go of the threads."""
        self._threads.close()


class Programs:
    """A sender to programs by their names: the words of each, and how many seconds it may take."""

    def __init__(self, words: Mapping[str, Sequence[str]], seconds: float = 10.0) -> None:
        self._words, self._seconds = {name: list(each) for name, each in words.items()}, seconds
        self._threads = _Threads()

    async def send(self, target: Program, message: Message) -> Outcome:
        """Runs a program."""
        words = self._words.get(target.name)
        if words is None:
            return Outcome(Result.REFUSED, f"the operator's settings name no program {target.name!r} any more")
        return await self._threads.run(target.name, lambda: run(words, message, self._seconds))

    async def close(self) -> None:
        """Lets go of the threads."""
        self._threads.close()


def append(path: Path, body: bytes) -> None:
    """Puts a line at the end of a file, whole or not at all. It is opened anew each time, as it may have been moved."""
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o640)
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            raise Failed("this is no file that lines can be put at the end of")
        line = body.replace(b"\n", b" ") + b"\n"
        if state.st_size and os.pread(descriptor, 1, state.st_size - 1) != b"\n":
            line = b"\n" + line  # somebody was stopped in the middle of a line
        try:
            if os.write(descriptor, line) < len(line):
                raise Failed("the disk is full")
            os.fdatasync(descriptor)
        except (OSError, Failed):
            os.ftruncate(descriptor, state.st_size)
            raise
    finally:
        os.close(descriptor)


def run(words: Sequence[str], message: Message, seconds: float) -> None:
    """Runs a program with a notification as its input. `Failed` if it cannot, does not, or takes too long."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    with tempfile.TemporaryFile() as source:
        source.write(message.body + b"\n")
        source.seek(0)
        try:
            process = subprocess.Popen(
                words,
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**environment, "TOCSIN_NOTIFICATION": message.id},
            )
        except (OSError, ValueError) as error:
            raise Failed(f"it cannot be run: {error.strerror if isinstance(error, OSError) else error}") from None
    with process:
        said = _watched(process, time.monotonic() + seconds)
        if said is None:
            raise Failed(f"it took longer than {seconds:g} s and was stopped")
    if process.returncode:
        code = process.returncode
        text = "".join(each if each.isprintable() else " " for each in said.decode(errors="replace")).strip()
        reason = f"it ended with {code}" if code > 0 else f"signal {-code} ended it"
        raise Failed(f"{reason}{text and ': ' + text}")


def _watched(process: subprocess.Popen[bytes], until: float) -> bytes | None:
    """The beginning of what a program writes until it ends, whoever it leaves behind; None if it was ended instead."""
    assert process.stdout is not None
    descriptor, said = process.stdout.fileno(), b""
    os.set_blocking(descriptor, False)
    watch = select.poll()
    watch.register(descriptor, select.POLLIN)
    is_open = True
    while True:
        has_ended = process.poll() is not None
        if is_open and (has_ended or watch.poll(_TICK)):
            some = _read(descriptor)
            is_open = some != b""
            said += (some or b"")[: MOST_SHOWN - len(said)]
        elif not has_ended:
            time.sleep(_TICK / 1000)
        if has_ended:
            return said
        if time.monotonic() > until:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None


def _read(descriptor: int) -> bytes | None:
    """What can be read now; None if that is nothing, empty if there will be no more."""
    try:
        return os.read(descriptor, 1 << 16)
    except BlockingIOError:
        return None
