"""Events on their way to a site: announced, numbered, sent until they are safe there (001 section 4.1, 002 4.2.1).

A source is announced before its first event, and then it is waited for a moment until the rules that are there hear of
it: what is born before a rule listens is not for it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from tocsin.errors import UsageError
from tocsin.events import Event
from tocsin.sites.births import FAR
from tocsin.sites.links import Message
from tocsin.sites.reporter import Reporter
from tocsin.sites.shell.guest import Guest, NoAnswer
from tocsin.sites.shell.requests import hearers

WINDOW: Final = 16_384
"""Events that are under way, at most."""
TOGETHER: Final = 512
"""Events that are sent at a time."""
COMING: Final = 10.0
"""Seconds in which a site that is named has to be heard: it may be about to begin."""
_HEARING: Final = 20.0
"""Seconds in which the rules that are there hear of a new source."""
_TURN: Final = 0.05


@dataclass
class Announced:
    """What was said of a source."""

    types: frozenset[str] | None
    reached: int | None = None


@dataclass
class Publication:
    """Events that somebody publishes at a site."""

    guest: Guest
    site: str
    patience: float = 120.0
    sources: dict[str, Announced] = field(default_factory=dict)
    count: int = 0
    unheard: list[str] = field(default_factory=list)
    """Who did not hear of a source in time."""
    _unsent: int = 0

    @property
    def reporter(self) -> Reporter:
        """Who numbers the events, and keeps them until they are safe."""
        return self.guest.reporter(self.site)

    @property
    def late(self) -> list[Message]:
        """What was sent back."""
        return self.reporter.late

    def announce(
        self, source: str, types: Iterable[str] | None, *, is_stamped: bool = False, in_seconds: bool | None = None
    ) -> None:
        """Says what comes from a source; returns once the rules that are there listen."""
        known = None if types is None else frozenset(types)
        self.sources[source] = Announced(known)
        self.reporter.source(source, known, is_stamped=is_stamped, in_seconds=in_seconds)
        self.settle()
        names = None if known is None else sorted(known)

        def is_heard() -> bool:
            said = self.guest.directory.get(self.site, {})
            return source in said.get("sources", ()) and not self._deaf(names)

        self.unheard = [] if self.guest.wait(is_heard, _HEARING) else self._deaf(names)

    def _deaf(self, types: list[str] | None) -> list[str]:
        """Who asks for what is born here, and does not get it yet."""
        return hearers(self.guest.directory | self.guest.listeners, self.site, types)

    def report(self, event: Event, *, is_timed: bool = True) -> None:
        """Reports an event; without a time it happens now, by the site's clock."""
        if event.source not in self.sources:
            self.announce(event.source, None, is_stamped=not is_timed)
        if is_timed:
            self.reporter.report(event)
            self.sources[event.source].reached = event.end
        else:
            self.reporter.report_now(event)
        self.count += 1
        self._unsent += 1
        if self._unsent >= TOGETHER:
            self.pump()
        if self.reporter.unreported > WINDOW:
            self._wait_for(WINDOW // 2)

    def beat(self, source: str, at: int) -> None:
        """A source has got to a time."""
        announced = self.sources[source]
        if announced.reached is None or at > announced.reached:
            announced.reached = at
            self.reporter.beat(source, at)

    def now(self) -> int:
        """What time it is."""
        return time.time_ns() // 1000

    def pump(self, seconds: float = 0.0) -> None:
        """Sends what waits, and takes what has come."""
        self._unsent = 0
        self.guest.turn(seconds)

    def finish(self, *, ends: bool) -> None:
        """The sources have got behind their last events, or nothing more is ever to come; returns when all is safe."""
        for source, announced in self.sources.items():
            if ends:
                self.reporter.close(source)
            elif announced.reached is not None:
                self.beat(source, announced.reached + 1)
        self.settle()

    def settle(self) -> None:
        """Waits until everything is safe at the site."""
        self._wait_for(0)

    def _wait_for(self, least: int) -> None:
        heard, left = time.monotonic(), self.reporter.unreported
        while self.reporter.unreported > least:
            self.pump(_TURN)
            if self.reporter.unreported < left:
                heard, left = time.monotonic(), self.reporter.unreported
            if time.monotonic() - heard > self.patience:
                where = f"site '{self.site}'" if self.guest.network.is_there else str(self.guest.address)
                raise NoAnswer(f"{where} has not answered for {self.patience:g} seconds: {left:,} reports are not safe")


def site_for(guest: Guest, source: str, named: str | None) -> str:
    """Where a source reports: where it is said, where it has reported, or where all who ask will find it."""
    if named is not None:
        guest.site(named, COMING)
        return named
    if not guest.directory:
        raise UsageError(f"no site is heard at {guest.address}")
    for name, said in sorted(guest.directory.items()):
        if source in said.get("sources", ()):
            return name
    return max(guest.directory, key=lambda name: hashlib.sha256(f"{name}/{source}".encode()).digest())


def late_line(message: Message, text: Any) -> str:
    """What is said of an event that was sent back. `text` writes a time."""
    kind, source, identity, end, *_ = message["event"]
    if message["reached"] >= FAR:
        return f"event '{identity}' ({kind}) of source '{source}' was sent back: its source had ended"
    why = f"was sent back, too late: time is at {text(message['reached'])}"
    return f"event '{identity}' ({kind}) of source '{source}' at {text(end)} {why}"
