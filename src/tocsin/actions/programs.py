"""A program run for a detection: a list of words, never a shell; a time limit; what it writes, up to a bound."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from typing import Final

MOST_SHOWN: Final = 2_000
"""Bytes of what a failed program wrote that are told."""


class Failed(Exception):
    """An action did not do what it should: why."""


def run_program(words: list[str], given: str, seconds: float) -> str:
    """Runs a program with `given` as its input; what it wrote. `Failed` if it cannot, does not, or takes too long."""
    # Files, not pipes: whatever the program or its children leave open, nobody waits for more than the program.
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as target:
        source.write(given.encode())
        source.seek(0)
        try:
            process = subprocess.Popen(
                words, stdin=source, stdout=target, stderr=subprocess.STDOUT, start_new_session=True
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise Failed(f"it cannot be run: {reason}") from None
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            _kill(process)
            raise Failed(f"it took longer than {seconds:g} s and was stopped{_said(target)}") from None
        if code != 0:
            reason = f"it ended with {code}" if code > 0 else f"signal {-code} ended it"
            raise Failed(f"{reason}{_said(target)}")
        target.seek(0)
        return target.read(MOST_SHOWN).decode(errors="replace")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Ends the program and what it has started: they are a group of their own."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _said(target: object) -> str:
    """The beginning of what a program wrote, for the message."""
    assert hasattr(target, "seek")
    assert hasattr(target, "read")
    target.seek(0)
    text = target.read(MOST_SHOWN).decode(errors="replace").strip()
    return f": {text}" if text else ""
