"""Rows of CSV many at a time, where no cell is quoted: Arrow cuts them into columns of texts.

A column of texts is one of numbers where every cell looks like one, by the same expressions as in `csv_`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

import re2

from tocsin.algebra.attributes import found_in, heads_of, is_path
from tocsin.algebra.values import MISSING
from tocsin.formats.blocks import Block, Coded, Column, Offered, Reals, Rows, Unusual, Wholes, admitted
from tocsin.formats.cells import cells_of, numbers_of
from tocsin.formats.fields import FIELDS
from tocsin.formats.instants import EXACT_SECONDS
from tocsin.formats.intake import Intake
from tocsin.formats.texts import Numerals

_OUT_OF_RANGE: Final = re2.compile(rb"[0-9][eE]\+?[0-9]{3}")
"""What may be a number that no attribute can hold, if it is not very long."""
_LONG: Final = 300
"""Bytes in a cell: a number with no more of them may be held, and one with more may not."""
_OFTEN: Final = 4
"""Rows for each value of a column, from which on values are looked at once."""
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
        table = self._table(lines)
        if table.num_rows != count:
            raise Unusual
        columns = [column.combine_chunks() for column in table.columns]
        columns = [each.chunk(0) if isinstance(each, self.pa.ChunkedArray) else each for each in columns]
        if any(self.pc.max(self.pc.binary_length(column)).as_py() > _LONG for column in columns):
            raise Unusual
        is_bare = lines.isascii() and not any(blank in lines for blank in _BLANKS)
        places = {name: place for place, name in enumerate(self.names) if name in FIELDS}
        types = self.types_of(columns)
        times, time = self._times(columns[places["time"]])
        start, arrival, source = (
            self._own(columns[places[name]], name, is_bare) if name in places else None
            for name in ("start", "arrival", "source")
        )
        ids = self._ids(columns[places["id"]], is_bare) if "id" in places else None
        offered = Offered(first, types, times, start, arrival, ids, source, time)
        return admitted(offered, CsvRows(self, columns), self.intake)

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

    def types_of(self, columns: list[Any]) -> Coded:
        """The types of some events, given with all their columns."""
        encoded = columns[self.names.index("type")].dictionary_encode()
        types = [self._field(text, "type") for text in encoded.dictionary.to_pylist()]
        if None in types or len(set(types)) < len(types):  # or two are one without the blanks around them
            raise Unusual
        return Coded(_bytes(encoded.indices.cast("int64")), cast("list[str]", types))

    def _times(self, column: Any) -> tuple[list[object] | array[int], object]:
        """The times, and the first one as it stands there if they are instants."""
        if self.intake.clock.per_second == 1:
            cells = cells_of(column)
            instants = None if cells is None else cells.instants()
            if instants is not None:
                return instants, self._field(column[0].as_py(), "time")
        return self._own(column, "time", False), None

    def _ids(self, column: Any, is_bare: bool) -> list[object] | Numerals:
        cells = cells_of(column)
        numbers = None if cells is None else cells.wholes()
        if numbers is None or int(numbers.min()) < 0:
            return self._own(column, "id", is_bare)
        return Numerals(numbers.tobytes(), bool((numbers[1:] > numbers[:-1]).all()))

    def _own(self, column: Any, name: str, is_bare: bool) -> list[Any]:
        """A field of all events, as the row-wise reader has it. Where all `is_bare` no cell has blanks around it."""
        if name in ("id", "source") and is_bare:
            texts: list[Any] = column.to_pylist()
            return [text or None for text in texts] if "" in texts else texts
        if name not in ("id", "source") and self.intake.clock.per_second == 1 and self._are_seconds(column):
            seconds: list[Any] = column.cast("float64").to_pylist()
            if min(seconds) > -EXACT_SECONDS and max(seconds) < EXACT_SECONDS:
                return seconds
        return [self._field(cell, name) for cell in column.to_pylist()]

    def _are_seconds(self, column: Any) -> bool:
        return bool(self.pc.all(self.pc.match_substring_regex(column, _SECONDS)).as_py())


class CsvRows(Rows):
    """Columns of texts."""

    def __init__(self, made: CsvBlocks, columns: list[Any]) -> None:
        self._made, self._columns = made, columns

    def __len__(self) -> int:
        return len(self._columns[0])

    def column(self, name: str) -> Column:
        if not is_path(name) or name in self._made.places:
            return self._values(name)
        heads = [(head, self._list(head)) for head in heads_of(name) if head in self._made.places]
        return [
            found_in({head: cells[place] for head, cells in heads if cells[place] is not MISSING}, name)
            for place in range(len(self))
        ]

    def _values(self, name: str) -> Column:
        place = self._made.places.get(name)
        if place is None:
            return [MISSING] * len(self)
        pc, cells = self._made.pc, self._columns[place]
        numbers = numbers_of(cells)
        if numbers is not None:
            return numbers
        if pc.all(pc.match_substring_regex(cells, _WHOLE)).as_py():
            return Wholes(_bytes(cells.cast("int64")))
        if pc.all(pc.match_substring_regex(cells, _REAL)).as_py():
            return Reals(_bytes(cells.cast("float64")))
        return self._list(name)

    def _list(self, name: str) -> list[object]:
        """The values of cells of any kind: those that are often there are looked at once."""
        cells = self._columns[self._made.places[name]]
        encoded = cells.dictionary_encode()
        if len(encoded.dictionary) * _OFTEN > len(cells):
            return [self._typed(cell, name) for cell in cells.to_pylist()]
        values = [self._typed(cell, name) for cell in encoded.dictionary.to_pylist()]
        return [values[code] for code in encoded.indices.to_pylist()]

    def _typed(self, cell: str, name: str) -> object:
        return MISSING if cell == "" else self._made.typed(cell, name)

    def data(self, place: int) -> Mapping[str, object]:
        return self.several([place])[0]

    def several(self, places: list[int]) -> list[Mapping[str, object]]:
        some = self._made.pa.array(places, self._made.pa.int64())
        taken = CsvRows(self._made, [column.take(some) for column in self._columns])
        names = list(self._made.places)
        columns = [taken._listed(name) for name in names]
        together = zip(*columns, strict=True) if columns else [()] * len(places)
        rows: list[Mapping[str, object]] = [dict(zip(names, row, strict=True)) for row in together]
        if any(MISSING in column for column in columns):
            rows = [{name: value for name, value in row.items() if value is not MISSING} for row in rows]
        conform = self._made.intake.conform
        if conform is None:
            return rows
        types = self._made.types_of(taken._columns).listed()
        return [conform(kind, row) for kind, row in zip(types, rows, strict=True)]

    def _listed(self, name: str) -> list[Any]:
        numbers = numbers_of(self._columns[self._made.places[name]])
        if numbers is None:
            return self._list(name)
        return memoryview(numbers.data).cast("q" if isinstance(numbers, Wholes) else "d").tolist()

    def release(self) -> None:
        pass  # all it has is needed to say a row

    def part(self, first: int, last: int) -> CsvRows:
        return CsvRows(self._made, [column.slice(first, last - first) for column in self._columns])


def _bytes(column: Any) -> bytes:
    start = column.offset * 8
    return memoryview(column.buffers()[1])[start : start + len(column) * 8].tobytes()
