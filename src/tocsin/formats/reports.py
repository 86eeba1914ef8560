"""GEM event reports, one a line (003 section 2.1):

    event-id [<source-id>] [<timestamp>] [(<attribute-value-list>)]
    warning "sensor1" [10:30 27/6/95] (-4.5, "Temperature too low")

A value is a number, a string, a character, a time point or a period. Values have no names in a report: they get
those of the event's declaration, else `1`, `2` ... A report without a timestamp occurred when it arrived; in a
file that is when the one before it did. Comments are those of C++.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any, Final

from tocsin.errors import RuleError
from tocsin.events import Arrival
from tocsin.formats.blocks import Block, Parcel, Unusual
from tocsin.formats.instants import SECOND, Instant
from tocsin.formats.intake import Intake
from tocsin.formats.lines import Line, is_binary, lines
from tocsin.formats.parcels import LineReader, gathered, line_parcels
from tocsin.formats.refused import Refused, shown
from tocsin.time.calendar import parse_time_point, render_instant
from tocsin.time.gregorian import WEEKDAYS
from tocsin.time.spans import parse_period

NAME: Final = "gem"
EXTENSIONS: Final = (".gem", ".report", ".txt")

_BLANKS: Final = re.compile(r"[ \t\r\f\v]*")
_NAME: Final = re.compile(r"[^\W\d]\w*")
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_CHARACTER: Final = re.compile(r"'([^'\\]|\\.)'")
_BRACKETS: Final = re.compile(r"\[([^\]\"]*)\]")
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_ESCAPE: Final = re.compile(r"\\(.)")
_ESCAPES: Final = {'"': '"', "'": "'", "\\": "\\", "n": "\n", "t": "\t", "r": "\r", "0": "\0"}
_QUOTED_OR_COMMENT: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)\'|//.*|/\*.*?(?:\*/|$)')
_MOST_DIGITS: Final = 400
_VALUE: Final = "a number, a string, a character, a time point or a period"


def read(stream: IO[Any], intake: Intake) -> Iterator[Arrival]:
    """The events of a stream of reports, one at a time."""
    reading = _Reading(intake)
    for line in lines(stream):
        arrival = reading.row(line)
        if arrival is not None:
            yield arrival
    reading.end()


def parcels(stream: IO[Any], intake: Intake) -> Iterator[Parcel]:
    """The same events, many at a time."""
    if not intake.takes_blocks or not is_binary(stream):
        yield from gathered(read(stream, intake), intake.is_live)
        return
    from tocsin.formats.report_blocks import Read, block_of  # here, for it needs what small inputs do without

    reading, way = _Reading(intake), Read(_text, _value, _instant)

    def block(some: bytes, count: int, first: int) -> Block:
        if reading.is_inside_comment:
            raise Unusual
        return block_of(some, count, first, way, intake)

    yield from line_parcels(stream, LineReader(block, lambda _: False, reading.row))
    reading.end()


class _Reading:
    """Reports as they are read, line by line: a comment may go over several."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._opened: Line | None = None

    @property
    def is_inside_comment(self) -> bool:
        return self._opened is not None

    def row(self, line: Line) -> Arrival | None:
        """The event on a line; None where there is none, or a bad one that is skipped."""
        intake = self._intake
        try:
            if line.flaw is not None:
                raise line.flaw
            text, open_comment = without_comments(line.text, self.is_inside_comment)
            self._opened = (self._opened or line) if open_comment else None
            if text.strip():
                return intake.admit(parse_report(text, intake.declared, intake.last_arrival), line.number)
        except Refused as refused:
            intake.refuse(line.number, line.text, refused)
        return None

    def end(self) -> None:
        """Nothing follows: a comment that is still open is a fault."""
        if self._opened is not None:
            number, text, _ = self._opened
            refused = Refused("a comment that is not closed", text.find("/*") + 1)
            self._intake.refuse(number, text, refused)


# What stands by itself: quoted text without its quotes, a value, a time point.


def _text(written: str) -> str:
    match = _STRING.fullmatch(f'"{written}"')
    assert match is not None
    return _unescaped(match)


def _value(written: str) -> object:
    return _Report(written).value()


def _instant(written: str) -> int:
    match = _BRACKETS.fullmatch(f"[{written}]")
    assert match is not None
    return _exact(match)


def without_comments(text: str, inside: bool) -> tuple[str, bool]:
    """The line with blanks for comments, so that columns stay; and whether a comment goes on after it."""
    start = 0
    if inside:
        start = text.find("*/") + 2
        if start == 1:
            return "", True
    state = False

    def blank(match: re.Match[str]) -> str:
        nonlocal state
        part = match[0]
        if not part.startswith("/"):
            return part
        state = part.startswith("/*") and not (part.endswith("*/") and len(part) > 3)
        return " " * len(part)

    return " " * start + _QUOTED_OR_COMMENT.sub(blank, text[start:]), state


def parse_report(text: str, declared: Mapping[str, Sequence[str]], now: int | None) -> dict[str, object]:
    """The record that one report describes; `now` is when it occurred if it does not say."""
    report = _Report(text)
    kind = report.take(_NAME)
    if kind is None:
        raise report.unexpected("the class of the event")
    record: dict[str, object] = {"type": kind[0]}
    source = report.take(_STRING)
    if source is not None:
        record["source"] = _unescaped(source)
    time = report.take(_BRACKETS)
    if time is not None:
        record["time"] = Instant(_exact(time))
    elif now is not None:
        record["time"] = Instant(now)
    else:
        raise Refused("the report needs a timestamp: no report before it says what time it is", report.column)
    values = report.values()
    report.finish()
    names = declared.get(kind[0])
    if names is None:
        names = [str(place) for place in range(1, len(values) + 1)]
    if len(names) != len(values):
        raise Refused(f"{kind[0]} is declared with {len(names)} attributes, and {len(values)} are given")
    record["data"] = dict(zip(names, values, strict=True))
    return record


class _Report:
    """A cursor over the text of one report."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._skip()

    @property
    def column(self) -> int:
        return self._at + 1

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What stands here, if the pattern matches it; steps over it and the blanks after."""
        match = pattern.match(self._text, self._at)
        if match is not None:
            self._at = match.end()
            self._skip()
        return match

    def values(self) -> list[object]:
        """The list of values in parentheses; empty where there is none."""
        if not self._accept("("):
            return []
        values: list[object] = []
        if self._accept(")"):
            return values
        while True:
            values.append(self.value())
            if self._accept(")"):
                return values
            if not self._accept(","):
                raise self.unexpected("',' or ')'")

    def finish(self) -> None:
        """Nothing may follow."""
        if self._at < len(self._text):
            raise self.unexpected("the end of the report")

    def unexpected(self, expected: str) -> Refused:
        """Refuses what stands here."""
        here = self._text[self._at : self._at + 20].split(maxsplit=1)
        return Refused(f"unexpected {shown(here[0])}" if here else "the report ends too soon", self.column, expected)

    def value(self) -> object:
        """The value that stands here."""
        if (match := self.take(_NUMBER)) is not None:
            return _number(match)
        if (match := self.take(_STRING) or self.take(_CHARACTER)) is not None:
            return _unescaped(match)
        if (match := self.take(_BRACKETS)) is not None:
            return render_instant(_exact(match)) if _is_point(match[1]) else _seconds(match)
        raise self.unexpected(_VALUE)

    def _accept(self, character: str) -> bool:
        if not self._text.startswith(character, self._at):
            return False
        self._at += 1
        self._skip()
        return True

    def _skip(self) -> None:
        match = _BLANKS.match(self._text, self._at)
        self._at = match.end() if match is not None else self._at


def _number(match: re.Match[str]) -> int | float:
    """A `long` or a `double`, as it is written."""
    text = match[0]
    if len(text) > _MOST_DIGITS:
        raise Refused("a number with too many digits", match.start() + 1)
    if text.lstrip("+-").isdigit():
        return int(text)
    value = float(text)
    if math.isinf(value):
        raise Refused(f"the number {shown(text)} is out of range", match.start() + 1)
    return value


def _unescaped(match: re.Match[str]) -> str:
    """The text between quotes, as C++ reads it."""

    def meant(escape: re.Match[str]) -> str:
        if escape[1] not in _ESCAPES:
            raise Refused(f"unknown escape {escape[0]}", match.start(1) + escape.start() + 1)
        return _ESCAPES[escape[1]]

    return _ESCAPE.sub(meant, match[1])


def _is_point(text: str) -> bool:
    """Whether brackets hold a time point: a time of day, a date or a weekday; else it is a period."""
    return ":" in text or "/" in text or text.strip()[:3].capitalize() in {day[:3] for day in WEEKDAYS}


def _exact(match: re.Match[str]) -> int:
    """The instant of a time point, which must be exact (UTC)."""
    try:
        point = parse_time_point(match[1])
    except RuleError as error:
        raise Refused.because(error, "time point", match.start(1) + 1) from None
    if not point.exact:
        raise Refused("a partial time point is not one instant", match.start(1) + 1, "a day, a month and a year")
    return point.instant()


def _seconds(match: re.Match[str]) -> float:
    """The length of a period in seconds."""
    try:
        return parse_period(match[1]).length() / SECOND
    except RuleError as error:
        raise Refused.because(error, "period", match.start(1) + 1) from None
