"""How far streams have got: told by heartbeats, asked for by requests or tokens, through joins, by several at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.sites.asked_worlds import SECOND, AskedWorld, event, live, program
from tocsin.planner.cuts import cuts
from tocsin.sites.deployment import Deployment, Directory, deployed, in_ways
from tocsin.sites.outboxes import HEARTBEATS, REQUESTS, TOKENS, WAYS
from tocsin.sites.parts import Part, Role
from tocsin.sites.simulation import Weather

STEADY = Weather(delay=(1_000, 2_000))
SOURCES: Directory = {"A": {"sa": ["a"]}, "B": {"sb": ["b"]}, "C": {"sc": ["c"]}, "D": {}}
BORN = [
    ("A", event("a", "sa", "a1", 1, k=1)),
    ("B", event("b", "sb", "b1", 2, k=1)),
    ("C", event("c", "sc", "c1", 3, k=1)),
    ("A", event("a", "sa", "a2", 4, k=2)),
    ("B", event("b", "sb", "b2", 4, k=2)),
    ("C", event("c", "sc", "c2", 5, k=3)),
]


def asked(world: AskedWorld) -> dict[str, set[tuple[str, str]]]:
    """The questions that go over the network: who asks whom, by the kind of message. To be read when all is over."""
    found: dict[str, set[tuple[str, str]]] = {"ask": set(), "token": set()}
    send = world.send

    def seen(sender: str, to: str, message: dict[str, object]) -> None:
        if message["is"] in found:
            found[str(message["is"])].add((sender, to))
        send(sender, to, message)

    world.send = seen  # type: ignore[method-assign, assignment]
    return found


def through_a_join() -> Deployment:
    """A rule at D over a join at C over events of A and B, and over events of C."""
    rules = program("(x:a -> y:b -> z:c) in 10 seconds", condition="x.k = y.k and y.k = z.k")
    [join] = [cut for cut in cuts(rules, rules.rules[0]).cuts if cut.types == {"a", "b"}]

    def site_of(part: Part) -> str:
        return "C" if part.role is Role.JOIN else "D"

    return deployed(rules, SOURCES, "D", chosen={rules.rules[0].name: [join]}, site_of=site_of)


@pytest.mark.parametrize("way", WAYS)
def test_a_question_goes_down_through_a_subtree(way: str) -> None:
    world = AskedWorld(3, SOURCES, STEADY)
    questions = asked(world)
    made = replace(through_a_join(), way=way)
    world.subscribe("D", made)
    live(world, BORN, ends=False)
    assert [told.detection.events for told in world.told("D")] == [("a1", "b1", "c1")]
    if way == REQUESTS:
        # D asks C for the join, which asks the sites that it takes events of (algorithm 4.15).
        assert {("D", "C"), ("C", "A"), ("C", "B")} <= questions["ask"]
        assert not questions["token"]
    if way == TOKENS:
        assert {("C", "A"), ("A", "B")} <= questions["token"]  # one token, passed on
    if way == HEARTBEATS:
        assert not questions["token"]


def test_several_ask_at_once_and_each_is_answered() -> None:
    world = AskedWorld(4, SOURCES, STEADY)
    questions = asked(world)
    for sink, text in (("C", "a -> b"), ("D", "b -> a")):
        world.subscribe(sink, deployed(program(text), SOURCES, sink))
    births = [
        *BORN,
        ("B", event("b", "sb", "b3", 6)),
        ("A", event("a", "sa", "a3", 7)),
        ("B", event("b", "sb", "b4", 8)),
        ("A", event("a", "sa", "a4", 9)),
    ]
    live(world, births, ends=False)
    assert {("C", "B"), ("D", "A"), ("D", "B")} <= questions["ask"]
    assert [told.detection.events for told in world.told("C")][:2] == [("a1", "b1"), ("a1", "b2")]
    assert ("b2", "a3") in [told.detection.events for told in world.told("D")]


def test_each_link_has_its_way() -> None:
    world = AskedWorld(5, SOURCES, STEADY)
    questions = asked(world)
    made = in_ways(deployed(program("a -> b"), SOURCES, "D"), {"A": HEARTBEATS})
    world.subscribe("D", made)
    births = [
        ("A", event("a", "sa", "a1", 1)),
        ("B", event("b", "sb", "b1", 2)),
        ("A", event("a", "sa", "a2", 3)),
        ("B", event("b", "sb", "b2", 4)),
    ]
    live(world, births, ends=False)
    assert [told.detection.events for told in world.told("D")] == [("a1", "b1")]
    takers = {site: world.machines[site].site.links.outbox(f"{site}/{site.lower()}").takers["D"].way for site in "AB"}
    assert takers == {"A": HEARTBEATS, "B": REQUESTS}
    assert ("D", "B") in questions["ask"]


def test_a_silent_site_blocks_what_needs_it_alone() -> None:
    world = AskedWorld(6, SOURCES, STEADY)
    for sink, text in (("C", "a -> b"), ("D", "b -> c")):
        world.subscribe(sink, deployed(program(text), SOURCES, sink))
    world.at(round(1.5 * SECOND), lambda: world.crash("A"))
    live(
        world,
        [
            ("B", event("b", "sb", "b1", 2)),
            ("C", event("c", "sc", "c1", 3)),
            ("B", event("b", "sb", "b2", 4)),
            ("C", event("c", "sc", "c2", 5)),
        ],
        ends=False,
    )
    assert [told.detection.events for told in world.told("D")] == [("b1", "c1")]
    assert world.told("C") == []
    said = world.machines["C"].site
    assert said is not None
    assert {stream for _, stream in said.blocked} == {"A/a"}
