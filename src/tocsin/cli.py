"""The command line: finds the verb, and turns every refusal into a message and an exit code.

Verbs are imported only when they are called, so that `tocsin --help` answers at once.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from io import TextIOWrapper

VERBS = {
    "detect": "run rules over a file of events and print what they detect",
    "run": "run a streaming pipeline, on Spark or in this process, from a pipeline file",
    "test": "test rules: given events, expected detections, in every runtime",
    "site": "run one site of a deployment: events are born there, parts of rules run there",
    "publish": "publish events at a site of a deployment",
    "subscribe": "subscribe to rules at the sites of a deployment, and print what they detect",
    "sites": "ask the sites of a deployment: status, plans, what is blocked and why; move their parts",
    "simulate": "simulate deployments on virtual time: the papers' experiments, traffic, delay, what failures do",
    "trace": "trace a detection down to its events over all sites, with hops and delays",
    "serve": "run the event processing service: events in over the network, notifications out",
    "service": "ask a service that runs: status, requests, events, notifications, keys, backup",
    "console": "talk to a running GEM monitor: type commands, see rules fire as it happens",
    "send": "report events to a service: from files, from standard input, or one by itself",
    "backtest": "run rules over a history of events and report what they would have detected",
    "check": "parse and check rules; show every error and warning, and what each rule costs",
    "fmt": "rewrite rules in the standard form",
    "explain": "show what runs: the shared graph of all rules, search plans, automata, shards",
    "translate": "write rules in another notation, exactly, or say why not and what comes closest",
    "why": "explain why rules fired on given events, or what came closest and where it failed",
    "mcp": "serve assistants: check, explain, translate, test and back-test rules (Model Context Protocol)",
    "lsp": "serve editors: diagnostics, hovers, completion, formatting (Language Server Protocol)",
    "bench": "measure speed against plain loops and compare the answers",
    "completion": "print a script for shell completion of verbs, options and values",
}

DESCRIPTION = "Tocsin detects composite events: patterns in time over events from many sources."

EXAMPLE = """\
example:
  tocsin detect -e "down ; alarm" --lang eps --window "2 min" --events events.jsonl
"""


def main(arguments: list[str] | None = None) -> int:
    """Runs one command; gives the exit code. 0: done, 1: refused, 2: no such verb or option, 130: interrupted."""
    given = sys.argv[1:] if arguments is None else arguments
    _open_streams()
    if isinstance(sys.stdout, TextIOWrapper):
        # What is written must not depend on the terminal's language.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    code = 0
    try:
        code = _run(given)
        sys.stdout.flush()
    except BrokenPipeError:
        pass  # whoever read our output has had enough
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        print(f"tocsin: {name}{error.strerror or error}", file=sys.stderr)
        code = 1
    except KeyboardInterrupt:
        print("tocsin: interrupted", file=sys.stderr)
        code = 130
    _end_output()
    return code


def _open_streams() -> None:
    """Python has no stream at all where the caller closed it; nothing is read there, and nothing written."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open as long as we run


def _end_output() -> None:
    """Writes what is left to write. What cannot be written goes nowhere: Python would complain when it closes down."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(given: list[str]) -> int:
    parser = argparse.ArgumentParser(
        "tocsin", description=DESCRIPTION, epilog=EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", title="verbs")
    verb = next((word for word in given if not word.startswith("-")), "")
    for name, summary in VERBS.items():
        sub = verbs.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".", add_help=True)
        if name == verb or verb == "completion":  # which is about all of them
            module = import_module(f"tocsin.commands.{name}")
            sub.epilog, sub.formatter_class = module.EXAMPLES, argparse.RawDescriptionHelpFormatter
            module.configure(sub)
    if verb == "completion":
        parser.set_defaults(command_line=parser)
    try:
        options = parser.parse_args(given)
    except SystemExit as leaving:  # help was asked for, or the usage is wrong; both are said
        return int(leaving.code or 0)
    if options.version:
        print(_version())
        return 0
    if options.verb is None:
        parser.print_help()
        return 2
    return _guarded(options)


def _version() -> str:
    """The version, and whether it is compiled: pip does not show what setup.py said when it could not be."""
    from importlib.metadata import version
    from importlib.util import find_spec

    found = find_spec("tocsin.time.instants")  # one of those that setup.py compiles
    is_plain = found is None or str(found.origin).endswith(".py")
    how = "plain Python, many times slower than compiled: see docs/install.md" if is_plain else "compiled"
    return f"tocsin {version('tocsin')} ({how})"


def _guarded(options: argparse.Namespace) -> int:
    """Runs a verb; what Tocsin refuses becomes its message, with no traceback."""
    from tocsin.errors import TextError, TocsinError

    try:
        return int(import_module(f"tocsin.commands.{options.verb}").run(options))
    except TextError as error:
        print(error, file=sys.stderr)
        return 1
    except TocsinError as error:
        print(f"tocsin: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
