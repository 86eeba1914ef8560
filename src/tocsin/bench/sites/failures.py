"""What it costs when sites fail.

`named`: how soon after `kill -9` a site is named as the reason why others wait, by the site that waits.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from tocsin.bench.brokers.servers import Nats
from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record, Target
from tocsin.bench.sites.wires import PATIENCE, started
from tocsin.sites.shell.guest import Guest


def named(scale: float) -> Iterator[Record]:
    """How soon a site that has failed is named by another."""
    used = time.process_time()
    with ExitStack() as stack:
        url, sites = started(stack, Nats, "A", "B")
        with Guest(url) as guest:
            guest.look_around(PATIENCE, lambda: len(guest.directory) == 2)
            _until(lambda: "B" in _peers(guest))
            sites["B"].kill()
            begun = time.monotonic()
            _until(lambda: _peers(guest)["B"]["said"] is not None)
            seconds = time.monotonic() - begun
    cpu = time.process_time() - used
    yield Record(
        "named", 1, 1, 0, cpu, seconds, "s until it is named", Target(1.0, at_most=True), True, is_compiled(), {}
    )


def _peers(guest: Guest) -> dict[str, Any]:
    found: dict[str, Any] = guest.ask("A", ["status"], PATIENCE)["peers"]
    return found


def _until(so: Any) -> None:
    until = time.monotonic() + PATIENCE
    while not so():
        if time.monotonic() > until:
            raise TimeoutError("the sites do not get there")
