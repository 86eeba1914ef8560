"""Detections as they come, for many who listen: each has its own place in them, and a slow one is in nobody's way.

The last ones are held in memory, encoded once for all; who is further behind reads from the store.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import Final, NamedTuple

from tocsin.service.records import Found

HELD: Final = 10_000
"""Detections that are held for those who are a little behind."""


class Told(NamedTuple):
    """A detection as it is sent."""

    found: Found
    event: bytes
    """As server-sent events have it."""


class Stream:
    """The detections that were kept, in order of their numbers."""

    def __init__(self, last: int) -> None:
        self.last = last
        """The number of the last detection there is."""
        self._held: deque[Told] = deque(maxlen=HELD)
        self._news: asyncio.Future[None] | None = None
        self.listeners = 0
        self.is_closed = False

    def tell(self, found: Iterable[Found]) -> None:
        """These are kept now."""
        self._held.extend(Told(one, server_sent(one)) for one in found)
        if self._held and self._held[-1].found.number > self.last:
            self.last = self._held[-1].found.number
            self._wake()

    def close(self) -> None:
        """There will be no more: whoever waits is let go."""
        self.is_closed = True
        self._wake()

    def _wake(self) -> None:
        if self._news is not None:
            self._news.set_result(None)
            self._news = None

    async def wait(self, after: int, seconds: float) -> bool:
        """Waits until there is a detection behind a number, or for so long. Whether there is one."""
        if self.last <= after and not self.is_closed:
            if self._news is None:
                self._news = asyncio.get_running_loop().create_future()
            await asyncio.wait((self._news,), timeout=seconds)
        return self.last > after

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


def server_sent(one: Found) -> bytes:
    """A detection as server-sent events have it."""
    return b"id: %d\nevent: detection\ndata: %s\n\n" % (one.number, one.body)
