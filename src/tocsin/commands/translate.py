"""`tocsin translate`: rules in another notation; exact, or a refusal that names what it lacks and what comes near."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tocsin.commands.shared_options import add_rules, asked_program, say
from tocsin.errors import UsageError, choices
from tocsin.rules.options import context_of, granularity_of, window_of
from tocsin.runtime.options import Options, completed
from tocsin.translation import Asked, targets, translate

EXAMPLES = """\
examples:
  tocsin translate -e "{a ; b} ! c" --lang gem --to sel          a -> !c -> b, in a YAML rules file
  tocsin translate rules.yaml --to python --output rules.py      a Python program that makes the rules
  tocsin translate rules.eps --to pretty --output rules.yaml
  tocsin translate rules.gem --to sel --nearest                  differences go to standard error
  tocsin translate rules.yaml --to gem --time-model interval     rely on no event being a point

exit 0: the result gives the same detections, or with --nearest differs as reported; exit 1: some rule was refused, with
its place, and left out of the result
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `translate`."""
    add_rules(parser)
    parser.add_argument("--to", required=True, metavar="LANG", help=choices(targets()))
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
    program = completed(asked_program(options), Options(context=context, window=window))
    suffix = Path(options.output).suffix.lower() if options.output is not None else ""
    if options.output is not None and not suffix:
        raise UsageError(f"'{options.output}' has no ending that says what kind of file it is")
    model = options.time_model.partition(":")[0]
    made = translate(Asked(program, model, suffix, options.nearest, partly=True), options.to)
    if options.output is None:
        sys.stdout.write(made.text)
    else:
        Path(options.output).write_text(made.text, encoding="utf-8")
        some = f"{len(program.rules)} rule{'s' * (len(program.rules) != 1)}"
        what = f"what can be said of {some}" if made.refused else some
        say(f"{options.output}: {what} in {options.to}")
    for remark in made.remarks:
        say(remark)
    for fault in made.refused:
        print(fault, file=sys.stderr)
    return 1 if made.refused else 0
