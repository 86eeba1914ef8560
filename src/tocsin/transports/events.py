"""The events in messages: decoded, and admitted as those of a file are. And all events of an address, as they come."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator

from tocsin.encodings import Message
from tocsin.events import Arrival
from tocsin.formats.intake import Intake
from tocsin.formats.refused import Refused
from tocsin.transports import Address, Received, codec_for, subscribe

_TURN = 0.2
"""Seconds after which whoever follows looks whether it is time to end."""


class Decoder:
    """Makes arrivals of messages. One without an id is called by its place in the broker, or by what is in it."""

    def __init__(self, address: Address, intake: Intake) -> None:
        self._codec, self._intake = codec_for(address), intake
        self.count = 0
        """Messages so far: what is said of a bad one names its number."""

    def arrivals(self, messages: Iterable[Received]) -> list[Arrival]:
        """The events in messages. A bad one is refused as the intake does it."""
        found = []
        for message in messages:
            self.count += 1
            try:
                record = self._codec.decode(Message(message.body, message.headers))
                if not record.get("id"):
                    record["id"] = message.place or hashlib.sha256(message.body).hexdigest()[:24]
                found.append(self._intake.admit(self._intake.fields.record(record), self.count))
            except Refused as refused:
                self._intake.refuse(self.count, message.body.decode(errors="replace"), refused)
        return found


def follow(
    address: Address, intake: Intake, is_over: Callable[[], bool], is_stopped: Callable[[], bool]
) -> Iterator[Arrival]:
    """The events of an address as they come. It ends when it is stopped, or once it is over and nothing more waits."""
    with subscribe(address) as subscription:
        decoder = Decoder(address, intake)
        while not is_stopped():
            delivery = subscription.receive(_TURN)
            yield from decoder.arrivals(delivery.messages)
            if delivery:
                subscription.acknowledge(delivery.position)
            elif is_over() and not subscription.lag():
                return


def until_clock(end: int | None) -> Callable[[], bool]:
    """Whether the clock of this machine has passed an instant (microseconds); never, if there is none."""
    return lambda: end is not None and time.time_ns() // 1000 >= end
