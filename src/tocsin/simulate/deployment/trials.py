"""A policy tried: what is predicted before anything runs, then what the sites send, detect, and have to do.

Events happen when their site hears of them, by its clock. Rates are those that the file gives, or that recorded events
have; what parts pass on that never ran is estimated, and after the trial predicted again from what was measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

import msgspec

from tocsin.algebra.rules import Order
from tocsin.events import Detection, Event
from tocsin.runtime.logs import detections
from tocsin.simulate.deployment.description import Description
from tocsin.simulate.networks import Carried, Hop, Line, Network
from tocsin.simulate.worlds import SECOND, Told, World
from tocsin.sites.deployment import Deployment, Directory
from tocsin.sites.links import Pace
from tocsin.sites.parts import TOLD
from tocsin.sites.placement.changes import carry_out, changes
from tocsin.sites.placement.plans import Plan, plan
from tocsin.sites.placement.predictions import Prediction, predicted
from tocsin.sites.placement.rates import Flow, Rates, heard
from tocsin.sites.records import event_record

PACE: Final = Pace(beat=5 * SECOND, patience=2 * SECOND, silence=20 * SECOND)
SETTLING: Final = 10 * SECOND
COUNTED: Final = ("events", "detections", "reports", "questions")
"""What streams between sites cause, and predictions speak of."""
_SAMPLE: Final = 20


@dataclass
class Trial:
    """What came of a policy."""

    policy: str
    plan: Plan
    again: Prediction
    """What was predicted from what was measured."""
    sent: Carried
    by_line: Mapping[Hop, Carried]
    told: list[Told]
    delays: list[float]
    """Of notifications, in milliseconds: from the end of what was detected, by the world's clock."""
    expected: list[Detection]
    lost: int

    @property
    def is_right(self) -> bool:
        """Whether it was told what one engine finds."""
        return sorted(each.id for each in self.expected) == sorted(each.detection.id for each in self.told)


def tried(policy: str, about: Description, seed: int, seconds: float) -> Trial:
    """The deployment under a policy."""
    world = _world(about, seed)
    events = list(happenings(about, seed, seconds + 3 * SETTLING / SECOND))
    for at, site, event in events:
        world.at(SECOND // 10 + at, _reported, world, site, event)
    rates = stated_rates(about, events, seconds + 3 * SETTLING / SECOND)
    world.run(SETTLING)
    directory: Directory = {site: {site: about.types(site)} if about.types(site) else {} for site in about.sites}
    first = plan(about.program, directory, about.sink, policy=policy, rates=rates, topology=about.topology)
    world.do(about.sink, partial(carry_out, some=changes(None, first.deployment)))
    world.run(world.now + SETTLING)
    world.count_anew()
    end = world.now + round(seconds * SECOND)
    world.run(end)
    sent, by_line = deepcopy(world.counted), deepcopy(world.network.carried)
    again = predicted(first.deployment, heard(_said(world)), about.topology)
    world.run(end + SETTLING)  # what is on its way gets there; what is born goes on, so that time does
    machine = world.machines[about.sink]
    until = machine.clock(end)
    told = [each for each in world.told(about.sink) if each.detection.time_us <= until]
    delays = sorted((each.at - machine.world_time(each.detection.time_us)) / 1000 for each in told)
    expected = _expected(about, world, first.deployment, until)
    return Trial(policy, first, again, sent, by_line, told, delays, expected, world.network.lost)


def _world(about: Description, seed: int) -> World:
    lines = dict(about.lines)
    for site in about.sites:
        lines[f"sources of {site}", site] = lines[site, f"sources of {site}"] = Line(delay=0)
    if not about.topology.links:
        lines |= {(one, other): Line() for one in about.sites for other in about.sites if one != other}

    def way(one: str, other: str) -> tuple[Hop, ...]:
        is_source = one.startswith("sources of ") or other.startswith("sources of ")
        return ((one, other),) if is_source else about.topology.route(one, other)

    is_synchronised = not any(ahead or drift for ahead, drift in about.clocks.values())
    network = Network(lines, way, f"{about.name}/{seed}")
    world = World(about.sites, network, PACE, offsets=about.clocks, is_synchronised=is_synchronised)
    for site in about.sites:
        types = about.types(site)
        if types:
            reporter = world.reporter(f"sources of {site}", site)
            reporter.source(site, types, is_stamped=True, reached=0)
            world.announce(f"sources of {site}")
    return world


def _reported(world: World, site: str, event: Event) -> None:
    name = f"sources of {site}"
    world.reporters[name].report_now(event)
    world.announce(name)


def happenings(about: Description, seed: int, seconds: float) -> Iterator[tuple[int, str, Event]]:
    """What happens when, at which site; recorded events that end sooner begin again."""
    for site, some in about.made.items():
        for made in some:
            random = Random(f"{seed}/{site}/{made.type}")
            at = random.expovariate(made.rate) if made.rate else seconds
            number = 0
            while at < seconds:
                number += 1
                identity = f"{made.type}{number}"
                yield round(at * SECOND), site, Event(made.type, 0, 0, identity, site, made.event_data(random))
                at += random.expovariate(made.rate)
    for site, recorded in about.recorded.items():
        first = min(each.end for each in recorded)
        for number, each in enumerate(recorded, 1):
            if each.end - first < seconds * SECOND:
                yield each.end - first, site, Event(each.type, 0, 0, f"recorded{number}", site, each.data)


def stated_rates(about: Description, events: list[tuple[int, str, Event]], seconds: float) -> Rates:
    """As the file gives them; of recorded events as they are."""
    births: dict[tuple[str, str], Flow] = {}
    weights: dict[tuple[str, str], list[int]] = {}
    counts: dict[tuple[str, str], int] = {}
    for at, site, event in events:
        key = site, event.type
        counts[key] = counts.get(key, 0) + 1
        sample = weights.setdefault(key, [])
        if len(sample) < _SAMPLE:
            stamped = Event(event.type, at + (1 << 50), at + (1 << 50), event.id, site, event.data, number=counts[key])
            sample.append(len(msgspec.msgpack.encode(event_record(stamped))))
    stated = {(site, made.type): made.rate for site, some in about.made.items() for made in some}
    for key, sample in weights.items():
        often = stated.get(key, counts[key] / seconds)
        births[key] = Flow(often, often * sum(sample) / len(sample))
    sources = {site: ((frozenset(about.types(site)), True),) for site in about.sites if about.types(site)}
    return Rates(births, sources=sources, is_measured=True)


def _said(world: World) -> dict[str, dict[str, object]]:
    return {name: machine.site.described() for name, machine in world.machines.items()}


def _expected(about: Description, world: World, deployment: Deployment, until: int) -> list[Detection]:
    """What one engine finds over what was born since the rules were at work."""
    keys = {stream.removesuffix(TOLD) for stream in deployment.told.values()}
    since = 0
    for machine in world.machines.values():
        for key, host in machine.site.hosts.items():
            if key in keys:
                since = max(since, host.since or 0)
    born = [event for event in world.born() if event.end > since]
    found = detections(about.program, born, order=Order("guaranteed"))
    return [one for one in found if one.time_us <= until]
