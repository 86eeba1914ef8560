"""Where detections go: one file for each kind of sink, called as its transport.

A sink is a module of this folder with `publish(address, messages, told)`: it returns when every message was taken.
Kafka is not here: Spark's own connector writes there.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Protocol, cast

from tocsin.encodings import Message
from tocsin.sinks.outcome import DeadLetter, Outcome
from tocsin.transports import SINK, Address, transport_of

__all__ = ["DeadLetter", "Outcome", "Sink", "sink_of"]


class Sink(Protocol):
    """A place that messages are sent to."""

    def publish(self, address: Address, messages: Iterable[Message]) -> Outcome:
        """Sends the messages, and waits until all were taken; what will not be taken is a dead letter."""


def sink_of(address: Address) -> Sink:
    """The sink at an address."""
    name = transport_of(address.url, SINK).__name__.rpartition(".")[2]
    return cast(Sink, import_module(f"{__name__}.{name}"))
