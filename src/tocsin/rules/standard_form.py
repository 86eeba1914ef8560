"""Rules in the standard form, as `tocsin fmt` and editors write them. Comments and blank lines stay where they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

from tocsin.algebra.rules import Statement
from tocsin.errors import Source, TextError, UsageError
from tocsin.languages import eps, gem

Parse = Callable[[Source], tuple[Statement, ...]]
Render = Callable[[tuple[Statement, ...]], str]

FORMATTED: dict[str, tuple[Parse, Render]] = {
    ".gem": (gem.parse_script, gem.render_script),
    ".eps": (eps.parse_document, eps.render_document),
}


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
