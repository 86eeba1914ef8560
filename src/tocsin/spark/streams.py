"""Detection on a stream: the shards' states are in Spark's own state store, so that they, the offsets and the output
are committed together.

Spark leaves out late rows by itself, silently, where a column has a watermark. Ours has none: the watermark is taken
of the time column, and what reaches the shards is another column that is never late. A shard tells late events itself.
"""

from __future__ import annotations

import hashlib
import os
import warnings
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from pyspark.sql import functions as F
from pyspark.sql import types as T

from tocsin.algebra.codec import from_json
from tocsin.algebra.codec import to_json as program_json
from tocsin.algebra.rules import Order, Program
from tocsin.errors import SnapshotError, UsageError
from tocsin.planner.lanes import Lane
from tocsin.spark.arrow_bytes import from_bytes
from tocsin.spark.events import EventColumns
from tocsin.spark.packs import ROWS, SHARD, packed
from tocsin.spark.routes import HASHED, Routes, lane_routes
from tocsin.spark.rows import MOMENTS, SCHEMA, identified
from tocsin.spark.shard import Conditions
from tocsin.spark.shard_cache import CANDIDATE, LATE, VERSION, LiveShard, step
from tocsin.spark.steps import Stepper
from tocsin.stores.ledger import Ledger

COUNTED: Final = f"{SCHEMA}, {LATE} boolean, {VERSION} int, {CANDIDATE} boolean".replace("timestamp", "bigint")
"""The rows as they leave the shards. To pandas, a time would be an object of its own."""
STATE: Final = "routing string, token string, rules binary, ledger binary"
_CLOCK: Final = "never_late"
_NEVER_LATE: Final = 9_214_646_400_000_000
"""2262-01-01: the last year that pandas knows."""
MANY_TASKS: Final = 4
"""So many times as many tasks as shards are worth a word: each that has nothing to do costs some ten milliseconds."""
RECORD: Final = "count"
"""The file beside the shards' directories that tells how many there are."""
_MOST_SHARDS: Final = 2000
"""Numbers of shards that are tried to find the one that a state is of."""
_GRACE: Final = 999
_DELAY_KEY: Final = "spark.watermarkDelayMs"
"""How Spark marks the column that a watermark is taken of."""


def marked_early(frame: Any, columns: Mapping[str, str | None], order: Order, watermark: str | None) -> tuple[Any, str]:
    """A DataFrame with a watermark on its own column of times, if it has timestamps there; and which watermark that is.

    Everything passes the watermark. What comes after it is done with what is wanted alone: so it comes first. One that
    the DataFrame has already stays.
    """
    kinds = {field.name: field.dataType for field in frame.schema.fields}
    delays = {each.name: each.metadata[_DELAY_KEY] for each in frame.schema.fields if _DELAY_KEY in each.metadata}
    arrival, time = columns.get("arrival", "arrival"), columns.get("time", "time")
    name = arrival if order.policy != "guaranteed" and arrival in kinds else time
    for other, delay in delays.items():
        if other != name:
            raise UsageError(
                f"the stream has a watermark on {other!r}, and time is told by {name!r} here: say that it is the other"
                f" (columns={{'time': {other!r}}}), or put the watermark there, or leave it to watermark='...'"
            )
        if watermark is not None and delay_of(frame, watermark) != delay:
            raise UsageError(
                f"the stream has a watermark of its own on {name!r} ({delay / 1000:g} s), and watermark={watermark!r}"
                " is another: leave one of them out"
            )
    if delays:
        return frame, f"{delays[str(name)]} milliseconds"
    if watermark is None:
        raise UsageError("a stream needs a watermark: how long to wait for what comes late, watermark='10 seconds'")
    is_instant = isinstance(kinds.get(str(name)), T.TimestampType)
    quoted = "`" + str(name).replace("`", "``") + "`"  # it may have a dot
    return frame.withWatermark(quoted, watermark) if is_instant else frame, watermark


def marked(events: EventColumns, conditions: Conditions, watermark: str) -> EventColumns:
    """The events with a watermark of the times by which they are evaluated."""
    clock = clock_of(events, conditions)
    if _DELAY_KEY in events.frame.schema[clock].metadata:
        return events
    return replace(events, frame=events.frame.withWatermark(clock, watermark))


def delay_of(frame: Any, watermark: str) -> int:
    """How many milliseconds a text is, as Spark reads it."""
    some = frame.select(F.timestamp_micros(F.lit(0)).alias(_CLOCK)).withWatermark(_CLOCK, watermark)
    return int(some.schema[_CLOCK].metadata[_DELAY_KEY])


def grace_of(frame: Any, watermark: str) -> int:
    """Spark's watermark is in whole milliseconds, so that the last event may be less than one after it.

    Where it waits for late events, these are still to be expected then; where it does not, that event would wait for
    the next one.
    """
    return _GRACE if delay_of(frame, watermark) == 0 else 0


def clock_of(events: EventColumns, conditions: Conditions) -> str:
    """The column that time goes by."""
    return "time" if conditions.is_stable or "arrival" not in events.frame.columns else "arrival"


def tell_of_tasks(session: Any, shards: int) -> None:
    """Says so where every micro-batch will have many more tasks than there are shards, as it has unless that is set."""
    tasks = int(session.conf.get("spark.sql.shuffle.partitions", "200"))
    if tasks > MANY_TASKS * shards:
        told = (
            f"every micro-batch of this stream has {tasks} tasks for {shards} shards: set spark.sql.shuffle.partitions"
            f" to {shards} before it is started for the first time; its checkpoint keeps that"
        )
        warnings.warn(told, stacklevel=5)


def detected_in_stream(frame: Any, found: Routes, home: str | None = None) -> Any:
    """The detections on a stream of routed events, and its late events, which have no rule and `late` set.

    `home` is a directory for what is too large for the state store.
    """
    never = F.timestamp_micros(F.lit(_NEVER_LATE)).alias(_CLOCK, metadata={_DELAY_KEY: 0})
    run = ShardRunner(found, home)
    return identified(
        packed(frame, found)
        .select(SHARD, ROWS, never)
        .groupBy(SHARD)
        .applyInPandasWithState(run, COUNTED, STATE, "append", "EventTimeTimeout")
        .withColumns({name: F.timestamp_micros(name) for name in MOMENTS})
    )


def _fingerprint(found: Routes, place: int) -> str:
    """What must not change while a lane's states are kept: how events are spread, by which hash, and the order."""
    begun, conditions = found.lanes[place][0].placement, found.conditions[place]
    end = [*found.firsts[1:], found.count][place]
    text = repr([HASHED, begun.kind, begun.key, conditions.order, found.firsts[place], end])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _shards_of(saved: str, found: Routes, place: int) -> int | None:
    """With how many shards the same rules would have been spread as a state tells that was kept."""
    for count in range(1, _MOST_SHARDS):
        other = lane_routes(list(found.lanes), found.conditions[place], count, None)
        if _fingerprint(other, place) == saved:
            return count
    return None


def recorded_shards(home: str | None) -> int | None:
    """How many shards a stream has whose state is in a directory; None if it has not begun."""
    try:
        return None if home is None else int((Path(home) / RECORD).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def _record_shards(home: str, count: int) -> None:
    """Writes down how many shards there are, for those who go on: all of it or nothing."""
    path = Path(home) / RECORD
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{RECORD}.{uuid4().hex}")
        part.write_text(str(count), encoding="utf-8")
        os.replace(part, path)


class ShardRunner:
    """What Spark calls for every shard that has events, or whose time has come."""

    def __init__(self, found: Routes, home: str | None) -> None:
        self._found, self._home = found, home
        self._routing = [_fingerprint(found, place) for place in range(len(found.lanes))]
        self._query = uuid4().hex
        self._rules = [_written(lane) for lane in found.lanes]

    def __call__(self, key: tuple[int], frames: Iterator[Any], state: Any) -> Iterator[Any]:
        number = int(key[0])
        pieces = [] if state.hasTimedOut else [piece for frame in frames for piece in frame[ROWS]]
        token = state.get[1] if state.exists else None
        # Before the first watermark Spark says it is 0.
        reached = state.getCurrentWatermarkMs() * 1000 or None
        told = step(f"{self._query}/{number}", token, pieces, reached, partial(self._shard, number, state))
        place = self._found.place_of(number)
        state.update((self._routing[place], told.token, self._rules[place], told.ledger))
        if told.following is not None:
            state.setTimeoutTimestamp(max(told.following // 1000 + 1, state.getCurrentWatermarkMs() + 1))
        for piece in told.rows:
            yield from_bytes(piece).to_pandas()

    def _shard(self, number: int, state: Any) -> LiveShard:
        """The shard as it was left, and its ledger."""
        place, lane = self._found.place_of(number), self._found.lane_of(number)
        conditions = self._found.conditions[place]
        home = None if self._home is None else f"{self._home}/{number}"
        if not state.exists:
            if self._home is not None:
                _record_shards(self._home, self._found.shards)
            return LiveShard(Stepper(lane, conditions), Ledger(home))
        saved, _, rules, written = state.get
        if saved != self._routing[place]:
            raise SnapshotError(self._refusal(saved, place))
        ledger = Ledger.of(bytes(written), home)
        ledger.delete_abandoned()
        if bytes(rules) == self._rules[place]:
            return LiveShard(made_again(lane, conditions, ledger), ledger)
        # The steps were made under other rules: they are made again under those, and then the rules change.
        (before,) = (replace(lane[0].placement, program=program) for program in _read(bytes(rules)))
        old, made = made_again((replace(lane[0], placement=before),), conditions, ledger), Stepper(lane, conditions)
        ledger.begin(old.whole())
        made.restore(old.whole())
        return LiveShard(made, ledger)

    def _refusal(self, saved: str, place: int) -> str:
        count = _shards_of(saved, self._found, place)
        if count is not None:
            return (
                f"the checkpoint has {count} shards, and this query {self._found.shards}: go on with those"
                f" (shards={count}), or begin with a new checkpoint"
            )
        return (
            "the checkpoint is of another way to spread the events (other keys or another order):"
            " go on with those, or begin with a new checkpoint"
        )


def _written(lane: Lane) -> bytes:
    """The rules that a state is of, where nothing else tells: those of a lane with a history are kept beside it."""
    if len(lane) > 1 or lane[0].number:
        return b""
    return zlib.compress(program_json(lane[0].placement.program, "program").encode())


def _read(rules: bytes) -> list[Program]:
    if not rules:
        raise SnapshotError("the checkpoint is one of a pipeline whose rules have versions: go on with that pipeline")
    return [from_json(zlib.decompress(rules).decode(), Program, "program")]


def made_again(lane: Lane, conditions: Conditions, ledger: Ledger) -> Stepper:
    """The shard that a ledger tells of. What its steps find was told when they were made."""
    made = Stepper(lane, conditions)
    whole = ledger.whole()
    if whole is not None:
        made.restore(whole)
    for rows, watermark in ledger.steps():
        made.step(from_bytes(rows) if rows else None, watermark)
    return made
