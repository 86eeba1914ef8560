"""Plans by every policy: what runs where, what it will cost, and what cannot be planned."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tests.sites.placement.test_topologies import random_tree
from tocsin.errors import UsageError
from tocsin.rules.loader import load_expression
from tocsin.rules.programs import rules_program
from tocsin.sites.deployment import Placed
from tocsin.sites.parts import Role
from tocsin.sites.placement.plan_texts import plan_record, plan_text
from tocsin.sites.placement.plans import plan
from tocsin.sites.placement.policies import POLICIES, Hints
from tocsin.sites.placement.predictions import predicted
from tocsin.sites.placement.rates import rates_of
from tocsin.sites.placement.topologies import topology_of

DIRECTORY = {"A": {"s": ["a"]}, "B": {"t": ["b"]}, "C": {}}
PROGRAM = load_expression("a ; b", "gem")
RATES = rates_of({"A": {"a": [10, 100]}, "B": {"b": [1, 100]}})


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_places_every_part_and_says_what_it_costs(policy: str) -> None:
    found = plan(PROGRAM, DIRECTORY, "C", policy=policy, rates=RATES)
    assert {each.part.role for each in found.deployment.placed} >= {Role.FILTER, Role.RULE}
    assert all(each.site in DIRECTORY for each in found.deployment.placed)
    assert [reason.rule for reason in found.reasons] == ["rule"]
    assert found.predicted.total.bytes > 0
    assert plan_record(found) == plan_record(plan(PROGRAM, DIRECTORY, "C", policy=policy, rates=RATES))
    assert plan_text(found).startswith(f"policy {policy}, told at C")


def test_a_rule_that_is_pinned_stays_where_it_is_told_to() -> None:
    for policy in POLICIES:
        found = plan(PROGRAM, DIRECTORY, "C", policy=policy, rates=RATES, hints=Hints(pinned={"rule": "B"}))
        assert [each.site for each in found.deployment.placed if each.part.role is Role.RULE] == ["B"]


def test_what_cannot_be_is_said_in_one_line() -> None:
    with pytest.raises(UsageError, match=r"unknown policy 'near': expected one of central, near-sources"):
        plan(PROGRAM, DIRECTORY, "C", policy="near")
    with pytest.raises(UsageError, match=r"unknown site 'D': there are A, B, C"):
        plan(PROGRAM, DIRECTORY, "C", hints=Hints(centre="D"))
    with pytest.raises(UsageError, match="degree"):
        plan(PROGRAM, DIRECTORY, "C", hints=Hints(degree=-1))


def test_a_link_that_is_to_carry_more_than_fits_is_named() -> None:
    topology = topology_of({"links": [{"from": "A", "to": "C", "bandwidth": 1000}, {"from": "B", "to": "C"}]})
    found = plan(PROGRAM, DIRECTORY, "C", policy="central", rates=RATES, topology=topology)
    (full,) = found.predicted.full
    assert full.startswith("the link from A to C is to carry 1750 bytes a second")
    assert full in plan_text(found)


@pytest.mark.parametrize("seed", range(12))
def test_rules_that_share_streams_cost_no_more_than_one_after_the_other(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed)
    topology = random_tree(random, 8)
    sites = random.sample(topology.sites, 4)
    directory = {site: {f"s{site}": [kind]} for site, kind in zip(sites, "abcd", strict=True)}
    rates = rates_of(
        {site: {kind: [random.choice((0.1, 1, 10)), 150]} for site, kind in zip(sites, "abcd", strict=True)}
    )
    texts = ["(x:a -> y:b -> z:c) in 5 seconds", "(x:a -> y:b) in 5 seconds", "(x:b -> y:d) in 5 seconds"]
    random.shuffle(texts)
    programs = [load_expression(text, "sel", "x.k = y.k", name=f"rule{n}") for n, text in enumerate(texts)]
    program = rules_program(rule for one in programs for rule in one.rules)
    monkeypatch.setattr("tocsin.sites.placement.plans._Planned.centres", lambda planned, deployment: [])
    both = plan(program, directory, "s0", rates=rates, topology=topology)
    monkeypatch.setattr("tocsin.sites.placement.plans.SWEEPS", 0)
    once = plan(program, directory, "s0", rates=rates, topology=topology)
    assert both.predicted.cost <= once.predicted.cost
    if seed in (0, 5, 8):
        assert both.predicted.cost < 0.95 * once.predicted.cost
    assert {each.part.key for each in both.deployment.placed} == {each.part.key for each in once.deployment.placed}
    # ... and no single part would be better elsewhere, with the others where they are.
    for place, each in enumerate(both.deployment.placed):
        if each.part.role is not Role.FILTER:
            for site in topology.sites:
                moved = [*both.deployment.placed]
                moved[place] = Placed(each.part, site)
                other = replace(both.deployment, placed=tuple(moved))
                assert predicted(other, rates, topology).cost >= 0.95 * both.predicted.cost
