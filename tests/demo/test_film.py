"""Pictures that move, as a picture viewer reads them."""

from __future__ import annotations

import struct
import zlib

import pytest

from demo.film import MARK, animated


def picture(width: int, shade: int) -> bytes:
    """A grey picture of one row."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, 1, 8, 0, 0, 0, 0)
    row = zlib.compress(bytes([0]) + bytes([shade]) * width)
    return MARK + chunk(b"IHDR", head) + chunk(b"IDAT", row) + chunk(b"IEND", b"")


def test_each_frame_is_there_in_its_order() -> None:
    made = animated([picture(3, 10), picture(3, 20), picture(3, 30)], [1, 0.5, 2])
    at, kinds, frames = len(MARK), list[bytes](), list[bytes]()
    numbers, lengths = list[int](), list[float]()
    while at < len(made):
        size, kind = struct.unpack(">I4s", made[at : at + 8])
        data = made[at + 8 : at + 8 + size]
        assert struct.unpack(">I", made[at + 8 + size : at + 12 + size])[0] == zlib.crc32(kind + data)
        kinds.append(kind)
        if kind in (b"fcTL", b"fdAT"):
            numbers.append(struct.unpack(">I", data[:4])[0])
        if kind == b"fcTL":
            above, below = struct.unpack(">HH", data[20:24])
            lengths.append(above / below)
        if kind in (b"IDAT", b"fdAT"):
            frames.append(zlib.decompress(data if kind == b"IDAT" else data[4:]))
        at += size + 12
    assert kinds == [b"IHDR", b"acTL", b"fcTL", b"IDAT", b"fcTL", b"fdAT", b"fcTL", b"fdAT", b"IEND"]
    assert numbers == [0, 1, 2, 3, 4]
    assert lengths == [1, 0.5, 2]
    assert [each[1] for each in frames] == [10, 20, 30]


def test_pictures_of_different_sizes_make_no_film() -> None:
    with pytest.raises(ValueError, match="different sizes"):
        animated([picture(3, 1), picture(4, 1)], [1, 1])
