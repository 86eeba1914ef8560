"""The way out of one process: what waits, the lock over it, and the sender that empties it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Condition, RLock
from typing import Final

from tocsin.errors import TocsinError
from tocsin.sensor.buffer import Buffer, BufferFull, MemoryBuffer
from tocsin.sensor.clocks import LocalClock
from tocsin.sensor.counts import Counts
from tocsin.sensor.dead_letters import Refusal
from tocsin.sensor.disk_buffer import DiskBuffer
from tocsin.sensor.sender import Sender, Trouble
from tocsin.sensor.service import Service
from tocsin.sensor.settings import ALWAYS, NEVER, Settings, WhenFull
from tocsin.time.spans import SECOND

_LOG: Final = logging.getLogger("tocsin.sensor")
_DROPPED: Final = 100
"""Events that are given up at a time, at most, and at most a tenth of what may wait."""


class SensorClosed(TocsinError):
    """The sensor was closed: it takes no more events."""


class Outlet:
    """Takes lines in order, from any thread; `sender` sends them in that order, from one."""

    def __init__(
        self,
        settings: Settings,
        home: Path | None,
        service: Service,
        clock: LocalClock,
        heartbeat: Callable[[], bytes],
        on_refused: Callable[[Refusal], object] | None,
        on_trouble: Callable[[Trouble], object] | None,
        wake: Callable[[], None],
        sync_later: Callable[[], None],
    ) -> None:
        self.lock = Condition(RLock())
        self.counts = Counts()
        self.buffer: Buffer = MemoryBuffer() if home is None else DiskBuffer(home, settings.capacity)
        self._settings, self._clock, self._wake, self._sync_later = settings, clock, wake, sync_later
        given = (settings, self.counts, Random(), heartbeat, on_refused, on_trouble)
        self.sender = Sender(self.buffer, self.lock, service, clock, *given)
        self.is_closed = self._is_ended = False
        """It takes no more events; nobody sends what waits any more."""

    def append(self, line: Callable[[], bytes], may_wait: bool) -> None:
        """Takes a line, which is made when its place in the order is certain."""
        with self.lock:
            self._make_room(may_wait)
            buffer = self.buffer
            was_empty, was_dirty = buffer.head == buffer.count, buffer.is_dirty
            buffer.append(line())
            self.counts.sent += 1
            number = buffer.count
            if was_empty:
                self.sender.lingers_until = self._clock.reading() + self._settings.linger
            is_due = was_empty or number - buffer.head == self._settings.batch
        if is_due:
            self._wake()
        if self._settings.sync == ALWAYS:
            buffer.sync(number)
        elif self._settings.sync != NEVER and not was_dirty and buffer.is_dirty:
            self._sync_later()

    def _make_room(self, may_wait: bool) -> None:
        """Lets an event in if there is room, however long it is; if there is none, does what was asked for."""
        self._refuse_if_closed()
        while self.buffer.size >= self._settings.capacity:
            if self._settings.when_full is WhenFull.DROP:
                self._drop()
            elif self._settings.when_full is WhenFull.WAIT and may_wait:
                self.sender.hurried = self.buffer.count
                self._wake()
                self.lock.wait()
                self._refuse_if_closed()
            else:
                raise BufferFull(
                    f"{self.waiting:,} events ({self.buffer.size:,} bytes) wait to be sent, there is no room for more:"
                    f" {self._reason}; make `capacity` larger, or say with `when_full` what to do"
                )

    def _refuse_if_closed(self) -> None:
        if self.is_closed:
            raise SensorClosed("the sensor was closed: it takes no more events")

    @property
    def _reason(self) -> str:
        trouble = self.sender.trouble
        return "the service does not keep up" if trouble is None else trouble.reason

    def _drop(self) -> None:
        """Gives up the oldest."""
        dropped = len(self.buffer.take(_DROPPED, self._settings.capacity // 10))
        self.buffer.release(self.buffer.head + dropped)
        if not self.counts.lost:
            _LOG.warning("the oldest events are given up: there is no room for more (%s)", self._reason)
        self.counts.lost += dropped

    @property
    def waiting(self) -> int:
        """How many events wait."""
        return self.buffer.count - self.buffer.head

    def hurry(self) -> int:
        """Lets nothing that waits wait for others; the number that the next event gets."""
        with self.lock:
            self.sender.hurried = self.buffer.count
        self._wake()
        return self.buffer.count

    def is_settled(self, number: int) -> bool:
        """Whether all events before a number are."""
        return self.buffer.head >= number

    def settled(self, number: int, seconds: float | None) -> bool:
        """Waits so long until all events before a number are settled; whether they are."""
        with self.lock:
            self.lock.wait_for(lambda: self.is_settled(number) or self._is_ended, seconds)
            return self.is_settled(number)

    def refuse_more(self) -> None:
        """Takes no more events, and lets nobody wait for room."""
        with self.lock:
            self.is_closed = True
            self.lock.notify_all()

    def close(self) -> None:
        """Ends what waits: on disk it is kept, in memory it is lost."""
        with self.lock:
            if isinstance(self.buffer, MemoryBuffer) and self.waiting:
                _LOG.warning("%d events were not sent and are lost: %s", self.waiting, self._reason)
                self.counts.lost += self.waiting
            self.buffer.close()
            self._is_ended = True
            self.lock.notify_all()


def seconds_until(due: int | None, clock: LocalClock) -> float | None:
    """Seconds until a reading of the counter; nothing if there is none."""
    return None if due is None else max(0.0, (due - clock.reading()) / SECOND)
