"""How much flows at a site: events and bytes a second, by type born, by stream given out, by site sent to.

Rates are weighted exponentially by the site's clock: what was a minute ago counts about a third. They are part of the
site's state. What an event weighs is looked at now and then, not each time: counting must cost next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp
from typing import Any, Final

import msgspec

from tocsin.events import Event
from tocsin.sites.records import event_record

MEMORY: Final = 60e6
"""Microseconds after which what was counted weighs 1/e of what is counted now."""
SETTLED: Final = 5_000_000
"""A rate is told when it has been measured for so long."""
_FIRST: Final = 8
_EACH: Final = 16
"""The first events of a stream are weighed, and each so many-th after them."""

_encode = msgspec.msgpack.Encoder().encode


class Meter:
    """What was counted of one thing."""

    __slots__ = ("at", "begun", "bytes", "events", "size", "weight", "weight_of_bytes")

    def __init__(self, begun: int) -> None:
        self.begun = self.at = begun
        self.events = 0
        """All that were counted."""
        self.bytes = 0.0
        self.weight = self.weight_of_bytes = 0.0
        self.size = 0.0
        """What one weighs, in the mean."""

    def count(self, events: int, size: float, now: int) -> None:
        """So many more, and so many bytes."""
        if now > self.at:
            factor = exp((self.at - now) / MEMORY)
            self.weight *= factor
            self.weight_of_bytes *= factor
            self.at = now
        self.events += events
        self.bytes += size
        self.weight += events
        self.weight_of_bytes += size

    def weigh(self, count: int, one: Callable[[], Any], now: int) -> None:
        """So many more; `one` gives the record of one of them, if it is to be weighed."""
        if self.events < _FIRST or self.events % _EACH + count >= _EACH:
            size = float(len(_encode(one())))
            self.size = size if not self.events else self.size + (size - self.size) / min(self.events + 1, _EACH)
        self.count(count, self.size * count, now)

    def rates(self, now: int) -> tuple[float, float]:
        """Events and bytes a second."""
        factor = exp((self.at - now) / MEMORY) if now > self.at else 1.0
        measured = 1 - exp((self.begun - max(now, self.at)) / MEMORY)
        seconds = max(MEMORY * measured, 1e6) / 1e6
        return self.weight * factor / seconds, self.weight_of_bytes * factor / seconds

    def state(self) -> list[float]:
        """All of it as plain values."""
        return [self.begun, self.at, self.events, self.bytes, self.weight, self.weight_of_bytes, self.size]

    @classmethod
    def restored(cls, state: Sequence[Any]) -> Meter:
        """What `state` gave."""
        meter = cls(state[0])
        _, meter.at, meter.events, meter.bytes, meter.weight, meter.weight_of_bytes, meter.size = state
        return meter


@dataclass
class Flows:
    """All that is counted at a site."""

    begun: int | None = None
    births: dict[str, Meter] = field(default_factory=dict)
    streams: dict[str, Meter] = field(default_factory=dict)
    links: dict[str, Meter] = field(default_factory=dict)
    """By the site that messages are sent to; those that streams cause."""
    _envelopes: dict[tuple[str, str], int] = field(default_factory=dict)
    """What a message of a kind about a stream weighs around its outputs."""

    def begin(self, now: int) -> None:
        """The site is at work."""
        if self.begun is None:
            self.begun = now

    def born(self, event: Event, now: int) -> None:
        """An event was born here."""
        meter = self.births.get(event.type)
        if meter is None:
            meter = self.births[event.type] = Meter(now if self.begun is None else self.begun)
        meter.weigh(1, lambda: event_record(event), now)

    def born_many(self, kind: str, records: Sequence[Any], now: int) -> None:
        """Events of a type were born here, as they travel."""
        meter = self.births.get(kind)
        if meter is None:
            meter = self.births[kind] = Meter(now if self.begun is None else self.begun)
        meter.weigh(len(records), lambda: records[0], now)

    def gives(self, stream: str, now: int) -> None:
        """A stream is given out here from now on."""
        if stream not in self.streams:
            self.streams[stream] = Meter(now)

    def gave(self, stream: str, records: Sequence[Any], now: int) -> None:
        """Outputs of a stream were given out."""
        meter = self.streams.get(stream)
        if meter is None:
            meter = self.streams[stream] = Meter(now)
        meter.weigh(len(records), lambda: records[0], now)

    def ends(self, stream: str) -> None:
        """A stream is given out here no more."""
        self.streams.pop(stream, None)
        for kind in [each for each in self._envelopes if each[1] == stream]:
            del self._envelopes[kind]

    def sent(self, to: str, message: Mapping[str, Any], now: int) -> None:
        """A message that a stream caused is sent to a site."""
        meter = self.links.get(to)
        if meter is None:
            meter = self.links[to] = Meter(now if self.begun is None else self.begun)
        kind = message["is"], message.get("stream", "")
        envelope = self._envelopes.get(kind)
        if envelope is None:
            envelope = self._envelopes[kind] = len(_encode({**message, "outputs": [], "from": to}))
        outputs = len(message.get("outputs", ()))
        known = self.streams.get(kind[1]) if outputs else None
        size = envelope + (outputs * known.size if known is not None else 0.0)
        meter.count(1, size, now)

    def described(self, now: int) -> dict[str, dict[str, list[float]]]:
        """Events and bytes a second, of whatever has been measured long enough."""
        told = {"births": self.births, "streams": self.streams, "links": self.links}
        return {
            what: {
                name: [round(rate, 4) for rate in meter.rates(now)]
                for name, meter in meters.items()
                if now - meter.begun >= SETTLED
            }
            for what, meters in told.items()
        }

    def state(self) -> dict[str, Any]:
        """All of it as plain values."""
        kinds = {"births": self.births, "streams": self.streams, "links": self.links}
        found = {what: {name: meter.state() for name, meter in some.items()} for what, some in kinds.items()}
        return found | {"begun": self.begun}

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> Flows:
        """What `state` gave."""
        births, streams, links = (
            {name: Meter.restored(each) for name, each in state[what].items()}
            for what in ("births", "streams", "links")
        )
        return cls(state["begun"], births, streams, links)
