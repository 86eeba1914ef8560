"""Tocsin on Spark: the same rules on a DataFrame, and a DataFrame of detections.

    import tocsin as tc
    found = tc.spark.detect(df, rules)          # or df.transform(tc.spark.detector(rules))

The rules decide how the work is spread (`planner/placement.py`): what no rule wants is filtered out in the JVM, the
rest is shuffled by the rules' own keys, and every shard runs the embedded engine. See docs/spark.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tocsin.api import Rules, Span, options_given, program_of
from tocsin.errors import MissingDependency, UsageError
from tocsin.rules.options import period_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

try:
    import pyspark  # noqa: F401 - whether it is there
except ImportError:
    raise MissingDependency("pyspark", "spark") from None

__all__ = ["detect", "detector"]


def detect(
    frame: DataFrame,
    rules: Rules,
    *,
    columns: Mapping[str, str] = MappingProxyType({}),
    order: str = "guaranteed",
    context: str | None = None,
    window: Span | None = None,
    time_model: str = "point",
    until: str | None = None,
    late: str = "accept",
    shards: int | None = None,
    key: str | None = None,
    watermark: str | None = None,
    with_late: bool = False,
    state: str | None = None,
    remember: Span | None = None,
    fields: Sequence[str] | None = None,
    read: str = "spark",
) -> DataFrame:
    """The detections of rules on the events of a DataFrame, as a DataFrame: a row a detection.

    `columns` says what the fields of an event (`type`, `time`, `id`, `source`, `start`, `arrival`, `sequence`, `data`)
    are called in the DataFrame; the other columns are attributes, or `data` holds them: a struct, a map, or JSON.

    Under `guaranteed` events are evaluated in the order of their own times, under `best-effort` and `delay:SPAN` in
    that of an `arrival` or `sequence` column. `shards` is how many parts the events of keyed rules are spread over.

    `key` spreads all rules by this attribute, and refuses rules whose events it may not keep together; without it every
    rule is spread by a key of its own, or not at all.

    A stream needs a `watermark`: how long Spark waits for events that come late, as in "10 seconds". Those that come
    later still are not evaluated; `with_late` adds them to the rows, without a rule, and a column `late`.

    An event that has the source and id of another counts once: in all of a static DataFrame, and on a stream within
    `remember` of event time, an hour unless it is said. `remember="0 s"`: names are known to be unique, nothing is
    looked for.

    `fields` are the columns of detections that are wanted, all of them unless it is said: what is not asked for is not
    made, which Spark does not do by itself for columns that a later `select` leaves out.

    `read="workers"`, for a static DataFrame that is nothing but Parquet files, has Python's workers read them, which is
    cheaper. Their ids must be unique, and it has to be said that they are: `remember="0 s"`.

    What a stream remembers is in its checkpoint. `state` is a directory beside it, which all workers can reach, for
    streams that remember much: then every micro-batch writes what it brought, not all there is.
    """
    from tocsin.spark.detection import detected_by  # here: it needs Spark's own modules, which take a second

    if shards is not None and (not isinstance(shards, int) or shards < 1):
        raise UsageError(f"shards is {shards!r}: a whole number from 1 on")
    if read not in ("spark", "workers") or (read == "workers" and frame.isStreaming):
        raise UsageError(f"read is {read!r}: 'spark', or 'workers' for a static DataFrame of Parquet files")
    options = options_given(context, order, window, time_model, until, late)
    program = program_of(rules)
    made: DataFrame = detected_by(
        frame,
        program,
        options,
        columns=columns,
        shards=shards,
        watermark=watermark,
        key=key,
        state=state,
        remember=_remembered(remember),
        fields=_fields(fields),
        reads_files=read == "workers",
    )
    if frame.isStreaming:
        # Rows where it is neither are counts, for pipelines.
        return made.filter(made["late"].isNotNull()) if with_late else made.filter(~made["late"]).drop("late")
    return made


def _fields(asked: Sequence[str] | None) -> tuple[str, ...]:
    """The columns of detections that are asked for."""
    from tocsin.spark.rows import FIELDS

    if asked is None:
        return FIELDS
    names = (asked,) if isinstance(asked, str) else tuple(asked)
    for name in names:
        if name not in FIELDS:
            raise UsageError(f"fields names {name!r}: a detection has {', '.join(FIELDS)}")
    if not names or len(set(names)) < len(names):
        raise UsageError(f"fields are {', '.join(names) or 'empty'}: at least one, and each once")
    return names


def _remembered(span: Span | None) -> int | None:
    """For how long names are remembered, in microseconds."""
    if span is None:
        return None
    if isinstance(span, str):
        return period_of(span, "remember").length()
    seconds = span / timedelta(seconds=1) if isinstance(span, timedelta) else span
    if seconds < 0:
        raise UsageError(f"remember is {span!r}: a length of time, or 0")
    return round(seconds * 1_000_000)


def detector(rules: Rules, **options: Any) -> Callable[[DataFrame], DataFrame]:
    """The same for `DataFrame.transform`: `df.transform(tc.spark.detector(rules))`, with the options of `detect`."""
    return lambda frame: detect(frame, rules, **options)
