"""Who asks for a part hears what it makes from its beginning on; who comes later, what happens from then on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.sites.asked_worlds import PARTS, SECOND, AskedWorld, event, program
from tocsin.rules.loader import load_text
from tocsin.sites.deployment import deployed
from tocsin.sites.parts import Part

TRIGGERED = """
    event a()
    event m()
    rule pair { x:m ; y:a ==> forward y }
    rule first { x:m ==> forward x }
    enable *
    m()
"""
"""What such a script triggers comes when its part begins."""


PARTS_OF_AB = {site: PARTS[site] for site in "AB"}


def told(world: AskedWorld, site: str) -> list[tuple[str, tuple[str, ...]]]:
    return sorted((each.detection.rule, each.detection.events) for each in world.told(site))


@pytest.mark.parametrize("home", ["A", "D"])
def test_what_a_script_triggers_when_it_begins_is_told_to_who_sent_it(home: str) -> None:
    """At A the streams are there, so that the part begins before anybody has said that he takes what it makes."""
    world = AskedWorld(1, PARTS)
    reporter = world.reporter("at-A", "A")
    reporter.source("sa", ["a", "m"], reached=SECOND)
    world.run(SECOND)

    def site_of(part: Part) -> str:
        return home

    world.subscribe("D", deployed(load_text(TRIGGERED), {"A": {"sa": ["a", "m"]}}, "D", site_of=site_of))
    world.run(3 * SECOND)
    reporter.report(event("a", "sa", "a1", 4))
    reporter.close("sa")
    world.run(6 * SECOND)
    assert told(world, "D") == [("first", ("m#1",)), ("pair", ("a1",))]


def test_who_comes_later_does_not_hear_of_what_began_before() -> None:
    world = AskedWorld(2, PARTS)
    reporter = world.reporter("at-A", "A")
    reporter.source("sa", ["a", "b"], reached=0)
    world.run(SECOND)
    made = deployed(program("(x:a -> y:b)"), {"A": {"sa": ["a", "b"]}}, "A")
    world.subscribe("A", made)
    world.run(2 * SECOND)
    reporter.report(event("a", "sa", "a1", 2))
    reporter.beat("sa", 3 * SECOND)
    world.run(3 * SECOND)
    world.subscribe("D", replace(made, sink="D"))
    world.run(4 * SECOND)
    for kind, seconds in (("a", 5), ("b", 6)):
        reporter.report(event(kind, "sa", f"{kind}{seconds}", seconds))
    reporter.close("sa")
    world.run(8 * SECOND)
    assert told(world, "A") == [("rule", ("a1", "b6")), ("rule", ("a5", "b6"))]
    assert told(world, "D") == [("rule", ("a5", "b6"))]


def test_a_part_that_has_to_wait_long_for_one_stream_keeps_the_others() -> None:
    """B is cut off for longer than what nobody takes stays."""
    world = AskedWorld(3, PARTS)
    reporters = {site: world.reporter(f"at-{site}", site) for site in "AB"}
    for site, reporter in reporters.items():
        reporter.source(f"s{site.lower()}", [site.lower()], reached=0)
    world.run(SECOND)
    world.cut.add(frozenset("AB"))
    world.subscribe("A", deployed(program("(x:a -> y:b)"), PARTS_OF_AB, "A"))
    world.run(15 * SECOND)
    world.cut.clear()
    world.run(25 * SECOND)
    for site, reporter in reporters.items():
        kind = site.lower()
        reporter.report(event(kind, f"s{kind}", f"{kind}1", 30 + (kind == "b")))
        reporter.close(f"s{kind}")
    world.run(35 * SECOND)
    assert told(world, "A") == [("rule", ("a1", "b1"))]
