"""A journal of messages: files in which they are numbered, for brokers that do not number them.

What was received is written here, and made to last, before it is acknowledged: so the broker sends again what is not
here, and the numbers are offsets that hold after any crash. Files are never changed but at the end of the last. Nothing
here knows Spark or a broker.

    00000000000000000000  00000000000000050000 ...      a file is called by the number of its first message
    receiver               whoever has it locked writes
    readers/               how far each reader has got: files that it has locked
"""

from __future__ import annotations

import fcntl
import json
import os
import struct
import zlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import IO, Final
from uuid import uuid4

from tocsin.errors import TocsinError

LARGEST: Final = 32 << 20
"""Bytes after which another file is begun."""
_HEAD: Final = struct.Struct("<IIqI")
"""The length, the checksum, the arrival, the length of the headers among it."""
_DIGITS: Final = 20

Row = tuple[bytes, dict[str, str], int]
"""A body, headers, and when it arrived: microseconds since 1970."""


class Journal:
    """The writer's side. There is one at a time: the others wait until it is gone."""

    def __init__(self, home: str | Path) -> None:
        self.home = Path(home)
        self.home.mkdir(parents=True, exist_ok=True)
        self._lock: IO[str] | None = None
        self._file: IO[bytes] | None = None
        self.count = 0
        """The number that the next message gets."""

    def acquire(self) -> bool:
        """Whether we write from now on. What a writer that was killed has left unfinished is cut off."""
        if self._lock is not None:
            return True
        lock = open(self.home / "receiver", "w")  # noqa: SIM115 - open as long as we write
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            return False
        self._lock = lock
        self._open()
        return True

    def _open(self) -> None:
        files = files_of(self.home)
        if not files:
            self._begin(0)
            return
        first, path = files[-1]
        count, size = 0, 0
        for _, end in _records(path):
            count, size = count + 1, end
        self._file = open(path, "r+b")  # noqa: SIM115 - open as long as we write
        self._file.truncate(size)
        self._file.seek(size)
        os.fsync(self._file.fileno())
        self.count = first + count

    def _begin(self, first: int) -> None:
        if self._file is not None:
            self._file.close()
        self._file = open(self.home / f"{first:0{_DIGITS}}", "xb")  # noqa: SIM115 - open as long as we write
        directory = os.open(self.home, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)

    def append(self, rows: list[Row], *, is_synced: bool = True) -> None:
        """Writes messages. When it returns, they outlast a crash; if they are not synced, only this process."""
        assert self._file is not None
        self._file.write(b"".join(_packed(*row) for row in rows))
        self._file.flush()
        if is_synced:
            os.fsync(self._file.fileno())
        self.count += len(rows)
        if self._file.tell() > LARGEST:
            self._begin(self.count)

    def delete_read(self) -> None:
        """Deletes files that every reader has behind it."""
        reached = [_reached(path) for path in (self.home / "readers").glob("*")]
        positions = [each for each in reached if each is not None]
        files = files_of(self.home)
        for (_, path), (following, _) in pairwise(files):
            if positions and following <= min(positions):
                path.unlink(missing_ok=True)

    def delete_before(self, number: int) -> None:
        """Deletes files all of whose messages come before a number."""
        for (_, path), (following, _) in pairwise(files_of(self.home)):
            if following <= number:
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Lets another write."""
        for each in (self._file, self._lock):
            if each is not None:
                each.close()
        self._file = self._lock = None


class Reading:
    """A reader's mark in a journal: how far it has got. It is no longer heeded when its process is gone."""

    def __init__(self, home: str | Path) -> None:
        folder = Path(home) / "readers"
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / uuid4().hex
        self._file = open(self._path, "w+")  # noqa: SIM115 - open as long as we read
        fcntl.flock(self._file, fcntl.LOCK_EX)
        self.mark(0)

    def mark(self, position: int) -> None:
        """All before it has been read, and will not be asked for again."""
        self._file.seek(0)
        self._file.write(f"{position:0{_DIGITS}}")
        self._file.flush()

    def close(self) -> None:
        """It reads no more."""
        self._path.unlink(missing_ok=True)
        self._file.close()


def _reached(path: Path) -> int | None:
    """How far a reader has got; None if it is gone."""
    try:
        with open(path, "r+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return int(file.read(_DIGITS) or "0")
            path.unlink(missing_ok=True)
    except OSError:
        return None
    return None


def files_of(home: Path) -> list[tuple[int, Path]]:
    """The files of a journal, with the numbers of their first messages."""
    return sorted((int(path.name), path) for path in home.iterdir() if path.name.isdigit())


def length_of(home: str | Path) -> int:
    """The number of messages that there have been. Only the last file is looked into."""
    files = files_of(Path(home)) if Path(home).is_dir() else []
    return files[-1][0] + sum(1 for _ in _records(files[-1][1])) if files else 0


def parts_of(home: str | Path, first: int, last: int) -> list[tuple[int, int]]:
    """The messages from a number to another (not included), cut where files are: each part is in one file."""
    files = files_of(Path(home))
    if not files or files[0][0] > first:
        raise TocsinError(f"the journal {home} no longer has message {first}: it must stay with its checkpoint")
    starts = [number for number, _ in files] + [last]
    return [
        (max(first, begin), min(last, end)) for begin, end in pairwise(starts) if max(first, begin) < min(last, end)
    ]


def rows_of(home: str | Path, first: int, last: int) -> Iterator[Row]:
    """The messages from a number to another (not included), all in one file."""
    number, path = next(each for each in reversed(files_of(Path(home))) if each[0] <= first)
    for row, _ in _records(path):
        if first <= number < last:
            yield _unpacked(row)
        number += 1
        if number >= last:
            return
    if number < last:
        raise TocsinError(f"{path} ends before message {last - 1}: it is damaged")


def _packed(body: bytes, headers: dict[str, str], arrived: int) -> bytes:
    told = json.dumps(headers).encode() if headers else b""
    data = told + body
    return _HEAD.pack(len(data), zlib.crc32(data), arrived, len(told)) + data


def _unpacked(row: bytes) -> Row:
    _, _, arrived, told = _HEAD.unpack_from(row)
    headers = row[_HEAD.size : _HEAD.size + told]
    return row[_HEAD.size + told :], json.loads(headers) if headers else {}, arrived


def _records(path: Path) -> Iterator[tuple[bytes, int]]:
    """The records of a file that are whole, with where each ends. After one that is not, there is nothing."""
    with open(path, "rb") as file:
        end = 0
        while len(head := file.read(_HEAD.size)) == _HEAD.size:
            length, checksum, _, _ = _HEAD.unpack(head)
            data = file.read(length)
            if len(data) < length or zlib.crc32(data) != checksum:
                return
            end += _HEAD.size + length
            yield head + data, end
