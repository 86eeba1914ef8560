"""What the log keeps, decoded once for who asks again: a rule under construction is tried anew after each change.

The log is cut into stretches of many entries. A stretch is decoded as a whole, and held as columns until it is pruned
or there is no more room: who asks again waits for the rules alone. What came last, less than a stretch, is read anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from tocsin.engine.network.batch import Batch
from tocsin.engine.network.values import Values
from tocsin.events import Arrival, Heartbeat
from tocsin.formats.blocks import Block
from tocsin.formats.json_blocks import Schema
from tocsin.runtime.columnar import batch_of_block, values_of
from tocsin.service.admission import Admission, Parcel
from tocsin.service.kept import Kept
from tocsin.service.records import Entry
from tocsin.service.store import Search, Store

STRETCH: Final = 16_384
"""Events after which a stretch ends."""
ROOM: Final = 512 << 20
"""Bytes of decoded stretches that are held, about."""
_EVENT: Final = 200
"""Bytes that an event takes besides its line, about: its times, its names, and a few columns."""
_PIECES: Final = 8
"""Pieces in which a stretch is decoded that cannot be as a whole: mostly all but one of them can."""


class Columns:
    """Some events as columns, each read when it is first asked for, and then held."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._columns: dict[str, Values] = {}

    def batch(self) -> Batch:
        """The events for one engine: each numbers the batches it takes for itself."""
        batch = batch_of_block(self._block)
        batch.find = self._column
        return batch

    def _column(self, name: str) -> Values:
        if name not in self._columns:
            self._columns[name] = values_of(self._block.rows.column(name))
        return self._columns[name]

    def let_go(self) -> None:
        """The rules have seen them: what columns were read from is not needed any more, or can be made again."""
        self._block.rows.release()


Piece = Columns | list[Arrival]


@dataclass
class Stretch:
    """Some entries, one after the other. `pieces`: their events, once they were decoded."""

    first: int
    last: int
    count: int
    size: int
    types: frozenset[str] | None
    """None: of any type."""
    beat: Heartbeat
    """Instead of it: its time has come."""
    pieces: list[Piece] | None = None

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> Stretch:
        """The stretch that some entries are."""
        first, last = entries[0], entries[-1]
        is_any = not all(entry.types for entry in entries)
        types = None if is_any else frozenset(chain.from_iterable(entry.types for entry in entries))
        beat = Heartbeat("", max(entry.high for entry in entries), last.arrival)
        size = sum(len(entry.body) for entry in entries)
        return cls(first.position, last.position, sum(entry.count for entry in entries), size, types, beat)

    def matters(self, types: frozenset[str] | None) -> bool:
        """Whether it may have an event of some types."""
        return types is None or self.types is None or not types.isdisjoint(self.types)


@dataclass
class Past:
    """The log of a store, stretch by stretch."""

    store: Store
    room: int = ROOM
    _stretches: list[Stretch] = field(default_factory=list)
    _used: int = 0
    _schema: Schema = field(default_factory=Schema)
    """The fields that were met: what follows has mostly the same."""

    def whole(self, types: frozenset[str] | None = None) -> Whole:
        """All events that are kept, perhaps but those of entries without any of some types."""
        return Whole(self, types)

    def stretches(self) -> Iterator[tuple[Stretch, list[Entry] | None]]:
        """All of them, with their entries where those have just been read: the last one may still grow."""
        self._let_go()
        yield from ((stretch, None) for stretch in self._stretches)
        after = self._stretches[-1].last if self._stretches else -1
        entries, count = list[Entry](), 0
        for entry in Kept(self.store, after=after + 1).entries():
            entries.append(entry)
            count += entry.count
            if count >= STRETCH:
                stretch = Stretch.of(entries)
                self._stretches.append(stretch)
                yield stretch, entries
                entries, count = [], 0
        if entries:
            yield Stretch.of(entries), entries

    def _let_go(self) -> None:
        """Forgets what the log has forgotten."""
        oldest = self.store.events(Search(0, 1))
        first = oldest[0].position if oldest else None
        while self._stretches and (first is None or self._stretches[0].first < first):  # of one, the end may be left
            gone = self._stretches.pop(0)
            if gone.pieces is not None:
                self._used -= _held(gone)
            left = list(Kept(self.store, last=gone.last).entries())
            if left:
                self._stretches.insert(0, Stretch.of(left))

    def pieces(self, stretch: Stretch, entries: list[Entry] | None) -> list[Piece]:
        """The events of a stretch."""
        if stretch.pieces is not None:
            return stretch.pieces
        if entries is None:
            entries = list(Kept(self.store, after=stretch.first, last=stretch.last).entries())
        found = list(_decoded(entries, self._schema))
        if stretch.count >= STRETCH and self._used + _held(stretch) <= self.room:
            stretch.pieces = found
            self._used += _held(stretch)
        return found


class Whole:
    """A reading of all of it: how far it has got, and what is read."""

    def __init__(self, past: Past, types: frozenset[str] | None) -> None:
        self._past, self._types = past, types
        self.events = 0
        """How many there were, whether or not they matter."""
        self.share = 0.0
        """How much of it has been read, from 0 to 1."""

    def holds(self, time: int) -> bool:
        """Any time will do."""
        return True

    def parcels(self) -> Iterator[Piece]:
        """The events as they were admitted, with the times at which they arrived."""
        newest = self._past.store.events(Search(0, 1, backwards=True))
        last, first = newest[0].position if newest else 0, None
        skipped: Stretch | None = None
        for stretch, entries in self._past.stretches():
            first = stretch.first if first is None else first
            self.events += stretch.count
            self.share = min(1.0, (stretch.last - first + 1) / max(1, last - first + 1))
            if not stretch.matters(self._types):
                skipped = stretch
                continue
            if skipped is not None:
                yield [skipped.beat]
                skipped = None
            for piece in self._past.pieces(stretch, entries):
                yield piece
                if isinstance(piece, Columns):
                    piece.let_go()
        if skipped is not None:
            yield [skipped.beat]
        self.share = 1.0


def _held(stretch: Stretch) -> int:
    return stretch.size + _EVENT * stretch.count


def _decoded(entries: list[Entry], schema: Schema, pieces: int = _PIECES) -> Iterator[Piece]:
    """The events of some entries: as few blocks as can be, and one by one where they are not that plain."""
    admission = Admission.of_log(schema)
    block = admission.again_together(entries)
    if block is not None:
        yield Columns(block)
    elif len(entries) > 1 and pieces > 1:
        size = -(-len(entries) // pieces)
        for first in range(0, len(entries), size):
            yield from _decoded(entries[first : first + size], schema, 1)
    else:
        for entry in entries:
            yield from map(_piece, admission.again(entry))


def _piece(parcel: Parcel) -> Piece:
    return Columns(parcel) if isinstance(parcel, Block) else parcel
