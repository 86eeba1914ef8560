"""What a micro-batch found, written to a pipeline's sinks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pyspark.sql import functions as F

from tocsin.encodings import Message
from tocsin.formats.instants import TimeStyle
from tocsin.pipelines.dead_letters import keep
from tocsin.pipelines.description import Sink
from tocsin.sinks import sink_of
from tocsin.spark.rows import MOMENTS
from tocsin.spark.shard_cache import VERSION
from tocsin.spark.sources.kafka import connection
from tocsin.transports import Address, codec_for

SHOWN: Final = 20
"""Detections of a micro-batch that the console shows."""
MESSAGES: Final = "key string, value binary, headers array<struct<key:string,value:binary>>"
_OUTCOME: Final = "taken bigint, retries bigint, dead bigint, first string"
_PARTS: Final = 2
"""Connections that a micro-batch is published by, at most."""


@dataclass(frozen=True)
class Published:
    """What became of a micro-batch's detections at a sink; `first` is why one was not taken."""

    taken: int = 0
    retries: int = 0
    dead: int = 0
    first: str | None = None


def write(found: Any, sink: Sink, number: int, checkpoint: str) -> Published | None:
    """Writes detections; what is told of it, where that is known."""
    if sink.format == "console":
        found.select("time", "rule", "events", "data").show(SHOWN, truncate=80)
    elif sink.address is None:
        found.write.mode("overwrite").format(sink.format).save(f"{sink.path}/batch={number}")
    elif sink.address.scheme == "kafka":
        made = _counted(found).mapInArrow(_encoder(sink.address), MESSAGES)
        writer = made.write.format("kafka").options(**connection(sink.address))
        writer.option("topic", sink.address.path).option("includeHeaders", "true").save()
    else:
        home = sink.address.options.get("dead_letters") or f"{checkpoint}/dead-letters"
        made = _counted(found).coalesce(_PARTS).mapInArrow(_publisher(sink.address, home, number), _OUTCOME)
        rows = made.collect()
        reasons = [row["first"] for row in rows if row["first"] is not None]
        totals = [sum(row[name] for row in rows) for name in ("taken", "retries", "dead")]
        return Published(totals[0], totals[1], totals[2], reasons[0] if reasons else None)
    return None


def _counted(found: Any) -> Any:
    """Detections with their times as microseconds, which Python knows of every year."""
    return found.withColumns({name: F.unix_micros(name) for name in MOMENTS})


def _encoder(address: Address) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def encode(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        kind = pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))
        for batch in batches:
            made = list(_messages(batch, address))
            headers = [[{"key": key, "value": value.encode()} for key, value in m.headers.items()] for m in made]
            columns = [pa.array([m.key for m in made], pa.string()), pa.array([m.body for m in made], pa.binary())]
            yield pa.record_batch([*columns, pa.array(headers, kind)], ["key", "value", "headers"])

    return encode


def _publisher(address: Address, home: str, number: int) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def publish(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa
        from pyspark import TaskContext

        messages = (message for batch in batches for message in _messages(batch, address))
        outcome = sink_of(address).publish(address, messages)
        context = TaskContext.get()
        keep(outcome.dead, Path(home), f"batch={number}-{0 if context is None else context.partitionId()}.jsonl")
        first = outcome.dead[0].reason if outcome.dead else None
        columns = {"taken": [outcome.taken], "retries": [outcome.retries], "dead": [len(outcome.dead)]}
        yield pa.record_batch({**columns, "first": pa.array([first], pa.string())})

    return publish


def _messages(batch: Any, address: Address) -> Iterator[Message]:
    codec = codec_for(address)
    style = TimeStyle(False)
    for row in batch.to_pylist():
        yield codec.encode(record_of(row, style))


def record_of(row: dict[str, Any], style: TimeStyle) -> dict[str, object]:
    """A row as the record that a line of `tocsin detect` is, and which version of the rules made it."""
    record: dict[str, object] = {"rule": row["rule"], "type": row["type"]}
    for name in MOMENTS:
        record[name] = style.text(row[name])
    record["events"], record["data"] = row["events"], json.loads(row["data"])
    if row["notification"] is not None:
        record["notification"] = row["notification"]
    record["id"] = row["id"]
    if row["source"]:
        record["source"] = row["source"]
    if row["stamp"] is not None:
        record["stamp"] = json.loads(row["stamp"])
    record |= {name: row[name] for name in ("severity", "tags", "suppressed") if row.get(name)}
    record[VERSION] = row[VERSION]
    return record
