"""What it costs when parts move and sites fail.

`move`: for how long a site stands still while a part that holds 300,000 events leaves it, and for how long the one that
it comes to. `named`: how soon after `kill -9` a site is named as the reason why others wait, by the site that waits.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Final

from tocsin.bench.brokers.servers import Nats
from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record, Target
from tocsin.bench.sites.wires import PATIENCE, started
from tocsin.rules.loader import load_expression
from tocsin.sites.parts import Part, Role, part_record
from tocsin.sites.shell.guest import Guest
from tocsin.sites.site import Site

HELD: Final = 300_000
SECOND: Final = 1_000_000
_MOST_PAUSE: Final = 50.0
"""Milliseconds."""


def move(scale: float) -> Iterator[Record]:
    """For how long a part that holds much keeps two sites busy at once when it moves."""
    count = max(1_000, round(HELD * scale))
    used = time.process_time()
    here, there = Site("A", "A-1"), Site("B", "B-1")
    wanted = Part(Role.FILTER, type="a", birthplace="A")
    other = Part(Role.FILTER, type="b", birthplace="A")
    pattern = load_expression("(x:a -> y:b) in 1 hour", "sel", "x.k = y.k")
    rule = Part(Role.RULE, pattern, inputs=(wanted.key, other.key))
    here.births.register("s", ["a", "b"], reached=0)
    here.host(rule, {each.key: ["A", "requests", part_record(each)] for each in (wanted, other)})
    for first in range(0, count, 1_000):
        reports = [
            ["event", "a", "s", f"e{number}", number * 1_000, number * 1_000, {"k": number}]
            for number in range(first + 1, first + 1_001)
        ]
        message = {"is": "outputs", "stream": "from/x", "first": first + 1, "outputs": reports, "from": "x"}
        here.take(message | {"last": first + 1_000, "frontier": None}, SECOND)
    here.drain()
    held = len(here.hosts[rule.key].events)
    begun = time.perf_counter()
    here.moves.move(rule.key, "B")
    messages = here.drain().messages
    leaving = 1e3 * (time.perf_counter() - begun)
    begun = time.perf_counter()
    for to, message in messages:
        if to == "B":
            there.take(message, SECOND)
    coming = 1e3 * (time.perf_counter() - begun)
    is_there = rule.key in there.hosts and len(there.hosts[rule.key].events) == held
    yield Record(
        "move",
        held,
        1,
        0,
        time.process_time() - used,
        max(leaving, coming),
        "ms a site stands still",
        Target(_MOST_PAUSE, at_most=True),
        is_there,
        is_compiled(),
        {"leaving_ms": leaving, "coming_ms": coming},
    )


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
