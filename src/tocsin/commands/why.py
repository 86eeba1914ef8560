"""`tocsin why`: why a rule fired on given events, or what came nearest and what it failed at."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack

from tocsin.commands.shared_options import (
    add_rules,
    add_run,
    asked_events,
    asked_options,
    asked_program,
    refuse_overwriting,
    say_counts,
)
from tocsin.formats import TimeStyle
from tocsin.reasons import Question, Why, ask
from tocsin.rules.lookout import Lookout
from tocsin.rules.options import instant_of
from tocsin.session import Session

EXAMPLES = """\
examples:
  tocsin why rules.yaml --events events.jsonl
  tocsin why rules.yaml --events events.jsonl --rule outage --event 17 --event 23
  tocsin why -e "x:down ; y:up" --lang eps --condition "x.link == y.link" --events events.jsonl --at 12.5
  tocsin why rules.gem --events events.jsonl --detection 5f0c1e... --svg why.svg
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `why`."""
    add_rules(parser)
    add_run(parser)
    parser.add_argument(
        "--engine",
        choices=("local", "replay"),
        default="local",
        help="the engine for the search; replay is the reference meaning, slow but authoritative",
    )
    parser.add_argument("--rule", metavar="NAME", help="explain this rule only")
    parser.add_argument("--detection", metavar="ID", help="explain why this was detected")
    parser.add_argument(
        "--event",
        action="append",
        default=[],
        metavar="ID",
        help="explain what was, or was not, detected with this event; SOURCE/ID if ids repeat; may be given again",
    )
    parser.add_argument("--at", metavar="TIME", help="explain what was, or was not, detected at this time")
    parser.add_argument("--limit", type=int, metavar="N", help="number of firings and misses to show per rule")
    parser.add_argument("--json", action="store_true", help="write JSON")
    parser.add_argument("--svg", metavar="FILE", help="draw a timeline")


def run(options: argparse.Namespace) -> int:
    """Runs the rules, watched, and answers."""
    program = asked_program(options)
    session = Session(program, asked_options(options, program))
    refuse_overwriting(options, options.svg, options.quarantine)
    style, lookout = TimeStyle(), Lookout(session.program, is_stamped=session.options.granularity is not None)
    question = Question(
        options.rule,
        options.detection,
        tuple(options.event),
        None if options.at is None else instant_of(options.at),
        options.limit,
    )
    with ExitStack() as stack:
        events = asked_events(options, session, style, stack, lookout)
        found = ask(session, events, question)
    told = Why(found, style)
    if options.svg is not None:
        with open(options.svg, "w", encoding="utf-8") as file:
            file.write(told.svg())
    if options.json:
        print(told.to_json())
    else:
        for line in told.lines():
            sys.stdout.write(line + "\n")
    say_counts(found.notes, events, lookout)
    return 0
