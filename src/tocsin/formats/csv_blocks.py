"""Rows of CSV many at a time, where no cell is quoted: Arrow cuts them into columns of texts.

A column of texts is one of numbers where every cell looks like one, by the same expressions as in `csv_`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import re2

from tocsin.algebra.attributes import found_in, heads_of, is_path
from tocsin.algebra.values import MISSING
from tocsin.formats.blocks import Block, Column, Offered, Reals, Unusual, Wholes, admitted
from tocsin.formats.fields import FIELDS
from tocsin.formats.instants import EXACT_SECONDS
from tocsin.formats.intake import Intake

_OUT_OF_RANGE: Final = re2.compile(rb"[0-9][eE]\+?[0-9]{3}")
"""What may be a number that no attribute can hold, if it is not very long."""
_LONG: Final = 300
_BLANKS: Final = (b" ", b"\t", b"\x0b", b"\x0c", b"\x1c", b"\x1d", b"\x1e", b"\x1f")
_WHOLE: Final = r"^-?(?:0|[1-9][0-9]{0,14})$"
_REAL: Final = r"^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]{1,2})?|[eE][+-]?[0-9]{1,2})$"
_SECONDS: Final = r"^-?(?:0|[1-9][0-9]{0,9})(?:\.[0-9]{1,6})?$"
_PREFIX: Final = "data."

Typed = Callable[[str, str], object]
"""The value of a cell, given with the name of its attribute."""


class CsvBlocks:
    """Makes blocks of the lines of one table. `field` reads a cell of the event's own, `typed` one of an attribute."""

    def __init__(self, pa: Any, names: list[str], field: Typed, typed: Typed, intake: Intake) -> None:
        from pyarrow import compute, csv

        self.pa, self.pc, self._csv, self.intake = pa, compute, csv, intake
        self.names, self._field, self.typed = names, field, typed
        self.places = {
            name.removeprefix(_PREFIX): place for place, name in enumerate(names) if name not in ("", *FIELDS)
        }
        self.is_usable = "data" not in names and not intake.fields.columns and bool(names)
        self._columns = [f"c{place}" for place in range(len(names))]

    def block(self, lines: bytes, count: int, first: int) -> Block:
        """The events of whole lines, numbered from `first`, or `Unusual`."""
        if not self.is_usable or b"\r" in lines or b"\0" in lines or self._has_great_numbers(lines):
            raise Unusual
        split = lines.split(b"\n")
        if max(map(len, split)) > _LONG:
            raise Unusual
        is_bare = lines.isascii() and not any(blank in lines for blank in _BLANKS)
        table = self._table(lines)
        if table.num_rows != count:
            raise Unusual
        columns = [column.combine_chunks() for column in table.columns]
        columns = [each.chunk(0) if isinstance(each, self.pa.ChunkedArray) else each for each in columns]
        own = {
            name: self._own(columns[place], name, is_bare) for place, name in enumerate(self.names) if name in FIELDS
        }
        types = own["type"]
        if None in types:
            raise Unusual
        offered = Offered(
            first, types, own["time"], own.get("start"), own.get("arrival"), own.get("id"), own.get("source")
        )
        return admitted(offered, CsvRows(self, columns, split, types), self.intake)

    def _table(self, lines: bytes) -> Any:
        pa, csv = self.pa, self._csv
        try:
            return csv.read_csv(
                pa.BufferReader(lines),
                csv.ReadOptions(use_threads=False, block_size=len(lines) + 1, column_names=self._columns),
                csv.ParseOptions(quote_char=False, escape_char=False, newlines_in_values=False),
                csv.ConvertOptions(column_types=dict.fromkeys(self._columns, pa.string()), strings_can_be_null=False),
            )
        except (pa.ArrowException, UnicodeDecodeError):
            raise Unusual from None

    def _has_great_numbers(self, lines: bytes) -> bool:
        return (b"e" in lines or b"E" in lines) and _OUT_OF_RANGE.search(lines) is not None

    def _own(self, column: Any, name: str, is_bare: bool) -> list[Any]:
        """A field of all events, as the row-wise reader has it. Where all `is_bare` no cell has blanks around it."""
        if name in ("id", "type", "source") and is_bare:
            texts: list[Any] = column.to_pylist()
            return [text or None for text in texts] if "" in texts else texts
        if name not in ("id", "type", "source") and self.intake.clock.per_second == 1 and self._are_seconds(column):
            seconds: list[Any] = column.cast("float64").to_pylist()
            if min(seconds) > -EXACT_SECONDS and max(seconds) < EXACT_SECONDS:
                return seconds
        return [self._field(cell, name) for cell in column.to_pylist()]

    def _are_seconds(self, column: Any) -> bool:
        return bool(self.pc.all(self.pc.match_substring_regex(column, _SECONDS)).as_py())


class CsvRows:
    """Columns of texts, and the lines they were cut from."""

    def __init__(self, made: CsvBlocks, columns: list[Any], lines: list[bytes], types: list[str]) -> None:
        self._made, self._columns, self._lines, self._types = made, columns, lines, types

    def column(self, name: str) -> Column:
        if not is_path(name) or name in self._made.places:
            return self._values(name)
        heads = [(head, self._list(head)) for head in heads_of(name) if head in self._made.places]
        return [
            found_in({head: cells[place] for head, cells in heads if cells[place] is not MISSING}, name)
            for place in range(len(self._types))
        ]

    def _values(self, name: str) -> Column:
        place = self._made.places.get(name)
        if place is None:
            return [MISSING] * len(self._types)
        pc, cells = self._made.pc, self._columns[place]
        if pc.all(pc.match_substring_regex(cells, _WHOLE)).as_py():
            return Wholes(_bytes(cells.cast("int64")))
        if pc.all(pc.match_substring_regex(cells, _REAL)).as_py():
            return Reals(_bytes(cells.cast("float64")))
        return self._list(name)

    def _list(self, name: str) -> list[object]:
        cells = self._columns[self._made.places[name]].to_pylist()
        return [MISSING if cell == "" else self._made.typed(cell, name) for cell in cells]

    def data(self, place: int) -> Mapping[str, object]:
        cells = self._lines[place].decode().split(",")
        typed = self._made.typed
        found = {name: typed(cells[at], name) for name, at in self._made.places.items() if cells[at] != ""}
        conform = self._made.intake.conform
        return found if conform is None else conform(self._types[place], found)

    def release(self) -> None:
        pass  # all it has is needed to say a row

    def part(self, first: int, last: int) -> CsvRows:
        some = slice(first, last)
        columns = [column.slice(first, last - first) for column in self._columns]
        return CsvRows(self._made, columns, self._lines[some], self._types[some])


def _bytes(column: Any) -> bytes:
    start = column.offset * 8
    return memoryview(column.buffers()[1])[start : start + len(column) * 8].tobytes()
