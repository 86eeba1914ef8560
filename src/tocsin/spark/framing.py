"""Tables of Arrow as bytes, and several pieces of bytes as one."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, Final

_COUNT: Final = struct.Struct("<Q")


def to_bytes(table: Any) -> bytes:
    """A table as Arrow writes it."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    made: bytes = sink.getvalue().to_pybytes()
    return made


def from_bytes(data: Any) -> Any:
    """What `to_bytes` wrote."""
    import pyarrow as pa

    with pa.ipc.open_stream(data) as reader:
        return reader.read_all()


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
