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
    from pyspark.sql import DataFrame, SparkSession

try:
    import pyspark
except ImportError:
    raise MissingDependency("pyspark", "spark") from None

__all__ = ["detect", "detector", "register", "sql"]


def detect(
    frame: DataFrame,
    rules: Rules,
    *,
    columns: Mapping[str, str | None] = MappingProxyType({}),
    unit: str | None = None,
    order: str = "guaranteed",
    context: str | None = None,
    window: Span | None = None,
    time_model: str = "point",
    until: str | None = None,
    late: str = "accept",
    shards: int | None = None,
    key: str | None = None,
    watermark: str | None = None,
    idle: Span | None = None,
    with_late: bool = False,
    state: str | None = None,
    remember: Span | None = None,
    fields: Sequence[str] | None = None,
    read: str = "spark",
) -> DataFrame:
    """The detections of rules on the events of a DataFrame, as a DataFrame: a row a detection.

    `columns` says what the fields of an event (`type`, `time`, `id`, `source`, `start`, `arrival`, `sequence`, `data`)
    are called in the DataFrame; other columns are attributes, and so is what `data` holds: a struct, a map, or JSON.
    What is inside a struct is named with a dot, as in {"type": "body.kind"}; {"id": None} says that events have no id.
    `unit` is what times count that are numbers: "s", as is usual, "ms", "us" or "ns".

    Under `guaranteed` events are evaluated in the order of their own times, under `best-effort` and `delay:SPAN` in
    that of an `arrival` or `sequence` column. `shards` is how many parts the events of keyed rules are spread over.

    `key` spreads all rules by this attribute, and refuses rules whose events it may not keep together; without it every
    rule is spread by a key of its own, or not at all.

    A stream needs a `watermark`: how long Spark waits for events that come late, as in "10 seconds". Those that come
    later still are not evaluated; `with_late` adds them to the rows, without a rule, and a column `late`. The watermark
    follows the events. `idle` lets it follow the clock, too, that far behind it, so that time goes on when none comes.

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
    from tocsin.spark.tables import event_table

    if shards is not None and (not isinstance(shards, int) or shards < 1):
        raise UsageError(f"shards is {shards!r}: a whole number from 1 on")
    if read not in ("spark", "workers") or (read == "workers" and frame.isStreaming):
        raise UsageError(f"read is {read!r}: 'spark', or 'workers' for a static DataFrame of Parquet files")
    options = options_given(context, order, window, time_model, until, late)
    program = program_of(rules)
    if not program.rules:
        raise UsageError("there is no rule among what was given: nothing can be detected")
    table = event_table(frame, columns, program, unit)
    made: DataFrame = detected_by(
        table.frame,
        program,
        options,
        columns=table.columns,
        unusable=table.unusable,
        shards=shards,
        watermark=watermark,
        key=key,
        state=state,
        remember=_length("remember", remember),
        idle=_length("idle", idle),
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


def _length(name: str, span: Span | None) -> int | None:
    """A length of time in microseconds."""
    if span is None:
        return None
    if isinstance(span, str):
        return period_of(span, name).length()
    seconds = span / timedelta(seconds=1) if isinstance(span, timedelta) else span
    if seconds < 0:
        raise UsageError(f"{name} is {span!r}: a length of time, or 0")
    return round(seconds * 1_000_000)


def detector(rules: Rules, **options: Any) -> Callable[[DataFrame], DataFrame]:
    """The same for `DataFrame.transform`: `df.transform(tc.spark.detector(rules))`, with the options of `detect`."""
    return lambda frame: detect(frame, rules, **options)


def sql(query: str, *, session: SparkSession | None = None, watermark: str | None = None) -> DataFrame:
    """What a query gives in which tables may have `MATCH_RECOGNIZE` behind them, as in Flink SQL.

    All around the clauses is the SQL of Spark. `session`: the one that runs, unless it is said; `watermark`: how long a
    stream is waited for, as in `detect`. See docs/spark-sql.md.
    """
    from tocsin.spark.sql import queried  # here: it needs Spark's own modules, which take a second

    made: DataFrame = queried(query, session, watermark)
    return made


def register(session: SparkSession | None = None) -> None:
    """Makes `tocsin_detect(TABLE(events), rules => '...')` known in the SQL of a session (PySpark 4.0 or newer)."""
    if tuple(map(int, pyspark.__version__.split(".")[:2])) < (4, 0):
        raise UsageError(
            f"a table function that says how its rows must come wants PySpark 4.0, not {pyspark.__version__}"
        )
    from tocsin.spark.table_function import register as registered  # here: older ones lack what it needs

    registered(session)
