"""Rows called by their contents: a name that equal rows have in common, and no others.

Spark's own hash passes over what is null and over where a list ends: to it ('a', null) and (null, 'a') are the same,
and so are [[1], [2]] and [[1, 2]]. So every column is hashed with whether it is null, and what is nested is first
written out as a text that can be read in one way only. Values are equal here as they are to Spark: 0.0 and -0.0, any
two NaN, and maps whatever the order of their entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pyspark.sql import functions as F
from pyspark.sql import types as T

NESTED: Final = (T.StructType, T.ArrayType, T.MapType)
HASHED: Final = (T.NumericType, T.BooleanType, T.BinaryType, T.DateType, T.TimestampType, T.TimestampNTZType)
"""What Spark's hash tells apart; anything else is a text first."""
NULL: Final = "n"
"""What stands for a value that is not there. A value that is begins with its length."""


def column_named(name: str) -> Any:
    """The column of that very name, whatever signs are in it."""
    quoted = name.replace("`", "``")
    return F.col(f"`{quoted}`")


def name_of_contents(frame: Any) -> Any:
    """The name of a row: 32 hexadecimal digits. With 16, one row in a few billion would be taken for another."""
    parts = _hashed_parts(frame, frame.columns)
    return F.concat(*(F.lpad(F.hex(F.xxhash64(F.lit(seed), *parts)), 16, "0") for seed in (0, 1)))


def hash_of(frame: Any, names: Sequence[str]) -> Any:
    """What some columns hold, as a whole number of 64 bits."""
    return F.xxhash64(F.lit(0), *_hashed_parts(frame, names))


def _hashed_parts(frame: Any, names: Sequence[str]) -> list[Any]:
    parts = []
    for name in names:
        column = column_named(name)
        parts += [column.isNull(), _hashable(column, frame.schema[name].dataType)]
    return parts


def _hashable(column: Any, kind: Any) -> Any:
    if isinstance(kind, HASHED):
        return column
    return _written(column, kind) if isinstance(kind, NESTED) else column.cast("string")


def _written(column: Any, kind: Any) -> Any:
    """A value as a text that begins with its length, or with the number of its parts."""
    if isinstance(kind, T.StructType):
        fields = [_written(column.getField(field.name), field.dataType) for field in kind.fields]
        text = F.concat(F.lit("s"), *fields)
    elif isinstance(kind, T.ArrayType):
        text = _listed(F.transform(column, lambda each: _written(each, kind.elementType)))
    elif isinstance(kind, T.MapType):
        entries = F.transform(
            F.map_entries(column),
            lambda each: F.concat(_written(each["key"], kind.keyType), _written(each["value"], kind.valueType)),
        )
        text = _listed(F.array_sort(entries))
    else:
        plain = _plain(column, kind)
        text = F.concat(F.length(plain).cast("string"), F.lit(":"), plain)
    return F.when(column.isNull(), F.lit(NULL)).otherwise(text)


def _listed(texts: Any) -> Any:
    return F.concat(F.size(texts).cast("string"), F.lit("["), F.array_join(texts, ""))


def _plain(column: Any, kind: Any) -> Any:
    if isinstance(kind, T.FloatType | T.DoubleType):
        return (column + F.lit(0.0)).cast("string")  # 0.0 and -0.0 are equal
    if isinstance(kind, T.TimestampType):
        return F.unix_micros(column).cast("string")  # a text would depend on the session's zone
    return F.hex(column) if isinstance(kind, T.BinaryType) else column.cast("string")
