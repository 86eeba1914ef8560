"""Small worlds in which rules are planned by a policy: events come at given rates, and what flows is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from tocsin.algebra.rules import Order, Program
from tocsin.events import Detection, Event
from tocsin.runtime.logs import detections
from tocsin.sites.deployment import Deployment, carry_out
from tocsin.sites.parts import TOLD
from tocsin.sites.simulation import Weather, World

SECOND = 1_000_000
GUARANTEED = Order("guaranteed")


@dataclass
class PlannedWorld:
    """Sites, each with a source that makes some types at some rates, with a key of so many values."""

    rates: Mapping[str, Mapping[str, float]]
    seed: int = 1
    keys: int = 4
    is_stamped: bool = False
    """Whether events have the time at which their site hears of them."""
    weather: Weather = field(default_factory=lambda: Weather(delay=(1_000, 2_000)))
    log: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.world = World(self.seed, list(self.rates), self.weather)
        self.reporters = {}
        for site, kinds in self.rates.items():
            if kinds:
                reporter = self.reporters[site] = self.world.reporter(f"person of {site}", site)
                reporter.source(f"s{site}", sorted(kinds), is_stamped=self.is_stamped, reached=0)

    @property
    def directory(self) -> dict[str, dict[str, list[str]]]:
        return {site: {f"s{site}": sorted(kinds)} if kinds else {} for site, kinds in self.rates.items()}

    def subscribe(self, deployment: Deployment) -> None:
        """Carries a deployment out, and waits until it is at work."""
        self.world.do(deployment.sink, lambda site: carry_out(site, deployment))
        self.live(2)

    def live(self, seconds: float, rates: Mapping[str, Mapping[str, float]] | None = None) -> None:
        """Lets events come for some seconds, each by chance and at its rate."""
        begin, end = self.world.now, self.world.now + round(seconds * SECOND)
        some: list[Event] = []
        for site, kinds in (rates or self.rates).items():
            own: list[tuple[int, str]] = []
            for kind, rate in kinds.items():
                at = begin + self.random.expovariate(rate) * SECOND if rate else end
                while at < end:
                    own.append((round(at), kind))
                    at += self.random.expovariate(rate) * SECOND
            for at, kind in sorted(own):
                data = {"k": self.random.randrange(self.keys), "text": "x" * 40}
                some.append(Event(kind, at, at, f"{site}{at}", f"s{site}", data))
        for event in some:
            self.world.at(event.end, lambda event=event: self.report(event))
        self.log += some
        self.world.run(end)

    def report(self, event: Event) -> None:
        reporter = self.reporters[event.source[1:]]
        if self.is_stamped:
            reporter._give(["event", event.type, event.source, event.id, None, None, event.data])
        else:
            self.world.report(reporter, event)

    def close(self) -> None:
        """Nothing more is to come: everything is told."""
        for site, reporter in self.reporters.items():
            reporter.close(f"s{site}")
        self.world.run(self.world.now + 30 * SECOND)

    def said(self) -> dict[str, dict[str, object]]:
        """What each site says of itself."""
        return {name: machine.site.described() for name, machine in self.world.machines.items() if machine.site}

    def told(self, sink: str) -> list[Detection]:
        return [each.detection for each in self.world.told(sink) if each.stream.endswith(TOLD)]

    def expected(self, program: Program) -> list[Detection]:
        """What one engine finds that sees everything."""
        numbers: dict[str, int] = {}
        found = []
        for event in sorted(self.log, key=lambda each: (each.end, each.source)):
            numbers[event.source] = numbers.get(event.source, 0) + 1
            found.append(event)
        return list(detections(program, found, order=GUARANTEED))
