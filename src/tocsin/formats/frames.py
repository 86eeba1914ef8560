"""Frames of Arrow, pandas and Polars, and dicts of NumPy arrays, as records or as columns, a slice at a time.

None of the libraries is imported to read records: a frame brings its own. Timestamps are taken by their count, not as
dates of Python, which know neither nanoseconds nor every year; without a time zone they are UTC.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from tocsin.errors import UsageError
from tocsin.events import Arrival
from tocsin.formats.columns import Columns, as_object
from tocsin.formats.instants import Instant
from tocsin.formats.intake import Intake
from tocsin.formats.refused import Refused, shown
from tocsin.formats.values import absent, plain, plain_data, unwrapped

SLICE: Final = 8192
"""Rows taken at a time: enough to make the price of a slice small, few enough to stay small in memory."""

TABLE: Final = 65536
"""Rows that are taken at a time where they are taken as columns."""
BEFOREHAND: Final = 2048
"""Rows of the first table: those that may be looked at before a run."""

_PER_SECOND: Final = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
_DAY: Final = 86_400_000_000
_NOT_A_TIME: Final = -(2**63)
"""The count that stands for no time in arrays of NumPy."""
_POLARS_KINDS: Final = ("Boolean", "String", "Categorical", "Enum", "Datetime", "Null")
"""The types of Polars, besides numbers, that Arrow has with the same values."""

Block = tuple[list[str], list[list[object]]]
"""A slice of a frame: the names of its columns, and their values."""


class Unreadable:
    """A value that its library cannot give to Python; refuses the row it stands in, not the whole frame."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


class Piece:
    """Some rows of a frame, column by column."""

    def __init__(self, names: list[str], count: int) -> None:
        self.names, self.count = names, count

    def cells(self, index: int) -> list[object]:
        """The values of a column as Python has them, timestamps as instants or dates."""
        raise NotImplementedError

    def arrow(self, index: int) -> Any:
        """A column as an Arrow array of the same values; None where its library has it in some way of its own."""
        raise NotImplementedError

    def parted(self, count: int) -> tuple[Piece, Piece]:
        """The first rows, and the others."""
        raise NotImplementedError

    def block(self) -> Block:
        """All columns as Python has them."""
        return self.names, [self.cells(index) for index in range(len(self.names))]


def pieces_of(value: Any, size: int = SLICE) -> Iterator[Piece] | None:
    """The rows of a frame of one of the three libraries or of a dict of NumPy arrays, some at a time; None if
    `value` is no such thing."""
    if isinstance(value, dict):
        return _numpy_pieces(value, size) if _is_columns(value) else None
    for kind in type(value).__mro__:
        library = kind.__module__.partition(".")[0]
        make = _FRAMES.get((library, kind.__name__))
        if make is not None:
            return make(value, size)
    return None


def blocks_of(value: Any) -> Iterator[Block] | None:
    """The slices of a frame, or None if `value` is none."""
    pieces = pieces_of(value)
    return None if pieces is None else (piece.block() for piece in pieces)


def admit_frame(blocks: Iterable[Block], intake: Intake, number: int = 0) -> Iterator[Arrival]:
    """The events of a frame, one a row, numbered from the row after `number`. Without a `type` it is refused whole."""
    columns: Columns | None = None
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
        return Columns(names, intake.fields)
    except Refused as refused:
        raise intake.error(1, ", ".join(names), refused) from None


def _record(columns: Columns, cells: tuple[object, ...]) -> dict[str, object]:
    """One row as a record: an empty cell is a field or an attribute the event does not have."""
    for cell in cells:
        if isinstance(cell, Unreadable):
            raise Refused(cell.reason)
    record = columns.record(cells, _attribute, lambda cell: plain_data(as_object(unwrapped(cell))))
    return {name: value for name, cell in record.items() if not absent(value := unwrapped(cell))}


def _attribute(cell: object, name: str) -> object:
    value = unwrapped(cell)
    return None if absent(value) else plain(value, name)


class Table:
    """Some rows of a frame that nobody has looked at yet: one by one, they go through the intake."""

    def __init__(self, piece: Piece, done: int, intake: Intake) -> None:
        self.piece, self.done, self.intake = piece, done, intake

    def __len__(self) -> int:
        return self.piece.count

    def __iter__(self) -> Iterator[Arrival]:
        return admit_frame([self.piece.block()], self.intake, self.done)


# -- Arrow ---------------------------------------------------------------------------------------------------------


class ArrowPiece(Piece):
    """A record batch."""

    def __init__(self, batch: Any) -> None:
        super().__init__(list(batch.schema.names), batch.num_rows)
        self._batch, self._columns = batch, batch.columns

    def parted(self, count: int) -> tuple[Piece, Piece]:
        return ArrowPiece(self._batch.slice(0, count)), ArrowPiece(self._batch.slice(count))

    def cells(self, index: int) -> list[object]:
        return _arrow_values(self._columns[index])

    def arrow(self, index: int) -> Any:
        return self._columns[index]


def _arrow_table(table: Any, size: int) -> Iterator[Piece]:
    """Whole slices, whatever the chunks: a table that came as a stream may have very small ones."""
    if not table.num_rows:
        return _arrow_stream(table.to_batches(), size)
    parts = (table.slice(start, size) for start in range(0, table.num_rows, size))
    return (ArrowPiece(batch) for part in parts for batch in _joined(part).to_batches())


def _joined(part: Any) -> Any:
    try:
        return part.combine_chunks()
    except (ValueError, NotImplementedError):  # Arrow cannot join chunks of every type
        return part


def _arrow_batch(batch: Any, size: int) -> Iterator[Piece]:
    return (ArrowPiece(batch.slice(start, size)) for start in range(0, batch.num_rows, size))


def _arrow_stream(batches: Any, size: int) -> Iterator[Piece]:
    return (
        ArrowPiece(batch.slice(start, size)) for batch in batches for start in range(0, max(batch.num_rows, 1), size)
    )


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


# -- pandas, Polars, NumPy -------------------------------------------------------------------------------------------


class PandasPiece(Piece):
    """Some rows of a pandas frame."""

    def __init__(self, names: list[str], rows: Any) -> None:
        super().__init__(names, len(rows))
        self._rows = rows

    def parted(self, count: int) -> tuple[Piece, Piece]:
        return PandasPiece(self.names, self._rows.iloc[:count]), PandasPiece(self.names, self._rows.iloc[count:])

    def cells(self, index: int) -> list[object]:
        column = self._rows.iloc[:, index]
        if column.dtype.kind == "M":
            return _pandas_instants(column)
        values: list[object] = column.tolist()
        return values

    def arrow(self, index: int) -> Any:
        column = self._rows.iloc[:, index]
        if type(column.dtype).__module__.partition(".")[0] == "numpy":
            return arrow_of_array(column.to_numpy())
        return _arrow_or_none(column)


def _pandas_instants(column: Any) -> list[object]:
    """Timestamps by their counts, in whatever way pandas holds them."""
    if type(column.dtype).__name__ == "ArrowDtype":
        return _arrow_values(column.array.__arrow_array__().combine_chunks())
    plain = column if column.dt.tz is None else column.dt.tz_convert("UTC").dt.tz_localize(None)
    return _numpy_instants(plain.to_numpy())


def _numpy_instants(array: Any) -> list[object]:
    unit = _PER_SECOND.get(array.dtype.str.partition("[")[2].rstrip("]"))
    if unit is None:  # days, hours, counts of several
        return [unwrapped(cell) for cell in array]
    return [None if count == _NOT_A_TIME else Instant(count * 1_000_000 // unit) for count in array.view("i8").tolist()]


def _pandas_frame(frame: Any, size: int) -> Iterator[Piece]:
    names = [str(name) for name in frame.columns]
    return (PandasPiece(names, frame.iloc[start : start + size]) for start in range(0, len(frame), size))


class PolarsPiece(Piece):
    """Some rows of a Polars frame."""

    def __init__(self, frame: Any) -> None:
        super().__init__(list(frame.columns), len(frame))
        self._frame, self._columns = frame, frame.get_columns()

    def parted(self, count: int) -> tuple[Piece, Piece]:
        return PolarsPiece(self._frame[:count]), PolarsPiece(self._frame[count:])

    def cells(self, index: int) -> list[object]:
        series = self._columns[index]
        if type(series.dtype).__name__ == "Datetime":
            return [None if count is None else Instant(count) for count in series.dt.epoch("us").to_list()]
        values: list[object] = series.to_list()
        return values

    def arrow(self, index: int) -> Any:
        series = self._columns[index]
        kind = type(series.dtype).__name__
        return series.to_arrow() if kind in _POLARS_KINDS or kind.startswith(("Int", "UInt", "Float")) else None


def _polars_frame(frame: Any, size: int) -> Iterator[Piece]:
    return (PolarsPiece(piece) for piece in frame.iter_slices(size))


def _polars_lazy(frame: Any, size: int) -> Iterator[Piece]:
    return _polars_frame(frame.collect(), size)


class NumpyPiece(Piece):
    """The same rows of several arrays."""

    def __init__(self, names: list[str], arrays: list[Any]) -> None:
        super().__init__(names, len(arrays[0]))
        self._arrays = arrays

    def parted(self, count: int) -> tuple[Piece, Piece]:
        first, rest = ([array[part] for array in self._arrays] for part in (slice(None, count), slice(count, None)))
        return NumpyPiece(self.names, first), NumpyPiece(self.names, rest)

    def cells(self, index: int) -> list[object]:
        array = self._arrays[index]
        if array.dtype.kind == "M":
            return _numpy_instants(array)
        if array.dtype.kind == "m":
            array = array.astype("timedelta64[us]")
        values: list[object] = array.tolist()
        return values

    def arrow(self, index: int) -> Any:
        return arrow_of_array(self._arrays[index])


def _is_columns(value: dict[Any, Any]) -> bool:
    """Whether a dict holds nothing but arrays of NumPy: what else it may hold is one event."""
    kinds = [{(kind.__module__, kind.__name__) for kind in type(column).__mro__} for column in value.values()]
    return bool(kinds) and all(("numpy", "ndarray") in each for each in kinds)


def _numpy_pieces(columns: dict[Any, Any], size: int) -> Iterator[Piece]:
    names, arrays = [str(name) for name in columns], list(columns.values())
    lengths = {array.shape for array in arrays}
    if len(lengths) > 1 or len(arrays[0].shape) != 1:
        raise UsageError("the arrays of a dict are columns: of one dimension, and equally long")
    starts = range(0, len(arrays[0]), size)
    return (NumpyPiece(names, [array[start : start + size] for array in arrays]) for start in starts)


def arrow_of_array(array: Any) -> Any:
    """An array of NumPy as Arrow has it; None where Arrow has none, or cells that are not all texts or nothing."""
    if array.dtype.kind == "O":
        cells = array.tolist()
        return _arrow_or_none(cells) if {str, type(None)}.issuperset(map(type, cells)) else None
    return _arrow_or_none(array) if array.dtype.kind in "iufbMU" else None


def _arrow_or_none(values: Any) -> Any:
    import pyarrow as pa  # here, for it is optional: who asks for an Arrow array has it

    try:
        array = pa.array(values)
    except (pa.ArrowException, ValueError, TypeError, OverflowError):
        return None
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


_FRAMES: Final[dict[tuple[str, str], Callable[[Any, int], Iterator[Piece]]]] = {
    ("pyarrow", "Table"): _arrow_table,
    ("pyarrow", "RecordBatch"): _arrow_batch,
    ("pyarrow", "RecordBatchReader"): _arrow_stream,
    ("pandas", "DataFrame"): _pandas_frame,
    ("polars", "DataFrame"): _polars_frame,
    ("polars", "LazyFrame"): _polars_lazy,
}
