"""MQTT 5: topics. The broker keeps what a session has not acknowledged, and nothing else.

So a subscription that must miss nothing has a name, the session's, and acknowledges what lasts elsewhere. What the
broker keeps for a topic is the last retained message: those are keys and values.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Final
from uuid import uuid4

from tocsin.encodings import Message
from tocsin.errors import TocsinError, UsageError
from tocsin.transports.address import ALL, SOURCE, Address, Option
from tocsin.transports.contract import (
    MOST,
    Delivery,
    KeyValue,
    Outcome,
    Position,
    Publisher,
    Received,
    Subscription,
)
from tocsin.transports.mqtt_keys import RetainedMessages
from tocsin.transports.mqtt_wire import (
    DISCONNECT,
    MOST_UNDER_WAY,
    PINGRESP,
    PUBACK,
    PUBCOMP,
    PUBLISH,
    PUBREC,
    PUBREL,
    SUBACK,
    Packet,
    Wire,
    answer,
    awaited,
    numbered,
    publication,
    published,
    reason_of,
    subscription,
    text,
)
from tocsin.transports.unreachable import PROBING, Unreachable, probe, tried

SCHEMES: Final = {"mqtt": 1883, "mqtts": 8883}
PREFIX: Final = ""
USES: Final = ALL
HAS_OPTIONS: Final = True
REPLAYS: Final = False
OPTIONS: Final[Mapping[str, Option]] = {
    "qos": Option("quality of service: 1 loses nothing, 2 repeats nothing either, 0 promises nothing", "1", "0|1|2"),
    "client": Option("the name of the session; made from the checkpoint if left out", uses=(SOURCE,)),
    "per_batch": Option("messages of a micro-batch, at most", "100000", "number", (SOURCE,)),
    "quiet": Option("how long nothing comes before all is read, without a trigger", "2 s", "span", (SOURCE,)),
    "retain": Option("whether the broker keeps the last message of the topic", "no", "yes|no", ("sink",)),
    "ca": Option("a file with the certificates that are trusted, for mqtts"),
    "patience": Option("how long a broker that has gone is waited for", "2 min", "span"),
}
_MESSAGE: Final = "message"
_PAUSE: Final = 0.5
"""Seconds between two attempts to reach a broker that has gone."""
_TOGETHER: Final = 64
"""Messages that are sent at a time."""


def check(address: Address, use: str) -> None:
    """Whether the path is a topic, and the broker takes us."""
    levels = address.path.split("/")
    is_filter = all(each in ("+", "#") or not set(each) & set("+#") for each in levels) and "#" not in levels[:-1]
    if not address.path or "\0" in address.path or not is_filter:
        raise UsageError(f"{address}: {address.path!r} is no topic: mqtt://HOST:1883/TOPIC")
    if use != SOURCE and set(address.path) & set("+#"):
        raise UsageError(f"{address}: {address.path!r} is a filter; what is published goes to one topic")
    probe(address)
    Wire(address, "", keeps=False).close()


def subscribe(address: Address, start: Position | None = None, name: str = "") -> Subscription:
    """The messages of a topic or filter. Without a name there is no session: what comes meanwhile is lost."""
    return _Subscription(address, start, address.options.get("client") or name)


def publisher(address: Address) -> Publisher:
    """Messages to a topic."""
    return _Publisher(address)


def key_value(address: Address) -> KeyValue:
    """The retained messages of the topics below the path."""
    return RetainedMessages(address, address.seconds("patience", OPTIONS))


# -- subscriptions -------------------------------------------------------------------------------------------------


class _Subscription(Subscription):
    """`_pending` has what was handed out, by the broker's number for it, and whether it was acknowledged since."""

    def __init__(self, address: Address, start: Position | None, name: str) -> None:
        self._address, self._name, self._is_closed = address, name, False
        self._patience = address.seconds("patience", OPTIONS)
        self._qos = address.number("qos", OPTIONS)
        self._count = 0 if start is None else start[_MESSAGE]
        self._acknowledged = self._count
        self._came: list[Received] = []
        self._pending: dict[int, tuple[int, int, bytes]] = {}
        """Our number for it, its quality of service, and the body."""
        self._before: dict[int, tuple[int, int, bytes]] = {}
        """The same of an earlier connection: what comes again by this one."""
        self._wire: Wire | None = None
        self._unheard: float | None = None
        self._received = self._count
        tried(self._connect, self._patience, Unreachable)

    def receive(self, seconds: float, most: int = MOST) -> Delivery:
        until = time.monotonic() + seconds
        is_first = True
        while not self._is_closed and not self._came:
            left = until - time.monotonic()
            if left <= 0 and not is_first:
                break
            is_first = False
            try:
                if self._wire is None:
                    self._connect()
                else:
                    self._take(self._wire.read(max(left, 0.0)))
            except Unreachable as failure:
                self._lose(failure, max(left, 0.0))
        some, self._came = self._came[:most], self._came[most:]
        self._count += len(some)
        return Delivery(some, {_MESSAGE: self._count})

    def acknowledge(self, position: Position) -> None:
        """The broker may forget them. While it is away, they are acknowledged when they come again."""
        self._acknowledged = position[_MESSAGE]
        if self._wire is None:
            return
        done = [(number, qos) for number, (count, qos, _) in self._pending.items() if count <= self._acknowledged]
        try:
            self._wire.send(b"".join(answer(PUBACK if qos == 1 else PUBREC, number) for number, qos in done))
        except Unreachable as failure:
            self._lose(failure, 0.0)
            return
        for number, _ in done:
            del self._pending[number]

    def close(self) -> None:
        self._is_closed = True
        if self._wire is not None:
            self._wire.close()
            self._wire = None

    def _connect(self) -> None:
        name = self._name or f"tocsin-{uuid4().hex}"
        wire = Wire(self._address, name, keeps=bool(self._name))
        try:
            wire.send(subscription(1, self._address.path, self._qos))
            # What the session had not acknowledged may come before the answer.
            self._before, self._pending = (self._pending | self._before) if wire.is_resumed else {}, {}
            awaited(wire, SUBACK, self._take, self._address)
        except BaseException:
            wire.close()
            raise
        self._wire, self._unheard = wire, None
        self._settle()

    def _lose(self, failure: Unreachable, left: float) -> None:
        if self._wire is not None:
            self._wire.close(politely=False)
            self._wire = None
        self._unheard = self._unheard or time.monotonic()
        if time.monotonic() - self._unheard > self._patience:
            raise failure
        if not self._is_closed:
            time.sleep(min(_PAUSE, left))

    def _take(self, packets: list[Packet]) -> None:
        arrived = time.time_ns() // 1000
        replies = []
        for kind, flags, body in packets:
            if kind == PUBLISH:
                message = published(flags, body)
                known = self._before.pop(message.number, None) if message.qos else None
                if known is not None and message.is_again and known[2] == message.payload:
                    self._pending[message.number] = known  # it was handed out by an earlier connection
                    continue
                self._received += 1
                if message.qos:
                    self._pending[message.number] = (self._received, message.qos, message.payload)
                self._came.append(Received(message.payload, message.headers, "", arrived))
            elif kind == PUBREL:
                replies.append(answer(PUBCOMP, numbered(body)))
            elif kind == DISCONNECT:
                raise Unreachable(f"{self._address}: the broker has ended it: {reason_of(body, 0) or 'it says bye'}")
        if replies and self._wire is not None:
            self._wire.send(b"".join(replies))

    def _settle(self) -> None:
        """Acknowledges what came again and was acknowledged while the broker was away."""
        if any(count <= self._acknowledged for count, _, _ in self._pending.values()):
            self.acknowledge({_MESSAGE: self._acknowledged})


# -- publishers ----------------------------------------------------------------------------------------------------


class _Publisher(Publisher):
    def __init__(self, address: Address) -> None:
        self._address, self._topic = address, text(address.path)
        self._patience = address.seconds("patience", OPTIONS)
        self._qos, self._retain = address.number("qos", OPTIONS), address.options.get("retain") == "yes"
        self._waiting: list[Message] = []
        self._under_way: dict[int, tuple[bytes, Mapping[str, str], bytes]] = {}
        """What the broker has not taken, by its number: topic, headers, body."""
        self._number = self._count = self._retries = 0
        self._wire: Wire | None = None
        self._answered = 0

    def publish(self, message: Message) -> None:
        self._waiting.append(message)
        self._count += 1
        if len(self._waiting) >= _TOGETHER:
            self._patiently(self._send)

    def flush(self) -> Outcome:
        self._patiently(self._send)
        self._patiently(self._drain)
        made = Outcome(self._count, self._retries)
        self._count = self._retries = 0
        return made

    def close(self) -> None:
        if self._wire is not None:
            self._wire.close()
            self._wire = None

    def _patiently(self, step: Callable[[Wire], None]) -> None:
        heard, before = time.monotonic(), self._answered
        while True:
            try:
                if self._wire is None:
                    self._wire = Wire(self._address, "", keeps=False)
                    self._send_again(self._wire)
                step(self._wire)
                return
            except Unreachable:
                if self._wire is not None:
                    self._wire.close(politely=False)
                    self._wire = None
                if self._answered > before:
                    heard, before = time.monotonic(), self._answered
                if time.monotonic() - heard > self._patience:
                    raise
                self._retries += 1
                time.sleep(min(_PAUSE, self._patience))

    def _send_again(self, wire: Wire) -> None:
        again, self._under_way = list(self._under_way.values()), {}
        for topic, headers, body in again:
            wire.send(self._packet(topic, headers, body))

    def _packet(self, topic: bytes, headers: Mapping[str, str], body: bytes) -> bytes:
        number = 0
        if self._qos:
            number = self._free()
            self._under_way[number] = (topic, headers, body)
        return publication(topic, number, self._qos, self._retain, headers, body)

    def _free(self) -> int:
        while True:
            self._number = self._number % 65535 + 1
            if self._number not in self._under_way:
                return self._number

    def _send(self, wire: Wire) -> None:
        """Sends what waits, as fast as the broker takes it."""
        while self._waiting:
            room = min(wire.receives, MOST_UNDER_WAY) - len(self._under_way)
            if room <= 0:
                self._answers(wire.read(PROBING), wire)
                continue
            some, self._waiting = self._waiting[:room], self._waiting[room:]
            wire.send(b"".join(self._packet(self._topic, each.headers, each.body) for each in some))

    def _drain(self, wire: Wire) -> None:
        """Waits until everything was taken. What has no quality of service is followed by a question."""
        if not self._qos:
            wire.ping()
            awaited(wire, PINGRESP, lambda _: None, self._address)
        silent = time.monotonic()
        while self._under_way:
            before = self._answered
            self._answers(wire.read(PROBING), wire)
            if self._answered > before:
                silent = time.monotonic()
            elif time.monotonic() - silent > 2 * PROBING:
                raise Unreachable(f"{self._address}: the broker does not take what it is sent")

    def _answers(self, packets: list[Packet], wire: Wire) -> None:
        replies = []
        for kind, _, body in packets:
            if kind in (PUBACK, PUBREC, PUBCOMP):
                why = reason_of(body, 2)
                if why is not None:
                    raise TocsinError(f"{self._address}: the broker does not take a message: {why}")
                self._answered += 1
                if kind == PUBREC:
                    replies.append(answer(PUBREL, numbered(body)))
                else:
                    self._under_way.pop(numbered(body), None)
            elif kind == DISCONNECT:
                raise Unreachable(f"{self._address}: the broker has ended it: {reason_of(body, 0) or 'it says bye'}")
        if replies:
            wire.send(b"".join(replies))
