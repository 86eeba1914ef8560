"""Where detections go: everything that a transport publishes to, and webhooks.

A sink has `publish(address, messages)`: it returns when every message was taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from tocsin.encodings import Message
from tocsin.sinks import http
from tocsin.transports import SINK, Address, DeadLetter, Outcome, publisher, transport_of

__all__ = ["DeadLetter", "Outcome", "Sink", "sink_of"]


class Sink(Protocol):
    """A place that messages are sent to."""

    def publish(self, address: Address, messages: Iterable[Message]) -> Outcome:
        """Sends the messages, and waits until all were taken; what will not be taken is a dead letter."""


class _Broker:
    """A sink that is a broker: a connection for all the messages of a call."""

    def publish(self, address: Address, messages: Iterable[Message]) -> Outcome:
        with publisher(address) as out:
            for message in messages:
                out.publish(message)
            return out.flush()


def sink_of(address: Address) -> Sink:
    """The sink at an address."""
    transport_of(address.url, SINK)
    return http if address.scheme in ("http", "https") else _Broker()
