"""Frames of Arrow, pandas and Polars as records, a slice at a time.

None of the libraries is imported here: a frame brings its own. Timestamps are taken by their count, not as
dates of Python, which know neither nanoseconds nor every year; without a time zone they are UTC.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from tocsin.events import Arrival
from tocsin.formats.columns import Columns, as_object
from tocsin.formats.instants import Instant
from tocsin.formats.intake import Intake
from tocsin.formats.refused import Refused, shown
from tocsin.formats.values import absent, plain_data, unwrapped

SLICE: Final = 8192
"""Rows taken at a time: enough to make the price of a slice small, few enough to stay small in memory."""

_PER_SECOND: Final = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
_DAY: Final = 86_400_000_000

Block = tuple[list[str], list[list[object]]]
"""A slice of a frame: the names of its columns, and their values."""


class Unreadable:
    """A value that its library cannot give to Python; refuses the row it stands in, not the whole frame."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def blocks_of(value: Any) -> Iterator[Block] | None:
    """The slices of a frame of one of the three libraries, or None if `value` is no such frame."""
    for kind in type(value).__mro__:
        library = kind.__module__.partition(".")[0]
        make = _FRAMES.get((library, kind.__name__))
        if make is not None:
            return make(value)
    return None


def admit_frame(blocks: Iterator[Block], intake: Intake) -> Iterator[Arrival]:
    """The events of a frame, one a row; rows are numbered from 1. Without a `type` it is refused whole."""
    columns: Columns | None = None
    number = 0
    for names, values in blocks:
        columns = columns or _columns(names, intake)
        for cells in zip(*values, strict=True):
            number += 1
            try:
                yield intake.admit(_record(columns, cells), number)
            except Refused as refused:
                text = ", ".join(f"{name}={shown(cell)}" for name, cell in zip(names, cells, strict=True))
                intake.refuse(number, text, refused)


def _columns(names: list[str], intake: Intake) -> Columns:
    try:
        return Columns(names)
    except Refused as refused:
        raise intake.error(1, ", ".join(names), refused) from None


def _record(columns: Columns, cells: tuple[object, ...]) -> dict[str, object]:
    """One row as a record: an empty cell is a field or an attribute the event does not have."""
    for cell in cells:
        if isinstance(cell, Unreadable):
            raise Refused(cell.reason)
    fields, data, attributes = columns.split(cells)
    plain_fields = {name: unwrapped(cell) for name, cell in fields.items()}
    record = {name: value for name, value in plain_fields.items() if not absent(value)}
    record["data"] = plain_data(as_object(unwrapped(data))) | plain_data(attributes)
    return record


def _arrow_table(table: Any) -> Iterator[Block]:
    return arrow_blocks(table.to_batches(max_chunksize=SLICE))


def _arrow_batch(batch: Any) -> Iterator[Block]:
    return arrow_blocks(batch.slice(start, SLICE) for start in range(0, batch.num_rows, SLICE))


def arrow_blocks(batches: Any) -> Iterator[Block]:
    """Anything that gives record batches, one at a time: a table's, a Parquet file's, a stream's."""
    for batch in batches:
        yield list(batch.schema.names), [_arrow_values(column) for column in batch.columns]


def _arrow_values(column: Any) -> list[object]:
    """An Arrow column as Python values, timestamps as instants."""
    kind = str(column.type)
    if kind.startswith("dictionary"):
        return _arrow_values(column.dictionary_decode())
    if kind.startswith(("timestamp[", "duration[")):
        unit = _PER_SECOND[kind.partition("[")[2].partition(",")[0].rstrip("]")]
        counts = column.cast("int64").to_pylist()
        if kind.startswith("duration["):
            return [None if count is None else count / unit for count in counts]
        return [None if count is None else Instant(count * 1_000_000 // unit) for count in counts]
    if kind.startswith("date32"):
        return [None if days is None else Instant(days * _DAY) for days in column.cast("int32").to_pylist()]
    try:
        values: list[object] = column.to_pylist()
    except (ValueError, OverflowError, ArithmeticError):
        values = [_one_arrow_value(scalar) for scalar in column]
    return values


def _one_arrow_value(scalar: Any) -> object:
    try:
        return scalar.as_py()
    except (ValueError, OverflowError, ArithmeticError) as error:
        return Unreadable(str(error))


def _pandas_frame(frame: Any) -> Iterator[Block]:
    names = [str(name) for name in frame.columns]
    for start in range(0, len(frame), SLICE):
        piece = frame.iloc[start : start + SLICE]
        yield names, [piece.iloc[:, index].tolist() for index in range(len(names))]


def _polars_frame(frame: Any) -> Iterator[Block]:
    names = list(frame.columns)
    for piece in frame.iter_slices(SLICE):
        yield names, [_polars_values(series) for series in piece.get_columns()]


def _polars_lazy(frame: Any) -> Iterator[Block]:
    return _polars_frame(frame.collect())


def _polars_values(series: Any) -> list[object]:
    """A Polars column as Python values, timestamps as instants."""
    if type(series.dtype).__name__ == "Datetime":
        return [None if count is None else Instant(count) for count in series.dt.epoch("us").to_list()]
    values: list[object] = series.to_list()
    return values


_FRAMES: Final[dict[tuple[str, str], Callable[[Any], Iterator[Block]]]] = {
    ("pyarrow", "Table"): _arrow_table,
    ("pyarrow", "RecordBatch"): _arrow_batch,
    ("pyarrow", "RecordBatchReader"): arrow_blocks,
    ("pandas", "DataFrame"): _pandas_frame,
    ("polars", "DataFrame"): _polars_frame,
    ("polars", "LazyFrame"): _polars_lazy,
}
