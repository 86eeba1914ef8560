"""Several pieces of bytes as one."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

_COUNT: Final = struct.Struct("<Q")


def joined(pieces: Sequence[bytes]) -> bytes:
    """Some pieces as one: how many, how long each is, and then all of them."""
    sizes = b"".join(_COUNT.pack(len(piece)) for piece in pieces)
    return b"".join([_COUNT.pack(len(pieces)), sizes, *pieces])


def parted(whole: bytes) -> list[bytes]:
    """What `joined` put together."""
    (count,) = _COUNT.unpack_from(whole)
    at, pieces = _COUNT.size * (count + 1), []
    for place in range(1, count + 1):
        (size,) = _COUNT.unpack_from(whole, _COUNT.size * place)
        pieces.append(whole[at : at + size])
        at += size
    return pieces
