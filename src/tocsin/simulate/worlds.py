"""The real sites on virtual time: a site is woken when something comes, when it waits for its clock, and at each beat.

Like `sites.simulation`, which is made to torment sites with whatever a network can do, this follows from a seed alone.
It is made to count and to be quick: lines with bandwidths, who sent what over which, how late detections are told.
A machine that is down stands still with what it has written down; what is sent to it is lost.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

import msgspec

from tocsin.events import Detection, Event
from tocsin.simulate.networks import SIGNS, Carried, Network, kind_of
from tocsin.sites.birthplace import Birthplace
from tocsin.sites.births import FAR, numbered
from tocsin.sites.dues import due_after
from tocsin.sites.links import Message, Pace
from tocsin.sites.neighbours import EVERYBODY
from tocsin.sites.reporter import Reporter
from tocsin.sites.simulation import TICK
from tocsin.sites.site import Site

SECOND: Final = 1_000_000
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode


class Remembering(Birthplace):
    """A birthplace that remembers what was born at it."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.born: list[Event] = []

    def bear(self, event: Event, stream: str = "") -> None:
        """An event is born here."""
        known = self.births.sources.get(event.source)
        before = 0 if known is None else known.count
        super().bear(event, stream)
        now = self.births.sources[event.source].count
        if now != before:
            self.born.append(numbered(event, now))


class RememberingSite(Site):
    """A site of which one engine can be asked what it would have found."""

    def __init__(self, name: str, incarnation: str, pace: Pace) -> None:
        super().__init__(name, incarnation, pace)
        self.birthplace = self._memory = Remembering(self)

    @property
    def born(self) -> list[Event]:
        """What was born here, in order."""
        return self._memory.born


@dataclass(frozen=True)
class Told:
    """A detection, and when it was told, by the world's time."""

    at: int
    detection: Detection


@dataclass
class Machine:
    """Where a site runs."""

    site: RememberingSite
    offset: int = 0
    drift: float = 0.0
    """By how much its clock is ahead, and how much faster it goes (0.00001: ten in a million)."""
    is_down: bool = False
    told: list[Told] = field(default_factory=list)
    woken_at: int = FAR
    """When it is to be woken next, by the world's time."""

    def clock(self, now: int) -> int:
        """What its clock shows."""
        return now + self.offset + round(now * self.drift)

    def world_time(self, clock: int) -> int:
        """When its clock shows that."""
        return round((clock - self.offset) / (1 + self.drift))


class World:
    """Sites, those who report events to them, and the network between them."""

    def __init__(
        self,
        names: Iterable[str],
        network: Network,
        pace: Pace,
        *,
        offsets: Mapping[str, tuple[int, float]] | None = None,
        is_synchronised: bool = False,
    ) -> None:
        """`is_synchronised`: clocks are kept together by something else, and are not probed."""
        self.now = 0
        self.network, self.pace = network, pace
        self.is_synchronised = is_synchronised
        self.machines: dict[str, Machine] = {}
        self.reporters: dict[str, Reporter] = {}
        self.messages = 0
        self.counted = Carried()
        """What sites sent to each other: each message once, however many lines it went over."""
        self._queue: list[tuple[int, int, Callable[..., None], tuple[Any, ...]]] = []
        self._numbers = count()
        for number, name in enumerate(names):
            offset, drift = (offsets or {}).get(name, (0, 0.0))
            self.machines[name] = Machine(RememberingSite(name, f"{name}-1", pace), offset, drift)
            self.at(number * 1_000, self._beat, name)

    # -- time --------------------------------------------------------------------------------------------------------

    def at(self, time: int, what: Callable[..., None], *given: Any) -> None:
        """Something is to happen at a time."""
        heapq.heappush(self._queue, (max(time, self.now), next(self._numbers), what, given))

    def run(self, until: int) -> None:
        """Lets the world go on to a time."""
        queue = self._queue
        while queue and queue[0][0] <= until:
            self.now, _, what, given = heapq.heappop(queue)
            what(*given)
        self.now = until

    def _beat(self, name: str) -> None:
        self.step(name, None)
        self.at(self.now + self.pace.beat, self._beat, name)

    # -- sites -------------------------------------------------------------------------------------------------------

    def step(self, name: str, message: Message | None) -> None:
        """Something comes to a site, or it is time."""
        machine = self.machines[name]
        if machine.is_down:
            return
        now = machine.clock(self.now)
        if message is not None:
            machine.site.take(message, now)
        if message is None or machine.site.birthplace.sieves:  # what is born here may have got on, or a timer is due
            machine.site.tick(now)
        self._send_of(name, machine)

    def do(self, name: str, what: Callable[[Site], None]) -> None:
        """Somebody wants something of a site."""
        machine = self.machines[name]
        machine.site.tick(machine.clock(self.now))
        what(machine.site)
        self._send_of(name, machine)

    def _send_of(self, name: str, machine: Machine) -> None:
        drained = machine.site.drain()
        machine.told += [Told(self.now, told.detection) for told in drained.told]
        for to, message in drained.messages:
            if to != EVERYBODY:
                self.send(name, to, message)
                continue
            for other in self.machines:
                if other != name:
                    self.send(name, other, message)
        self._wake(name, machine)

    def _wake(self, name: str, machine: Machine) -> None:
        """It is woken when its clock shows what somebody waits for."""
        site = machine.site
        now = machine.clock(self.now)
        due = _due(site, now)
        if due is None:
            return
        at = max(machine.world_time(due), self.now + 1)
        if at < machine.woken_at:
            machine.woken_at = at
            self.at(at, self._woken, name, at)

    def _woken(self, name: str, at: int) -> None:
        machine = self.machines[name]
        if machine.woken_at == at:
            machine.woken_at = FAR
            self.step(name, None)

    def fail(self, name: str, until: int) -> None:
        """A site is down from now on, to a time."""
        self.machines[name].is_down = True

        def back() -> None:
            self.machines[name].is_down = False
            self.machines[name].woken_at = FAR
            self.step(name, None)

        self.at(until, back)

    # -- messages ----------------------------------------------------------------------------------------------------

    def send(self, sender: str, to: str, message: Message) -> None:
        """A message begins its way."""
        kind = kind_of(message)
        if kind == SIGNS and self.is_synchronised and message["is"] in ("ping", "pong"):
            return
        data = _encode(message)
        self.messages += 1
        if sender in self.machines and to in self.machines:
            self.counted.messages[kind] += 1
            self.counted.bytes[kind] += len(data)
        at = self.network.arrival(sender, to, kind, len(data), self.now)
        if at is not None:
            self.at(at, self._deliver, to, data)

    def _deliver(self, to: str, data: bytes) -> None:
        reporter = self.reporters.get(to)
        if reporter is not None:
            self.network.delivered += 1
            reporter.take(_decode(data), self.now)
            self._send_reports(reporter)
        elif to in self.machines and not self.machines[to].is_down:
            self.network.delivered += 1
            self.step(to, _decode(data))
        else:
            self.network.lost += 1

    def count_anew(self) -> None:
        """Counting begins now."""
        self.counted = Carried()
        self.network.forget()

    @property
    def on_the_way(self) -> int:
        """Messages that are neither there nor lost."""
        return sum(what == self._deliver for _, _, what, _ in self._queue)

    # -- events ------------------------------------------------------------------------------------------------------

    def reporter(self, name: str, site: str) -> Reporter:
        """Somebody who reports events to a site."""
        reporter = self.reporters[name] = Reporter(name, site, self.pace)
        self.at(self.now + self.pace.beat, self._report_again, name)
        return reporter

    def report(self, name: str, event: Event) -> None:
        """An event is reported now."""
        self.reporters[name].report(event)
        self._send_reports(self.reporters[name])

    def announce(self, name: str) -> None:
        """What was said besides of sources goes out."""
        self._send_reports(self.reporters[name])

    def _report_again(self, name: str) -> None:
        self._send_reports(self.reporters[name])
        self.at(self.now + self.pace.beat, self._report_again, name)

    def _send_reports(self, reporter: Reporter) -> None:
        for to, message in reporter.drain(self.now):
            self.send(reporter.name, to, message)

    # -- what came of it ---------------------------------------------------------------------------------------------

    def born(self) -> list[Event]:
        """All events that were born, in order."""
        some = [event for machine in self.machines.values() for event in machine.site.born]
        return sorted(some, key=lambda each: (each.end, each.start, each.source, each.number))

    def told(self, name: str) -> list[Told]:
        """What was told at a site, and when."""
        return self.machines[name].told


def _due(site: Site, now: int) -> int | None:
    """When it is to be woken next, by its clock."""
    if any(not host.is_in_order for host in site.hosts.values()):
        return now + TICK
    return due_after(site, now)
