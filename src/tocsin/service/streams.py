"""Detections as they come, for many who listen: each has its own place in them, and a slow one is in nobody's way.

The last ones are held in memory, encoded once for all; who is further behind reads from the store.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from typing import Final, NamedTuple, Protocol

from tocsin.service.records import StoredDetection

HELD: Final = 10_000
"""Detections that are held for those who are a little behind."""


BEAT: Final = 15.0
"""Seconds after which something is sent, so that nobody between takes the connection for dead."""


class Told(NamedTuple):
    """A detection as it is sent."""

    found: StoredDetection
    event: bytes
    """As server-sent events have it."""
    chunk: bytes
    """The same as a chunk of an HTTP body."""

    @classmethod
    def of(cls, one: StoredDetection) -> Told:
        """A detection, encoded once for all who listen."""
        event = server_sent(one)
        return cls(one, event, chunk(event))


class Listener(Protocol):
    """Somebody who is told at once, because they have read all that was sent to them."""

    audience: Hashable
    """Who hears the same, and may for the same reason, has the same: what to tell them is chosen once for all."""

    def chosen(self, told: Sequence[Told]) -> bytes | None:
        """What of it their audience hears, as it is sent; None where they may hear nothing more."""

    def send(self, piece: bytes, number: int) -> None:
        """Tells them what was chosen of all up to a number: perhaps nothing."""

    def beat(self) -> None:
        """Nothing has come for a while."""

    def let_go(self) -> None:
        """Nobody is told at once any more."""


class Stream:
    """The detections that were kept, in order of their numbers."""

    def __init__(self, last: int) -> None:
        self.last = last
        """The number of the last detection there is."""
        self._held: deque[Told] = deque(maxlen=HELD)
        self._waiting: list[asyncio.Future[None]] = []
        self._beat: asyncio.TimerHandle | None = None
        self.listeners = 0
        self._at_once: dict[Hashable, dict[Listener, None]] = {}
        """By their audience."""
        self.is_closed = False

    def tell(self, found: Iterable[StoredDetection]) -> None:
        """These are kept now."""
        told = [Told.of(one) for one in found]
        self._held.extend(told)
        if self._held and self._held[-1].found.number > self.last:
            self.last = self._held[-1].found.number
            for audience in list(self._at_once.values()):
                listeners = list(audience)
                piece = listeners[0].chosen(told)
                for listener in listeners:
                    if piece is None:
                        listener.let_go()
                    else:
                        listener.send(piece, self.last)
            self._wake()

    def join(self, listener: Listener) -> None:
        """Somebody who has read all there is, and is told at once of what comes."""
        self._at_once.setdefault(listener.audience, {})[listener] = None
        self._expect_beat()

    def leave(self, listener: Listener) -> None:
        """Somebody goes, or has to read on by themselves."""
        audience = self._at_once.get(listener.audience, {})
        audience.pop(listener, None)
        if not audience:
            self._at_once.pop(listener.audience, None)

    def _listening(self) -> list[Listener]:
        return [listener for audience in self._at_once.values() for listener in audience]

    def close(self) -> None:
        """There will be no more: whoever waits is let go."""
        self.is_closed = True
        if self._beat is not None:
            self._beat.cancel()
        for listener in self._listening():
            listener.let_go()
        self._wake()

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            if not each.done():
                each.set_result(None)

    async def wait(self, after: int) -> bool:
        """Waits until there is a detection behind a number, or it is time for a beat. Whether there is one.

        Thousands wait at a time: one timer does for all of them.
        """
        if self.last <= after and not self.is_closed:
            self._expect_beat()
            news = asyncio.get_running_loop().create_future()
            self._waiting.append(news)
            await news
        return self.last > after

    def _expect_beat(self) -> None:
        if self._beat is None:
            self._beat = asyncio.get_running_loop().call_later(BEAT, self._beat_now)

    def _beat_now(self) -> None:
        self._beat = None
        for listener in self._listening():
            listener.beat()
        if self._at_once:
            self._expect_beat()
        self._wake()

    def held(self, number: int) -> bytes | None:
        """A detection's body, if it is held."""
        place = number - self._held[0].found.number if self._held else -1
        return self._held[place].found.body if 0 <= place < len(self._held) else None

    def after(self, number: int) -> list[Told] | None:
        """The detections behind a number; None where some of them are no longer held."""
        if not self._held or number >= self.last:
            return []
        first = self._held[0].found.number
        if number + 1 < first:
            return None
        skipped = number + 1 - first
        if skipped * 2 < len(self._held):
            return list(self._held)[skipped:]
        rest = []
        for told in reversed(self._held):
            if told.found.number <= number:
                break
            rest.append(told)
        return rest[::-1]


def server_sent(one: StoredDetection) -> bytes:
    """A detection as server-sent events have it."""
    return b"id: %d\nevent: detection\ndata: %s\n\n" % (one.number, one.body)


def chunk(body: bytes) -> bytes:
    """A piece of a body whose length nobody knows, as HTTP/1.1 has it."""
    return b"%x\r\n%s\r\n" % (len(body), body)
