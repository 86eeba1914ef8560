"""The data directory of a site: what it was given since its state was saved last, and that state.

    site.json       whose directory it is, in what format, and how often the site has been started
    state           the state, behind the number of the first row that is not in it
    journal/        the rows, numbered (`stores.journal`); who has its lock is the site

A row is what came over the wire, the clock's tick (empty), or what somebody here has asked for.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tocsin.errors import TocsinError, UsageError
from tocsin.stores.journal import Journal, Row, parts_of, rows_of

FORMAT: Final = 1
LARGEST: Final = 32 << 20
"""Bytes of rows after which the state is saved anew."""
_HEAD: Final = struct.Struct("<QI")
"""The number of the first row that is not in the state, and the state's checksum."""


class Store:
    """A data directory that is ours as long as we live."""

    def __init__(self, home: Path, name: str, *, is_synced: bool = True) -> None:
        self.home, self._is_synced = home, is_synced
        try:
            home.mkdir(parents=True, exist_ok=True)
            self._journal = Journal(home / "journal")
        except OSError as error:
            raise UsageError(f"{home} cannot be the data directory: {error.strerror}") from None
        if not self._journal.acquire():
            raise UsageError(f"{home} is in use: another process is site '{self._owner() or name}' there")
        try:
            self.starts = self._begun(name)
            self.position, self.state = self._saved()
        except BaseException:
            self.close()
            raise
        self._size = 0

    def _owner(self) -> str:
        try:
            return str(json.loads((self.home / "site.json").read_text())["name"])
        except (OSError, ValueError, KeyError, TypeError):
            return ""

    def _begun(self, name: str) -> int:
        """How often the site has been started, this time included."""
        path = self.home / "site.json"
        starts = 0
        if path.exists():
            try:
                known = json.loads(path.read_text())
                owner, version, starts = str(known["name"]), int(known["format"]), int(known["starts"])
            except (ValueError, KeyError, TypeError):
                raise TocsinError(f"{path} is damaged: it should say whose directory this is") from None
            if owner != name:
                raise UsageError(f"{self.home} belongs to site '{owner}', not to '{name}'")
            if version != FORMAT:
                raise UsageError(f"{self.home} is in format {version} of sites' directories; this version has {FORMAT}")
        replaced(path, json.dumps({"name": name, "format": FORMAT, "starts": starts + 1}).encode())
        return starts + 1

    def _saved(self) -> tuple[int, bytes | None]:
        path = self.home / "state"
        if not path.exists():
            return 0, None
        data = path.read_bytes()
        if len(data) < _HEAD.size or zlib.crc32(data[_HEAD.size :]) != _HEAD.unpack_from(data)[1]:
            raise TocsinError(f"{path} is damaged: its checksum is wrong")
        position: int = _HEAD.unpack_from(data)[0]
        return position, data[_HEAD.size :]

    # -- reading -----------------------------------------------------------------------------------------------------

    def rows(self) -> Iterator[Row]:
        """What came since the state was saved."""
        count = self._journal.count
        if self.position < count:
            for first, last in parts_of(self._journal.home, self.position, count):
                yield from rows_of(self._journal.home, first, last)

    # -- writing -----------------------------------------------------------------------------------------------------

    def append(self, rows: list[Row]) -> None:
        """Writes rows. When it returns they outlast us; if they are synced, a power failure too."""
        self._journal.append(rows, is_synced=self._is_synced)
        self._size += sum(len(body) for body, _, _ in rows) + 32 * len(rows)

    @property
    def is_long(self) -> bool:
        """Whether it is time to save the state."""
        return self._size > LARGEST

    def save(self, state: bytes) -> None:
        """Saves the state after all rows: they are not needed any more."""
        self.position, self._size = self._journal.count, 0
        replaced(self.home / "state", _HEAD.pack(self.position, zlib.crc32(state)) + state)
        self._journal.delete_before(self.position)

    def close(self) -> None:
        """Lets another have it."""
        self._journal.close()


def replaced(path: Path, data: bytes) -> None:
    """Writes a file: under its name there is what was, or all of it, whenever the power fails."""
    part = path.with_name(f"{path.name}.part")
    with open(part, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
