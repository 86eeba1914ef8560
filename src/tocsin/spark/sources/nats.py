"""NATS JetStream as a source of Spark's: the numbers of messages in their stream are the offsets.

A range of numbers is read by a consumer that begins at the first and ends with the last, so a micro-batch that is
repeated after a crash has the same messages. Nothing is acknowledged: how far the pipeline has got is in its checkpoint
alone, and the stream keeps messages for as long as it was told to.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadLimit, ReadMaxRows, SupportsTriggerAvailableNow

from tocsin.errors import TocsinError
from tocsin.spark.sources.messages import ADDRESS, MOST_ROWS, SCHEMA, batch_of
from tocsin.transports.address import Address
from tocsin.transports.nats import OPTIONS, connected, library, stream_of
from tocsin.transports.unreachable import Unreachable, tried

FORMAT: Final = "tocsin-nats"
PART: Final = 50_000
"""Numbers that one task reads: a worker of its own begins for each, which takes a second or two."""
_NEXT: Final = "$JS.API.CONSUMER.MSG.NEXT"
_WAITING: Final = 5.0
"""Seconds for messages that are there: then the consumer is asked again."""


def messages(spark: Any, address: Address, checkpoint: str) -> Any:
    """The messages of a subject, as a stream."""
    spark.dataSource.register(NatsSource)
    return spark.readStream.format(FORMAT).option(ADDRESS, address.to_json()).load()


class NatsSource(DataSource):
    """What Spark asks for when a stream has this format."""

    @classmethod
    def name(cls) -> str:
        """The format."""
        return FORMAT

    def schema(self) -> str:
        """What its rows are."""
        return SCHEMA

    def streamReader(self, schema: Any) -> NatsReader:  # noqa: N802 - Spark's name
        """A reader."""
        return NatsReader(Address.of_json(self.options[ADDRESS]))


@dataclass
class Numbers(InputPartition):
    """Some messages of a stream, from a number to another, both included."""

    stream: str
    first: int
    last: int


class NatsReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """The stream's messages by their numbers. An offset is the number of the last message that was read."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._target: int | None = None
        self._unheard: float | None = None
        """Since when the broker has not answered."""

    # -- offsets ---------------------------------------------------------------------------------------------------

    def initialOffset(self) -> dict[str, int]:  # noqa: N802 - Spark's name
        """Before the first message that is there, or after the last."""
        found = self._stream()
        if self._address.text("start", OPTIONS) == "new":
            return {"sequence": found.state.last_seq}
        return {"sequence": max(found.state.first_seq - 1, 0)}

    def latestOffset(self, start: Mapping[str, int], limit: ReadLimit) -> dict[str, int]:  # noqa: N802 - Spark's name
        """As far as the stream has got, or as a micro-batch may go. While the broker is away, nothing is new."""
        last = self._last(start["sequence"])
        if last < start["sequence"]:
            raise TocsinError(
                f"{self._address}: the stream ends with message {last}, and {start['sequence']} was read: it was made"
                " anew; begin with a new checkpoint"
            )
        if self._target is not None:
            last = min(last, max(self._target, start["sequence"]))
        if isinstance(limit, ReadMaxRows):
            last = min(last, start["sequence"] + limit.max_rows)
        return {"sequence": last}

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802 - Spark's name
        """What a micro-batch has at most."""
        return ReadMaxRows(max(1, self._address.number("per_batch", OPTIONS)))

    def reportLatestOffset(self) -> dict[str, int] | None:  # noqa: N802 - Spark's name
        """How far the stream has got, for those who ask how far behind we are."""
        try:
            return {"sequence": self._stream().state.last_seq}
        except TocsinError:
            return None

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802 - Spark's name
        """From now on, what is there now is all."""
        self._target = self._stream().state.last_seq

    def _last(self, otherwise: int) -> int:
        try:
            last = int(self._stream().state.last_seq)
        except Unreachable:
            self._unheard = self._unheard or time.monotonic()
            if time.monotonic() - self._unheard > self._address.seconds("patience", OPTIONS):
                raise
            return otherwise
        self._unheard = None
        return last

    def _stream(self) -> Any:
        return asyncio.run(_asked(self._address))

    # -- messages --------------------------------------------------------------------------------------------------

    def partitions(self, start: Mapping[str, int], end: Mapping[str, int]) -> Sequence[Numbers]:
        """The numbers in between, in parts."""
        first, last = start["sequence"] + 1, end["sequence"]
        if first > last:
            return []
        found = _patiently(self._address, self._stream)
        if found.state.first_seq > first and self._address.text("lost", OPTIONS) == "fail":
            raise TocsinError(
                f"{self._address}: messages {first} to {found.state.first_seq - 1} are gone before they were read: let"
                " the stream keep them longer; lost=go-on goes on without them"
            )
        name = found.config.name
        return [Numbers(name, begin, min(begin + PART - 1, last)) for begin in range(first, last + 1, PART)]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The messages of a part, from wherever it was left when the broker went away."""
        assert isinstance(partition, Numbers)
        patience = self._address.seconds("patience", OPTIONS)
        following, heard, loop = partition.first, time.monotonic(), asyncio.new_event_loop()
        try:
            while following <= partition.last:
                chunks = _fetched(self._address, partition.stream, following, partition.last)
                try:
                    while True:
                        rows, following = loop.run_until_complete(anext(chunks))
                        heard = time.monotonic()
                        if rows:
                            yield batch_of(rows)
                except StopAsyncIteration:
                    break
                except Unreachable:
                    if time.monotonic() - heard > patience:
                        raise
                    time.sleep(0.5)
                finally:
                    loop.run_until_complete(chunks.aclose())
        finally:
            loop.close()


def _patiently(address: Address, ask: Any) -> Any:
    return tried(ask, address.seconds("patience", OPTIONS), Unreachable)


async def _asked(address: Address) -> Any:
    connection = await connected(address)
    try:
        return await stream_of(connection, address)
    finally:
        await connection.close()


class _Pulling:
    """Asks a consumer for messages, many at a time. The library's own way costs twice as much for each."""

    def __init__(self, connection: Any, subject: str) -> None:
        self._connection, self._subject = connection, subject
        self._inbox = connection.new_inbox()
        self._came: list[Any] = []
        self._wanted = 0
        self._done = asyncio.Event()

    @classmethod
    async def begun(cls, connection: Any, subject: str) -> _Pulling:
        """One that listens."""
        made = cls(connection, subject)
        await connection.subscribe(made._inbox, cb=made._take, pending_msgs_limit=2 * MOST_ROWS)
        return made

    async def _take(self, message: Any) -> None:
        if message.reply:  # what has none tells that there is no more
            self._came.append(message)
        if not message.reply or len(self._came) >= self._wanted:
            self._done.set()

    async def fetch(self, count: int) -> list[Any]:
        """So many messages, if they are there; at least one."""
        self._came, self._wanted = [], count
        self._done.clear()
        asked = json.dumps({"batch": count, "no_wait": True}).encode()
        await self._connection.publish(self._subject, asked, reply=self._inbox)
        await asyncio.wait_for(self._done.wait(), _WAITING)
        if not self._came:
            raise TimeoutError("the consumer has no messages, though it said so")
        return self._came


async def _fetched(
    address: Address, stream: str, first: int, last: int
) -> AsyncGenerator[tuple[list[tuple[bytes, dict[str, str], str, int]], int], None]:
    """The messages from one number to another, some at a time, each time with the number that comes next."""
    nats = library()
    api = nats.js.api
    connection = await connected(address)
    try:
        context = connection.jetstream()
        config = api.ConsumerConfig(
            deliver_policy=api.DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=first,
            ack_policy=api.AckPolicy.NONE,
            filter_subject=address.path,
            inactive_threshold=60.0,
            mem_storage=True,
        )
        made = await context.add_consumer(stream, config)
        pulled = await _Pulling.begun(connection, f"{_NEXT}.{stream}.{made.name}")
        left = made.num_pending
        while left:
            found = await pulled.fetch(min(left, MOST_ROWS))
            rows = []
            for each in found:
                told = each.metadata
                if told.sequence.stream <= last:
                    arrived = round(told.timestamp.timestamp() * 1e6)
                    rows.append((each.data, each.headers or {}, f"{stream}/{told.sequence.stream}", arrived))
            reached = found[-1].metadata
            left = 0 if reached.sequence.stream >= last else reached.num_pending
            yield rows, reached.sequence.stream + 1
    except (OSError, TimeoutError, nats.errors.Error) as error:
        raise Unreachable(f"{address}: NATS has gone away: {error or type(error).__name__}") from None
    finally:
        await connection.close()
