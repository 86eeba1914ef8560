"""Batches from events, one object each, and from the columns of frames without any.

What a column cannot say exactly as a row would (bad cells, intervals in one cell, ids that come twice, declared times)
is left to the intake: the slice it stands in then goes row by row. So both ways give the same events.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from types import MappingProxyType
from typing import Any, Final

from tocsin.algebra.rules import Declaration
from tocsin.engine.frames.reader import Reader
from tocsin.engine.network.batch import Batch
from tocsin.events import Arrival, Event, Heartbeat
from tocsin.formats.frames import Piece, admit_frame, pieces_of
from tocsin.formats.intake import Intake

NOTHING: Final = ""
"""The type of what only moves the clock. No event has it."""
SLICE: Final = 65536
"""Rows of a frame that become one batch."""


def batch_of(arrivals: list[Arrival]) -> Batch:
    """Some arrivals as a batch. A heartbeat is a row of a type that nobody wants."""
    events: list[Event] = []
    for arrival in arrivals:
        if isinstance(arrival, Event):
            events.append(arrival)
        else:
            events.append(Event(NOTHING, arrival.time, arrival.time, source=arrival.source, arrival=arrival.arrival))
    return batch_of_events(events, accumulate([event.arrival for event in events], max))


def arrivals_of(batch: Batch, taken: int) -> list[Arrival]:
    """The rows of a batch, one by one, after so many others: an event without an id is called by its number."""
    batch.first = taken + 1
    events = [batch.event(place) for place in range(batch.count)]
    return [event if event.type != NOTHING else Heartbeat(event.source, event.end, event.arrival) for event in events]


def batch_of_events(events: list[Event], arrivals: Iterable[int]) -> Batch:
    """Some events as a batch, with the clock at which each arrives."""
    kinds: dict[str, int] = {}
    codes = array("q", [kinds.setdefault(event.type, len(kinds)) for event in events])
    return Batch(
        len(events),
        list(kinds),
        codes.tobytes(),
        array("q", [event.end for event in events]).tobytes(),
        array("q", [event.start for event in events]).tobytes(),
        array("q", arrivals).tobytes(),
        events=events,
    )


class Slice:
    """Some rows of a frame: a batch of columns, or the arrivals that the rows were admitted as.

    `rows` are the places in the frame, from 0, of what the batch or the arrivals hold.
    """

    def __init__(self, rows: range | list[int], columns: Batch | None, admitted: list[Arrival]) -> None:
        self.rows, self.columns, self._admitted = rows, columns, admitted

    def batch(self) -> Batch:
        """All of it as one batch."""
        return batch_of(self._admitted) if self.columns is None else self.columns

    def arrivals(self) -> Iterator[Arrival]:
        """One by one."""
        if self.columns is None:
            yield from self._admitted
        else:
            self.columns.first = self.rows[0] + 1  # an event without an id is called by its row
            for place in range(self.columns.count):
                yield self.columns.event(place)


def slices_of(
    frame: Any,
    intake: Intake,
    declared: Mapping[str, Declaration] = MappingProxyType({}),
    size: int = SLICE,
    is_unique: bool = False,
) -> Iterator[Slice] | None:
    """The events of a frame in slices, or None if it is none. They have to conform to what is declared.

    `is_unique`: none of them comes twice, which need not be looked at again.
    """
    if type(frame).__name__ == "RecordBatchReader" and "id" in frame.schema.names:
        frame = frame.read_all()  # whether ids come twice is a question about all rows
    elif type(frame).__name__ == "LazyFrame":
        frame = frame.collect()
    pieces = pieces_of(frame, size)
    if pieces is None:
        return None
    arrow = _arrow()
    return _slices(pieces, intake, None if arrow is None else Reader(*arrow, intake, frame, declared, is_unique))


def _arrow() -> tuple[Any, Any] | None:
    try:
        import pyarrow as pa  # here, for it is optional: without it every frame is read by rows
        import pyarrow.compute as pc
    except ImportError:
        return None
    return pa, pc


def _slices(pieces: Iterator[Piece], intake: Intake, reader: Reader | None) -> Iterator[Slice]:
    done = 0
    for piece in pieces:
        batch = None if reader is None or not piece.count else reader.batch(piece, done)
        if batch is not None:
            yield Slice(range(done, done + piece.count), batch, [])
        else:
            made = _admitted(piece, intake, done)
            if made.rows:
                yield made
        done += piece.count


def _admitted(piece: Piece, intake: Intake, done: int) -> Slice:
    """The rows through the intake, which refuses or skips the bad ones."""
    rows: list[int] = []
    arrivals: list[Arrival] = []
    before = intake.skipped
    for arrival in admit_frame([piece.block()], intake, done):
        rows.append(done + len(arrivals) + intake.skipped - before)
        arrivals.append(arrival)
    return Slice(rows, None, arrivals)
