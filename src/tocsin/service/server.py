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
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from tocsin.rules.budgets import Budgets
from tocsin.runtime.options import Options
from tocsin.service.access.key_sets import Tokens
from tocsin.service.access.keys import ApiKey, KeyRing
from tocsin.service.bodies import Coming, together
from tocsin.service.core import Core, CoreSettings, Overloaded, Receipt
from tocsin.service.deliveries.deliverer import Deliverer
from tocsin.service.deliveries.outbox import Limits as OutboxLimits
from tocsin.service.deliveries.outbox import Outbox
from tocsin.service.deliveries.records import Delivery, Record
from tocsin.service.deliveries.retries import schedule_of
from tocsin.service.deliveries.targets import Names, Target, place_of
from tocsin.service.delivery_rows import HEALTH, Senders, health_of, record_of
from tocsin.service.questioner import Questioner
from tocsin.service.records import AuditRecord, Entry, Kind, StoredDetection, Writes
from tocsin.service.requests import Request
from tocsin.service.retention import bounds
from tocsin.service.settings import Settings
from tocsin.service.store import Store, StoreError, StoreTaken, open_store
from tocsin.service.streams import Stream
from tocsin.service.traces import traced, tracing_to

if TYPE_CHECKING:
    from tocsin.service.site_observer import SiteObserver
    from tocsin.service.subscriptions import Subscriptions

log: Final = logging.getLogger("tocsin.service")
AGAIN: Final = 1.0
"""Seconds after which a commit that failed is tried again."""
GLANCE: Final = 0.5
"""Seconds after which it is looked at the clock, at the latest."""

PATIENT: Final = 0.05
"""Seconds for which the outcome of deliveries may wait for a commit that is made anyway: events and detections do not
wait for one that says no more than that somebody was told."""
BEHIND: Final = 2 << 20
"""Bytes that may wait to be evaluated before the rules have longer turns: decoded they take ten times as much."""
LONG_TURN: Final = 0.02
TURN: Final = 0.001
"""Seconds for which the rules are at work before others have their turn."""
NOTED_BEHIND: Final = 1_000_000
"""Microseconds by which the clock may be set back before that is told."""
PLANNING: Final = 2 << 30
"""Bytes of address space for planning one request."""
DELIVERING: Final = 10.0
"""Seconds for which deliveries under way are waited for at the end."""

T = TypeVar("T")


class NotWritable(Exception):
    """Nothing can be kept just now, so nothing is acknowledged."""


class _Ack(NamedTuple):
    """Somebody who waits until something lasts, and what they are told then."""

    reached: int
    answer: asyncio.Future[Any]
    told: Any = None


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
        self.tracing = tracing_to(settings.tracing)
        self.questioner = Questioner(settings.store.place, password=settings.store.password)
        self.historian = Questioner(settings.store.place, password=settings.store.password)
        """Goes through what is kept: nobody who asks why waits for a back-test."""
        self.planner = Questioner(settings.store.place, memory=PLANNING, password=settings.store.password)
        """Tries requests before they are taken: nobody waits there for a back-test."""
        self.subscriptions: Subscriptions | None = None
        self.sites: SiteObserver | None = None
        self.ring = KeyRing()
        provider = settings.access.oidc
        self.tokens = None if provider is None else Tokens(provider)
        self.trouble = ""
        """Why nothing can be written, while that is so."""
        self.lost = asyncio.Event()
        """Set when another service has taken the store: nothing is written any more, and this one has to stop."""
        self.began = 0
        self.snapshot_position = 0
        self._coming: list[Coming] = []
        self._acks: deque[_Ack] = deque()
        self._writers: deque[_Ack] = deque()
        self._answers: deque[_Ack] = deque()
        self._committing = asyncio.Lock()
        self._has_pending, self._has_work = asyncio.Event(), asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._since_snapshot = [0, 0]
        self.is_stopping = self._is_behind = False

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
        if self.settings.sites is not None:
            from tocsin.service.site_observer import SiteObserver  # here: most services look at no sites

            self.sites = SiteObserver(self.settings.sites)

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Lets something go on until the service stops."""
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(_reported)
        self._tasks.append(task)

    async def stop(self) -> None:
        """Evaluates and keeps what has come, writes a snapshot, and lets another have the store."""
        if self.subscriptions is not None:
            await self.subscriptions.stop()
        if self.sites is not None:
            await asyncio.to_thread(self.sites.close)
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
        await self.historian.close()
        await self.planner.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        _settle(self._answers, self.core.told)
        for ack in (*self._acks, *self._answers):
            if not ack.answer.done():
                ack.answer.set_exception(NotWritable())
        await self._in_writer(self.store.close)
        await self.read(lambda reader: reader.close())
        self._writing.shutdown()
        self.tracing.close()
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
            schedule=schedule_of(settings.retry_for),
            limits=OutboxLimits(settings.at_once),
            place=lambda request, target: place_of(self._target(request, target)),
        )
        return Deliverer(
            outbox,
            traced(Senders(self.settings), self.tracing),
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
        serial = self.core.keep_deliveries(record_of(row) for row in rows)
        asyncio.get_running_loop().call_later(PATIENT, self._has_pending.set)
        await self._written(serial)

    async def _in_writer(self, do: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._writing, do)

    async def read(self, do: Callable[[Store], T]) -> T:
        """What is read of the store, in a thread of its own: it sees what was committed."""
        return await asyncio.get_running_loop().run_in_executor(self._reading, do, self._reader)

    async def read_apart(self, do: Callable[[Store], T]) -> T:
        """The same for what takes long, with a thread and a connection of its own: nobody else waits for it."""
        kept = self.settings.store

        def read() -> T:
            with closing(open_store(kept.place, read_only=True, password=kept.password)) as store:
                return do(store)

        return await asyncio.to_thread(read)

    # -- what comes ----------------------------------------------------------------------------------------------------

    def accept(self, body: bytes, actor: str = "", may_send: Callable[[str], bool] | None = None) -> Awaitable[Receipt]:
        """Takes lines of JSON, with all others that have come meanwhile: what became of them, when they last."""
        self.check_writable()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Receipt] = loop.create_future()
        if not self._coming:
            loop.call_soon(self._take_coming)
        self._coming.append(Coming(body, actor, may_send, answer))
        return answer

    def _take_coming(self) -> None:
        coming, self._coming = self._coming, []
        now = self.clock()
        for some in together(coming):
            try:
                self.check_writable()
                bodies = [each.body for each in some]
                receipts = self.core.take_together(bodies, now, some[0].actor) if len(some) > 1 else None
                if receipts is None:
                    for each in some:
                        self._acknowledge(each, self.core.take(each.body, now, each.actor, each.may_send))
                else:
                    for each, receipt in zip(some, receipts, strict=True):
                        self._acknowledge(each, receipt)
            except Exception as error:  # noqa: BLE001 - whatever it is, whoever waits is told
                for each in some:
                    if not each.is_taken and not each.answer.done():
                        each.answer.set_exception(error)
        self._has_pending.set()

    def _acknowledge(self, coming: Coming, receipt: Receipt) -> None:
        """The answer is given when the log lasts up to the receipt's position."""
        coming.is_taken = True
        if receipt.position > self.core.durable:
            self._acks.append(_Ack(receipt.position, coming.answer, receipt))
        elif not coming.answer.done():
            coming.answer.set_result(receipt)

    def take(self, body: bytes, actor: str = "", may_send: Callable[[str], bool] | None = None) -> Receipt:
        """Takes lines of JSON; `lasting` says when they may be acknowledged."""
        self.check_writable()
        if self._coming:
            self._take_coming()  # which came before
        receipt = self.core.take(body, self.clock(), actor, may_send)
        self._has_pending.set()
        return receipt

    def check_writable(self) -> None:
        """Raises where nothing can be kept just now."""
        if self.trouble or self.is_stopping:
            raise NotWritable(self.trouble or "the service is stopping")

    def wake(self) -> None:
        """Something may wait to be kept."""
        self._has_pending.set()

    def lasting(self, position: int) -> Awaitable[None]:
        """Done when the log lasts up to a position."""
        ack = asyncio.get_running_loop().create_future()
        if position <= self.core.durable:
            ack.set_result(None)
        else:
            self._acks.append(_Ack(position, ack))
            self._has_pending.set()
        return ack

    def answered(self, position: int) -> Awaitable[None]:
        """Done when the log is evaluated up to a position, and what came of it lasts."""
        done = asyncio.get_running_loop().create_future()
        self._answers.append(_Ack(position, done))
        self._has_work.set()
        return done

    def written(self, serial: int) -> Awaitable[None]:
        """Done when the writes of a serial last, however long that takes."""
        self._has_pending.set()
        return self._written(serial)

    def _written(self, serial: int) -> Awaitable[None]:
        done = asyncio.get_running_loop().create_future()
        self._writers.append(_Ack(serial, done))
        return done

    def note_action(self, actor: str, action: str, subject: str, outcome: str = "done", details: str = "") -> None:
        """Somebody did something that the log does not have, or could not, and that is to be found in the audit."""
        self.core.audit(AuditRecord.of(self.clock(), actor, action, subject, outcome, details))
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
            _settle(self._answers, self.core.told)
            if writes.announced:
                self.deliverer.add(writes.announced)
            self._evaluate()  # so that what is found lasts with the next commit, and not with the one behind it

    async def _kept(self, writes: Writes) -> None:
        """Makes writes last, however often that has to be tried: meanwhile nothing is acknowledged or taken."""
        while True:
            try:
                with self.tracing.span("commit", entries=len(writes.entries), detections=len(writes.found)):
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
        for waiting in (*self._writers, *self._answers):
            if not waiting.answer.done():
                waiting.answer.set_exception(NotWritable(self.trouble))
        self._writers.clear()
        self.lost.set()

    def _refuse_waiting(self) -> None:
        """Who waits is told that it is not known whether what was sent will last: it may be sent again."""
        while self._acks:
            ack = self._acks.popleft()
            if not ack.answer.done():
                ack.answer.set_exception(NotWritable(self.trouble))

    async def _work(self) -> None:
        while True:
            await self._has_work.wait()
            self._has_work.clear()
            _settle(self._answers, self.core.told)
            while self.core.is_broken or not self.core.is_idle:
                self._evaluate()
                if self.core.is_broken:
                    log.error("a rule broke the engine: the others are made again without it")
                    await self._mended()
                await asyncio.sleep(0)  # others have their turn

    def _evaluate(self) -> None:
        """Lets the rules see what lasts, for a while."""
        until = time.monotonic() + (TURN if self.core.queued <= BEHIND else LONG_TURN)
        with self.tracing.span("evaluate"):
            while not self.core.is_idle and not self.core.is_broken and time.monotonic() < until:
                if self.core.work():
                    self._has_pending.set()
        _settle(self._answers, self.core.told)

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
            self._look_at_clock(now)
            if self.core.tick(now):
                self._has_pending.set()
            entries, size = self._since_snapshot
            is_due = entries >= limits.entries or size >= limits.bytes or (entries and now - saved >= limits.every)
            if is_due and await self.save():
                saved = now

    def _look_at_clock(self, now: int) -> None:
        """Says so when the machine's clock was set back: what comes until it has caught up has one arrival."""
        behind = self.core.clock - now
        if behind > NOTED_BEHIND and not self._is_behind:
            log.warning(
                "the clock is %.0f s behind the last event: until it has caught up, all that comes is taken to come at"
                " one time, and timers wait",
                behind / 1e6,
            )
        self._is_behind = behind > NOTED_BEHIND

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
        settings, now = self.settings, self.clock()
        gone = await self._in_writer(lambda: bounds(settings.retention, settings.remember, self.store, now))
        while await self._in_writer(
            lambda: self.store.prune(
                events_before=gone.events,
                found_before=gone.detections,
                keep_from=keep_from,
                audit_before=gone.changes,
            )
        ):
            pass  # some at a time: commits have their turn between them


def core_settings(settings: Settings) -> CoreSettings:
    """What the core has to know of the settings."""
    defaults, limits = settings.defaults, settings.limits
    options = Options(
        context=defaults.context,
        order=defaults.order,
        window=defaults.window,
        budgets=Budgets(limits.request_state, limits.all_state),
    )
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


def _settle(waiting: deque[_Ack], reached: int) -> None:
    """Whoever waits for no more than what was reached need not wait any longer."""
    while waiting and waiting[0].reached <= reached:
        ack = waiting.popleft()
        if not ack.answer.done():
            ack.answer.set_result(ack.told)


def _reported(task: asyncio.Task[None]) -> None:
    """A task that ended by an error is told: nothing ends in silence."""
    with suppress(asyncio.CancelledError):
        error = task.exception()
        if error is not None:
            log.critical("%s ended: %r", task.get_coro(), error, exc_info=error)


__all__ = ["Entry", "Kind", "NotWritable", "Overloaded", "Service", "StoredDetection", "core_settings", "wall_clock"]
