"""Every policy in a world of sites: what is told is what one engine finds; what flows is what was predicted."""

from __future__ import annotations

import pytest

from tests.sites.placement.planned_worlds import PlannedWorld
from tocsin.algebra.rules import Program
from tocsin.rules.loader import load_expression
from tocsin.rules.programs import rules_program
from tocsin.sites.outboxes import HEARTBEATS, REQUESTS, TOKENS
from tocsin.sites.parts import Role
from tocsin.sites.placement.comparisons import compared, comparison_record, comparison_text, measured_traffic
from tocsin.sites.placement.plans import Plan, plan
from tocsin.sites.placement.policies import CENTRAL, HASH, NEAR_SOURCES, POLICIES
from tocsin.sites.placement.predictions import predicted
from tocsin.sites.placement.rates import heard
from tocsin.sites.placement.topologies import Link, Topology, measured

RATES = {"A": {"a": 4.0}, "B": {"b": 0.5}, "C": {"c": 0.3}, "D": {}}
CHAIN = load_expression("(x:a -> y:b -> z:c) in 10 seconds", "sel", "x.k = y.k and y.k = z.k")
THIN = Topology((), (Link("A", "B"), Link("B", "C"), Link("C", "D", 20.0)))
"""All in a row, and the sink behind a thin link."""


def named(*rules: tuple[str, Program]) -> Program:
    """Several rules in one program."""
    from dataclasses import replace

    return rules_program(replace(rule, name=name) for name, program in rules for rule in program.rules)


PAIR = load_expression("(x:a -> y:b) in 10 seconds", "sel", "x.k = y.k")
BOTH = named(("chain", CHAIN), ("pair", PAIR))


def planned(world: PlannedWorld, policy: str, program: Program = CHAIN, **more: object) -> Plan:
    said = world.said()
    return plan(program, world.directory, "D", policy=policy, rates=heard(said), topology=THIN, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_finds_what_one_engine_finds(policy: str) -> None:
    world = PlannedWorld(RATES)
    first = planned(world, policy, BOTH)
    world.subscribe(first.deployment)
    world.live(25)
    world.close()
    expected = sorted(one.id for one in world.expected(BOTH))
    assert len(expected) > 20
    assert sorted(one.id for one in world.told("D")) == expected
    joins = [each for each in first.deployment.placed if each.part.role is Role.JOIN]
    assert bool(joins) == (policy not in ("central", "near-sinks"))


@pytest.mark.parametrize(
    ("policy", "way"), [(policy, REQUESTS) for policy in POLICIES] + [(NEAR_SOURCES, HEARTBEATS), (HASH, TOKENS)]
)
def test_what_flows_is_what_was_predicted(policy: str, way: str) -> None:
    world = PlannedWorld(RATES, seed=3)
    world.live(10)
    first = planned(world, policy, way=way)
    world.subscribe(first.deployment)
    world.live(30)
    said = world.said()
    traffic = measured_traffic(said)
    # What was expected of parts that had never run is a guess; what is expected of what was measured must be near.
    assert 0.3 < compared(first.predicted, traffic).total.factor < 3
    again = compared(predicted(first.deployment, heard(said), THIN), traffic)
    assert 0.7 < again.total.factor < 1.4, comparison_text(again)


@pytest.mark.parametrize(("policy", "way"), [(CENTRAL, REQUESTS), (NEAR_SOURCES, REQUESTS), (CENTRAL, HEARTBEATS)])
def test_questions_to_streams_that_get_on_with_the_clock_are_predicted_too(policy: str, way: str) -> None:
    world = PlannedWorld(RATES, seed=3, is_stamped=True)
    world.live(10)
    first = planned(world, policy, way=way)
    world.subscribe(first.deployment)
    world.live(30)
    said = world.said()
    again = compared(predicted(first.deployment, heard(said), measured(said)), measured_traffic(said))
    assert 0.5 < again.total.factor < 2, comparison_text(again)


def test_what_sites_count_is_what_goes_over_the_network() -> None:
    world = PlannedWorld(RATES, seed=4)
    first = planned(world, "near-sources")
    world.subscribe(first.deployment)
    before = {pair: (one.messages, one.bytes) for pair, one in world.world.traffic.items()}
    world.live(20)
    record = comparison_record(compared(first.predicted, measured_traffic(world.said())))
    counted = record["total"]["measured"]
    sent = 0
    for pair, one in world.world.traffic.items():
        if set(pair) <= set(RATES):
            sent += one.bytes - before.get(pair, (0, 0))[1]
    # Signs of life and probes of clocks go over the network besides, and make up most where little happens.
    assert 0 < counted["bytes"] < sent / 20


def test_fewest_bytes_are_fewest_bytes() -> None:
    costs = {}
    for policy in POLICIES:
        world = PlannedWorld(RATES, seed=5)
        world.live(10)
        first = planned(world, policy)
        world.subscribe(first.deployment)
        world.live(20)
        traffic = measured_traffic(world.said())
        costs[policy] = sum(carried.bytes * THIN.cost(*pair) for pair, carried in traffic.items())
    assert min(costs, key=lambda policy: costs[policy]) == "near-sources"
    assert costs["near-sources"] < 0.5 * costs["central"]


def test_delays_are_measured_between_sites() -> None:
    world = PlannedWorld(RATES, seed=6)
    world.live(5)
    topology = measured(world.said())
    for one in RATES:
        for other in RATES:
            assert one == other or 500 <= topology.delay(one, other) <= 60_000


def test_heartbeats_cost_the_same_however_much_happens() -> None:
    world = PlannedWorld(RATES, seed=7)
    quiet = planned(world, "central", way=HEARTBEATS)
    assert quiet.predicted.total.bytes > 0
