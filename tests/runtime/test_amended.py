"""Amendments: after every arrival what was told comes to what would have been detected had all come in time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

import pytest

from tests.amounts import examples
from tests.runtime.lateness import Course, course, late_log
from tocsin import api
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.amendments import WITHIN, amended, applied, content
from tocsin.algebra.notes import Notes
from tocsin.algebra.replay import Replay, released_to, replay
from tocsin.algebra.rules import BEST_EFFORT, Order, Program
from tocsin.errors import SnapshotError
from tocsin.events import Amendment, Arrival, Detection, Event, Heartbeat
from tocsin.rules.programs import rules_program
from tocsin.runtime import amended as amending
from tocsin.runtime import rewinder
from tocsin.runtime.amended import Amended
from tocsin.runtime.amended_state import amended_restore, amended_snapshot
from tocsin.runtime.logs import driven
from tocsin.time.spans import SECOND

SEEDS = examples(100)


def amendments(
    program: Program,
    log: Iterable[Arrival],
    *,
    within: int = WITHIN,
    granularity: int | None = None,
    until: int | None = None,
    notes: Notes | None = None,
    batch: int = 4096,
) -> Iterator[Detection]:
    """Every detection on the log and every amendment."""
    return driven(Amended(program, within=within, granularity=granularity, notes=notes), log, batch, until)


@pytest.fixture(autouse=True)
def _short_legs(monkeypatch: pytest.MonkeyPatch) -> None:
    """States are put aside after two events, and few are kept: there is something to go back to, and to join."""
    monkeypatch.setattr(rewinder, "LEAST", 2)
    monkeypatch.setattr(rewinder, "MOST", 4)
    monkeypatch.setattr(rewinder, "MOST_LEGS", 3)
    monkeypatch.setattr(rewinder, "BYTES", 10**9)
    monkeypatch.setattr(amending, "RUN", 2)
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 3)


def contents(found: Iterable[Detection]) -> list[object]:
    return sorted(map(content, found), key=repr)


def in_time(one: Course, arrivals: Iterable[Arrival], clock: int) -> list[Detection]:
    """What `replay` gives for the events up to the clock, each come at its own time."""
    events = [replace(each, arrival=each.end) for each in arrivals if isinstance(each, Event) and each.end <= clock]
    monitor = Replay(one.program, one.granularity, Notes())
    log = [*sorted(events, key=lambda event: event.end), Heartbeat("", clock, clock)]
    return list(released_to(monitor, log, BEST_EFFORT, False))


def test_what_stands_is_what_had_come_in_time() -> None:
    """The judge against `replay` on the events in order, after every prefix; each kind of change is met."""
    kinds: Counter[str] = Counter()
    for seed in range(SEEDS):
        one = replace(course(Random(seed)), within=10**14)
        told: list[Detection] = []
        running = amendings(one)
        for place, arrival in enumerate(one.log):
            told += running.process([arrival])
            should = in_time(one, one.log[: place + 1], arrival.arrival)
            assert contents(applied(told)) == contents(should), (seed, place)
        kinds.update(each.change for each in told if isinstance(each, Amendment))
    assert kinds.keys() == {"retracted", "replaced", "restored"}
    assert min(kinds["retracted"], kinds["replaced"]) > 7, kinds


def amendings(one: Course) -> Amended:
    return Amended(one.program, within=one.within, granularity=one.granularity)


def lines(one: Course, found: Iterable[Detection]) -> list[str]:
    """What is told, in order where all rules run together; where they are spread, what comes at one clock may be mixed."""
    is_spread = any(group.key for group in amendings(one).groups)
    return [
        repr(each) for each in (sorted(found, key=lambda each: (each.detected_us, repr(each))) if is_spread else found)
    ]


def test_the_engine_tells_what_the_meaning_tells() -> None:
    """Line by line: the same detections and amendments in the same order, at the same clock."""
    rules: Counter[tuple[str, bool]] = Counter()
    for seed in range(1000, 1000 + SEEDS):
        one = course(Random(seed))
        options = {"within": one.within, "granularity": one.granularity, "until": one.until}
        should = list(amended(one.program, one.log, **options))
        found = list(amendments(one.program, one.log, batch=3, **options))
        assert lines(one, found) == lines(one, should), seed
        languages = {rule.name: rule.language for rule in one.program.rules}
        is_spread = any(group.key for group in amendings(one).groups)
        rules.update((languages[each.rule], is_spread) for each in should if isinstance(each, Amendment))
    assert {language for language, _ in rules} == {"gem", "eps", "sel", "pretty", "core", "global", "python"}
    assert {language for language, is_spread in rules if is_spread} >= {"gem", "eps", "pretty"}


def apart(log: Iterable[Arrival]) -> list[Event]:
    """The events of a log, each of a source and a time of its own: what has one end comes a little later."""
    taken: set[int] = set()
    found: list[Event] = []
    for event in log:
        if isinstance(event, Event):
            later = next(moved for moved in count() if event.end + moved not in taken)
            taken.add(event.end + later)
            found.append(replace(event, end=event.end + later, start=event.start + later, source=event.id))
    return found


def test_in_the_end_it_is_what_guaranteed_gives() -> None:
    """Where no source contradicts itself, so that nothing is refused, and no two events have one end.

    At one instant amended rules go by arrival, as best-effort does, and guaranteed by start and source. In the end
    every source says how late it is: amended rules ring by the arrival clock, and guaranteed by what was reported.
    """
    for seed in range(2000, 2000 + SEEDS // 4):
        one = replace(course(Random(seed)), within=10**14)
        events = apart(one.log)
        clock = events[-1].arrival
        log = [*events, *(Heartbeat(event.source, clock, clock) for event in events)]
        options = {"granularity": one.granularity, "until": one.until}
        should = list(replay(one.program, log, order=Order("guaranteed"), **options))
        found = applied(amendments(one.program, log, within=one.within, **options))
        assert contents(found) == contents(should), seed


def test_nothing_is_amended_where_nothing_is_late() -> None:
    for seed in range(3000, 3000 + SEEDS // 2):
        one = course(Random(seed))
        events = [replace(each, arrival=each.end) for each in one.log if isinstance(each, Event)]
        log = sorted(events, key=lambda event: event.end)
        options = {"granularity": one.granularity, "until": one.until}
        should = list(replay(one.program, log, **options))
        assert lines(one, amendments(one.program, log, **options)) == lines(one, should), seed


def test_it_goes_on_from_what_was_saved() -> None:
    """Saved and restored after any arrival, nothing that is told changes."""
    spread = 0
    for seed in range(4000, 4000 + SEEDS * 2 // 5):
        one = course(Random(seed))
        should = list(amendments(one.program, one.log, within=one.within, granularity=one.granularity, until=one.until))
        found: list[Detection] = []
        running = amendings(one)
        for arrival in one.log:
            found += running.process([arrival])
            again = amendings(one)
            amended_restore(again, amended_snapshot(running))
            running = again
        found += running.finish(one.until)
        assert list(map(repr, found)) == list(map(repr, should)), seed
        spread += any(group.key for group in running.groups)
    assert spread


def test_a_state_is_of_these_rules() -> None:
    running = Amended(program("a ; b", "eps"))
    running.process([event("1", "a", 1)])
    saved = amended_snapshot(running)
    with pytest.raises(SnapshotError, match="other rules"):
        amended_restore(Amended(program("a ; c", "eps")), saved)
    with pytest.raises(SnapshotError, match="taken already"):
        amended_restore(running, saved)
    with pytest.raises(SnapshotError, match="damaged"):
        amended_restore(Amended(program("a ; b", "eps")), saved[:-1])
    with pytest.raises(SnapshotError, match="no snapshot of rules that amend"):
        amended_restore(Amended(program("a ; b", "eps")), b"tocsin snapshot 2")


# -- worked cases --------------------------------------------------------------------------------------------------


def program(text: str, language: str, **options: str) -> Program:
    return rules_program([api.rule("r", text, language=language, **options)])


def event(name: str, kind: str, time: float, arrival: float | None = None) -> Event:
    end = round(time * SECOND)
    return Event(kind, end, end, name, arrival=end if arrival is None else round(arrival * SECOND))


def told(rules: Program, *log: Arrival, within: int = WITHIN) -> list[tuple[str, tuple[str, ...], str]]:
    """What is told: the change if it is one, the events, and the event that is the reason."""
    found = list(amendments(rules, log, within=within))
    assert found == list(amended(rules, log, within=within))
    return [(getattr(one, "change", "new"), one.events, getattr(one, "because", "")) for one in found]


def test_a_late_event_breaks_an_absence() -> None:
    rules = program("down -> !up in 2 minutes", "sel")
    log = (event("1", "down", 0), event("2", "other", 130), event("3", "up", 60, 140))
    assert told(rules, *log) == [("new", ("1",), ""), ("retracted", ("1",), "3")]
    first, second = amendments(rules, log)
    assert isinstance(second, Amendment)
    assert (second.amends, second.detected_us, second.detection.id) == (first.id, 140 * SECOND, first.id)
    assert second.id != first.id


def test_what_a_late_event_broke_another_restores() -> None:
    """No a followed by no b: a late a breaks it, and a late b behind that a mends it."""
    rules = program("!(a -> !b in 2 seconds) -> c in 4 seconds", "sel")
    log = (event("1", "c", 10), event("2", "a", 7, 11), event("3", "b", 8, 12))
    assert told(rules, *log) == [("new", ("1",), ""), ("retracted", ("1",), "2"), ("restored", ("1",), "3")]


def test_a_late_event_takes_the_place_of_what_was_used_up() -> None:
    log = (event("1", "a", 1), event("2", "b", 3), event("3", "a", 0, 4), event("4", "b", 2, 5))
    assert told(program("a ; b", "eps"), *log) == [
        ("new", ("1", "2"), ""),
        ("replaced", ("3", "2"), "3"),
        ("replaced", ("3", "4"), "4"),
        ("restored", ("1", "2"), "4"),
    ]


def test_what_was_final_at_a_node_is_not() -> None:
    log = (event("1", "a", 1), event("2", "c", 3), event("3", "b", 2, 4))
    assert told(program("a ; NOT b ; c", "global"), *log) == [("new", ("1", "2"), ""), ("retracted", ("1", "2"), "3")]


def test_what_rules_trigger_is_taken_back_too(tmp_path: Path) -> None:
    path = tmp_path / "rules.gem"
    path.write_text(
        "event a\nevent b\nevent c\nevent gap\nevent alarm\n"
        "rule make { {a ; b} ! c ==> gap }\nrule tell { gap ; b ==> notify alarm }\nenable *\n"
    )
    log = (event("1", "a", 1), event("2", "b", 3), event("3", "b", 5), event("4", "c", 2, 6))
    assert told(api.load(path), *log) == [("new", ("1", "2", "3"), ""), ("retracted", ("1", "2", "3"), "4")]


def test_what_is_too_late_is_taken_as_it_comes_and_counted() -> None:
    rules = program("down -> !up in 2 seconds", "sel")
    log = (event("1", "down", 0), event("2", "other", 20), event("3", "up", 1, 20))
    assert told(rules, *log, within=10 * SECOND) == [("new", ("1",), "")]
    notes = Notes()
    list(amendments(rules, log, within=10 * SECOND, notes=notes))
    assert notes.warnings == ["1 event was late by more than what is kept to amend: taken as it came"]


def test_an_event_of_the_future_waits_for_the_clock() -> None:
    rules = program("a ; b", "eps")
    log = (event("1", "b", 9, 1), event("2", "a", 4), event("3", "other", 8), event("4", "other", 9.5))
    running = Amended(rules)
    assert [running.process([each]) != [] for each in log] == [False, False, False, True]


def test_a_late_event_that_no_rule_looks_at_costs_nothing() -> None:
    running = Amended(program("a ; b", "eps"))
    running.process([event("1", "a", 1), event("2", "b", 2), event("3", "z", 1, 3)])
    assert (running.late, running.rerun) == (0, 0)


def test_what_cannot_change_any_more_is_forgotten() -> None:
    random = Random(1)
    running = Amended(program("a -> !b in 2 seconds", "sel"), within=5 * SECOND)
    for number in range(60):
        moved = [replace(each, arrival=each.arrival + number * 20 * SECOND) for each in late_log(random)]
        ahead = number * 20 * SECOND
        events = [each for each in moved if isinstance(each, Event)]
        running.process([replace(each, end=each.end + ahead, start=each.start + ahead) for each in events])
        (shard,) = running.groups[0].shards.values()
        assert len(shard.legs) <= rewinder.MOST_LEGS
        assert sum(len(leg.events) for leg in shard.legs) < 60
        assert all(time >= shard.legs[0].begun for time in shard.gone.values())
