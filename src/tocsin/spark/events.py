"""A DataFrame's columns as events: which column is what, in the types that the shards read.

Afterwards there are `type` and `source` as texts, `id` as a text or whole number, `time`, `start`, `arrival` as
timestamps, `sequence` as a whole number where one was named, and the attributes: columns `a0`, `a1` ... in the order of
their names (which may be such that Spark cannot use them), or one column `data`, a text of JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from pyspark.sql import functions as F
from pyspark.sql import types as T

from tocsin.errors import UsageError
from tocsin.spark.contents import column_named, hash_of, name_of_contents
from tocsin.spark.shard import PREFIX

FIELDS: Final = ("type", "time", "id", "source", "start", "arrival", "sequence")
REQUIRED: Final = ("type", "time")
TIMES: Final = ("time", "start", "arrival")
DATA: Final = "data"


@dataclass(frozen=True)
class EventColumns:
    """A DataFrame in the shape above. `attributes` are its names for attributes; None where `data` is JSON."""

    frame: Any
    fields: frozenset[str]
    attributes: tuple[str, ...] | None
    is_named: bool = True
    """Whether there are ids; else events are called by their contents."""
    given: Any = None
    """The ids as they were given, with nothing where there are none, and sources, where there are: of all events."""
    unchecked: Mapping[str, str] | None = None
    """What the columns of type and time are called by the user, if nobody has looked yet whether every row has both.

    A filter on the type that is put before such a look reaches the files; after it, Spark would read all rows.
    """

    def checked(self) -> EventColumns:
        """The same, and a row without a type or time ends the job: what is asked of it first says what is missing."""
        if self.unchecked is None:
            return self
        kind, time = F.col("type"), F.col("time")
        no_time = F.raise_error(F.lit(f"an event has no time that can be read in column {self.unchecked['time']!r}"))
        no_type = F.raise_error(F.lit(f"an event has no type in column {self.unchecked['type']!r}"))
        made = F.when(time.isNull(), no_time).when(kind.isNull() | (kind == ""), no_type).otherwise(kind)
        return replace(self, frame=self.frame.withColumn("type", made), unchecked=None)

    def attribute(self, name: str) -> Any:
        """The column that holds an attribute; nothing where no event has it."""
        if self.attributes is None:
            return json_attribute(F.col(DATA), name)
        return F.col(self.column_of(name)) if name in self.attributes else None

    def column_of(self, name: str) -> str:
        """The name of the column of an attribute that there is one for."""
        assert self.attributes is not None
        return f"a{self.attributes.index(name)}"


def json_attribute(text: Any, name: str) -> Any:
    """What a text of JSON has under a name, as a text."""
    return F.get_json_object(text, "$['" + name.replace("\\", "\\\\").replace("'", "\\'") + "']")


def event_columns(
    frame: Any, columns: Mapping[str, str | None], keep: Iterable[str] | None = None, unusable: Iterable[str] = ()
) -> EventColumns:
    """The columns of `frame` as events. `columns` says what fields are called there; `keep` which attributes matter."""
    names = _mapped(frame, columns)
    kinds = {field.name: field.dataType for field in frame.schema.fields}
    others = {field: name for field, name in names.items() if field != "id"}
    chosen = [_field(field, column_named(name), kinds[name], name) for field, name in others.items()]
    chosen.append(_id(frame, names.get("id"), kinds).alias("id"))
    attributes, data = _attributes(frame, columns, set(names.values()), kinds)
    if data is None:
        kept = attributes.keys() if keep is None else keep
        attributes = {name: column for name, column in attributes.items() if name in kept and name not in unusable}
    numbered = enumerate(attributes.values())
    more = [column.alias(f"a{place}") for place, column in numbered] if data is None else [data.alias(DATA)]
    made, fields = frame.select(*chosen, *more), frozenset([*names, "id"])
    given = None if "id" not in names else frame.select(*_given_names(names, kinds))
    return EventColumns(made, fields, tuple(attributes) if data is None else None, given is not None, given, names)


def _mapped(frame: Any, columns: Mapping[str, str | None]) -> dict[str, str]:
    """The column of each field that there is one for; what is said to be None is none."""
    there = frame.columns
    for field, name in columns.items():
        if field not in (*FIELDS, DATA):
            raise UsageError(f"columns name {field!r}: an event has {', '.join((*FIELDS, DATA))}")
        if name is not None and name not in there:
            raise UsageError(f"there is no column {name!r} for {field!r}: the columns are {', '.join(there)}")
    called = ((field, columns.get(field, field)) for field in FIELDS)
    names = {field: name for field, name in called if name is not None and name in there}
    for field in REQUIRED:
        if field not in names:
            raise UsageError(
                f"there is no column {field!r}, and every event has one: say which it is with"
                f" columns={{{field!r}: ...}}; the columns are {', '.join(there)}"
            )
    return names


# -- fields -----------------------------------------------------------------------------------------------------


def _field(field: str, column: Any, kind: Any, name: str) -> Any:
    if field in TIMES:
        return _instant(column, kind, name).alias(field)
    if field == "sequence":
        if not isinstance(kind, T.IntegralType):
            raise UsageError(f"the sequence is in column {name!r}, which holds {kind.simpleString()}: a whole number")
        return column.cast("bigint").alias(field)
    if not isinstance(kind, T.StringType | T.IntegralType):
        raise UsageError(f"{field} is in column {name!r}, which holds {kind.simpleString()}: a text or whole number")
    text = column.cast("string")
    return (F.coalesce(text, F.lit("")) if field == "source" else text).alias(field)


def _instant(column: Any, kind: Any, name: str) -> Any:
    """A time as a timestamp. Without a zone it is UTC, whatever the session's zone is; a number is seconds."""
    if isinstance(kind, T.TimestampType):
        return column
    if isinstance(kind, T.TimestampNTZType | T.DateType):
        quoted = name.replace("`", "``")
        return F.expr(
            "timestamp_micros(timestampdiff(MICROSECOND, TIMESTAMP_NTZ'1970-01-01',"
            f" cast(`{quoted}` as timestamp_ntz)))"
        )
    if isinstance(kind, T.IntegralType):
        return F.timestamp_micros(column.cast("bigint") * 1_000_000)
    if isinstance(kind, T.NumericType):
        return F.timestamp_micros(F.bround(column.cast("double") * 1e6).cast("bigint"))
    if isinstance(kind, T.StringType):
        return F.try_to_timestamp(column)
    raise UsageError(f"column {name!r} holds {kind.simpleString()}: a time is a timestamp, a text or seconds")


def _given_names(names: Mapping[str, str], kinds: Mapping[str, Any]) -> list[Any]:
    """What tells the ids that were given, and the sources, in the types that they have as events."""
    name = names["id"]
    id_ = column_named(name)
    text = F.when(id_ != "", id_) if isinstance(kinds[name], T.StringType) else id_.cast("bigint")
    source = names.get("source")
    sources = [] if source is None else [_field("source", column_named(source), kinds[source], source)]
    return [text.alias("id"), *sources]


def _id(frame: Any, name: str | None, kinds: Mapping[str, Any]) -> Any:
    """What an event is called: by its contents where it has no id, so that the same row has one name in every run."""
    if name is None:
        return name_of_contents(frame)
    column = column_named(name)
    if isinstance(kinds[name], T.IntegralType):
        # It is a text when someone asks for it.
        return F.coalesce(column.cast("bigint"), hash_of(frame, frame.columns))
    text = _field("id", column, kinds[name], name)
    return F.when(text.isNull() | (text == ""), name_of_contents(frame)).otherwise(text)


# -- attributes -------------------------------------------------------------------------------------------------


def _attributes(
    frame: Any, columns: Mapping[str, str | None], taken: set[str], kinds: Mapping[str, Any]
) -> tuple[dict[str, Any], Any]:
    """The attributes by their names; or the one column that holds them, as JSON."""
    name = columns.get(DATA, DATA)
    plain = {other: column_named(other) for other in frame.columns if other not in taken and other != name}
    if name is None or name not in kinds:
        return {key.removeprefix(PREFIX): column for key, column in plain.items()}, None
    kind = kinds[name]
    if isinstance(kind, T.StructType):
        inside = {field.name: column_named(name).getField(field.name) for field in kind.fields}
        return {**{key.removeprefix(PREFIX): column for key, column in plain.items()}, **inside}, None
    if isinstance(kind, T.MapType):
        return {}, F.to_json(column_named(name))
    if isinstance(kind, T.StringType):
        return {}, column_named(name)
    raise UsageError(f"the attributes are in column {name!r}, which holds {kind.simpleString()}: a map, struct or JSON")
