"""Detections to a topic of MQTT. With a quality of service of 1 or 2 the broker says that it has taken each."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from tocsin.encodings import Message
from tocsin.sinks.outcome import Outcome
from tocsin.transports.address import Address
from tocsin.transports.mqtt import OPTIONS, connect, made
from tocsin.transports.unreachable import Unreachable, tried

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessageInfo

UNDER_WAY: Final = 1000
"""Messages that are sent before the first of them is waited for."""


def publish(address: Address, messages: Iterable[Message]) -> Outcome:
    """Sends all. Should the broker go away, the client connects again, and sends again what was not taken."""
    all_ = list(messages)
    if not all_:
        return Outcome(0)
    patience = address.seconds("patience", OPTIONS)
    client = made(address, "")
    tried(lambda: connect(client, address), patience, Unreachable)
    try:
        qos, retain = address.number("qos", OPTIONS), address.text("retain", OPTIONS) == "yes"
        for begin in range(0, len(all_), UNDER_WAY):
            some = all_[begin : begin + UNDER_WAY]
            waiting = [
                client.publish(address.path, each.body, qos, retain, properties=_properties(each)) for each in some
            ]
            _await(client, waiting, patience, address)
    finally:
        client.disconnect()
        client.loop_stop()
    return Outcome(len(all_))


def _await(client: Client, waiting: list[MQTTMessageInfo], patience: float, address: Address) -> None:
    """Waits until the broker has taken all; for as long as the patience lasts while it is away."""
    heard = time.monotonic()
    for each in waiting:
        while not each.is_published():
            if client.is_connected():
                heard = time.monotonic()
            elif time.monotonic() - heard > patience:
                raise Unreachable(f"{address}: the broker has gone away")
            try:
                each.wait_for_publish(0.5)
            except RuntimeError as error:
                raise Unreachable(f"{address}: the broker does not take a message: {error}") from None


def _properties(message: Message) -> Any:
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    headers = dict(message.headers)
    made_of = Properties(PacketTypes.PUBLISH)
    kind = headers.pop("content-type", None)
    if kind is not None:
        made_of.ContentType = kind
    if headers:
        made_of.UserProperty = list(headers.items())
    return made_of
