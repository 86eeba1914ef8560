"""`steady-1`, `steady-100`: so many events a second, for long: nothing is lost, and memory stays as it is."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Final

from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record, Target
from tocsin.bench.service.bodies import BATCH, Bodies, requests
from tocsin.bench.service.disk import Disk, quantile
from tocsin.bench.service.intake import CONNECTIONS, Ledger
from tocsin.bench.service.load import Load
from tocsin.bench.service.processes import ServiceProcess

SECONDS: Final = 20.0
LONG: Final = 300.0
RATES: Final = {1: 100_000, 100: 50_000}
"""Events a second, by how many requests stand."""
REMEMBER: Final = 10
"""Seconds for which ids are remembered at such rates, at most."""
_EARLY: Final = 0.2
_MB: Final = 2**20


async def steady(home: Path, seconds: float, standing: int) -> Record:
    """Events at a rate, with so many requests standing."""
    made, disk, rate = Bodies(BATCH, slots=standing), Disk(home), RATES[standing]
    remember = max(1, min(REMEMBER, int(seconds / 20)))
    disk.probe()
    with ServiceProcess(home / f"steady-{standing}", f"{remember} s") as service:
        for each in requests(standing, window="5 s"):  # what a window holds on to is memory too
            service.client.call("POST", "/v1/requests", each)
        load = Load(service.address, lambda number: made.request(service.address, number))
        await load.connect(CONNECTIONS)
        used, begun = service.cpu(), time.monotonic()
        sending = asyncio.ensure_future(load.send_paced(rate / BATCH, seconds))
        await asyncio.wait((sending,), timeout=seconds * _EARLY)
        early = service.memory()
        await sending
        await asyncio.to_thread(service.settle)
        took, used, late = time.monotonic() - begun, service.cpu() - used, service.memory()
        ledger = await asyncio.to_thread(Ledger, service, load.accepted, made.pairs(load.sent))
        load.close()
    disk.probe()
    is_whole = ledger.balances() and load.accepted == load.sent * BATCH
    details = {"asked": float(rate), "seconds": took, "told to wait": float(load.waited)}
    details |= {"us an event": used / max(load.accepted, 1) * 1e6, "p99 ms": quantile(load.latencies, 0.99) * 1e3}
    details |= {"MB at 20 %": early / _MB, "MB at the end": late / _MB}
    return Record(
        f"steady-{standing}",
        load.accepted,
        ledger.found,
        ledger.kept,
        max(used, 1e-9),
        load.accepted / took,
        "events a second",
        Target(rate * 0.99),
        is_whole,
        is_compiled(),
        details | disk.details(),
    )
