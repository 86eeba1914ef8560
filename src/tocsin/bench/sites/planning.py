"""`planning`: how long it takes to place a subscription by `near-sources` in a tree of 10,000 sites.

A made-up network, the same each time: types that are born at one to three sites, rules over two to four of them with
every cut that there may be, wanted at sites anywhere. A few rules are common, as subscriptions are: who subscribes to
what runs already is told from there. Costs are held to the optimum over all 10,000 sites, not only those that the
planner looks at.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final

from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record, Target
from tocsin.sites.placement.demands import Demand, Piece, Stream
from tocsin.sites.placement.least_bytes import least_bytes
from tocsin.sites.placement.policies import NEAR_SOURCES, Planner
from tocsin.sites.placement.topologies import Link, Topology

SITES: Final = 10_000
TYPES: Final = 2_000
RULES: Final = 30_000
SUBSCRIPTIONS: Final = 300_000
MEAN: Final = 50.0
"""Microseconds that planning a subscription may take in the mean."""
SLOWEST: Final = 1_000.0
"""... and that 99 in 100 may take at most."""
_CHECKED: Final = 12
_SHARES: Final = (0.01, 0.05, 0.2, 0.6)


@dataclass(frozen=True)
class Instance:
    """A network, the rules that people want, and who wants which where."""

    topology: Topology
    rules: list[Demand]
    wanted: list[tuple[Demand, str]]


def instance(seed: int, sites: int, types: int, rules: int, subscriptions: int) -> Instance:
    """The same for the same numbers."""
    random = Random(seed)
    names = [f"site{number}" for number in range(sites)]
    links = [
        Link(names[number], names[random.randrange(max(0, number - 50), number)], random.randint(1, 9))
        for number in range(1, sites)
    ]
    births = [_births(random, names, kind) for kind in range(types)]
    some = [_rule(random, births, number) for number in range(rules)]
    # The rule at a place is wanted about as often as the places before it together with it are few (Zipf).
    wanted = [(some[int(rules ** random.random()) - 1], random.choice(names)) for _ in range(subscriptions)]
    return Instance(Topology((), tuple(links)), some, wanted)


def _births(random: Random, names: list[str], kind: int) -> tuple[Stream, ...]:
    rates = [random.choice((0.1, 1.0, 10.0, 100.0)) for _ in range(random.choice((1, 1, 2, 3)))]
    sites = random.sample(names, len(rates))
    return tuple(Stream(f"{site}/{kind}", site, rate * 250.0, rate) for site, rate in zip(sites, rates, strict=True))


def _rule(random: Random, births: list[tuple[Stream, ...]], number: int) -> Demand:
    streams = tuple(births[kind] for kind in random.sample(range(len(births)), random.choice((2, 2, 2, 3, 3, 4))))
    pieces = []
    for count in range(2, len(streams) + 1):
        for some in combinations(range(len(streams)), count):
            inside = [each for kind in some for each in streams[kind]]
            share = random.choice(_SHARES)
            rate, events = sum(each.rate for each in inside), sum(each.events for each in inside)
            types = sum(1 << kind for kind in some)
            pieces.append(Piece(types, rate * share, f"{number}:{types}", events, events * share))
    return Demand(f"rule {number}", streams, tuple(pieces), random.choice((0.1, 5.0, 50.0)))


def planning(scale: float = 1.0) -> Iterator[Record]:
    """Places all subscriptions, one after the other: the mean, and what 99 in 100 take at most."""
    made = instance(1, SITES, TYPES, max(1, round(RULES * scale)), max(1, round(SUBSCRIPTIONS * scale)))
    planner = Planner(made.topology, NEAR_SOURCES)
    took: list[int] = []
    first: list[int] = []
    clock = time.thread_time_ns
    for demand, sink in made.wanted:
        is_new = demand.name not in planner.rules
        begun = clock()
        planner.place(demand, sink)
        took.append(clock() - begun)
        if is_new:
            first.append(took[-1])
    cpu, is_right = sum(took) / 1e9, _is_optimal(made, max(2, round(_CHECKED * scale)))
    cost = round(sum(each.cost for each in planner.rules.values()))
    details = {"most us": max(took) / 1e3, "new rules": float(len(first))}
    details |= {"new us": sum(first) / len(first) / 1e3, "new p99 us": _quantile(first, 0.99)}
    figures = {"planning": (cpu / len(took) * 1e6, MEAN), "planning-p99": (_quantile(took, 0.99), SLOWEST)}
    for name, (measured, most) in figures.items():
        target = Target(most, at_most=True)
        unit = "us a subscription"
        known = len(planner.rules)
        yield Record(name, len(took), known, cost, cpu, measured, unit, target, is_right, is_compiled(), details)


def _quantile(took: list[int], share: float) -> float:
    """In microseconds."""
    return sorted(took)[int(share * (len(took) - 1))] / 1e3


def _is_optimal(made: Instance, count: int) -> bool:
    """Whether some rules, each by itself, cost no more than if all sites had been looked at."""
    everywhere = made.topology.region(made.topology.sites)
    for demand, sink in made.wanted[:count]:
        found = Planner(made.topology, NEAR_SOURCES).place(demand, sink)
        if found.cost > least_bytes(demand, everywhere, sink).cost * (1 + 1e-6):
            return False
    return True
