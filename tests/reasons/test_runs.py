"""Automata: how far a run got, what made it fail, and that this is so: without that, it goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import tocsin as tc
from tests.docs.running import records
from tocsin.algebra.patterns import Automaton, Run
from tocsin.reasons.records import Miss

Rows = list[list[Any]]
RULE = tc.rule("chain", "[a];[b in {b, x}];[c]", language="core")


def told(one: Any, rows: Rows, **options: Any) -> Any:
    return tc.why(one, records(rows), **options)[one.name]


def test_the_run_that_got_furthest_and_the_event_that_failed_it() -> None:
    rows: Rows = [["1", "a", 1], ["2", "x", 2], ["3", "b", 3], ["4", "c", 4]]
    answer = told(RULE, rows)
    assert answer.detections == 0
    miss = answer.misses[0]
    assert [(each.kind, [e.id for e in each.events]) for each in miss.failed] == [("absence", ["2"])]
    assert miss.events == ("1", "3", "4")
    assert len(tc.detect(RULE, records([row for row in rows if row[0] != "2"]))) == 1


def test_a_run_that_waits_says_what_for() -> None:
    miss = told(RULE, [["1", "a", 1], ["2", "b", 2]]).misses[0]
    assert [(each.kind, each.text) for each in miss.failed] == [("missing", "an event c")]
    assert miss.events == ("1", "2")


def test_a_late_event_fails_the_order_and_in_time_it_would_not() -> None:
    late: Rows = [["1", "a", 1], ["2", "b", 3], ["3", "c", 2, {}, {"arrival": 4}]]
    miss = told(RULE, late).misses[0]
    assert [(each.kind, each.by) for each in miss.failed] == [("order", 1_000_000)]
    assert miss.events == ("1", "3", "2")
    assert len(tc.detect(RULE, records([*late[:2], ["3", "c", 4]]))) == 1


def test_what_the_condition_refused_is_nearest() -> None:
    rule = tc.rule("hot", "[t:temp];[d:door]", language="core", condition="t.v > 30")
    answer = told(rule, [["1", "temp", 1, {"v": 20}], ["2", "door", 2]])
    (failed,) = answer.misses[0].failed
    assert (failed.kind, failed.text, failed.values) == ("guard", "t.v > 30", (("t.v", 20),))


def test_a_firing_shows_the_filters_it_passed() -> None:
    rule = tc.rule("room", "[o:open];[close(room = o.room)]", language="core")
    rows: Rows = [["1", "open", 1, {"room": 7}], ["2", "close", 2, {"room": 8}], ["3", "close", 3, {"room": 7}]]
    (fired,) = told(rule, rows, rule="room").fired
    assert [each.event.id for each in fired.constituents if each.event] == ["1", "3"]
    (met,) = fired.met
    assert dict(met.values) == {"this.room": 7, "o.room": 7}


def test_nothing_began() -> None:
    miss = told(RULE, [["1", "z", 1]]).misses[0]
    assert [each.text for each in miss.failed] == ["an event a", "an event b", "an event c"]


def test_the_detection_window() -> None:
    rule = tc.rule("chain", "[a];[c]", language="core", window="2 s")
    miss = told(rule, [["1", "a", 1], ["2", "z", 9], ["3", "c", 10]]).misses[0]
    assert miss.failed[0].kind == "window"


# -- what was told wrongly once --------------------------------------------------------------------------------------


def _asked(expression: str, rows: Rows, run: str = "every") -> Miss:
    rule = tc.rule("r", expression, language="core")
    assert isinstance(rule.pattern, Automaton)
    miss: Miss = told(replace(rule, pattern=replace(rule.pattern, run=Run(run))), rows).misses[0]
    return miss


def test_what_came_too_late_for_a_time_event_is_told_with_it() -> None:
    miss = _asked("([a], [b in {T, b}]){T = 5 sec}", [["1", "a", 0], ["2", "b", 8], ["3", "x", 10]])
    (failed,) = miss.failed
    assert (failed.kind, failed.text, failed.by) == ("order", "b before the time event T", 3_000_000)
    assert miss.events == ("1", "2")


def test_what_came_before_a_time_event_is_told_and_the_time_event_is_not_missing() -> None:
    miss = _asked("([a], [T in {T, b}]){T = 5 sec}", [["1", "a", 0], ["2", "b", 3], ["3", "x", 10]])
    assert [(each.kind, [e.id for e in each.events]) for each in miss.failed] == [("absence", ["2"])]


def test_of_two_detectors_the_one_is_missing_that_did_not_detect() -> None:
    miss = _asked("[a] || [b]", [["1", "a", 0], ["2", "a", 1]])
    assert [(each.kind, each.text) for each in miss.failed] == [("missing", "an event b")]
    assert miss.events == ("2",)


def test_what_failed_the_only_run_before_it_began_is_told() -> None:
    miss = _asked("[b in {b, p}]", [["1", "p", 0], ["2", "b", 1]], run="once")
    assert [(each.kind, [e.id for e in each.events]) for each in miss.failed] == [("absence", ["1"])]
    assert miss.events == ("2",)


def test_runs_of_a_partition_are_told_apart() -> None:
    """What fails one value's run does not concern another's."""
    rule = tc.rule("parted", "[a] ; [b in {b, x}]", language="core", run="again", partition="u")
    rows: Rows = [["1", "a", 1, {"u": 1}], ["2", "x", 2, {"u": 2}], ["3", "b", 3, {"u": 2}], ["4", "x", 4, {"u": 1}]]
    miss = told(rule, rows).misses[0]
    assert next((each.kind, [e.id for e in each.events]) for each in miss.failed) == ("absence", ["4"])
    assert miss.events[0] == "1"
