"""Sites in a small world of their own: virtual clocks, a network that loses, repeats and delays, machines that die.

The sites are the real ones. What happens follows from the seed alone, so that a world that goes wrong can be lived
again. A machine writes down what comes before it acts on it, as the shell of a real site does; a crash may tear off
what was not safe yet, and then nothing that came of it was sent.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Final

import msgspec

from tocsin.events import Event
from tocsin.sites.links import Message, Pace
from tocsin.sites.neighbours import EVERYBODY
from tocsin.sites.reporter import Reporter
from tocsin.sites.site import Drained, Site, Told

PORTRAYED: Final = "portrayed"
"""A machine's own message: a picture is there."""
TICK: Final = 50_000
"""How often a machine looks at its clock when nothing comes, in microseconds."""


@dataclass(frozen=True)
class Weather:
    """What the network and the machines do."""

    delay: tuple[int, int] = (200, 20_000)
    """From, to: how long a message takes, in microseconds."""
    loss: float = 0.0
    repeats: float = 0.0
    in_order: bool = False
    """Whether messages of a link keep their order."""
    drift: int = 0
    """How much clocks may be off, in microseconds."""
    writing: int = 0
    """How long it takes at most until what was written down is safe, in microseconds; what came of it waits."""
    painting: int = 0
    """How long it takes at most until the picture of a part that leaves is there."""


@dataclass
class Machine:
    """Where a site runs, and what it has written down."""

    site: Site | None
    saved: bytes
    offset: int = 0
    log: list[tuple[Message | None, int]] = field(default_factory=list)
    told: dict[tuple[str, int], Told] = field(default_factory=dict)
    crashes: int = 0
    saves: int = 0
    unsafe: deque[tuple[int, Drained]] = field(default_factory=deque)
    """What is sent when so many entries of the log are safe."""
    pictures: dict[str, bytes] = field(default_factory=dict)
    """Of parts that leave, until they are there."""


@dataclass
class Traffic:
    """What went over a link."""

    messages: int = 0
    bytes: int = 0


class World:
    """Sites, reporters and the network between them."""

    def __init__(self, seed: int, names: Iterable[str], weather: Weather = Weather(), pace: Pace = Pace()) -> None:  # noqa: B008
        self.random = Random(seed)
        self.weather, self.pace = weather, pace
        self.now = 0
        self.machines: dict[str, Machine] = {}
        self.reporters: dict[str, Reporter] = {}
        self.traffic: dict[tuple[str, str], Traffic] = {}
        self.cut: set[frozenset[str]] = set()
        """Pairs that cannot hear each other."""
        self.story: list[str] = []
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._numbers = count()
        self._last: dict[tuple[str, str], int] = {}
        for name in names:
            site = Site(name, f"{name}-1", pace)
            offset = self.random.randint(-weather.drift, weather.drift)
            self.machines[name] = Machine(site, site.save(), offset)
            self._let_paint(name, site)
            self.at(self.random.randint(0, TICK), self._ticking(name))

    # -- time --------------------------------------------------------------------------------------------------------

    def at(self, time: int, what: Callable[[], None]) -> None:
        """Something is to happen at a time."""
        heapq.heappush(self._queue, (max(time, self.now), next(self._numbers), what))

    def run(self, until: int) -> None:
        """Lets the world go on to a time."""
        while self._queue and self._queue[0][0] <= until:
            self.now, _, what = heapq.heappop(self._queue)
            what()
        self.now = until

    def clock(self, name: str) -> int:
        """What a machine's clock shows."""
        return self.now + self.machines[name].offset

    def _ticking(self, name: str) -> Callable[[], None]:
        def tick() -> None:
            self.step(name, None)
            self.at(self.now + TICK, tick)

        return tick

    # -- machines ----------------------------------------------------------------------------------------------------

    def step(self, name: str, message: Message | None) -> None:
        """Something comes to a machine, or its clock ticks: it is written down, done, and what comes of it sent."""
        machine = self.machines[name]
        if machine.site is None:
            return
        machine.log.append((message, self.clock(name)))
        self._done(machine, message, self.clock(name))
        if not self.weather.writing:
            self._send_of(name)
            return
        drained, written, life = machine.site.drain(), len(machine.log), (machine.crashes, machine.saves)
        machine.unsafe.append((written, drained))
        self.at(self.now + self.random.randint(0, self.weather.writing), lambda: self._is_safe(name, written, life))

    def _is_safe(self, name: str, written: int, life: tuple[int, int]) -> None:
        """So much of a machine's log can not be lost any more, if it is still that log: what came of it goes out."""
        machine = self.machines[name]
        while (machine.crashes, machine.saves) == life and machine.unsafe and machine.unsafe[0][0] <= written:
            self._let_out(name, machine.unsafe.popleft()[1])

    def do(self, name: str, what: Callable[[Site], None]) -> None:
        """Somebody at a machine wants something of its site. It is safe at once: the state is saved behind it."""
        machine = self.machines[name]
        if machine.site is not None:
            machine.site.tick(self.clock(name))
            what(machine.site)
            machine.site.tick(self.clock(name))
            self.save(name)
            self._send_of(name)

    def _done(self, machine: Machine, message: Message | None, now: int) -> None:
        assert machine.site is not None
        if message is None:
            machine.site.tick(now)
        elif message["is"] == PORTRAYED:
            machine.site.portrayed(message["key"], machine.pictures.pop(message["key"]))
        else:
            machine.site.take(message, now)

    def _let_paint(self, name: str, site: Site) -> None:
        """Pictures take their time; that they are there is written down like all that comes."""
        pictures = self.machines[name].pictures

        def portray(key: str, make: Callable[[], bytes]) -> None:
            pictures[key] = make()
            self.at(self.now + self.random.randint(0, self.weather.painting), lambda: self._is_there(name, site, key))

        if self.weather.painting:
            site.portray = portray

    def _is_there(self, name: str, site: Site, key: str) -> None:
        machine = self.machines[name]
        if machine.site is site and key in machine.pictures:
            self.step(name, {"is": PORTRAYED, "key": key})

    def _send_of(self, name: str) -> None:
        machine = self.machines[name]
        assert machine.site is not None
        self._let_out(name, machine.site.drain())

    def _let_out(self, name: str, drained: Drained) -> None:
        for told in drained.told:
            self.tell(name, told)
        for to, message in drained.messages:
            everybody = [each for each in self.machines if each != name]
            for each in everybody if to == EVERYBODY else [to]:
                self.send(name, each, message)

    def save(self, name: str) -> None:
        """A machine saves its state; what was written down before is not needed any more."""
        machine = self.machines[name]
        if machine.site is not None:
            while machine.pictures:  # what is in work now cannot be taken up again from a saved state
                machine.site.portrayed(*machine.pictures.popitem())
            held, machine.unsafe = machine.unsafe, deque()
            for told in machine.site.drain_told():
                self.tell(name, told)
            machine.saved, machine.log = machine.site.save(), []
            machine.saves += 1
            for _, drained in held:
                self._let_out(name, drained)

    def crash(self, name: str, torn: int = 0) -> None:
        """A machine dies. `torn`: so many entries that it wrote last are lost, of those that were not safe yet."""
        machine = self.machines[name]
        machine.site = None
        machine.crashes += 1
        lost = min(torn, len(machine.unsafe))
        del machine.log[len(machine.log) - lost :]
        machine.unsafe.clear()

    def restart(self, name: str) -> None:
        """It comes back: from its saved state, through what it has written down since."""
        machine = self.machines[name]
        machine.site = Site.restored(machine.saved, self.pace)
        machine.pictures.clear()
        self._let_paint(name, machine.site)
        for message, now in machine.log:
            self._done(machine, message, now)
            for told in machine.site.drain_told():
                self.tell(name, told)
        self._send_of(name)

    def tell(self, name: str, told: Told) -> None:
        """Something is told at a machine: what is told again has the number that it had."""
        self.machines[name].told.setdefault((told.stream, told.number), told)

    # -- the network -------------------------------------------------------------------------------------------------

    def send(self, sender: str, to: str, message: Message) -> None:
        """A message begins its way, which it may not end."""
        data = msgspec.msgpack.encode(message)
        link = self.traffic.setdefault((sender, to), Traffic())
        link.messages += 1
        link.bytes += len(data)
        if frozenset((sender, to)) in self.cut or self.random.random() < self.weather.loss:
            return
        for _ in range(2 if self.random.random() < self.weather.repeats else 1):
            due = self.now + self.random.randint(*self.weather.delay)
            if self.weather.in_order:
                due = max(due, self._last.get((sender, to), 0))
                self._last[sender, to] = due
            self.at(due, lambda: self._deliver(to, data))

    def _deliver(self, to: str, data: bytes) -> None:
        message = msgspec.msgpack.decode(data)
        if to in self.reporters:
            reporter = self.reporters[to]
            reporter.take(message, self.now)
            self._send_reports(reporter)
        elif to in self.machines:
            self.step(to, message)

    # -- events ------------------------------------------------------------------------------------------------------

    def reporter(self, name: str, site: str) -> Reporter:
        """Somebody who reports events to a site."""
        reporter = self.reporters[name] = Reporter(name, site, self.pace)

        def tick() -> None:
            self._send_reports(reporter)
            self.at(self.now + TICK, tick)

        self.at(self.now, tick)
        return reporter

    def report(self, reporter: Reporter, event: Event) -> None:
        """An event is reported now."""
        reporter.report(event)
        self._send_reports(reporter)

    def _send_reports(self, reporter: Reporter) -> None:
        for to, message in reporter.drain(self.now):
            self.send(reporter.name, to, message)

    # -- what came of it ---------------------------------------------------------------------------------------------

    def told(self, name: str) -> list[Told]:
        """Everything that was told at a machine, once each."""
        return list(self.machines[name].told.values())
