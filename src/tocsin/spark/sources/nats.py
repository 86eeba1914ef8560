"""NATS JetStream as a source of Spark's: the numbers of messages in their stream are the offsets.

A range of numbers is read by a consumer that begins at the first and ends with the last, so a micro-batch that is
repeated after a crash has the same messages. Nothing is acknowledged: how far the pipeline has got is in its checkpoint
alone, and the stream keeps messages for as long as it was told to.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadLimit, ReadMaxRows, SupportsTriggerAvailableNow

from tocsin.errors import TocsinError
from tocsin.spark.sources.messages import ADDRESS, MOST_ROWS, SCHEMA, batch_of
from tocsin.transports.address import Address
from tocsin.transports.contract import Received
from tocsin.transports.nats import OPTIONS, asked_stream, subscribe
from tocsin.transports.unreachable import Unreachable, tried

FORMAT: Final = "tocsin-nats"
PART: Final = 50_000
"""Numbers that one task reads: a worker of its own begins for each, which takes a second or two."""
_WAITING: Final = 5.0
"""Seconds for messages that are there: then they are asked for again."""


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
        return asked_stream(self._address)

    # -- messages --------------------------------------------------------------------------------------------------

    def partitions(self, start: Mapping[str, int], end: Mapping[str, int]) -> Sequence[Numbers]:
        """The numbers in between, in parts."""
        first, last = start["sequence"] + 1, end["sequence"]
        if first > last:
            return []
        found = tried(self._stream, self._address.seconds("patience", OPTIONS), Unreachable)
        if found.state.first_seq > first and self._address.text("lost", OPTIONS) == "fail":
            raise TocsinError(
                f"{self._address}: messages {first} to {found.state.first_seq - 1} are gone before they were read: let"
                " the stream keep them longer; lost=go-on goes on without them"
            )
        name = found.config.name
        begin_at = max(first, found.state.first_seq)
        return [Numbers(name, begin, min(begin + PART - 1, last)) for begin in range(begin_at, last + 1, PART)]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The messages of a part."""
        assert isinstance(partition, Numbers)
        with subscribe(self._address, {"sequence": partition.first - 1}) as subscription:
            reached = partition.first - 1
            while reached < partition.last and subscription.lag():
                delivery = subscription.receive(_WAITING, MOST_ROWS)
                reached = delivery.position["sequence"]
                rows = [each for each in delivery.messages if number_of(each) <= partition.last]
                if rows:
                    yield batch_of(rows)


def number_of(message: Received) -> int:
    """The number of a message in its stream."""
    return int(message.place.rpartition("/")[2])
