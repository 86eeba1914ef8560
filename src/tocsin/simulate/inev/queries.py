"""Queries and the network they are asked in, made up: rates that are skewed, selectivities between pairs of types.

- Each type has a rate by its rank (Zipf, exponent 1.3, a thousand events a second and less) over all its birthplaces,
  which are a part of the nodes: INEv's event node ratio.
- A query looks for one event each of 3 to 5 types, in any order, within a second; two of its types go together with a
  selectivity that is somewhere between a third and three times the one asked for.
- What a part passes on is reckoned as everywhere (`sites/placement/estimates`): of each type the events that take part
  in at least one match, if events come independently.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import exp, prod
from random import Random
from typing import Final

from tocsin.sites.placement.demands import Demand, Piece, Stream
from tocsin.sites.placement.plans import on_the_wire
from tocsin.sites.placement.rates import Flow

SKEW: Final = 1.3
MOST_EVENTS: Final = 1000.0
"""A second, of the commonest type."""
EVENT: Final = 160.0
"""Bytes of an event."""
DETECTION: Final = 400.0
"""... and of what a query tells."""
_AROUND: Final = 3.0


@dataclass(frozen=True)
class Setting:
    """How large, and how the types are spread."""

    nodes: int = 20
    types: int = 15
    ratio: float = 0.5
    """At which part of the nodes a type is born."""
    selectivity: float = 0.1
    """Of a pair of types, about."""
    lengths: tuple[int, ...] = (3, 4, 5)


def network(random: Random, setting: Setting) -> list[tuple[Stream, ...]]:
    """The birthplaces of each type."""
    names = nodes(setting)
    count = max(1, round(setting.ratio * setting.nodes))
    ranks = list(range(1, setting.types + 1))
    random.shuffle(ranks)
    births = []
    for kind, rank in enumerate(ranks):
        events = MOST_EVENTS / rank**SKEW / count
        rate = on_the_wire(Flow(events, events * EVENT))
        places = sorted(random.sample(names, count))
        births.append(tuple(Stream(f"{node}/{kind}", node, rate, events) for node in places))
    return births


def nodes(setting: Setting) -> list[str]:
    """Their names."""
    return [f"node{number}" for number in range(1, setting.nodes + 1)]


def query(random: Random, births: list[tuple[Stream, ...]], number: int, setting: Setting) -> Demand:
    """A query with every cut that it may have."""
    kinds = sorted(random.sample(range(len(births)), random.choice(setting.lengths)))
    streams = tuple(births[kind] for kind in kinds)
    rates = [sum(stream.events for stream in some) for some in streams]
    pairs = combinations(range(len(kinds)), 2)
    chosen = {pair: min(1.0, setting.selectivity * _AROUND ** random.uniform(-1, 1)) for pair in pairs}
    pieces = []
    for count in range(2, len(kinds) + 1):
        for some in combinations(range(len(kinds)), count):
            passed = [
                rate * (1 - exp(-_matches(some, rates, chosen) / rate)) for rate in (rates[each] for each in some)
            ]
            flow = Flow(sum(passed), sum(passed) * EVENT)
            types = sum(1 << each for each in some)
            load = sum(rates[each] for each in some)
            pieces.append(Piece(types, on_the_wire(flow), f"{number}:{types}", load, flow.events))
    told = min(sum(rates), _matches(tuple(range(len(kinds))), rates, chosen))
    detected = on_the_wire(Flow(told, told * DETECTION))
    return Demand(f"query {number}", streams, tuple(pieces), detected, sum(rates))


def _matches(some: tuple[int, ...], rates: list[float], chosen: dict[tuple[int, int], float]) -> float:
    """How many matches of some types there are in a second, all within a second."""
    return prod(rates[each] for each in some) * prod(chosen[pair] for pair in combinations(some, 2))
