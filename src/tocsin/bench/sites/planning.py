"""`planning`: how long it takes to place a subscription by `near-sources` in a tree of 10,000 sites.

A made-up network, the same each time: types that are born at one to three sites, rules over two to four of them with
every cut that there may be, wanted at sites anywhere. A few rules are common, as subscriptions are: who subscribes to
what runs already is told from there. Costs are held to the optimum over all 10,000 sites, not only those that the
planner looks at.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from tocsin.bench.columns import is_compiled
from tocsin.bench.records import Record, Target
from tocsin.simulate.internet.instances import Instance, instance
from tocsin.sites.placement.least_bytes import least_bytes
from tocsin.sites.placement.policies import NEAR_SOURCES, Planner

SITES: Final = 10_000
TYPES: Final = 2_000
RULES: Final = 30_000
SUBSCRIPTIONS: Final = 300_000
MEAN: Final = 50.0
"""Microseconds that planning a subscription may take in the mean."""
SLOWEST: Final = 1_000.0
"""... and that 99 in 100 may take at most."""
_CHECKED: Final = 12


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
