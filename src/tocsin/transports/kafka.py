"""Kafka: topics, whose partitions number their messages. On Spark its own connector reads and writes them.

Partitions are assigned by ourselves, so nothing is spread anew when someone comes or goes; a name is a consumer group,
which remembers what was acknowledged. Keys and values are a compacted topic, read from its beginning.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any, Final
from uuid import uuid4

from tocsin.encodings import Message
from tocsin.errors import MissingDependency, TocsinError, UsageError
from tocsin.transports.address import ALL, SOURCE, Address, Option
from tocsin.transports.contract import (
    MOST,
    Delivery,
    Entry,
    KeyValue,
    Lost,
    Outcome,
    Position,
    Publisher,
    Received,
    Subscription,
    checked_key,
)
from tocsin.transports.unreachable import Unreachable, probe, tried

SCHEMES: Final = {"kafka": 9092}
PREFIX: Final = "ce_"
USES: Final = ALL
HAS_OPTIONS: Final = True
REPLAYS: Final = True
OPTIONS: Final[Mapping[str, Option]] = {
    "group": Option("the consumer group that the broker sees", uses=(SOURCE,)),
    "start": Option("where a new checkpoint begins", "first", "first|new", (SOURCE,)),
    "per_batch": Option("messages of a micro-batch, at most", "500000", "number", (SOURCE,)),
    "lost": Option("what happens if messages are gone before they were read", "fail", "fail|go-on", (SOURCE,)),
    "security": Option("Kafka's security.protocol", None, "PLAINTEXT|SSL|SASL_PLAINTEXT|SASL_SSL"),
    "ca": Option("a file with the certificates that are trusted, for SSL; not on Spark"),
    "patience": Option("how long a broker that has gone is waited for; not on Spark", "2 min", "span"),
    "connector": Option("the version of Spark's connector, if not that of Spark"),
}
_TOPIC: Final = re.compile(r"[A-Za-z0-9._-]{1,249}")
_ANSWER: Final = 10.0
_AGAIN: Final = 30.0
"""Seconds after which it is looked whether the topic has more partitions."""
_QUEUED: Final = 100_000
"""Messages that the client library holds before it sends them."""


def check(address: Address, use: str) -> None:
    """Whether the path is a topic, and somebody answers."""
    if not _TOPIC.fullmatch(address.path):
        raise UsageError(f"{address}: {address.path!r} is no topic: kafka://HOST:9092/TOPIC")
    probe(address)


def library() -> Any:
    """The client library."""
    try:
        import confluent_kafka
    except ImportError:
        raise MissingDependency("confluent-kafka", "brokers") from None
    return confluent_kafka


def subscribe(address: Address, start: Position | None = None, name: str = "") -> Subscription:
    """The messages of all partitions of a topic."""
    return _Subscription(address, start, name)


def publisher(address: Address) -> Publisher:
    """Messages to a topic; those of one key to one partition. What is sent again by the library is there once."""
    return _Publisher(address)


def key_value(address: Address) -> KeyValue:
    """The values of a topic, which is made, with one partition, if it is not there."""
    return _KeyValue(address)


def client_settings(address: Address) -> dict[str, Any]:
    """What every client has to know."""
    made: dict[str, Any] = {"bootstrap.servers": address.servers, "log_level": 0}
    protocol = address.options.get("security")
    if address.user is not None:
        protocol = protocol or "SASL_PLAINTEXT"
        made |= {"sasl.mechanism": "PLAIN", "sasl.username": address.user, "sasl.password": address.password or ""}
    if protocol is not None:
        made["security.protocol"] = protocol
    if "ca" in address.options:
        made["ssl.ca.location"] = address.options["ca"]
    return made


def _answer(address: Address) -> float:
    """Seconds for an answer."""
    return min(max(address.seconds("patience", OPTIONS), 0.5), _ANSWER)


def _unreachable(address: Address, error: object) -> Unreachable:
    return Unreachable(f"{address}: Kafka does not answer: {error}")


def _partitions(client: Any, address: Address) -> list[int]:
    """The partitions of the topic; it is made by asking for it, where the broker does that."""
    kafka = library()

    def asked() -> list[int]:
        try:
            found = client.list_topics(address.path, timeout=_answer(address)).topics[address.path]
        except kafka.KafkaException as error:
            raise _unreachable(address, error.args[0].str()) from None
        if found.error is not None or not found.partitions:
            raise Unreachable(f"{address}: there is no topic {address.path!r}: {found.error}")
        return sorted(found.partitions)

    return tried(asked, _answer(address), Unreachable)


class _Subscription(Subscription):
    def __init__(self, address: Address, start: Position | None, name: str) -> None:
        kafka = library()
        self._address, self._is_closed, self._topic = address, False, address.path
        self._name = address.options.get("group") or name
        self._patience = address.seconds("patience", OPTIONS)
        is_strict = address.text("lost", OPTIONS) == "fail"
        settings = {
            "group.id": self._name or f"tocsin-{uuid4().hex}",
            "enable.auto.commit": False,
            "auto.offset.reset": "error" if is_strict else "earliest",
            "allow.auto.create.topics": True,
            "enable.partition.eof": False,
            "fetch.wait.max.ms": 100,
        }
        self._consumer = kafka.Consumer(client_settings(address) | settings)
        self._next: dict[str, int] = {}
        self._unheard: float | None = None
        try:
            self._assign(dict(start or {}), is_start=start is None)
        except BaseException:
            self._consumer.close()
            raise

    def receive(self, seconds: float, most: int = MOST) -> Delivery:
        until = time.monotonic() + seconds
        some: list[Received] = []
        while not some and not self._is_closed:
            first = self._consumer.poll(min(max(until - time.monotonic(), 0.0), 1.0))
            if first is not None:
                rest = self._consumer.consume(most - 1, 0) if most > 1 else []
                some = [made for each in (first, *rest) if (made := self._received(each)) is not None]
            if time.monotonic() >= until:
                break
            if not some and time.monotonic() - self._looked > _AGAIN:
                self._assign(self._next, is_start=False)
        return Delivery(some, dict(self._next))

    def acknowledge(self, position: Position) -> None:
        if not self._name:
            return
        kafka = library()
        told = [kafka.TopicPartition(self._topic, int(each), number) for each, number in position.items()]
        try:
            self._consumer.commit(offsets=told, asynchronous=False)
        except kafka.KafkaException as error:
            raise _unreachable(self._address, error.args[0].str()) from None

    def lag(self) -> int:
        """As far as the last answers of the broker tell."""
        kafka, found = library(), 0
        for each, number in self._next.items():
            try:
                _, high = self._consumer.get_watermark_offsets(
                    kafka.TopicPartition(self._topic, int(each)), timeout=_ANSWER
                )
            except kafka.KafkaException as error:
                raise _unreachable(self._address, error.args[0].str()) from None
            found += max(high - number, 0)
        return found

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._consumer.close()

    def _received(self, message: Any) -> Received | None:
        error = message.error()
        if error is not None:
            self._failed(error)
            return None
        self._unheard = None
        partition, offset = message.partition(), message.offset()
        self._next[str(partition)] = offset + 1
        told = message.headers()
        headers = {name: (value or b"").decode(errors="replace") for name, value in told} if told else {}
        place = f"{self._topic}/{partition}/{offset}"
        return Received(message.value() or b"", headers, place, message.timestamp()[1] * 1000)

    def _failed(self, error: Any) -> None:
        kinds = library().KafkaError
        if error.code() in (kinds._AUTO_OFFSET_RESET, kinds.OFFSET_OUT_OF_RANGE):
            raise Lost(
                f"{self._address}: messages are gone before they were read ({error.str()}): let the topic keep them"
                " longer; lost=go-on goes on without them"
            )
        if error.code() in (kinds._ALL_BROKERS_DOWN, kinds._TRANSPORT, kinds._RESOLVE):
            self._unheard = self._unheard or time.monotonic()
            if time.monotonic() - self._unheard > self._patience:
                raise _unreachable(self._address, error.str())
        elif error.fatal() or not error.retriable():
            raise TocsinError(f"{self._address}: {error.str()}")

    def _assign(self, known: Position, is_start: bool) -> None:
        """Reads all partitions: those that are known from there on, others from where the address says."""
        kafka, self._looked = library(), time.monotonic()
        partitions = _partitions(self._consumer, self._address)
        if not is_start and set(map(str, partitions)) == set(self._next):
            return
        wanted = [kafka.TopicPartition(self._topic, each) for each in partitions]
        begin = {str(each): self._beginning(each, is_start) for each in partitions if str(each) not in known}
        if is_start and self._name:
            for each in tried(lambda: self._consumer.committed(wanted, _ANSWER), _ANSWER, kafka.KafkaException):
                if each.offset >= 0:
                    begin[str(each.partition)] = each.offset
        self._next = {**begin, **known}
        self._consumer.assign([kafka.TopicPartition(self._topic, int(each), at) for each, at in self._next.items()])

    def _beginning(self, partition: int, is_start: bool) -> int:
        """Where a partition begins, or ends. Of one that is new since we began, nothing is left out."""
        kafka = library()
        place = kafka.TopicPartition(self._topic, partition)
        low, high = tried(
            lambda: self._consumer.get_watermark_offsets(place, timeout=_ANSWER), _ANSWER, kafka.KafkaException
        )
        return int(high if is_start and self._address.text("start", OPTIONS) == "new" else low)


class _Publisher(Publisher):
    def __init__(self, address: Address) -> None:
        self._address = address
        patience = address.seconds("patience", OPTIONS)
        settings = {
            "enable.idempotence": True,
            "linger.ms": 5,
            "queue.buffering.max.messages": _QUEUED,
            "message.timeout.ms": max(round(patience * 1000), 1000),
        }
        self._producer = library().Producer(client_settings(address) | settings)
        self._taken, self._failure = 0, ""

    def publish(self, message: Message) -> None:
        headers = [(name, value.encode()) for name, value in message.headers.items()]
        while True:
            try:
                self._producer.produce(
                    self._address.path,
                    message.body,
                    message.key.encode() or None,
                    headers=headers or None,
                    on_delivery=self._answer,
                )
                self._producer.poll(0)
                return
            except BufferError:  # the library holds as many as it may
                self._producer.poll(0.1)

    def flush(self) -> Outcome:
        while self._producer.flush(1.0):
            pass
        if self._failure:
            raise _unreachable(self._address, self._failure)
        taken, self._taken = self._taken, 0
        return Outcome(taken)

    def close(self) -> None:
        self._producer.purge()
        self._producer.flush(1.0)

    def _answer(self, error: Any, message: Any) -> None:
        if error is None:
            self._taken += 1
        else:
            self._failure = self._failure or error.str()


class _KeyValue(KeyValue):
    """A mirror of the topic. A revision is an offset, from 1; before an answer, all that is there is read."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._made_topic()
        self._publisher = _Publisher(address)
        self._reader = _Subscription(
            Address(address.scheme, address.hosts, address.path, {}, address.user, address.password, address.url),
            {"0": 0},
            "",
        )
        self._entries: dict[str, Entry] = {}
        self._changed: dict[str, Entry] = {}
        self._is_first = True

    def get(self, key: str) -> Entry | None:
        checked_key(key)
        self._read()
        found = self._entries.get(key)
        return None if found is None or found.value is None else found

    def put(self, key: str, value: bytes) -> int:
        return self._put(checked_key(key), b"=" + value)

    def delete(self, key: str) -> None:
        if self.get(key) is not None:
            self._put(key, b"")

    def keys(self) -> list[str]:
        self._read()
        return sorted(key for key, entry in self._entries.items() if entry.value is not None)

    def changes(self, seconds: float) -> list[Entry]:
        self._read()
        if self._is_first:
            self._changed = {key: entry for key, entry in self._changed.items() if entry.value is not None}
            self._is_first = False
        if not self._changed:
            self._note(self._reader.receive(seconds))
        found, self._changed = self._changed, {}
        return sorted(found.values(), key=lambda entry: entry.revision)

    def close(self) -> None:
        self._publisher.close()
        self._reader.close()

    def _put(self, key: str, value: bytes) -> int:
        self._publisher.publish(Message(value, {"key": key}, key))
        self._publisher.flush()
        self._read()
        return self._entries[key].revision

    def _read(self) -> None:
        """Reads on to what is the end now."""
        while self._reader.lag():
            self._note(self._reader.receive(1.0))

    def _note(self, delivery: Delivery) -> None:
        for each in delivery.messages:
            key, revision = each.headers.get("key", ""), int(each.place.rpartition("/")[2]) + 1
            value = each.body[1:] if each.body else None
            self._entries[key] = self._changed[key] = Entry(key, value, revision)

    def _made_topic(self) -> None:
        from confluent_kafka.admin import AdminClient, NewTopic

        kafka, admin = library(), AdminClient(client_settings(self._address))
        topic = NewTopic(self._address.path, num_partitions=1, config={"cleanup.policy": "compact"})
        try:
            admin.create_topics([topic])[self._address.path].result(timeout=_answer(self._address))
        except TimeoutError:
            raise _unreachable(self._address, "nobody makes the topic") from None
        except kafka.KafkaException as error:
            if error.args[0].code() != kafka.KafkaError.TOPIC_ALREADY_EXISTS:
                raise _unreachable(self._address, error.args[0].str()) from None
