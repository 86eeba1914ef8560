"""A sensor for programs that run on asyncio.

The work is done by the threads of a `Sensor`, not by tasks of the loop: a write to a disk that is busy would stop every
task, a task that does not let go of the loop would stop the events, and order, retries and the buffer are there once.
`send` needs no thread, for it only appends to the buffer; where it may have to wait (for the first answer of the
service, for room, for the disk), it waits on another thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Unpack

from tocsin.events import Event, Heartbeat
from tocsin.sensor.absence import Absence
from tocsin.sensor.clocks import LocalClock
from tocsin.sensor.counts import Stats
from tocsin.sensor.dead_letters import Refusal
from tocsin.sensor.instruments import Instruments
from tocsin.sensor.sender import Trouble
from tocsin.sensor.sensor import Sensor
from tocsin.sensor.service import Service
from tocsin.sensor.settings import ALWAYS, Given, WhenFull
from tocsin.sensor.timers import Timers
from tocsin.time.stamps import Interval


class AsyncSensor(Instruments):
    """As `Sensor`, with coroutines where something may take time."""

    def __init__(
        self,
        url: str | None = None,
        source: str = "",
        key: str | None = None,
        *,
        service: Service | None = None,
        clock: LocalClock | None = None,
        on_refused: Callable[[Refusal], object] | None = None,
        on_trouble: Callable[[Trouble], object] | None = None,
        **given: Unpack[Given],
    ) -> None:
        self.sensor = Sensor(
            url, source, key, service=service, clock=clock, on_refused=on_refused, on_trouble=on_trouble, **given
        )
        settings = self.sensor.settings
        self._may_wait = settings.sync == ALWAYS or settings.when_full is WhenFull.WAIT
        self._is_first = True

    async def send(
        self,
        type: str,
        data: Mapping[str, object] | None = None,
        /,
        *,
        time: object = None,
        id: str | None = None,
        source: str | None = None,
        **attributes: object,
    ) -> str:
        """Reports an event that happened now; its id."""
        given = {**(data or {}), **attributes}
        if self._may_wait or self._is_first:
            sent = await asyncio.to_thread(self.sensor.send, type, given, time=time, id=id, source=source)
            self._is_first = False
            return sent
        return self.sensor.send(type, given, time=time, id=id, source=source)

    async def report(self, event: Event | Heartbeat) -> None:
        """Reports an event, or a heartbeat, as it was made elsewhere."""
        await asyncio.to_thread(self.sensor.report, event)

    async def flush(self, timeout: float | None = None) -> bool:
        """Waits until all events sent so far are settled; whether they are."""
        return await asyncio.to_thread(self.sensor.flush, timeout)

    async def synchronise(self, timeout: float = 5.0) -> bool:
        """Asks the service for its time, now; whether it is known."""
        return await asyncio.to_thread(self.sensor.synchronise, timeout)

    async def close(self, timeout: float = 5.0) -> bool:
        """Sends what waits, if it can be done in so many seconds, and ends the sensor; whether nothing is left."""
        return await asyncio.to_thread(self.sensor.close, timeout)

    def heartbeat(self) -> None:
        """Tells the service that the source lives."""
        self.sensor.heartbeat()

    def now(self) -> Interval:
        """The service's time, as far as it is known."""
        return self.sensor.now()

    @property
    def stats(self) -> Stats:
        """What became of the events, and what waits."""
        return self.sensor.stats

    async def __aenter__(self) -> AsyncSensor:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def _clock(self) -> LocalClock:  # type: ignore[override]  # a sensor's may be others after a fork
        return self.sensor._clock

    @property
    def _timers(self) -> Timers:  # type: ignore[override]
        return self.sensor._timers

    def _note(self, type: str, data: Mapping[str, object], reading: int | None = None) -> None:
        self.sensor._note(type, data, reading)

    def _new_id(self) -> str:
        return self.sensor._new_id()

    def _service_time(self, reading: int) -> int:
        return self.sensor._service_time(reading)

    def _observe(self, absence: Absence) -> None:
        self.sensor._observe(absence)
