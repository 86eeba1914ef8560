"""Messages of a broker as a stream of Spark's, and the events in them.

Whatever the broker, its messages are rows of SCHEMA. What is in them is read in Python, by the encoding: events, which
have the attributes as a text of JSON, and messages that hold none, with the reason.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from pyspark.sql import functions as F

from tocsin.encodings import Codec, Message
from tocsin.formats.clocks import InputClock
from tocsin.formats.intake import attributes, interval, text_field
from tocsin.formats.refused import Refused, shown
from tocsin.formats.writers import to_json
from tocsin.transports import Address, codec_for

SCHEMA: Final = "body binary, headers map<string,string>, place string, arrived timestamp"
"""`place` names a message where it names no event: by its number in the broker, where that has one."""
EVENTS: Final = (
    "type string, time timestamp, id string, source string, start timestamp, arrival timestamp, data string,"
    " reason string"
)
ADDRESS: Final = "secret.address"
"""The option that tells a reader its address. Spark shows no option of such a name."""
MOST_ROWS: Final = 4096
"""Messages that a worker hands over at a time."""


def arrow_schema() -> Any:
    """SCHEMA as Arrow has it."""
    import pyarrow as pa

    headers = pa.map_(pa.string(), pa.string())
    kinds = [("body", pa.binary()), ("headers", headers), ("place", pa.string())]
    return pa.schema([*kinds, ("arrived", pa.timestamp("us", "UTC"))])


def batch_of(rows: Sequence[tuple[bytes, Mapping[str, str], str, int]]) -> Any:
    """Messages as a record batch; arrivals are microseconds."""
    import pyarrow as pa

    schema = arrow_schema()
    bodies, headers, places, arrivals = zip(*rows, strict=True) if rows else ((), (), (), ())
    columns = (bodies, [list(each.items()) for each in headers], places, arrivals)
    return pa.record_batch(
        [pa.array(column, schema.field(place).type) for place, column in enumerate(columns)], schema=schema
    )


def decoded(frame: Any, address: Address, schema: str | None, with_arrival: bool) -> tuple[Any, Any]:
    """The events in a stream of messages, and the messages that hold none, in the shape of detections.

    `schema` names the attributes and their types, where they are known: then they need not travel as text.
    """
    read = frame.mapInArrow(decoder(address), EVENTS)
    good = read.filter(F.col("reason").isNull()).drop("reason")
    if not with_arrival:
        good = good.drop("arrival")
    if schema is not None:
        good = good.withColumn("data", F.from_json("data", schema))
    bad = read.filter(F.col("reason").isNotNull()).select("reason", "data", F.lit(False).alias("late"))
    return good, bad


def decoder(address: Address) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What Spark calls for the messages of a partition."""

    def decode(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        codec = codec_for(address)
        kind = pa.timestamp("us", "UTC")
        names = [each.split()[0] for each in EVENTS.split(", ")]
        kinds = [kind if each.endswith("timestamp") else pa.string() for each in EVENTS.split(", ")]
        for batch in batches:
            columns = [batch.column(name).to_pylist() for name in ("body", "headers", "place")]
            arrived = batch.column("arrived").cast(kind).cast(pa.int64()).to_pylist()
            rows = [_row(codec, *each) for each in zip(*columns, arrived, strict=True)]
            made = zip(*rows, strict=True) if rows else [()] * len(names)
            yield pa.record_batch([pa.array(c, k) for c, k in zip(made, kinds, strict=True)], names)

    return decode


def _row(
    codec: Codec, body: bytes, headers: list[tuple[str, str]] | None, place: str | None, arrived: int
) -> tuple[object, ...]:
    """A row of EVENTS. Without an id and a place, a message is called by what is in it."""
    try:
        record = codec.decode(Message(body or b"", dict(headers or ())))
        kind, clock = record.get("type"), InputClock()  # a message has none before it to learn from
        if type(kind) is not str or not kind:
            raise Refused("the event has no type" if kind is None else f"type is {shown(kind)}")
        if record.get("time") is None:
            raise Refused("the event has no time", expected="RFC 3339 text, seconds as a number, or [lo, hi]")
        start, end = interval(record, clock)
        data, _ = attributes(record)
        name = text_field(record, "id") or place or hashlib.sha256(body).hexdigest()[:24]
        given = record.get("arrival")
        arrival = arrived if given is None else clock.instant(given, "arrival")
        return (kind, end, name, text_field(record, "source") or "", start, arrival, to_json(data), None)
    except Refused as refused:
        reason = f"{refused.reason}, expected {refused.expected}" if refused.expected else refused.reason
        return (None, None, place, None, None, arrived, _shown(body), reason)


def _shown(body: bytes | None) -> str:
    """A body that could not be read, to be kept: as text, or as bytes in base 64."""
    try:
        return (body or b"").decode()
    except UnicodeDecodeError:
        return to_json({"base64": base64.b64encode(body or b"").decode()})
