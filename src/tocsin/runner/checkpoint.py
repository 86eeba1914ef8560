"""What a pipeline in this process keeps, so that it can be killed at any moment.

A step is some messages and the position behind them. It is written down, and made to last, before anything is made
of it and before it is acknowledged; what was made of it was sent before it is `done`. The whole state is written
once in a while: then the steps before it are no longer needed.

    steps/       a journal: a row is a step
    state        the last whole state, and how many steps it has behind it
    done         how many steps are done: those after it are taken again, and sent again
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tocsin.errors import SnapshotError
from tocsin.stores.journal import Journal, length_of, parts_of, rows_of
from tocsin.stores.pieces import joined, parted
from tocsin.transports import Position, Received

LEAST: Final = 4 << 20
"""Bytes of steps before the whole state is written again, however small that is."""


class Step(NamedTuple):
    """Messages that were taken together."""

    messages: list[Received]
    position: Position


class Checkpoint:
    """The directory. There is one who writes at a time."""

    def __init__(self, home: str) -> None:
        self._home = Path(home)
        self._journal = Journal(self._home / "steps")
        if not self._journal.acquire():
            raise SnapshotError(f"{home} is in use by another pipeline that runs")
        self._size = self._whole_size = 0
        self.done = self._number("done")

    @property
    def count(self) -> int:
        """Steps that were written down."""
        return self._journal.count

    def note(self, step: Step) -> None:
        """Writes a step down. When it returns, it outlasts a crash."""
        told = [[dict(each.headers), each.place, each.arrived] for each in step.messages]
        body = zlib.compress(joined([json.dumps(told).encode(), *(each.body for each in step.messages)]), 1)
        self._journal.append([(body, {"position": json.dumps(step.position)}, 0)])
        self._size += len(body)

    def finish(self, number: int) -> None:
        """All before a number is done."""
        self.done = number
        self._put("done", str(number).encode())

    def is_due(self) -> bool:
        """Whether the whole state should be written."""
        return self._size > max(LEAST, self._whole_size)

    def save(self, whole: bytes, position: Position | None) -> None:
        """Writes the whole state, after all steps so far."""
        record = json.dumps({"steps": self.count, "position": position, "check": zlib.crc32(whole)}).encode()
        self._put("state", joined([record, whole]), lasting=True)
        self._size, self._whole_size = 0, len(whole)
        self._journal.delete_before(self.count)

    def state(self) -> tuple[int, Position | None, bytes] | None:
        """The last whole state: how many steps it has behind it, the position, and what it is."""
        path = self._home / "state"
        if not path.exists():
            return None
        record, whole = parted(path.read_bytes())
        told = json.loads(record)
        if zlib.crc32(whole) != told["check"]:
            raise SnapshotError(f"the checkpoint is damaged: {path}")
        return told["steps"], told["position"], whole

    def steps(self, first: int) -> Iterator[Step]:
        """The steps from a number on."""
        home = self._home / "steps"
        if first >= length_of(home):
            return
        for part in parts_of(home, first, length_of(home)):
            for body, headers, _ in rows_of(home, *part):
                record, *bodies = parted(zlib.decompress(body))
                told = zip(json.loads(record), bodies, strict=True)
                messages = [Received(each, headers_, place, arrived) for (headers_, place, arrived), each in told]
                yield Step(messages, json.loads(headers["position"]))

    def close(self) -> None:
        """Lets another write."""
        self._journal.close()

    def _number(self, name: str) -> int:
        path = self._home / name
        return int(path.read_text()) if path.exists() else 0

    def _put(self, name: str, data: bytes, lasting: bool = False) -> None:
        """All of it or nothing; what need not outlast a power failure is not waited for."""
        path = self._home / f".{name}"
        with open(path, "wb") as file:
            file.write(data)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        os.replace(path, self._home / name)
