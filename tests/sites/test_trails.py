"""A detection's trail over sites: parts, hops and delays; across moves, crashes and sites that do not answer."""

from __future__ import annotations

from functools import partial
from xml.etree.ElementTree import fromstring

import pytest

from tests.sites.asked_worlds import SECOND, AskedWorld, cut_apart, event, live, program
from tocsin.errors import TocsinError, UsageError
from tocsin.rules.documents import read_document
from tocsin.rules.programs import only_rules, without_rules
from tocsin.sites.deployment import Deployer, Deployment, Directory, Placed, deployed
from tocsin.sites.parts import TOLD, Part, Role
from tocsin.sites.simulation import Weather
from tocsin.sites.trail_pictures import draw_trail
from tocsin.sites.trail_texts import lines_of, record_of
from tocsin.sites.trails import Birth, Step, Trail, steps_of, trail_of

DIRECTORY: Directory = {"A": {"sa": ["a"]}, "B": {"sb": ["b"]}, "C": {"sc": ["c"]}, "D": {}}
BORN = [
    ("A", event("a", "sa", "a1", 2)),
    ("B", event("b", "sb", "b1", 2.5)),
    ("B", event("b", "sb", "b2", 2.6)),
    ("C", event("c", "sc", "c1", 3)),
]


def born_in(step: Step) -> set[tuple[str, str, str | None]]:
    ways = [way for each in steps_of(step) for way in each.ways]
    return {(way.of.source, way.of.id, way.of.site) for way in ways if isinstance(way.of, Birth)}


def only_trail(world: AskedWorld, sink: str, place: int = 0) -> Trail:
    told = sorted(world.told(sink), key=lambda one: one.number)
    return trail_of(told[place].detection.id[:8], world.ask, world.hellos)


def test_a_trail_has_births_hops_and_delays() -> None:
    world = AskedWorld(5, DIRECTORY, Weather(drift=300_000))
    world.subscribe("C", deployed(program("a -> b"), DIRECTORY, "C"))
    live(world, BORN)
    trail = only_trail(world, "C")
    assert born_in(trail.step) == {("sa", "a1", "A"), ("sb", "b1", "B")}
    for way in trail.step.ways:
        passage = way.passage
        assert passage is not None
        assert passage.taker == "C"
        assert passage.delay.time is not None  # clocks are up to 0.6 seconds apart, and messages take 0.2 to 20 ms
        assert passage.delay.time - passage.delay.error <= 20_000
        assert passage.delay.time + passage.delay.error >= 200
    assert not trail.silent


def test_a_trail_is_drawn() -> None:
    world = AskedWorld(5, DIRECTORY)
    world.subscribe("D", deployed(program("a -> b"), DIRECTORY, "C"))
    births = [("A", event("a", "s<a>", 'a"1', 2)), ("B", event("b", "sb", "b1", 2.5))]
    live(world, births)
    trail = trail_of(world.told("D")[0].detection.id, world.ask, world.hellos)
    drawn = fromstring(draw_trail(trail))
    kinds = [each.get("class") for each in drawn.iter() if each.get("class")]
    assert kinds.count("event") == 2
    assert kinds.count("part") == 1
    assert kinds.count("told") == 1
    words = " ".join(each.text or "" for each in drawn.iter())
    assert 'a a"1' in words
    assert "ms ±" in words


def test_a_trail_goes_through_joins_and_composites() -> None:
    text = "rules:\n- {name: low, language: sel, expression: a -> b}\n"
    rules = read_document(text + "- {name: high, language: sel, expression: low -> c}\n", "rules.yaml")
    deployer = Deployer(rules, DIRECTORY, "D")
    a, b, c = (deployer.filter(kind, site) for kind, site in (("a", "A"), ("b", "B"), ("c", "C")))
    join = Part(Role.JOIN, only_rules(rules, {"low"}), inputs=(a.key, b.key))
    low = Part(Role.RULE, only_rules(rules, {"low"}), inputs=(join.key,))
    high = Part(Role.RULE, without_rules(rules, {"low"}), inputs=(low.key, c.key))
    places = [(a, "A"), (b, "B"), (c, "C"), (join, "A"), (low, "B"), (high, "C")]
    placed = tuple(Placed(part, site) for part, site in places)
    world = AskedWorld(5, DIRECTORY)
    world.subscribe("D", Deployment("D", placed, {"high": high.key + TOLD}))
    live(world, BORN)
    assert len(world.told("D")) >= 1
    trail = only_trail(world, "D")
    assert [(step.role, step.site) for step in steps_of(trail.step)] == [("rule", "C"), ("rule", "B"), ("join", "A")]
    assert born_in(trail.step) >= {("sa", "a1", "A"), ("sc", "c1", "C")}
    assert [passage.taker for passage in trail.told] == ["D"]
    lines = list(lines_of(trail))
    assert any("join/" in line and "at A" in line for line in lines)
    assert record_of(trail)["told"][0]["taker"] == "D"


def test_a_trail_leads_on_after_a_move_and_after_crashes() -> None:
    world = AskedWorld(5, DIRECTORY, Weather(loss=0.05))
    deployment = deployed(program("a -> b"), DIRECTORY, "C")
    world.subscribe("C", deployment)
    key = next(placed.part.key for placed in deployment.placed if placed.part.role is Role.RULE)
    world.at(round(2.3 * SECOND), lambda: world.do("C", lambda site: site.moves.move(key, "D")))
    later = [("A", event("a", "sa", "a2", 6)), ("B", event("b", "sb", "b3", 6.5))]
    for site in "ABCD":
        world.at(5 * SECOND, partial(world.crash, site))
        world.at(round(5.3 * SECOND), partial(world.restart, site))
    live(world, [*BORN, *later])
    steps = [only_trail(world, "C", place).step for place in range(len(world.told("C")))]
    assert {step.site for step in steps} == {"D"}
    first, last = steps[0], steps[-1]
    assert born_in(first) == {("sa", "a1", "A"), ("sb", "b1", "B")}
    assert ("sb", "b3", "B") in born_in(last)
    # a1 was taken at C, and came to D with the part
    took = {way.of.id: way.passage for way in first.ways if isinstance(way.of, Birth)}
    assert took["a1"] is not None
    assert took["a1"].taker == "C"


def test_a_site_that_does_not_answer_is_named() -> None:
    world = AskedWorld(5, DIRECTORY)
    world.subscribe("C", deployed(program("a -> b"), DIRECTORY, "C"))
    live(world, BORN)
    world.crash("A")
    trail = only_trail(world, "C")
    assert trail.silent == ("A",)
    assert ("sa", "a1", None) in born_in(trail.step)
    assert "  no answer from A: what happened there is missing" in list(lines_of(trail))


def gone_before(world: AskedWorld, site: str) -> None:
    """A site has crashed before the person who asks came: only other sites remember it."""
    world.crash(site)
    world.run(world.now + 2 * SECOND)
    world.hellos.pop(site)


def test_a_site_that_fell_silent_before_is_named_with_what_it_gave() -> None:
    world = AskedWorld(5, DIRECTORY)
    world.subscribe("D", cut_apart())
    live(world, BORN)
    gone_before(world, "B")
    trail = only_trail(world, "D")
    assert trail.silent == ("B",)
    middle = next(step for step in steps_of(trail.step) if step.site == "C")
    [(stream, _)] = middle.unheard
    assert stream.startswith("join/")
    assert any(line.endswith(f"? {stream} from B, which does not answer") for line in lines_of(trail))
    assert "  no answer from B: what happened there is missing" in list(lines_of(trail))
    record = record_of(trail)
    assert (record["silent"], record["trail"]["from"][0]["unheard"]) == (["B"], [{"stream": stream, "site": "B"}])


def test_a_detection_that_only_a_silent_site_knows_is_not_said_to_be_unknown_to_all() -> None:
    world = AskedWorld(5, DIRECTORY)
    world.subscribe("C", deployed(program("a -> b"), DIRECTORY, "C"))
    live(world, BORN)
    gone_before(world, "C")
    with pytest.raises(TocsinError, match=r"asked: A, B, D; no answer from C: what happened there is not known"):
        only_trail(world, "C")


def test_an_unknown_detection_is_said_to_be_unknown() -> None:
    world = AskedWorld(5, DIRECTORY)
    world.run(SECOND)
    with pytest.raises(TocsinError, match="no site remembers a detection 'nothing'; asked: A, B, C, D"):
        trail_of("nothing", world.ask, world.hellos)
    with pytest.raises(UsageError, match="the id of a detection is empty"):
        trail_of("", world.ask, world.hellos)
