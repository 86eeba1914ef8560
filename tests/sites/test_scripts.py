"""GEM scripts sent to a site: every script of the cases, its events born at two sites, detects what one engine does.

Rules that are linked, by trigger, enable or name, stay together in one part (SITES: "below a rule" is all that is cut).
"""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from tests.conformance.cases import Case, all_cases
from tests.conformance.runtimes import prepared_case
from tests.sites.asked_worlds import SECOND, AskedWorld
from tocsin.algebra.rules import Order, Program
from tocsin.events import Detection, Event
from tocsin.planner.cuts import cuts
from tocsin.rules.loader import load_expression, load_text
from tocsin.rules.programs import each_rule, together
from tocsin.runtime.logs import driven
from tocsin.runtime.ordered import Ordered
from tocsin.sites.deployment import Directory, deployed
from tocsin.sites.simulation import Weather

SCRIPTS = [case for case in all_cases() if "script" in case.fields and case.error is None and case.events]
ORDER = Order("guaranteed")


def home(kind: str) -> str:
    """Where the events of a type are born."""
    return "AB"[zlib.crc32(kind.encode()) % 2]


def in_order(events: list[Event]) -> list[Event]:
    """Events of two sources, one at each site, in 001's total order."""
    moved = [Event(one.type, one.end, one.start, one.id, f"at-{home(one.type)}", one.data, one.end) for one in events]
    return sorted(moved, key=lambda one: (one.end, one.start, one.source))


def shown(found: list[Detection]) -> list[tuple[object, ...]]:
    return sorted((one.rule, one.type, one.start_us, one.time_us, one.events, one.id) for one in found)


@pytest.mark.parametrize("case", SCRIPTS, ids=lambda case: str(case.fields["name"]))
def test_a_script_detects_over_sites_what_it_detects_alone(case: Case, tmp_path: Path) -> None:
    session, _, arrivals = prepared_case(case, tmp_path, "local")
    events = in_order([each for each in arrivals if isinstance(each, Event)])
    whole = each_rule(session.program, lambda rule: rule)
    granularity = session.options.granularity
    begin = events[0].start - 1
    rules = Ordered(whole, ORDER, sources={one.source for one in events}, granularity=granularity)
    rules.begin(begin)  # what a script triggers when it begins has that time
    expected = list(driven(rules, events))

    directory: Directory = {site: {f"at-{site}": None} for site in "AB"} | {"C": {}}
    world = AskedWorld(3, "ABC", Weather(loss=0.05))
    reporters = {site: world.reporter(f"from-{site}", site) for site in "AB"}
    for site, reporter in reporters.items():
        reporter.source(f"at-{site}", reached=begin + 1)
    world.run(SECOND)
    world.subscribe("C", deployed(whole, directory, "C", granularity=granularity))
    world.run(4 * SECOND)
    for one in events:
        reporters[one.source[-1]].report(one)
    for site, reporter in reporters.items():
        reporter.close(f"at-{site}")
    world.run(10 * SECOND)
    found = shown([told.detection for told in world.told("C")])
    assert found == shown(expected)


def test_rules_that_do_something_stay_with_those_they_are_linked_with() -> None:
    text = """
        event e(double v)
        event high()
        event low()
        rule up { x:e when x.v > 9 ==> notify high(); disable; enable down }
        rule down { x:e when x.v < 1 ==> notify low(); disable; enable up }
        rule alone { x:e ==> notify high() }
        enable up
        enable alone
    """
    program = load_text(text)
    assert [[rule.name for rule in rules] for rules in together(program)] == [["up", "down"], ["alone"]]
    made = deployed(program, {"A": {"s": ["e"]}}, "A")
    assert made.told["up"] == made.told["down"] != made.told["alone"]
    cutting = cuts(program, program.rules[0])
    assert [each.why for each in cutting.uncut] == ["up, down are linked and do something: they stay together"]


def test_what_one_rule_triggers_another_takes_that_takes_all_but_some() -> None:
    """The complement of a type has every other one, triggered ones, too."""
    text = """
        event m()
        rule trigger { x:a ==> trigger m() }
        enable trigger
    """
    program = both(load_text(text), load_expression("[!b]", "core", name="others"))
    assert [[rule.name for rule in rules] for rules in together(program)] == [["trigger", "others"]]
    program = both(load_text(text), load_expression("[b]", "core", name="others"))
    assert [[rule.name for rule in rules] for rules in together(program)] == [["trigger"], ["others"]]


def both(one: Program, other: Program) -> Program:
    return Program((*one.statements, *other.statements))
