"""`tocsin sites`: the sites of a deployment as a person sees them, and parts moved by hand."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from tocsin.algebra.rules import Program
from tocsin.commands.placement_options import add_hints, asked_hints, asked_topology
from tocsin.commands.shared_options import add_rules, asked_program, say
from tocsin.commands.site_options import add_broker
from tocsin.errors import UsageError
from tocsin.rules.options import period_of
from tocsin.sites.deployment import heard_types
from tocsin.sites.explanations import cuts_of, explained, explanation_lines, running
from tocsin.sites.overview import blocked_of, blocked_tables, status_of, status_tables
from tocsin.sites.placement.comparisons import compared, comparison_record, comparison_text, measured_traffic
from tocsin.sites.placement.plan_texts import plan_record, plan_text
from tocsin.sites.placement.plans import plan
from tocsin.sites.placement.policies import NEAR_SOURCES, POLICIES
from tocsin.sites.placement.rates import heard
from tocsin.sites.placement.topologies import measured
from tocsin.sites.shell.guest import Guest, attached
from tocsin.sites.surveys import Survey, surveyed
from tocsin.sites.tables import lines_of
from tocsin.sites.targets import Target, drained, movable, outcome

EXAMPLES = """\
examples:
  tocsin sites --broker nats://127.0.0.1:4222 status
  tocsin sites --broker nats://127.0.0.1:4222 blocked                  which rules wait, for whom, since when, and why
  tocsin sites --broker nats://127.0.0.1:4222 plan rules.yaml --policy near-sources
  tocsin sites --broker nats://127.0.0.1:4222 plan rules.yaml --topology links.yaml --degree 1
  tocsin sites --broker nats://127.0.0.1:4222 explain                  where rules run, what they take, how to cut them
  tocsin sites --broker nats://127.0.0.1:4222 move outage B            a part or a rule, with what it remembers
  tocsin sites --broker nats://127.0.0.1:4222 drain A                  everything away from a site
"""
PATIENCE: Final = 3.0
"""Seconds that sites have for an answer."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `sites`."""
    parser.add_argument("what", choices=tuple(_ASKED), help="what is asked for, or done")
    add_broker(parser)
    add_rules(parser)
    add_planning(parser)
    parser.add_argument("--wait", default="30 s", metavar="SPAN", help="move, drain: how long to wait for the outcome")
    parser.add_argument("--json", action="store_true", help="write JSON")


def add_planning(parser: argparse.ArgumentParser) -> None:
    """How a plan is made."""
    parser.add_argument("--policy", default=NEAR_SOURCES, choices=POLICIES, help="plan: where parts are to run")
    add_hints(parser)
    parser.add_argument("--sink", metavar="SITE", help="plan: where detections are told; default: where most is heard")


def run(options: argparse.Namespace) -> int:
    """Asks the sites, and shows what they say."""
    with attached(options.broker, "operator", say=say) as guest:
        return _ASKED[options.what](guest, options)


def survey(guest: Guest) -> Survey:
    """What all sites say now."""
    return surveyed(guest.directory, guest.ask_all(["status"], PATIENCE))


def _show(options: argparse.Namespace, record: Any, lines: Iterable[str]) -> None:
    if options.json:
        print(json.dumps(record, indent=2, ensure_ascii=False))
        return
    for line in lines:
        sys.stdout.write(line + "\n")


def _status(guest: Guest, options: argparse.Namespace) -> int:
    _no_names(options)
    found = survey(guest)
    ages = {site: round((time.monotonic() - at) * 1e6) for site, at in guest.heard.items()} | found.silent
    record = status_of(found.said, ages)
    _show(options, record, lines_of(status_tables(record)))
    _say_silent(found)
    return 0


def _blocked(guest: Guest, options: argparse.Namespace) -> int:
    _no_names(options)
    found = survey(guest)
    records = blocked_of(found.said, found.silent)
    _show(options, records, lines_of(blocked_tables(records)) if records else ["nothing is blocked"])
    _say_silent(found)
    return 0


def _say_silent(found: Survey) -> None:
    for site, age in sorted(found.silent.items()):
        say(f"site '{site}' does not answer; it was heard of {age / 1e6:.3g} s ago")


def _no_names(options: argparse.Namespace) -> None:
    if options.rules:
        raise UsageError(f"tocsin sites {options.what} takes no more words: {' '.join(options.rules)}")


# -- moves -----------------------------------------------------------------------------------------------------------


def _move(guest: Guest, options: argparse.Namespace) -> int:
    if len(options.rules) != 2:
        raise UsageError("move says what and where to: tocsin sites --broker URL move PART|RULE SITE")
    name, to = options.rules
    found = survey(guest)
    targets = movable(found.said, name, to)
    if not targets:
        _show(options, [], [f"'{name}' runs at '{to}' already"])
        return 0
    return _carried_out(guest, options, found, targets)


def _drain(guest: Guest, options: argparse.Namespace) -> int:
    if len(options.rules) != 1:
        raise UsageError("drain says which site: tocsin sites --broker URL drain SITE")
    found = survey(guest)
    targets = drained(found.said, options.rules[0], found.silent)
    if not targets:
        _show(options, [], [f"no part runs at '{options.rules[0]}'"])
        return 0
    return _carried_out(guest, options, found, targets)


def _carried_out(guest: Guest, options: argparse.Namespace, found: Survey, targets: list[Target]) -> int:
    """Asks for the moves, waits for what becomes of them, and says it; exit 1 if one has not been made."""
    for target in targets:
        for site in (target.site, target.to):
            if site in found.silent:
                raise UsageError(f"site '{site}' does not answer: nothing can be moved from or to it")
    for target in targets:
        guest.ask(target.site, ["move", target.part, target.to], PATIENCE)
    wait = period_of(options.wait, "the wait").length() / 1e6

    def outcomes() -> dict[Target, str | None]:
        return {target: outcome(guest.directory, target) for target in targets}

    guest.wait(lambda: all(one is not None for one in outcomes().values()), wait)
    results = outcomes()
    records = [target._asdict() | {"outcome": results[target] or "under way"} for target in targets]
    _show(options, records, [_result(target, results[target], options.wait) for target in targets])
    return 0 if all(one == "moved" for one in results.values()) else 1


def _result(target: Target, result: str | None, waited: str) -> str:
    what = f"{target.part} of {', '.join(target.rules)}"
    if result == "moved":
        return f"{what}: moved from '{target.site}' to '{target.to}'"
    if result == "gone":
        return f"{what}: runs nowhere any more; nobody took what it gives out"
    return f"{what}: still on its way from '{target.site}' to '{target.to}' after {waited}"


# -- plans -----------------------------------------------------------------------------------------------------------


def _plan(guest: Guest, options: argparse.Namespace) -> int:
    program = asked_program(options)
    found = survey(guest)
    directory = directory_of(found)
    sink = options.sink or _most_heard(program, directory)
    if sink not in found.said:
        raise UsageError(f"there is no site '{sink}'; sites: {', '.join(sorted(found.said)) or 'none'}")
    at_work = running(guest.ask_all(["parts"], PATIENCE), sink)
    made = plan(
        program,
        directory,
        sink,
        policy=options.policy,
        hints=asked_hints(options, program),
        rates=heard(found.said),
        topology=asked_topology(options) or measured(found.said),
        running=at_work,
    )
    traffic = compared(made.predicted, measured_traffic(found.said))
    record = plan_record(made) | {"compared": comparison_record(traffic)}
    text = f"{plan_text(made)}\n\nbeside what all streams that run cause now\n{comparison_text(traffic)}"
    _show(options, record, text.splitlines())
    _say_silent(found)
    return 0


def directory_of(found: Survey) -> dict[str, dict[str, list[str] | None]]:
    """Every source that is known, by site."""
    return {
        site: {source: known["types"] for source, known in one.get("sources", {}).items()}
        for site, one in sorted(found.said.items())
    }


def _most_heard(program: Program, directory: Mapping[str, Mapping[str, list[str] | None]]) -> str:
    """The site where most sources are that rules take."""
    heard_here = heard_types(program)

    def sources(site: str) -> int:
        return sum(types is None or not heard_here.isdisjoint(types) for types in directory[site].values())

    return min(directory, key=lambda site: (-sources(site), site), default="")


def _explain(guest: Guest, options: argparse.Namespace) -> int:
    """Of rules that are given what can be cut off them; else of rules that run, named or all, where they do."""
    if options.expression is not None or any(Path(name).exists() for name in options.rules):
        program = asked_program(options)
        records = [cuts_of(program, rule) for rule in program.rules if not rule.hidden]
        _show(options, records, explanation_lines(records))
        return 0
    found = survey(guest)
    at_work = running(guest.ask_all(["parts"], PATIENCE), "")
    records = explained(found.said, at_work, options.rules)
    _show(options, records, explanation_lines(records) if records else ["no rule runs at any site"])
    _say_silent(found)
    return 0


_ASKED: Final[Mapping[str, Callable[[Guest, argparse.Namespace], int]]] = {
    "status": _status,
    "plan": _plan,
    "explain": _explain,
    "move": _move,
    "drain": _drain,
    "blocked": _blocked,
}
