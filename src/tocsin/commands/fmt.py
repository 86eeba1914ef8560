"""`tocsin fmt`: rules in the standard form. Comments and blank lines stay where they are."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

from tocsin.algebra.rules import Statement
from tocsin.commands.shared_options import say
from tocsin.errors import Source, TextError, TocsinError, UsageError
from tocsin.languages import eps, gem
from tocsin.rules.loader import read_text

EXAMPLES = """\
examples:
  tocsin fmt rules.gem              rewrite the file
  tocsin fmt --check rules/*.gem    only list the files that would change; exit 1 if any
  tocsin fmt --stdout rules.gem     write the result to standard output
"""

Parse = Callable[[Source], tuple[Statement, ...]]
Render = Callable[[tuple[Statement, ...]], str]

FORMATTED: dict[str, tuple[Parse, Render]] = {
    ".gem": (gem.parse_script, gem.render_script),
    ".eps": (eps.parse_document, eps.render_document),
}


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


def formatted(text: str, path: Path) -> str:
    """The text with every statement in the standard form."""
    kinds = FORMATTED.get(path.suffix.lower())
    if kinds is None:
        raise UsageError(
            f"'{path}' cannot be formatted: fmt takes {' and '.join('*' + each for each in FORMATTED)} files"
        )
    parse, render = kinds
    source = Source(text, str(path))
    try:
        statements = parse(source)
    except TextError as error:
        raise error.located(source) from None
    return _rewritten(text, statements, render)


def _rewritten(text: str, statements: tuple[Statement, ...], render: Render) -> str:
    """Each statement replaced where it stands, so that what is between (comments, blank lines) is untouched.

    A statement with a comment inside is left as its author wrote it: a formatter must not lose words.
    """
    made: list[str] = []
    done = 0
    # A request of EPS is a definition and a command that stand in one place.
    for span, together in groupby(statements, key=lambda statement: statement.span):
        if span is None:
            continue
        original = text[span.start : span.stop]
        before = _tidy(text[done : span.start])
        made.append(before if before[-1:] in ("", "\n") else before + " ")
        made.append(original if _has_comment(original) else render(tuple(together)).strip("\n"))
        done = span.stop
    made.append(_tidy(text[done:]))
    result = "".join(made).strip("\n")
    return result + "\n" if result else ""


def _has_comment(text: str) -> bool:
    return "/*" in text or "//" in text


def _tidy(between: str) -> str:
    """What stands between statements, without trailing blanks and with at most one blank line in a row."""
    lines = [line.rstrip() for line in between.replace("\r\n", "\n").split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
