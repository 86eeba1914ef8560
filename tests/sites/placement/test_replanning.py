"""When rates change: noise moves nothing, a real change is followed, and detections stay what they are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import pi, sin
from random import Random

import pytest

from tests.sites.placement.planned_worlds import SECOND, PlannedWorld
from tocsin.rules.loader import load_expression
from tocsin.sites.deployment import Deployment
from tocsin.sites.parts import Role
from tocsin.sites.placement.changes import (
    Create,
    Delegate,
    Destroy,
    Migrate,
    Replicate,
    Reuse,
    Tell,
    carry_out,
    change_record,
    change_text,
    changes,
)
from tocsin.sites.placement.plans import improved, plan
from tocsin.sites.placement.policies import NEAR_SOURCES, Hints
from tocsin.sites.placement.rates import Flow, Rates, heard, rates_of
from tocsin.sites.placement.replanning import Replanner, Steadiness
from tocsin.sites.placement.topologies import Link, Topology

CHAIN = load_expression("(x:a -> y:b -> z:c) in 10 seconds", "sel", "x.k = y.k and y.k = z.k")
DIRECTORY = {"A": {"sA": ["a"]}, "B": {"sB": ["b"]}, "C": {"sC": ["c"]}, "D": {}}
STAR = Topology((), (Link("A", "M"), Link("B", "M"), Link("C", "M"), Link("M", "D")))
LOOKS = 30.0
TOLD_STREAM = plan(CHAIN, DIRECTORY, "D", hints=Hints(degree=0)).deployment.told["rule"]


EVEN = {"A": {"a": 10.0}, "B": {"b": 10.0}, "C": {"c": 10.0}}
"""Where no site is better than another, so that any noise makes one of them the best."""


def replanner(**steady: float) -> Replanner:
    """A rule that is not cut, and tells little, where all sites are equal."""
    rates = rates_at(lambda site: 1.0)
    found = plan(CHAIN, DIRECTORY, "D", policy=NEAR_SOURCES, rates=rates, hints=Hints(degree=0)).deployment
    begun = improved(CHAIN, DIRECTORY, found, "rule", rates=rates)
    return Replanner(CHAIN, DIRECTORY, begun, steadiness=Steadiness(**steady))


def rates_at(factor: Callable[[str], float]) -> Rates:
    """What flows if at each site so many times as much is born."""
    births = {
        (site, kind): Flow(rate * factor(site), 150 * rate * factor(site))
        for site, kinds in EVEN.items()
        for kind, rate in kinds.items()
    }
    return Rates(births, {TOLD_STREAM: Flow(0.01, 4.0)}, is_measured=True)


def moves_in(one: Replanner, seconds: float, factor: Callable[[str, float], float]) -> list[tuple[float, Migrate]]:
    """Looks again and again, at rates that are as many times as high as `factor` says of a site at a time."""
    found = []
    for step in range(round(seconds / LOOKS)):
        now = step * LOOKS
        look = one.consider(now, rates_at(partial(_at, factor, now)), {})
        found += [(now, each) for each in look.changes if isinstance(each, Migrate)]
    return found


def _at(factor: Callable[[str, float], float], now: float, site: str) -> float:
    return factor(site, now)


@pytest.mark.parametrize("seed", range(4))
def test_noise_of_30_percent_moves_little(seed: int) -> None:
    random = Random(seed)
    phases = {site: random.random() for site in EVEN}
    noises = (
        lambda site, now: random.uniform(0.7, 1.3),
        lambda site, now: 1 + 0.3 * sin(2 * pi * (now / 1200 + phases[site])),
        lambda site, now: 1 + 0.3 * sin(2 * pi * (now / 3600 + phases[site])),
    )
    for noise in noises:
        moves = moves_in(replanner(), 3 * 3600, noise)
        for hour in range(3):
            assert len([now for now, _ in moves if hour <= now / 3600 < hour + 1]) <= 2, moves


def test_a_part_would_go_to_and_fro_without_steadiness() -> None:
    random = Random(1)
    hasty = replanner(least=0.0, hold=0.0, cooldown=0.0, memory=1.0, margin=0.0)
    assert len(moves_in(hasty, 3600, lambda site, now: random.uniform(0.7, 1.3))) > 10


def test_a_real_change_is_followed_and_once() -> None:
    one = replanner()
    elsewhere = "ABC".replace(one.deployment.site_of(TOLD_STREAM), "")[0]

    def shifted(site: str, now: float) -> float:
        return 1.0 if now < 1800 or site != elsewhere else 5.0

    moves = moves_in(one, 7200, shifted)
    assert moves
    assert 1800 < moves[0][0] <= 1800 + 600
    assert [each.to for _, each in moves] == [elsewhere]


def test_a_state_that_is_large_stays_where_it_is() -> None:
    small, large = replanner(), replanner()
    huge = {each.part.key: 1e9 for each in large.deployment.placed}
    elsewhere = "ABC".replace(small.deployment.site_of(TOLD_STREAM), "")[0]
    rates = rates_at(lambda site: 20.0 if site == elsewhere else 1.0)
    for step in range(40):
        small_look, large_look = (one.consider(step * 30.0, rates, size) for one, size in ((small, {}), (large, huge)))
    assert small.deployment != large.deployment
    assert "less than its state" in large_look.reasons["rule"]
    assert small_look.reasons["rule"] == "no site is better"


def test_changes_are_what_a_detector_may_do() -> None:
    rates = rates_of({"A": {"a": [10, 100]}, "B": {"b": [1, 100]}, "C": {"c": [1, 100]}})
    first = plan(CHAIN, DIRECTORY, "D", rates=rates, topology=STAR)
    made = changes(None, first.deployment)
    assert {type(each) for each in made} >= {Create, Delegate, Tell}
    again = plan(CHAIN, DIRECTORY, "A", rates=rates, topology=STAR, running=first.deployment)
    assert all(reason.is_reused for reason in again.reasons)
    assert {type(each) for each in changes(first.deployment, again.deployment)} == {Reuse, Tell}
    there = plan(
        CHAIN, DIRECTORY, "D", rates=rates, topology=STAR, running=first.deployment, hints=Hints(pinned={"rule": "B"})
    )
    moved = [each for each in changes(first.deployment, there.deployment) if isinstance(each, Migrate)]
    assert [(each.site, each.to) for each in moved] == [(first.deployment.site_of(first.deployment.told["rule"]), "B")]
    twice = plan(
        CHAIN,
        DIRECTORY,
        "D",
        rates=rates,
        topology=STAR,
        running=first.deployment,
        hints=Hints(replicas={"rule": ("C",)}),
    )
    copies = [each for each in changes(first.deployment, twice.deployment) if isinstance(each, Replicate)]
    assert [each.to for each in copies] == ["C"]
    near = plan(CHAIN, DIRECTORY, "C", rates=rates, topology=STAR, running=twice.deployment)
    assert next(each for each in changes(twice.deployment, near.deployment) if isinstance(each, Tell)).site == "C"
    nothing = Deployment("D", (), {})
    gone = changes(first.deployment, nothing, is_all=True)
    assert {type(each) for each in gone} == {Destroy}
    for change in (*made, *moved, *copies, *gone):
        assert change_text(change).startswith(change_record(change)["change"])


def test_in_a_world_a_change_of_rates_moves_parts_while_events_flow_and_nothing_is_lost() -> None:
    quiet = {"A": {"a": 4.0}, "B": {"b": 0.5}, "C": {"c": 0.3}, "M": {}, "D": {}}
    busy = {"A": {"a": 0.3}, "B": {"b": 0.5}, "C": {"c": 4.0}}
    world = PlannedWorld(quiet, seed=2)
    world.live(8)
    first = plan(CHAIN, world.directory, "D", rates=heard(world.said()), topology=STAR)
    since = world.world.now
    world.world.do("D", lambda site: carry_out(site, changes(None, first.deployment)))
    steady = Steadiness(horizon=600, margin=1_000, least=0.2, hold=5, cooldown=600, memory=5)
    one = Replanner(CHAIN, world.directory, first.deployment, topology=STAR, steadiness=steady)
    moved = []
    for step in range(24):
        world.live(5, quiet if step < 4 else busy)
        look = one.look(world.world.now / SECOND, world.said())
        moved += [each for each in look.changes if isinstance(each, Migrate)]
        world.world.do("D", lambda site, look=look: carry_out(site, look.changes))
    world.close()
    assert moved
    hosts = {key: name for name, said in world.said().items() for key in said["parts"]}
    assert all(hosts[each.part.key] == each.site for each in one.deployment.placed if each.part.role is not Role.FILTER)
    expected = {found.id for found in world.expected(CHAIN) if found.made_of[0].end > since + 2 * SECOND}
    told = [found.id for found in world.told("D")]
    assert len(told) == len(set(told))
    assert expected <= set(told)
    assert set(told) <= {found.id for found in world.expected(CHAIN)}


def test_a_replica_goes_on_beside_what_it_is_a_replica_of() -> None:
    world = PlannedWorld({"A": {"a": 2.0}, "B": {"b": 1.0}, "C": {"c": 1.0}, "M": {}, "D": {}}, seed=4)
    rates = heard(world.said())
    first = plan(CHAIN, world.directory, "D", rates=rates, topology=STAR)
    world.world.do("D", lambda site: carry_out(site, changes(None, first.deployment)))
    world.live(10)
    copied = plan(
        CHAIN,
        world.directory,
        "D",
        rates=rates,
        topology=STAR,
        running=first.deployment,
        hints=Hints(replicas={"rule": ("C",)}),
    )
    world.world.do("D", lambda site: carry_out(site, changes(first.deployment, copied.deployment)))
    world.live(3)
    near = plan(CHAIN, world.directory, "C", rates=rates, topology=STAR, running=copied.deployment)
    since = world.world.now
    world.world.do("C", lambda site: carry_out(site, changes(copied.deployment, near.deployment)))
    world.live(20)
    world.close()
    stream = first.deployment.told["rule"]
    assert stream.removesuffix("!") in world.said()["C"]["parts"]
    late = {found.id for found in world.told("D") if found.made_of[0].end > since + 2 * SECOND}
    assert late
    assert late <= {found.id for found in world.told("C")} <= {found.id for found in world.told("D")}
