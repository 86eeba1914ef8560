"""What each policy is for: `hash` agrees without a word, `near-sinks` is soonest, `balanced` is even."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tests.sites.placement.test_least_bytes import random_demand
from tests.sites.placement.test_topologies import random_graph, random_tree
from tocsin.rules.loader import load_expression
from tocsin.sites.parts import Role
from tocsin.sites.placement.demands import Demand, Placement, Stream
from tocsin.sites.placement.least_delay import HANDLING
from tocsin.sites.placement.plans import plan
from tocsin.sites.placement.policies import BALANCED, CENTRAL, HASH, NEAR_SINKS, Hints, Planner, rendezvous
from tocsin.sites.placement.topologies import EVERYWHERE, Topology

CHAIN = load_expression("(x:a -> y:b -> z:c) in 10 seconds", "sel", "x.k = y.k")


def test_all_sites_decide_alike_without_a_word() -> None:
    directory = {"A": {"s": ["a"]}, "B": {"t": ["b"]}, "C": {"u": ["c"]}, "D": {}}
    shuffled = {site: directory[site] for site in ("C", "D", "B", "A")}
    one = plan(CHAIN, directory, "D", policy=HASH).deployment
    other = plan(CHAIN, shuffled, "A", policy=HASH).deployment
    assert {each.part.key: each.site for each in one.placed} == {each.part.key: each.site for each in other.placed}
    for part, site in one.placed:
        assert part.role is Role.FILTER or site == rendezvous(part.key, directory)


def test_when_a_site_goes_only_its_parts_move() -> None:
    sites = [f"s{number}" for number in range(10)]
    before = {f"part {number}": rendezvous(f"part {number}", sites) for number in range(1000)}
    after = {key: rendezvous(key, [site for site in sites if site != "s3"]) for key in before}
    assert all(after[key] == site for key, site in before.items() if site != "s3")
    shares = [list(before.values()).count(site) for site in sites]
    assert 60 <= min(shares) <= max(shares) <= 150


def lateness(demand: Demand, placement: Placement, topology: Topology, sink: str) -> float:
    """How late a detection is told, with the time that each part takes."""
    sites = {piece.name: site for piece, site in placement.pieces}

    def late(types: int, at: str, inner: list[object]) -> float:
        found = 0.0
        for source in demand.inputs(types, inner):  # type: ignore[arg-type]
            if isinstance(source, Stream):
                found = max(found, topology.delay(source.site, at))
            else:
                rest = [each for each, _ in placement.pieces if each.types & source.types == each.types != source.types]
                there = sites[source.name]
                found = max(found, late(source.types, there, list(rest)) + topology.delay(there, at))
        return found + HANDLING

    return late(demand.everything, placement.at, [piece for piece, _ in placement.pieces]) + topology.delay(
        placement.at, sink
    )


@pytest.mark.parametrize("seed", range(30))
def test_near_sinks_is_soonest_but_for_the_slack_and_never_costs_more(seed: int) -> None:
    random = Random(seed)
    topology = (random_tree if seed % 2 else random_graph)(random, random.randint(3, 7))
    demand = random_demand(random, topology.sites, random.randint(1, 3), 3)
    sink = random.choice(topology.sites)
    straight = max(topology.delay(one.site, sink) for some in demand.streams for one in some) + HANDLING
    costs = []
    for slack in (0.0, 0.1, 1.0, 10.0):
        found = Planner(topology, NEAR_SINKS, Hints(slack=slack)).place(demand, sink)
        assert lateness(demand, found, topology, sink) <= straight * (1 + slack) + 1e-6
        costs.append(found.cost)
    assert costs == sorted(costs, reverse=True)


def test_near_sinks_at_no_slack_finds_what_no_placement_beats() -> None:
    for seed in range(10):
        random = Random(seed)
        topology = random_graph(random, 4)
        demand = random_demand(random, topology.sites, 2, 1)
        found = Planner(topology, NEAR_SINKS, Hints(slack=0.0)).place(demand, "s0")
        least = float("inf")
        for made in ([], list(demand.pieces)):
            for at, *where in product(topology.sites, repeat=1 + len(made)):
                other = Placement(at, tuple(zip(made, where, strict=True)), 0.0)
                least = min(least, lateness(demand, other, topology, "s0"))
        assert lateness(demand, found, topology, "s0") == pytest.approx(least)


def test_balanced_leaves_no_site_with_much_more_than_the_others() -> None:
    random = Random(3)
    topology = random_tree(random, 6)
    planner = Planner(topology, BALANCED)
    largest = 0.0
    for number in range(60):
        demand = random_demand(random, topology.sites, 3, 3)
        renamed = [piece._replace(name=f"{number} {piece.name}") for piece in demand.pieces]
        demand = Demand(f"rule {number}", demand.streams, tuple(renamed), demand.told)
        largest = max(largest, sum(one.events for some in demand.streams for one in some))
        planner.place(demand, random.choice(topology.sites))
    loads = [planner.loads.get(site, 0.0) for site in topology.sites]
    assert max(loads) - min(loads) <= 0.2 * max(loads) + largest


def test_balanced_heeds_what_a_site_bears() -> None:
    topology = Topology(("A", "B"), (), {"B": 3.0})
    planner = Planner(topology, BALANCED)
    for number in range(40):
        streams = ((Stream("A/a", "A", 100.0, 1.0),),)
        planner.place(Demand(f"rule {number}", streams), "A")
    assert planner.loads["B"] / planner.loads["A"] == pytest.approx(3.0, rel=0.2)


def test_central_is_one_site() -> None:
    planner = Planner(EVERYWHERE.with_sites("ABC"), CENTRAL, Hints(centre="B"))
    demand = Demand("rule", ((Stream("A/a", "A", 100.0, 1.0),),))
    assert (planner.place(demand, "C").at, planner.place(demand, "A").at) == ("B", "B")
