"""MQTT 5: topics. The broker keeps what a session has not acknowledged, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from tocsin.errors import MissingDependency, UsageError
from tocsin.transports.address import BOTH, SOURCE, Address, Option, tls_of
from tocsin.transports.unreachable import PROBING, Unreachable, probe

if TYPE_CHECKING:
    from paho.mqtt.client import Client

SCHEMES: Final = {"mqtt": 1883, "mqtts": 8883}
PREFIX: Final = ""
USES: Final = BOTH
HAS_OPTIONS: Final = True
OPTIONS: Final[Mapping[str, Option]] = {
    "qos": Option("quality of service: 1 loses nothing, 2 repeats nothing either, 0 promises nothing", "1", "0|1|2"),
    "client": Option("the name of the session; made from the checkpoint if left out", uses=(SOURCE,)),
    "per_batch": Option("messages of a micro-batch, at most", "100000", "number", (SOURCE,)),
    "quiet": Option("how long nothing comes before all is read, without a trigger", "2 s", "span", (SOURCE,)),
    "retain": Option("whether the broker keeps the last message of the topic", "no", "yes|no", ("sink",)),
    "ca": Option("a file with the certificates that are trusted, for mqtts"),
    "patience": Option("how long a broker that has gone is waited for", "2 min", "span"),
}
MOST_UNDER_WAY: Final = 1000
"""Messages that the broker sends before the first of them is acknowledged."""
FOREVER: Final = 0xFFFFFFFF
"""As the end of a session: never."""


def check(address: Address, use: str) -> None:
    """Whether the path is a topic, the library is there, and the broker takes us."""
    _check_topic(address, use)
    library()
    probe(address)
    client = made(address, "")
    try:
        connect(client, address)
    finally:
        client.loop_stop()
        client.disconnect()


def _check_topic(address: Address, use: str) -> None:
    levels = address.path.split("/")
    is_filter = all(each in ("+", "#") or not set(each) & set("+#") for each in levels) and "#" not in levels[:-1]
    if not address.path or "\0" in address.path or not is_filter:
        raise UsageError(f"{address}: {address.path!r} is no topic: mqtt://HOST:1883/TOPIC")
    if use != SOURCE and set(address.path) & set("+#"):
        raise UsageError(f"{address}: {address.path!r} is a filter; what is published goes to one topic")


def library() -> Any:
    """The client library."""
    try:
        from paho.mqtt import client
    except ImportError:
        raise MissingDependency("paho-mqtt", "brokers") from None
    return client


def made(address: Address, name: str, *, manual: bool = False) -> Client:
    """A client that is not connected yet. With `manual`, what is received is acknowledged by hand."""
    paho = library()
    client: Client = paho.Client(
        paho.CallbackAPIVersion.VERSION2, client_id=name, protocol=paho.MQTTv5, manual_ack=manual
    )
    if address.user is not None:
        client.username_pw_set(address.user, address.password)
    if address.scheme == "mqtts":
        client.tls_set_context(tls_of(address))
    client.max_inflight_messages_set(MOST_UNDER_WAY)
    client.max_queued_messages_set(0)
    client.reconnect_delay_set(1, 5)
    return client


def connect(
    client: Client, address: Address, *, keeping: bool = False, begun: Callable[[], None] | None = None
) -> None:
    """Connects and waits until the broker has taken us. `keeping`: what is not acknowledged waits for the session.

    `begun` is called at every connection: also at those that are made when a broker comes back.
    """
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    properties = Properties(PacketTypes.CONNECT)
    properties.ReceiveMaximum = MOST_UNDER_WAY
    if keeping:
        properties.SessionExpiryInterval = FOREVER
    answered, refused = threading.Event(), []

    def on_connect(_client: Any, _data: Any, _flags: Any, code: Any, _properties: Any) -> None:
        if code.is_failure:
            refused.append(str(code))
        elif begun is not None:
            begun()
        answered.set()

    client.on_connect = on_connect
    host, port = address.hosts[0]
    try:
        client.connect(host, port, keepalive=30, clean_start=not keeping, properties=properties)
    except OSError as error:
        raise Unreachable(f"{address}: the broker does not answer: {error.strerror or error}") from None
    client.loop_start()
    if not answered.wait(PROBING) or refused:
        client.loop_stop()
        raise Unreachable(f"{address}: the broker does not take us: {refused[0] if refused else 'it does not answer'}")
