"""What is wrong with clocks and rules is said in a clear line, and nothing wrong is detected."""

from __future__ import annotations

import pytest

from tests.sites.asked_worlds import PARTS, SECOND, AskedWorld, event, live, program
from tocsin.sites.deployment import deployed
from tocsin.sites.placement.plans import plan
from tocsin.sites.placement.policies import NEAR_SOURCES
from tocsin.sites.shell.clocks import WallClock


@pytest.mark.parametrize(("off", "granularity"), [(300_000, 100_000), (2_000, 500_000)])
def test_clocks_that_are_further_apart_than_2g_stamps_allow_are_named(off: int, granularity: int) -> None:
    """002 section 2: g has to be more than the precision of the clocks. It is looked at again and again."""
    world = AskedWorld(1, PARTS)
    world.machines["A"].offset = off
    world.reporter("at-A", "A").source("sa", ["a"], reached=0)
    world.run(SECOND)
    world.subscribe("A", deployed(program("x:a -> y:a"), {"A": {"sa": ["a"]}}, "A", granularity=granularity))
    world.run(6 * SECOND)
    site = world.machines["A"].site
    assert site is not None
    notes = [note for note in site.notes if "2g" in note]
    if off < granularity:
        assert notes == []
        world.machines["B"].offset = granularity + off  # a clock drifts while all goes on
        world.run(12 * SECOND)
        notes = [note for note in site.notes if "2g" in note]
    assert len(notes) == 1, "said once, while it is so"
    assert notes[0].startswith("clocks are up to 0.")
    assert f"2g stamps of {granularity / 1e6:g} seconds need less" in notes[0]


def test_a_clock_that_is_set_back_stands_still_and_that_is_said() -> None:
    said: list[str] = []
    shows = [100 * SECOND]
    clock = WallClock(said.append, wall=lambda: shows[0] * 1000)
    assert clock() == 100 * SECOND
    shows[0] = 40 * SECOND
    assert [clock(), clock()] == [100 * SECOND, 100 * SECOND]
    assert said == ["this machine's clock was set back by 60.0 seconds: time stands still here until then"]
    shows[0] = 101 * SECOND
    assert clock() == 101 * SECOND
    shows[0] = 90 * SECOND
    assert clock() == 101 * SECOND
    assert len(said) == 2, "another time is said again"


def test_a_rule_that_no_legal_cut_exists_for_runs_whole_and_says_why() -> None:
    """What an automaton of the core language looks at cannot be held back from it."""
    rules = program("[a in {a, b}] ; [b in {a, b}]", "core")
    sources = {"A": {"sa": ["a"]}, "B": {"sb": ["b"]}, "D": {}}
    made = plan(rules, sources, "D", policy=NEAR_SOURCES)
    whole = [each.part.role.value for each in made.deployment.placed if each.part.role.value != "filter"]
    assert whole == ["rule"]
    [reason] = made.reasons
    assert reason.why
    assert all(why.startswith("runs whole: ") for why in reason.why)
    world = AskedWorld(1, sources)
    world.subscribe("D", made.deployment)
    live(world, [("A", event("a", "sa", "a1", 10)), ("B", event("b", "sb", "b1", 11))])
    assert [told.detection.events for told in world.told("D")] == [("a1", "b1")]
