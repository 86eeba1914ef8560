"""A buffer on disk: what waits outlasts the end of the process, and, once it is synchronised, a loss of power.

    lock                            whoever has it locked uses the directory: one process at a time
    delivered                       the number of the first record that is not done with
    00000000000000000000.events     the records, as `segments` has them
    child-4711-0/                   the buffer of a process that was forked from the one that has the lock

Every event is written before `append` returns, so it outlasts a `kill -9`. How far has been delivered is only ever
known too late, never too early: what was delivered and not noted is sent again, under the ids it had.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections import deque
from pathlib import Path
from threading import Lock
from typing import Final

from tocsin.errors import TocsinError
from tocsin.sensor.buffer import first_of
from tocsin.sensor.segments import Segment, SegmentWriter, records, segment_path, segments_of, sync_folder

AHEAD: Final = 4 << 20
"""Bytes of what waits that are in memory too, so that nothing is read while the service keeps up."""
CHILD: Final = "child-"
_DIGITS: Final = 20
_LEAST: Final = 64 << 10
_LARGEST: Final = 8 << 20
"""The size at which another file is begun: an eighth of the bound, but within these."""


class BufferInUse(TocsinError):
    """Another process, or another sensor of this one, uses the directory."""


class DiskBuffer:
    """What waits, on disk. Opening it takes the lock; `damaged` files had records that could not be read any more."""

    def __init__(self, home: str | os.PathLike[str], capacity: int) -> None:
        self.home = Path(home)
        self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = _locked(self.home)
        self._largest = max(_LEAST, min(_LARGEST, capacity // 8))
        self._delivered = os.open(self.home / "delivered", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._ahead: deque[bytes] = deque()
        self._ahead_bytes = 0
        self._durability = Lock()
        self._is_closed = False
        self._writer: SegmentWriter | None = None
        self._cursor = (0, 0, 0)
        """What is read from disk next: its number, the place of its file, the offset there."""
        self.head = self.count = self.size = self.damaged = self._durable = 0
        self._open()
        self._adopt()

    # -- opening -----------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        """Finds what waits; cuts off what is unfinished."""
        text = os.pread(self._delivered, _DIGITS, 0)
        self.head = int(text) if text.isdigit() else 0
        self._segments = segments_of(self.home)
        is_whole, end = self._scan()
        if not is_whole:
            self._repair()
        elif not self._segments or self.head > self.count:
            self.count = self.head
            self._begin()
            self._cursor = (self.head, len(self._segments) - 1, 0)
        else:
            self._writer = SegmentWriter(self._segments[-1], end)
            self._durable = self.head  # whether what waits was made durable is not known
        self._forget()

    def _scan(self) -> tuple[bool, int]:
        """Looks at every record; whether none is missing between two files, and where the last one ends."""
        number = self._segments[0].first if self._segments else 0
        self.head = max(self.head, number)
        is_whole, end = True, 0
        for place, segment in enumerate(self._segments):
            is_whole = is_whole and number == segment.first
            number, end = segment.first, 0
            if number <= self.head:
                self._cursor = (number, place, 0)
            for line, stop in records(segment.path):
                number, end = number + 1, stop
                if number <= self.head:
                    self._cursor = (number, place, end)
                else:
                    self.size += len(line)
        self.count = number
        return is_whole, end

    def _repair(self) -> None:
        """Writes what can be read of damaged files into new ones. If it is interrupted, something is sent twice."""
        damaged, done = self._segments, self.head
        self.damaged, self.size = 1, 0
        self.head = self.count = max(self.head, self.count) + 1  # so that no file is called as one of those
        self._segments = []
        self._begin()
        self._cursor = (self.head, 0, 0)
        for segment in damaged:
            for number, (line, _) in enumerate(records(segment.path), segment.first):
                if number >= done:
                    self.append(line)
        self.sync()
        for segment in damaged:
            segment.path.unlink(missing_ok=True)

    def _adopt(self) -> None:
        """Takes over what processes have left that were forked from one that had this directory, and are gone."""
        for child in sorted(self.home.glob(f"{CHILD}*")):
            try:
                left = DiskBuffer(child, 8 * _LARGEST)
            except BufferInUse:
                continue
            while lines := left.take(1000, AHEAD):
                for line in lines:
                    self.append(line)
                left.release(left.head + len(lines))
            left.close()
            shutil.rmtree(child)

    # -- at work -----------------------------------------------------------------------------------------------------

    @property
    def is_dirty(self) -> bool:
        return self._durable < self.count

    def append(self, line: bytes) -> None:
        if self._open_writer().size >= self._largest:
            self._begin()
        writer = self._open_writer()
        writer.append(line)
        number = self._cursor[0]
        if number == self.count and self._ahead_bytes < AHEAD:
            self._ahead.append(line)
            self._ahead_bytes += len(line)
            self._cursor = (number + 1, len(self._segments) - 1, writer.size)
        self.count += 1
        self.size += len(line)

    def _begin(self) -> None:
        """Begins another file. The one before is made durable first: records are only ever missing at the very end."""
        with self._durability:
            if self._writer is not None:
                self._writer.sync()
                self._writer.close()
            self._segments.append(Segment(self.count, segment_path(self.home, self.count)))
            self._writer = SegmentWriter(self._segments[-1], 0)
            sync_folder(self.home)
            self._durable = self.count

    def take(self, most: int, most_bytes: int) -> list[bytes]:
        while len(self._ahead) < most and self._ahead_bytes < min(AHEAD, most_bytes) and self._cursor[0] < self.count:
            self._read_on()
        return first_of(self._ahead, most, most_bytes)

    def _read_on(self) -> None:
        """Reads what waits on disk only, up to the end of a file or as much as may be in memory."""
        number, place, offset = self._cursor
        for line, end in records(self._segments[place].path, offset):
            self._ahead.append(line)
            self._ahead_bytes += len(line)
            number, offset = number + 1, end
            if number == self.count or self._ahead_bytes >= AHEAD:
                break
        if place + 1 < len(self._segments) and number == self._segments[place + 1].first:
            place, offset = place + 1, 0
        elif number == self._cursor[0]:
            raise TocsinError(
                f"{self._segments[place].path} was changed while it was in use: event {number} is not there"
            )
        self._cursor = (number, place, offset)

    def release(self, number: int) -> None:
        if self._is_closed:
            return
        while self.head < number and self._ahead:
            line = self._ahead.popleft()
            self._ahead_bytes -= len(line)
            self.size -= len(line)
            self.head += 1
        os.pwrite(self._delivered, f"{self.head:0{_DIGITS}}".encode(), 0)
        self._forget()

    def _forget(self) -> None:
        """Deletes files that are done with."""
        while len(self._segments) > 1 and self._segments[1].first <= self.head:
            self._segments.pop(0).path.unlink(missing_ok=True)
            number, place, offset = self._cursor
            self._cursor = (number, max(0, place - 1), offset)

    def sync(self, number: int | None = None) -> None:
        with self._durability:  # one thread writes for all that wait meanwhile
            upto = self.count
            if self._is_closed or self._durable >= (upto if number is None else number):
                return
            self._open_writer().sync()
            self._durable = upto

    def close(self) -> None:
        if self._is_closed:
            return
        self.sync()
        with self._durability:
            self._end()

    def abandon(self) -> None:
        """Closes what was inherited by a fork and touches nothing: it belongs to the process that opened it."""
        if not self._is_closed:
            self._end()

    def _end(self) -> None:
        self._is_closed = True
        self._open_writer().close()
        os.close(self._delivered)
        os.close(self._lock)  # after a fork the lock stays with whoever else has this file open

    def _open_writer(self) -> SegmentWriter:
        assert self._writer is not None
        return self._writer


def _locked(home: Path) -> int:
    """The lock of a directory, taken."""
    file = os.open(home / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        holder = os.pread(file, _DIGITS, 0).decode("ascii", "replace").strip()
        os.close(file)
        raise BufferInUse(
            f"{home} is in use by process {holder or 'unknown'}: a buffer belongs to one sensor at a time;"
            " give this one a directory of its own"
        ) from None
    os.ftruncate(file, 0)
    os.pwrite(file, f"{os.getpid()}\n".encode(), 0)
    return file
