"""The engine under every order of arrival: in batches or one by one, cut, saved and changed, it is the meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.algebra.building import SECOND
from tests.amounts import examples
from tests.engine.comparing import difference
from tests.engine.strategies import POLICIES, Example, example
from tests.engine.test_verbs import cuts, is_in_days, mixed
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.notes import Notes
from tocsin.algebra.order import OutOfOrder, Release, heard_sources, ordering
from tocsin.algebra.patterns import AtInstant, Every, Primitive, Sequence
from tocsin.algebra.replay import Replay, accepted, evaluated_together, gives_whole_instants, replay
from tocsin.algebra.rules import BEST_EFFORT, Order, Rule
from tocsin.engine import engine as engines
from tocsin.engine.engine import Engine
from tocsin.engine.frames.batches import batch_of
from tocsin.engine.state.snapshot import restore, snapshot
from tocsin.errors import SnapshotError
from tocsin.events import Arrival, Detection, Event, Heartbeat
from tocsin.rules.options import order_of
from tocsin.rules.programs import rules_program
from tocsin.runtime.ordered import Ordered
from tocsin.time.periods import Period
from tocsin.time.spans import parse_period

EXAMPLES = examples(40)
"""Examples for each policy."""
PATIENT = "guaranteed, idle"
ORDERS = (*POLICIES, PATIENT)


@pytest.fixture(autouse=True)
def _chains_are_cut_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that trigger each other without end are common among random ones."""
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 3)


def ordered_examples(policy: str, seed: int, *, native: bool = False) -> Iterator[tuple[Random, Example]]:
    """Random examples under a policy; or those alone whose rules all run in the network, and so can be saved."""
    for number in range(EXAMPLES):
        random = Random(f"{policy}/{seed}/{number}")
        made = example(random, policy="guaranteed" if policy == PATIENT else policy)
        if policy == PATIENT:
            unit = 86_400 * SECOND if is_in_days(made) else SECOND
            made = replace(made, order=Order("guaranteed", idle=Period.of(microseconds=random.randint(1, 4) * unit)))
        engine = Engine(made.program, None, Notes())
        if not native or all(map(engine._is_native, made.program.rules)):
            yield random, made


def sources_of(log: tuple[Arrival, ...]) -> list[str]:
    return [arrival.source for arrival in log]


def front_of(made: Example) -> Ordered:
    return Ordered(made.program, made.order, sources=sources_of(made.log), ignore_late=made.ignore_late)


def given(front: Ordered, arrival: Arrival) -> list[Detection]:
    """Gives a front one arrival."""
    if isinstance(arrival, Heartbeat):
        return front.heartbeat(arrival.source, arrival.time, arrival=arrival.arrival)
    own: dict[str, Any] = {"id": arrival.id, "source": arrival.source, "start": arrival.start}
    return front.push(arrival.type, arrival.end, arrival.data, arrival=arrival.arrival, **own)


def meant(made: Example) -> tuple[list[str], Notes]:
    notes = Notes()
    options: dict[str, Any] = {"order": made.order, "until": made.until, "ignore_late": made.ignore_late}
    return list(map(repr, replay(made.program, made.log, notes=notes, **options))), notes


@pytest.mark.parametrize("policy", ORDERS)
def test_pushed_one_by_one_it_is_replay(policy: str) -> None:
    detected = 0
    for _, made in ordered_examples(policy, 1):
        front = front_of(made)
        found = [one for arrival in made.log for one in given(front, arrival)]
        found += front.finish(made.until)
        should, notes = meant(made)
        assert list(map(repr, found)) == should, made
        assert (front.notes.refused, front.notes.warnings) == (notes.refused, notes.warnings), made
        detected += len(found)
    assert detected > EXAMPLES


@pytest.mark.parametrize("policy", ORDERS)
def test_in_batches_of_any_length_it_is_replay(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for random, made in ordered_examples(policy, 2):
        monkeypatch.setattr(engines, "FEW", random.choice((0, 0, 2, 1000)))
        front = front_of(made)
        found: list[Detection] = []
        for piece in cuts(random, made.log):
            found += front.process(batch_of(list(piece)) if random.random() < 0.5 else list(piece))
        found += front.finish(made.until)
        assert list(map(repr, found)) == meant(made)[0], made


@pytest.mark.parametrize("few", [0, 1000], ids=["batches", "one by one"])
@pytest.mark.parametrize("policy", ORDERS)
def test_released_together_or_one_by_one_it_is_the_meaning(
    policy: str, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "FEW", few)
    for _, made in ordered_examples(policy, 3):
        assert difference(replace(made, batch=4096)) == "", made


@pytest.mark.parametrize("policy", ORDERS)
def test_saved_and_changed_anywhere_it_is_the_meaning_with_the_same_changes(policy: str) -> None:
    for random, made in ordered_examples(policy, 4, native=True):
        others = (other for _, other in ordered_examples(policy, random.randint(0, 10**6), native=True))
        other = next(each for each in others if is_in_days(each) == is_in_days(made))
        judge = Replay(made.program, None, Notes())
        order = ordering(made.order, sources_of(made.log), heard_sources(made.program))
        front, program = front_of(made), made.program
        should: list[Detection] = []
        found: list[Detection] = []
        for piece in cuts(random, made.log):
            for arrival in piece:
                should += judged(judge, order.offer(arrival), made)
                found += given(front, arrival)
            if program is made.program and random.random() < 0.5:
                program = mixed(random, program, other.program)
                judge.change(program)
                order.listen(heard_sources(program))
                front.change(program)
            if random.random() < 0.7 and all(map(front.engine._is_native, program.rules)):
                saved = front.snapshot()
                front = front_of(replace(made, program=program))
                front.restore(saved)
        should += judged(judge, order.close(), made)
        judge.finish(made.until)
        should += judge.drain()
        found += front.finish(made.until)
        assert list(map(repr, found)) == list(map(repr, should)), (made, program)


def judged(judge: Replay, steps: list[Release | OutOfOrder], made: Example) -> list[Detection]:
    found: list[Detection] = []
    for together in evaluated_together(accepted(steps, judge.notes, made.ignore_late), made.order):
        judge.take_together(together, is_whole=gives_whole_instants(made.order))
        found += judge.drain()
    return found


# -- the verbs, one at a time ------------------------------------------------------------------------------------------

PAIR = rules_program([Rule("pair", Sequence((Primitive("a"), Primitive("b"))))])


def at(second: float) -> int:
    return round(second * SECOND)


def test_delay_tells_when_the_clock_says_so() -> None:
    front = Ordered(PAIR, order_of("delay:5 sec"))
    assert front.push("b", at(2)) == front.push("a", at(1), arrival=at(3)) == []
    assert front.advance(at(6.9)) == front.advance(at(7)) == [], "more of that time may come just now"
    (found,) = front.advance(at(7.1))
    assert (found.events, found.time_us, found.detected_us) == (("2", "1"), at(2), at(7))


def test_a_silent_source_is_let_go_and_its_late_event_is_seen_at_once() -> None:
    front = Ordered(PAIR, order_of("guaranteed:10 sec"), sources=["s", "t"])
    front.push("b", at(2), source="s")
    assert front.push("x", at(3), source="s") == front.advance(at(11.9)) == []
    assert front.stats()["order"] == {
        "order": "guaranteed:10*sec",
        "held": 2,
        "late": 0,
        "refused": 0,
        "reached": None,
        "sources": {"s": at(3), "t": None},
        "idle": [],
    }
    front.advance(at(12))
    (found,) = front.push("a", at(1), source="t", arrival=at(13))
    assert (found.events, found.detected_us) == (("3", "1"), at(13))
    assert front.push("a", at(0.5), source="t", arrival=at(14)) == []
    told = front.stats()["order"]
    assert isinstance(told, dict)
    assert (told["held"], told["late"], told["refused"], told["idle"]) == (0, 1, 1, ["s"])
    assert front.notes.refused == {"older than what source 't' had already reported": 1}


def test_a_watermark_makes_stable() -> None:
    front = Ordered(PAIR, order_of("guaranteed"), sources=["s", "t"])
    front.push("a", at(1), source="s")
    front.push("b", at(2), source="s")
    assert front.watermark(at(2)) == []
    assert [one.events for one in front.watermark(at(3))] == [("1", "2")]


def test_timers_run_on_what_is_released_and_are_told_at_the_clock() -> None:
    every = rules_program([Rule("r", Every(parse_period("2 sec")))])
    front = Ordered(every, order_of("guaranteed"), sources=["s", "t"])
    front.push("x", at(0), source="s")
    front.push("x", at(5), source="s")
    assert [(one.time_us, one.detected_us) for one in front.heartbeat("t", at(5), arrival=at(9))] == [
        (at(2), at(9)),
        (at(4), at(9)),
    ]


def test_what_is_released_at_one_time_at_several_clocks_is_told_at_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "FEW", 0)
    front = Ordered(rules_program([Rule("r", Primitive("a"))]), order_of("guaranteed"))
    times = (("x", 1, "s", 1), ("x", 10, "s", 10), ("a", 2, "t", 11), ("a", 3, "t", 12), ("a", 4, "t", 12))
    found = front.process([Event(kind, at(t), at(t), str(t), source, {}, at(c)) for kind, t, source, c in times])
    assert [(one.events, one.detected_us) for one in found] == [(("2",), at(11)), (("3",), at(12)), (("4",), at(12))]


@pytest.mark.parametrize("few", [0, 1000], ids=["batches", "one by one"])
def test_a_timer_due_when_the_clock_starts_is_told_then(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the event that starts it is of no interest to any rule."""
    monkeypatch.setattr(engines, "FEW", few)
    engine = Engine(rules_program([Rule("r", AtInstant(at(5)))]), None, Notes())
    engine.take([Release(at(t), Event("x", at(t), at(t), str(t)), clock=at(t + 1)) for t in (5, 7)])
    assert [(one.time_us, one.detected_us) for one in engine.drain()] == [(at(5), at(6))]


def test_an_arrival_below_the_last_counts_as_the_last() -> None:
    front = Ordered(rules_program([Rule("r", Primitive("a"))]), order_of("delay:5 sec"))
    front.push("x", at(30))
    (found,) = front.push("a", at(1), arrival=at(2))
    assert found.detected_us == at(30)


def test_late_events_are_counted_however_they_come() -> None:
    log: list[Arrival] = [Event("a", at(t), at(t), str(t), "", {}, at(9)) for t in (3, 1, 3, 2, 4, 1)]
    for order in (BEST_EFFORT, order_of("delay:0 sec")):
        one_by_one, events, columns = (Ordered(PAIR, order) for _ in range(3))
        for event in log:
            given(one_by_one, event)
        events.process(log[:2])
        events.process(log[2:])
        columns.process(batch_of(log[:2]))
        columns.process(batch_of(log[2:]))
        for front in (one_by_one, events, columns):
            told = front.stats()["order"]
            assert isinstance(told, dict)
            assert told["late"] == 3


def test_a_program_may_have_any_number_of_rules() -> None:
    """What is cut is a chain of rules that enable each other; a script that enables many, or a restart, is none."""
    many = rules_program([Rule(f"r{number}", Primitive("a")) for number in range(interpreting.MOST_TRIGGERS + 2)])
    front, later = Ordered(many), Ordered(many)
    assert len(front.push("a", at(1))) == len(many.rules)
    later.restore(front.snapshot())
    assert len(later.push("a", at(2))) == len(many.rules)
    assert front.notes.warnings == later.notes.warnings == []


# -- snapshots ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made_under", "restored_under"),
    [
        ("delay:5 sec", "delay:6 sec"),
        ("guaranteed", "guaranteed:5 sec"),
        ("probabilistic:0.9", "best-effort"),
        ("best-effort", "delay:5 sec"),
    ],
)
def test_a_snapshot_of_another_order_is_refused(made_under: str, restored_under: str) -> None:
    front = Ordered(PAIR, order_of(made_under))
    front.push("a", at(1))
    with pytest.raises(SnapshotError, match=r"made under the order '.*', and this is '.*'"):
        Ordered(PAIR, order_of(restored_under)).restore(front.snapshot())


def test_best_effort_snapshots_are_the_engines_own() -> None:
    engine, front = Engine(PAIR, None, Notes()), Ordered(PAIR)
    engine.push("a", at(1), id="1")
    front.push("a", at(1))
    later, behind = Engine(PAIR, None, Notes()), Ordered(PAIR)
    restore(later, front.snapshot())
    behind.restore(snapshot(engine))
    assert [one.events for one in later.push("b", at(2), id="2")] == [("1", "2")]
    assert [one.events for one in behind.push("b", at(2), id="2")] == [("1", "2")]
    delayed = Ordered(PAIR, order_of("delay:5 sec"))
    with pytest.raises(SnapshotError, match="under the order 'delay:5\\*sec', and this is 'best-effort'"):
        restore(Engine(PAIR, None, Notes()), delayed.snapshot())


def test_rules_that_have_seen_events_are_not_restored() -> None:
    front = Ordered(PAIR, order_of("delay:5 sec"))
    saved = front.snapshot()
    front.push("a", at(1))
    with pytest.raises(SnapshotError, match="restore into new rules"):
        front.restore(saved)


def test_a_new_rule_sees_nothing_that_was_pushed_before_it_came() -> None:
    """However it came: by a change, or with a restart."""
    more = rules_program([*PAIR.rules, replace(PAIR.rules[0], name="same")])
    for order in map(order_of, ("best-effort", "delay:0 sec")):
        changed, front, restored = Ordered(PAIR, order), Ordered(PAIR, order), Ordered(more, order)
        for each in (changed, front):
            each.push("a", at(1))
            each.advance(at(1.5))
        changed.change(more)
        restored.restore(front.snapshot())
        for each in (changed, restored):
            assert [one.rule for one in (*each.push("b", at(2)), *each.advance(at(3)))] == ["pair"]
