"""`tocsin check`: every fault and every doubt about rules, and what each rule costs."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import ExitStack
from dataclasses import asdict

from tocsin.algebra.rules import Rule
from tocsin.commands.forecast import forecast_lines
from tocsin.commands.shared_options import add_events, add_rules, asked_events, asked_program
from tocsin.errors import Fault, TextError
from tocsin.events import Event
from tocsin.formats import TimeStyle
from tocsin.planner.keys import partition_of
from tocsin.rules.costs import cost_of
from tocsin.rules.lookout import Lookout
from tocsin.rules.options import context_of, window_of
from tocsin.runtime.options import Options
from tocsin.session import Session

EXAMPLES = """\
examples:
  tocsin check rules.gem
  tocsin check rules.yaml --json
  tocsin check rules.yaml --events sample.jsonl
  tocsin check -e "a ; b" --lang gem --window "5 min"
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `check`."""
    add_rules(parser)
    add_events(parser, required=False)
    parser.add_argument("--json", action="store_true", help="write errors, warnings and rules as one JSON object")


def run(options: argparse.Namespace) -> int:
    """Shows faults, doubts and costs; exit 1 if there is a fault."""
    faults: list[Fault] = []
    rules: list[dict[str, object]] = []
    try:
        asked = Options(
            context=None if options.context is None else context_of(options.context),
            window=None if options.window is None else window_of(options.window),
        )
        session = Session(asked_program(options), asked)
        faults = session.doubts + _of_sample(options, session)
        rules = [_record(rule) for rule in session.program.rules]
    except TextError as error:
        faults = list(error.faults)
    bad = any(fault.severity == "error" for fault in faults)
    if options.json:
        json.dump(
            {"ok": not bad, "faults": [fault_record(fault) for fault in faults], "rules": rules}, sys.stdout, indent=2
        )
        print()
        return int(bad)
    for fault in faults:
        print(fault, file=sys.stderr)
    for line in table(rules):
        print(line)
    if not bad:
        doubts = f", {len(faults)} warning{'s' * (len(faults) > 1)}" if faults else ""
        print(f"{len(rules)} rule{'s' * (len(rules) != 1)}, no fault{doubts}")
    return int(bad)


def _of_sample(options: argparse.Namespace, session: Session) -> list[Fault]:
    """What is doubtful about the rules beside a sample of events: names that do not occur in it."""
    if not options.events:
        return []
    lookout = Lookout(session.program, is_stamped=session.options.granularity is not None)
    with ExitStack() as stack:
        events = asked_events(options, session, TimeStyle(), stack, lookout)
        sample = [event for event in events if isinstance(event, Event)]
    told = (*events.remarks, *lookout.remarks(), *forecast_lines(session, sample))
    return [Fault(text, severity="warning") for text in told]


def _record(rule: Rule) -> dict[str, object]:
    """What a rule costs, with the attributes by which it can be spread behind its context or run."""
    cost = cost_of(rule)
    first = ("rule", "language", "context", "run")
    rest = {key: value for key, value in cost.items() if key not in first}
    return {**{key: cost[key] for key in first}, "partition": partition_of(rule), **rest}


def fault_record(fault: Fault) -> dict[str, object]:
    """A fault's fields, for tools."""
    place = fault.place
    where = {"file": place.file, "line": place.line, "column": place.column} if place is not None else {}
    record = asdict(fault)
    return {**where, **{key: record[key] for key in ("severity", "message", "expected", "hint")}}


def table(rules: list[dict[str, object]]) -> list[str]:
    """The costs as aligned lines."""
    if not rules:
        return []
    rows = [[key for key in rules[0] if key != "bounded"] + ["state"]]
    for rule in rules:
        state = "bounded" if rule["bounded"] else "unbounded"
        rows.append([str(value or "-") for key, value in rule.items() if key != "bounded"] + [state])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
