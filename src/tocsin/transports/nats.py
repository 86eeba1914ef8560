"""NATS JetStream: subjects, kept by streams in which every message has a number. A bucket of keys is one too.

The client library speaks for us, in a thread of its own; but messages are asked for, and what was taken is counted, by
ourselves (`nats_link`): that is several times as fast as its `fetch` and its `publish` (docs/brokers.md).

A subscription without a name reads by a consumer that is gone with it, and acknowledges nothing. One with a name has a
durable consumer, which acknowledges all up to a message. What was under way when it ended would come late and out of
order; so it is made anew where it has acknowledged.
"""

from __future__ import annotations

import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeVar
from urllib.parse import quote

from tocsin.encodings import Message
from tocsin.errors import UsageError
from tocsin.transports.address import ALL, SOURCE, Address, Option
from tocsin.transports.contract import (
    MOST,
    Delivery,
    Entry,
    KeyValue,
    Lost,
    Outcome,
    Position,
    Publisher,
    Received,
    Subscription,
    checked_key,
)
from tocsin.transports.nats_link import Link, Pull, Sent, connected, library, stream_of
from tocsin.transports.unreachable import Unreachable, probe, tried

__all__ = ["OPTIONS", "check", "connected", "key_value", "library", "publisher", "stream_of", "subscribe"]

SCHEMES: Final = {"nats": 4222, "nats+tls": 4222}
PREFIX: Final = "ce-"
USES: Final = ALL
HAS_OPTIONS: Final = True
REPLAYS: Final = True
OPTIONS: Final[Mapping[str, Option]] = {
    "stream": Option("the stream that keeps the subject; found by the subject if left out"),
    "start": Option("where a new checkpoint begins", "first", "first|new", (SOURCE,)),
    "per_batch": Option("messages of a micro-batch, at most", "100000", "number", (SOURCE,)),
    "lost": Option("what happens if messages are gone before they were read", "fail", "fail|go-on", (SOURCE,)),
    "ca": Option("a file with the certificates that are trusted, for nats+tls"),
    "patience": Option("how long a broker that has gone is waited for", "2 min", "span"),
}
_SUBJECT: Final = re.compile(r"[^\s.>*]+(\.[^\s.>*]+)*")
_FILTER: Final = re.compile(r"([^\s.>*]+|\*)(\.([^\s.>*]+|\*))*(\.>)?|>")
_NAME: Final = re.compile(r"[A-Za-z0-9_-]+")
_SEQUENCE: Final = "sequence"
_PAUSE: Final = 0.5
"""Seconds between two attempts to reach a broker that has gone."""
_TOGETHER: Final = 512
"""Messages that are handed to the connection at a time."""
_Made = TypeVar("_Made")


def check(address: Address, use: str) -> None:
    """Whether the path is a subject, the library is there, somebody answers, and a stream keeps the subject."""
    pattern = _FILTER if use == SOURCE else _SUBJECT
    if not pattern.fullmatch(address.path):
        raise UsageError(f"{address}: {address.path!r} is no subject: nats://HOST:4222/SUBJECT")
    library()
    probe(address)
    asked_stream(address)


def asked_stream(address: Address) -> Any:
    """The stream that keeps the subject, as JetStream describes it just now."""
    with Link(address) as link:
        return link.call(stream_of(link.connection, address))


def subscribe(address: Address, start: Position | None = None, name: str = "") -> Subscription:
    """The messages of a subject."""
    if name and not _NAME.fullmatch(name):
        raise UsageError(f"{address}: {name!r} is no name of a consumer: letters, digits, '_' and '-'")
    return _Subscription(address, start, name)


def publisher(address: Address) -> Publisher:
    """Messages to a subject. What has a key is there once, if it comes again before the stream forgets (2 minutes)."""
    return _Publisher(address)


def key_value(address: Address) -> KeyValue:
    """The values of a bucket, which is made if it is not there."""
    if not _NAME.fullmatch(address.path):
        raise UsageError(f"{address}: {address.path!r} is no bucket: letters, digits, '_' and '-'")
    return _KeyValue(address)


# -- subscriptions -------------------------------------------------------------------------------------------------


class _Subscription(Subscription):
    def __init__(self, address: Address, start: Position | None, name: str) -> None:
        self._address, self._name, self._is_closed = address, name, False
        self._patience = address.seconds("patience", OPTIONS)
        self._after: int | None = None if start is None else start[_SEQUENCE]
        """The number of the last message that was handed out; None as long as the consumer knows it."""
        self._link: Link | None = None
        self._pull: Pull
        self._replies: dict[int, str] = {}
        """Where to acknowledge what was handed out last in each delivery."""
        self._unheard: float | None = None
        tried(self._connect, self._patience, Unreachable)

    def receive(self, seconds: float, most: int = MOST) -> Delivery:
        until = time.monotonic() + seconds
        while True:
            some = self._pull.take(most)
            if some or self._is_closed:
                return self._delivery(some)
            left = until - time.monotonic()
            if left <= 0:
                return self._delivery([])
            if self._link is None or self._pull.failure is not None:
                self._reconnect(left)
            else:
                self._pull.wait(left)

    def acknowledge(self, position: Position) -> None:
        number = position[_SEQUENCE]
        reply = self._replies.get(number)
        self._replies = {each: told for each, told in self._replies.items() if each > number}
        if self._name and reply is not None and self._link is not None:
            self._link.soon(self._link.connection.publish(reply, b"+ACK"))

    def lag(self) -> int:
        return self._pull.lag

    def close(self) -> None:
        self._is_closed = True
        self._pull.wake()
        if self._link is not None:
            self._link.close()

    def _delivery(self, some: list[tuple[Received, int, str]]) -> Delivery:
        if some:
            _, self._after, reply = some[-1]
            if self._name:
                self._replies[self._after] = reply
        return Delivery([each for each, _, _ in some], {_SEQUENCE: self._after or 0})

    def _connect(self) -> None:
        link = Link(self._address)
        try:
            self._pull = link.call(self._begun(link))
        except BaseException:
            link.close()
            raise
        self._link, self._unheard, self._replies = link, None, {}

    def _reconnect(self, left: float) -> None:
        """Tries to go on behind what was handed out."""
        if self._link is not None:
            self._link.close()
            self._link = None
        self._unheard = self._unheard or time.monotonic()
        try:
            self._connect()
        except Unreachable:
            if time.monotonic() - self._unheard > self._patience:
                raise
            time.sleep(min(_PAUSE, left))

    async def _begun(self, link: Link) -> Pull:
        """A consumer, and what it is asked by."""
        found = await stream_of(link.connection, self._address)
        stream, state = found.config.name, found.state
        if self._after is not None:
            self._check_kept(self._after, state.first_seq, state.last_seq)
        elif self._name:
            self._after = await link.acknowledged(stream, self._name)
        if self._after is None:
            is_new = self._address.text("start", OPTIONS) == "new"
            self._after = state.last_seq if is_new else max(state.first_seq - 1, 0)
        return await link.pull(stream, self._address.path, self._after + 1, self._name)

    def _check_kept(self, after: int, first: int, last: int) -> None:
        if last < after:
            raise Lost(
                f"{self._address}: the stream ends with message {last}, and {after} was read: it was made anew;"
                " begin with a new checkpoint"
            )
        if first > after + 1 and self._address.text("lost", OPTIONS) == "fail":
            raise Lost(
                f"{self._address}: messages {after + 1} to {first - 1} are gone before they were read: let the stream"
                " keep them longer; lost=go-on goes on without them"
            )


# -- publishers ----------------------------------------------------------------------------------------------------


class _Publisher(Publisher):
    def __init__(self, address: Address) -> None:
        self._address, self._patience = address, address.seconds("patience", OPTIONS)
        self._sent = Sent(address)
        self._waiting: list[tuple[bytes, dict[str, str] | None]] = []
        self._link: Link | None = None
        self._count = self._retries = 0

    def publish(self, message: Message) -> None:
        self._waiting.append((message.body, self._headers(message)))
        self._count += 1
        if len(self._waiting) >= _TOGETHER:
            self._send(is_last=False)

    def flush(self) -> Outcome:
        self._send(is_last=True)
        made = Outcome(self._count, self._retries)
        self._count = self._retries = 0
        return made

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    def _send(self, is_last: bool) -> None:
        """Sends what waits, after what was sent before and is not known to have been taken."""
        some, self._waiting = self._waiting, []
        heard, before = time.monotonic(), self._sent.taken
        while True:
            try:
                if self._link is None:
                    self._link = Link(self._address)
                    self._link.call(self._sent.begin(self._link.connection))
                self._link.call(self._sent.send(some, is_last))
                return
            except Unreachable:
                some = []  # it is under way, or will be sent again with what is
                self.close()
                if self._sent.taken > before:
                    heard, before = time.monotonic(), self._sent.taken
                if time.monotonic() - heard > self._patience:
                    raise
                self._retries += 1
                time.sleep(min(_PAUSE, self._patience))

    def _headers(self, message: Message) -> dict[str, str] | None:
        if not message.key:
            return dict(message.headers) or None
        # A stream may keep several subjects, and looks for duplicates in all of them.
        name = {"Nats-Msg-Id": quote(f"{self._address.path}/{message.key}")}
        return {**message.headers, **name}


# -- keys and values -----------------------------------------------------------------------------------------------


class _KeyValue(KeyValue):
    can_swap = True

    def __init__(self, address: Address) -> None:
        self._address, self._patience = address, address.seconds("patience", OPTIONS)
        self._link: Link | None = None
        self._bucket: Any = None
        self._watcher: Any = None
        self._seen: int | None = None
        """The last revision that was told as a change."""
        tried(self._connect, self._patience, Unreachable)

    def get(self, key: str) -> Entry | None:
        found = self._asked(lambda: self._get(checked_key(key)))
        return None if found is None else Entry(key, found.value or b"", found.revision)

    def put(self, key: str, value: bytes) -> int:
        return int(self._asked(lambda: self._bucket.put(checked_key(key), value)))

    def swap(self, key: str, value: bytes, revision: int) -> int | None:
        assert self._link is not None
        errors = library().js.errors
        made = (
            self._bucket.create(checked_key(key), value)
            if revision == 0
            else self._bucket.update(checked_key(key), value, last=revision)
        )
        try:  # once: whether an attempt that was not answered succeeded cannot be known
            return int(self._link.call(made))
        except (errors.KeyWrongLastSequenceError, errors.BadRequestError):
            return None

    def delete(self, key: str) -> None:
        if self.get(key) is not None:
            self._asked(lambda: self._bucket.delete(checked_key(key)))

    def keys(self) -> list[str]:
        return sorted(self._asked(self._keys))

    def changes(self, seconds: float) -> list[Entry]:
        return self._asked(lambda: self._changes(seconds))

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

    def _connect(self) -> None:
        self.close()
        link = Link(self._address)
        try:
            self._bucket, self._watcher = link.call(link.bucket(self._address.path)), None
        except BaseException:
            link.close()
            raise
        self._link = link

    def _asked(self, ask: Callable[[], Awaitable[_Made]]) -> _Made:
        """An answer, from the broker when it is back if it has gone."""

        def attempt() -> _Made:
            if self._link is None:
                self._connect()
            assert self._link is not None
            try:
                return self._link.call(ask())
            except Unreachable:
                self.close()
                raise

        return tried(attempt, self._patience, Unreachable)

    async def _get(self, key: str) -> Any:
        try:
            return await self._bucket.get(key)
        except library().js.errors.KeyNotFoundError:
            return None

    async def _keys(self) -> list[str]:
        try:
            return list(await self._bucket.keys())
        except library().js.errors.NoKeysError:
            return []

    async def _changes(self, seconds: float) -> list[Entry]:
        """The library tells all values first, then None, then what changes."""
        is_first, found = self._seen is None, dict[str, Entry]()
        if self._watcher is None:
            self._watcher = await self._bucket.watchall()
            for each in await _until_none(self._watcher):
                self._note(each, found)
            self._seen = self._seen or 0
            if is_first:
                found = {key: entry for key, entry in found.items() if entry.value is not None}
        try:
            while True:
                self._note(await self._watcher.updates(timeout=0.01 if found else max(seconds, 0.001)), found)
        except (TimeoutError, library().errors.TimeoutError):
            return sorted(found.values(), key=lambda entry: entry.revision)

    def _note(self, each: Any, found: dict[str, Entry]) -> None:
        if each is not None and each.revision > (self._seen or 0):
            found[each.key] = Entry(each.key, None if each.operation else each.value or b"", each.revision)
            self._seen = each.revision


async def _until_none(watcher: Any) -> list[Any]:
    found = []
    while (each := await watcher.updates(timeout=5.0)) is not None:
        found.append(each)
    return found
