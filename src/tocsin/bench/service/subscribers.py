"""`subscribers`: a thousand event streams, beside a bare `send` to each; `stalled`: one of them does not read."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record, Target
from tocsin.bench.service.bodies import Address, Bodies, requests
from tocsin.bench.service.disk import Disk, quantile
from tocsin.bench.service.load import Load
from tocsin.bench.service.processes import BareSends, ServiceProcess
from tocsin.errors import TocsinError

LISTENERS: Final = 1000
ROUNDS: Final = 60
"""Detections of a turn at full scale; so many a second at most."""
A_SECOND: Final = 20.0
TURNS: Final = 5
BEHIND: Final = 10
"""Bursts of detections that whoever stalls has missed, so that what is sent to them fills every buffer."""
BURST: Final = 45
PATIENCE: Final = 30.0
_DETECTION: Final = b"event: detection\n"


class Listener(asyncio.Protocol):
    """A connection over which detections come."""

    def __init__(self, heard: Callable[[int], None]) -> None:
        self._heard, self._rest = heard, b""
        self.bytes = 0
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.bytes += len(data)
        data = self._rest + data
        count = data.count(_DETECTION)
        self._rest = b"" if data.endswith(b"\n") else data[-len(_DETECTION) + 1 :]
        if count:
            self._heard(count)


@dataclass
class Audience:
    """Many who listen, and how long each detection took to each of them."""

    size: int
    listeners: list[Listener] = field(default_factory=list)
    took: list[float] = field(default_factory=list)
    heard: int = 0
    sent: float = 0.0

    async def gather(self, to: Address, opening: bytes) -> None:
        """Connects all of them."""
        loop = asyncio.get_running_loop()
        for _ in range(self.size):
            _, made = await loop.create_connection(lambda: Listener(self._hear), "127.0.0.1", to.port)
            made.transport.write(opening)
            self.listeners.append(made)

    def _hear(self, count: int) -> None:
        self.heard += count
        self.took.extend([time.monotonic() - self.sent] * count)

    async def round(self, publish: Callable[[], Any], until: float) -> None:
        """Publishes something, and waits until all have heard it, and for the time of the next."""
        wanted, self.sent = self.heard + self.size, time.monotonic()
        publish()
        deadline = self.sent + PATIENCE
        while self.heard < wanted or time.monotonic() < until:
            if time.monotonic() > deadline:
                raise TocsinError(f"of {self.size} subscribers {wanted - self.heard} did not hear of a detection")
            await asyncio.sleep(0.001)

    async def turn(self, rounds: int, publish: Callable[[], Any]) -> None:
        """A number of rounds."""
        begun = time.monotonic()
        for number in range(rounds):
            await self.round(publish, begun + (number + 1) / A_SECOND)

    def leave(self) -> None:
        """All go."""
        for each in self.listeners:
            each.transport.close()


def _opening(to: Address, after: str = "") -> bytes:
    head = f"GET /v1/stream{after} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {to.key}\r\n\r\n"
    return head.encode()


async def stalling(to: Address) -> asyncio.BaseTransport:
    """Somebody who asks for all there has been, and does not read it."""
    quiet = socket.socket()
    quiet.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    quiet.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(quiet, ("127.0.0.1", to.port))
    transport, _ = await loop.create_connection(asyncio.Protocol, sock=quiet)
    transport.pause_reading()
    transport.write(_opening(to, "?after=0"))
    return transport


@dataclass
class Stage:
    """A service with its audience, beside which bare sends have theirs."""

    service: ServiceProcess
    audience: Audience
    load: Load
    rounds: int
    used: list[float] = field(default_factory=list)
    """Microseconds a delivery, of each turn."""

    def publish(self) -> None:
        """Sends the events of one detection."""
        self.load.begin(1)

    async def turn(self) -> list[float]:
        """How long each delivery took."""
        self.audience.took.clear()
        before = self.service.cpu()
        await self.audience.turn(self.rounds, self.publish)
        self.used.append((self.service.cpu() - before) / (self.rounds * self.audience.size) * 1e6)
        return list(self.audience.took)


async def subscribers(home: Path, scale: float) -> list[Record]:
    """Both figures."""
    part = min(1.0, scale * 5)
    size, rounds = max(20, round(LISTENERS * part)), max(5, round(ROUNDS * scale))
    made = Bodies(2, 1)
    with ServiceProcess(home / "subscribers") as service:
        to = service.address
        load = Load(to, lambda number: made.request(to, number))
        await load.connect(1)
        await asyncio.to_thread(_fall_behind, service, made, max(1, round(BEHIND * part)))
        stage = Stage(service, Audience(size), load, rounds)
        await stage.audience.gather(to, _opening(to))
        while await asyncio.to_thread(service.figure, "tocsin_stream_listeners") < size:
            await asyncio.sleep(0.01)
        await stage.audience.round(stage.publish, 0.0)
        before = stage.audience.listeners[0].bytes
        await stage.audience.round(stage.publish, 0.0)
        records = await _measured(stage, stage.audience.listeners[0].bytes - before, Disk(home))
        stage.audience.leave()
        load.close()
    return records


def _fall_behind(service: ServiceProcess, made: Bodies, bursts: int) -> None:
    """Makes detections that whoever stalls has missed."""
    service.client.call("POST", "/v1/requests", requests(1)[0])
    for number in range(bursts):
        events = [json.loads(line) for line in made.burst(BURST, number).split(b"\n")]
        service.client.call("POST", "/v1/events", events)
    service.settle()


async def _measured(stage: Stage, piece: int, disk: Disk) -> list[Record]:
    """Our turns, with and without somebody who stalls, and those of the bare sends."""
    alone, beside, bare_used = list[float](), list[float](), list[float]()
    size, rounds = stage.audience.size, stage.rounds
    with BareSends(size, piece) as bare:
        others = Audience(size)
        await others.gather(bare.address, b"")
        await others.round(lambda: bare.tell("again"), 0.0)
        for _ in range(TURNS):
            disk.probe()
            alone += await stage.turn()
            before = bare.cpu()
            await others.turn(rounds, lambda: bare.tell("again"))
            bare_used.append((bare.cpu() - before) / (rounds * size) * 1e6)
            stalled = await stalling(stage.service.address)
            beside += await stage.turn()
            stalled.close()
        others.leave()
    ours, theirs = median(stage.used[::2]), max(median(bare_used), 1e-9)
    heard = 2 * TURNS * rounds * size
    is_whole = len(alone) + len(beside) == heard
    used = max(sum(stage.used) * rounds * size / 1e6, 1e-9)
    details = {
        "us a delivery": ours,
        "bare us": theirs,
        "listeners": float(size),
        "p99 ms": quantile(alone, 0.99) * 1e3,
    }
    first = ("subscribers", heard, heard, piece, used, ours / theirs, "x a bare send each", Target(1.8, at_most=True))
    with_one = quantile(beside, 0.99)
    ratio = with_one / max(quantile(alone, 0.99), 1e-9)
    second = ("stalled", heard, heard, piece, used, ratio, "x p99 with none stalled", Target(1.1, at_most=True))
    more = {"p99 ms": with_one * 1e3, "ms": quantile(beside, 0.5) * 1e3, "ms with none": quantile(alone, 0.5) * 1e3}
    return [
        Record(*first, is_whole, is_compiled(), details | disk.details()),
        Record(*second, is_whole, is_compiled(), more | disk.details()),
    ]
