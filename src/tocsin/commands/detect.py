"""`tocsin detect`: rules over a file of events."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import IO

from tocsin.actions.configuration import Configuration, read_actions
from tocsin.actions.executor import Actions
from tocsin.algebra.amendments import WITHIN, applied
from tocsin.algebra.notes import Notes
from tocsin.algebra.rule_warnings import UNBOUNDED
from tocsin.commands.forecast import foreseen, foreseen_parcels
from tocsin.commands.shared_options import (
    add_rules,
    add_run,
    asked_events,
    asked_options,
    asked_program,
    followed,
    refuse_overwriting,
    say,
    say_counts,
)
from tocsin.errors import UsageError
from tocsin.events import Arrival, Detection, Event
from tocsin.formats import Arrivals, Parcel, TimeStyle, detection_lines, detection_table
from tocsin.progress import Progress
from tocsin.rules.budgets import EXAMPLE, Policy
from tocsin.rules.lookout import Lookout
from tocsin.rules.options import period_of
from tocsin.runtime.forecast import MANY
from tocsin.session import Session, only_events

EXAMPLES = """\
examples:
  tocsin detect -e "a ; b" --lang eps --context chronicle --events events.jsonl
  tocsin detect rules.gem --events events.jsonl --format table
  tocsin detect rules.yaml --events - --order "delay:5 sec" < events.jsonl
  tocsin detect rules.gem --events events.jsonl --svg timeline.svg
  tocsin detect rules.yaml --events events.jsonl --amend --amend-for "10 min"
  tocsin detect rules.yaml --events nats://127.0.0.1:4222/events?start=new
  tocsin detect rules.gem --events - --actions actions.yaml < events.jsonl
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `detect`."""
    add_rules(parser)
    add_run(parser)
    parser.add_argument(
        "--engine",
        choices=("local", "replay", "spark", "spark-streaming"),
        default="local",
        help="replay runs the reference meaning; spark and spark-streaming run the rules in shards, on Spark",
    )
    parser.add_argument(
        "--amend", action="store_true", help="let late events retract, replace and restore earlier detections"
    )
    parser.add_argument("--amend-for", metavar="SPAN", help="how late an event may be and still amend; default: 1 hour")
    parser.add_argument(
        "--budget",
        action="append",
        default=[],
        metavar="[RULE:]SPEC",
        help=f"how much state a rule may keep, as in {EXAMPLE}; policies: {', '.join(Policy)}",
    )
    parser.add_argument("--total-budget", metavar="SPEC", help="how much state all rules may keep together")
    parser.add_argument("--format", choices=("jsonl", "table"), default="jsonl", help="the output format")
    parser.add_argument("--output", metavar="FILE", help="the file for detections; default: standard output")
    parser.add_argument("--actions", metavar="FILE", help="programs to run and webhooks to call for detections: *.yaml")
    parser.add_argument("--svg", metavar="FILE", help="draw events and detections as a timeline")


def run(options: argparse.Namespace) -> int:
    """Detects, writes, and says what was counted."""
    program = asked_program(options)
    session = Session(program, replace(asked_options(options, program), amend=_within(options)))
    configuration = None if options.actions is None else read_actions(options.actions)
    refuse_overwriting(options, options.output, options.svg, options.quarantine)
    for doubt in session.doubts:
        if doubt.hint not in UNBOUNDED:  # a file ends, so memory is no worry here
            print(doubt, file=sys.stderr)
    notes, style, lookout = (
        Notes(),
        TimeStyle(),
        Lookout(session.program, is_stamped=session.options.granularity is not None),
    )
    with ExitStack() as stack:
        events = asked_events(options, session, style, stack, lookout)
        output: IO[str] = sys.stdout
        if options.output is not None:
            output = stack.enter_context(open(options.output, "w", encoding="utf-8"))
        # Only where the detections go elsewhere, so that the line is not in their way.
        is_apart = options.output is not None or not sys.stdout.isatty()
        progress = stack.enter_context(Progress(is_apart and sys.stderr.isatty()))
        seen: list[Event] = []
        is_plain = options.format == "jsonl" and options.svg is None and configuration is None
        if is_plain and session.takes_parcels:
            parcels = progress.parcels(_parcels(session, events, options))
            lines = progress.counted(session.lines_of_parcels(parcels, style, notes, _is_live(options)))
        else:
            found = progress.counted(_found(session, events, options, notes, style, progress, seen))
            kept = _kept(_acted_on(found, configuration, style), seen, options.svg, style)
            lines = detection_table(kept, style) if options.format == "table" else detection_lines(kept, style)
        for number, line in enumerate(lines, 1):
            output.write(line + "\n")
            if _is_live(options):
                output.flush()  # whoever reads on wants to know now
            if number in (MANY, 10 * MANY, 100 * MANY):
                say(f"{number:,} detections so far, and it goes on; interrupt it (Ctrl-C) if that is not what you want")
    say_counts(notes, events, lookout)
    return 0


def _within(options: argparse.Namespace) -> int | None:
    """How late an event may be and still amend; None if none may."""
    if options.amend_for is None:
        return WITHIN if options.amend else None
    if not options.amend:
        raise UsageError("--amend-for goes with --amend")
    within = period_of(options.amend_for, "how late an event may be").length()
    if within < 0:
        raise UsageError(f"an event cannot be late by '{options.amend_for}'")
    return within


def _found(
    session: Session,
    events: Arrivals,
    options: argparse.Namespace,
    notes: Notes,
    style: TimeStyle,
    progress: Progress,
    seen: list[Event],
) -> Iterator[Detection]:
    """What is detected: on columns where the rules take them, else event by event. `seen` is for a picture."""
    if session.takes_parcels and options.svg is None:
        return session.detections_of_parcels(progress.parcels(_parcels(session, events, options)), notes)
    given: Iterable[Arrival] = events if _is_live(options) else foreseen(events, session)
    if options.svg is not None:
        given = only_events(given, seen.append)
    return _detections(session, progress.events(given), notes, style)


def _parcels(session: Session, events: Arrivals, options: argparse.Namespace) -> Iterator[Parcel]:
    return events.parcels() if _is_live(options) else foreseen_parcels(events.parcels(), session)


def _is_live(options: argparse.Namespace) -> bool:
    """Whether no event may be looked at before its time."""
    return options.amend or "-" in options.events or followed(options)


def _detections(session: Session, events: Iterable[Arrival], notes: Notes, style: TimeStyle) -> Iterator[Detection]:
    """What is detected, where it was asked for."""
    engine = session.options.engine
    if not engine.startswith("spark"):
        return session.detections(events, notes)
    from tocsin.spark.logs import detections_of_log

    log = list(events)  # the style of times is known when they have been read
    return detections_of_log(session, log, streaming=engine != "spark", seconds=style.seconds, notes=notes)


def _acted_on(found: Iterable[Detection], configuration: Configuration | None, style: TimeStyle) -> Iterator[Detection]:
    """The detections as they pass; what a file of actions says is done about each, and all of it before the end."""
    if configuration is None:
        yield from found
        return
    actions = Actions(configuration, style, say, is_patient=True)
    try:
        for one in found:
            actions(one)
            yield one
    finally:
        actions.close()
    say(actions.summary())


def _kept(found: Iterable[Detection], seen: list[Event], svg: str | None, style: TimeStyle) -> Iterator[Detection]:
    """The detections as they pass; at the end the timeline is drawn, if one was asked for."""
    kept: list[Detection] = []
    for detection in found:
        if svg is not None:
            kept.append(detection)
        yield detection
    if svg is not None:
        from tocsin.draw.timeline import draw_timeline

        with open(svg, "w", encoding="utf-8") as file:
            file.write(draw_timeline(seen, applied(kept), style.text))  # what stands in the end
