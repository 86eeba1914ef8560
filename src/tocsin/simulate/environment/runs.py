"""One run: N sites at which events happen by chance, a rule at the first of them, and what is told beside the truth.

002 (section 5) has an event simulator and a detector at each site, links that keep their order, sites and links that
fail by themselves. A site that fails stands still, and nothing happens at it until it is back. The rule is a sequence
with a negation in the chronicle context, `a ; NOT b ; c`, over types that every site makes: what is evaluated in the
wrong order is combined wrongly.

The truth is what one engine finds that hears everything at the moment when it happens, by a clock that is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Final

from tocsin.algebra.rules import Order, Program
from tocsin.events import Event
from tocsin.rules.loader import load_expression
from tocsin.rules.options import order_of
from tocsin.rules.programs import each_rule
from tocsin.runtime.logs import detections
from tocsin.simulate.networks import SIGNS, Hop, Line, Network
from tocsin.simulate.worlds import SECOND, World
from tocsin.sites.deployment import Directory, deployed
from tocsin.sites.links import Pace
from tocsin.sites.outboxes import HEARTBEATS, REQUESTS, TOKENS
from tocsin.sites.placement.changes import carry_out, changes

ASYNCHRONOUS, PROBABILISTIC = "asynchronous", "probabilistic"
WAYS: Final = (ASYNCHRONOUS, PROBABILISTIC, HEARTBEATS, REQUESTS, TOKENS)
"""002 sections 4.2.1 and 4.2.2, and 001 section 6.3."""
PACE: Final = Pace(beat=500_000, patience=SECOND, silence=3 * SECOND)
TYPES: Final = ("a", "b", "c")
SETTLING: Final = 5 * SECOND
ENDING: Final = 10 * SECOND
LATE: Final = SECOND
"""What is told later than that after it happened counts as late."""
OUTAGE: Final = 5 * SECOND


@dataclass(frozen=True)
class Setting:
    """What the network and the machines do."""

    sites: int = 4
    rate: float = 1.0
    """Events a second at each site."""
    delay: float = 20.0
    """Milliseconds that a message takes; up to as many more by chance."""
    clocks: float = 0.0
    """Milliseconds that clocks are off, at most."""
    failures: float = 0.0
    """How often a minute each site but the first fails, for five seconds."""
    partitions: float = 0.0
    """... and is cut off."""
    seconds: int = 30


@dataclass(frozen=True)
class Outcome:
    """What was told beside the truth."""

    true: int
    told: int
    wrong: int
    """Told, and not true."""
    missed: int
    """True, and never told."""
    late: int
    delays: list[float]
    """Of what was rightly told, in milliseconds."""
    messages: int
    """That evaluation caused: all but signs of life."""


def outcome(way: str, setting: Setting, seed: int) -> Outcome:
    """Some seconds of a way."""
    names = [f"site{number}" for number in range(1, setting.sites + 1)]
    world = _world(names, setting, seed)
    truth: list[Event] = []
    for at, site, kind in sorted(_happenings(names, setting, seed)):
        world.at(SETTLING + at, _happens, world, site, kind, truth)
    directory: Directory = {name: {name: TYPES} for name in names}
    order = {ASYNCHRONOUS: "best-effort", PROBABILISTIC: "probabilistic:0.95"}.get(way, "guaranteed")
    asked = each_rule(_program(), lambda rule: replace(rule, order=order_of(order)))
    asks = way if way in (HEARTBEATS, REQUESTS, TOKENS) else REQUESTS
    placed = deployed(asked, directory, names[0], way=asks)
    world.run(SECOND)
    world.do(names[0], partial(carry_out, some=changes(None, placed)))
    world.run(SETTLING)
    world.count_anew()
    _failures(world, names, setting, seed)
    world.run(SETTLING + setting.seconds * SECOND)
    messages = sum(count for kind, count in world.counted.messages.items() if kind != SIGNS)
    world.run(SETTLING + setting.seconds * SECOND + ENDING)
    return _compared(world, names[0], truth, messages)


def _program() -> Program:
    return load_expression("a ; NOT b ; c", "global")


def _world(names: list[str], setting: Setting, seed: int) -> World:
    delay = round(1000 * setting.delay)
    lines: dict[Hop, Line] = {(one, other): Line(delay, delay) for one in names for other in names if one != other}
    for name in names:
        lines[f"at {name}", name] = lines[name, f"at {name}"] = Line(delay=0)
    random = Random(f"clocks/{seed}")
    off = round(1000 * setting.clocks)
    offsets = {name: (random.randint(-off, off), 0.0) for name in names}
    network = Network(lines, lambda one, other: ((one, other),), f"environment/{seed}")
    world = World(names, network, PACE, offsets=offsets, is_synchronised=not off)
    for name in names:
        world.reporter(f"at {name}", name).source(name, TYPES, is_stamped=True, reached=0)
        world.announce(f"at {name}")
    return world


def _happenings(names: list[str], setting: Setting, seed: int) -> Iterator[tuple[int, str, str]]:
    for name in names:
        random = Random(f"events/{seed}/{name}")
        at = random.expovariate(setting.rate)
        while at < setting.seconds:
            yield round(at * SECOND), name, random.choices(TYPES, (3, 1, 3))[0]
            at += random.expovariate(setting.rate)


def _happens(world: World, site: str, kind: str, truth: list[Event]) -> None:
    if not world.machines[site].is_down:
        event = Event(kind, world.now, world.now, f"{site}/{world.now}", site)
        truth.append(event)
        world.reporters[f"at {site}"].report_now(event)
        world.announce(f"at {site}")


def _failures(world: World, names: list[str], setting: Setting, seed: int) -> None:
    """When which site fails, and which is cut off from all others."""
    for what, often in (("fails", setting.failures), ("is cut off", setting.partitions)):
        for name in names[1:] if often else ():
            random = Random(f"{what}/{seed}/{name}")
            at = random.expovariate(often / 60)
            while at < setting.seconds - OUTAGE / SECOND:
                begin = SETTLING + round(at * SECOND)
                if what == "fails":
                    world.at(begin, lambda name=name: world.fail(name, world.now + OUTAGE))
                else:
                    world.at(begin, _cut, world, name)
                at += OUTAGE / SECOND + random.expovariate(often / 60)


def _cut(world: World, name: str) -> None:
    hops = {hop for hop in world.network.lines if name in hop and not any(end.startswith("at ") for end in hop)}
    world.network.cut |= hops

    def heal() -> None:
        world.network.cut -= hops

    world.at(world.now + OUTAGE, heal)


def _compared(world: World, sink: str, truth: list[Event], messages: int) -> Outcome:
    """What was told beside what is true, by the events that it is made of."""
    at = {event.id: event.end for event in truth}
    true = Counter(one.events for one in detections(_program(), truth, order=Order("guaranteed")))
    told = Counter(each.detection.events for each in world.told(sink))
    right = true & told
    delays = [
        (each.at - max(at[identity] for identity in each.detection.events)) / 1000
        for each in world.told(sink)
        if each.detection.events in right
    ]
    wrong, missed = (told - true).total(), (true - told).total()
    late = sum(delay > LATE / 1000 for delay in delays)
    return Outcome(true.total(), told.total(), wrong, missed, late, sorted(delays), messages)
