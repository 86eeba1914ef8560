"""The outbox at work in an event loop: what is due is sent, and what came of it is written.

    deliverer = Deliverer(outbox, senders, target_of=..., fetch=..., persist=...)
    task = asyncio.create_task(deliverer.run())
    deliverer.add(rows)                     once they are durable
    deliverer.change(lambda outbox, now: outbox.enable(...))
    await deliverer.stop(10.0)

Rows are written in the order in which they came about, those of many attempts at a time. Nothing new is tried while
too many wait to be written, or they cannot be: what was not written is delivered again after a crash.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from tocsin.service.deliveries.outbox import Attempt, Outbox
from tocsin.service.deliveries.records import Delivery, Record
from tocsin.service.deliveries.senders import Outcome, Result, Senders, message_of
from tocsin.service.deliveries.targets import Target

TargetOf = Callable[[str, int], Target | None]
Fetch = Callable[[int], Awaitable[bytes | None]]
Persist = Callable[[Sequence[Record]], Awaitable[None]]
Change = Callable[[Outbox, int], list[Record]]

_UNWRITTEN: Final = 2_000
"""Rows that may wait to be written before nothing new is tried."""
_PAUSE: Final = 0.5
"""Seconds before rows that could not be written are tried again; twice as long each time."""
_LONGEST: Final = 10.0
_SECOND: Final = 1_000_000


def wall_clock() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


class Deliverer:
    """Delivers what an outbox holds.

    `target_of` says which target a request has at a number (none: it is gone), `fetch` reads what a notification says
    (nothing: it is kept no longer), `persist` writes rows, all or none of them, and returns when they last.
    """

    def __init__(
        self,
        outbox: Outbox,
        senders: Senders,
        *,
        target_of: TargetOf,
        fetch: Fetch,
        persist: Persist,
        clock: Callable[[], int] = wall_clock,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.outbox, self._senders, self._target_of = outbox, senders, target_of
        self._fetch, self._persist, self._clock, self._say = fetch, persist, clock, say
        self.counts: Counter[Result] = Counter()
        """What came of attempts since the start."""
        self._awake, self._to_write, self._all_written = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._over = asyncio.Event()
        self._over.set()
        self._unwritten: list[Record] = []
        self._flights: set[asyncio.Task[None]] = set()
        self._is_running = self._is_stopped = self._cannot_write = False
        self._asleep_until: int | None = None
        """When `run` looks at the outbox next by itself; None: not before it is told to."""

    def add(self, rows: Iterable[Delivery]) -> None:
        """Takes in notifications whose rows are durable, and begins with them. It is for the loop's own thread."""
        self.outbox.add(rows)
        self._begin_others()

    def change(self, change: Change) -> list[Record]:
        """Does something to the outbox, as `redrive` or `cancel`; the rows are written with the others."""
        rows = change(self.outbox, self._clock())
        self._note(rows)
        self._begin_others()
        return rows

    async def run(self) -> None:
        """Delivers until `stop`."""
        self._is_running = not self._is_stopped
        self._over.clear()
        writing = asyncio.create_task(self._write())
        try:
            while self._is_running:
                self._awake.clear()
                self._begin_others()
                await self._sleep()
        finally:
            self._is_running = False
            self._to_write.set()
            await writing
            self._over.set()

    async def settled(self) -> None:
        """Waits until all rows so far are written."""
        while self._unwritten:
            self._all_written.clear()
            await self._all_written.wait()

    async def stop(self, seconds: float) -> None:
        """Begins nothing more, waits so long for what is under way, writes what came of it, and lets `run` end. What is
        not known then is tried again after the next start."""
        self._is_running, self._is_stopped = False, True
        self._awake.set()
        if self._flights:
            _, late = await asyncio.wait(self._flights, timeout=seconds)
            for each in late:
                each.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        self._to_write.set()
        await self._over.wait()
        for sender in self._senders.values():
            await sender.close()

    # -- attempts ------------------------------------------------------------------------------------------------------

    def _begin(self) -> Attempt | None:
        """Begins what is due, each in a flight of its own, but for one attempt, which is left to the caller."""
        if not self._is_running or self._cannot_write or len(self._unwritten) >= _UNWRITTEN:
            return None
        now = self._clock()
        attempts = self.outbox.due(now)
        for attempt in attempts[1:]:
            self._fly(attempt)
        due = self.outbox.next_due(now)
        if due is not None and (self._asleep_until is None or due < self._asleep_until):
            self._awake.set()
        return attempts[0] if attempts else None

    def _begin_others(self) -> None:
        """Begins what is due, each in a flight of its own."""
        self._fly(self._begin())

    def _fly(self, attempt: Attempt | None) -> None:
        if attempt is not None:
            flight = asyncio.create_task(self._flight(attempt))
            self._flights.add(flight)
            flight.add_done_callback(self._landed)

    def _landed(self, flight: asyncio.Task[None]) -> None:
        self._flights.discard(flight)
        if not flight.cancelled() and (error := flight.exception()) is not None:
            self._say(f"a delivery broke off, and is tried again after the next start: {error!r}")
        if not self._is_running:
            self._to_write.set()

    async def _sleep(self) -> None:
        """Waits until something may be due, or somebody says so."""
        now = self._clock()
        can_begin = not self._cannot_write and len(self._unwritten) < _UNWRITTEN
        self._asleep_until = self.outbox.next_due(now) if can_begin else None
        if self._asleep_until is None:
            await self._awake.wait()
            return
        try:
            # not for long at a time: the clock may be set
            async with asyncio.timeout(min(max(0.0, (self._asleep_until - now) / _SECOND), 60.0)):
                await self._awake.wait()
        except TimeoutError:
            return

    async def _flight(self, attempt: Attempt) -> None:
        """Makes an attempt; and then the next that is due, as long as there is one."""
        following: Attempt | None = attempt
        while following is not None:
            outcome = await self._sent(following)
            if outcome is None:
                self._note(self.outbox.cancel(following.request, self._clock(), following.target))
                outcome = Outcome(Result.REFUSED, "its target is gone")
            self.counts[outcome.result] += 1
            self._note(self.outbox.done(following, outcome, self._clock()))
            if outcome.result is Result.REFUSED:
                await asyncio.sleep(0)  # nothing was waited for: thousands of these shall not keep the loop
            following = self._begin()

    async def _sent(self, attempt: Attempt) -> Outcome | None:
        """What comes of an attempt; None if there is no such target any more."""
        target = self._target_of(attempt.request, attempt.target)
        if target is None:
            return None
        sender = self._senders.get(type(target))
        if sender is None:
            return Outcome(Result.REFUSED, f"this service sends nothing to a {type(target).__name__.lower()}")
        try:
            body = await self._fetch(attempt.number)
            if body is None:
                return Outcome(Result.REFUSED, "what it says is kept no longer")
            return await sender.send(target, message_of(attempt.request, body))
        except Exception as error:  # noqa: BLE001 - whatever it is, this attempt failed and the others go on
            return Outcome(Result.FAILED, f"{type(error).__name__}: {error}")

    # -- rows ----------------------------------------------------------------------------------------------------------

    def _note(self, rows: Sequence[Record]) -> None:
        if rows:
            self._unwritten += rows
            self._to_write.set()

    async def _write(self) -> None:
        """Writes rows until all are written and nothing more comes."""
        pause = _PAUSE
        while True:
            if not self._unwritten:
                self._all_written.set()
                if not self._is_running and not self._flights:
                    return
                self._to_write.clear()
                await self._to_write.wait()
                continue
            some = list(self._unwritten)
            try:
                await self._persist(some)
            except Exception as error:  # noqa: BLE001 - nothing may be lost, whatever the store cannot do
                self._say(f"deliveries cannot be written, and nothing more is delivered until they are: {error}")
                self._cannot_write = True
                if not self._is_running and not self._flights:
                    return
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST)
                continue
            has_waited = self._cannot_write or len(self._unwritten) >= _UNWRITTEN
            del self._unwritten[: len(some)]
            pause, self._cannot_write = _PAUSE, False
            if has_waited:
                self._awake.set()
