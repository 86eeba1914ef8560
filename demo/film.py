"""Screenshots as one picture that moves: an animated PNG, which browsers and code hosts show without a player."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import Final

MARK: Final = b"\x89PNG\r\n\x1a\n"


def animated(frames: Sequence[bytes], seconds: Sequence[float]) -> bytes:
    """PNG pictures of one size and kind, each shown for so many seconds, again and again."""
    head = next(data for kind, data in _chunks(frames[0]) if kind == b"IHDR")
    if any(next(data for kind, data in _chunks(each) if kind == b"IHDR") != head for each in frames):
        raise ValueError("the pictures have different sizes or kinds")
    made = [MARK, _chunk(b"IHDR", head), _chunk(b"acTL", struct.pack(">II", len(frames), 0))]
    number = 0
    for place, (frame, length) in enumerate(zip(frames, seconds, strict=True)):
        made.append(_chunk(b"fcTL", _control(number, head, length)))
        number += 1
        for kind, data in _chunks(frame):
            if kind != b"IDAT":
                continue
            if place == 0:
                made.append(_chunk(b"IDAT", data))
            else:
                made.append(_chunk(b"fdAT", struct.pack(">I", number) + data))
                number += 1
    return b"".join((*made, _chunk(b"IEND", b"")))


def _control(number: int, head: bytes, seconds: float) -> bytes:
    width, height = struct.unpack(">II", head[:8])
    return struct.pack(">IIIIIHHBB", number, width, height, 0, 0, round(seconds * 1000), 1000, 0, 0)


def _chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(MARK)
    while at < len(picture):
        length, kind = struct.unpack(">I4s", picture[at : at + 8])
        yield kind, picture[at + 8 : at + 8 + length]
        at += length + 12


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
