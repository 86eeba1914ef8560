"""Several sites in this process, over a broker: they take turns until something is so."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

from tocsin.algebra.rules import Order, Program
from tocsin.events import Detection, Event, Heartbeat
from tocsin.rules.programs import each_rule
from tocsin.runtime.options import Options
from tocsin.session import Session
from tocsin.sites.links import Pace
from tocsin.sites.shell.guest import Guest
from tocsin.sites.shell.process import SiteProcess
from tocsin.sites.shell.publication import Publication
from tocsin.sites.shell.requests import Request, hearers, request_record
from tocsin.sites.shell.store import Store
from tocsin.sites.shell.topics import broker_of
from tocsin.sites.site import Told

SECOND = 1_000_000
HANGS = 60.0
"""Seconds after which a test that waits has failed. Nothing else is judged by a clock."""
QUICK = Pace(beat=50_000, patience=100_000)
_NUMBERS = count(1)


def memory_url() -> str:
    """Topics that no other test has."""
    return f"memory:test-{next(_NUMBERS)}"


class Together:
    """Sites that take turns."""

    def __init__(
        self, url: str, names: Iterable[str] = "ABC", home: Path | None = None, *, paints_apart: bool = False
    ) -> None:
        self.url, self.home, self.paints_apart = url, home, paints_apart
        self.sites: dict[str, SiteProcess] = {}
        self.told: dict[str, list[Told]] = {name: [] for name in names}
        self.said: dict[str, list[str]] = {name: [] for name in names}
        self.guests: list[Guest] = []
        for name in names:
            self.start(name)

    def start(self, name: str) -> SiteProcess:
        """Starts a site; with a home, in the directory that it had."""
        store = None if self.home is None else Store(self.home / name, name, is_synced=False)
        made = SiteProcess(
            name,
            broker_of(self.url),
            store,
            hears=self.told[name].extend,
            say=self.said[name].append,
            pace=QUICK,
            paints_apart=self.paints_apart,
        )
        self.sites[name] = made
        return made

    def kill(self, name: str) -> None:
        """Ends a site without a word: what it had not written down is gone."""
        self.sites.pop(name).close()

    def guest(self) -> Guest:
        """Somebody at no site."""
        made = Guest(self.url, pace=QUICK)
        self.guests.append(made)
        return made

    def turn(self) -> None:
        """Everybody has a turn."""
        for each in list(self.sites.values()):
            each.turn()
        for guest in self.guests:
            guest.turn(0.0)
        time.sleep(0.0005)  # so that the clock goes on

    def until(self, so: Callable[[], bool]) -> None:
        """Lets them take turns until something is so."""
        end = time.monotonic() + HANGS
        while not so():
            self.turn()
            assert time.monotonic() < end, "it does not come"

    def request(self, name: str, program: Program, title: str = "test", policy: str | None = None) -> None:
        """Rules are asked for at a site."""
        self.sites[name].do(request_record(title, Request(program, policy)))
        self.until(lambda: all(guest.directory.get(name, {}).get("hears") for guest in self.guests))

    def announce(self, guest: Guest, sources: Mapping[str, tuple[str, Iterable[str]]]) -> None:
        """Sources are there, each at a site with its types, and the rules hear of them."""
        guest.send("*", {"is": "who"})
        for source, (site, types) in sources.items():
            guest.reporter(site).source(source, types)
        self.until(lambda: all(self._is_heard(guest, each, *where) for each, where in sources.items()))

    def _is_heard(self, guest: Guest, source: str, site: str, types: Iterable[str]) -> bool:
        said = guest.directory.get(site, {})
        return source in said.get("sources", ()) and not hearers(guest.directory, site, list(types))

    def detections(self, name: str) -> list[Detection]:
        """What was told at a site, each once, in order."""
        distinct = {(each.stream, each.number): each.detection for each in self.told[name]}
        return list(distinct.values())

    def close(self) -> None:
        for each in (*self.sites.values(), *self.guests):
            each.close()


def random_events(random: Random, sources: Mapping[str, tuple[str, Iterable[str]]], number: int) -> list[Event]:
    """Events of several sources, some at one time."""
    found = []
    names = sorted(sources)
    numbers = dict.fromkeys(names, 0)
    at = 1
    for _ in range(number):
        at += random.choice((0, 0, 1, 1, 2, 5))
        source = random.choice(names)
        numbers[source] += 1
        kind = random.choice(sorted(sources[source][1]))
        data = {"k": random.randint(0, 2)}
        found.append(Event(kind, at * SECOND, at * SECOND, f"{source}-{numbers[source]}", source, data, at * SECOND))
    return found


def expected(program: Program, events: Iterable[Event]) -> list[Detection]:
    """What a single engine detects that sees all."""
    guaranteed = each_rule(program, partial(replace, order=Order("guaranteed")))
    session = Session(guaranteed, Options(order=Order("guaranteed")))
    return list(session.detections(list[Event | Heartbeat](events)))


def ids(found: Iterable[Detection]) -> list[str]:
    """The ids of detections, sorted."""
    return sorted(each.id for each in found)


__all__ = ["QUICK", "SECOND", "Publication", "Together", "expected", "ids", "memory_url", "random_events"]
