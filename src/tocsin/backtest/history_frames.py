"""The files of a history as DataFrames of Spark: the events, and how many lines are none, by the reason."""

from __future__ import annotations

from typing import Any, Final

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import functions as F
from pyspark.sql import types as T

from tocsin.backtest.histories import History, refuse_flat
from tocsin.errors import UsageError
from tocsin.spark.contents import column_named, name_of_contents
from tocsin.spark.older import try_cast
from tocsin.spark.session import reason_of

CORRUPT: Final = "_corrupt_record"
REASON: Final = "_reason"
UNREADABLE: Final = "the line cannot be read"
NO_TIME: Final = "the event has no time that can be read"
NO_TYPE: Final = "the event has no type"
TEXTS: Final = ("type", "id", "source")
TIMES: Final = ("time", "start", "arrival")
PLAIN_FIELDS: Final = ("type", "time", "id", "source", "start", "arrival", "data")
"""What a line of JSON has; `data` stays the text it is, so that every value is what was written."""
_NUMBER: Final = r"^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$"


def read_history(spark: Any, history: History) -> Any:
    """All rows of a history; REASON says why a row is no event, and is null where it is one."""
    try:
        frame = _rows(spark, history)
    except PySparkException as error:
        raise UsageError(f"the history cannot be read: {reason_of(error)}") from None
    except Py4JJavaError as error:  # what Spark has no name for
        raise UsageError(f"the history cannot be read: {error.java_exception.getMessage().splitlines()[0]}") from None
    names = {field: history.names.get(field, field) for field in PLAIN_FIELDS}
    for field in ("type", "time"):
        if names[field] not in frame.columns:
            raise UsageError(
                f"there is no column {names[field]!r} for the {field} of an event: say which it is with"
                f" --columns {field}=...; the columns are {', '.join(c for c in frame.columns if c != CORRUPT)}"
            )
    frame = _with_intervals(frame, names)
    frame = frame.withColumn(REASON, _reason(frame, names))
    inside = _inside(column_named(names["time"]), frame.schema[names["time"]].dataType, history)
    return frame if inside is None else frame.filter(F.col(REASON).isNotNull() | inside)


def _rows(spark: Any, history: History) -> Any:
    # Directories like day=1 tell columns, which single files do not.
    paths = list(history.paths if history.is_partitioned or not history.files else history.files)
    reader = spark.read
    if history.format == "parquet":
        return (reader if history.schema is None else reader.schema(history.schema)).parquet(*paths)
    reader = reader.option("mode", "PERMISSIVE").option("columnNameOfCorruptRecord", CORRUPT)
    if history.format == "csv":
        reader = reader.option("header", True)
        schema = history.schema or _csv_schema(spark, paths, history)
        return reader.schema(_with_corrupt(schema)).csv(paths)
    schema = history.schema or ", ".join(f"`{history.names.get(field, field)}` string" for field in PLAIN_FIELDS)
    frame = reader.schema(_with_corrupt(schema)).json(paths)
    if history.schema is None:
        refuse_flat(history)
        return _named_by_contents(frame, history.names.get("id", "id"))
    return frame


def _with_corrupt(schema: Any) -> Any:
    return f"{schema}, {CORRUPT} string" if isinstance(schema, str) else schema.add(CORRUPT, T.StringType())


def _csv_schema(spark: Any, paths: list[str], history: History) -> Any:
    """The columns with the types that their values suggest; ids and the like are texts, whatever they look like."""
    found = spark.read.option("header", True).option("inferSchema", True).csv(paths).schema
    texts = {history.names.get(field, field) for field in TEXTS}
    kinds = [T.StructField(each.name, T.StringType() if each.name in texts else each.dataType) for each in found]
    return T.StructType(kinds)


def _named_by_contents(frame: Any, name: str) -> Any:
    """Events that have no id are called by their contents."""
    given = column_named(name)
    return frame.withColumn(name, F.when(given.isNull() | (given == ""), name_of_contents(frame)).otherwise(given))


def _with_intervals(frame: Any, names: dict[str, str]) -> Any:
    """Times that are texts as timestamps: seconds, a date and time, or for an interval both ends, [lo, hi]."""
    kinds = {field.name: field.dataType for field in frame.schema.fields}
    time, start = names["time"], names["start"]
    if isinstance(kinds[time], T.StringType):
        both = F.from_json(column_named(time), "array<string>")
        is_both = F.ltrim(column_named(time)).startswith("[")
        if start in kinds and isinstance(kinds[start], T.StringType):
            lower = F.when(is_both, F.try_element_at(both, F.lit(1))).otherwise(column_named(start))
            frame = frame.withColumn(start, lower)
        frame = frame.withColumn(time, F.when(is_both, F.try_element_at(both, F.lit(2))).otherwise(column_named(time)))
    for field in TIMES:
        if isinstance(kinds.get(names[field]), T.StringType):
            frame = frame.withColumn(names[field], _moment(column_named(names[field])))
    if start in kinds and isinstance(frame.schema[start].dataType, T.TimestampType):
        frame = frame.withColumn(start, F.coalesce(column_named(start), column_named(time)))
    return frame


def _moment(text: Any) -> Any:
    micros = F.bround(try_cast(text, "decimal(38,9)") * 1_000_000).cast("bigint")
    return F.when(text.rlike(_NUMBER), F.timestamp_micros(micros)).otherwise(F.try_to_timestamp(text))


def _reason(frame: Any, names: dict[str, str]) -> Any:
    kind, when = column_named(names["type"]), column_named(names["time"])
    told = F.when(when.isNull(), F.lit(NO_TIME)).when(kind.isNull() | (kind.cast("string") == ""), F.lit(NO_TYPE))
    if CORRUPT not in frame.columns:
        return told
    return F.when(F.col(CORRUPT).isNotNull(), F.lit(UNREADABLE)).otherwise(told)


def _inside(time: Any, kind: Any, history: History) -> Any:
    """Whether an event is in the stretch of time that was asked for."""
    if isinstance(kind, T.NumericType):
        micros = time.cast("double") * 1e6
    else:
        micros = F.unix_micros(time.cast("timestamp"))
    since = None if history.since is None else micros >= F.lit(history.since)
    until = None if history.until is None else micros < F.lit(history.until)
    return since if until is None else until if since is None else since & until


def events_of(rows: Any, history: History) -> Any:
    """The rows that are events, as they are given to the rules."""
    dropped = [name for name in (CORRUPT, REASON) if name in rows.columns]
    return rows.filter(F.col(REASON).isNull()).drop(*dropped)
