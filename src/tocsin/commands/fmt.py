"""`tocsin fmt`: rules in the standard form. Comments and blank lines stay where they are."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tocsin.commands.shared_options import say
from tocsin.errors import TextError, TocsinError
from tocsin.rules.loader import read_text
from tocsin.rules.standard_form import formatted

EXAMPLES = """\
examples:
  tocsin fmt rules.gem              rewrite the file
  tocsin fmt --check rules/*.gem    only list the files that would change; exit 1 if any
  tocsin fmt --stdout rules.gem     write the result to standard output
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `fmt`."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="*.gem or *.eps files")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if a file would change")
    parser.add_argument("--stdout", action="store_true", help="write the result to standard output")


def run(options: argparse.Namespace) -> int:
    """Formats every file; one with a fault is left as it is, and the others are still done."""
    failed = changed = 0
    for name in options.files:
        path = Path(name)
        try:
            text = read_text(path)
            result = formatted(text, path)
        except TocsinError as error:
            print(error if isinstance(error, TextError) else f"tocsin: {error}", file=sys.stderr)
            failed += 1
            continue
        if options.stdout:
            sys.stdout.write(result)
        elif result != text:
            changed += 1
            if not options.check:
                path.write_text(result, encoding="utf-8", newline="")
            say(f"{path} {'would change' if options.check else 'formatted'}")
    return int(bool(failed or (options.check and changed)))
