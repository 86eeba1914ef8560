"""The Active Office: both solutions find what one engine finds, nothing that is sent is lost from the books."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from tocsin.simulate.networks import KINDS
from tocsin.simulate.office import experiment
from tocsin.simulate.office.experiment import office
from tocsin.simulate.office.people import MINUTE, PEOPLE, ROOMS, Building
from tocsin.simulate.office.solutions import DISTRIBUTED, PRIMITIVE, Outcome, Setting, outcome


def ids(one: Outcome) -> list[list[str]]:
    """What each subscriber was told."""
    return [sorted(each.detection.id for each in told) for told in one.told]


@pytest.mark.parametrize(("scenario", "minutes", "seed"), [(1, 20, 3), (2, 40, 2)])
def test_both_solutions_find_what_one_engine_finds(scenario: int, minutes: int, seed: int) -> None:
    outcomes = [outcome(solution, Setting(2, scenario, minutes, seed)) for solution in (PRIMITIVE, DISTRIBUTED)]
    for one in outcomes:
        expected = sorted(each.id for each in one.expected)
        assert expected
        assert ids(one) == [expected, expected]
        assert one.delays[-1] < 220
    primitive, distributed = outcomes
    assert primitive.wireless.bytes["events"] > 0
    assert primitive.wireless.bytes["detections"] == 0
    assert distributed.wireless.bytes["detections"] > 0
    assert distributed.wireless.bytes["events"] == 0


@pytest.mark.parametrize("solution", [PRIMITIVE, DISTRIBUTED])
def test_every_message_is_there_or_on_its_way(solution: str) -> None:
    one = outcome(solution, Setting(2, 2, 5))
    assert one.messages == one.delivered + one.on_the_way
    assert set(one.wired.bytes) | set(one.wireless.bytes) <= set(KINDS)


def test_a_second_subscriber_costs_the_primitive_solution_as_much_again_and_the_wire_nothing() -> None:
    one, two = (outcome(PRIMITIVE, Setting(count, 2, 10)) for count in (1, 2))
    assert two.wireless.bytes["events"] == 2 * one.wireless.bytes["events"]
    assert two.wired.bytes["births"] == one.wired.bytes["births"]
    one, two = (outcome(DISTRIBUTED, Setting(count, 2, 10)) for count in (1, 2))
    assert two.wired.bytes["questions"] == one.wired.bytes["questions"]
    assert len({each.site for each in two.deployment.placed}) <= 2


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer subscribers: the rest is the same."""
    monkeypatch.setattr(experiment, "SUBSCRIBERS", (1, 3))
    monkeypatch.setattr(experiment, "FIRST_SCENARIO", (1,))


@pytest.mark.usefixtures("_few")
def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_life() -> None:
    first, again, other = (office(seed, 0.02) for seed in (1, 1, 2))
    assert json.dumps(first.record) == json.dumps(again.record)
    assert first.text() == again.text()
    assert first.pictures == again.pictures
    assert first.record["subscribers"] != other.record["subscribers"]


@pytest.mark.usefixtures("_few")
def test_the_json_has_for_each_number_of_subscribers_its_part_of_the_primitive_bytes() -> None:
    record = office(1, 0.02).record
    found = record["subscribers"]
    assert [each["n"] for each in found] == [1, 3]
    assert all({"total", "wireless", "delay_ms", "same_detections"} <= each.keys() for each in found)
    assert all(each["same_detections"] for each in found)
    assert all({"p50", "p99"} == each["delay_ms"].keys() for each in found)
    totals = [each["total"] for each in found]
    assert totals == sorted(totals, reverse=True)
    last = found[-1]
    ours = last["distributed"]["wired"]["bytes"] + last["distributed"]["wireless"]["bytes"]
    theirs = last["primitive"]["wired"]["bytes"] + last["primitive"]["wireless"]["bytes"]
    assert last["total"] == pytest.approx(ours / theirs, abs=1e-4)


def test_bats_are_seen_every_minute_and_people_are_in_one_place() -> None:
    life = list(Building(3).life(30))
    bats = [each for each in life if each.type == "Pers"]
    assert len(bats) == 30 * len(PEOPLE)
    assert {each.data["room"] for each in bats} <= set(ROOMS)
    for person in PEOPLE:
        seen = [each.at for each in bats if each.data["person"] == person]
        assert {later - earlier for earlier, later in pairwise(seen)} == {MINUTE}
    boards: set[str] = set()
    for each in life:
        if each.type == "BoardOn":
            assert each.data["room"] not in boards
            boards.add(each.data["room"])
        elif each.type == "BoardOff":
            boards.remove(each.data["room"])
