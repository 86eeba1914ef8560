"""Very many subscriptions: who wants what runs already costs no detector; what flows is summed up rightly."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random

import pytest

from tocsin.simulate.internet.experiment import internet
from tocsin.simulate.internet.instances import instance
from tocsin.simulate.internet.loads import Loads


def test_the_busiest_link_is_the_one_that_plain_routes_find() -> None:
    tree = instance(4, 40, 5, 5, 5).topology.tree
    assert tree is not None
    random, loads, plain = Random(4), Loads(tree), {}
    for number in range(200):
        one, other = random.choice(list(tree.depth)), random.choice(list(tree.depth))
        rate = random.randint(1, 9)
        loads.carry(str(number), one, other, rate)
        loads.carry(str(number), one, other, rate)  # it is there already
        route = tree.route(one, other)
        for pair in pairwise(route):
            link = frozenset(pair)
            plain[link] = plain.get(link, 0) + rate
    site, rate = loads.busiest_link()
    assert rate == max(plain.values())
    assert plain[frozenset((site, tree.parent[site]))] == rate
    total = sum(rate * tree.cost(*sorted(link)) for link, rate in plain.items())
    assert loads.cost == pytest.approx(total)


def test_sharing_saves_detectors_and_bytes() -> None:
    record = internet(1, 0.005).record
    ways = {each["way"]: each for each in record["ways"]}
    assert ways["shared"]["cost"] < ways["not shared"]["cost"] / 10
    assert ways["shared"]["cost"] <= min(ways["central"]["cost"], ways["as they come"]["cost"])
    assert ways["as they come"]["busiest_site"] < ways["central"]["busiest_site"]
    assert ways["central"]["detectors"] <= record["rules"] < ways["not shared"]["detectors"]
    times = [each["breaks_at_times"] for each in record["limits"]]
    assert times == sorted(times)
    counts = [each["detectors"] for each in record["reused"]]
    assert counts == sorted(counts)
    assert counts[-1] < record["subscriptions"] / 2


def test_the_same_seed_gives_the_same_bytes() -> None:
    first, again, other = (internet(seed, 0.003) for seed in (1, 1, 2))
    assert json.dumps(first.record) == json.dumps(again.record)
    assert (first.text(), first.pictures) == (again.text(), again.pictures)
    assert first.record != other.record
