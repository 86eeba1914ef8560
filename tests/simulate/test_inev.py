"""Queries of the kind of INEv's: never dearer than the best central plan, nor than any plan that there is."""

from __future__ import annotations

import json
from random import Random

import pytest

from tocsin.simulate.inev.exhaustive import cost, least
from tocsin.simulate.inev.experiment import RATIOS, SELECTIVITIES, against_all, inev, planned
from tocsin.simulate.inev.queries import Setting, network, nodes, query
from tocsin.sites.placement.least_bytes import least_bytes
from tocsin.sites.placement.topologies import EVERYWHERE


@pytest.mark.parametrize("selectivity", [0.1, 0.001])
def test_a_plan_costs_no_more_than_the_best_central_one(selectivity: float) -> None:
    some = planned(1, Setting(ratio=0.05, selectivity=selectivity), 20)
    assert all(0 < each.ratio <= 1 + 1e-9 for each in some)
    assert any(each.joins for each in some)
    assert all(each.took < 10 for each in some)


def test_more_selective_pairs_save_more_and_widely_born_types_less() -> None:
    def part(ratio: float, selectivity: float) -> float:
        some = planned(2, Setting(ratio=ratio, selectivity=selectivity), 15)
        return sum(each.ours for each in some) / sum(each.central for each in some)

    assert part(0.05, 0.001) < 0.6 * part(0.05, 0.1)
    assert part(0.05, 0.001) < 0.6 * part(0.5, 0.001)


def test_small_queries_are_within_a_twentieth_of_the_least_of_all_plans() -> None:
    assert max(against_all(3, 25)) <= 1.05


def test_what_a_placement_costs_is_what_is_summed_up_plainly() -> None:
    setting = Setting(nodes=5, types=5, ratio=0.4, selectivity=0.01, lengths=(3,))
    random = Random("plain")
    demand = query(random, network(random, setting), 1, setting)
    topology = EVERYWHERE.with_sites(nodes(setting))
    found = least_bytes(demand, topology.region(nodes(setting)), "node1")
    sites = {piece.name: site for piece, site in found.pieces}
    plain = cost(demand, topology, "node1", [piece for piece, _ in found.pieces], sites, found.at)
    assert plain == pytest.approx(found.cost)
    assert least(demand, topology, nodes(setting), "node1") <= plain * (1 + 1e-9)


def test_the_same_seed_gives_the_same_bytes() -> None:
    first, again, other = (inev(seed, 0.1) for seed in (1, 1, 2))
    assert json.dumps(first.record) == json.dumps(again.record)
    assert (first.text(), first.pictures) == (again.text(), again.pictures)
    assert first.record["spread"] != other.record["spread"]
    assert len(first.record["spread"]) == len(RATIOS) * len(SELECTIVITIES)
