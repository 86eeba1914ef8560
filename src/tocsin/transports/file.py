"""Files of lines: one that grows, or all in a directory, to which others may be added. A line is a message.

    file:events.jsonl        file:///var/log/events/

Files of a directory are read in the order of their names, each as far as it goes; what is added to one later comes
when it is there. A line counts when its end is written.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Final

from tocsin.encodings import Message
from tocsin.errors import UsageError
from tocsin.transports.address import BOTH, SOURCE, Address, Option
from tocsin.transports.contract import MOST, Delivery, Lost, Outcome, Position, Publisher, Received, Subscription

SCHEMES: Final = {"file": 0}
PREFIX: Final = None
USES: Final = BOTH
HAS_OPTIONS: Final = True
REPLAYS: Final = True
OPTIONS: Final[Mapping[str, Option]] = {
    "start": Option("where a subscription begins", "first", "first|new", (SOURCE,)),
    "lost": Option("what happens if a file is shorter than what was read of it", "fail", "fail|go-on", (SOURCE,)),
    "per_batch": Option("lines of a micro-batch, at most", "100000", "number", (SOURCE,)),
}
_PAUSE: Final = 0.05
"""Seconds between two looks at a file that did not grow."""
_PIECE: Final = 1 << 20


def check(address: Address, use: str) -> None:
    """Whether there is such a file or directory, or can be one."""
    path = Path(address.path)
    if not address.path:
        raise UsageError(f"{address}: a file has a path: file:PATH")
    if address.options.get("encoding", "json") == "avro":
        raise UsageError(f"{address}: lines of text hold json or cloudevents, not avro")
    if use == SOURCE and not path.exists():
        raise UsageError(f"{address}: there is no such file or directory")
    if use != SOURCE and (path.is_dir() or not path.resolve().parent.is_dir()):
        raise UsageError(f"{address}: detections are added to a file in a directory that is there")


def subscribe(address: Address, start: Position | None = None, name: str = "") -> Subscription:
    """The lines of a file or directory. A name is not remembered: positions are."""
    return _Subscription(address, start)


def publisher(address: Address) -> Publisher:
    """Lines to the end of a file."""
    return _Publisher(Path(address.path))


class _Subscription(Subscription):
    def __init__(self, address: Address, start: Position | None) -> None:
        self._address, self._path, self._is_closed = address, Path(address.path), False
        self._read: dict[str, int] = dict(start or {})
        """Bytes of each file that were handed out."""
        if start is None and address.text("start", OPTIONS) == "new":
            self._read = {name: _whole(path) for name, path in self._files()}

    def receive(self, seconds: float, most: int = MOST) -> Delivery:
        until = time.monotonic() + seconds
        while not (some := self._more(most)) and not self._is_closed:
            left = until - time.monotonic()
            if left <= 0:
                break
            time.sleep(min(_PAUSE, left))
        return Delivery(some, dict(self._read))

    def acknowledge(self, position: Position) -> None:
        """Files remember nobody."""

    def lag(self) -> int | None:
        """Lines are not counted before they are read."""
        return None if any(path.stat().st_size > self._read.get(name, 0) for name, path in self._files()) else 0

    def close(self) -> None:
        self._is_closed = True

    def _files(self) -> list[tuple[str, Path]]:
        if not self._path.is_dir():
            return [(self._path.name, self._path)] if self._path.exists() else []
        return sorted((each.name, each) for each in self._path.iterdir() if _is_read(each))

    def _more(self, most: int) -> list[Received]:
        some: list[Received] = []
        for name, path in self._files():
            size, begun = path.stat().st_size, self._read.get(name, 0)
            if size < begun:
                begun = self._shorter(path, begun)
            if size > begun and len(some) < most:
                arrived = path.stat().st_mtime_ns // 1000
                for line, end in _lines(path, begun, most - len(some)):
                    some.append(Received(line, {}, f"{name}:{self._read.get(name, 0)}", arrived))
                    self._read[name] = end
        return [each for each in some if each.body.strip()] or some[:0]

    def _shorter(self, path: Path, begun: int) -> int:
        if self._address.text("lost", OPTIONS) == "fail":
            raise Lost(
                f"{self._address}: {path} has fewer bytes than the {begun:,} that were read of it: it was written anew;"
                " lost=go-on begins with it again"
            )
        self._read[path.name] = 0
        return 0


def _is_read(path: Path) -> bool:
    """What begins with a dot or an underscore is being written, or is not for us."""
    return path.name[0] not in "._" and path.is_file()


def _lines(path: Path, begun: int, most: int) -> Iterator[tuple[bytes, int]]:
    """The lines from a place on that are whole, each with where it ends."""
    with open(path, "rb") as file:
        file.seek(begun)
        for _, line in zip(range(most), file, strict=False):
            if not line.endswith(b"\n"):
                return
            begun += len(line)
            yield line.rstrip(b"\r\n"), begun


def _whole(path: Path) -> int:
    """Where the last whole line ends."""
    end = path.stat().st_size
    with open(path, "rb") as file:
        while end:
            begin = max(0, end - _PIECE)
            file.seek(begin)
            found = file.read(end - begin).rfind(b"\n")
            if found >= 0:
                return begin + found + 1
            end = begin
    return 0


class _Publisher(Publisher):
    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] = open(path, "ab")  # noqa: SIM115 - open until it is closed
        self._taken = 0

    def publish(self, message: Message) -> None:
        self._file.write(message.body.replace(b"\n", b" ") + b"\n")
        self._taken += 1

    def flush(self) -> Outcome:
        self._file.flush()
        os.fsync(self._file.fileno())
        taken, self._taken = self._taken, 0
        return Outcome(taken)

    def close(self) -> None:
        self._file.close()
