"""A connection to NATS in a thread of its own, and what goes over it by hand: pulled messages, and publishing.

Everything that is awaited runs in that thread. Whoever waits outside is told of a connection that has ended.
"""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from tocsin.errors import MissingDependency, UsageError
from tocsin.transports.address import Address, tls_of
from tocsin.transports.contract import MOST, Received
from tocsin.transports.unreachable import PROBING, Unreachable

if TYPE_CHECKING:
    from types import TracebackType

    from nats.aio.client import Client

_ANSWER: Final = 5.0
"""Seconds in which a broker that is there answers."""
_ASKED: Final = 5.0
"""Seconds for which messages are asked for: then they are asked for again."""
_BUFFERED: Final = 2 * MOST
"""Messages that wait for whoever receives, before no more are asked for."""
_UNDER_WAY: Final = 8192
"""Messages that are sent before the first of them was taken."""
_NEXT: Final = "$JS.API.CONSUMER.MSG.NEXT"
_Made = TypeVar("_Made")


def library() -> Any:
    """The client library."""
    try:
        import nats
    except ImportError:
        raise MissingDependency("nats-py", "brokers") from None
    return nats


class Link:
    """A connection. It does not come back by itself: what was under way is begun again by whoever has it."""

    def __init__(self, address: Address) -> None:
        library()
        self._address = address
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tocsin-nats", daemon=True)
        self._thread.start()
        self.is_lost = False
        self._pull: Pull | None = None
        try:
            self.connection: Client = self.call(connected(address, self._closed))
        except BaseException:
            self._stop()
            raise

    def call(self, made: Awaitable[_Made]) -> _Made:
        """What a coroutine gives; `Unreachable` where the connection ends meanwhile."""
        nats = library()
        try:
            return asyncio.run_coroutine_threadsafe(_awaited(made), self._loop).result()
        except nats.js.errors.APIError:
            raise
        except (OSError, TimeoutError, nats.errors.Error) as error:
            raise Unreachable(
                f"{self._address}: NATS has gone away: {error or type(error).__name__}".rstrip(": ")
            ) from None

    def soon(self, made: Coroutine[Any, Any, Any]) -> None:
        """Lets a coroutine run; nobody waits for it."""
        asyncio.run_coroutine_threadsafe(made, self._loop)

    def close(self) -> None:
        """Ends the connection, and the thread."""
        if self._loop.is_closed():
            return
        with suppress(Unreachable, RuntimeError):
            self.call(self.connection.close())
        self._stop()

    def _stop(self) -> None:
        with suppress(Unreachable):
            self.call(_cancelled())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _closed(self) -> None:
        self.is_lost = True
        if self._pull is not None:
            self._pull.fail("the connection has ended")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # -- JetStream, awaited ----------------------------------------------------------------------------------------

    async def pull(self, stream: str, subject: str, first: int, name: str) -> Pull:
        """Messages from a number on; for a name by a durable consumer that begins there."""
        api, manager = library().js.api, self.connection.jsm()
        config = api.ConsumerConfig(
            durable_name=name or None,
            deliver_policy=api.DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=max(first, 1),
            ack_policy=api.AckPolicy.ALL if name else api.AckPolicy.NONE,
            ack_wait=24 * 3600.0 if name else None,
            max_ack_pending=-1 if name else None,
            filter_subject=subject,
            inactive_threshold=None if name else 60.0,
            mem_storage=None if name else True,
        )
        if name:
            with suppress(library().js.errors.NotFoundError):
                await manager.delete_consumer(stream, name)
        made = await manager.add_consumer(stream, config)
        self._pull = Pull(self._loop, self.connection, f"{_NEXT}.{stream}.{made.name}", made.num_pending, stream)
        await self._pull.begin()
        return self._pull

    async def acknowledged(self, stream: str, name: str) -> int | None:
        """The number up to which a durable consumer has acknowledged; None if there is none."""
        try:
            found = await self.connection.jsm().consumer_info(stream, name)
        except library().js.errors.NotFoundError:
            return None
        first = found.config.opt_start_seq or 1
        return max(found.ack_floor.stream_seq if found.ack_floor else 0, first - 1)

    async def bucket(self, name: str) -> Any:
        """A bucket of keys and values, made if it is not there."""
        nats, context = library(), self.connection.jetstream()
        try:
            return await context.key_value(name)
        except nats.js.errors.BucketNotFoundError:
            return await context.create_key_value(nats.js.api.KeyValueConfig(bucket=name, history=1))
        except nats.js.errors.ServiceUnavailableError:
            raise UsageError(f"{self._address}: JetStream is not enabled there (nats-server --jetstream)") from None


async def _awaited(made: Awaitable[_Made]) -> _Made:
    return await made


async def _cancelled() -> None:
    """Ends what still runs in the loop."""
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


class Pull:
    """A consumer that is asked for messages, many at a time, before whoever receives them waits for them."""

    def __init__(self, loop: asyncio.AbstractEventLoop, connection: Client, subject: str, pending: int, stream: str):
        self._loop, self._connection, self._subject, self._stream = loop, connection, subject, stream
        self._inbox = connection.new_inbox()
        self._came: list[Any] = []
        self._wanted, self._asked_at = 0, 0.0
        self._pending = pending
        self._changed = threading.Condition()
        self._is_woken = self._is_waited_for = False
        self.failure: str | None = None

    @property
    def lag(self) -> int:
        """Messages that were there when the last one came, and were not taken."""
        came = self._came[:]
        return len(came) + (_numbers(came[-1].reply)[2] if came else self._pending)

    async def begin(self) -> None:
        """Listens, and asks."""
        await listen(self._connection, self._inbox, self._take)
        self._loop.call_later(_ASKED, self._look)
        await self._ask()

    async def _ask(self) -> None:
        """Asks for more, unless it has or much waits."""
        if self._wanted or len(self._came) >= _BUFFERED or self.failure is not None:
            return
        self._wanted, self._asked_at = MOST, self._loop.time()
        asked = {"batch": MOST, "expires": int(_ASKED * 1e9)}
        try:
            await self._connection.publish(self._subject, json.dumps(asked).encode(), reply=self._inbox)
        except (OSError, library().errors.Error) as error:
            self.fail(str(error))

    def _take(self, message: Any) -> None:
        if message.reply:
            self._wanted -= 1
            self._came.append(message)  # a list is safe between threads: no lock for each message
            if self._is_waited_for:
                self._notify()
            if not self._wanted:
                self._loop.create_task(self._ask())
            return
        status = (message.headers or {}).get("Status", "")
        if status in ("404", "408"):  # there are none, or not as many
            self._wanted = 0
            self._loop.create_task(self._ask())
        elif status != "100":
            self.fail((message.headers or {}).get("Description", f"status {status}"))

    def _look(self) -> None:
        """Whether the broker still answers what it was asked."""
        if self._wanted and self._loop.time() - self._asked_at > _ASKED + _ANSWER:
            self._asked_at = self._loop.time() if len(self._came) else self._asked_at
            if not self._came:
                self.fail("the consumer does not answer")
        if self.failure is None:
            self._loop.call_later(1.0, self._look)

    def _notify(self) -> None:
        with self._changed:
            self._is_waited_for = False
            self._changed.notify_all()

    def fail(self, why: str) -> None:
        """Nothing more will come."""
        self.failure = why
        self._notify()

    # -- from outside ----------------------------------------------------------------------------------------------

    def wait(self, seconds: float) -> None:
        """Until something has come, or something is wrong."""
        with self._changed:
            self._is_waited_for = True
            self._changed.wait_for(lambda: bool(self._came) or self.failure is not None or self._is_woken, seconds)
            self._is_waited_for = False

    def wake(self) -> None:
        """Whoever waits need not any more."""
        with self._changed:
            self._is_woken = True
            self._changed.notify_all()

    def take(self, most: int) -> list[tuple[Received, int, str]]:
        """What has come, at most so many messages: with their numbers, and where they are acknowledged."""
        some = self._came[:most]
        del self._came[: len(some)]
        if not some:
            return []
        if not self._wanted and not self._loop.is_closed():
            asyncio.run_coroutine_threadsafe(self._ask(), self._loop)
        made, place = [], f"{self._stream}/"
        for each in some:
            number, moment, self._pending = _numbers(each.reply)
            received = Received(each.data, each.headers or {}, f"{place}{number}", moment // 1000)
            made.append((received, number, each.reply))
        return made


def _numbers(reply: str) -> tuple[int, int, int]:
    """What the subject of an acknowledgement tells: the number in the stream, when it came, and how many follow."""
    parts = reply.split(".")
    at = 5 if len(parts) == 9 else 7  # a domain and an account may stand before
    return int(parts[at]), int(parts[at + 2]), int(parts[at + 3])


class Sent:
    """Messages that are under way to a subject. Each is sent again, by another connection, until it was taken."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._under_way: dict[int, tuple[bytes, dict[str, str] | None]] = {}
        self._count = self.taken = 0
        self._connection: Any = None
        self._inbox = ""
        self._moved: asyncio.Event
        self._failure: str | None = None

    async def begin(self, connection: Client) -> None:
        """Goes on by a new connection: what was under way is sent again."""
        self._connection, self._inbox, self._moved, self._failure = (
            connection,
            connection.new_inbox(),
            asyncio.Event(),
            None,
        )
        await listen(connection, f"{self._inbox}.*", self._answer)
        for number, (body, headers) in list(self._under_way.items()):
            await connection.publish(self._address.path, body, f"{self._inbox}.{number}", headers)

    async def send(self, messages: list[tuple[bytes, dict[str, str] | None]], is_last: bool) -> None:
        """Sends messages, and waits until few are under way; if they are the last, until none is."""
        path, inbox, publish = self._address.path, self._inbox, self._connection.publish
        first, self._count = self._count + 1, self._count + len(messages)
        self._under_way.update(enumerate(messages, first))  # before the first is sent: whoever fails sends all again
        for number, (body, headers) in enumerate(messages, first):
            await publish(path, body, f"{inbox}.{number}", headers)
        most = 0 if is_last else _UNDER_WAY
        while len(self._under_way) > most:
            self._moved.clear()
            await asyncio.wait_for(self._moved.wait(), _ANSWER)
            if self._failure is not None:
                raise Unreachable(self._failure)

    def _answer(self, message: Any) -> None:
        status = (message.headers or {}).get("Status") if message.headers else None
        if status is None and b'"error"' not in message.data:
            if self._under_way.pop(int(message.subject.rpartition(".")[2]), None) is not None:
                self.taken += 1
            if len(self._under_way) in (0, _UNDER_WAY) or not self.taken % 256:
                self._moved.set()
            return
        told = "" if status is not None else str(json.loads(message.data).get("error", {}).get("description"))
        what = f"no stream keeps {self._address.path!r}: make one (nats stream add)"
        self._failure = f"{self._address}: {told or what}"
        self._moved.set()


class _Straight:
    """In place of a subscription's queue: what comes is taken at once, not by a task that is woken for each message."""

    def __init__(self, take: Callable[[Any], None]) -> None:
        self.put_nowait = take

    def qsize(self) -> int:
        """Nothing waits here."""
        return 0


async def listen(connection: Client, subject: str, take: Callable[[Any], None]) -> None:
    """Calls `take` for every message of a subject: with a fifth less work than the library's callbacks."""
    made = await connection.subscribe(subject, pending_msgs_limit=-1, pending_bytes_limit=-1)
    made._pending_queue = _Straight(take)


# -- connections ---------------------------------------------------------------------------------------------------


async def connected(address: Address, closed: Any = None) -> Client:
    """A connection. It does not come back by itself: what was under way is begun again by whoever has it."""
    nats = library()

    async def quiet(error: Exception) -> None:
        """The library would print it; whoever waits for an answer learns of it."""

    is_safe = address.scheme == "nats+tls"
    urls = [f"{'tls' if is_safe else 'nats'}://{host}:{port}" for host, port in address.hosts]
    if is_safe:
        _check_trust(address)
    try:
        made: Client = await nats.connect(
            urls,
            allow_reconnect=False,
            max_reconnect_attempts=1,  # also the first connection would be tried sixty times
            reconnect_time_wait=0,
            connect_timeout=int(PROBING),
            error_cb=quiet,
            closed_cb=closed,
            user=address.user,
            password=address.password,
            name="tocsin",
            tls=tls_of(address) if is_safe else None,
        )
    except (OSError, TimeoutError, ValueError, nats.errors.Error) as error:
        raise Unreachable(f"{address}: NATS does not answer: {error or type(error).__name__}") from None
    return made


def _check_trust(address: Address) -> None:
    """Whether a broker proves who it is: the library would leave the socket of one that does not open."""
    context, reasons = tls_of(address), []
    for host, port in address.hosts:
        try:
            with socket.create_connection((host, port), PROBING) as plain:
                while (said := plain.recv(4096)) and not said.endswith(b"\n"):
                    continue  # it says who it is before it is encrypted
                context.wrap_socket(plain, server_hostname=host).close()
            return
        except (OSError, ssl.SSLError) as error:
            reasons.append(f"{host}:{port}: {error}")
    raise Unreachable(f"{address}: NATS does not answer: {'; '.join(reasons)}")


async def stream_of(connection: Client, address: Address) -> Any:
    """The stream that keeps the subject, as JetStream describes it."""
    nats = library()
    manager = connection.jsm()
    name = address.options.get("stream")
    try:
        if name is None:
            name = await manager.find_stream_name_by_subject(address.path)
        found = await manager.stream_info(name)
    except nats.js.errors.NotFoundError:
        what = f"no stream keeps {address.path!r}" if name is None else f"there is no stream {name!r}"
        raise UsageError(f"{address}: {what}: make one (nats stream add), or name one, stream=NAME") from None
    except nats.js.errors.ServiceUnavailableError:
        raise UsageError(f"{address}: JetStream is not enabled there (nats-server --jetstream)") from None
    except (OSError, TimeoutError, nats.errors.Error) as error:
        raise Unreachable(f"{address}: JetStream does not answer: {error or type(error).__name__}") from None
    if found.config.retention == "workqueue":
        raise UsageError(f"{address}: stream {found.config.name!r} is a work queue, which forgets what was read once")
    return found
