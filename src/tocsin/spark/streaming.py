"""Detection on a stream: the shards' states are in Spark's own state store, so that they, the offsets and the output
are committed together.

Spark leaves out late rows by itself, silently, where a column has a watermark. Ours has none: the watermark is taken
of the time column, and what reaches the shards is another column that is never late. A shard tells late events itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final
from uuid import uuid4

from pyspark.sql import functions as F
from pyspark.sql import types as T
from pyspark.sql.pandas.types import to_arrow_schema

from tocsin.errors import SnapshotError, UsageError
from tocsin.formats.writers import to_json
from tocsin.planner.placement import Placement, is_searched
from tocsin.spark.events import TIMES, EventColumns
from tocsin.spark.routing import SHARD, Routes
from tocsin.spark.rows import SCHEMA, row_batch
from tocsin.spark.shard import Conditions
from tocsin.spark.stepping import Kept, Stepper

STATE: Final = "routing string, token string, engine binary, held binary"
LATE: Final = "late"
_CLOCK: Final = "never_late"
_NEVER_LATE: Final = 9_214_646_400_000_000
"""2262-01-01: the last year that pandas knows."""
_DELAY_KEY: Final = "spark.watermarkDelayMs"
"""How Spark marks the column that a watermark is taken of."""

_MOST_RUNNING: Final = 64
_RUNNING: dict[tuple[str, int], tuple[str, Stepper]] = {}
"""Shards that this process has worked on, the last ones, with the token of their state: most come again.

Every state that is written has a token of its own, so that one that was never committed, or is of another query, is
not taken for the one that is stored.
"""


def marked(events: EventColumns, conditions: Conditions, watermark: str) -> EventColumns:
    """The events with a watermark of the times by which they are evaluated."""
    return replace(events, frame=events.frame.withWatermark(clock_of(events, conditions), watermark))


def refuse_unkept(found: Iterable[Placement], granularity: int | None) -> None:
    """Says which rules have a state that cannot be kept from one micro-batch to the next."""
    for placement in found:
        for rule in placement.program.rules:
            if granularity is not None or not is_searched(rule):
                raise UsageError(
                    f"rule '{rule.name}' runs on the plain meaning (a consuming context, an automaton, 2g time),"
                    " whose state cannot be kept yet: it runs on a static DataFrame, not on a stream"
                )


def clock_of(events: EventColumns, conditions: Conditions) -> str:
    """The column that time goes by."""
    return "time" if conditions.is_stable or "arrival" not in events.frame.columns else "arrival"


def detected_in_stream(frame: Any, found: Routes) -> Any:
    """The detections on a stream of routed events, and its late events, which have no rule and `late` set."""
    never = F.timestamp_micros(F.lit(_NEVER_LATE)).alias(_CLOCK, metadata={_DELAY_KEY: 0})
    kinds = {field.name: field.dataType for field in frame.schema.fields}
    times = {name for name, kind in kinds.items() if isinstance(kind, T.TimestampType)}
    sent = [F.unix_micros(name).alias(name) if name in times else F.col(name) for name in frame.columns]
    schema = _arrow_schema(frame.schema)
    run = _runner(found, schema, times, _fingerprint(found))
    return (
        frame.select(*sent, never)
        .groupBy(SHARD)
        .applyInPandasWithState(run, f"{SCHEMA}, {LATE} boolean", STATE, "append", "EventTimeTimeout")
    )


def _arrow_schema(schema: Any) -> Any:
    import pyarrow as pa

    made = to_arrow_schema(schema, timezone="UTC")
    fields = [pa.field(f.name, pa.timestamp("us", "UTC")) if pa.types.is_timestamp(f.type) else f for f in made]
    return pa.schema([f.remove_metadata() for f in fields])


def _fingerprint(found: Routes) -> str:
    """What must not change while a state is kept: how events are spread, and the order."""
    orders = [conditions.order for conditions in found.conditions]
    text = repr([[(p.kind, p.key) for p in found.placements], orders, found.firsts, found.count])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _runner(found: Routes, schema: Any, times: set[str], routing: str) -> Any:
    def run(key: tuple[int], frames: Iterator[Any], state: Any) -> Iterator[Any]:
        import pyarrow as pa

        number = int(key[0])
        placement, _ = found.of(number)
        stepper = _stepper(found, schema, routing, number, state)
        given = [] if state.hasTimedOut else [_table(pa, one, schema, times) for one in frames if len(one)]
        # Before the first watermark Spark says it is 0.
        reached = state.getCurrentWatermarkMs() * 1000
        some, late = stepper.step(pa.concat_tables(given) if given else None, reached if reached else None)
        kept, token = stepper.kept(), uuid4().hex
        state.update((routing, token, kept.engine, kept.held))
        _remember((routing, number), token, stepper)
        following = stepper.next_moment()
        if following is not None:
            state.setTimeoutTimestamp(max(following // 1000 + 1, state.getCurrentWatermarkMs() + 1))
        for each in some:
            rows = row_batch(pa, each, placement, stepper.shard.style).to_pandas(timestamp_as_object=True)
            yield rows.assign(**{LATE: False})
        if late is not None:
            yield _late_rows(late, found.attributes)

    return run


def _remember(shard: tuple[str, int], token: str, stepper: Stepper) -> None:
    while len(_RUNNING) >= _MOST_RUNNING:
        del _RUNNING[next(iter(_RUNNING))]
    _RUNNING[shard] = (token, stepper)


def _stepper(found: Routes, schema: Any, routing: str, number: int, state: Any) -> Stepper:
    """The shard as it was left."""
    if not state.exists:
        return Stepper(*found.of(number), found.attributes, schema)
    saved, token, engine, held = state.get
    if saved != routing:
        raise SnapshotError(
            "the checkpoint is of another way to spread the events (other keys, order or number of shards):"
            " go on with those, or begin with a new checkpoint"
        )
    running = _RUNNING.pop((routing, number), None)
    if running is not None and running[0] == token:
        return running[1]
    made = Stepper(*found.of(number), found.attributes, schema)
    made.restore(Kept(engine, held))
    return made


def _table(pa: Any, frame: Any, schema: Any, times: set[str]) -> Any:
    """The rows that Spark gives, in the types they had before pandas."""
    columns = []
    for field in schema:
        if field.name in times:
            columns.append(pa.array(frame[field.name], pa.int64(), from_pandas=True).cast(field.type))
        else:
            columns.append(pa.array(frame[field.name], field.type, from_pandas=True))
    return pa.table(columns, schema=schema)


def _late_rows(late: Any, attributes: tuple[str, ...]) -> Any:
    """Late events in the shape of detections: without a rule, and with all that they hold as their data."""
    import pandas as pd

    rows, others = late.to_pylist(), (*TIMES, "id", "type", "source", "sequence", SHARD)
    names = {f"a{place}": name for place, name in enumerate(attributes)}
    made = pd.DataFrame(
        {
            "id": [row["id"] for row in rows],
            "rule": None,
            "type": [row["type"] for row in rows],
            "start": [row.get("start") or row["time"] for row in rows],
            "time": [row["time"] for row in rows],
            "detected": [row["time"] for row in rows],
            "events": [[row["id"]] for row in rows],
            "data": [to_json({names.get(n, n): v for n, v in row.items() if n not in others}) for row in rows],
            "notification": None,
            "source": [row.get("source") or "" for row in rows],
            "stamp": None,
            "key": None,
            LATE: True,
        }
    )
    return made.astype({"rule": "object", "notification": "object", "stamp": "object", "key": "object"})
