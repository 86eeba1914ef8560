"""`ingest`, `single`: what it costs to take events, as a multiple of the reference chain; `steady`: for how long."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

import apsw

from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record, Target
from tocsin.bench.service.bodies import BATCH, Bodies, requests
from tocsin.bench.service.disk import Disk, quantile
from tocsin.bench.service.load import Load
from tocsin.bench.service.processes import Process, ReferenceChain, ServiceProcess

CONNECTIONS: Final = 64
TURNS: Final = 6
EVENTS: Final = {"ingest": 200_000, "single": 15_000}
"""Events of one turn at full scale."""
_MB: Final = 2**20


@dataclass
class Contender:
    """One side of a ratio: its process, and what its turns took."""

    process: Process
    load: Load
    cpu: list[float]
    """Microseconds an event, of each turn."""
    rate: list[float]

    async def turn(self, bodies: int, size: int, settle: Callable[[], None] | None = None) -> None:
        """Sends some bodies more; what they cost, evaluation included."""
        used, begun = self.process.cpu(), time.monotonic()
        await self.load.send(bodies)
        self.rate.append(bodies * size / (time.monotonic() - begun))
        if settle is not None:
            settle()
        self.cpu.append((self.process.cpu() - used) / (bodies * size) * 1e6)


async def ingest(home: Path, scale: float) -> Record:
    """Bodies of 100 events with one request standing."""
    return await _beside(home, "ingest", BATCH, scale)


async def single(home: Path, scale: float) -> Record:
    """One event a body, with one request standing."""
    return await _beside(home, "single", 1, scale)


async def _beside(home: Path, name: str, size: int, scale: float) -> Record:
    bodies = max(CONNECTIONS, round(EVENTS[name] * scale / size))
    made, disk = Bodies(size), Disk(home)
    with ServiceProcess(home / f"{name}-service") as service, ReferenceChain(home / f"{name}-reference") as chain:
        for each in requests(1):
            service.client.call("POST", "/v1/requests", each)
        ours, theirs = [
            Contender(process, Load(to, lambda number, to=to: made.request(to, number)), [], [])  # type: ignore[misc]
            for process in (service, chain)
            for to in (process.address,)
        ]
        for contender in (ours, theirs):
            await contender.load.connect(CONNECTIONS)
            await contender.load.send(CONNECTIONS)  # not counted: the first ones open files and learn fields
        for _ in range(TURNS):
            disk.probe()
            await ours.turn(bodies, size, service.settle)
            await theirs.turn(bodies, size)
        latency = quantile(ours.load.latencies, 0.99), quantile(theirs.load.latencies, 0.99)
        ledger = Ledger(service, ours.load.accepted, made.pairs(ours.load.sent))
        is_whole = ours.load.accepted == theirs.load.accepted == ours.load.sent * size
        ours.load.close()
        theirs.load.close()
    balances = ledger.balances()
    sides = median(ours.cpu), median(theirs.cpu)
    rates = median(ours.rate), median(theirs.rate)
    details = {"us an event": sides[0], "reference us": sides[1], "events a second": rates[0]}
    details |= {"of its rate": rates[0] / rates[1], "p99 ms": latency[0] * 1e3, "reference p99 ms": latency[1] * 1e3}
    return Record(
        name,
        ours.load.accepted,
        ledger.found,
        ledger.kept,
        max(sum(ours.cpu) * bodies * size / 1e6, 1e-9),
        sides[0] / max(sides[1], 1e-9),
        "x the reference chain",
        Target(1.5 if size > 1 else 1.3, at_most=True),
        balances and is_whole,
        is_compiled(),
        details | disk.details(),
    )


class Ledger:
    """What was accepted, kept, evaluated and found: all that went in is accounted for."""

    def __init__(self, service: ServiceProcess, accepted: int, pairs: int) -> None:
        service.settle()
        self._store, self.accepted, self._pairs = service.store, accepted, pairs
        self._is_done = service.figure("tocsin_processed_position") == service.figure("tocsin_log_position")
        self._taken, self.found = service.figure("tocsin_events_total"), service.figure("tocsin_detections_total")
        self.kept = 0

    def balances(self) -> bool:
        """Whether it is all there; once the service has stopped, for the file is looked into."""
        db = apsw.Connection(str(self._store), apsw.SQLITE_OPEN_READONLY)
        try:
            kept: Any = db.execute("SELECT coalesce(sum(count), 0) FROM log WHERE kind = 'events'").fetchall()
            found: Any = db.execute("SELECT count(*) FROM found").fetchall()
        finally:
            db.close()
        ((self.kept,),), ((kept_found,),) = kept, found
        is_all = self._is_done and self.accepted == self._taken == self.kept
        return is_all and self.found == kept_found == self._pairs
