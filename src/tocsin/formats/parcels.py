"""Parcels: what readers hand on at a time, as columns where that is possible and as rows where not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO, Final, NamedTuple

from tocsin.errors import TocsinError
from tocsin.events import Arrival
from tocsin.formats.blocks import Block, Parcel, Unusual
from tocsin.formats.lines import LONGEST, Line, Overlong, Rejoined, chunks, lines_of, too_long

FIRST: Final = 64
"""Rows in the first list, and twice as many each time: what comes slowly is told soon."""
MOST: Final = 1024
"""Rows in a list."""
FEW: Final = 32
"""Lines that are read one by one, where there is something unusual among them."""


def gathered(arrivals: Iterable[Arrival], is_live: bool = False) -> Iterator[Parcel]:
    """Arrivals in lists, of one each where they are live. What came before a bad one is handed on before the error."""
    most = 1 if is_live else MOST
    size, some = min(FIRST, most), list[Arrival]()
    try:
        for arrival in arrivals:
            some.append(arrival)
            if len(some) == size:
                yield some
                size, some = min(size * 2, most), []
    except TocsinError:
        if some:
            yield some
        raise
    if some:
        yield some


class LineReader(NamedTuple):
    """How a format reads lines."""

    block: Callable[[bytes, int, int], Block]
    """Many lines, given with their count and the number of the first; or `Unusual`."""
    learn: Callable[[list[bytes]], bool]
    """Looks at lines that were unusual. Whether they may no longer be."""
    row: Callable[[Line], Arrival | None]
    """One line; None where it is bad and skipped."""
    rest: Callable[[Rejoined, int], Iterator[Parcel]] | None = None
    """All that is left from a chunk on in which `sign` stands; the number of its first line."""
    sign: bytes = b""
    beginning: int = 1
    """Lines at the beginning that are read one by one: they tell the names of columns, and how times are written."""


def line_parcels(stream: IO[bytes], reader: LineReader) -> Iterator[Parcel]:
    """The events of a stream of lines, those of a chunk at a time."""
    number = 1
    following = chunks(stream)
    for chunk in following:
        if reader.rest is not None and (reader.sign in chunk or isinstance(chunk, Overlong)):
            yield from reader.rest(Rejoined(chunk, following), number)
            return
        if isinstance(chunk, Overlong):
            yield from _rows([too_long(stream, number, chunk, LONGEST)], reader)
            number += 1
            continue
        count = chunk.count(b"\n") + (chunk[-1:] != b"\n")
        while count and number <= reader.beginning:  # the first one may begin with a mark of its own, too
            end = chunk.find(b"\n") + 1 or len(chunk)
            yield from _rows(lines_of(chunk[:end], number), reader)
            chunk, count, number = chunk[end:], count - 1, number + 1
        if count:
            yield from _parcels(chunk, count, number, reader)
        number += count


def _parcels(lines: bytes, count: int, first: int, reader: LineReader) -> Iterator[Parcel]:
    if len(lines) > LONGEST:
        yield from _rows(lines_of(lines, first), reader)
        return
    plain = lines.replace(b"\r\n", b"\n") if b"\r" in lines else lines
    try:
        yield reader.block(plain, count, first)
    except Unusual:
        pass
    else:
        return
    split = lines.split(b"\n")
    if reader.learn(split):
        yield from _parcels(lines, count, first, reader)
    elif count <= FEW:
        yield from _rows(lines_of(lines, first), reader)
    else:
        half = count // 2
        end = sum(map(len, split[:half])) + half
        yield from _parcels(lines[:end], half, first, reader)
        yield from _parcels(lines[end:], count - half, first + half, reader)


def _rows(lines: Iterable[Line], reader: LineReader) -> Iterator[Parcel]:
    return gathered(arrival for line in lines if (arrival := reader.row(line)) is not None)
