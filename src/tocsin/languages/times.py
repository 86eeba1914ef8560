"""Times inside a text: the stretches that `tocsin.time` reads, with their faults moved to where they stand.

    [5*sec]  [10:30 Mon 15/5/95]          GEM and all guards
    at(2026/11/15 20:00:00)  0/0/2 0:01:05     EPS

They are not made of tokens but taken as they stand, for a date has a grammar of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from tocsin.errors import Fault, RuleError, Span
from tocsin.languages.lexer import Kind, Token
from tocsin.languages.parser import Cursor
from tocsin.time.calendar import TimePoint, parse_time_point
from tocsin.time.spans import UNITS, Period, parse_period

_LETTERS: Final = re.compile(r"[^\W\d_]+")

R = TypeVar("R")


class Stretch:
    """A part of the text, taken as it is; comments and ends of lines in it are blanks."""

    def __init__(self, cursor: Cursor, text: str, start: int) -> None:
        self.cursor, self.text, self.start = cursor, text, start

    @property
    def span(self) -> Span:
        return Span(self.start, self.start + len(self.text), self.cursor.source)

    def read(self, parse: Callable[[str], R]) -> R:
        """What `parse` makes of it; a fault is shown where it stands in the whole text."""
        try:
            return parse(self.text)
        except RuleError as error:
            faults = [replace(fault, span=self._moved(fault.span)) for fault in error.faults]
        raise RuleError([self.cursor.source.place(fault) for fault in faults])

    def _moved(self, span: Span | None) -> Span:
        if span is None:
            return self.span
        return Span(span.start + self.start, span.stop + self.start, self.cursor.source)


def stretch_to(cursor: Cursor, *stops: str) -> Stretch:
    """Everything up to the first of `stops`, or to the end of the line or text."""
    start = cursor.token.start
    pieces: list[str] = []
    position = start
    while not _ends_stretch(cursor.token, stops):
        token = cursor.advance()
        pieces += (" " * (token.start - position), token.text)
        position = token.stop
    return Stretch(cursor, "".join(pieces), start)


def _ends_stretch(token: Token, stops: tuple[str, ...]) -> bool:
    if token.kind is Kind.OPERATOR:
        return token.text in stops
    return token.kind in (Kind.NEWLINE, Kind.END, Kind.ERROR)


def bracketed(cursor: Cursor, example: str = "[5*sec]") -> Stretch:
    """What stands between `[` and `]`; `example` is shown where there is no bracket."""
    if not cursor.at("["):
        cursor.fail(hint=f"a time stands in brackets, as {example}")
    opener = cursor.advance()
    stretch = stretch_to(cursor, "]", "[")
    cursor.close(opener, "]")
    return stretch


def is_period(text: str) -> bool:
    """Whether what stands in brackets is a length of time: it has a unit of time or a `*`."""
    return "*" in text or any(word.lower() in UNITS for word in _LETTERS.findall(text))


def positive_period(stretch: Stretch) -> Period:
    """The period written there, which must be longer than nothing."""
    period = stretch.read(parse_period)
    if not period.is_positive:
        stretch.cursor.refuse(Fault("a period must be longer than nothing", stretch.span))
    return period


def bracketed_period(cursor: Cursor) -> Period:
    """`[5*sec]`: a period longer than nothing."""
    return positive_period(bracketed(cursor))


def bracketed_point(cursor: Cursor) -> TimePoint:
    """`[10:30 Fri]`: a time point that can exist."""
    stretch = bracketed(cursor, "[10:30]")
    if is_period(stretch.text):
        hint = "a time point is written as [10:30], [Fri 13/-/-] or [29/Feb/96]"
        cursor.refuse(Fault("a time point is needed here, not a period", stretch.span, hint=hint))
    return stretch.read(parse_time_point)
