"""MQTT as a source of Spark's: what comes is written to a journal, and then acknowledged.

A broker of MQTT keeps what a session has not acknowledged, and numbers nothing. So a thread beside the query receives,
writes to the journal in the checkpoint, and acknowledges what lasts there; the numbers of messages in the journal are
the offsets. A message that was written, but whose acknowledgement was lost in a crash, comes again: then it is there
twice, and as an event with a source and an id it counts once.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadLimit, ReadMaxRows, SupportsTriggerAvailableNow

from tocsin.errors import UsageError
from tocsin.spark.sources.messages import ADDRESS, MOST_ROWS, SCHEMA, batch_of
from tocsin.stores.journal import Journal, Reading, length_of, parts_of, rows_of
from tocsin.transports.address import Address
from tocsin.transports.contract import Subscription
from tocsin.transports.mqtt import OPTIONS, subscribe
from tocsin.transports.unreachable import Unreachable, probe

FORMAT: Final = "tocsin-mqtt"
_JOURNAL: Final = "journal"
SUBSCRIBED: Final = "subscribed"
"""A file in the journal's directory: the broker has our subscription."""
_MOST: Final = 5000
"""Messages that are written at a time."""
_TAKEOVER: Final = 10.0
"""Seconds for a receiver before us, whose query was killed, to be gone."""


def messages(spark: Any, address: Address, checkpoint: str) -> Any:
    """The messages of a topic, as a stream."""
    if "://" in checkpoint:
        raise UsageError(f"{address}: what MQTT brings is kept in the checkpoint, which must be a directory of files")
    spark.dataSource.register(MqttSource)
    home = f"{checkpoint}/{_JOURNAL}"
    return spark.readStream.format(FORMAT).option(ADDRESS, address.to_json()).option(_JOURNAL, home).load()


class MqttSource(DataSource):
    """What Spark asks for when a stream has this format."""

    @classmethod
    def name(cls) -> str:
        """The format."""
        return FORMAT

    def schema(self) -> str:
        """What its rows are."""
        return SCHEMA

    def streamReader(self, schema: Any) -> MqttReader:  # noqa: N802 - Spark's name
        """A reader."""
        return MqttReader(Address.of_json(self.options[ADDRESS]), self.options[_JOURNAL])


@dataclass
class Part(InputPartition):
    """Some messages of a journal, from a number to another, which is not included."""

    first: int
    last: int


class MqttReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """The messages in the journal. Of several readers of one journal, one receives."""

    def __init__(self, address: Address, home: str) -> None:
        self._address, self._home = address, home
        self._target: int | None = None

    def __getstate__(self) -> dict[str, Any]:
        """What goes to the workers that read: they receive nothing."""
        return {"_address": self._address, "_home": self._home, "_target": None}

    # -- offsets ---------------------------------------------------------------------------------------------------

    def initialOffset(self) -> dict[str, int]:  # noqa: N802 - Spark's name
        """The beginning of the journal."""
        return {"message": 0}

    def latestOffset(self, start: Mapping[str, int], limit: ReadLimit) -> dict[str, int]:  # noqa: N802 - Spark's name
        """As far as the journal has got, or as a micro-batch may go."""
        last = self._length()
        if self._target is not None:
            last = min(last, max(self._target, start["message"]))
        if isinstance(limit, ReadMaxRows):
            last = min(last, start["message"] + limit.max_rows)
        return {"message": max(last, start["message"])}

    def getDefaultReadLimit(self) -> ReadLimit:  # noqa: N802 - Spark's name
        """What a micro-batch has at most."""
        return ReadMaxRows(max(1, self._address.number("per_batch", OPTIONS)))

    def reportLatestOffset(self) -> dict[str, int]:  # noqa: N802 - Spark's name
        """How far the journal has got."""
        return {"message": self._length()}

    def prepareForTriggerAvailableNow(self) -> None:  # noqa: N802 - Spark's name
        """Waits until nothing comes any more: then what has come is all."""
        quiet = self._address.seconds("quiet", OPTIONS)
        length, since = self._length(), time.monotonic()
        while not _receiver(self._address, self._home).is_receiving and time.monotonic() - since < _TAKEOVER:
            time.sleep(0.05)
            length = self._length()
        since = time.monotonic()
        while time.monotonic() - since < quiet:
            time.sleep(min(0.1, quiet))
            now = self._length()
            if now != length:
                length, since = now, time.monotonic()
        self._target = length

    def _length(self) -> int:
        """How far the journal has got. The first reader that may receive does so from now on."""
        return _receiver(self._address, self._home).length()

    # -- messages --------------------------------------------------------------------------------------------------

    def partitions(self, start: Mapping[str, int], end: Mapping[str, int]) -> Sequence[Part]:
        """The messages in between, file by file."""
        first, last = start["message"], end["message"]
        return [Part(*each) for each in parts_of(self._home, first, last)] if first < last else []

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The messages of a part. They have no places: one that came twice has two."""
        assert isinstance(partition, Part)
        rows: list[tuple[bytes, dict[str, str], str, int]] = []
        for body, headers, arrived in rows_of(self._home, partition.first, partition.last):
            rows.append((body, headers, "", arrived))
            if len(rows) >= MOST_ROWS:
                yield batch_of(rows)
                rows = []
        if rows:
            yield batch_of(rows)

    def commit(self, end: Mapping[str, int]) -> None:
        """What lies before is not asked for again."""
        _receiver(self._address, self._home).mark(end["message"])

    def stop(self) -> None:
        """Receives no more."""
        found = _RECEIVERS.pop(self._home, None)
        if found is not None:
            found.stop()


# -- receiving --------------------------------------------------------------------------------------------------

_RECEIVERS: dict[str, Receiver] = {}
"""The receivers of this process, by their journals."""


def _receiver(address: Address, home: str) -> Receiver:
    if home not in _RECEIVERS:
        _RECEIVERS[home] = Receiver(address, home)
    return _RECEIVERS[home]


class Receiver:
    """A session with a broker whose messages go to a journal; or, while another has the journal, its length alone."""

    def __init__(self, address: Address, home: str) -> None:
        self._address, self._home = address, home
        self._journal, self._reading = Journal(home), Reading(home)
        self._subscription: Subscription | None = None
        self._writing: threading.Thread | None = None
        self._failure: BaseException | None = None
        self._unheard: float | None = None
        self._is_over = False

    @property
    def is_receiving(self) -> bool:
        """Whether it is this one that receives."""
        return self._subscription is not None

    def length(self) -> int:
        """How far the journal has got."""
        if self._failure is not None:
            raise self._failure
        if self._subscription is None and not self._begin():
            return length_of(self._home)
        return self._journal.count

    def mark(self, position: int) -> None:
        """All before it has been dealt with."""
        self._reading.mark(position)
        if self._subscription is not None:
            self._journal.delete_read()

    def _begin(self) -> bool:
        """Receives from now on, if no other does and the broker is there; if it was once, it may be away for a time."""
        if not self._journal.acquire():
            return False
        try:
            probe(self._address)  # who asks for the length does not wait for a broker that is away
            self._subscription = subscribe(self._address, None, session_name(self._home))
        except Unreachable:
            self._unheard = self._unheard or time.monotonic()
            if time.monotonic() - self._unheard > self._address.seconds("patience", OPTIONS):
                raise
            return False
        # From now on the broker keeps what comes for us: whoever wants nothing to be missed can wait for this.
        Path(self._home, SUBSCRIBED).touch()
        self._writing = threading.Thread(target=self._write, name="tocsin-journal", daemon=True)
        self._writing.start()
        return True

    def _write(self) -> None:
        """Writes what came, all that there is at a time, and then acknowledges it."""
        assert self._subscription is not None
        try:
            while not self._is_over:
                delivery = self._subscription.receive(0.2, _MOST)
                if delivery:
                    self._journal.append([(each.body, dict(each.headers), each.arrived) for each in delivery.messages])
                    self._subscription.acknowledge(delivery.position)
        except BaseException as failure:  # noqa: BLE001 - whatever it is, the query must learn of it
            self._failure = failure

    def stop(self) -> None:
        """Ends the connection; the broker keeps the session."""
        self._is_over = True
        if self._writing is not None:
            self._writing.join()
        if self._subscription is not None:
            self._subscription.close()
        self._reading.close()
        self._journal.close()


def session_name(home: str) -> str:
    """The name of the session of a journal: the same after every restart."""
    return f"tocsin-{hashlib.sha256(str(Path(home).resolve()).encode()).hexdigest()[:16]}"
