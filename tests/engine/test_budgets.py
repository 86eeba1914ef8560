"""Budgets: with room enough they change nothing, and where there is not, just what they say gives way."""

from __future__ import annotations

from random import Random

import pytest

from tests.engine.test_verbs import cuts, feed, native_examples
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import Never, Precedence, Primitive, Sequence, Within
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Context, Rule
from tocsin.api import detect, rule
from tocsin.engine.engine import Engine
from tocsin.engine.state.snapshot import restore, snapshot
from tocsin.errors import UsageError
from tocsin.events import Detection, Event
from tocsin.rules.budgets import Budget, Budgets, Policy, budget_of, budgets_of
from tocsin.rules.programs import rules_program
from tocsin.runtime.logs import detections
from tocsin.runtime.options import Options
from tocsin.session import Session
from tocsin.time.periods import Period
from tocsin.time.spans import SECOND

A, B = Primitive("a"), Primitive("b")
WINDOW = Period.of(microseconds=10 * SECOND)
PAIR = Rule("pair", Sequence((A, B)), context=Context.UNRESTRICTED, window=WINDOW)


@pytest.fixture(autouse=True)
def _chains_are_cut_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 3)


def stream(text: str) -> list[Event]:
    """An event a second, its type a letter, its id its place."""
    return [Event(kind, n * SECOND, n * SECOND, str(n), arrival=n * SECOND) for n, kind in enumerate(text)]


def found_in(rules: list[Rule], text: str, budgets: Budgets) -> tuple[list[tuple[str, ...]], Notes]:
    notes = Notes()
    found = detections(rules_program(rules), stream(text), budgets=budgets, notes=notes)
    return [one.events for one in found], notes


@pytest.mark.parametrize("policy", Policy)
def test_with_room_enough_nothing_changes(policy: Policy) -> None:
    for random, made in native_examples(60, 11):
        each = Budget(rows=10**6, bytes=10**9, policy=policy)
        budgets = random.choice([Budgets(each=each), Budgets(total=each), Budgets(each, each)])
        engine = Engine(made.program, None, Notes(), budgets)
        found: list[Detection] = []
        for piece in cuts(random, made.log):
            found += feed(engine, list(piece))
            if random.random() < 0.3:
                saved, engine = snapshot(engine), Engine(made.program, None, Notes(), budgets)
                restore(engine, saved)
        engine.finish(made.until)
        found += engine.drain()
        assert list(map(repr, found)) == list(map(repr, replay(made.program, made.log, until=made.until))), made


def test_what_is_refused_is_not_seen() -> None:
    """The rule finds what it would find if the events that have no room had never come."""
    random = Random(5)
    for _ in range(60):
        text = "".join(random.choices("abx", k=40))
        room = random.randint(1, 8)
        found, notes = found_in([PAIR], text, Budgets(Budget(room, policy=Policy.REFUSE)))
        log, held, refused = [], list[int](), 0
        for event in stream(text):
            held = [time for time in held if time >= event.end - 10 * SECOND]
            if event.type in "ab" and len(held) == room:
                refused += 1
                continue
            held += [event.end] if event.type in "ab" else []
            log.append(event)
        assert found == [one.events for one in replay(rules_program([PAIR]), log)]
        assert notes.refused.total() == refused


def test_what_is_dropped_is_forgotten() -> None:
    """What is found consists of what was held at the end: the newest so many."""
    random = Random(6)
    for _ in range(60):
        text = "".join(random.choices("abx", k=40))
        room = random.randint(1, 8)
        found, notes = found_in([PAIR], text, Budgets(Budget(room, policy=Policy.DROP_OLDEST)))
        places = [place for place, kind in enumerate(text) if kind in "ab"]
        held, dropped = list[int](), 0
        for place in places:
            held = [*(each for each in held if each >= place - 10), place]
            dropped += len(held) > room
            held = held[-room:]
        should = []
        for one in replay(rules_program([PAIR]), stream(text)):
            first, last = map(int, one.events)
            if places.index(last) - places.index(first) < room:
                should.append(one.events)
        assert found == should
        assert notes.dropped.total() == dropped


def test_a_rule_over_its_budget_is_stopped_alone() -> None:
    other = Rule("other", B, context=Context.UNRESTRICTED)
    found, notes = found_in([PAIR, other], "abaaaaab", Budgets(rules={"pair": Budget(rows=4)}))
    assert found == [("0", "1"), ("1",), ("7",)]
    assert notes.warnings == ["rule 'pair' is stopped: it would hold more than its budget of 4 rows"]


def test_a_budget_in_bytes() -> None:
    engine = Engine(rules_program([PAIR]), None, Notes())
    engine.push("a", SECOND)
    taken = engine.stats()["bytes"]
    assert isinstance(taken, int)
    assert taken > 0
    both = Budgets(Budget(bytes=2 * taken, policy=Policy.REFUSE))
    engine = Engine(rules_program([PAIR]), None, Notes(), both)
    for second in range(1, 6):
        engine.push("a", second * SECOND)
    told = engine.stats()
    assert told["bytes"] == 2 * taken
    assert told["rules"]["pair"]["budget"] == {  # type: ignore[index]  # a dict
        "rows": None,
        "bytes": 2 * taken,
        "policy": "refuse",
        "refused": 3,
        "dropped": 0,
    }


@pytest.mark.parametrize(
    ("policy", "should"), [(Policy.REFUSE, ["0", "1"]), (Policy.DROP_OLDEST, ["3", "4"]), (Policy.STOP, [])]
)
def test_all_rules_together(policy: Policy, should: list[str]) -> None:
    """Five events of one type, of which there is room for two. Where the rule is stopped, it holds none."""
    notes = Notes()
    engine = Engine(rules_program([PAIR]), None, notes, Budgets(total=Budget(rows=2, policy=policy)))
    engine.process_arrivals(list(stream("aaaaa")))
    arena = engine.network.gates["a"].arena
    rows = range(int(arena.head), int(arena.arrived))
    held = [engine.network.store.event(arena.numbers[row & arena.mask]).id for row in rows]
    assert held == should
    engine.drain()
    engine.count_incomparable()
    assert (notes.refused.total(), notes.dropped.total(), len(notes.warnings)) == {
        Policy.REFUSE: (3, 0, 0),
        Policy.DROP_OLDEST: (0, 3, 0),
        Policy.STOP: (0, 0, 1),
    }[policy]


def test_what_waits_is_dropped_with_its_event() -> None:
    lonely = Within(Sequence((A, Never(B)), Precedence.GAP), Period.of(microseconds=5 * SECOND))
    rules = [Rule("lonely", lonely, language="sel", context=Context.UNRESTRICTED)]
    found, _ = found_in(rules, "aaaxxxxxxxxx", Budgets())
    assert found == [("0",), ("1",), ("2",)]
    found, _ = found_in(rules, "aaaxxxxxxxxx", Budgets(Budget(rows=1, policy=Policy.DROP_OLDEST)))
    assert found == [("2",)]


def test_batches_pushes_and_snapshots_make_no_difference() -> None:
    for random, made in native_examples(80, 12):
        if Engine(made.program, None, Notes()).has_interplay:
            continue
        own, total = (Budget(random.randint(1, 6), policy=random.choice(list(Policy))) for _ in range(2))
        budgets = random.choice([Budgets(each=own), Budgets(total=total), Budgets(own, total)])
        runs = []
        for way in range(3):
            notes = Notes()
            engine = Engine(made.program, None, notes, budgets)
            found: list[Detection] = []
            for piece in cuts(random, made.log) if way else [made.log]:
                found += feed(engine, list(piece))
                if way == 2:
                    saved, engine = snapshot(engine), Engine(made.program, None, notes, budgets)
                    restore(engine, saved)
            engine.finish(made.until)
            found += engine.drain()
            engine.count_incomparable()
            runs.append((list(map(repr, found)), notes.dropped))
        assert runs[0] == runs[1] == runs[2], made


def test_what_gives_way_of_late_events_does_not_depend_on_the_cuts() -> None:
    hours = [
        ("a", 8, 8),
        ("a", 4, 8),
        ("a", 10, 10),
        ("b", 7, 11),
        ("a", 11, 11),
        ("a", 8, 11),
        ("c", 12, 12),
        ("b", 14, 14),
    ]
    log = [
        Event(kind, end * SECOND, end * SECOND, str(n), arrival=at * SECOND) for n, (kind, end, at) in enumerate(hours)
    ]
    program = rules_program([rule("r", "a -> (c & !(x:c if x.k == 1)) -> b", language="sel", window="6 sec")])
    budgets, runs = Budgets(total=Budget(4, policy=Policy.DROP_OLDEST)), []
    for size in (1, 8):
        engine, found = Engine(program, None, Notes(), budgets), list[Detection]()
        for first in range(0, len(log), size):
            found += feed(engine, log[first : first + size])
            saved, engine = snapshot(engine), Engine(program, None, Notes(), budgets)
            restore(engine, saved)
        runs.append([one.events for one in found])
    assert runs[0] == runs[1]


def test_what_gave_way_does_not_come_back_by_a_snapshot() -> None:
    """The event is still held by the gate of any event: the one of its type, which is empty, must stay so."""
    rules = [rule("typed", "a -> c", language="sel"), rule("any", "x:* ; y:c", language="gem")]
    budgets, runs = Budgets(total=Budget(2, policy=Policy.DROP_OLDEST)), []
    for is_saved in (False, True):
        notes = Notes()
        engine = Engine(rules_program(rules), None, notes, budgets)
        for each in stream("abb"):
            feed(engine, [each])
            if is_saved:
                saved, engine = snapshot(engine), Engine(rules_program(rules), None, notes, budgets)
                restore(engine, saved)
        engine.count_incomparable()
        runs.append((engine.stats()["held"], notes.dropped))
    assert runs[0] == runs[1]


def test_budgets_as_they_are_written() -> None:
    assert budget_of("rows=1_000,bytes=2MB") == Budget(1000, 2_000_000, Policy.STOP)
    assert budget_of("bytes=1KiB, policy=drop-oldest") == Budget(None, 1024, Policy.DROP_OLDEST)
    found = budgets_of(["rows=5", "x:rows=7"], "bytes=3GB", ["x", "y"])
    assert (found.of("x"), found.of("y"), found.total) == (Budget(7), Budget(5), Budget(bytes=3 * 10**9))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rows", "'rows' is no part of a budget"),
        ("rows=0", "'0' is no size of a budget"),
        ("bytes=3 elephants", "'3 elephants' is no size"),
        ("policy=stop", "a budget limits rows or bytes"),
        ("rows=3,policy=cry", "there is no policy 'cry': refuse, drop-oldest, stop"),
        ("rows=3,rows=4", "'rows=4' is no part of a budget"),
        ("z:rows=3", "there is no rule 'z' to give a budget to: x"),
    ],
)
def test_budgets_that_are_none(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        budgets_of([text], None, ["x"])


def test_detect_keeps_to_a_budget() -> None:
    events = [{"type": kind, "time": time} for time, kind in enumerate("aaab")]
    pair = rule("pair", "a ; b", context="unrestricted")
    assert len(detect(pair, events)) == 3
    assert len(detect(pair, events, budget="rows=2,policy=drop-oldest")) == 1
    assert len(detect(pair, events, budget={"pair": "rows=3,policy=drop-oldest"})) == 2
    assert len(detect(pair, events, total_budget="rows=1,policy=refuse")) == 0


def test_the_plain_meaning_takes_no_budget() -> None:
    options = Options(engine="replay", budgets=Budgets(Budget(rows=1)))
    with pytest.raises(UsageError, match="keeps to no budget"):
        Session(rules_program([PAIR]), options)
