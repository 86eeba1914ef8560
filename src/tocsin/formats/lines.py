"""The lines of a file of events, one at a time and never a whole file at once.

Anything can stand in a file: a line that is no text is given with its flaw, and the lines after it go on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import BytesIO
from typing import IO, Any, Final, NamedTuple

from tocsin.formats.refused import Refused

LONGEST: Final = 16 * 1024 * 1024
"""The longest line that is read, in bytes; of a longer one only the beginning is kept."""

_KEPT: Final = 200
_STEP: Final = 1 << 16
_NEWLINE: Final = 10
_BYTE_ORDER_MARK: Final = "\ufeff"


class Line(NamedTuple):
    """One line as it stands in the file, numbered from 1, and what is wrong with it as text."""

    number: int
    text: str
    flaw: Refused | None = None


def lines(stream: IO[Any] | Rejoined, blank: bool = False, longest: int = LONGEST, first: int = 1) -> Iterator[Line]:
    """The lines of a binary or a text stream, without their ends; blank ones too if asked, counted in any case."""
    number = first - 1
    while True:
        try:
            raw: bytes | str = stream.readline(longest + 1)
        except UnicodeDecodeError as error:
            # A text stream decodes in blocks: which line it was, and the rest of the file, cannot be had.
            yield Line(number + 1, "", Refused(f"not {error.encoding} text, and the stream cannot go on"))
            return
        if not raw:
            return
        number += 1
        line = too_long(stream, number, raw, longest) if len(raw) > longest else line_of(number, raw)
        if blank or line.flaw is not None or (line.text and not line.text.isspace()):
            yield line


def too_long(stream: IO[Any] | Rejoined, number: int, raw: bytes | str, longest: int) -> Line:
    """Steps over the rest of a line that is too long."""
    newline = b"\n" if isinstance(raw, bytes) else "\n"
    part = raw
    while part and part[-1:] != newline:
        part = stream.readline(_STEP)
    beginning = raw[:_KEPT]
    text = beginning.decode(errors="replace") if isinstance(beginning, bytes) else beginning
    return Line(number, text, Refused(f"the line is longer than {longest:,} bytes"))


def line_of(number: int, raw: bytes | str) -> Line:
    """The line as text, with what is wrong with it."""
    if isinstance(raw, str):
        text, flaw = _checked_text(raw)
    else:
        try:
            text, flaw = raw.decode(), None
        except UnicodeDecodeError as error:
            text = raw.decode(errors="backslashreplace")
            before = len(raw[: error.start].decode())
            flaw = Refused(f"not UTF-8: byte 0x{raw[error.start]:02x} at position {error.start + 1}", before + 1)
    if number == 1 and text.startswith(_BYTE_ORDER_MARK):
        text = text[1:]
    text = text.rstrip("\r\n")
    if flaw is None and "\0" in text:
        flaw = Refused("the line holds a NUL byte", text.index("\0") + 1)
    return Line(number, text, flaw)


def _checked_text(raw: str) -> tuple[str, Refused | None]:
    """Text that was decoded elsewhere: bytes that were none may have been smuggled in as surrogates."""
    if raw.isascii():
        return raw, None
    try:
        raw.encode()
    except UnicodeEncodeError as error:
        text = raw.encode(errors="backslashreplace").decode()
        return text, Refused(f"not UTF-8: an undecoded byte at position {error.start + 1}", error.start + 1)
    return raw, None


def lines_of(text: bytes, first: int, longest: int = LONGEST) -> Iterator[Line]:
    """The lines of a text, numbered from `first`; blank ones are only counted."""
    return lines(BytesIO(text), longest=longest, first=first)


# -- many at once ----------------------------------------------------------------------------------------------------

CHUNK: Final = 1 << 20
"""Bytes that are read at a time, where so many are there."""


class Overlong(bytes):
    """The beginning of a line that is too long; the stream stands inside it."""


def chunks(stream: IO[bytes], size: int = CHUNK, longest: int = LONGEST) -> Iterator[bytes]:
    """Whole lines, as many as come at a time; the last may lack its end. Nothing that is there is waited for."""
    read = getattr(stream, "read1", stream.read)
    rest = b""
    while chunk := read(size):
        end = chunk.rfind(b"\n") + 1
        if end:
            yield rest + chunk[:end]
            rest = chunk[end:]
        else:
            rest += chunk
            if len(rest) > longest:
                yield Overlong(rest)
                rest = b""
    if rest:
        yield rest


class Lines:
    """Whole lines as one text. Where they end is worked out when one of them is asked for."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self._ends: list[int] = []

    def line(self, place: int) -> bytes:
        """One of the lines, without its end."""
        if place >= len(self._ends):
            self._look(place)
        first = self._ends[place - 1] + 1 if place else 0
        return self.text[first : self._ends[place]]

    def _look(self, place: int) -> None:
        """Where the lines end up to this one; all of them, where that costs no more."""
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            ends = numpy.flatnonzero(numpy.frombuffer(self.text, numpy.uint8) == _NEWLINE)
            self._ends = [*ends.tolist(), len(self.text)]
            return
        ends, find, last = self._ends, self.text.find, self._ends[-1] if self._ends else -1
        for _ in range(place + 1 - len(ends)):
            last = find(b"\n", last + 1)
            if last < 0:
                last = len(self.text)
            ends.append(last)


class Rejoined:
    """A chunk and those that follow, as a stream again."""

    def __init__(self, chunk: bytes, following: Iterator[bytes]) -> None:
        self._chunk, self._following = BytesIO(chunk), following

    def readline(self, most: int) -> bytes:
        """A line, or as much of it as is asked for."""
        part = self._chunk.readline(most)
        while part[-1:] != b"\n" and len(part) < most and (chunk := next(self._following, None)) is not None:
            self._chunk = BytesIO(chunk)
            part += self._chunk.readline(most - len(part))
        return part


def is_binary(stream: IO[Any]) -> bool:
    """Whether a stream gives bytes."""
    read = getattr(stream, "read", None)
    return read is not None and isinstance(read(0), bytes)
