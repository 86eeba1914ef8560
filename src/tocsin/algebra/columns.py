"""Guards over columns: which rows of an Arrow table satisfy a leaf's own conditions.

The answer for a row is that of `values.evaluate` for the row's event, always. What Arrow's kernels compute just as
Python does is left to them, the rest goes row by row. A null cell is an attribute the event does not have, so Arrow's
null stands for MISSING throughout. Where the kernels agree with Python, and what keeps them from differing:

- int: the checked kernels refuse to overflow; then Python's numbers, which have no end, take over row by row.
- int with float: Python compares exactly, Arrow rounds the int to a double. That is exact up to 2**53: only then.
  In sums and products Python rounds too, to the nearest even number, as the C cast does.
- float: both follow IEEE 754, save that in a guard NaN has no order, so `!=` is false, and x / 0.0 has no value.
- division: `/` of whole numbers up to 2**53 is that of doubles, rounded once in both; `//` of whole numbers is the
  kernels' own, towards zero; `//` of doubles, which gives whole numbers, and `%` go row by row.
- text: UTF-8 sorts by bytes as Python does by code points. `lower` and `upper` depend on the version of Unicode, which
  may not be the same: they go row by row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from tocsin.algebra.attributes import is_path, items_of
from tocsin.algebra.guards import (
    COMPARISONS,
    Attribute,
    Binary,
    Call,
    Duration,
    End,
    Guard,
    Literal,
    Not,
    Now,
    Occurred,
    Point,
    Self,
    SourceOf,
    Start,
    walk,
)
from tocsin.algebra.occurrence import Occurrence
from tocsin.algebra.values import Surroundings, holds
from tocsin.errors import MissingDependency, UsageError
from tocsin.events import SELF, Event
from tocsin.time.spans import SECOND

_TESTS: Final = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
_SUMS: Final = {"+": "add_checked", "-": "subtract_checked", "*": "multiply_checked", "/": "divide_checked"}
_KERNELS: Final = dict(zip(COMPARISONS, _TESTS, strict=True)) | _SUMS | {"//": "divide_checked"}
_EXACT: Final = 2**53
"""Whole numbers up to this size are doubles without rounding."""
_NUMBERS: Final = ("int", "float")
_TIMES: Final = ("moment", "period")


@dataclass(frozen=True)
class EventColumns:
    """Events as columns: an Arrow table or record batch of attributes, and Arrow arrays of times and sources.

    `end` and `start` are int64 microseconds since 1970. The events are those of one leaf, bound to `variable`.
    """

    variable: str
    attributes: Any
    end: Any
    start: Any
    source: Any

    def __post_init__(self) -> None:
        rows = {len(column) for column in (self.end, self.start, self.source, *self.attributes.columns)}
        if len(rows) > 1:
            raise UsageError(f"columns of one table have different lengths: {', '.join(map(str, sorted(rows)))}")

    def attribute(self, name: str) -> Any:
        """The column of an attribute, or None."""
        places = self.attributes.schema.get_all_field_indices(name)
        if len(places) > 1:
            raise UsageError(f"two columns named {name!r}")
        return self.attributes.column(places[0]) if places else None


@dataclass(frozen=True)
class _Vector:
    """The value of a guard in every row: an Arrow array, or a scalar where it is the same in all.

    `kind` is int, float, text, bool; moment or period (without calendar steps), both in microseconds; null, which is
    None; or missing, which is MISSING in every row.
    """

    kind: str
    values: Any = None


_MISSING: Final = _Vector("missing")


def select_rows(guard: Guard, columns: EventColumns, now: int = 0) -> Any:
    """The rows where `guard` holds, as an Arrow array of booleans without nulls."""
    return _Selection(guard, columns, now).truth(guard)


class _Selection:
    """One guard over one table. A vector is None where no kernel gives what Python would."""

    def __init__(self, guard: Guard, columns: EventColumns, now: int) -> None:
        try:
            import pyarrow
            import pyarrow.compute
        except ImportError:
            raise MissingDependency("pyarrow", "arrow") from None
        self._arrow: Any = pyarrow
        self._kernels: Any = pyarrow.compute
        self._guard, self._columns, self._now = guard, columns, now
        self._occurrences: list[Occurrence] | None = None

    def truth(self, guard: Guard) -> Any:
        """Where `guard` is true, and not merely something else than false."""
        vector = self._vector(guard)
        if vector is None:
            return self._row_by_row(guard)
        if vector.kind != "bool":
            return self._everywhere(False)
        known = self._kernels.fill_null(vector.values, False)
        return self._everywhere(known.as_py()) if isinstance(known, self._arrow.Scalar) else known

    def _vector(self, guard: Guard) -> _Vector | None:
        """The value of `guard` in all rows at once."""
        match guard:
            case Attribute(variable=name) | End(variable=name) | Start(variable=name) | SourceOf(variable=name):
                return self._column(guard) if name == self._columns.variable else _MISSING
            case Literal(value=value):
                return self._constant(value)
            case Self():
                return self._constant(SELF)
            case Occurred(variable=name):
                return self._constant(name == self._columns.variable)
            case Now():
                return self._constant(self._now, "moment")
            case Point(point=point):
                return self._constant(point.instant(), "moment") if point.exact else None
            case Duration(period=period):
                return None if period.years or period.months else self._constant(period.microseconds, "period")
            case Not(operand=inner):
                return _Vector("bool", self._kernels.invert(self.truth(inner)))
            case Binary(operator="&&", left=left, right=right):
                return _Vector("bool", self._kernels.and_(self.truth(left), self.truth(right)))
            case Binary(operator="||", left=left, right=right):
                return _Vector("bool", self._kernels.or_(self.truth(left), self.truth(right)))
            case Binary(operator=operator, left=left, right=right):
                return self._combined(operator, self._vector(left), self._vector(right))
            case Call(function="in", arguments=(one, *others)):
                found = self._everywhere(False)
                for other in others:
                    # What is no kernel's may be a list, of which it is then asked whether it has the value.
                    plain = self._vector(other) is not None
                    test: Guard = Binary("==", one, other) if plain else Call("in", (one, other))
                    found = self._kernels.or_(found, self.truth(test) if plain else self._row_by_row(test))
                return _Vector("bool", found)
            case Call(function="startswith" | "endswith" | "contains" as name, arguments=(one, other)):
                return self._searched(name, self._vector(one), self._vector(other))
        return None

    # -- where values come from ----------------------------------------------------------------------------------

    def _column(self, guard: Guard) -> _Vector | None:
        """What every event has, and attributes, in the type that their kind is computed with."""
        columns, arrow = self._columns, self._arrow
        if isinstance(guard, Attribute):
            if is_path(guard.name):
                return None
            column = columns.attribute(guard.name)
            return _MISSING if column is None else self._attribute(column)
        if isinstance(guard, SourceOf):
            return _Vector("text", self._kernels.fill_null(_flat(columns.source, arrow.large_string()), ""))
        return _Vector("moment", _flat(columns.end if isinstance(guard, End) else columns.start, arrow.int64()))

    def _attribute(self, column: Any) -> _Vector | None:
        """An attribute's column, if its cells are what the kernels know."""
        arrow, types = self._arrow, self._arrow.types
        kind = column.type.value_type if types.is_dictionary(column.type) else column.type
        if types.is_boolean(kind):
            return _Vector("bool", _flat(column, kind))
        if types.is_signed_integer(kind):
            return _Vector("int", _flat(column, arrow.int64()))
        if types.is_float32(kind) or types.is_float64(kind):
            return _Vector("float", _flat(column, arrow.float64()))
        if types.is_string(kind) or types.is_large_string(kind):
            return _Vector("text", _flat(column, arrow.large_string()))
        return _MISSING if types.is_null(kind) else None

    def _constant(self, value: object, kind: str = "") -> _Vector | None:
        """A value as written in the guard; None for a whole number or a text that Arrow cannot hold."""
        arrow = self._arrow
        match value:
            case None:
                return _Vector("null", arrow.scalar(True))
            case bool() | float():
                return _Vector(type(value).__name__, arrow.scalar(value))
            case int() if -(2**63) <= value < 2**63:
                return _Vector(kind or "int", arrow.scalar(value, arrow.int64()))
            case str() if not any("\ud800" <= letter <= "\udfff" for letter in value):
                return _Vector("text", arrow.scalar(value, arrow.large_string()))
        return None

    # -- operators -----------------------------------------------------------------------------------------------

    def _combined(self, operator: str, left: _Vector | None, right: _Vector | None) -> _Vector | None:
        """`left operator right`; None where a number grows beyond 64 bits."""
        if left is None or right is None:
            return None
        try:
            if operator in COMPARISONS:
                return self._compared(operator, left, right)
            return self._calculated(operator, left, right)
        except self._arrow.ArrowInvalid:
            return None

    def _compared(self, operator: str, left: _Vector, right: _Vector) -> _Vector | None:
        """`values.compare`: what is missing or has no order makes the comparison false."""
        kernels, kinds = self._kernels, {left.kind, right.kind}
        if "missing" in kinds:
            return self._constant(False)
        if "null" in kinds:
            # Everything that is there differs from null; an empty cell is not null but missing.
            there = kernels.and_(kernels.is_valid(left.values), kernels.is_valid(right.values))
            return _Vector("bool", there) if operator == ("==" if len(kinds) == 1 else "!=") else self._constant(False)
        if (alike := self._alike(left, right)) is None:
            return None
        left, right = alike
        if left.kind != right.kind or (left.kind == "bool" and operator not in ("==", "!=")):
            return self._constant(False)
        found = kernels.call_function(_KERNELS[operator], [left.values, right.values])
        if left.kind == "float" and operator == "!=":
            found = kernels.and_not(found, kernels.or_(kernels.is_nan(left.values), kernels.is_nan(right.values)))
        return _Vector("bool", kernels.fill_null(found, False))

    def _alike(self, left: _Vector, right: _Vector) -> tuple[_Vector, _Vector] | None:
        """Two vectors as one kind, where a guard compares different ones; None if the kernels would lose anything."""
        kinds = {left.kind, right.kind}
        if kinds == {"int", "float"}:
            exact = self._is_exact(left if left.kind == "int" else right)
            return (self._as_float(left), self._as_float(right)) if exact else None
        if kinds.isdisjoint(_TIMES) or kinds.isdisjoint(_NUMBERS):
            return left, right
        if "float" in kinds:
            return None  # a part of a second is rounded to microseconds as Python rounds
        return self._as_time(left, right.kind), self._as_time(right, left.kind)

    def _is_exact(self, vector: _Vector) -> bool:
        """Whether all of some whole numbers are doubles without rounding."""
        bounds = self._kernels.min_max(vector.values).as_py()
        return bounds["min"] is None or (bounds["min"] >= -_EXACT and bounds["max"] <= _EXACT)

    def _as_time(self, vector: _Vector, kind: str) -> _Vector:
        return _Vector(kind, self._kernels.multiply_checked(vector.values, SECOND)) if vector.kind == "int" else vector

    def _as_float(self, vector: _Vector) -> _Vector:
        return _Vector("float", self._kernels.cast(vector.values, self._arrow.float64(), safe=False))

    def _calculated(self, operator: str, left: _Vector, right: _Vector) -> _Vector | None:
        """Arithmetic of numbers."""
        if left.kind not in _NUMBERS or right.kind not in _NUMBERS or operator == "%":
            return None
        whole = left.kind == right.kind == "int"
        if operator == "//" and not whole:
            return None
        if operator == "/" and whole and not (self._is_exact(left) and self._is_exact(right)):
            return None
        if left.kind != right.kind or (operator == "/" and whole):
            left, right = self._as_float(left), self._as_float(right)
        other = right.values
        if operator in ("/", "//"):  # division by zero has no value
            nothing = self._arrow.scalar(None, other.type)
            other = self._kernels.if_else(self._kernels.equal(other, 0), nothing, other)
        return _Vector(left.kind, self._kernels.call_function(_KERNELS[operator], [left.values, other]))

    def _searched(self, name: str, text: _Vector | None, part: _Vector | None) -> _Vector | None:
        """Whether a text begins or ends with another, or has it inside; the kernels look for one text in all rows."""
        if text is None or part is None or not isinstance(part.values, self._arrow.Scalar):
            return None
        if text.kind != "text" or part.kind != "text":
            return self._constant(False)
        kernels = self._kernels
        search = {"startswith": kernels.starts_with, "endswith": kernels.ends_with}.get(name, kernels.match_substring)
        return _Vector("bool", self._kernels.fill_null(search(text.values, part.values.as_py()), False))

    # -- rows ----------------------------------------------------------------------------------------------------

    def _everywhere(self, value: bool) -> Any:
        return self._arrow.repeat(self._arrow.scalar(value), len(self._columns.end))

    def _row_by_row(self, guard: Guard) -> Any:
        """Where `guard` holds, as `values` says."""
        if self._occurrences is None:
            self._occurrences = list(self._rows())
        around, variable = Surroundings(self._now), self._columns.variable
        return self._arrow.array([holds(guard, {variable: one}, around) for one in self._occurrences], "bool")

    def _rows(self) -> Iterator[Occurrence]:
        """Each row as the occurrence of its event, with the attributes that the guard names."""
        columns = self._columns
        data: list[dict[str, object]] = [{} for _ in range(len(columns.end))]
        named = frozenset(part.name for part in walk(self._guard) if isinstance(part, Attribute))
        if any(isinstance(part, Call) and part.function == "text" for part in walk(self._guard)):
            named = frozenset(columns.attributes.schema.names)
        for name in dict.fromkeys(items_of(named)):
            column = columns.attribute(name)
            for row, cell in zip(data, [] if column is None else column.to_pylist(), strict=False):
                if cell is not None:
                    row[name] = cell
        ends, starts, sources = columns.end.to_pylist(), columns.start.to_pylist(), columns.source.to_pylist()
        for end, start, source, row in zip(ends, starts, sources, data, strict=True):
            yield Occurrence(start, end, (Event("", end, start, source=source or "", data=row),))


def _flat(column: Any, kind: Any) -> Any:
    """A column of that type as one array: a table's may be in pieces."""
    wide = column.cast(kind)
    return wide.combine_chunks() if hasattr(wide, "combine_chunks") else wide
