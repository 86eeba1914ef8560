"""Whoever reports events to a site: numbered, and kept until the site has them, whatever the network does.

Like a site it has no clock and no network of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tocsin.algebra.event_records import plain
from tocsin.events import Event
from tocsin.sites.birthplace import FROM
from tocsin.sites.links import Links, Message, Pace
from tocsin.sites.outboxes import REQUESTS


class Reporter:
    """Events on their way to the site where they count as born."""

    def __init__(self, name: str, site: str, pace: Pace = Pace()) -> None:  # noqa: B008 - frozen
        self.name, self.site = name, site
        self.late: list[Message] = []
        """What was sent back, since its source had told of later ones already (002 section 4.2.1)."""
        self._stream = FROM + name
        self._links = Links(name, pace, _ignored, _ignored, _ignored)
        self._links.joined(self._stream, site, REQUESTS, None)

    def source(
        self,
        name: str,
        types: Iterable[str] | None = None,
        *,
        is_stamped: bool = False,
        reached: int | None = None,
        in_seconds: bool | None = None,
    ) -> None:
        """Announces a source: what it makes, whose clock it goes by, how far it has got, how it writes times."""
        self._give(["source", name, None if types is None else sorted(types), is_stamped, reached, in_seconds])

    def report(self, event: Event) -> None:
        """Reports an event."""
        self._give(["event", event.type, event.source, event.id, event.end, event.start, plain(event.data)])

    def report_now(self, event: Event) -> None:
        """Reports an event that happens now: the site says when that is, as far as its clock can tell."""
        self._give(["event", event.type, event.source, event.id, None, None, plain(event.data)])

    def beat(self, source: str, time: int) -> None:
        """A source has got to a time without an event."""
        self._give(["beat", source, time])

    def close(self, source: str) -> None:
        """Nothing more is to come from a source."""
        self._give(["close", source])

    def _give(self, record: list[Any]) -> None:
        self._links.give(self._stream, [record])

    @property
    def unreported(self) -> int:
        """How many reports are not known to be safe at the site."""
        return len(self._links.outbox(self._stream).kept)

    def take(self, message: Message, now: int) -> None:
        """A message has come for it."""
        if message["is"] == "late":
            self.late.append(message)
        elif message["is"] == "report":
            self._links.take(message, message["from"], now)

    def send_again(self) -> None:
        """What was sent lately has not come."""
        self._links.send_again()

    def drain(self, now: int) -> list[tuple[str, Message]]:
        """The messages to be sent now."""
        return [(to, message | {"from": self.name}) for to, message in self._links.flush(now)]


def _ignored(*_: object) -> None:
    """It takes no streams."""
