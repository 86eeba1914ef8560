"""A made-up network, the same for the same numbers: types, rules over them, and who wants which where.

Types are born at one to three sites of a tree; rules look for two to four of them, with every cut that there may be,
and are wanted at sites anywhere. A few rules are common, as subscriptions are.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Final

from tocsin.sites.placement.demands import Demand, Piece, Stream
from tocsin.sites.placement.topologies import Link, Topology

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
    links = []
    for number in range(1, sites):
        above, cost = names[random.randrange(max(0, number - 50), number)], random.randint(1, 9)
        links.append(Link(names[number], above, cost, 1000.0 * cost))
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
