"""A stream of any length is read in constant memory, and as it comes."""

import io
import tracemalloc
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from tocsin.formats import events_from, read_events

BLOCK = 1000
MOST = 3 * 1024 * 1024
"""Well above what a reader needs; 20,000 events, or the text of 200,000, would take several times as much."""


class Repeated(io.RawIOBase):
    """A file of many equal blocks of lines, of which only one is in memory."""

    def __init__(self, head: bytes, line: bytes, blocks: int) -> None:
        self._rest, self._block, self._blocks = head, line * BLOCK, blocks

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest and self._blocks:
            self._rest, self._blocks = self._block, self._blocks - 1
        taken, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)


FORMATS = {
    "jsonl": (b"\n", b'{"type": "a", "time": 1, "data": {"x": 1, "note": "some text"}}\n', 200),
    "csv": (b"type,time,x,note\n", b"a,1,2,some text\n", 20),
    "gem": (b"start [1/1/95]\n", b'a "s" (1, "some text")\n', 10),
}
"""Head, line and blocks of a thousand lines: the format that is used most is tried with the most."""


def peak(arrivals: Iterator[object], count: int) -> int:
    """The most memory taken by the last part of the stream: tracing is slow, and what grows, grows there too."""
    traced = min(count, 20 * BLOCK)
    assert sum(1 for _ in islice(arrivals, count - traced)) == count - traced
    tracemalloc.start()
    try:
        seen = sum(1 for _ in arrivals)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert seen >= traced
    return most


@pytest.mark.parametrize("format", FORMATS)
def test_lines_are_read_in_constant_memory(format: str) -> None:
    head, line, blocks = FORMATS[format]
    assert list(read_events(io.BytesIO(head + line * 100), format=format))  # what is imported for it is not counted
    stream = io.BufferedReader(Repeated(head, line, blocks))
    assert peak(read_events(stream, format=format), blocks * BLOCK) < MOST


def test_named_events_too_where_names_are_forgotten() -> None:
    items = ({"id": str(n), "type": "a", "time": n} for n in range(20 * BLOCK))
    assert peak(events_from(items, remember=1_000_000_000), 20 * BLOCK) < MOST


def test_an_arrow_stream_is_read_a_slice_at_a_time() -> None:
    pa = pytest.importorskip("pyarrow")
    assert list(events_from(pa.table({"type": ["a"], "time": [1]})))  # what is imported for it is not counted
    schema = pa.schema({"type": pa.string(), "time": pa.int64()})
    batches = (pa.record_batch([["a"] * BLOCK, range(BLOCK)], schema=schema) for _ in range(20))
    assert peak(events_from(pa.RecordBatchReader.from_batches(schema, batches)), 20 * BLOCK) < MOST


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
