"""Tables of Arrow as bytes."""

from __future__ import annotations

from typing import Any


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
