"""MQTT 5 with quality of service 0: what the broker loses is sent again end to end."""

from __future__ import annotations

from typing import Final

from tocsin.sites.shell.topics import ADMINISTRATION, deployment_of
from tocsin.sites.shell.wires.contract import Waker, Wire
from tocsin.transports import Address, Unreachable
from tocsin.transports.mqtt_wire import (
    DISCONNECT,
    PUBLISH,
    SUBACK,
    Packet,
    awaited,
    publication,
    published,
    reason_of,
    subscription,
    text,
)
from tocsin.transports.mqtt_wire import Wire as Connection

_SENT_AT: Final = 1 << 16


def opened(address: Address, name: str) -> Wire:
    """A connection to the broker."""
    return _MqttWire(address, name)


class _MqttWire(Wire):
    most = 1 << 20
    """The protocol allows 256 MB; a message of that size would hold up everything behind it."""

    def __init__(self, address: Address, name: str) -> None:
        self._address = address
        deployment = deployment_of(address)
        self._to = f"{deployment}/site/"
        self._topics: dict[str | None, bytes] = {None: text(f"{deployment}/{ADMINISTRATION}")}
        self._out: list[bytes] = []
        self._size = 0
        self._early: list[bytes] = []
        self._connection = Connection(address, "", keeps=False)
        self._waker = Waker()
        try:
            for number, topic in enumerate((self._to + name, f"{deployment}/{ADMINISTRATION}"), 1):
                self._connection.send(subscription(number, topic, 0))
                awaited(self._connection, SUBACK, self._take_early, address)
        except BaseException:
            self.close()
            raise

    def _take_early(self, packets: list[Packet]) -> None:
        self._early += self._bodies(packets)

    def publish(self, to: str | None, data: bytes) -> None:
        topic = self._topics.get(to)
        if topic is None:
            topic = self._topics[to] = text(f"{self._to}{to}")
        self._out.append(publication(topic, 0, 0, False, {}, data))
        self._size += len(data)
        if self._size >= _SENT_AT:
            self.flush()

    def flush(self) -> None:
        if self._out:
            out, self._out, self._size = self._out, [], 0
            self._connection.send(b"".join(out))

    def receive(self, seconds: float) -> list[bytes]:
        if self._early:
            early, self._early = self._early, []
            return early
        if not self._connection.is_waiting:
            self._waker.wait(self._connection.fileno(), seconds)
        return self._bodies(self._connection.read(0.0))

    def _bodies(self, packets: list[Packet]) -> list[bytes]:
        found = []
        for kind, flags, body in packets:
            if kind == PUBLISH:
                found.append(published(flags, body).payload)
            elif kind == DISCONNECT:
                raise Unreachable(f"{self._address}: the broker has ended it: {reason_of(body, 0) or 'it says bye'}")
        return found

    def wake(self) -> None:
        self._waker.wake()

    def close(self) -> None:
        self._connection.close(politely=False)
        self._waker.close()
