"""Options that several verbs take: which rules, and how they are to be run."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from os.path import samefile
from pathlib import Path
from typing import Final

from tocsin.algebra.notes import Notes
from tocsin.algebra.rules import Context, Program
from tocsin.errors import UsageError, choices
from tocsin.formats import FORMATS, Arrivals, Fields, InputClock, OnBad, Quarantine, TimeStyle, read_events
from tocsin.formats.fields import columns_of
from tocsin.formats.intake import Intake
from tocsin.languages import languages
from tocsin.rules.budgets import budgets_of
from tocsin.rules.declared_events import conformer
from tocsin.rules.loader import load_expression, load_files
from tocsin.rules.lookout import Lookout
from tocsin.rules.options import context_of, granularity_of, instant_of, order_of, run_of, window_of
from tocsin.rules.programs import each_rule
from tocsin.runtime.options import BATCH, Options
from tocsin.session import Session
from tocsin.time.spans import HOUR
from tocsin.transports import SOURCE, TRANSPORTS, address_of, is_address, transport_of
from tocsin.transports.events import follow, until_clock

_FOLLOWED: Final = [
    f"{scheme}://" if port else f"{scheme}:"
    for scheme, port in sorted({scheme: module.SCHEMES[scheme] for scheme, module in TRANSPORTS.items()}.items())
    if SOURCE in TRANSPORTS[scheme].USES and scheme != "memory"  # nobody else is in this process
]
"""What the addresses begin with that can be followed."""


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Rules from files, or one from the command line."""
    parser.add_argument(
        "rules", nargs="*", metavar="RULES", help="rules files (*.gem, *.eps or *.yaml), or directories of them"
    )
    parser.add_argument("-e", "--expression", metavar="EXPR", help="one rule, called 'rule'")
    parser.add_argument("--lang", metavar="LANGUAGE", help=f"EXPR's language: {choices(languages())}")
    parser.add_argument("--condition", metavar="GUARD", help="a guard that must hold for EXPR to be detected")
    parser.add_argument(
        "--context", choices=[each.value for each in Context], help="which occurrences combine and are used up"
    )
    parser.add_argument(
        "--partition", metavar="ATTRIBUTE,...", help="each rule without a partition of its own, once for each value"
    )
    parser.add_argument("--window", metavar="SPAN", help="the window of rules without their own: '5 min'")


def asked_program(options: argparse.Namespace) -> Program:
    """The program that the command line names."""
    return partitioned(_named_program(options), options)


def partitioned(program: Program, options: argparse.Namespace) -> Program:
    """The program with the command line's partition for the rules that have none."""
    if options.partition is None:
        return program
    names = tuple(name.strip() for name in options.partition.split(","))
    if "" in names:
        raise UsageError("--partition names attributes: user, or user,host")
    return each_rule(program, lambda rule: replace(rule, partition=rule.partition or names))


def _named_program(options: argparse.Namespace) -> Program:
    if options.expression is None:
        if not options.rules:
            raise UsageError("no rules given: name rules files, or give one with -e EXPR --lang LANGUAGE")
        if options.condition is not None or options.lang is not None:
            raise UsageError("--condition and --lang go with -e EXPR")
        return load_files(options.rules)
    if options.lang is None:
        raise UsageError("-e EXPR needs --lang LANGUAGE")
    program = load_files(options.rules)
    return program + load_expression(options.expression, options.lang, options.condition)


def add_run(parser: argparse.ArgumentParser) -> None:
    """Which events, and how the rules are run over them."""
    add_events(parser, required=True)
    parser.add_argument(
        "--order",
        default="best-effort",
        metavar="ORDER",
        help="best-effort, delay:SPAN, guaranteed[:SPAN] or probabilistic:P",
    )
    parser.add_argument("--time-model", default="point", metavar="MODEL", help="point, interval or 2g:SPAN")
    parser.add_argument(
        "--run", metavar="RUN", help="every, again, once, to next, past last, to first X or to last X (core language)"
    )
    parser.add_argument("--late", choices=("accept", "ignore"), default="accept", help="how to treat late events")
    parser.add_argument("--until", metavar="TIME", help="advance the clock to this time after the last event")


def add_events(parser: argparse.ArgumentParser, required: bool) -> None:
    """Which events, and how they are written."""
    parser.add_argument(
        "--events",
        action="append",
        required=required,
        default=None if required else [],
        metavar="FILE|URL",
        help="events in order of arrival, *.gz and *.zst too; a folder or a pattern means all its files; - is standard"
        " input; may be repeated: one file after the other. Or one URL, which is followed until --until or an"
        f" interrupt: {' '.join(_FOLLOWED)}",
    )
    parser.add_argument("--merge", action="store_true", help="merge several files of events by time")
    parser.add_argument("--input-format", metavar="NAME", help=f"{choices(sorted(FORMATS))}; default: by extension")
    parser.add_argument(
        "--columns",
        action="append",
        metavar="FIELD=NAME,...",
        help="the names of fields in the input: type=event_id,time=@timestamp; time=Date+Time joins two",
    )
    parser.add_argument(
        "--time-format",
        metavar="F",
        help="the format of times: '%%d/%%m/%%Y %%H:%%M:%%S', or epoch-s, epoch-ms, epoch-us, epoch-ns",
    )
    parser.add_argument("--zone", metavar="Z", help="the time zone of times without one: Europe/Lisbon; default: UTC")
    parser.add_argument("--on-error", choices=("refuse", "skip"), default="refuse", help="how to treat a bad event")
    parser.add_argument("--quarantine", metavar="FILE", help="write skipped events to FILE, with the reason")


def refuse_overwriting(options: argparse.Namespace, *written: str | None) -> None:
    """What is read must not be written: the events would be gone before they are read."""
    for path in written:
        for read in (*options.events, *options.rules):
            if path is not None and Path(path).is_file() and Path(read).is_file() and samefile(path, read):
                raise UsageError(f"'{path}' would be overwritten, and it is what is read")


def asked_options(options: argparse.Namespace, program: Program) -> Options:
    """The run's options from the command line."""
    budget, total = getattr(options, "budget", []), getattr(options, "total_budget", None)
    return Options(
        context=None if options.context is None else context_of(options.context),
        order=order_of(options.order),
        window=None if options.window is None else window_of(options.window),
        run=None if options.run is None else run_of(options.run),
        granularity=granularity_of(options.time_model),
        until=None if options.until is None else instant_of(options.until),
        ignore_late=options.late == "ignore",
        engine=options.engine,
        batch=1 if "-" in options.events or followed(options) else BATCH,
        budgets=budgets_of(budget, total, [rule.name for rule in program.rules]),
    )


def asked_events(
    options: argparse.Namespace, session: Session, style: TimeStyle, stack: ExitStack, lookout: Lookout
) -> Arrivals:
    """The events of the files named, checked against what the rules declare, and shown to the lookout."""
    declared = session.program.declarations
    on_bad = None
    if options.quarantine is not None:
        if options.on_error != "skip":
            raise UsageError("--quarantine goes with --on-error skip")
        quarantine = stack.enter_context(Quarantine(options.quarantine, options.events[0]))

        def on_bad(line: int, text: str, reason: str) -> None:
            quarantine.file = events.file
            quarantine.add(line, text, reason)

    if followed(options):
        return _followed_events(options, session, style, stack, on_bad, lookout)
    events = read_events(
        options.events,
        options.input_format,
        options.on_error,
        on_bad,
        {name: [attribute for attribute, _ in each.attributes] for name, each in declared.items()},
        style=style,
        conform=conformer(declared),
        fields=Fields(columns_of(options.columns)),
        clock=InputClock(options.time_format, options.zone),
        watch=lookout.note,
        notice=lookout.note_block,
        is_merged=options.merge,
    )
    return events


def followed(options: argparse.Namespace) -> bool:
    """Whether events come from an address, not from files."""
    urls = [each for each in options.events if is_address(each)]
    if urls and options.merge:
        raise UsageError("--merge is for files: an address is followed by itself")
    if urls and len(options.events) > 1:
        raise UsageError("one address is followed at a time: an address that is given is the only --events")
    return bool(urls)


def _followed_events(
    options: argparse.Namespace,
    session: Session,
    style: TimeStyle,
    stack: ExitStack,
    on_bad: OnBad | None,
    lookout: Lookout,
) -> Arrivals:
    """The events of an address until the clock has passed --until and nothing more waits, or somebody interrupts."""
    if options.input_format is not None:
        raise UsageError("--input-format is for files: an address says its encoding, nats://HOST/SUBJECT?encoding=avro")
    address = address_of(options.events[0], SOURCE)
    transport_of(address.url, SOURCE).check(address, SOURCE)
    intake = Intake(
        str(address),
        options.on_error,
        on_bad,
        remember=HOUR,
        style=style,
        conform=conformer(session.program.declarations),
        fields=Fields(columns_of(options.columns)),
        clock=InputClock(options.time_format, options.zone),
        watch=lookout.note,
    )
    is_stopped = stack.enter_context(interrupts())
    events = follow(address, intake, until_clock(session.options.until), is_stopped)
    return Arrivals(intake, ([each] for each in events))  # each is told of at once


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """Whether somebody has interrupted or ended us: that is the end of the input, and what was found is told."""
    stopped: list[int] = []
    before = {each: signal.signal(each, lambda *_: stopped.append(1)) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(stopped)
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def say(text: str) -> None:
    """A remark for the person, on standard error."""
    print(f"tocsin: {text}", file=sys.stderr)


def say_counts(notes: Notes, events: Arrivals, lookout: Lookout) -> None:
    """Everything that was not detected but should be known, on standard error."""
    if events.skipped:
        say(f"{events.skipped} bad event{'s' * (events.skipped > 1)} skipped")
    for remark in events.remarks:
        say(remark)
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
    for rule, count in notes.suppressed.items():
        say(f"{count} detection{'s' * (count > 1)} of rule '{rule}' not told, by its 'suppress'")
    for warning in (*notes.warnings, *lookout.remarks()):
        say(warning)
