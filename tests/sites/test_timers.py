"""A timer at a site whose streams all come from elsewhere: when it is due they are asked, though nothing comes."""

from __future__ import annotations

import pytest

from tests.sites.asked_worlds import SECOND, AskedWorld, event, program
from tocsin.sites.deployment import deployed
from tocsin.sites.outboxes import HEARTBEATS, REQUESTS, TOKENS


@pytest.mark.parametrize("way", [REQUESTS, HEARTBEATS, TOKENS])
def test_a_timer_is_told_when_it_is_due_though_no_event_comes_any_more(way: str) -> None:
    world = AskedWorld(1, ["A", "B", "D"])
    for site, kind in (("A", "a"), ("B", "b")):
        world.reporter(f"at-{site}", site).source(f"s{site}", [kind], is_stamped=True, reached=0)
    world.run(SECOND)
    rule = program("([a], [T in {T, b}]){T = 5 sec}", "core")
    world.subscribe("D", deployed(rule, {"A": {"sA": ["a"]}, "B": {"sB": ["b"]}, "D": {}}, "D", way=way))
    world.run(3 * SECOND)
    reporter = world.reporters["at-A"]
    reporter.report_now(event("a", "sA", "e1", 3))
    world.run(8 * SECOND - SECOND // 2)
    assert world.told("D") == []
    world.run(10 * SECOND)
    assert [each.detection.events for each in world.told("D")] == [("e1",)]
