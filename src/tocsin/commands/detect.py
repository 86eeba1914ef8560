"""`tocsin detect`: rules over a file of events."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from os.path import samefile
from pathlib import Path
from typing import IO

from tocsin.actions.doing import Actions
from tocsin.actions.reading import Configuration, read_actions
from tocsin.algebra.doubts import UNBOUNDED
from tocsin.algebra.patterns import Run
from tocsin.algebra.replay import Notes
from tocsin.algebra.rules import Program
from tocsin.commands.asked import add_rules, asked_program, say
from tocsin.engine.monitor import BATCH
from tocsin.errors import UsageError
from tocsin.events import Arrival, Detection, Event
from tocsin.formats import Arrivals, Quarantine, TimeStyle, detection_lines, detection_table, read_events
from tocsin.progress import Progress
from tocsin.rules.budgets import EXAMPLE, Policy, budgets_of
from tocsin.rules.conforming import conformer
from tocsin.rules.options import context_of, granularity_of, instant_of, order_of, window_of, word
from tocsin.session import Options, Session, only_events

EXAMPLES = """\
examples:
  tocsin detect -e "a ; b" --lang eps --context chronicle --events events.jsonl
  tocsin detect rules.gem --events events.jsonl --format table
  tocsin detect rules.yaml --events - --order "delay:5 sec" < events.jsonl
  tocsin detect rules.gem --events events.jsonl --svg timeline.svg
  tocsin detect rules.gem --events - --actions actions.yaml < events.jsonl
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `detect`."""
    add_rules(parser)
    parser.add_argument(
        "--events", required=True, metavar="FILE", help="events in order of arrival; - is standard input"
    )
    parser.add_argument("--input-format", metavar="NAME", help="jsonl, csv, parquet or gem; default: by extension")
    parser.add_argument(
        "--order",
        default="best-effort",
        metavar="ORDER",
        help="best-effort, delay:SPAN, guaranteed[:SPAN] or probabilistic:P",
    )
    parser.add_argument("--time-model", default="point", metavar="MODEL", help="point, interval or 2g:SPAN")
    parser.add_argument("--run", metavar="RUN", help="every, again or once (core language)")
    parser.add_argument(
        "--engine",
        choices=("local", "replay", "spark", "spark-streaming"),
        default="local",
        help="replay is the plain meaning; spark and spark-streaming run the rules in shards, on Spark",
    )
    parser.add_argument("--late", choices=("accept", "ignore"), default="accept", help="what to do with late events")
    parser.add_argument("--until", metavar="TIME", help="let the clock run on to this time after the last event")
    parser.add_argument("--on-error", choices=("refuse", "skip"), default="refuse", help="what to do with a bad event")
    parser.add_argument(
        "--budget",
        action="append",
        default=[],
        metavar="[RULE:]SPEC",
        help=f"what a rule may hold, as in {EXAMPLE}; policies: {', '.join(Policy)}",
    )
    parser.add_argument("--total-budget", metavar="SPEC", help="what all rules may hold together")
    parser.add_argument("--quarantine", metavar="FILE", help="where skipped events go, with the reason")
    parser.add_argument("--format", choices=("jsonl", "table"), default="jsonl", help="how detections are written")
    parser.add_argument("--output", metavar="FILE", help="where detections go; default: standard output")
    parser.add_argument(
        "--actions", metavar="FILE", help="programs to run and webhooks to call about detections: *.yaml"
    )
    parser.add_argument("--svg", metavar="FILE", help="draw events and detections as a timeline")


def run(options: argparse.Namespace) -> int:
    """Detects, writes, and says what was counted."""
    program = asked_program(options)
    session = Session(program, asked_options(options, program))
    configuration = None if options.actions is None else read_actions(options.actions)
    _refuse_overwriting(options)
    for doubt in session.doubts:
        if doubt.hint != UNBOUNDED:  # a file ends, so memory is no worry here
            print(doubt, file=sys.stderr)
    notes, style = Notes(), TimeStyle()
    with ExitStack() as stack:
        events = asked_events(options, session, style, stack)
        output: IO[str] = sys.stdout
        if options.output is not None:
            output = stack.enter_context(open(options.output, "w", encoding="utf-8"))
        # Only where the detections go elsewhere, so that the line is not in their way.
        is_apart = options.output is not None or not sys.stdout.isatty()
        progress = stack.enter_context(Progress(is_apart and sys.stderr.isatty()))
        seen: list[Event] = []
        if options.svg is not None:
            watched = only_events(events, seen.append)
        else:
            watched = events
        found = progress.counted(_detections(session, progress.events(watched), notes, style))
        kept = _kept(_acted_on(found, configuration, style), seen, options.svg, style)
        lines = detection_table(kept, style) if options.format == "table" else detection_lines(kept, style)
        for line in lines:
            output.write(line + "\n")
    _say_counts(notes, events)
    return 0


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


def _refuse_overwriting(options: argparse.Namespace) -> None:
    """What is read must not be written: the events would be gone before they are read."""
    for written in (options.output, options.svg, options.quarantine):
        for read in (options.events, *options.rules):
            if written is not None and Path(written).is_file() and Path(read).is_file() and samefile(written, read):
                raise UsageError(f"'{written}' would be overwritten, and it is what is read")


def asked_options(options: argparse.Namespace, program: Program) -> Options:
    """The run's options from the command line."""
    return Options(
        context=None if options.context is None else context_of(options.context),
        order=order_of(options.order),
        window=None if options.window is None else window_of(options.window),
        run=None if options.run is None else word(options.run, Run, "run"),
        granularity=granularity_of(options.time_model),
        until=None if options.until is None else instant_of(options.until),
        ignore_late=options.late == "ignore",
        engine=options.engine,
        batch=1 if options.events == "-" else BATCH,
        budgets=budgets_of(options.budget, options.total_budget, [rule.name for rule in program.rules]),
    )


def asked_events(options: argparse.Namespace, session: Session, style: TimeStyle, stack: ExitStack) -> Arrivals:
    """The events of the file named, checked against what the rules declare."""
    declared = session.program.declarations
    on_bad = None
    if options.quarantine is not None:
        if options.on_error != "skip":
            raise UsageError("--quarantine goes with --on-error skip")
        on_bad = stack.enter_context(Quarantine(options.quarantine, options.events)).add
    return read_events(
        options.events,
        options.input_format,
        options.on_error,
        on_bad,
        {name: [attribute for attribute, _ in each.attributes] for name, each in declared.items()},
        style=style,
        conform=conformer(declared),
    )


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
            file.write(draw_timeline(seen, kept, style.text))


def _say_counts(notes: Notes, events: Arrivals) -> None:
    """Everything that was not detected but should be known, on standard error."""
    if events.skipped:
        say(f"{events.skipped} bad event{'s' * (events.skipped > 1)} skipped")
    if events.repeated:
        say(f"{events.repeated} event{'s' * (events.repeated > 1)} repeated a source and id, and count once")
    for reason, count in notes.refused.items():
        say(f"{count} event{'s' * (count > 1)} refused: {reason}")
    for reason, count in notes.dropped.items():
        say(f"{count} event{'s' * (count > 1)} dropped: {reason}")
    if notes.ignored:
        some = ", ".join(f"{name} ({count})" for name, count in notes.ignored.most_common(5))
        total = notes.ignored.total()
        say(f"{total} event{'s' * (total > 1)} of undeclared classes ignored: {some}")
    for kind, count in notes.incomparable.items():
        say(f"{count} comparison{'s' * (count > 1)} of {kind} came out false")
    for warning in notes.warnings:
        say(warning)
