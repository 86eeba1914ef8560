"""Routes and costs in trees and graphs, against a plain computation over all pairs."""

from __future__ import annotations

from random import Random

import pytest

from tocsin.errors import UsageError
from tocsin.sites.placement.topologies import EVERYWHERE, Link, Topology, measured, topology_of


def random_tree(random: Random, count: int) -> Topology:
    """Sites that are linked without a circle."""
    names = [f"s{number}" for number in range(count)]
    random.shuffle(names)
    links = [
        Link(names[number], names[random.randrange(number)], random.randint(1, 9), random.randint(1, 50))
        for number in range(1, count)
    ]
    return Topology((), tuple(links))


def random_graph(random: Random, count: int) -> Topology:
    """Sites that are linked somehow, all of them."""
    tree = random_tree(random, count)
    more = []
    for _ in range(random.randint(1, count)):
        one, other = random.sample(tree.sites, 2)
        more.append(Link(one, other, random.randint(1, 9), random.randint(1, 50)))
    return Topology((), (*tree.links, *more))


def all_pairs(topology: Topology) -> dict[tuple[str, str], float]:
    """What a byte costs between all pairs, by Floyd and Warshall's algorithm."""
    costs = {(one, other): 0.0 if one == other else float("inf") for one in topology.sites for other in topology.sites}
    for link in topology.links:
        for pair in ((link.one, link.other), (link.other, link.one)):
            costs[pair] = min(costs[pair], link.cost)
    for over in topology.sites:
        for one in topology.sites:
            for other in topology.sites:
                costs[one, other] = min(costs[one, other], costs[one, over] + costs[over, other])
    return costs


@pytest.mark.parametrize("seed", range(40))
def test_costs_and_routes_are_those_of_the_cheapest_way(seed: int) -> None:
    random = Random(seed)
    topology = (random_tree if seed % 2 else random_graph)(random, random.randint(2, 12))
    assert topology.tree is not None or seed % 2 == 0
    by_pair = {}
    for link in topology.links:
        for pair in ((link.one, link.other), (link.other, link.one)):
            by_pair[pair] = min(link.cost, by_pair.get(pair, float("inf")))
    for (one, other), cost in all_pairs(topology).items():
        assert topology.cost(one, other) == cost
        route = topology.route(one, other)
        assert sum(by_pair[pair] for pair in route) == cost
        if route:
            assert (route[0][0], route[-1][1]) == (one, other)


@pytest.mark.parametrize("seed", range(40))
def test_a_region_of_a_tree_knows_its_distances_and_meeting_places(seed: int) -> None:
    random = Random(seed)
    topology = random_tree(random, random.randint(2, 40))
    terminals = random.sample(topology.sites, random.randint(1, min(8, len(topology.sites))))
    region = topology.region(terminals)
    assert set(terminals) <= set(region.sites)
    assert len(region.sites) < 2 * len(terminals)
    for one in region.sites:
        assert [topology.cost(one, other) for other in region.sites] == region.away(region.index[one])


def test_without_links_all_pairs_are_equal() -> None:
    topology = EVERYWHERE.with_sites(["A", "B", "C"])
    assert topology.cost("A", "B") == topology.cost("C", "A") == 1.0
    assert topology.cost("A", "A") == 0.0
    assert topology.route("A", "C") == (("A", "C"),)


def test_a_site_without_links_is_as_far_as_links_are_long_in_the_mean() -> None:
    topology = Topology(("D",), (Link("A", "B", 2.0), Link("B", "C", 4.0)))
    assert topology.cost("A", "C") == 6.0
    assert topology.cost("D", "A") == topology.cost("A", "D") == 3.0
    assert sorted(topology.region(["A", "D"]).sites) == ["A", "B", "C", "D"]


def test_a_topology_as_people_write_it() -> None:
    topology = topology_of({"links": [{"from": "a", "to": "b", "cost": 3, "delay": 5, "bandwidth": 1000}]})
    assert topology.links == (Link("a", "b", 3.0, 5000.0, 1000.0),)
    for wrong in ({"links": [{"from": "a"}]}, {"links": [{"from": "a", "to": "b", "cost": "much"}]}, {"links": 3}):
        with pytest.raises(UsageError, match=r"link|topology"):
            topology_of(wrong)


def test_delays_that_sites_measured() -> None:
    said = {"A": {"clocks": {"B": {"offset": 3, "error": 250}}}, "B": {"clocks": {"A": {"offset": -3, "error": 300}}}}
    topology = measured(said)
    assert topology.delay("A", "B") == 250
    assert topology.cost("A", "B") == 1.0
