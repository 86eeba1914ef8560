"""A user's table made ready to be read as events: fields by their names, times in their units, attributes together.

What is wrong is told here, from the schema: before anything runs, in one sentence, with the column that was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pyspark.sql import functions as F
from pyspark.sql import types as T

from tocsin.algebra.rules import Program
from tocsin.errors import UsageError
from tocsin.spark.attributes import attributes_read
from tocsin.spark.contents import column_named
from tocsin.spark.events import DATA, FIELDS, REQUIRED, TIMES, json_attribute
from tocsin.spark.read_columns import Readings, hint, is_usable
from tocsin.spark.shard import PREFIX
from tocsin.spark.units import UNITS, instant_of_number

MERGED: Final = "all attributes"
"""What the column of all attributes is called where there was none."""
_EMPTY: Final = r"^\s*\{\s*\}\s*$"
_OBJECT: Final = r"(?s)^\s*\{.*\}\s*$"
_JSON: Final = {"timeZone": "UTC", "timestampFormat": "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX"}


@dataclass(frozen=True)
class Table:
    """A DataFrame, what the fields of an event are called in it, and the attributes that no rule could use."""

    frame: Any
    columns: Mapping[str, str | None]
    unusable: frozenset[str] = frozenset()


def event_table(frame: Any, columns: Mapping[str, str | None], program: Program, unit: str | None = None) -> Table:
    """A DataFrame with the columns that rules need, under the names by which they are read."""
    if not hasattr(frame, "isStreaming"):
        raise UsageError(f"events come in a DataFrame of Spark, not in a {type(frame).__name__}")
    if unit is not None and unit not in UNITS:
        raise UsageError(f"unit is {unit!r}: what a time counts is one of {', '.join(UNITS)}")
    _refuse_twins(frame)
    frame, columns = _with_fields(frame, columns)
    frame = _with_times(frame, columns, unit)
    plain = {name.removeprefix(PREFIX): name for name in _attribute_columns(frame, columns)}
    kinds = {name: frame.schema[column].dataType for name, column in plain.items()}
    data = columns.get(DATA, DATA)
    of_data = None if data is None or data not in frame.columns else frame.schema[data].dataType
    inside = {field.name: field.dataType for field in of_data.fields} if isinstance(of_data, T.StructType) else {}
    readings = Readings(program, kinds | inside, has_more=of_data is not None and not inside)
    spelt = {} if is_case_sensitive(frame) else readings.spellings(kinds)
    readings.check(spelt)
    for name, written in spelt.items():
        frame = frame.withColumnRenamed(plain[name], written)
    kinds = {spelt.get(name, name): kind for name, kind in kinds.items()}
    plain = {spelt.get(name, name): spelt.get(name, column) for name, column in plain.items()}
    keep = attributes_read(program.rules)
    wanted = {name: kind for name, kind in kinds.items() if is_usable(kind) and (keep is None or name in keep)}
    has_variants = any(_is_variant(kind) for kind in (*wanted.values(), of_data))
    if (of_data is not None and not inside and wanted) or has_variants:
        merged = _merged({name: column_named(plain[name]) for name in wanted}, data, of_data)
        data = MERGED if of_data is None or data is None else data
        frame, columns = frame.withColumn(data, merged), {**columns, DATA: data}
    return Table(frame, columns, frozenset(name for name, kind in (kinds | inside).items() if not is_usable(kind)))


# -- names ------------------------------------------------------------------------------------------------------


def is_case_sensitive(frame: Any) -> bool:
    """Whether Spark tells `Host` from `host`: mostly it does not."""
    return str(frame.sparkSession.conf.get("spark.sql.caseSensitive", "false")).lower() == "true"


def _refuse_twins(frame: Any) -> None:
    counted = Counter(frame.columns if is_case_sensitive(frame) else [name.lower() for name in frame.columns])
    for name in frame.columns:
        if counted[name] > 1 or counted[name.lower()] > 1:
            raise UsageError(f"two columns are called {name!r}, which Spark cannot tell apart: rename one, or drop it")


def _with_fields(frame: Any, columns: Mapping[str, str | None]) -> tuple[Any, dict[str, str | None]]:
    """The DataFrame, and which of its columns every field is: also by a name in other letters, or inside another."""
    made: dict[str, str | None] = {}
    for field, name in columns.items():
        if field not in (*FIELDS, DATA):
            known = (*FIELDS, DATA)
            raise UsageError(f"columns name {field!r}: an event has {', '.join(known)}{hint(field, known)}")
        if name is None:
            if field in REQUIRED:
                raise UsageError(f"columns say that there is no {field!r}, and every event has one")
            made[field] = None
            continue
        frame, made[field] = _with_field(frame, field, name)
    for field in (*FIELDS, DATA):
        if field not in columns and (alike := _alike(field, frame)) is not None and alike != field:
            made[field] = alike
    return frame, made


def _with_field(frame: Any, field: str, name: str) -> tuple[Any, str]:
    alike = _alike(name, frame)
    if alike is not None:
        return frame, alike
    first, *steps = name.split(".")
    top, column = _alike(first, frame), None
    if steps and top is not None:
        column, kind = column_named(top), frame.schema[top].dataType
        for step in steps:
            parts = [part.name for part in kind.fields] if isinstance(kind, T.StructType) else []
            found = step if step in parts else _in_other_letters(step, parts, frame)
            if found is None:
                raise UsageError(
                    f"there is no {name!r} for {field!r}: {kind.simpleString()} has no {step!r}{hint(step, parts)}"
                )
            column, kind = column.getField(found), kind[found].dataType
        return frame.withColumn(name, column), name
    listed = ", ".join(frame.columns)
    raise UsageError(f"there is no column {name!r} for {field!r}: the columns are {listed}{hint(name, frame.columns)}")


def _alike(name: str, frame: Any) -> str | None:
    """The column of a name, as Spark finds it."""
    return name if name in frame.columns else _in_other_letters(name, frame.columns, frame)


def _in_other_letters(name: str, known: Sequence[str], frame: Any) -> str | None:
    if is_case_sensitive(frame):
        return None
    return next((each for each in known if each.lower() == name.lower()), None)


def _attribute_columns(frame: Any, columns: Mapping[str, str | None]) -> list[str]:
    """The columns that are attributes: all that are no field."""
    taken = {columns.get(field, field) for field in (*FIELDS, DATA)}
    return [name for name in frame.columns if name not in taken]


# -- times ------------------------------------------------------------------------------------------------------


def _with_times(frame: Any, columns: Mapping[str, str | None], unit: str | None) -> Any:
    """The DataFrame with its times that are numbers as timestamps."""
    kinds = {each.name: each.dataType for each in frame.schema.fields}
    names = [name for name in (columns.get(field, field) for field in TIMES) if name is not None and name in kinds]
    counted = [name for name in names if isinstance(kinds[name], T.NumericType)]
    if unit is not None and not counted:
        raise UsageError(f"unit={unit!r} is for times that are numbers, and no time is one here: leave it out")
    for name in counted:
        frame = frame.withColumn(name, instant_of_number(name, kinds[name], unit))
    return frame


# -- attributes in one column -----------------------------------------------------------------------------------


def _merged(plain: Mapping[str, Any], data: str | None, kind: Any) -> Any:
    """Columns, and what a column of data holds, as one text of JSON. What is in both is the data's."""
    if kind is None or data is None:
        return _written(plain)
    column = column_named(data)
    if isinstance(kind, T.StructType):
        return _written({**plain, **{each.name: column.getField(each.name) for each in kind.fields}})
    text = column if isinstance(kind, T.StringType) else F.to_json(column, _JSON)
    if not plain:
        return text
    # Of two values for a name, those who read the text do not all take the same: so there is one.
    lacking = {name: F.when(json_attribute(text, name).isNull(), each) for name, each in plain.items()}
    beside = _written(lacking)
    comma = F.when(beside.rlike(_EMPTY), F.lit("")).otherwise(F.lit(","))
    whole = F.concat(F.regexp_replace(text, r"\}\s*$", ""), comma, F.regexp_replace(beside, r"^\s*\{", ""))
    return F.when(text.isNull() | text.rlike(_EMPTY), beside).when(text.rlike(_OBJECT), whole).otherwise(text)


def _written(columns: Mapping[str, Any]) -> Any:
    return F.to_json(F.struct(*(column.alias(name) for name, column in columns.items())), _JSON)


def _is_variant(kind: Any) -> bool:
    return kind is not None and type(kind).__name__ == "VariantType"
