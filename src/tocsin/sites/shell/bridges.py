"""To what is no site and back: detections go to a topic as events, and a topic's messages are born at a site.

So whatever reads and writes topics stands beside the sites, in their directory: a service of requests, a pipeline on
Spark, another deployment. Both ways are taken at least once, and count once: by the ids of detections and events.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec

from tocsin.errors import TocsinError
from tocsin.events import Event
from tocsin.formats import TimeStyle, detection_line
from tocsin.formats.intake import Intake
from tocsin.sites.shell.publication import Publication
from tocsin.sites.site import Told
from tocsin.transports import SINK, Address, address_of, codec_for, publisher, subscribe
from tocsin.transports.events import Decoder

_TURN: Final = 0.05
REMEMBERED: Final = 100_000
"""The ids of the last detections that went out."""


class Outlet:
    """Detections on their way to a topic. What has not been taken is an error: it is told again after a restart."""

    def __init__(self, url: str, known: Path | None = None) -> None:
        """`known`: a file with the ids of what went out, where that is to outlast the process."""
        self.address = address_of(url, SINK)
        self._codec, self._publisher = codec_for(self.address), publisher(self.address)
        self._sent: dict[str, None] = {}
        self._notes = None
        self.count = 0
        if known is not None:
            if known.exists():
                self._sent = dict.fromkeys(known.read_text(encoding="utf-8").split()[-REMEMBERED:])
            self._notes = open(known, "a", encoding="utf-8")  # noqa: SIM115 - open as long as we write

    def __call__(self, told: Sequence[Told]) -> None:
        """Sends what was told, and waits until it is taken."""
        fresh = {each.detection.id: each.detection for each in told if each.detection.id not in self._sent}
        if not fresh:
            return
        style = TimeStyle()
        for one in fresh.values():
            record: dict[str, Any] = msgspec.json.decode(detection_line(one, style))
            self._publisher.publish(self._codec.encode(record))
        outcome = self._publisher.flush()
        if outcome.dead:
            raise TocsinError(f"{self.address} does not take {len(outcome.dead)} detections: {outcome.dead[0].reason}")
        self._sent |= dict.fromkeys(fresh)
        while len(self._sent) > REMEMBERED:
            del self._sent[next(iter(self._sent))]
        self.count += len(fresh)
        if self._notes is not None:
            self._notes.write("".join(f"{name}\n" for name in fresh))
            self._notes.flush()

    def close(self) -> None:
        """Closes what was opened here."""
        self._publisher.close()
        if self._notes is not None:
            self._notes.close()


class Inlet:
    """A topic's messages on their way to a site. They are acknowledged when their events are safe there.

    `lateness`: messages of one source may be so much out of order; they are put in order. `lag`: while nothing comes,
    the sources are taken to have got so far behind the clock, in microseconds.
    """

    def __init__(
        self,
        address: Address,
        publication: Publication,
        intake: Intake,
        source: str,
        types: Sequence[str] | None = None,
        *,
        lateness: int = 0,
        lag: int | None = None,
    ) -> None:
        self.address, self._publication, self._source, self._types = address, publication, source, types
        self._lateness, self._lag = lateness, lag
        self._decoder = Decoder(address, intake)
        self._held: list[tuple[int, int, int, Event]] = []
        self._arrivals, self._batches = count(), count()
        self._positions: deque[tuple[int, Any]] = deque()
        self._newest: int | None = None

    def run(self, is_over: Callable[[], bool]) -> None:
        """Follows the topic until it is over; then all that came is safe."""
        publication = self._publication
        if self._source not in publication.sources:
            publication.announce(self._source, self._types)
        with subscribe(self.address, None, f"tocsin-{self._source}") as subscription:
            while not is_over():
                delivery = subscription.receive(_TURN)
                if delivery:
                    self._take(delivery.messages, delivery.position)
                self._release(self._limit())
                publication.pump(0.0 if delivery else _TURN)
                if (position := self._safe()) is not None:
                    subscription.acknowledge(position)
            self._release(None)
            publication.settle()
            if (position := self._safe()) is not None:
                subscription.acknowledge(position)

    def _take(self, messages: Sequence[Any], position: Any) -> None:
        batch = next(self._batches)
        self._positions.append((batch, position))
        for one in self._decoder.arrivals(messages):
            if isinstance(one, Event):
                heapq.heappush(self._held, (one.end, next(self._arrivals), batch, one))
                self._newest = one.end if self._newest is None else max(one.end, self._newest)

    def _limit(self) -> int:
        """Until when everything has come."""
        limits = [] if self._newest is None else [self._newest - self._lateness]
        if self._lag is not None:
            limits.append(self._publication.now() - self._lag)
        return max(limits, default=0)

    def _release(self, limit: int | None) -> None:
        """Reports what is older than a time, in order of time; None: all of it."""
        publication = self._publication
        while self._held and (limit is None or self._held[0][0] <= limit):
            _, _, _, one = heapq.heappop(self._held)
            source = one.source or self._source
            if source not in publication.sources:
                publication.announce(source, self._types)
            publication.report(Event(one.type, one.end, one.start, one.id, source, one.data))
        if limit is not None and limit > 0:
            for source in publication.sources:
                publication.beat(source, limit)

    def _safe(self) -> Any:
        """The position up to which everything is safe at the site; None where there is nothing new to say."""
        if self._publication.reporter.unreported or not self._positions:
            return None
        oldest = min((batch for _, _, batch, _ in self._held), default=None)
        found = None
        while self._positions and (oldest is None or self._positions[0][0] < oldest):
            found = self._positions.popleft()[1]
        return found
