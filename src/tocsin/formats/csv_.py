"""CSV: a header that names the columns, then one event a row.

A cell is read as a number or a truth value where it looks like one, else as text; ids, sources and types are
always text. A quoted cell may run over several lines. Where that goes wrong only its first line is bad, so
that one forgotten quote does not take the rest of the file with it.
"""

from __future__ import annotations

import csv
import json
import re
from collections import deque
from collections.abc import Iterator
from decimal import Decimal
from typing import IO, Any, Final

from tocsin.events import Arrival
from tocsin.formats.blocks import Block, Parcel, Unusual
from tocsin.formats.columns import Columns, as_object
from tocsin.formats.fields import FIELDS
from tocsin.formats.intake import Intake
from tocsin.formats.lines import Line, Rejoined, is_binary, lines
from tocsin.formats.parcels import LineReader, gathered, line_parcels
from tocsin.formats.refused import Refused, shown

NAME: Final = "csv"
EXTENSIONS: Final = (".csv",)

_MOST_LINES: Final = 1_000
"""How many lines one row may run over: what bounds the memory that an unclosed quote takes."""
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)
_LONGEST_NUMBER: Final = 400
_INFINITE: Final = float("inf")


def read(stream: IO[Any], intake: Intake) -> Iterator[Arrival]:
    """The events of a stream of rows, one at a time."""
    return _Reading(intake).rows(lines(stream, blank=True))


def parcels(stream: IO[Any], intake: Intake) -> Iterator[Parcel]:
    """The same events, many at a time. From the first quoted cell on they are read row by row: it may have lines."""
    try:
        import pyarrow as pa  # here, for it is optional: without it rows are read one by one
    except ImportError:
        pa = None
    if pa is None or not intake.takes_blocks or not is_binary(stream):
        yield from gathered(read(stream, intake), intake.is_live)
        return
    from tocsin.formats.csv_blocks import CsvBlocks

    reading = _Reading(intake)
    made: CsvBlocks | None = None

    def block(some: bytes, count: int, first: int) -> Block:
        nonlocal made
        if not reading.names:
            raise Unusual  # the header is still to come
        if made is None:
            made = CsvBlocks(pa, reading.names, _field, _typed, intake)
        return made.block(some, count, first)

    def rest(joined: Rejoined, number: int) -> Iterator[Parcel]:
        return gathered(reading.rows(lines(joined, blank=True, first=number)), intake.is_live)

    yield from line_parcels(stream, LineReader(block, lambda _: False, reading.row, rest, b'"', 2))


class _Reading:
    """A table as it is read: its header, and then rows."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._columns: Columns | None = None
        self._width: int | None = None
        self.names: list[str] = []

    def row(self, line: Line) -> Arrival | None:
        """The event on a line by itself."""
        return next(self.rows(iter([line])), None)

    def rows(self, source: Iterator[Line]) -> Iterator[Arrival]:
        """The events on lines, of which several may be one row."""
        intake, table = self._intake, _Table(source)
        table.width = self._width
        for line in table:
            try:
                row = table.row(line)
                if self._columns is None:
                    self.names = [name.strip() for name in row]
                    self._columns, self._width = Columns(self.names, intake.fields), len(row)
                    table.width = self._width
                    continue
                yield intake.admit(_record(self._columns, row), line.number)
            except Refused as refused:
                if self._columns is None:  # without a header nothing can be read: a bad one is never skipped
                    raise intake.error(line.number, line.text, refused) from None
                intake.refuse(line.number, line.text, refused)


def _record(columns: Columns, row: list[str]) -> dict[str, object]:
    """The record of one row. What the `data` cell brings has its types already."""
    record = columns.record(row, _attribute, as_object)
    for name in FIELDS:
        if name in record:
            record[name] = _field(str(record[name]), name)
    return record


def _attribute(cell: object, name: str) -> object:
    return None if cell == "" else _typed(str(cell), name)


class _Table:
    """The lines a table's rows begin on, and the rows."""

    def __init__(self, source: Iterator[Line]) -> None:
        self.width: int | None = None
        self._source = source
        self._back: deque[Line] = deque()

    def __iter__(self) -> Iterator[Line]:
        while (line := self._next()) is not None:
            if line.flaw is not None or (line.text and not line.text.isspace()):
                yield line

    def row(self, first: Line) -> list[str]:
        """The cells of the row that begins on this line, with as many further lines as its quotes ask for."""
        if first.flaw is not None:
            raise first.flaw
        taken = [first.text]
        rest: list[Line] = []
        quotes = first.text.count('"')
        while quotes % 2 and len(taken) < _MOST_LINES and (line := self._next()) is not None:
            rest.append(line)
            if line.flaw is not None:
                break
            taken.append(line.text)
            quotes += line.text.count('"')
        try:
            if quotes % 2:
                raise Refused("a quoted cell that is not closed", first.text.rindex('"') + 1)
            return self._cells("\n".join(taken))
        except Refused:
            self._back.extendleft(reversed(rest))
            raise

    def _next(self) -> Line | None:
        return self._back.popleft() if self._back else next(self._source, None)

    def _cells(self, text: str) -> list[str]:
        try:
            cells = next(csv.reader([text], strict=True))
        except csv.Error as error:
            raise Refused(f"not CSV: {error}") from None
        if self.width is not None and len(cells) != self.width:
            raise Refused(f"{len(cells)} cells, but the header names {self.width} columns")
        return cells


def _field(cell: str, name: str) -> object:
    """A cell of the event's own; a time is kept exact."""
    text = cell.strip()
    if not text or name in ("id", "type", "source"):
        return text or None
    if text.startswith("["):
        try:
            return json.loads(text, parse_float=Decimal)
        except (ValueError, RecursionError):
            raise Refused(f"{name} is {shown(text)}", expected="[lo, hi]") from None
    if len(text) < _LONGEST_NUMBER and _NUMBER.fullmatch(text):
        return Decimal(text)
    return text


def _typed(cell: str, name: str) -> object:
    """A number or a truth value where the cell looks like one, else its text."""
    match = _NUMBER.fullmatch(cell)
    if match is None:
        return {"true": True, "false": False}.get(cell.lower(), cell) if len(cell) < 6 else cell
    if len(cell) > _LONGEST_NUMBER:
        raise Refused(f"attribute {shown(name)} is a number with too many digits")
    if match[1] is None and match[2] is None:
        return int(cell)
    value = float(cell)
    if abs(value) == _INFINITE:
        raise Refused(f"attribute {shown(name)} is {shown(cell)}, which is out of range")
    return value
