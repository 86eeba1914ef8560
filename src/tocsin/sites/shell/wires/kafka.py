"""Kafka: a topic for each site, one for everybody, and one that all guests share, since topics are not made lightly.

Offsets are not kept: who begins hears what is said from then on, and what it missed is sent again end to end.
"""

from __future__ import annotations

import time
from typing import Any, Final

from tocsin.errors import TocsinError
from tocsin.sites.shell.topics import ADMINISTRATION, deployment_of, is_guest
from tocsin.sites.shell.wires.contract import Wire
from tocsin.transports import Address, Unreachable
from tocsin.transports.kafka import client_settings, library
from tocsin.transports.unreachable import tried

_ANSWER: Final = 10.0
_TURN: Final = 0.02
"""Seconds after which somebody who waits looks whether it was woken."""
_KEPT: Final = {"retention.ms": "3600000", "segment.ms": "3600000"}
_TOGETHER: Final = 10_000


def opened(address: Address, name: str) -> Wire:
    """A producer and a consumer."""
    return _KafkaWire(address, name)


class _KafkaWire(Wire):
    most = 900_000
    """The broker takes 1,048,588 bytes unless told otherwise."""

    def __init__(self, address: Address, name: str) -> None:
        kafka = library()
        self._address, self._name, self._is_woken = address, name.encode(), False
        self._deployment = deployment_of(address)
        settings = client_settings(address)
        topics = [self._topic(None), self._topic(name)]
        _made(address, settings, topics)
        self._failure = ""
        told = {"linger.ms": 0, "message.timeout.ms": 5000, "acks": "1", "error_cb": self._failed}
        self._producer = kafka.Producer(settings | told)
        group = {"group.id": f"tocsin-{name}", "enable.auto.commit": False, "auto.offset.reset": "latest"}
        waits = {"fetch.wait.max.ms": 10, "error_cb": self._failed}
        self._consumer = kafka.Consumer(settings | group | waits)
        try:
            self._consumer.assign([self._end(topic) for topic in topics])
        except kafka.KafkaException as error:
            self.close()
            raise Unreachable(f"{address}: Kafka does not answer: {error.args[0].str()}") from None

    def _topic(self, to: str | None) -> str:
        if to is None:
            return f"{self._deployment}.{ADMINISTRATION}"
        return f"{self._deployment}.guests" if is_guest(to) else f"{self._deployment}.site.{to}"

    def _end(self, topic: str) -> Any:
        """Where a topic ends now: what is said from then on is heard."""
        kafka = library()
        place = kafka.TopicPartition(topic, 0)

        def asked() -> int:
            self._consumer.list_topics(topic, timeout=_ANSWER)  # else the library goes by what it has heard before
            _, high = self._consumer.get_watermark_offsets(place, timeout=_ANSWER)
            return int(high)

        place.offset = tried(asked, _ANSWER, kafka.KafkaException)  # a topic that was just made has no leader yet
        return place

    def publish(self, to: str | None, data: bytes) -> None:
        key = b"" if to is None else to.encode()
        while True:
            try:
                self._producer.produce(self._topic(to), data, key, partition=0)
                return
            except BufferError:  # the library holds as many as it may
                self._producer.poll(0.1)

    def flush(self) -> None:
        self._producer.poll(0)
        self._look()

    def receive(self, seconds: float) -> list[bytes]:
        until = time.monotonic() + seconds
        while True:
            left = max(until - time.monotonic(), 0.0)
            first = self._consumer.poll(min(left, _TURN))
            self._producer.poll(0)
            self._look()
            came = [] if first is None else [first, *self._consumer.consume(_TOGETHER, 0)]
            bodies = [each.value() for each in came if each.error() is None and each.key() in (b"", None, self._name)]
            if bodies or self._is_woken or time.monotonic() >= until:
                self._is_woken = False
                return bodies

    def _look(self) -> None:
        if self._failure:
            raise Unreachable(f"{self._address}: Kafka has gone away: {self._failure}")

    def _failed(self, error: Any) -> None:
        if error.code() == library().KafkaError._ALL_BROKERS_DOWN:
            self._failure = error.str()

    def wake(self) -> None:
        self._is_woken = True

    def close(self) -> None:
        self._producer.flush(1.0)
        self._producer.purge()
        self._consumer.close()


def _made(address: Address, settings: dict[str, Any], topics: list[str]) -> None:
    """Makes topics that are not there."""
    from confluent_kafka.admin import AdminClient, NewTopic

    kafka = library()
    admin = AdminClient(settings)
    wanted = [NewTopic(topic, num_partitions=1, config=_KEPT) for topic in topics]
    for topic, made in admin.create_topics(wanted, operation_timeout=_ANSWER, request_timeout=_ANSWER).items():
        try:
            made.result(timeout=_ANSWER)
        except (TimeoutError, kafka.KafkaException) as error:
            code = error.args[0].code() if error.args and hasattr(error.args[0], "code") else None
            if code == kafka.KafkaError.TOPIC_ALREADY_EXISTS:
                continue
            if isinstance(error, TimeoutError) or code in (kafka.KafkaError._TRANSPORT, kafka.KafkaError._TIMED_OUT):
                raise Unreachable(f"{address}: Kafka does not answer: {error or 'it takes too long'}") from None
            raise TocsinError(f"{address}: the topic {topic!r} cannot be made: {error.args[0].str()}") from None
