"""A stream of any length is read in constant memory, and as it comes."""

import io
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tocsin.formats import events_from, read_events

COUNT = 200_000
MOST = 4 * 1024 * 1024
"""Well above what a reader needs, well below the 200,000 events (100 MB) or the text of them (15 MB)."""


class Generated(io.RawIOBase):
    """A file that is made while it is read."""

    def __init__(self, head: bytes, line: Callable[[int], bytes]) -> None:
        self._parts = self._make(head, line)
        self._rest = b""

    def _make(self, head: bytes, line: Callable[[int], bytes]) -> Iterator[bytes]:
        yield head
        for n in range(COUNT):
            yield line(n)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self._rest or next(self._parts, b"")
        while part == b"" and (part := next(self._parts, None) or b"") == b"":
            return 0
        taken = part[: len(buffer)]
        self._rest = part[len(taken) :]
        buffer[: len(taken)] = taken
        return len(taken)


FORMATS: dict[str, tuple[bytes, Callable[[int], bytes]]] = {
    "jsonl": (b"", lambda n: b'{"type": "a", "time": %d, "data": {"x": %d, "note": "some text"}}\n' % (n, n)),
    "csv": (b"type,time,x,note\n", lambda n: b"a,%d,%d,some text\n" % (n, n)),
    "gem": (b"start [1/1/95]\n", lambda n: b'a "s" (%d, "some text")\n' % n),
}


def peak(arrivals: Iterator[object]) -> int:
    """The most memory taken while the arrivals are read and forgotten."""
    next(arrivals)
    tracemalloc.start()
    try:
        seen = sum(1 for _ in arrivals)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert seen >= COUNT - 1
    return most


@pytest.mark.parametrize("format", FORMATS)
def test_lines_are_read_in_constant_memory(format: str) -> None:
    stream = io.BufferedReader(Generated(*FORMATS[format]))
    assert peak(read_events(stream, format=format)) < MOST


def test_named_events_too_where_names_are_forgotten() -> None:
    items = ({"id": str(n), "type": "a", "time": n} for n in range(COUNT))
    assert peak(events_from(items, remember=1_000_000_000)) < MOST


def test_an_arrow_stream_is_read_a_slice_at_a_time() -> None:
    pa = pytest.importorskip("pyarrow")
    schema = pa.schema({"type": pa.string(), "time": pa.int64()})
    batches = (pa.record_batch([["a"] * 1000, range(n, n + 1000)], schema=schema) for n in range(0, COUNT, 1000))
    assert peak(events_from(pa.RecordBatchReader.from_batches(schema, batches))) < MOST


def test_an_event_is_given_as_soon_as_its_line_is_there() -> None:
    class OneAtATime(io.StringIO):
        asked = 0

        def readline(self, size: int | None = -1, /) -> str:
            self.asked += 1
            return super().readline(-1 if size is None else size)

    stream = OneAtATime('{"type": "a", "time": 1}\n' * 3)
    arrivals = read_events(stream)
    for n in (1, 2, 3):
        next(arrivals)
        assert stream.asked == n
