"""Rules at work in a process, which change while events come."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import tocsin as tc
from tests.spark.test_shards import RULES, _as_given, events
from tocsin.algebra.notes import Notes
from tocsin.algebra.order import Release
from tocsin.algebra.replay import Replay
from tocsin.rules.programs import rules_program

PAIR = tc.rule("pair", "x:a ; y:b", context="unrestricted", window="1 min")
LOUD = tc.rule("loud", "x:b", condition="x.v > 1")


def at(second: float, kind: str, **data: object) -> dict[str, object]:
    return {"type": kind, "time": second, "data": data}


def test_what_is_equal_goes_on() -> None:
    live = tc.Live([PAIR])
    assert live.push(at(1, "a")) == []
    change = live.change([PAIR, LOUD])
    assert (change.version, change.added, change.changed, change.removed) == (2, ("loud",), (), ())
    assert [one.rule for one in live.push(at(2, "b", v=3))] == ["pair", "loud"]
    assert live.change([LOUD]).removed == ("pair",)
    assert live.change([PAIR, LOUD]).added == ("pair",)
    assert [one.rule for one in live.push(at(3, "b", v=0))] == [], "what came back has forgotten the first a"
    assert live.version == 4


def test_wrong_rules_are_refused() -> None:
    live = tc.Live([PAIR])
    live.push(at(1, "a"))
    with pytest.raises(tc.UsageError, match="there are no rules"):
        live.change([])
    with pytest.raises(tc.RuleError):
        live.change([PAIR, tc.rule("other", "x:a", condition="z.v > 1")])
    assert (live.version, [one.rule for one in live.push(at(2, "b"))]) == (1, ["pair"])


def test_files_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text('rules: [{name: pair, language: eps, expression: "a ; b"}]')
    live = tc.Live(tmp_path)
    assert live.look() is None
    path.write_text('rules: [{name: pair, language: eps, expression: "a ; "}]')
    assert live.look() is None
    assert "expected an event" in live.refused[0]
    path.write_text('rules: [{name: pair, language: eps, expression: "a ; c"}]')
    change = live.look()
    assert change is not None
    assert (change.version, change.changed, live.refused) == (2, ("pair",), ())


def test_a_candidate_is_compared() -> None:
    live = tc.Live([LOUD], candidate=[tc.rule("loud", "x:b", condition="x.v > 4")])
    assert len(live.process([at(second, "b", v=second) for second in range(8)])) == 6
    assert live.shadow.difference() == {"loud": {"both": 3, "live only": 3, "candidate only": 0}}


def test_bad_events_are_refused_and_repeated_ones_count_once() -> None:
    live = tc.Live([LOUD])
    with pytest.raises(tc.EventError, match="the event has no time"):
        live.push({"type": "b"})
    twice = at(1, "b", v=9) | {"id": "7", "source": "s"}
    assert [len(live.push(twice)) for _ in range(2)] == [1, 0]


def test_a_state_is_saved_and_goes_on() -> None:
    live = tc.Live([PAIR])
    live.push(at(1, "a"))
    again = tc.Live([PAIR, LOUD])
    again.restore(live.snapshot())
    assert [one.rule for one in again.push(at(2, "b", v=5))] == ["pair", "loud"]


@pytest.mark.parametrize("amend", [False, True])
def test_what_came_is_known_after_a_restart(amend: bool) -> None:
    named = at(1, "b", v=5) | {"id": "x1", "source": "s"}
    live = tc.Live([LOUD], amend=amend)
    assert [one.events for one in live.process([named, at(2, "b", v=6)])] == [("x1",), ("2",)]
    again = tc.Live([LOUD], amend=amend)
    again.restore(live.snapshot())
    assert again.push(named) == [], "it came before the restart"
    assert [one.events for one in again.push(at(3, "b", v=7))] == [("4",)], "own ids go on counting"
    assert again.push(named | {"id": "x2"})[0].events == ("x2",)


def test_what_an_earlier_release_saved_goes_on() -> None:
    live = tc.Live([PAIR])
    live.push(at(1, "a"))
    again = tc.Live([PAIR])
    again.restore(live._runtime._parts[0].rules.snapshot())
    assert [one.rule for one in again.push(at(2, "b"))] == ["pair"]


def test_a_damaged_state_is_refused() -> None:
    live = tc.Live([PAIR])
    live.push(at(1, "a"))
    saved = live.snapshot()
    with pytest.raises(tc.TocsinError, match="damaged"):
        tc.Live([PAIR]).restore(saved[:-1] + bytes([saved[-1] ^ 1]))


@pytest.mark.parametrize("seed", range(12))
def test_the_same_as_the_meaning_with_the_same_changes(seed: int) -> None:
    random = Random(seed)
    given: list[dict[str, Any]] = _as_given(events(random, 60))
    first = [rule for rule in RULES if random.random() < 0.6] or RULES[:1]
    live, judge = tc.Live(first), Replay(rules_program(first), None, Notes())
    found: list[str] = []
    for event in given:
        if random.random() < 0.1:
            rules = [rule for rule in RULES if random.random() < 0.6] or RULES[:1]
            live.change(rules)
            judge.change(rules_program(rules))
        found += [one.id for one in live.push(event)]
        when = round(event["time"] * 1e6)
        made = tc.Event(event["type"], when, when, event["id"], event["source"], event["data"], when)
        judge.step(Release(when, made))
    found += [one.id for one in live.finish()]
    judge.finish(None)
    assert found == [one.id for one in judge.drain()]


LINK = tc.rule("link", "down as d unless (up as u where u.link == d.link) within 2 minutes", language="pretty")


def told(found: list[tc.Detection]) -> list[tuple[str, str, str]]:
    return [(one.rule, getattr(one, "change", ""), getattr(one, "because", "")) for one in found]


def test_late_events_amend() -> None:
    live = tc.Live([LINK], amend=True)
    live.push(at(0, "down", link=1))
    assert told(live.advance(121)) == [("link", "", "")]
    saved = live.snapshot()
    assert told(live.push(at(60, "up", link=1) | {"arrival": 130})) == [("link", "retracted", "2")]
    again = tc.Live([LINK], amend="3 min")
    again.restore(saved)
    assert told(again.push(at(60, "up", link=1) | {"id": "x", "arrival": 130})) == [("link", "retracted", "x")]
    assert again.stats()["late"] == 1


def test_what_another_version_reported_is_final() -> None:
    live = tc.Live([LINK], amend=True)
    live.push(at(0, "down", link=1))
    live.push(at(100, "down", link=1))
    assert len(live.advance(150)) == 1
    live.change([LINK, LOUD])
    assert told(live.push(at(60, "up", link=1) | {"arrival": 160})) == []
    assert told(live.push(at(170, "up", link=1) | {"arrival": 230})) == [
        ("link", "", ""),
        ("link", "retracted", "4"),
    ], "what was waited for goes on"
    assert told(live.push(at(231, "b", v=3))) == [("loud", "", "")]
    with pytest.raises(tc.UsageError, match="spread"):
        live.change([LINK, tc.rule("twice", "x:link ; y:link"), LOUD])
    assert live.change([LINK, tc.rule("site", "x:up ; y:down", condition="x.site == y.site"), LOUD]).version == 3


def _mixed(random: Random, count: int) -> list[dict[str, object]]:
    """Dictionaries as programs make them: mostly plain and alike, some with more, some that came before."""
    given: list[dict[str, object]] = []
    for number in range(count):
        data: dict[str, object] = {"k": random.choice((1, 2, None)), "v": random.randrange(10)}
        event: dict[str, object] = {"type": random.choice("abc"), "time": number / 2, "id": str(number), "data": data}
        match random.randrange(40):
            case 0:
                event["data"] = {"deep": {"k": 1}, **data}
            case 1:
                event["w"] = 1.5
            case 2:
                event["time"] = [number / 2 - 1, number / 2]
            case 3:
                event["time"] = number / 2 - 5
            case 4:
                del event["id"]
            case 5 if given:
                event = dict(random.choice(given))
            case 6:
                event["data"] = {}
        given.append(event)
    return given


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("settings", [{}, {"order": "delay:3 s"}, {"amend": True}, {"candidate": [LOUD]}])
def test_events_taken_together_are_those_taken_one_by_one(seed: int, settings: dict[str, Any]) -> None:
    random = Random(seed)
    rules = [
        tc.rule("near", "x:a ; y:b", condition="x.k == y.k", context="unrestricted", window="5 s"),
        tc.rule("used", "x:a ; y:b", context="chronicle", window="9 s"),
        tc.rule("quiet", "a as x unless b within 2 seconds", language="pretty"),
        tc.rule("loud", "x:b", condition="x.v > 7"),
    ]
    given = _mixed(random, 300)
    one_by_one, together = tc.Live(rules, **settings), tc.Live(rules, **settings)
    wanted = [found for event in given for found in one_by_one.push(event)]
    mine: list[tc.Detection] = []
    while given:
        size = random.choice((1, 5, 50))
        mine += together.process(given[:size])
        given = given[size:]
        if random.random() < 0.1 and "candidate" not in settings:
            saved, together = together.snapshot(), tc.Live(rules, **settings)
            together.restore(saved)
    assert mine + together.finish() == wanted + one_by_one.finish()
    assert len(wanted) > 100


def test_what_is_given_may_be_used_again() -> None:
    live = tc.Live([PAIR])
    given = [at(second / 8, "a", v=second) for second in range(8)]
    live.process(given)
    for event in given:
        event["data"]["v"] = "changed"  # type: ignore[index]
        event["type"] = "b"
    found = live.process([at(2, "b", v=1), at(2, "b", v=2), at(2, "c"), at(2, "c")])
    assert {one.data["x.v"] for one in found} == set(range(8))
    assert len(found) == 16


def test_a_bad_event_among_many_is_refused_at_its_place() -> None:
    live = tc.Live([LOUD])
    live.process([at(1, "b", v=9)])
    given = [at(2, "b", v=9), at(2, "b", v=9), {"type": "b"}, at(2, "b", v=9)]
    with pytest.raises(tc.EventError, match="<live>:4:1: the event has no time"):
        live.process(given)
