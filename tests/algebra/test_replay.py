"""Rules over a log: what is cut, warned of and counted; timers over months; ids; scripts that change as they run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.algebra.building import SECOND, both, detections, later, log, named, p
from tests.algebra.checking import script
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.notes import Notes
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Context, Program
from tocsin.events import Detection
from tocsin.rules.loader import load_expression
from tocsin.time.instants import parse_instant, render_instant


def run(program: Program, rows: list[list[Any]], **options: Any) -> tuple[list[Detection], Notes]:
    notes = Notes()
    return list(replay(program, log(rows), notes=notes, **options)), notes


def expression(
    text: str, rows: list[list[Any]], condition: str | None = None, **options: Any
) -> tuple[list[Detection], Notes]:
    return run(load_expression(text, "eps", condition), rows, **options)


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chains are cut after 50 instead of 10,000."""
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 50)


# -- what never ends -------------------------------------------------------------------------------------------------

PING_PONG = """
    event ping
    event pong
    event out
    rule one {{ ping{later} ==> notify out; pong }}
    rule two {{ pong{later} ==> ping }}
    enable *
"""


@pytest.mark.usefixtures("_few")
def test_rules_that_trigger_each_other_are_cut_with_a_warning(tmp_path: Path) -> None:
    found, notes = run(script(tmp_path, PING_PONG.format(later="")), [["1", "ping", 1], ["2", "ping", 2]])
    assert len(found) == 2 * 26
    assert notes.warnings == [
        "rules that trigger each other were cut after 50 events, at 'pong'",
    ]


@pytest.mark.usefixtures("_few")
def test_timers_that_restart_each_other_are_cut_after_the_last_event(tmp_path: Path) -> None:
    found, notes = run(script(tmp_path, PING_PONG.format(later=" + [1*sec]")), [["1", "ping", 0]])
    assert 25 <= len(found) <= 27
    assert [one.time_us // SECOND for one in found][:3] == [1, 3, 5]
    assert notes.warnings == ["timers that restart each other after the last event were cut"]


@pytest.mark.usefixtures("_few")
def test_such_timers_go_on_to_the_time_asked_for(tmp_path: Path) -> None:
    program = script(tmp_path, PING_PONG.format(later=" + [1*sec]"))
    found, notes = run(program, [["1", "ping", 0]], until=200 * SECOND)
    assert len(found) == 100
    assert notes.warnings == []


@pytest.mark.usefixtures("_few")
@pytest.mark.parametrize("context", [Context.GENERIC, Context.UNRESTRICTED, Context.CHRONICLE])
def test_many_timers_that_only_wait_are_not_cut(context: Context) -> None:
    twice = later(later(p("a"), "5 sec"), "5 sec")
    assert len(detections(twice, [[str(n), "a", n / 100] for n in range(60)], context=context)) == 60


@pytest.mark.usefixtures("_few")
def test_what_many_timers_trigger_is_not_cut_either(tmp_path: Path) -> None:
    text = """
        event a
        event b
        event out
        rule one { a + [5*sec] ==> b }
        rule two { b + [5*sec] ==> notify out }
        enable *
    """
    found, notes = run(script(tmp_path, text), [[str(n), "a", n / 100] for n in range(120)])
    assert len(found) == 120
    assert notes.warnings == []


@pytest.mark.usefixtures("_few")
def test_rules_that_enable_each_other_at_one_time_are_cut(tmp_path: Path) -> None:
    text = """
        event x
        event out
        rule one { at[0:00:05] ==> disable two; enable two }
        rule two { at[0:00:05] ==> disable one; enable one }
        enable *
    """
    _, notes = run(script(tmp_path, text), [["1", "x", 0], ["2", "x", 60]])
    assert len(notes.warnings) == 1
    assert notes.warnings[0].startswith("rules that enable each other at one time were cut, at '")


# -- timers ----------------------------------------------------------------------------------------------------------


def test_every_month_stays_on_its_day_of_the_month(tmp_path: Path) -> None:
    program = script(tmp_path, "event x\nevent out\nrule r { every[month] ==> notify out }\nenable r")
    until = parse_instant("2028-03-31T12:00:00Z")
    found, _ = run(program, [["1", "x", parse_instant("2027-10-31T08:00:00Z") / SECOND]], until=until)
    days = [render_instant(one.time_us) for one in found]
    assert days == [
        f"{day}T08:00:00Z" for day in ("2027-11-30", "2027-12-31", "2028-01-31", "2028-02-29", "2028-03-31")
    ]


def test_every_begins_when_the_rule_is_enabled_again(tmp_path: Path) -> None:
    text = """
        event again
        event out
        rule r { every[10*sec] ==> notify out }
        rule s { again ==> disable r; enable r }
        enable *
    """
    found, _ = run(script(tmp_path, text), [["1", "again", 0], ["2", "again", 15], ["3", "x", 30]])
    assert [one.time_us // SECOND for one in found] == [10, 25]


@pytest.mark.parametrize("point", ["at[1/1/95]", "at[10:00 Sun 1/1/95]"])
def test_a_time_that_is_past_is_warned_of_and_never_comes(point: str, tmp_path: Path) -> None:
    program = script(tmp_path, f"event x\nevent out\nrule r {{ {point} ==> notify out }}\nenable r")
    now = parse_instant("2026-11-15T00:00:00Z") / SECOND
    found, notes = run(program, [["1", "x", now], ["2", "x", now + 10]])
    assert found == []
    assert notes.warnings == ["rule 'r' waits for a time that is past: it never comes"]


def test_a_past_timer_of_eps_is_warned_of_too() -> None:
    _, notes = expression("a ; at(1970/01/01 00:00:05)", [["1", "x", 10]])
    assert notes.warnings == ["rule 'rule' waits for a time that is past: it never comes"]


def test_a_time_that_is_now_still_comes(tmp_path: Path) -> None:
    program = script(tmp_path, "event x\nevent out\nrule r { at[0:00:10 1/1/70] ==> notify out }\nenable r")
    found, notes = run(program, [["1", "x", 10]])
    assert ([one.time_us // SECOND for one in found], notes.warnings) == ([10], [])


# -- counts ----------------------------------------------------------------------------------------------------------


def test_what_could_not_be_compared_is_counted_also_of_rules_that_were_disabled(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["1", "a", 1, {"v": "high"}], ["2", "a", 2, {"v": True}], ["3", "a", 3, {"v": "low"}]]
    _, notes = expression("a", rows, "a.v > 5")
    assert notes.incomparable == {"number with string": 2, "boolean with number": 1}
    text = """
        event a(double v)
        event halt
        event out
        rule r { x:a when x.v > 5 ==> notify out }
        rule s { halt ==> disable r }
        enable *
    """
    assert run(script(tmp_path, text), [*rows, ["4", "halt", 4]])[1].incomparable == notes.incomparable


def test_events_of_undeclared_classes_are_counted_in_scripts_alone(tmp_path: Path) -> None:
    program = script(tmp_path, "event a\nevent out\nrule r { a ==> notify out }\nenable r")
    rows: list[list[Any]] = [["1", "a", 1], ["2", "b", 2], ["3", "b", 3], ["4", "c", 4]]
    assert run(program, rows)[1].ignored == {"b": 2, "c": 1}
    _, notes = expression("a", rows)
    assert (notes.ignored, notes.arrivals) == ({}, 4)


# -- ids -------------------------------------------------------------------------------------------------------------


def test_ids_are_stable_and_distinct() -> None:
    rows: list[list[Any]] = [["1", "a", 1], ["2", "a", 2], ["3", "b", 3], ["4", "b", 4]]
    text = "x:a ; y:b || every(0/0/0 0:00:01)"
    program = load_expression(text, "eps")
    first, second = [run(program, rows)[0] for _ in range(2)]
    ids = [one.id for one in first]
    assert ids == [one.id for one in second]
    assert len(set(ids)) == len(ids) > 4
    assert all(len(one) == 24 and int(one, 16) >= 0 for one in ids)


def test_an_id_does_not_change_between_releases() -> None:
    (found,), _ = expression("x:a ; y:b", [["1", "a", 1], ["2", "b", 2.5]])
    assert found.id == "e7a292816811169e9bea28f7"


def test_two_variables_the_other_way_round_are_another_detection() -> None:
    pattern = both(named("x", "a"), named("y", "a"))
    different = [one for one in detections(pattern, [["1", "a", 1], ["2", "a", 2]]) if len(one.events) == 2]
    one, other = different
    assert one.events == other.events
    assert one.id != other.id


def test_two_notifications_of_one_firing_have_ids_of_their_own(tmp_path: Path) -> None:
    program = script(tmp_path, "event a\nevent out\nrule r { a ==> notify out; notify out; forward a }\nenable r")
    found, _ = run(program, [["1", "a", 1]])
    assert len({one.id for one in found}) == 3


# -- scripts that change as they run -----------------------------------------------------------------------------------


def test_an_event_that_rules_refer_to_is_not_removed(tmp_path: Path) -> None:
    text = "event a\nevent out\nrule r { a ==> notify out }\nenable r\n~ a\n~ out"
    found, notes = run(script(tmp_path, text), [["1", "a", 1]])
    assert [one.events for one in found] == [("1",)]
    assert notes.warnings == [
        "event 'a' is not removed: rule r refers to it",
        "event 'out' is not removed: rule r refers to it",
    ]


def test_an_event_that_is_removed_is_undeclared_again(tmp_path: Path) -> None:
    text = "event a\nevent b\nevent out\nrule r { * ==> notify out }\nenable r\n~ b"
    found, notes = run(script(tmp_path, text), [["1", "a", 1], ["2", "b", 2]])
    assert ([one.events for one in found], notes.warnings) == ([("1",)], [])


def test_a_removed_rule_is_gone_and_its_name_free(tmp_path: Path) -> None:
    text = """
        event a
        event out
        event other
        rule r { a ==> notify out }
        enable r
        ~ rule r
        rule r { a ==> notify other }
        enable r
    """
    found, _ = run(script(tmp_path, text), [["1", "a", 1]])
    assert [one.type for one in found] == ["other"]


def test_stop_ends_the_script(tmp_path: Path) -> None:
    text = "event a\nevent out\nrule r { a ==> notify out }\nenable r\nstop\nenable r"
    assert run(script(tmp_path, text), [["1", "a", 1]])[0] == []


def test_reports_of_a_script_need_no_other_events(tmp_path: Path) -> None:
    text = """
        event a(long v)
        event out(long v)
        rule r { a ==> notify out(a.v) }
        enable r
        a "site" [0:00:07 1/1/70] (5)
        a [0:00:09 1/1/70] (6)
    """
    found, _ = run(script(tmp_path, text), [])
    assert [(one.time_us // SECOND, one.data, one.detected_us // SECOND) for one in found] == [
        (7, {"v": 5}, 7),
        (9, {"v": 6}, 7),
    ]
