"""What is kept of a shard between micro-batches: its whole state once in a while, and since then what each step was.

A step is the events that came and the watermark; what a shard makes of it does not depend on anything else, so that a
shard that is lost is made again from the last whole state and the steps after it. To write a step costs what the step
has, not what the shard holds. Once the steps are larger than the whole state was, it is written anew.

The ledger itself is in Spark's state store, and is committed with the offsets and the output. Without a directory it
holds everything. With one, it holds what is small and the names of files; a file is never changed, and is deleted long
after the last ledger that names it.
"""

from __future__ import annotations

import json
import os
import struct
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from tocsin.errors import SnapshotError
from tocsin.stores.pieces import joined, parted

LEAST: Final = 1 << 20
"""Bytes of steps before the whole state is written again, however small that is."""
SMALL: Final = 1 << 14
"""Pieces that are kept in the ledger, although there is a directory."""
RETAINED: Final = 128
"""Steps after which a file that is no longer named is deleted. Spark can go back 100 micro-batches."""
ABANDONED: Final = 3600
"""Seconds after which a file that no ledger names was written by an attempt that failed."""

_WHOLE, _STEP, _FILE = b"W", b"S", b"F"
_WATERMARK: Final = struct.Struct("<q")
_NONE: Final = -(2**63)


class Ledger:
    """The pieces of a shard's state, oldest first."""

    def __init__(self, home: str | None) -> None:
        self._home = None if home is None else Path(home)
        self._pieces: list[bytes] = []
        self._retired: list[tuple[int, str]] = []
        """Files, and the step at which they were no longer needed."""
        self._steps = self._whole_size = self._steps_size = 0

    # -- writing ---------------------------------------------------------------------------------------------------

    def note(self, rows: bytes, watermark: int | None, whole: Callable[[], bytes]) -> None:
        """Adds a step; or instead of all steps, the `whole` state after it."""
        self._steps += 1
        self._steps_size += len(rows) + _WATERMARK.size
        if self._steps_size > max(self._whole_size, LEAST):
            self.begin(whole())
        else:
            step = _WATERMARK.pack(_NONE if watermark is None else watermark) + rows
            self._pieces.append(self._put(_STEP + step))
        self._delete_retired()

    def begin(self, whole: bytes) -> None:
        """Goes on from a whole state: what came before is no longer needed."""
        self._retired += [(self._steps, _name(piece)) for piece in self._pieces if piece.startswith(_FILE)]
        self._pieces = [self._put(_WHOLE + whole)]
        self._whole_size, self._steps_size = len(whole), 0

    def to_bytes(self) -> bytes:
        """The ledger, for the state store."""
        told = {"steps": self._steps, "sizes": [self._whole_size, self._steps_size], "retired": self._retired}
        return joined([json.dumps(told).encode(), *self._pieces])

    # -- reading ---------------------------------------------------------------------------------------------------

    @classmethod
    def of(cls, data: bytes, home: str | None) -> Ledger:
        """What `to_bytes` wrote."""
        made = cls(home)
        told, *made._pieces = parted(data)
        record: dict[str, Any] = json.loads(told)
        made._steps, made._retired = record["steps"], [(step, name) for step, name in record["retired"]]
        made._whole_size, made._steps_size = record["sizes"]
        return made

    def whole(self) -> bytes | None:
        """The last whole state, if one was written."""
        first = self._get(self._pieces[0]) if self._pieces else b""
        return first[1:] if first.startswith(_WHOLE) else None

    def steps(self) -> Iterator[tuple[bytes, int | None]]:
        """The steps since then: events and watermarks."""
        for piece in self._pieces:
            data = self._get(piece)
            if data.startswith(_STEP):
                (watermark,) = _WATERMARK.unpack_from(data, 1)
                yield data[1 + _WATERMARK.size :], None if watermark == _NONE else watermark

    # -- files -----------------------------------------------------------------------------------------------------

    def _put(self, data: bytes) -> bytes:
        """Keeps a piece: what stands for it in the ledger."""
        if self._home is None or len(data) <= SMALL:
            return data
        name = f"{uuid4().hex}.{zlib.crc32(data):08x}"
        self._home.mkdir(parents=True, exist_ok=True)
        # Under its name there is all of it or nothing, whenever the power fails.
        with open(self._home / f"{name}.part", "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self._home / f"{name}.part", self._home / name)
        _sync(self._home)
        return _FILE + name.encode()

    def _get(self, piece: bytes) -> bytes:
        if not piece.startswith(_FILE):
            return piece
        if self._home is None:
            raise SnapshotError("the checkpoint refers to files of its shards: say the directory they are in ('state')")
        name = _name(piece)
        try:
            data = (self._home / name).read_bytes()
        except OSError as error:
            raise SnapshotError(f"a file of the checkpoint cannot be read: {self._home / name}: {error}") from None
        if zlib.crc32(data) != int(name.rpartition(".")[2], 16):
            raise SnapshotError(f"a file of the checkpoint is damaged: {self._home / name}")
        return data

    def _delete_retired(self) -> None:
        while self._retired and self._retired[0][0] <= self._steps - RETAINED:
            _, name = self._retired.pop(0)
            if self._home is not None:
                (self._home / name).unlink(missing_ok=True)

    def delete_abandoned(self) -> None:
        """Deletes what attempts that failed have left behind."""
        if self._home is None or not self._home.is_dir():
            return
        named = {_name(piece) for piece in self._pieces if piece.startswith(_FILE)} | {
            name for _, name in self._retired
        }
        for path in self._home.iterdir():
            if path.name not in named and path.stat().st_mtime < time.time() - ABANDONED:
                path.unlink(missing_ok=True)


def _sync(home: Path) -> None:
    """Makes a directory's entries last."""
    directory = os.open(home, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _name(piece: bytes) -> str:
    return piece[len(_FILE) :].decode()
