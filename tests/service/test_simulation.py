"""The service's core in many small worlds: see `simulation`. A seed that fails is told as a line that tells its story."""

import os

import pytest

from tests.service.simulation import lived
from tocsin.service.records import Kind

SEEDS = int(os.environ.get("TOCSIN_SEEDS") or 2000)
PART = max(100, SEEDS // 200)
"""Seeds of one test: many tests, so that they can run beside each other."""


@pytest.mark.parametrize("first", range(0, SEEDS, PART))
def test_worlds(first: int) -> None:
    for seed in range(first, min(first + PART, SEEDS)):
        lived(seed)


def test_a_seed_is_one_world() -> None:
    assert lived(7).story == lived(7).story
    assert lived(7).story != lived(8).story


def test_the_worlds_are_full_of_life() -> None:
    worlds = [lived(seed) for seed in range(150)]
    log = [entry for world in worlds for entry in world.disk.log]
    assert {entry.kind for entry in log} == {Kind.EVENTS, Kind.CHANGE, Kind.TICK}
    assert sum(world.crashes for world in worlds) > 20
    assert sum(len(world.told) for world in worlds) > 60
    assert sum("snapshot behind" in line for world in worlds for line in world.story) > 40
    assert any(world.disk.pruned for world in worlds)
    assert any(b'"late": true' in one.body for world in worlds for one in world.told)
