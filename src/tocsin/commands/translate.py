"""`tocsin translate`: rules in another notation; exact, or a refusal that names what it lacks and what comes near.

With `--from` the rules are read from the text of another engine; what it says that we cannot is refused at its place.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tocsin.algebra.patterns import Automaton
from tocsin.commands.shared_options import add_rules, asked_program, partitioned, say
from tocsin.errors import RuleError, Source, UsageError, choices
from tocsin.origins import Read, origins, read
from tocsin.rules.loader import read_text
from tocsin.rules.options import context_of, granularity_of, window_of
from tocsin.runtime.options import Options, completed
from tocsin.translation import Asked, targets, translate
from tocsin.translation.files import as_they_are

YAML = "yaml"
"""A rules file, with each rule in the language that it is in."""
EXAMPLES = """\
examples:
  tocsin translate -e "{a ; b} ! c" --lang gem --to sel          a -> !c -> b, in a YAML rules file
  tocsin translate rules.yaml --to python --output rules.py      a Python program that makes the rules
  tocsin translate rules.eps --to pretty --output rules.yaml
  tocsin translate rules.gem --to sel --nearest                  differences go to standard error
  tocsin translate rules.yaml --to gem --time-model interval     rely on no event being a point
  tocsin translate --from esper-epl rules.epl                    statements of EPL, as a YAML rules file
  tocsin translate --from flink-sql query.sql --output rules.yaml
  tocsin translate --from siddhi app.siddhi --to python
  cat app.siddhi | tocsin translate --from siddhi -              from standard input

exit 0: the result gives the same detections, or with --nearest differs as reported; exit 1: some rule was refused, with
its place, and left out of the result
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `translate`."""
    add_rules(parser)
    parser.add_argument(
        "--from", dest="origin", metavar="ENGINE", help=f"RULES are texts of another engine: {choices(origins())}"
    )
    parser.add_argument(
        "--to", metavar="LANG", help=f"{choices(targets())}; with --from it may be left out: yaml, as it is said best"
    )
    parser.add_argument("--output", metavar="FILE", help="the file to write; its extension chooses the format")
    parser.add_argument(
        "--nearest",
        action="store_true",
        help="if there is no exact translation, give the nearest and say how it differs",
    )
    parser.add_argument(
        "--time-model",
        default="point",
        metavar="MODEL",
        help="how events will be stamped: point (the default), interval or 2g:SPAN",
    )


def run(options: argparse.Namespace) -> int:
    """Writes the rules in another notation."""
    granularity_of(options.time_model)
    context = None if options.context is None else context_of(options.context)
    window = None if options.window is None else window_of(options.window)
    foreign = None if options.origin is None else _foreign(options)
    program = asked_program(options) if foreign is None else partitioned(foreign.program, options)
    if options.to is None and foreign is None:
        raise UsageError(f"--to is missing: {choices(targets())}")
    if context is not None and program.rules and all(isinstance(rule.pattern, Automaton) for rule in program.rules):
        raise UsageError(
            "--context is for other languages: what core uses up is a rule's run, and all rules are in core"
        )
    program = completed(program, Options(context=context, window=window))
    suffix = Path(options.output).suffix.lower() if options.output is not None else ""
    if options.output is not None and not suffix:
        raise UsageError(f"'{options.output}' has no ending that says what kind of file it is")
    model = options.time_model.partition(":")[0]
    refused = () if foreign is None else foreign.refused
    if not program.rules:
        raise RuleError(refused)
    asked = Asked(program, model, suffix, options.nearest, partly=True)
    target = options.to or YAML
    made = as_they_are(asked) if foreign is not None and target == YAML else translate(asked, target)
    made = made._replace(refused=(*refused, *made.refused))
    if options.output is None:
        sys.stdout.write(made.text)
    else:
        Path(options.output).write_text(made.text, encoding="utf-8")
        some = f"{len(program.rules)} rule{'s' * (len(program.rules) != 1)}"
        what = f"what can be said of {some}" if made.refused else some
        say(f"{options.output}: {what} in {target}")
    for remark in made.remarks:
        say(remark)
    for fault in made.refused:
        print(fault, file=sys.stderr)
    return 1 if made.refused else 0


def _foreign(options: argparse.Namespace) -> Read:
    """The rules of texts of another engine."""
    if options.expression is not None or not options.rules:
        raise UsageError("--from wants files: tocsin translate --from esper-epl rules.epl")
    if options.condition is not None or options.lang is not None:
        raise UsageError("--condition and --lang go with -e EXPR, not with --from")
    found = [read(_text(path), options.origin) for path in options.rules]
    return Read(
        tuple(rule for each in found for rule in each.rules), tuple(fault for each in found for fault in each.refused)
    )


def _text(name: str) -> Source:
    """A text of another engine: a file, or `-` for standard input."""
    if name == "-":
        return Source(sys.stdin.read(), "<stdin>")
    path = Path(name)
    if path.is_dir():
        raise UsageError(
            f"'{name}' is a directory: --from reads files, whose names may be anything, so name each of them"
        )
    return Source(read_text(path), name)
