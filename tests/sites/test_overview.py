"""What sites say of themselves, put together: status, what is blocked and why, where parts are to go."""

from __future__ import annotations

import pytest

from tests.sites.asked_worlds import PARTS, SECOND, AskedWorld, cut_apart, event, live, program
from tocsin.errors import UsageError
from tocsin.sites.deployment import deployed
from tocsin.sites.overview import blocked_of, blocked_tables, status_of, status_tables
from tocsin.sites.questions import answered
from tocsin.sites.simulation import Weather
from tocsin.sites.surveys import surveyed
from tocsin.sites.tables import lines_of
from tocsin.sites.targets import drained, movable, outcome

BORN = [("A", event("a", "sa", "a1", 2)), ("B", event("b", "sb", "b1", 2.5)), ("C", event("c", "sc", "c1", 2.6))]


def settled(*births: str) -> AskedWorld:
    """A world in which events were born at some sites, and no source has ended."""
    world = AskedWorld(7, PARTS, Weather(drift=1_000))
    world.subscribe("C", deployed(program("a -> b"), PARTS, "C"))
    live(world, [each for each in BORN if each[0] in births], ends=False)
    return world


def test_status_tells_of_sites_sources_parts_and_links() -> None:
    world = settled("A", "B", "C")
    status = status_of(world.said(), {"A": 300_000})
    assert [each["site"] for each in status["sites"]] == ["A", "B", "C", "D"]
    assert status["sites"][0]["heard"] == 300_000
    assert all(each["version"] == 1 and 0 < each["precision"] < SECOND for each in status["sites"])
    assert [(each["source"], each["types"], each["reached"]) for each in status["sources"]] == [
        ("sa", None, 2 * SECOND),
        ("sb", None, round(2.5 * SECOND)),
        ("sc", None, round(2.6 * SECOND)),
    ]
    part = status["parts"][0]
    assert (part["site"], part["role"], part["rules"], part["outputs"]) == ("C", "rule", ["rule"], 0)
    assert part["held"] + part["waiting"] == 2  # a1 is evaluated: B's clock is further; b1 waits for A
    assert [(each["stream"], each["outputs"], each["taken_at"]) for each in status["filters"]] == [
        ("A/a", 1, ["C"]),
        ("B/b", 1, ["C"]),
    ]
    assert any(link["site"] == "A" and link["to"] == "C" and link["messages"] > 1 for link in status["links"])
    lines = list(lines_of(status_tables(status)))
    assert lines[0] == "sites"
    assert any(line.split()[:2] == ["C", part["part"]] for line in lines)


def test_a_silent_source_is_named_as_the_reason() -> None:
    world = settled("A", "B")
    [blocked] = blocked_of(world.said())
    assert (blocked["rules"], blocked["site"], blocked["waits_for"]) == (["rule"], "C", "A")
    assert blocked["why"] == "source 'sa' at 'A' has told of nothing since 1970-01-01T00:00:02Z"
    assert any("source 'sa' at 'A'" in line for line in lines_of(blocked_tables([blocked])))


def test_a_silent_site_is_named_as_the_reason() -> None:
    world = settled("A", "B")
    world.crash("A")
    [blocked] = blocked_of(world.said(), {"A": 3 * SECOND})
    assert blocked["why"] == "site 'A' has not been heard of for 3 s"


def test_a_site_that_fails_is_named_within_a_second() -> None:
    world = settled("A", "B")
    world.crash("A")
    world.run(world.now + SECOND - 10_000)
    found = surveyed({}, {"C": answered(world.machines["C"].site, {"what": ["status"]})["found"]})
    assert "A" in found.silent
    [blocked] = blocked_of(found.said, found.silent)
    assert blocked["why"].startswith("site 'A' has not been heard of for")


def apart(*births: str) -> AskedWorld:
    """The same, with a rule that two parts were cut off."""
    world = AskedWorld(7, PARTS, Weather(drift=1_000))
    world.subscribe("D", cut_apart())
    live(world, [each for each in BORN if each[0] in births], ends=False)
    return world


def test_a_rule_with_nothing_in_hand_waits_for_what_a_part_below_it_waits_for() -> None:
    world = apart("A", "B", "C")
    world.crash("A")
    world.report(world.reporters["at-B"], event("b", "sb", "b9", 9))
    world.run(world.now + SECOND)
    said = world.said()
    assert (said["D"]["blocked"], len(said["C"]["blocked"])) == ([], 2)
    blocked, other = blocked_of(said, {"A": 3 * SECOND})
    assert (other["rules"], other["site"], other["waits_for"]) == (["rule"], "D", "C")  # whose source is as far as c1
    assert (blocked["rules"], blocked["site"], blocked["stream"]) == (["rule"], "D", "A/a")
    assert (blocked["waits_for"], blocked["why"]) == ("A", "site 'A' has not been heard of for 3 s")


def test_a_rule_waits_for_a_silent_site_where_a_part_of_it_runs() -> None:
    world = apart()
    world.crash("B")
    [blocked] = blocked_of(world.said(), {"B": 3 * SECOND})
    assert (blocked["rules"], blocked["site"], blocked["waits_for"]) == (["rule"], "D", "B")
    assert blocked["stream"].startswith("join/")
    assert (blocked["why"], blocked["for"]) == ("site 'B' has not been heard of for 3 s", 3 * SECOND)


def test_a_rule_that_runs_at_a_silent_site_is_blocked_there() -> None:
    world = settled("A", "B")
    world.crash("C")
    [blocked] = blocked_of(world.said(), {"C": 3 * SECOND})
    assert (blocked["rules"], blocked["site"], blocked["waits_for"]) == (["rule"], "C", "C")
    assert blocked["why"] == "it runs at 'C': site 'C' has not been heard of for 3 s"


def test_nothing_is_blocked_where_nothing_waits() -> None:
    world = settled("C")
    assert blocked_of(world.said()) == []


def test_a_move_is_asked_for_by_rule_and_its_outcome_is_seen() -> None:
    world = settled("A", "B")
    [target] = movable(world.said(), "rule", "D")
    assert (target.site, target.to) == ("C", "D")
    assert outcome(world.said(), target) is None
    assert world.ask(["move", target.part, "D"], ["C"]) == {"C": [target.part]}
    world.run(world.now + 2 * SECOND)
    assert outcome(world.said(), target) == "moved"
    assert movable(world.said(), target.part, "D") == []


def test_what_cannot_move_is_refused() -> None:
    said = settled("A", "B").said()
    with pytest.raises(UsageError, match="'A/a' is a filter: it runs where its events are born, and cannot move"):
        movable(said, "A/a", "D")
    with pytest.raises(UsageError, match="no part or rule 'pair' runs at any site; rules that run: rule"):
        movable(said, "pair", "D")
    with pytest.raises(UsageError, match="there is no site 'E'; sites: A, B, C, D"):
        movable(said, "rule", "E")


def test_a_site_is_drained_to_where_most_is_heard() -> None:
    world = settled("A", "B")
    targets = drained(world.said(), "C")
    assert [(target.site, target.to) for target in targets] == [("C", "A")]
    assert world.ask(["drain", {target.part: target.to for target in targets}], ["C"])["C"] == [targets[0].part]
    world.run(world.now + 2 * SECOND)
    assert outcome(world.said(), targets[0]) == "moved"
    assert drained(world.said(), "C") == []


def test_a_question_that_is_not_understood_is_answered() -> None:
    world = AskedWorld(7, ["A"])
    world.send("person", "A", {"is": "query", "from": "person", "number": 77, "what": ["move", 3]})
    world.send("person", "A", {"is": "query", "from": "person", "number": 78, "what": "?"})
    world.send("person", "A", {"is": "query", "from": "person", "number": 79, "what": ["move", "rule", "X"]})
    world.run(SECOND)
    assert world.answers[77]["A"]["fault"] == "'move' was not asked as site 'A' understands it"
    assert "does not understand this question" in world.answers[78]["A"]["fault"]
    assert world.answers[79]["A"]["fault"] == "site 'A' has never heard of a site 'X'"
