"""Many demands planned together cost never more than central detection, and what they cost is what their flows cost."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from tests.sites.placement.test_topologies import random_tree
from tocsin.rules.loader import load_expression
from tocsin.rules.programs import rules_program
from tocsin.simulate.internet.instances import instance
from tocsin.sites.placement.demands import Placement, Stream
from tocsin.sites.placement.plan_texts import plan_text
from tocsin.sites.placement.plans import plan
from tocsin.sites.placement.policies import CENTRAL, Hints
from tocsin.sites.placement.rates import rates_of
from tocsin.sites.placement.together import Flows, Wanted, middle, planned_together
from tocsin.sites.placement.topologies import Link, Topology

GATHERED = (0, 1, 3, 6, 8, 9, 10)
"""Where cuts and places of their own cost more than everything at one site."""


def shared(seed: int) -> tuple[Topology, list[Wanted]]:
    """Rules over few types, so that many want the same streams, in a tree or in a graph."""
    random = Random(seed)
    made = instance(seed, 15, 6, 25, 60)
    names = made.topology.sites
    more = [Link(*random.sample(names, 2), random.randint(1, 9), 1000.0) for _ in range(0 if seed % 2 else 8)]
    sinks: dict[str, list[str]] = {}
    for demand, sink in made.wanted:
        sinks.setdefault(demand.name, []).append(sink)
    by_name = {demand.name: demand for demand, _ in made.wanted}
    wanted = [Wanted(by_name[name], tuple(dict.fromkeys(some))) for name, some in sinks.items()]
    return Topology((), (*made.topology.links, *more)), wanted


def cost_of(wanted: list[Wanted], placements: Mapping[str, Placement], topology: Topology) -> float:
    """What all flows cost, summed up anew: each stream once to each site where it is taken."""
    paid: dict[tuple[str, str], float] = {}
    where = {piece.name: site for each in placements.values() for piece, site in each.pieces}
    told = 0.0
    for each in wanted:
        placement = placements[each.demand.name]
        outer_first = [piece for piece, _ in placement.pieces]
        taken = [(placement.at, each.demand.inputs(each.demand.everything, outer_first))]
        for place, (piece, site) in enumerate(placement.pieces):
            taken.append((site, each.demand.inputs(piece.types, outer_first[place + 1 :])))
        for site, inputs in taken:
            for one in inputs:
                origin = one.site if isinstance(one, Stream) else where[one.name]
                paid[one.name, site] = one.rate * topology.cost(origin, site)
        told += each.demand.told * sum(topology.cost(placement.at, sink) for sink in each.sinks)
    return sum(paid.values()) + told


@pytest.mark.parametrize("seed", range(20))
def test_together_costs_no_more_than_as_they_come_and_than_all_at_any_site(seed: int) -> None:
    topology, wanted = shared(seed)
    found = planned_together(wanted, topology)
    assert found.cost == pytest.approx(cost_of(wanted, found.placements, topology))
    assert found.cost <= min(found.beginnings.values()) * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_the_middle_is_where_all_streams_go_for_least(seed: int) -> None:
    topology, wanted = shared(seed)
    streams = {each.name: each for one in wanted for some in one.demand.streams for each in some}.values()
    costs = {site: sum(each.rate * topology.cost(each.site, site) for each in streams) for site in topology.sites}
    assert costs[middle(wanted, topology)] == pytest.approx(min(costs.values()))


def test_what_goes_takes_what_ran_for_it_alone() -> None:
    topology, wanted = shared(5)
    placements = planned_together(wanted, topology).placements
    flows = Flows(topology)
    for each in wanted:
        flows.put(each, placements[each.demand.name])
    for each in Random(5).sample(wanted, len(wanted)):
        flows.take(each)
    assert flows.cost == pytest.approx(0.0, abs=1e-6)
    assert not flows.running
    assert not any(flows.taken.values())


@pytest.mark.parametrize("seed", range(12))
def test_a_plan_of_rules_that_share_types_never_costs_more_than_central_detection(seed: int) -> None:
    """Greedily, one rule after the other, it cost up to four times as much."""
    random = Random(seed)
    topology = random_tree(random, 12)
    where = {kind: random.choice(topology.sites) for kind in "abcdef"}
    directory = {site: {f"at {site}": [kind for kind in where if where[kind] == site]} for site in topology.sites}
    born: dict[str, dict[str, list[float]]] = {site: {} for site in topology.sites}
    for kind, site in where.items():
        born[site][kind] = [random.choice((1, 10, 30)), 150]
    rates = rates_of(born)
    pairs = random.sample([(one, other) for one in where for other in where if one != other], 20)
    texts = [f"(x:{one} -> y:{other}) in 5 seconds" for one, other in pairs]
    programs = [load_expression(text, "sel", "x.k = y.k", name=f"rule{n}") for n, text in enumerate(texts)]
    program = rules_program(rule for one in programs for rule in one.rules)
    sink = random.choice(topology.sites)
    ours = plan(program, directory, sink, rates=rates, topology=topology)
    for hints in (Hints(), Hints(centre=random.choice(topology.sites))):
        central = plan(program, directory, sink, policy=CENTRAL, hints=hints, rates=rates, topology=topology)
        same = plan(program, directory, sink, hints=hints, rates=rates, topology=topology)
        assert same.predicted.cost <= central.predicted.cost * (1 + 1e-9)
    is_gathered = "streams that rules share go to" in plan_text(ours)
    assert is_gathered == (seed in GATHERED)
