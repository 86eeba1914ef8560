"""Columns of Arrow as the columns of a batch, each copied at most once.

Everything here is all or nothing: where one cell of a slice cannot be taken as the intake would take it, the slice is
left to the intake, which says what is wrong with which row.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any, Final

from tocsin.algebra.rules import Declaration
from tocsin.algebra.values import MISSING
from tocsin.engine.frames.objects import columns_of_objects
from tocsin.engine.network.batch import Batch
from tocsin.engine.network.values import MISSING_VALUES, CodedValues, ObjectValues, RealValues, Values, WholeValues
from tocsin.formats.columns import Columns
from tocsin.formats.fields import FIELDS, NAMED
from tocsin.formats.frames import Piece, pieces_of
from tocsin.formats.instants import EXACT_SECONDS, Instant, to_instant
from tocsin.formats.intake import Intake
from tocsin.formats.refused import Refused
from tocsin.formats.values import absent, plain, unwrapped
from tocsin.time.calendar import render_instant
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT
from tocsin.time.spans import SECOND

_MOST_SECONDS: Final = LAST_INSTANT // SECOND
_PREFIX: Final = "data."
_ROWS: Final = 65536
_EXACT: Final = 2**53
_PLAIN: Final = ("double", "long")
"""Declared types whose values stay as they are; `time` and `itime` become something else."""


class Reader:
    """Makes batches of pieces of one frame. What it cannot do it leaves, and nothing has changed then."""

    def __init__(
        self,
        pa: Any,
        pc: Any,
        intake: Intake,
        frame: Any,
        declared: Mapping[str, Declaration],
        is_unique: bool = False,
    ) -> None:
        self._pa, self._pc, self._intake, self._declared = pa, pc, intake, declared
        self._repeats: bool | None = False if is_unique else None
        self._frame = frame

    def batch(self, piece: Piece, done: int) -> Batch | None:
        """The piece as a batch, if its columns can say all that its rows would."""
        names = piece.names
        if (
            ("data" in names and not set(NAMED).issuperset(names))
            or any(_PREFIX + name in names for name in names)
            or self._intake.fields.columns
            or not self._intake.clock.is_plain
        ):
            return None
        try:
            Columns(names)
            has_repeats = "id" in names and self._frame is not None and self._has_repeated_ids()
            return None if has_repeats else self._batch(piece, done)
        except (Refused, ValueError, TypeError, ArithmeticError, NotImplementedError, self._pa.ArrowException):
            return None  # whatever it is, the row that is to blame has to say it

    def _batch(self, piece: Piece, done: int) -> Batch:
        fields = {name: index for index, name in enumerate(piece.names) if name in FIELDS}
        codes, kinds = self._kinds(piece, fields["type"])
        for kind in kinds:
            if kind in self._declared:
                self._check(piece, fields["type"], self._declared[kind])
        ends, style = self._ends(piece, fields["time"])
        starts = self._starts(piece, fields.get("start"), ends)
        ids = self._ids(piece, fields.get("id"), done)
        sources = self._sources(piece, fields.get("source"))
        columns = self._inside(piece, piece.names.index("data")) if "data" in piece.names else {}
        attributes = [(index, name) for index, name in enumerate(piece.names) if name and name not in NAMED]
        for index, name in sorted(attributes, key=lambda each: not each[1].startswith(_PREFIX)):  # as in a row
            columns[name.removeprefix(_PREFIX)] = self._attribute(piece, index, name.removeprefix(_PREFIX))
        arrivals = self._arrivals(piece, fields.get("arrival"), ends)
        own = _bytes(ends)
        if self._frame is None and "id" in fields and not self._are_new(piece, fields["id"], sources, own):
            raise Refused("an event may have come before")
        # From here on nothing can fail.
        self._intake.style.note(style)
        self._intake.last_arrival = arrivals[-1].as_py()
        return Batch(
            piece.count,
            kinds,
            codes,
            own,
            own if starts is ends else _bytes(starts),
            own if arrivals.equals(ends) else _bytes(arrivals),
            columns,
            ids,
            sources,
        )

    # -- the event's own fields ------------------------------------------------------------------------------------

    def _kinds(self, piece: Piece, index: int) -> tuple[bytes, list[str]]:
        column = piece.arrow(index)
        if column is None or column.null_count or not self._is_text(column.type):
            raise Refused("types are texts")
        codes, values = self._coded(column)
        if "" in values:
            codes, values = self._coded(self._decoded(column))  # a dictionary may hold what no row has
        if "" in values or None in values:
            raise Refused("types are texts")
        return codes, values

    def _check(self, piece: Piece, index: int, declared: Declaration) -> None:
        """Whether the events of a class have what it declares, of types that are taken as they are."""
        pc = self._pc
        if not declared.attributes:
            return
        mine = pc.equal(self._decoded(piece.arrow(index)), declared.name)
        if not pc.any(mine).as_py():
            return  # a dictionary may hold what no row has
        names = [name.removeprefix(_PREFIX) for name in piece.names]
        for attribute, kind in declared.attributes:
            column = piece.arrow(names.index(attribute))
            if column is None or not self._is_of(column.type, kind):
                raise Refused(f"not all are {kind}")
            lacking = pc.is_null(column, nan_is_null=True)
            if pc.any(pc.and_(mine, lacking)).as_py():
                raise Refused(f"an event has no {attribute}")

    def _is_of(self, kind: Any, declared: str) -> bool:
        types = self._pa.types
        if declared == "string":
            return self._is_text(kind)
        return bool(types.is_integer(kind) or (declared == "double" and types.is_floating(kind))) and declared in _PLAIN

    def _ends(self, piece: Piece, index: int) -> tuple[Any, object]:
        """The times, and one as it was given: it sets the style."""
        column = piece.arrow(index)
        ends = self._instants(column)
        if ends is not None:
            return ends, Instant(0) if self._pa.types.is_timestamp(column.type) else 0
        cells = [unwrapped(cell) for cell in piece.cells(index)]
        return self._pa.array([to_instant(cell, "time") for cell in cells], self._pa.int64()), cells[0]

    def _starts(self, piece: Piece, index: int | None, ends: Any) -> Any:
        if index is None:
            return ends
        starts = self._times_or(piece, index, "start", ends)
        if self._pc.any(self._pc.greater(starts, ends)).as_py():
            raise Refused("an event starts after it ends")
        return starts

    def _arrivals(self, piece: Piece, index: int | None, ends: Any) -> Any:
        """The arrivals, which never go back."""
        given = ends if index is None else self._times_or(piece, index, "arrival", ends)
        last = self._intake.last_arrival
        return self._pc.cumulative_max(given, start=last) if last is not None else self._pc.cumulative_max(given)

    def _times_or(self, piece: Piece, index: int, name: str, others: Any) -> Any:
        """Times, with those of `others` where there are none."""
        column = piece.arrow(index)
        times = None
        if column is not None and not column.null_count:
            times = self._instants(column)
        if times is None:
            cells = (unwrapped(cell) for cell in piece.cells(index))
            found = [None if absent(cell) else to_instant(cell, name) for cell in cells]
            times = self._pc.coalesce(self._pa.array(found, self._pa.int64()), others)
        return times

    def _ids(self, piece: Piece, index: int | None, done: int) -> Values:
        """The names of the events; where they have none they are called by their row."""
        column = None if index is None else piece.arrow(index)
        if index is None or (column is not None and self._pa.types.is_null(column.type)):
            if not self._intake.skipped:
                return MISSING_VALUES
            return WholeValues(array("q", range(done + 1, done + 1 + piece.count)).tobytes())
        if column is not None and not column.null_count and self._pa.types.is_integer(column.type):
            return WholeValues(_bytes(column.cast("int64")))
        if column is None or not self._is_text(column.type):
            raise Refused("ids are texts or whole numbers")
        names = self._decoded(column).to_pylist()
        return ObjectValues([name or str(done + place) for place, name in enumerate(names, 1)])

    def _sources(self, piece: Piece, index: int | None) -> Values:
        if index is None:
            return MISSING_VALUES
        column = piece.arrow(index)
        if column is None:
            raise Refused("sources are texts or whole numbers")
        if self._pa.types.is_null(column.type):
            return MISSING_VALUES
        if not self._is_text(column.type) and not self._pa.types.is_integer(column.type):
            raise Refused("sources are texts or whole numbers")
        codes, values = self._coded(column)
        return CodedValues(codes, [MISSING if value is None else str(value) for value in values])

    def _are_new(self, piece: Piece, index: int, sources: Values, times: bytes) -> bool:
        """Whether none of these events came before, in this input or in another."""
        column = self._names(piece, "id")
        if column is None:
            return False
        given = None if sources is MISSING_VALUES else [_source(sources, place) for place in range(piece.count)]
        seen = self._intake.seen
        if self._pa.types.is_integer(column.type) and not column.null_count:
            first, last = column[0].as_py(), column[-1].as_py()
            numbers = (str(first), str(last), _bytes(column))
            if first >= 0 and self._ascends(column) and seen.are_ascending(*numbers, given, times):
                return True
        names = column.to_pylist()
        if None in names:
            return False
        return seen.are_new([str(name) for name in names], given, times)

    def _has_repeated_ids(self) -> bool:
        """Whether some event may come twice: then it is a heartbeat, and rows have to be told apart."""
        if self._repeats is None:
            self._repeats = True  # should finding out fail
            self._repeats = self._find_repeated()
        return self._repeats

    def _find_repeated(self) -> bool:
        ids: list[Any] = []
        sources: list[Any] = []
        for piece in pieces_of(self._frame, _ROWS) or ():
            ids.append(self._names(piece, "id"))
            if "source" in piece.names:
                sources.append(self._names(piece, "source"))
        if not ids or any(column is None for column in (*ids, *sources)):
            return True
        columns = {"id": self._pa.chunked_array(ids)} | ({"source": self._pa.chunked_array(sources)} if sources else {})
        table = self._pa.table(columns)
        table = table.filter(self._pc.is_valid(table["id"]))
        if self._ascends(table["id"]) or self._pc.count_distinct(table["id"]).as_py() == table.num_rows:
            return False
        return bool(table.group_by(table.column_names).aggregate([]).num_rows != table.num_rows)

    def _ascends(self, ids: Any) -> bool:
        """Whether each number is greater than the one before: a look at neighbours, which costs next to nothing."""
        if not self._pa.types.is_integer(ids.type):
            return False
        return self._pc.all(self._pc.less(ids.slice(0, len(ids) - 1), ids.slice(1))).as_py() is not False

    def _names(self, piece: Piece, field: str) -> Any:
        """Texts or whole numbers, with nothing where they are empty; None where the column has others."""
        column = piece.arrow(piece.names.index(field))
        if column is None:
            return None
        types = self._pa.types
        if types.is_integer(column.type):
            return column.cast("int64")
        if types.is_null(column.type):
            return column.cast("large_string")
        if not self._is_text(column.type):
            return None
        column = self._decoded(column).cast("large_string")
        return self._pc.if_else(self._pc.equal(column, ""), None, column)

    # -- columns ----------------------------------------------------------------------------------------------------

    def _instants(self, column: Any) -> Any:
        """Microseconds since 1970 as int64; None where the column is of a kind that is read cell by cell."""
        if column is None:
            return None
        types, pc = self._pa.types, self._pc
        if types.is_timestamp(column.type):
            return self._in_range(self._from_unit(column.cast("int64"), column.type.unit), FIRST_INSTANT, LAST_INSTANT)
        if types.is_integer(column.type):
            seconds = self._in_range(column.cast("int64"), -_MOST_SECONDS, _MOST_SECONDS)
            return self._in_range(pc.multiply(seconds, SECOND), FIRST_INSTANT, LAST_INSTANT)
        if types.is_floating(column.type):
            seconds = self._in_range(column.cast("float64"), -EXACT_SECONDS, EXACT_SECONDS, is_open=True)
            return pc.round(pc.multiply(seconds, float(SECOND)), round_mode="half_to_even").cast("int64")
        return None

    def _from_unit(self, counts: Any, unit: str) -> Any:
        pc = self._pc
        if unit == "ns":  # rounded down, before 1970 too
            below = pc.if_else(pc.less(counts, 0), pc.subtract_checked(counts, 999), counts)
            return pc.divide(below, 1000)
        return counts if unit == "us" else pc.multiply_checked(counts, 1000 if unit == "ms" else SECOND)

    def _in_range(self, values: Any, low: float, high: float, is_open: bool = False) -> Any:
        """The values, if all are there and in range."""
        if values.null_count:
            raise Refused("an event has no time")
        found = self._pc.min_max(values, skip_nulls=False).as_py()
        least, most = found["min"], found["max"]
        if not (low < least and most < high if is_open else low <= least and most <= high):
            raise Refused("a time is out of range")
        if is_open and self._pc.any(self._pc.is_nan(values)).as_py():
            raise Refused("an event has no time")
        return values

    def _attribute(self, piece: Piece, index: int, name: str) -> Values:
        """The values of an attribute; MISSING where a cell holds nothing."""
        column, types = piece.arrow(index), self._pa.types
        if column is not None:
            if types.is_dictionary(column.type) and not self._is_text(column.type):
                column = column.dictionary_decode()
            if types.is_null(column.type):
                return MISSING_VALUES
            if types.is_floating(column.type):
                return self._reals(column.cast("float64"))
            if types.is_integer(column.type) and not types.is_uint64(column.type):
                return self._wholes(column.cast("int64"))
            if types.is_boolean(column.type):
                return CodedValues(_bytes(self._pc.fill_null(column.cast("int64"), -1)), [False, True])
            if self._is_text(column.type):
                codes, values = self._coded(column)
                return CodedValues(codes, [MISSING if value is None else value for value in values])
            if types.is_timestamp(column.type):
                return self._moments(column)
        return ObjectValues([_plain_cell(cell, name) for cell in piece.cells(index)])

    def _inside(self, piece: Piece, index: int) -> dict[str, Values]:
        """The attributes in a column of JSON texts."""
        column = piece.arrow(index)
        if column is None or not self._is_text(column.type):
            raise Refused("not texts")
        return columns_of_objects(self._decoded(column).to_pylist())

    def _wholes(self, column: Any) -> Values:
        """Whole numbers; those that are no real numbers exactly are kept as objects."""
        if not column.null_count:
            found = self._pc.min_max(column).as_py()
            if found["min"] >= -_EXACT and found["max"] <= _EXACT:
                return WholeValues(_bytes(column))
        return CodedValues(*self._coded(column))

    def _reals(self, column: Any) -> Values:
        pc = self._pc
        if not column.null_count and pc.all(pc.is_finite(column)).as_py():
            return RealValues(_bytes(column))
        if pc.any(pc.is_inf(column)).as_py():
            raise Refused("an infinite number is no value of an event")
        values = memoryview(_bytes(pc.fill_null(column, float("nan")))).cast("d").tolist()
        return ObjectValues([MISSING if value != value else value for value in values])

    def _moments(self, column: Any) -> Values:
        """Timestamps as attributes: RFC 3339 texts."""
        codes, counts = self._coded(column.cast("int64"))
        instants = self._from_unit(self._pa.array(counts, self._pa.int64()), column.type.unit).to_pylist()
        if not all(FIRST_INSTANT <= instant <= LAST_INSTANT for instant in instants):
            raise Refused("a time is out of range")
        return CodedValues(codes, [render_instant(instant) for instant in instants])

    def _is_text(self, kind: Any) -> bool:
        types = self._pa.types
        if types.is_dictionary(kind):
            kind = kind.value_type
        return bool(types.is_string(kind) or types.is_large_string(kind) or _is_view(kind))

    def _decoded(self, column: Any) -> Any:
        """Texts as one of the two kinds that every function of Arrow takes."""
        if self._pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        return column.cast("large_string") if _is_view(column.type) else column

    def _coded(self, column: Any) -> tuple[bytes, list[Any]]:
        """Codes and what they stand for; the code of nothing is negative."""
        is_coded = self._pa.types.is_dictionary(column.type)
        if is_coded and len(column.dictionary) > len(column):
            column, is_coded = column.dictionary_decode(), False  # a large dictionary of which this is a small part
        if not is_coded:
            column = self._decoded(column).dictionary_encode()
        codes = column.indices.cast("int64")
        return _bytes(self._pc.fill_null(codes, -1) if codes.null_count else codes), column.dictionary.to_pylist()


def _is_view(kind: Any) -> bool:
    return str(kind) == "string_view"  # older versions of Arrow have no such type


def _bytes(column: Any) -> bytes:
    """The values of a column of 64-bit numbers without gaps."""
    start = column.offset * 8
    return memoryview(column.buffers()[1])[start : start + len(column) * 8].tobytes()


def _plain_cell(cell: object, name: str) -> object:
    value = unwrapped(cell)
    return MISSING if absent(value) else plain(value, name)


def _source(sources: Values, place: int) -> str:
    source = sources.value(place)
    return "" if source is MISSING else str(source)
