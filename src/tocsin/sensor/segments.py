"""The files of a buffer on disk: records one after the other, each with its length and its checksum.

    00000000000000000000.events     a file is called by the number of its first record
    00000000000000001200.events     the last one is written to; a file all of whose records are done with is deleted

What a process that was killed has left unfinished at the end is cut off when the files are opened again.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tocsin.errors import TocsinError

_HEAD: Final = struct.Struct("<II")
"""The length and the checksum of what follows."""
_DIGITS: Final = 20
_SUFFIX: Final = ".events"


@dataclass(frozen=True)
class Segment:
    """One file: the number of its first record, and where it is."""

    first: int
    path: Path


def segments_of(home: Path) -> list[Segment]:
    """The files of a buffer, in order."""
    found = (path for path in home.iterdir() if path.suffix == _SUFFIX and path.stem.isdigit())
    return sorted((Segment(int(path.stem), path) for path in found), key=lambda segment: segment.first)


def segment_path(home: Path, first: int) -> Path:
    """Where the file is whose first record has that number."""
    return home / f"{first:0{_DIGITS}}{_SUFFIX}"


def records(path: Path, offset: int = 0) -> Iterator[tuple[bytes, int]]:
    """The records of a file from an offset on, and where each ends; up to the first that is not whole."""
    with open(path, "rb") as file:
        file.seek(offset)
        end = offset
        while len(head := file.read(_HEAD.size)) == _HEAD.size:
            length, checksum = _HEAD.unpack(head)
            data = file.read(length)
            if len(data) < length or zlib.crc32(data) != checksum:
                return
            end += _HEAD.size + length
            yield data, end


class SegmentWriter:
    """The end of a file that records are appended to. Each is handed to the system at once, in one write."""

    def __init__(self, segment: Segment, size: int) -> None:
        """Goes on after the first `size` bytes; what follows them is cut off."""
        self.segment, self.size = segment, size
        self._file = os.open(segment.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.ftruncate(self._file, size)

    def append(self, line: bytes) -> None:
        """Writes a record, or nothing of it."""
        record = _HEAD.pack(len(line), zlib.crc32(line)) + line
        try:
            written = 0
            while written < len(record):
                written += os.pwrite(self._file, record[written:], self.size + written)
        except OSError as error:
            os.ftruncate(self._file, self.size)
            raise TocsinError(f"cannot write {self.segment.path}: {error.strerror}; the event was not taken") from error
        self.size += len(record)

    def sync(self) -> None:
        os.fsync(self._file)

    def close(self) -> None:
        os.close(self._file)


def sync_folder(home: Path) -> None:
    """Makes the names in a folder outlast a loss of power."""
    folder = os.open(home, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
