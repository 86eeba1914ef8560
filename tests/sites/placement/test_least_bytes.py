"""`near-sources` against all that is possible: every family of cuts, every part at every site, plainly summed up."""

from __future__ import annotations

from random import Random

import pytest

from tests.sites.placement.test_topologies import random_graph, random_tree
from tocsin.simulate.inev.exhaustive import cost, least
from tocsin.sites.placement.demands import ANSWER, PATIENCE, QUESTION, Demand, Piece, Stream
from tocsin.sites.placement.families import families
from tocsin.sites.placement.least_bytes import Known, least_bytes, placed
from tocsin.sites.placement.policies import NEAR_SOURCES, Hints, Planner
from tocsin.sites.placement.topologies import EVERYWHERE, Link, Topology


def random_demand(random: Random, sites: tuple[str, ...], kinds: int, cuts: int) -> Demand:
    """A rule about some types that are born somewhere, with some cuts that pass on less than comes."""
    streams = []
    for kind in range(kinds):
        births = random.sample(sites, random.choice((1, 1, 2)) if len(sites) > 1 else 1)
        clocked = random.random() < 0.3
        rates = [random.choice((0.2, 1.0, 5.0, 20.0)) for _ in births]
        streams.append(
            tuple(
                Stream(f"{site}/{kind}", site, rate * random.randint(50, 300), rate, clocked)
                for site, rate in zip(births, rates, strict=True)
            )
        )
    possible = [types for types in range(1, 1 << kinds) if types.bit_count() > 1 or random.random() < 0.3]
    pieces = []
    for types in random.sample(possible, min(cuts, len(possible))):
        inside = [each for kind, some in enumerate(streams) if types >> kind & 1 for each in some]
        share = random.choice((0.01, 0.1, 0.5, 0.9))
        events = sum(each.events for each in inside)
        rate = sum(each.rate for each in inside)
        clocked = all(each.is_clocked for each in inside)
        pieces.append(Piece(types, rate * share, f"join {types}", events, events * share, clocked))
    return Demand("rule", tuple(streams), tuple(pieces), random.choice((1.0, 50.0, 2000.0)))


def test_what_questions_and_their_answers_cost() -> None:
    """A clocked stream answers each question; another only when it has something, and is asked for as long again."""
    demand = random_demand(Random(1), ("a",), 1, 0)
    for often in (0.5, 3.0, 100.0):
        assert demand.asking(True, 7.0, often) == pytest.approx(often * (QUESTION + ANSWER))
        assert demand.asking(False, 7.0, often) == pytest.approx(min(often, PATIENCE) * QUESTION)


@pytest.mark.parametrize("seed", range(60))
def test_on_trees_it_is_the_optimum(seed: int) -> None:
    random = Random(seed)
    topology = random_tree(random, random.randint(2, 6))
    demand = random_demand(random, topology.sites, random.randint(1, 3), 3)
    sink = random.choice(topology.sites)
    assert topology.tree is not None
    found = Planner(topology, NEAR_SOURCES).place(demand, sink)
    best = least(demand, topology, topology.sites, sink)
    assert found.cost == pytest.approx(best)
    family = tuple(piece for piece, _ in found.pieces)
    sites = {piece.name: site for piece, site in found.pieces}
    assert cost(demand, topology, sink, family, sites, found.at) == pytest.approx(best)


@pytest.mark.parametrize("seed", range(60))
def test_on_small_graphs_it_is_within_a_twentieth_of_the_optimum(seed: int) -> None:
    random = Random(seed)
    topology = random_graph(random, random.randint(3, 6))
    demand = random_demand(random, topology.sites, random.randint(1, 3), 3)
    sink = random.choice(topology.sites)
    found = Planner(topology, NEAR_SOURCES).place(demand, sink)
    assert found.cost <= 1.05 * least(demand, topology, topology.sites, sink) + 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_where_nothing_is_known_of_links_terminals_are_enough(seed: int) -> None:
    random = Random(seed)
    topology = EVERYWHERE.with_sites([f"s{number}" for number in range(5)])
    demand = random_demand(random, topology.sites, random.randint(1, 3), 2)
    found = Planner(topology, NEAR_SOURCES).place(demand, "s0")
    assert found.cost == pytest.approx(least(demand, topology, topology.sites, "s0"))


@pytest.mark.parametrize("seed", range(20))
def test_in_a_large_tree_the_virtual_tree_is_as_good_as_all_its_sites(seed: int) -> None:
    random = Random(seed)
    topology = random_tree(random, 60)
    demand = random_demand(random, topology.sites, 4, 5)
    sink = random.choice(topology.sites)
    everywhere = topology.region(topology.sites)
    assert len(everywhere.sites) == 60
    found = Planner(topology, NEAR_SOURCES).place(demand, sink)
    assert found.cost == pytest.approx(least_bytes(demand, everywhere, sink).cost)


def test_with_more_families_than_can_be_tried_it_is_seldom_far_from_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tocsin.sites.placement.least_bytes.MOST_FAMILIES", 1)
    factors = []
    for seed in range(20):
        random = Random(seed)
        topology = random_tree(random, 8)
        demand = random_demand(random, topology.sites, 5, 12)
        region = topology.region(topology.sites)
        every = families(tuple(piece.types for piece in demand.pieces), None, 10**6)
        assert every is not None
        made = [[demand.pieces[place] for place in family] for family in every]
        best = min(placed(demand, family, region, "s0").cost for family in made)
        factors.append(least_bytes(demand, region, "s0").cost / best)
    assert sum(factor > 1.05 for factor in factors) <= 1


def test_a_degree_limits_the_cuts() -> None:
    random = Random(5)
    topology = random_tree(random, 6)
    demand = random_demand(random, topology.sites, 4, 6)
    costs = []
    for degree in (0, 1, 2, None):
        found = Planner(topology, NEAR_SOURCES, Hints(degree=degree)).place(demand, "s0")
        assert len(found.pieces) <= (len(demand.pieces) if degree is None else degree)
        costs.append(found.cost)
    assert costs == sorted(costs, reverse=True)


def test_a_part_that_runs_is_free_up_to_its_site() -> None:
    topology = Topology((), (Link("A", "B"), Link("B", "C"), Link("C", "D")))
    streams = ((Stream("A/a", "A", 100.0, 1.0),), (Stream("A/b", "A", 100.0, 1.0),))
    demand = Demand("rule", streams, (Piece(3, 90.0, "join"),), 1000.0)
    region = topology.region(["A", "C", "D"])
    alone = least_bytes(demand, region, "D")
    assert (alone.at, alone.pieces[0][1], alone.cost) == ("D", "A", 3 * 90.0)
    beside = least_bytes(demand, region, "D", Known(running={"join": "C"}))
    assert (beside.at, beside.pieces[0][1], beside.cost) == ("D", "C", 90.0)
    there = least_bytes(demand, region, "D", Known(running={"join": "C"}, taken={"join": {"D"}}))
    assert there.cost == 0.0


def test_sites_that_host_nothing_and_parts_that_are_pinned() -> None:
    topology = Topology((), (Link("A", "B"), Link("B", "C")))
    streams = ((Stream("A/a", "A", 100.0),), (Stream("A/b", "A", 100.0),))
    demand = Demand("rule", streams, (Piece(3, 10.0, "join"),), 0.0)
    assert Planner(topology, NEAR_SOURCES).place(demand, "C").at == "A"
    assert Planner(topology, NEAR_SOURCES, Hints(sites=frozenset("BC"))).place(demand, "C").at == "B"
    assert Planner(topology, NEAR_SOURCES, Hints(pinned={"rule": "C"})).place(demand, "C").at == "C"
    join = Planner(topology, NEAR_SOURCES, Hints(pinned={"rule": "C", "join": "B"})).place(demand, "C")
    assert [site for _, site in join.pieces] == ["B"] or join.cost == 400.0
