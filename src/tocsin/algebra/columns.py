"""Guards over columns: which rows of an Arrow table satisfy a leaf's own conditions.

The answer for a row is that of `values.evaluate` for the row's event, always; what Arrow's kernels compute just as
Python does is computed by them, everything else row by row. A null cell is an attribute the event does not have, so
Arrow's null stands for MISSING throughout. Kinds of columns here <-> values there:

    int      int that fits 64 bits          bool     bool
    float    float                          text     str
    moment   Moment, in microseconds        period   Period without calendar steps, in microseconds
    null     None                           missing  MISSING in every row

Where the kernels agree with Python, and where they are kept from differing:
- Whole numbers: the checked kernels refuse to overflow, and Python's unbounded numbers take over, row by row.
- int with float: Python compares exactly, Arrow rounds the int to a double, which is exact up to 2**53: only then.
  In arithmetic Python rounds too, to the nearest even as the C cast does.
- float: both follow IEEE 754, save that NaN has no order in a guard, so `!=` is false, and x / 0.0 has no value.
- text: UTF-8 sorts by bytes as Python does by code points. Capitals are Unicode's, of another version in either, so
  the kernels get ASCII alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tocsin.algebra.guards import (
    COMPARISONS,
    Attribute,
    Binary,
    Call,
    Duration,
    End,
    Guard,
    Literal,
    Negative,
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

_TESTS: Final[Mapping[str, str]] = {
    "==": "equal",
    "!=": "not_equal",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
}
_CHECKED: Final[Mapping[str, str]] = {"+": "add_checked", "-": "subtract_checked", "*": "multiply_checked"}
_LEAST, _GREATEST = -(2**63), 2**63 - 1
_EXACT: Final = 2**53
"""Whole numbers up to this size are doubles without rounding."""
_NUMBERS: Final = ("int", "float")
_TIMES: Final = ("moment", "period")
_TIME_SUMS: Final[Mapping[tuple[str, str, str], str]] = {
    ("moment", "-", "moment"): "period",
    ("moment", "+", "period"): "moment",
    ("moment", "-", "period"): "moment",
    ("period", "+", "moment"): "moment",
    ("period", "+", "period"): "period",
    ("period", "-", "period"): "period",
    ("period", "*", "int"): "period",
    ("int", "*", "period"): "period",
}
_TAKES: Final[Mapping[str, tuple[str, ...]]] = {
    "-": _NUMBERS,
    "abs": (*_NUMBERS, "period"),
    "len": ("text",),
    "lower": ("text",),
    "upper": ("text",),
}
"""The kinds that a function of one value has a value for."""


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
        rows = {len(self.end), len(self.start), len(self.source)}
        if self.attributes.num_columns:
            rows.add(self.attributes.num_rows)
        if len(rows) > 1:
            raise UsageError(f"columns of one table have different lengths: {', '.join(map(str, sorted(rows)))}")


@dataclass(frozen=True)
class _Vector:
    """The value of a guard in every row: an Arrow array, or a scalar where it is the same in all."""

    kind: str
    values: Any = None


_MISSING: Final = _Vector("missing")


def select_rows(guard: Guard, columns: EventColumns, now: int = 0) -> Any:
    """The rows where `guard` holds, as an Arrow array of booleans without nulls."""
    return _Selection(guard, columns, now).truth(guard)


class _Selection:
    """One guard over one table. `vector` is None where no kernel gives what Python would."""

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
        vector = self.vector(guard)
        if vector is None:
            return self._row_by_row(guard)
        if vector.kind != "bool":
            return self._everywhere(False)
        known = self._kernels.fill_null(vector.values, False)
        return self._everywhere(known.as_py()) if isinstance(known, self._arrow.Scalar) else known

    def vector(self, guard: Guard) -> _Vector | None:
        """The value of `guard` in all rows at once."""
        match guard:
            case Literal(value=value):
                return self._constant(value)
            case Attribute(variable=variable, name=name):
                return self._attribute(name) if variable == self._columns.variable else _MISSING
            case End(variable=variable):
                return self._own(variable, "moment", self._columns.end)
            case Start(variable=variable):
                return self._own(variable, "moment", self._columns.start)
            case SourceOf(variable=variable):
                return self._own(variable, "text", self._columns.source)
            case Occurred(variable=variable):
                return self._constant(variable == self._columns.variable)
            case Now():
                return self._time("moment", self._now)
            case Self():
                return self._constant(SELF)
            case Point(point=point):
                return self._time("moment", point.instant()) if point.exact else None
            case Duration(period=period):
                steps = period.years or period.months
                return None if steps else self._time("period", period.microseconds)
            case Not(operand=inner):
                return _Vector("bool", self._kernels.invert(self.truth(inner)))
            case Negative(operand=inner):
                return self._applied("-", self.vector(inner))
            case Binary(operator="&&", left=left, right=right):
                return _Vector("bool", self._kernels.and_(self.truth(left), self.truth(right)))
            case Binary(operator="||", left=left, right=right):
                return _Vector("bool", self._kernels.or_(self.truth(left), self.truth(right)))
            case Binary(operator=operator, left=left, right=right):
                return self._combined(operator, self.vector(left), self.vector(right))
            case Call(function=name, arguments=arguments):
                return self._called(name, arguments)
        return None

    # -- where values come from ----------------------------------------------------------------------------------

    def _attribute(self, name: str) -> _Vector | None:
        """A column of attributes, widened to the type its kind is computed with."""
        table, arrow = self._columns.attributes, self._arrow
        places = table.schema.get_all_field_indices(name)
        if not places:
            return _MISSING
        column, types = table.column(places[-1]), arrow.types
        if types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if types.is_boolean(column.type):
            return _Vector("bool", _flat(column))
        if types.is_signed_integer(column.type):
            return _Vector("int", _flat(column.cast(arrow.int64())))
        if types.is_float32(column.type) or types.is_float64(column.type):
            return _Vector("float", _flat(column.cast(arrow.float64())))
        if types.is_string(column.type) or types.is_large_string(column.type):
            return _Vector("text", _flat(column.cast(arrow.large_string())))
        return _MISSING if types.is_null(column.type) else None

    def _own(self, variable: str, kind: str, column: Any) -> _Vector:
        """What every event has; another variable is not bound here, so it has none."""
        if variable != self._columns.variable:
            return _MISSING
        wide = self._arrow.int64() if kind == "moment" else self._arrow.large_string()
        known = _flat(column.cast(wide))
        return _Vector(kind, known if kind == "moment" else self._kernels.fill_null(known, ""))

    def _constant(self, value: object) -> _Vector | None:
        """A value as written in the guard; None for a whole number or a text that Arrow cannot hold."""
        arrow = self._arrow
        match value:
            case None:
                return _Vector("null", arrow.scalar(True))
            case bool():
                return _Vector("bool", arrow.scalar(value))
            case int():
                return _Vector("int", arrow.scalar(value, arrow.int64())) if _LEAST <= value <= _GREATEST else None
            case float():
                return _Vector("float", arrow.scalar(value, arrow.float64()))
            case str() if not any("\ud800" <= letter <= "\udfff" for letter in value):
                return _Vector("text", arrow.scalar(value, arrow.large_string()))
        return None

    def _time(self, kind: str, microseconds: int) -> _Vector | None:
        known = self._constant(microseconds)
        return None if known is None else _Vector(kind, known.values)

    # -- operators -----------------------------------------------------------------------------------------------

    def _combined(self, operator: str, left: _Vector | None, right: _Vector | None) -> _Vector | None:
        """`left operator right`; None where a number grows beyond 64 bits, for Python's numbers have no end."""
        if left is None or right is None:
            return None
        try:
            if operator in COMPARISONS:
                return self._compared(operator, left, right)
            return self._arithmetic(operator, left, right)
        except self._arrow.ArrowInvalid:
            return None

    def _compared(self, operator: str, left: _Vector, right: _Vector) -> _Vector | None:
        """`values.compare`: what is missing or has no order makes the comparison false."""
        if "null" in (left.kind, right.kind) and "missing" not in (left.kind, right.kind):
            return self._compared_with_null(operator, left, right)
        alike = self._alike(left, right)
        if alike is None:
            return None
        left, right = alike
        if left.kind != right.kind or left.kind == "missing" or (left.kind == "bool" and operator not in ("==", "!=")):
            return self._constant(False)
        kernels = self._kernels
        found = kernels.call_function(_TESTS[operator], [left.values, right.values])
        if left.kind == "float" and operator == "!=":
            unordered = kernels.or_(kernels.is_nan(left.values), kernels.is_nan(right.values))
            found = kernels.and_not(found, unordered)
        return _Vector("bool", kernels.fill_null(found, False))

    def _compared_with_null(self, operator: str, left: _Vector, right: _Vector) -> _Vector | None:
        """`x.a != null` is true where there is an a; there is no null in a table, where an empty cell is MISSING."""
        if left.kind == right.kind:
            return self._constant(operator == "==")
        other = left if right.kind == "null" else right
        return _Vector("bool", self._kernels.is_valid(other.values)) if operator == "!=" else self._constant(False)

    def _alike(self, left: _Vector, right: _Vector) -> tuple[_Vector, _Vector] | None:
        """Two values to be compared, as one kind where a guard compares different ones; None if that loses anything."""
        kinds = (left.kind, right.kind)
        if kinds in (("int", "float"), ("float", "int")):
            exact = self._is_exact(left) and self._is_exact(right)
            return (self._as_float(left), self._as_float(right)) if exact else None
        if left.kind in _NUMBERS and right.kind in _TIMES:
            time = self._as_time(left, right.kind)
            return None if time is None else (time, right)
        if left.kind in _TIMES and right.kind in _NUMBERS:
            time = self._as_time(right, left.kind)
            return None if time is None else (left, time)
        return left, right

    def _as_time(self, number: _Vector, kind: str) -> _Vector | None:
        """A number of seconds beside a time, rounded as Python rounds: a column of floats is left to Python."""
        if number.kind == "int":
            return _Vector(kind, self._kernels.multiply_checked(number.values, SECOND))
        if not isinstance(number.values, self._arrow.Scalar):
            return None
        seconds = number.values.as_py()
        if seconds is None or not math.isfinite(seconds):
            return _MISSING
        return self._time(kind, round(seconds * SECOND)) if abs(seconds) < _EXACT else None

    def _is_exact(self, vector: _Vector) -> bool:
        """Whether every number is the same as a double."""
        if vector.kind == "float":
            return True
        bounds = self._kernels.min_max(vector.values).as_py()
        return bounds["min"] is None or (-_EXACT <= bounds["min"] and bounds["max"] <= _EXACT)

    def _as_float(self, vector: _Vector) -> _Vector:
        return _Vector("float", self._kernels.cast(vector.values, self._arrow.float64(), safe=False))

    def _arithmetic(self, operator: str, left: _Vector, right: _Vector) -> _Vector | None:
        """`values.arithmetic`: missing where it makes no sense."""
        kinds, kernels = (left.kind, right.kind), self._kernels
        if kinds == ("text", "text") and operator == "+":
            return _Vector(
                "text",
                kernels.binary_join_element_wise(
                    left.values, right.values, self._arrow.scalar("", self._arrow.large_string())
                ),
            )
        if kinds == ("int", "int") or (kinds[0] in _NUMBERS and kinds[1] in _NUMBERS and operator != "%"):
            return self._calculated(operator, left, right)
        if "float" in kinds and kinds[0] in _NUMBERS and kinds[1] in _NUMBERS:
            return None  # there is no kernel for C's fmod
        kind = _TIME_SUMS.get((left.kind, operator, right.kind))
        if kind is None:
            return _MISSING
        values = kernels.call_function(_CHECKED[operator], [left.values, right.values])
        # 003 example 6: the difference of two moments is positive, no matter which is first.
        return _Vector(kind, kernels.abs_checked(values) if kinds == ("moment", "moment") else values)

    def _calculated(self, operator: str, left: _Vector, right: _Vector) -> _Vector:
        """Arithmetic of numbers; the kernels divide whole numbers towards zero, as C and guards do."""
        if left.kind != right.kind:
            left, right = self._as_float(left), self._as_float(right)
        kernels, one, other = self._kernels, left.values, right.values
        if operator in _CHECKED:
            return _Vector(left.kind, kernels.call_function(_CHECKED[operator], [one, other]))
        # Division by zero has no value.
        divisor = kernels.if_else(kernels.equal(other, 0), self._arrow.scalar(None, other.type), other)
        quotient = kernels.divide_checked(one, divisor)
        if operator == "%":
            quotient = kernels.subtract_checked(one, kernels.multiply_checked(other, quotient))
        return _Vector(left.kind, quotient)

    # -- functions -----------------------------------------------------------------------------------------------

    def _called(self, name: str, arguments: tuple[Guard, ...]) -> _Vector | None:
        """A function that has a kernel, with as many arguments as it takes."""
        if name == "in" and arguments:
            found = self._everywhere(False)
            for other in arguments[1:]:
                found = self._kernels.or_(found, self.truth(Binary("==", arguments[0], other)))
            return _Vector("bool", found)
        vectors = [self.vector(argument) for argument in arguments]
        if name in ("startswith", "contains") and len(vectors) == 2:
            return self._searched(name, vectors[0], vectors[1])
        return self._applied(name, vectors[0]) if len(vectors) == 1 else None

    def _searched(self, name: str, text: _Vector | None, part: _Vector | None) -> _Vector | None:
        """Whether a text begins with another or has it inside; the kernels look for the same one in all rows."""
        if text is None or part is None:
            return None
        if text.kind != "text" or part.kind != "text":
            return self._constant(False)
        if not isinstance(part.values, self._arrow.Scalar) or not part.values.is_valid:
            return None
        search = self._kernels.starts_with if name == "startswith" else self._kernels.match_substring
        return _Vector("bool", self._kernels.fill_null(search(text.values, part.values.as_py()), False))

    def _applied(self, name: str, one: _Vector | None) -> _Vector | None:
        """A function of one value, or `-`; missing where the value is not of its kind."""
        takes = _TAKES.get(name)
        if one is None or takes is None:
            return None
        if one.kind not in takes:
            return _MISSING
        kernels = self._kernels
        if name == "len":
            return _Vector("int", kernels.cast(kernels.utf8_length(one.values), self._arrow.int64()))
        if one.kind == "text":
            ascii_only = kernels.all(kernels.string_is_ascii(one.values)).as_py() is not False
            return _Vector("text", kernels.call_function(f"ascii_{name}", [one.values])) if ascii_only else None
        if one.kind == "period":
            return one  # `values` leaves a period as it is
        try:
            return _Vector(
                one.kind, kernels.call_function("abs_checked" if name == "abs" else "negate_checked", [one.values])
            )
        except self._arrow.ArrowInvalid:
            return None  # the least of all 64-bit numbers

    # -- rows ----------------------------------------------------------------------------------------------------

    def _everywhere(self, value: bool) -> Any:
        """One truth for all rows."""
        return self._arrow.repeat(self._arrow.scalar(value), len(self._columns.end))

    def _row_by_row(self, guard: Guard) -> Any:
        """Where `guard` holds, as `values` says."""
        if self._occurrences is None:
            self._occurrences = list(self._rows())
        around, variable = Surroundings(self._now), self._columns.variable
        found = [holds(guard, {variable: one}, around) for one in self._occurrences]
        return self._arrow.array(found, self._arrow.bool_())

    def _rows(self) -> Iterator[Occurrence]:
        """Each row as the occurrence of its event, with the attributes that the guard names."""
        columns = self._columns
        named = {part.name for part in walk(self._guard) if isinstance(part, Attribute)}
        data: list[dict[str, object]] = [{} for _ in range(len(columns.end))]
        for name in named:
            for place in columns.attributes.schema.get_all_field_indices(name)[-1:]:
                for row, cell in zip(data, columns.attributes.column(place).to_pylist(), strict=True):
                    if cell is not None:
                        row[name] = cell
        times = zip(columns.end.to_pylist(), columns.start.to_pylist(), strict=True)
        for (end, start), source, row in zip(times, columns.source.to_pylist(), data, strict=True):
            yield Occurrence(start, end, (Event("", end, start, source=source or "", data=row),))


def _flat(column: Any) -> Any:
    """A table's column, which may be in pieces, as one array."""
    return column.combine_chunks() if hasattr(column, "combine_chunks") else column
