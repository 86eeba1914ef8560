"""SEL's times: spans of time, and the two edges of a fixed window. 004 leaves `calendar_time` open.

    span  = number unit {number unit}                  20 seconds, 1 hour 30 minutes
    edges = "[" time "," time "]"
    time  = ["-"] number                               seconds since 1970
          | year "-" month "-" day ["T" ...]           RFC 3339, and with slashes EPS's absolute times
          | [hour ":" minute ...] [weekday] day "/" month "/" year     GEM's exact time points

Where a number or a date needs more than that, `tocsin.time` says so.
"""

from __future__ import annotations

import re
from typing import Final

from tocsin.errors import Fault, RuleError
from tocsin.languages.lexer import Kind
from tocsin.languages.parser import Cursor
from tocsin.languages.times import Stretch, is_period, stretch_to
from tocsin.time.calendar import parse_instant, parse_time_point, render_instant
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT
from tocsin.time.spans import DAY, HOUR, MINUTE, SECOND, Period

_NUMBER: Final = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?")
_YEAR_FIRST: Final = re.compile(r"[0-9]{4}[-/]")
_SPAN_HINT: Final = "a span of time is written as 20 seconds or 5 minutes"
_TIME: Final = "a time as 12.5, 2026-11-15T20:00:00Z or 20:00 15/11/2026"


# -- reading -----------------------------------------------------------------------------------------------------


def read_span(cursor: Cursor) -> Stretch:
    """Steps over a span: numbers, each with its unit."""
    start = position = cursor.token.start
    pieces: list[str] = []
    while not pieces or cursor.token.kind is Kind.NUMBER:
        if not cursor.at_kind(Kind.NUMBER, "a number"):
            cursor.fail(hint=_SPAN_HINT)
        number = cursor.advance()
        unit = cursor.expect_kind(Kind.NAME, "a unit of time")
        for token in (number, unit):
            pieces += (" " * (token.start - position), token.text)
            position = token.stop
    return Stretch(cursor, "".join(pieces), start)


def read_edges(cursor: Cursor) -> tuple[int, int]:
    """Steps over `[t1, t2]`: the two instants."""
    if not cursor.at("["):
        cursor.fail(hint="a fixed window is written as at [t1, t2]")
    opener = cursor.advance()
    start = _read_time(cursor)
    cursor.expect(",")
    stop = _read_time(cursor)
    cursor.close(opener, "]")
    return start, stop


def _read_time(cursor: Cursor) -> int:
    """Steps over one time."""
    stretch = stretch_to(cursor, ",", "[", "]")
    text = stretch.text
    if not text:
        cursor.fail(_TIME)
    if (number := _NUMBER.fullmatch(text)) is not None:
        return _seconds(stretch, number)
    if _YEAR_FIRST.match(text):
        return stretch.read(parse_instant)
    if is_period(text):
        cursor.refuse(Fault("a window is fixed by two times, not by a span", stretch.span, _TIME))
    point = stretch.read(parse_time_point)
    if not point.exact:
        cursor.refuse(Fault("a partial time point comes again and again, a window only once", stretch.span, _TIME))
    return point.instant()


def _seconds(stretch: Stretch, number: re.Match[str]) -> int:
    """A number of seconds since 1970; what is finer than a microsecond is cut off."""
    sign, whole, fraction = number.groups(default="")
    instant = int(whole) * SECOND + int(fraction[:6].ljust(6, "0"))
    instant = -instant if sign else instant
    if not FIRST_INSTANT <= instant <= LAST_INSTANT:
        stretch.cursor.refuse(Fault("the instant is outside the years 1 to 9999", stretch.span))
    return instant


# -- writing -----------------------------------------------------------------------------------------------------


def render_span(period: Period) -> str:
    """`90 seconds`: in one unit where years and months leave only that, for 004 knows no sums."""
    if min(period.years, period.months, period.microseconds) < 0:
        raise RuleError(Fault("SEL has no way to write a negative span"))
    terms = [_counted(count, unit) for count, unit in ((period.years, "year"), (period.months, "month")) if count]
    if period.microseconds or not terms:
        terms.append(_rest(period.microseconds))
    return " ".join(terms)


def _rest(microseconds: int) -> str:
    """In the largest unit that needs no fraction; seconds may have one."""
    for length, unit in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (SECOND, "second")):
        if microseconds and microseconds % length == 0:
            return _counted(microseconds // length, unit)
    seconds, rest = divmod(microseconds, SECOND)
    return f"{seconds}.{rest:06}".rstrip("0").rstrip(".") + " seconds"


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def render_edges(start: int, stop: int) -> str:
    """`[2026-11-15T20:00:00Z, 2026-11-15T21:00:00Z]`."""
    return f"[{render_instant(start)}, {render_instant(stop)}]"
