"""Detection on a stream: the shards' states are in Spark's own state store, so that they, the offsets and the output
are committed together.

Spark leaves out late rows by itself, silently, where a column has a watermark. Ours has none: the watermark is taken
of the time column, and what reaches the shards is another column that is never late. A shard tells late events itself.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final
from uuid import uuid4

from pyspark.sql import functions as F

from tocsin.algebra.codec import from_json
from tocsin.algebra.codec import to_json as program_json
from tocsin.algebra.rules import Program
from tocsin.errors import SnapshotError, UsageError
from tocsin.formats.writers import to_json
from tocsin.planner.placement import Placement, is_searched
from tocsin.spark.events import TIMES, EventColumns
from tocsin.spark.framing import from_bytes, to_bytes
from tocsin.spark.ledger import Ledger
from tocsin.spark.packing import ROWS, SHARD, packed, unpacked
from tocsin.spark.routing import Routes
from tocsin.spark.rows import SCHEMA, row_batches
from tocsin.spark.shard import PREFIX, Conditions
from tocsin.spark.stepping import Stepper

STATE: Final = "routing string, token string, rules binary, ledger binary"
LATE: Final = "late"
_CLOCK: Final = "never_late"
_NEVER_LATE: Final = 9_214_646_400_000_000
"""2262-01-01: the last year that pandas knows."""
_DELAY_KEY: Final = "spark.watermarkDelayMs"
"""How Spark marks the column that a watermark is taken of."""

_MOST_RUNNING: Final = 64
_RUNNING: dict[tuple[str, int], tuple[str, Stepper, Ledger]] = {}
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


def detected_in_stream(frame: Any, found: Routes, home: str | None = None) -> Any:
    """The detections on a stream of routed events, and its late events, which have no rule and `late` set.

    `home` is a directory for what is too large for the state store.
    """
    never = F.timestamp_micros(F.lit(_NEVER_LATE)).alias(_CLOCK, metadata={_DELAY_KEY: 0})
    run = ShardRunner(found, home)
    return (
        packed(frame, found.attributes)
        .select(SHARD, ROWS, never)
        .groupBy(SHARD)
        .applyInPandasWithState(run, f"{ROWS} binary", STATE, "append", "EventTimeTimeout")
        .mapInArrow(_spread_out, f"{SCHEMA}, {LATE} boolean")
    )


def _spread_out(batches: Iterator[Any]) -> Iterator[Any]:
    """Pieces as rows again. They leave the shards as pieces because pandas would take its time for each row."""
    for batch in batches:
        for piece in batch[ROWS]:
            yield from from_bytes(piece.as_buffer()).to_batches()


def _fingerprint(found: Routes) -> str:
    """What must not change while a state is kept: how events are spread, and the order."""
    orders = [conditions.order for conditions in found.conditions]
    text = repr([[(p.kind, p.key) for p in found.placements], orders, found.firsts, found.count])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class ShardRunner:
    """What Spark calls for every shard that has events, or whose time has come."""

    def __init__(self, found: Routes, home: str | None) -> None:
        self._found, self._home, self._routing = found, home, _fingerprint(found)
        self._rules = [zlib.compress(program_json(each.program, "program").encode()) for each in found.placements]

    def __call__(self, key: tuple[int], frames: Iterator[Any], state: Any) -> Iterator[Any]:
        import pandas as pd
        import pyarrow as pa

        number = int(key[0])
        placement, _ = self._found.of(number)
        stepper, ledger = self._shard(number, state)
        arrived = None if state.hasTimedOut else unpacked(piece for frame in frames for piece in frame[ROWS])
        # Before the first watermark Spark says it is 0.
        reached = state.getCurrentWatermarkMs() * 1000 or None
        some, late = stepper.step(arrived, reached)
        ledger.note(b"" if arrived is None else to_bytes(arrived), reached, stepper.whole)
        token = uuid4().hex
        state.update((self._routing, token, self._rules[self._found.place_of(number)], ledger.to_bytes()))
        _remember((self._routing, number), token, stepper, ledger)
        following = stepper.next_moment()
        if following is not None:
            state.setTimeoutTimestamp(max(following // 1000 + 1, state.getCurrentWatermarkMs() + 1))
        tables = [_told(pa, rows) for each in some for rows in row_batches(pa, each, placement, stepper.shard.style)]
        if late is not None:
            tables.append(_late_rows(pa, late))
        if tables:
            yield pd.DataFrame({ROWS: [to_bytes(table) for table in tables]})

    def _shard(self, number: int, state: Any) -> tuple[Stepper, Ledger]:
        """The shard as it was left, and its ledger."""
        placement, conditions = self._found.of(number)
        home = None if self._home is None else f"{self._home}/{number}"
        if not state.exists:
            return Stepper(placement, conditions), Ledger(home)
        saved, token, rules, written = state.get
        if saved != self._routing:
            raise SnapshotError(
                "the checkpoint is of another way to spread the events (other keys, order or number of shards):"
                " go on with those, or begin with a new checkpoint"
            )
        running = _RUNNING.pop((self._routing, number), None)
        if running is not None and running[0] == token:
            return running[1], running[2]
        ledger = Ledger.of(bytes(written), home)
        ledger.delete_abandoned()
        if bytes(rules) == self._rules[self._found.place_of(number)]:
            return made_again(placement, conditions, ledger), ledger
        # The steps were made under other rules: they are made again under those, and then the rules change.
        before = from_json(zlib.decompress(bytes(rules)).decode(), Program, "program")
        old, made = made_again(replace(placement, program=before), conditions, ledger), Stepper(placement, conditions)
        ledger.begin(old.whole())
        made.restore(old.whole())
        return made, ledger


def made_again(placement: Placement, conditions: Conditions, ledger: Ledger) -> Stepper:
    """The shard that a ledger tells of. What its steps find was told when they were made."""
    made = Stepper(placement, conditions)
    whole = ledger.whole()
    if whole is not None:
        made.restore(whole)
    for rows, watermark in ledger.steps():
        made.step(from_bytes(rows) if rows else None, watermark)
    return made


def _remember(shard: tuple[str, int], token: str, stepper: Stepper, ledger: Ledger) -> None:
    while len(_RUNNING) >= _MOST_RUNNING:
        del _RUNNING[next(iter(_RUNNING))]
    _RUNNING[shard] = (token, stepper, ledger)


def _told(pa: Any, rows: Any) -> Any:
    """Detections, none of which is late."""
    return pa.Table.from_batches([rows]).append_column(LATE, pa.array([False] * rows.num_rows))


def _late_rows(pa: Any, late: Any) -> Any:
    """Late events in the shape of detections: without a rule, and with all that they hold as their data."""
    import pyarrow.compute as pc

    rows, others = late.to_pylist(), (*TIMES, "id", "type", "source", "sequence")
    data = [to_json({n.removeprefix(PREFIX): v for n, v in row.items() if n not in others}) for row in rows]
    columns = {
        "id": late["id"],
        "rule": None,
        "type": late["type"],
        "start": pc.coalesce(late["start"], late["time"]) if "start" in late.column_names else late["time"],
        "time": late["time"],
        "detected": late["time"],
        "events": [[row["id"]] for row in rows],
        "data": data,
        "notification": None,
        "source": [row.get("source") or "" for row in rows],
        "stamp": None,
        "key": None,
        LATE: [True] * len(rows),
    }
    kinds = {"rule": pa.string(), "notification": pa.string(), "stamp": pa.string(), "key": pa.string()}
    return pa.table(
        {name: pa.nulls(len(rows), kinds[name]) if each is None else each for name, each in columns.items()}
    )
