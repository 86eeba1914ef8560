"""Rules at work, whole: several clocks, versions, a candidate; the plain meaning is the judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

import tocsin as tc
from tests.spark.test_shards import RULES, events
from tocsin.algebra.rules import Rule
from tocsin.engine.frames.batches import batch_of
from tocsin.errors import SnapshotError
from tocsin.events import Arrival, Detection, Event, Heartbeat
from tocsin.rules.options import order_of
from tocsin.rules.programs import rules_program
from tocsin.runtime import Options, Runtime
from tocsin.runtime.versions import Change
from tocsin.session import Session
from tocsin.time.spans import SECOND

ORDERS = (None, "best-effort", "delay:3 sec", "guaranteed", "probabilistic:0.9")
PAIR = tc.rule("pair", "x:a ; y:b", window="1 min")
LATER = tc.rule("later", "x:a ; y:b", window="1 min", order="delay:5 sec")


def ordered_rules(random: Random) -> list[Rule]:
    """Some rules, each under an order of its own; one of them is used by another."""
    chosen = random.sample(RULES, 3)
    made = [replace(rule, order=None if (text := random.choice(ORDERS)) is None else order_of(text)) for rule in chosen]
    return [*made, tc.rule("twice", f"x:{chosen[0].name} ; y:{chosen[1].name}", order=random.choice(ORDERS[1:]))]


def log_of(random: Random) -> list[Arrival]:
    """Events of two sources, several at one time, some of them late."""
    made: list[Arrival] = []
    for each in events(random, 40):
        late = random.choice((0, 0, 0, 1, 4)) * SECOND
        clock = max(each["time"] + late, made[-1].arrival if made else 0)
        data = {"k": each["data.k"], "v": each["data.v"]}
        made.append(Event(each["type"], each["time"], each["time"], each["id"], random.choice("st"), data, clock))
    return sorted(made, key=lambda arrival: arrival.arrival)


def event(type: str, second: float, id: str = "") -> Event:
    time = int(second * SECOND)
    return Event(type, time, time, id or f"{type}{second:g}", "s", {}, time)


def told(found: Sequence[Detection]) -> Counter[tuple[str, tuple[str, ...], int]]:
    return Counter((one.rule, one.events, one.detected_us) for one in found)


def runtime_of(rules: list[Rule], log: Sequence[Arrival] = ()) -> Runtime:
    session = Session(rules_program(rules))
    return Runtime(session.program, session.options, sources={arrival.source for arrival in log})


@pytest.mark.parametrize("seed", range(40))
def test_several_clocks_are_what_the_meaning_makes_of_each(seed: int) -> None:
    random = Random(seed)
    rules, log = ordered_rules(random), log_of(random)
    should = told(list(Session(rules_program(rules), Options(engine="replay")).detections(log)))
    runtime, found, place = runtime_of(rules, log), list[Detection](), 0
    while place < len(log):
        size = random.randint(1, 7)
        found += runtime.process(log[place : place + size])
        place += size
        if random.random() < 0.3:
            saved, runtime = runtime.snapshot(), runtime_of(rules, log)
            runtime.restore(saved)
    found += runtime.finish()
    assert told(found) == should
    assert [one.detected_us for one in found] == sorted(one.detected_us for one in found)


def test_a_batch_serves_every_clock() -> None:
    runtime, by_event = runtime_of([PAIR, LATER]), runtime_of([PAIR, LATER])
    log: list[Arrival] = [event("a", 1), event("b", 2), event("z", 9), event("b", 10), event("z", 20)]
    found = [*runtime.process([log[0]]), *runtime.process(batch_of(log[1:]))]
    assert told(found) == told(by_event.process(log))
    assert {one.rule for one in found} == {"pair", "later"}


def test_one_event_at_a_time_is_the_same() -> None:
    one, other = runtime_of([PAIR, LATER]), runtime_of([PAIR, LATER])
    pushed = [found for e in ("a", "b", "z") for found in one.push(e, ord(e) * SECOND, id=e, source="s")]
    given = other.process([replace(event(e, ord(e)), id=e) for e in ("a", "b", "z")])
    assert told(pushed) == told(given)
    assert len(pushed) == 2


def test_heartbeats_are_arrivals() -> None:
    runtime = runtime_of([replace(PAIR, order=order_of("guaranteed"))], [event("a", 0)])
    assert not runtime.process([event("a", 1), event("b", 2)])
    assert [one.rule for one in runtime.process([Heartbeat("s", 3 * SECOND, 3 * SECOND)])] == ["pair"]


def test_a_change_keeps_what_is_equal_on_every_clock() -> None:
    runtime = runtime_of([PAIR, LATER])
    runtime.process([event("a", 1)])
    more = tc.rule("every b", "x:b")
    runtime.change(rules_program([LATER, PAIR, more]))
    found = [*runtime.process([event("b", 2)]), *runtime.advance(20 * SECOND)]
    assert sorted(one.rule for one in found) == ["every b", "later", "pair"]
    runtime.change(rules_program([more]))
    assert runtime.versions.changes[1:] == [Change(2, added=("every b",)), Change(3, removed=("later", "pair"))]
    assert [one.rule for one in runtime.process([event("b", 30)])] == ["every b"]


@pytest.mark.parametrize("seed", range(30))
def test_rules_that_move_to_another_runtime_go_on_where_they_were(seed: int) -> None:
    """Both are given the same events; what they find together is what one with all rules finds."""
    random = Random(f"moving {seed}")
    rules, log = ordered_rules(random)[:3], log_of(random)
    here, there = runtime_of(rules, log), Runtime(rules_program([]), sources={arrival.source for arrival in log})
    found, homes = list[Detection](), {rule.name: 0 for rule in rules}
    for arrival in log:
        found += [*here.process([arrival]), *there.process([arrival])]
        if random.random() < 0.15:
            name = random.choice(rules).name
            ends = (here, there) if homes[name] == 0 else (there, here)
            homes[name] = 1 - homes[name]
            moved = [rule for rule in rules if homes[rule.name] == homes[name]]
            ends[1].merge(rules_program(moved), ends[0].take_out([name]))
    found += [*here.finish(), *there.finish()]
    assert told(found) == told(list(Session(rules_program(rules), Options(engine="replay")).detections(log)))


def test_what_cannot_move_is_refused() -> None:
    runtime = runtime_of([PAIR])
    with pytest.raises(SnapshotError, match="no rule 'x' to be moved"):
        runtime.take_out(["x"])
    with pytest.raises(SnapshotError, match="damaged"):
        runtime.merge(rules_program([PAIR]), b"tocsin")
    with pytest.raises(tc.UsageError, match="cannot be moved"):
        Runtime(rules_program([PAIR]), Options(amend=SECOND)).take_out(["pair"])


def test_a_clock_that_begins_while_others_run_shows_their_time() -> None:
    tick = tc.rule("tick", "every(0/0/0 0:00:10)")
    late = replace(PAIR, order=order_of("delay:5 sec"))
    runtime = runtime_of([PAIR])
    runtime.process([event("a", 100)])
    runtime.change(rules_program([PAIR, late, tick]))
    assert runtime.next_due() == 110 * SECOND


def test_the_version_goes_on_counting_after_a_restart() -> None:
    runtime = runtime_of([PAIR])
    runtime.change(rules_program([PAIR, LATER]))
    same, other = runtime_of([PAIR, LATER]), runtime_of([LATER])
    same.restore(runtime.snapshot())
    other.restore(runtime.snapshot())
    assert same.version == 2
    assert (other.version, other.versions.changes[-1].removed) == (3, ("pair",))


def test_a_candidate_is_compared_across_a_restart() -> None:
    first, second = runtime_of([PAIR]), runtime_of([PAIR])
    for runtime in (first, second):
        runtime.try_out(rules_program([replace(PAIR, pattern=tc.parse("x:a ; y:b ; z:c"))]))
    first.process([event("a", 1), event("b", 2)])
    second.restore(first.snapshot())
    second.process([event("c", 3)])
    assert second.shadow.difference() == {"pair": {"both": 0, "live only": 1, "candidate only": 1}}


def test_a_snapshot_of_one_order_is_not_for_several() -> None:
    saved = runtime_of([PAIR])._parts[0].rules.snapshot()
    with pytest.raises(SnapshotError, match="these have several"):
        runtime_of([PAIR, LATER]).restore(saved)
    with pytest.raises(SnapshotError, match="damaged"):
        runtime_of([PAIR]).restore(runtime_of([PAIR]).snapshot()[:-1])


def test_what_the_clocks_note_is_told_once() -> None:
    window = tc.rule("short", "x:a ; y:b", window="2 sec")
    runtime = runtime_of([window, replace(window, name="held", order=order_of("delay:1 sec"))])
    late = replace(event("a", 1), arrival=20 * SECOND)
    runtime.process([event("a", 20), late])
    runtime.finish()
    assert runtime.notes.refused.total() == len(runtime.notes.refused)


def test_stats_tell_of_every_rule() -> None:
    runtime = runtime_of([PAIR, LATER])
    runtime.process([event("a", 1), event("b", 8)])
    told = runtime.stats()
    assert told["version"] == 1
    assert sorted(told["rules"]) == ["later", "pair"]  # type: ignore[call-overload]
