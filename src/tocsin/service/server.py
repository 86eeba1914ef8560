"""The core among threads, sockets and clocks: group commit, time, snapshots, and whoever is to be told.

The core runs in the event loop, the store in a thread of its own. What came while one commit was under way is the next.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tocsin.rules.budgets import Budgets
from tocsin.runtime.options import Options
from tocsin.service.access.key_sets import Tokens
from tocsin.service.access.keys import ApiKey, KeyRing
from tocsin.service.asking import Questioner
from tocsin.service.core import Core, CoreSettings, Overloaded, Receipt
from tocsin.service.deliveries.deliverer import Deliverer
from tocsin.service.deliveries.outbox import Limits as OutboxLimits
from tocsin.service.deliveries.outbox import Outbox
from tocsin.service.deliveries.records import Delivery, Record
from tocsin.service.deliveries.targets import Names, Target, place_of
from tocsin.service.delivery_rows import HEALTH, health_of, record_of, senders_of
from tocsin.service.records import AuditRecord, Entry, Found, Kind, Writes
from tocsin.service.requests import Request
from tocsin.service.settings import Settings
from tocsin.service.store import Store, StoreError, StoreTaken, open_store
from tocsin.service.streams import Stream

if TYPE_CHECKING:
    from tocsin.service.subscriptions import Subscriptions

log: Final = logging.getLogger("tocsin.service")
AGAIN: Final = 1.0
"""Seconds after which a commit that failed is tried again."""
GLANCE: Final = 0.5
"""Seconds after which it is looked at the clock, at the latest."""

PLANNING: Final = 2 << 30
"""Bytes of address space for planning one request."""
DELIVERING: Final = 10.0
"""Seconds for which deliveries under way are waited for at the end."""

T = TypeVar("T")


class NotWritable(Exception):
    """Nothing can be kept just now, so nothing is acknowledged."""


def wall_clock() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


class Service:
    """A service at work. `start` and `stop` are called in the event loop that it lives in."""

    def __init__(self, settings: Settings, *, clock: Callable[[], int] = wall_clock) -> None:
        self.settings, self.clock = settings, clock
        self.core = Core(core_settings(settings))
        self.store: Store = open_store(settings.store.place, password=settings.store.password)
        self._reader = open_store(settings.store.place, read_only=True, password=settings.store.password)
        self._writing = ThreadPoolExecutor(1, "tocsin-store")
        self._reading = ThreadPoolExecutor(1, "tocsin-history")
        self.stream = Stream(0)
        self.questioner = Questioner(settings.store.place, password=settings.store.password)
        self.planner = Questioner(settings.store.place, memory=PLANNING, password=settings.store.password)
        """Tries requests before they are taken: nobody waits there for a back-test."""
        self.subscriptions: Subscriptions | None = None
        self.ring = KeyRing()
        provider = settings.access.oidc
        self.tokens = None if provider is None else Tokens(provider)
        self.trouble = ""
        """Why nothing can be written, while that is so."""
        self.lost = asyncio.Event()
        """Set when another service has taken the store: nothing is written any more, and this one has to stop."""
        self.began = 0
        self.snapshot_position = 0
        self._acks: deque[tuple[int, asyncio.Future[None]]] = deque()
        self._writers: deque[tuple[int, asyncio.Future[None]]] = deque()
        self._committing = asyncio.Lock()
        self._has_pending, self._has_work = asyncio.Event(), asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._since_snapshot = [0, 0]
        self.is_stopping = False

    # -- beginning and end ---------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Takes the store, goes on where the last service was, and begins to work."""
        await self._in_writer(self.store.acquire)
        self.began = self.clock()
        await self._in_writer(lambda: self.core.recover(self.store, self.began))
        for record in await self._in_writer(self.store.keys):
            self.ring.put(ApiKey.of_json(record))
        self.stream = Stream(self.core.number)
        self.snapshot_position = self.core.processed
        self.deliverer = await self._delivering()
        for task in (self._commit, self._work, self._tick, self.deliverer.run):
            self.begin(task())
        self._has_work.set()
        self._has_pending.set()
        if self.settings.subscriptions:
            from tocsin.service.subscriptions import Subscriptions  # here: most services follow nothing

            self.subscriptions = Subscriptions(self, self.settings.subscriptions)
            self.subscriptions.start()

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Lets something go on until the service stops."""
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(_reported)
        self._tasks.append(task)

    async def stop(self) -> None:
        """Evaluates and keeps what has come, writes a snapshot, and lets another have the store."""
        if self.subscriptions is not None:
            await self.subscriptions.stop()
        self.is_stopping = True
        self.stream.close()
        if not self.trouble:
            await self.deliverer.stop(DELIVERING)
            while not self.core.is_idle:
                self.core.work()
            try:
                await self._commit_pending()
                await self.save()
            except StoreTaken as error:
                self._lose(error)
            except StoreError as error:
                log.warning("not all could be kept; what was acknowledged is in the log: %s", error)
        for task in self._tasks:
            task.cancel()
        await self.questioner.close()
        await self.planner.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for _, ack in self._acks:
            if not ack.done():
                ack.set_exception(NotWritable())
        await self._in_writer(self.store.close)
        await self.read(lambda reader: reader.close())
        self._writing.shutdown()
        self._reading.shutdown()

    async def _delivering(self) -> Deliverer:
        """Who delivers what was not delivered yet, and what comes."""
        rows = await self._in_writer(lambda: self.store.deliveries(("pending",)))
        healths = await self._in_writer(lambda: self.store.deliveries((HEALTH,), after=-1))
        settings = self.settings.deliveries
        outbox = Outbox(
            map(Delivery.of_json, rows),
            map(health_of, healths),
            now=self.began,
            limits=OutboxLimits(settings.at_once),
            place=lambda request, target: place_of(self._target(request, target)),
        )
        return Deliverer(
            outbox,
            senders_of(self.settings),
            target_of=self._target,
            fetch=self._body,
            persist=self._keep_deliveries,
            clock=self.clock,
            say=lambda text: log.error("%s", text),
        )

    def retarget(self, before: Request, after: Request | None) -> None:
        """A request goes, or has other targets: those that are gone get nothing more, others begin anew."""
        targets = () if after is None else after.targets
        for index, target in enumerate(before.targets):
            if index >= len(targets):
                self.deliverer.change(lambda outbox, now, index=index: outbox.cancel(before.id, now, index))  # type: ignore[misc]
            elif targets[index] != target:
                self.deliverer.change(lambda outbox, now, index=index: outbox.enable(before.id, index, now))  # type: ignore[misc]

    def _target(self, request: str, target: int) -> Target | None:
        found = self.core.asked.requests.get(request)
        return None if found is None or target >= len(found.targets) else found.targets[target]

    async def _body(self, number: int) -> bytes | None:
        held = self.stream.held(number)
        if held is not None:
            return held
        found = await self.read(lambda store: store.numbered([number]))
        return found.get(number)

    async def _keep_deliveries(self, rows: Sequence[Record]) -> None:
        await self.written(self.core.keep_deliveries(record_of(row) for row in rows))

    async def _in_writer(self, do: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._writing, do)

    async def read(self, do: Callable[[Store], T]) -> T:
        """What is read of the store, in a thread of its own: it sees what was committed."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, do, self._reader)

    # -- what comes ----------------------------------------------------------------------------------------------------

    def take(self, body: bytes, actor: str = "", may_send: Callable[[str], bool] | None = None) -> Receipt:
        """Takes lines of JSON; `lasting` says when they may be acknowledged."""
        self.check_writable()
        receipt = self.core.take(body, self.clock(), actor, may_send)
        self._has_pending.set()
        return receipt

    def check_writable(self) -> None:
        """Raises where nothing can be kept just now."""
        if self.trouble or self.is_stopping:
            raise NotWritable(self.trouble or "the service is stopping")

    def lasting(self, position: int) -> Awaitable[None]:
        """Done when the log lasts up to a position."""
        ack = asyncio.get_running_loop().create_future()
        if position <= self.core.durable:
            ack.set_result(None)
        else:
            self._acks.append((position, ack))
            self._has_pending.set()
        return ack

    def written(self, serial: int) -> Awaitable[None]:
        """Done when the writes of a serial last, however long that takes."""
        done = asyncio.get_running_loop().create_future()
        self._writers.append((serial, done))
        self._has_pending.set()
        return done

    def note_action(self, actor: str, action: str, subject: str) -> None:
        """Somebody did something that changes nothing, and is to be found in the audit."""
        self.core.audit(AuditRecord(self.clock(), actor, action, subject))
        self._has_pending.set()

    def refused(self, reason: str, actor: str, text: str) -> None:
        """Something came that is no event."""
        self.core.refuse(reason, self.clock(), actor, text)
        self._has_pending.set()

    async def keep_keys(self, records: list[ApiKey], action: str, actor: str) -> None:
        """Keys are as these records say, once that lasts."""
        self.check_writable()
        await self.written(self.core.keep_keys([record.to_json() for record in records], action, self.clock(), actor))
        for record in records:
            self.ring.put(record)

    # -- what goes on --------------------------------------------------------------------------------------------------

    async def _commit(self) -> None:
        while True:
            await self._has_pending.wait()
            self._has_pending.clear()
            try:
                await self._commit_pending()
            except StoreTaken as error:
                self._lose(error)
                return
            except StoreError:
                return  # it stops, and was told

    async def _commit_pending(self) -> None:
        async with self._committing:  # who stops waits for what is under way, and does the rest
            await self._commit_all()

    async def _commit_all(self) -> None:
        while (writes := self.core.pending()) is not None:
            await self._kept(writes)
            self.core.committed(writes)
            _settle(self._acks, self.core.durable)
            _settle(self._writers, writes.serial)
            if writes.entries:
                self._since_snapshot[0] += len(writes.entries)
                self._since_snapshot[1] += sum(len(each.body) for each in writes.entries)
                self._has_work.set()
            if writes.found:
                self.stream.tell(writes.found)
            if writes.announced:
                self.deliverer.add(writes.announced)

    async def _kept(self, writes: Writes) -> None:
        """Makes writes last, however often that has to be tried: meanwhile nothing is acknowledged or taken."""
        while True:
            try:
                await self._in_writer(lambda: self.store.commit(writes))
            except StoreError as error:
                if not self.trouble:
                    log.warning("cannot write: %s", error)
                self.trouble = str(error)
                self._refuse_waiting()
                if self.is_stopping:
                    raise
                await asyncio.sleep(AGAIN)
            else:
                if self.trouble:
                    log.warning("can write again")
                self.trouble = ""
                return

    def _lose(self, error: StoreTaken) -> None:
        """Another service goes on from what was kept; what waits here was acknowledged to nobody."""
        log.critical("this service writes no more: %s", error)
        self.trouble = str(error)
        self._refuse_waiting()
        for _, done in self._writers:
            if not done.done():
                done.set_exception(NotWritable(self.trouble))
        self._writers.clear()
        self.lost.set()

    def _refuse_waiting(self) -> None:
        """Who waits is told that it is not known whether what was sent will last: it may be sent again."""
        while self._acks:
            _, ack = self._acks.popleft()
            if not ack.done():
                ack.set_exception(NotWritable(self.trouble))

    async def _work(self) -> None:
        while True:
            await self._has_work.wait()
            self._has_work.clear()
            while not self.core.is_idle:
                if self.core.work():
                    self._has_pending.set()
                if self.core.is_broken:
                    log.error("a rule broke the engine: the others are made again without it")
                    await self._mended()
                await asyncio.sleep(0)  # others have their turn after each slice

    async def _mended(self) -> None:
        """The core reads the log again, which nobody else may do meanwhile: the store has one thread."""
        kept = self.settings.store
        store = open_store(kept.place, read_only=True, password=kept.password)
        try:
            self.core.mend(store)
        finally:
            store.close()

    async def _tick(self) -> None:
        limits = self.settings.snapshots
        saved = self.clock()
        while True:
            await asyncio.sleep(self._patience())
            now = self.clock()
            if self.core.tick(now):
                self._has_pending.set()
            entries, size = self._since_snapshot
            is_due = entries >= limits.entries or size >= limits.bytes or (entries and now - saved >= limits.every)
            if is_due and await self.save():
                saved = now

    def _patience(self) -> float:
        due = self.core.next_due()
        seconds = GLANCE if due is None else (due - self.clock()) / 1e6
        return min(max(seconds, 0.001), GLANCE)

    async def save(self) -> bool:
        """Writes a snapshot; what stands in it was committed before. Whether it could be."""
        snapshot = self.core.snapshot(self.clock())
        if snapshot is None or self.trouble:
            return False
        if snapshot.position == self.snapshot_position:
            return True
        self._since_snapshot = [0, 0]
        try:
            await self._in_writer(lambda: self.store.save(snapshot))
            self.snapshot_position = snapshot.position
            await self._pruned(self.core.keep_from)
        except StoreError as error:
            log.warning("cannot save a snapshot: %s", error)
            return False
        except StoreTaken as error:
            self._lose(error)
            return False
        return True

    async def _pruned(self, keep_from: int) -> None:
        """Forgets what is older than is asked for; what is needed to tell repeats stays."""
        kept, now = self.settings.retention, self.clock()
        events = 0 if kept.events.time is None else now - max(kept.events.time, self.settings.remember)
        found = 0 if kept.detections.time is None else now - kept.detections.time
        while await self._in_writer(
            lambda: self.store.prune(events_before=events, found_before=found, keep_from=keep_from)
        ):
            pass  # some at a time: commits have their turn between them


def core_settings(settings: Settings) -> CoreSettings:
    """What the core has to know of the settings."""
    defaults, limits = settings.defaults, settings.limits
    options = Options(context=defaults.context, order=defaults.order, window=defaults.window, budgets=Budgets())
    return CoreSettings(
        options,
        settings.remember,
        accepts_undeclared=settings.undeclared == "accept",
        allows_unbounded=defaults.allow_unbounded,
        names=Names(tuple(settings.deliveries.files), tuple(settings.deliveries.programs)),
        most_queued=limits.queue,
        most_requests_each=limits.rules_per_owner,
        most_expression=limits.expression,
    )


def _settle(waiting: deque[tuple[int, asyncio.Future[None]]], reached: int) -> None:
    """Whoever waits for no more than what was reached need not wait any longer."""
    while waiting and waiting[0][0] <= reached:
        _, ack = waiting.popleft()
        if not ack.done():
            ack.set_result(None)


def _reported(task: asyncio.Task[None]) -> None:
    """A task that ended by an error is told: nothing ends in silence."""
    with suppress(asyncio.CancelledError):
        error = task.exception()
        if error is not None:
            log.critical("%s ended: %r", task.get_coro(), error, exc_info=error)


__all__ = ["Entry", "Found", "Kind", "NotWritable", "Overloaded", "Service", "core_settings", "wall_clock"]
