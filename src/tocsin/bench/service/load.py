"""The load: connections that are kept, each with one request under way, over which bodies go one after the other."""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from tocsin.bench.service.bodies import Address
from tocsin.errors import TocsinError

_END: Final = b"\r\n\r\n"
_LENGTH: Final = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_ACCEPTED: Final = re.compile(rb'"accepted": *(\d+)')
_TAKEN: Final = b"HTTP/1.1 202"
_WAIT: Final = b"HTTP/1.1 429"

Answered = Callable[["Connection", bytes, bytes], None]


class Connection(asyncio.Protocol):
    """A connection to a service; told of each answer, its head and its body."""

    def __init__(self, answered: Answered) -> None:
        self._answered, self._came = answered, b""
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._came += data
        head, end, rest = self._came.partition(_END)
        if not end or (length := _LENGTH.search(head)) is None or len(rest) < int(length[1]):
            return
        self._came = b""
        self._answered(self, head, rest)


class Load:
    """Connections to one address, and what was accepted of what they sent."""

    def __init__(self, to: Address, make: Callable[[int], bytes]) -> None:
        self._to, self._make = to, make
        self.sent = self.answered = self.accepted = self.waited = 0
        self.latencies: list[float] = []
        self._until = 0
        self._idle: deque[Connection] = deque()
        self._under_way: dict[Connection, tuple[bytes, float]] = {}
        self._all: list[Connection] = []
        self._done: asyncio.Future[None] | None = None

    async def connect(self, count: int) -> None:
        """Opens the connections."""
        loop = asyncio.get_running_loop()
        for _ in range(count):
            _, made = await loop.create_connection(lambda: Connection(self._take), "127.0.0.1", self._to.port)
            self._all.append(made)
            self._idle.append(made)

    def close(self) -> None:
        """Closes them."""
        for each in self._all:
            each.transport.close()

    def begin(self, count: int) -> None:
        """Sends so many bodies more, and waits for nothing."""
        self._until = self.sent + count
        self._begin()

    async def send(self, count: int) -> None:
        """Sends so many bodies more, as fast as they are answered."""
        self._until = self.sent + count
        await self._answered_all()

    async def send_paced(self, a_second: float, seconds: float) -> None:
        """Sends bodies at a rate, as far as there are connections that are free; those that are late follow at once."""
        begun, before = time.monotonic(), self.sent
        while (passed := time.monotonic() - begun) < seconds:
            self._until = before + int(passed * a_second)
            self._begin()
            await asyncio.sleep(max(0.0, begun + (self._until + 1 - before) / a_second - time.monotonic()))
        await self._answered_all()

    async def _answered_all(self) -> None:
        self._done = asyncio.get_running_loop().create_future()
        self._begin()
        if self.answered < self._until:
            await self._done
        self._done = None

    def _begin(self) -> None:
        while self._idle and self.sent < self._until:
            connection = self._idle.popleft()
            self._write(connection, self._make(self.sent))
            self.sent += 1

    def _write(self, connection: Connection, request: bytes) -> None:
        self._under_way[connection] = (request, time.monotonic())
        connection.transport.write(request)

    def _take(self, connection: Connection, head: bytes, body: bytes) -> None:
        request, begun = self._under_way.pop(connection)
        if head.startswith(_WAIT):
            self.waited += 1
            asyncio.get_running_loop().call_later(0.05, self._write, connection, request)
            return
        found = _ACCEPTED.search(body)
        if not head.startswith(_TAKEN) or found is None:
            self._fail(TocsinError(f"events were not taken: {head[:200]!r} {body[:500]!r}"))
            return
        self.latencies.append(time.monotonic() - begun)
        self.accepted += int(found[1])
        self.answered += 1
        self._idle.append(connection)
        self._begin()
        if self._done is not None and self.answered == self._until and not self._done.done():
            self._done.set_result(None)

    def _fail(self, error: TocsinError) -> None:
        if self._done is not None and not self._done.done():
            self._done.set_exception(error)
