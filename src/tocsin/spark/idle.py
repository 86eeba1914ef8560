"""A stream whose time goes on although nothing comes: beside its rows there is one a second with the clock's own time.

Spark moves a watermark by what it reads, so what is absent from a silent stream would never be told. The rows are of a
type that no event has, pass the watermark like all others, and go no further.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pyspark.sql import functions as F
from pyspark.sql import types as T

from tocsin.errors import UsageError

BEAT: Final = "\0beat"
"""The type of the rows that only tell the time."""


def with_beats(frame: Any, columns: Mapping[str, str | None], idle: int) -> Any:
    """A stream with rows that tell the time, so many microseconds behind the clock."""
    kinds = {each.name: each.dataType for each in frame.schema.fields}
    type_, time = str(columns.get("type", "type")), str(columns.get("time", "time"))
    for name, kind, what in ((type_, T.StringType, "a text"), (time, T.TimestampType, "a timestamp")):
        if name in kinds and not isinstance(kinds[name], kind):
            raise UsageError(f"idle= needs {what} in column {name!r}, which holds {kinds[name].simpleString()}")
    times = {time, columns.get("arrival", "arrival")}
    now = F.timestamp_micros(F.unix_micros("timestamp") - F.lit(idle))
    beats = frame.sparkSession.readStream.format("rate").option("rowsPerSecond", 1).load()
    made = []
    for name, kind in kinds.items():
        value = F.lit(BEAT) if name == type_ else now if name in times else F.lit(None).cast(kind)
        made.append(value.alias(name))
    return frame.unionByName(beats.select(*made))


def without_beats(frame: Any, clock: str) -> Any:
    """The events alone. It speaks of the clock's column, or Spark would leave the rows out before they move it."""
    is_event = F.col("type") != F.lit(BEAT)
    return frame.filter(F.when(F.col(clock).isNotNull(), is_event).otherwise(F.lit(False)))
