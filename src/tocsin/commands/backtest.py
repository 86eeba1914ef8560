"""`tocsin backtest`: rules over a history, and a report about what they would have detected."""

from __future__ import annotations

import argparse
import sys

from tocsin.backtest.findings import SIDES, Findings
from tocsin.backtest.histories import EXTENSIONS, History, history_of
from tocsin.backtest.report_files import HTML, findings_json, refuse_other_things, write_report
from tocsin.backtest.spark_progress import Watching
from tocsin.backtest.words import counted, day_text, moment
from tocsin.backtest.workflow import ENGINES, WITHOUT, Asked, backtest
from tocsin.commands.shared_options import add_rules, asked_program, say
from tocsin.errors import MissingDependency, TocsinError, UsageError
from tocsin.formats.fields import columns_of
from tocsin.formats.writers import display_width
from tocsin.rules.loader import load_files
from tocsin.rules.options import context_of, instant_of, order_of, window_of
from tocsin.runtime.options import Options

EXAMPLES = """\
examples:
  tocsin backtest rules.yaml --history events/ --report report
  tocsin backtest rules.yaml --history events/ --from 2026-11-01 --to 2026-12-01 --report november
  tocsin backtest new.yaml --against old.yaml --history events/ --report difference
  tocsin backtest rules.yaml --history log.csv --columns time=event_time,type=kind --engine local
  tocsin backtest rules.yaml --history flat/ --schema "type string, time timestamp, host string" --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `backtest`."""
    add_rules(parser)
    add = parser.add_argument
    add("--history", nargs="+", required=True, metavar="PATH", help="event files, or directories of them")
    add("--format", choices=sorted(EXTENSIONS), help="the format of the files; default: by extension")
    add("--schema", metavar="DDL", help="the columns and their types, in Spark's DDL")
    add("--columns", metavar="FIELD=NAME,...", help="the names of an event's fields in the history")
    add("--from", dest="since", metavar="TIME", help="skip events before this time")
    add("--to", dest="until", metavar="TIME", help="skip events at or after this time")
    add(
        "--against",
        nargs="+",
        metavar="RULES",
        default=[],
        help="older rules to compare with: report different detections",
    )
    add("--order", default="guaranteed", metavar="ORDER", help="guaranteed (by event time), best-effort, ...")
    add("--engine", choices=ENGINES, default="spark", help="local: in this process, for a small history, without Java")
    add("--report", metavar="DIR", help="write report.html, report.md with pictures, and report.json there")
    add("--by", metavar="NAME", help="count by this attribute if a rule has no partition key")
    add("--title", metavar="TEXT", default="", help="the title of the report")
    add("--examples", type=int, default=3, metavar="N", help="number of detections to show per rule (3)")
    add("--top", type=int, default=10, metavar="N", help="number of keys and sources to list (10)")
    add(
        "--cost-sample",
        type=int,
        default=50_000,
        metavar="N",
        help="number of events to measure costs on (50000); 0: none",
    )
    add("--json", action="store_true", help="write everything as JSON to standard output")
    add("--quiet", action="store_true", help="show no progress")


def run(options: argparse.Namespace) -> int:
    """Runs the rules over the history, writes the report, and says what was found."""
    for name in ("examples", "top", "cost_sample"):
        if getattr(options, name) < 0:
            raise UsageError(f"--{name.replace('_', '-')} is a count: 0 or more")
    if options.report is not None:
        refuse_other_things(options.report)
    history = history_of(
        options.history,
        format=options.format,
        schema=options.schema,
        columns=columns_of(options.columns),
        since=None if options.since is None else instant_of(options.since),
        until=None if options.until is None else instant_of(options.until),
    )
    asked = _asked(options)
    findings = _run(asked, history, options)
    written = write_report(findings, options.report) if options.report is not None else []
    if options.json:
        sys.stdout.write(findings_json(findings))
    else:
        for line in summary(findings):
            print(line)
    if written:
        say(f"{counted(len(written), 'file')} in {options.report}: open {options.report}/{HTML}")
    return 0


def _asked(options: argparse.Namespace) -> Asked:
    names = tuple(options.rules) or ("the expression",)
    return Asked(
        asked_program(options),
        names,
        load_files(options.against) if options.against else None,
        tuple(options.against),
        Options(
            context=None if options.context is None else context_of(options.context),
            order=order_of(options.order),
            window=None if options.window is None else window_of(options.window),
        ),
        options.by,
        options.title,
        options.examples,
        options.top,
        options.cost_sample,
    )


def _run(asked: Asked, history: History, options: argparse.Namespace) -> Findings:
    watching = Watching(False if options.quiet else None)
    if options.engine == "local":
        return backtest(asked, history, options.engine, watching)
    try:
        import pyspark  # noqa: F401 - whether it is there
        from pyspark.errors import PySparkException
    except ImportError:
        raise TocsinError(f"{MissingDependency('pyspark', 'spark')}; {WITHOUT}") from None
    from tocsin.spark.session import reason_of

    try:
        return backtest(asked, history, options.engine, watching)
    except PySparkException as error:
        raise TocsinError(f"Spark could not run the rules: {reason_of(error)}") from error


def summary(findings: Findings) -> list[str]:
    """What was found, in a few lines."""
    census = findings.census
    lines = [f"{counted(census.events, 'event')} from {moment(census.first)} to {moment(census.last)}"]
    bad = sum(count for _, count in census.bad)
    if bad:
        lines.append(f"{counted(bad, 'line')} could not be read as events")
    rows = [["rule", "detections", "busiest day", "most often"]]
    for one in findings.outcomes:
        days = one.by_day
        busiest = min(days, key=lambda day: (-days[day], day), default=None)
        often = f"{one.key} {one.top[0][0]} ({one.top[0][1]:,})" if one.top else "-"
        rows.append(
            [one.rule, f"{one.count:,}", "-" if busiest is None else f"{day_text(busiest)} ({days[busiest]:,})", often]
        )
    lines += ["", *_aligned(rows)]
    if findings.differences:
        rows = [["rule", "definition", *SIDES]]
        rows += [
            [each.rule, each.change, *(f"{each.counts[side]:,}" for side in SIDES)] for each in findings.differences
        ]
        lines += ["", *_aligned(rows)]
    return lines


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(display_width(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = [
        "  ".join(cell + " " * (wide - display_width(cell)) for cell, wide in zip(row, widths, strict=True))
        for row in rows
    ]
    lines.insert(1, "  ".join("-" * wide for wide in widths))
    return [line.rstrip() for line in lines]
