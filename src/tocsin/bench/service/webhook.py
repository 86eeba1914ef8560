"""`webhook`: from the last event to the webhook that tells of it, beside the reference chain that POSTs the event."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record, Target
from tocsin.bench.service.bodies import Address, Bodies, requests
from tocsin.bench.service.disk import Disk, quantile
from tocsin.bench.service.intake import Ledger
from tocsin.bench.service.load import Load
from tocsin.bench.service.processes import ReferenceChain, ServiceProcess

CONNECTIONS: Final = 16
EVENTS, A_SECOND = 50, 100
"""Events of a body, and bodies a second, each with a pair: 5,000 events and 100 notifications a second."""
REQUESTS: Final = 10
TURNS: Final = 4
SECONDS: Final = 6.0
"""Of a turn at full scale."""
PATIENCE: Final = 30.0
_ID: Final = re.compile(rb'"([0-9a-f]{8})-%02d"' % (EVENTS - 1))
_LENGTH: Final = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_ANSWER: Final = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"


class _Receiving(asyncio.Protocol):
    """A connection over which notifications come."""

    def __init__(self, told: Callable[[bytes], None]) -> None:
        self._told, self._came = told, b""
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._came += data
        while True:
            head, end, rest = self._came.partition(b"\r\n\r\n")
            length = _LENGTH.search(head)
            if not end or length is None or len(rest) < int(length[1]):
                return
            self._told(rest[: int(length[1])])
            self._came = rest[int(length[1]) :]
            self._transport.write(_ANSWER)


class Receiver:
    """Where notifications go: when each came, since its last event was sent."""

    def __init__(self) -> None:
        self.sent: dict[int, float] = {}
        self.took: dict[int, float] = {}
        self.port = 0
        self._server: asyncio.Server | None = None

    async def listen(self) -> None:
        """Takes notifications from now on."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Receiving(self._told), "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def _told(self, body: bytes) -> None:
        now, found = time.monotonic(), _ID.search(body)
        if found is not None:
            number = int(found[1], 16)
            self.took.setdefault(number, now - self.sent[number])

    def request(self, made: Bodies, to: Address) -> Callable[[int], bytes]:
        """Makes requests, and notes when."""

        def make(number: int) -> bytes:
            request = made.request(to, number)
            self.sent[number] = time.monotonic()
            return request

        return make

    async def settle(self) -> None:
        """Waits until all of them have come, or for long enough."""
        deadline = time.monotonic() + PATIENCE
        while len(self.took) < len(self.sent) and time.monotonic() < deadline:
            await asyncio.sleep(0.01)

    def warm(self) -> None:
        """What has come so far does not count: connections were opened for it."""
        self.sent.clear()
        self.took.clear()

    async def close(self) -> None:
        """Takes no more."""
        assert self._server is not None
        self._server.close()

    @property
    def url(self) -> str:
        """Where to tell."""
        return f"http://127.0.0.1:{self.port}/"


async def webhook(home: Path, scale: float) -> Record:
    """5,000 events and 100 notifications a second."""
    seconds, made, disk = SECONDS * scale, Bodies(EVENTS, 1, REQUESTS), Disk(home)
    receivers = Receiver(), Receiver()
    for each in receivers:
        await each.listen()
    with (
        ServiceProcess(home / "webhook-service") as service,
        ReferenceChain(home / "webhook-reference", receivers[1].url) as chain,
    ):
        for request in requests(REQUESTS, callback={"url": receivers[0].url}):
            service.client.call("POST", "/v1/requests", request)
        loads = [
            Load(process.address, receiver.request(made, process.address))
            for process, receiver in zip((service, chain), receivers, strict=True)
        ]
        used = service.cpu()
        for load, receiver in zip(loads, receivers, strict=True):
            await load.connect(CONNECTIONS)
            await load.send(CONNECTIONS)
            await receiver.settle()
            receiver.warm()
        for _ in range(TURNS):
            disk.probe()
            for load, receiver in zip(loads, receivers, strict=True):
                await load.send_paced(A_SECOND, seconds)
                await receiver.settle()
        ledger = await asyncio.to_thread(Ledger, service, loads[0].accepted, made.pairs(loads[0].sent))
        used = service.cpu() - used
        for load in loads:
            load.close()
    for each in receivers:
        await each.close()
    is_whole = ledger.balances() and all(len(each.took) == len(each.sent) for each in receivers)
    ours, theirs = ([*each.took.values()] for each in receivers)
    details = {"p99 ms": quantile(ours, 0.99) * 1e3, "reference p99 ms": quantile(theirs, 0.99) * 1e3}
    details |= {"ms": quantile(ours, 0.5) * 1e3, "reference ms": quantile(theirs, 0.5) * 1e3}
    return Record(
        "webhook",
        loads[0].accepted,
        ledger.found,
        ledger.kept,
        max(used, 1e-9),
        quantile(ours, 0.99) / max(quantile(theirs, 0.99), 1e-9),
        "x the reference's p99",
        Target(3, at_most=True),
        is_whole,
        is_compiled(),
        details | disk.details(),
    )
