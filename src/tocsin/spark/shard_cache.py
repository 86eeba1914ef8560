"""The shards of streams that this worker has, and one step of one of them: here, or in the worker that has it.

Every state that is written has a token of its own, so that a shard whose last step was never committed, or that is of
another query, is not taken for the one that is stored.
"""

from __future__ import annotations

import os
import struct
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final
from uuid import uuid4

from tocsin.formats.writers import to_json
from tocsin.planner.lanes import Stage
from tocsin.spark import hosts
from tocsin.spark.arrow_bytes import to_bytes
from tocsin.spark.events import TIMES
from tocsin.spark.packs import unpacked
from tocsin.spark.rows import MOMENTS, row_batches
from tocsin.spark.shard import PREFIX
from tocsin.spark.steps import Stepper
from tocsin.stores.ledger import Ledger

LATE: Final = "late"
VERSION: Final = "version"
CANDIDATE: Final = "candidate"
_MOST: Final = 64
_NONE: Final = -(2**63)
_TIME: Final = struct.Struct("<q")


@dataclass
class LiveShard:
    """A shard at work. `token` names the state that it is in."""

    stepper: Stepper
    ledger: Ledger
    token: str = ""


@dataclass(frozen=True)
class Told:
    """What came of a step: what to keep, when to come again, and rows of detections and late events, as pieces."""

    token: str
    ledger: bytes
    following: int | None
    rows: list[bytes]


_RUNNING: dict[str, LiveShard] = {}
"""The shards that this process has worked on, the last ones, by the names of their queries and numbers."""
_LOCK: Final = threading.Lock()
"""One step at a time: this worker's own, or one that another asks for."""


def step(
    shard: str, token: str | None, pieces: list[bytes], watermark: int | None, made: Callable[[], LiveShard]
) -> Told:
    """A step of a shard, which is `made` again where no worker has it in the state of that token."""
    hosts.host(_answer)
    told = None
    if token is not None:
        owner = int(token.rpartition(".")[2])
        if owner == os.getpid():
            told = _step_here(shard, token, pieces, watermark)
        else:
            told = _read(hosts.ask(owner, [shard.encode(), token.encode(), _packed(watermark), *pieces]))
    if told is None:
        running = made()
        with _LOCK:
            told = _stepped(shard, running, pieces, watermark)
    return told


def _step_here(shard: str, token: str, pieces: Iterable[bytes], watermark: int | None) -> Told | None:
    """A step of a shard that this process has; None if it does not have that one."""
    with _LOCK:
        running = _RUNNING.get(shard)
        return None if running is None or running.token != token else _stepped(shard, running, pieces, watermark)


def _stepped(shard: str, running: LiveShard, pieces: Iterable[bytes], watermark: int | None) -> Told:
    import pyarrow as pa

    _RUNNING.pop(shard, None)  # should this fail, what is left is in no state that is known
    stepper = running.stepper
    arrived = unpacked(pieces)
    before = (stepper.refused, stepper.repeated)
    some, late = stepper.step(arrived, watermark)
    refused, repeated = (now - then for now, then in zip((stepper.refused, stepper.repeated), before, strict=True))
    running.ledger.note(b"" if arrived is None else to_bytes(arrived), watermark, stepper.whole)
    tables = []
    for stage, mine in groupby(some, key=itemgetter(0)):
        batches = row_batches(pa, (found for _, found in mine), stage.placement, stepper.shard.style)
        tables += [_on_time(pa, rows, stage) for rows in batches]
    if late is not None:
        tables.append(_late_rows(pa, late))
    if refused > 0 or repeated > 0:
        tables.append(_note(pa, max(refused, 0), max(repeated, 0)))
    running.token = f"{uuid4().hex}.{os.getpid()}"
    _remember(shard, running)
    rows = [to_bytes(_counted(pa, table)) for table in tables]
    return Told(running.token, running.ledger.to_bytes(), stepper.next_moment(), rows)


def _remember(shard: str, running: LiveShard) -> None:
    while len(_RUNNING) >= _MOST:
        del _RUNNING[next(iter(_RUNNING))]
    _RUNNING[shard] = running


def forget() -> None:
    """Lets go of all shards: those that come again are made again."""
    with _LOCK:
        _RUNNING.clear()


# -- between workers --------------------------------------------------------------------------------------------


def _answer(question: list[bytes]) -> list[bytes] | None:
    shard, token, watermark, *pieces = question
    # Should this fail, the connection breaks: whoever asked makes the shard again, and says what is wrong with it.
    told = _step_here(shard.decode(), token.decode(), pieces, _unpacked(watermark))
    if told is None:
        return None
    return [told.token.encode(), told.ledger, _packed(told.following), *told.rows]


def _read(answer: list[bytes] | None) -> Told | None:
    if answer is None:
        return None
    token, ledger, following, *rows = answer
    return Told(token.decode(), ledger, _unpacked(following), rows)


def _packed(time: int | None) -> bytes:
    return _TIME.pack(_NONE if time is None else time)


def _unpacked(data: bytes) -> int | None:
    (time,) = _TIME.unpack(data)
    return None if time == _NONE else time


# -- rows -------------------------------------------------------------------------------------------------------


def _on_time(pa: Any, rows: Any, stage: Stage) -> Any:
    """Detections, none of which is late, and which rules have made them."""
    table, count = pa.Table.from_batches([rows]), rows.num_rows
    table = table.append_column(LATE, pa.array([False] * count))
    table = table.append_column(VERSION, pa.array([stage.number] * count, pa.int32()))
    return table.append_column(CANDIDATE, pa.array([stage.is_candidate] * count))


def _counted(pa: Any, table: Any) -> Any:
    """A table with its times as counts of microseconds."""
    fields = [pa.field(f.name, pa.int64() if pa.types.is_timestamp(f.type) else f.type) for f in table.schema]
    return table.cast(pa.schema(fields))


def _note(pa: Any, refused: int, repeated: int) -> Any:
    """A row that is neither a detection nor an event: `late` holds nothing, and the data what was counted."""
    counted = to_json({"refused": refused, "repeated": repeated})
    texts = dict.fromkeys(("id", "rule", "type", "notification", "source", "stamp", "key", "severity"))
    columns: dict[str, Any] = {name: pa.nulls(1, pa.string()) for name in texts} | {"data": pa.array([counted])}
    columns |= {name: pa.array([0], pa.timestamp("us", "UTC")) for name in MOMENTS}
    columns |= {"tags": pa.nulls(1, pa.list_(pa.string())), "suppressed": pa.nulls(1, pa.int32())}
    columns |= {"events": pa.nulls(1, pa.list_(pa.string())), LATE: pa.nulls(1, pa.bool_())}
    columns |= {VERSION: pa.nulls(1, pa.int32()), CANDIDATE: pa.array([False])}
    return pa.table(columns)


def _late_rows(pa: Any, late: Any) -> Any:
    """Late events in the shape of detections: without a rule, and with all that they hold as their data."""
    import pyarrow.compute as pc

    rows, others = late.to_pylist(), (*TIMES, "id", "type", "source", "sequence")
    data = [to_json({n.removeprefix(PREFIX): v for n, v in row.items() if n not in others}) for row in rows]
    columns = {
        "id": late["id"].cast("string"),
        "rule": None,
        "type": late["type"].cast("string"),
        "start": pc.coalesce(late["start"], late["time"]) if "start" in late.column_names else late["time"],
        "time": late["time"],
        "detected": late["time"],
        "events": [[str(row["id"])] for row in rows],
        "data": data,
        "notification": None,
        "source": [row.get("source") or "" for row in rows],
        "stamp": None,
        "key": None,
        "severity": None,
        "tags": None,
        "suppressed": None,
        LATE: [True] * len(rows),
        VERSION: None,
        CANDIDATE: [False] * len(rows),
    }
    kinds = {"rule": pa.string(), "notification": pa.string(), "stamp": pa.string(), "key": pa.string()}
    kinds |= {"severity": pa.string(), "tags": pa.list_(pa.string()), "suppressed": pa.int32(), VERSION: pa.int32()}
    return pa.table(
        {name: pa.nulls(len(rows), kinds[name]) if each is None else each for name, each in columns.items()}
    )
