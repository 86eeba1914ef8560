"""Periods as people write them, and back: `5 min`, `[2*day+12*hour]`, `PT5M`, `0/0/2 0:01:05`.

    period = ["["] notation ["]"]
    notation = sum | ISO 8601 duration | EPS span
    sum = term {["+"] term} | number          a bare number is seconds
    term = number ["*"] unit | unit           003 section 2.1: `every[day+12*hour]`
    span = years "/" months "/" days [hours ":" minutes ":" seconds ["." fraction]]     000 section 5

What is finer than a microsecond is cut off; a part of a month is refused, for it has no fixed length.
"""

from __future__ import annotations

from typing import Final

from tocsin.errors import choices, nearest
from tocsin.time.periods import DAY, HOUR, MINUTE, MSEC, SECOND, UNITS, WEEK, YEAR_LENGTH, Period
from tocsin.time.scanner import Scanner, shown

__all__ = [
    "DAY",
    "HOUR",
    "MINUTE",
    "MSEC",
    "SECOND",
    "UNITS",
    "WEEK",
    "Period",
    "human_period",
    "parse_period",
    "render_eps_span",
    "render_period",
]

_LONGEST_YEARS: Final = 10_000
_MOST_DIGITS: Final = 18
_PERIOD: Final = "a length of time, as '5 min', '1h30m' or 'PT5M'"
_UNIT: Final = "a unit of time, as sec, min, hour or day"

_ISO_DATE: Final = (("Y", "year"), ("M", "month"), ("W", "week"), ("D", "day"))
_ISO_TIME: Final = (("H", "hour"), ("M", "min"), ("S", "sec"))


class _Number:
    """A decimal number as written: `value / 10**places`, kept whole so that nothing is rounded."""

    def __init__(self, value: int, places: int, start: int) -> None:
        self.value, self.places, self.start = value, places, start


def parse_period(text: str) -> Period:
    """The period that `text` stands for; a fault names the place where it stops making sense."""
    scanner = Scanner(text)
    bracketed = scanner.accept("[")
    scanner.skip_blanks()
    start = scanner.position
    if scanner.at_end():
        scanner.fail_here(_PERIOD)
    if scanner.peek() in "Pp":
        period = _iso(scanner)
    elif _at_eps_span(scanner):
        period = _eps_span(scanner)
    else:
        period = _sum(scanner)
    if period.length() > _LONGEST_YEARS * YEAR_LENGTH:
        scanner.fail(f"a length of time of more than {_LONGEST_YEARS:,} years", start)
    scanner.skip_blanks()
    if bracketed:
        scanner.require("]", "']'")
    scanner.finish("nothing more")
    return period


def _sum(scanner: Scanner) -> Period:
    """`1h30m`, `2*day+12*hour`, `90`: terms, with `+` or nothing between them."""
    total = _term(scanner, first=True)
    while True:
        scanner.skip_blanks()
        if scanner.accept("+"):
            scanner.skip_blanks()
        elif not scanner.at_digit():
            return total
        total = total + _term(scanner, first=False)


def _term(scanner: Scanner, first: bool) -> Period:
    """A number of units, or one unit; the first term may be a bare number of seconds if nothing follows."""
    start = scanner.position
    if scanner.at_letter():
        return _unit(scanner)
    if not scanner.at_digit():
        scanner.fail_here(_PERIOD if first else "a number or a unit of time", _negative_hint(scanner))
    number = _number(scanner, ".")
    after = scanner.position
    scanner.skip_blanks()
    starred = scanner.accept("*")
    if first and not starred and scanner.peek() in ("", "]"):
        scanner.position = after
        return _times(scanner, number, UNITS["sec"])
    scanner.skip_blanks()
    if not scanner.at_letter():
        scanner.fail_here(_UNIT)
    number.start = start
    return _times(scanner, number, _unit(scanner))


def _negative_hint(scanner: Scanner) -> str:
    return "a length of time is never negative" if scanner.peek() in ("-", "\N{MINUS SIGN}") else ""


def _unit(scanner: Scanner) -> Period:
    """The period that a unit's word stands for."""
    start = scanner.position
    word = scanner.word()
    unit = UNITS.get(word.lower())
    if unit is None:
        scanner.fail(f"unknown unit of time {shown(word)}", start, _UNIT, nearest(word.lower(), UNITS))
    return unit


def _number(scanner: Scanner, points: str) -> _Number:
    """A number with an optional fraction after one of `points`."""
    start = scanner.position
    whole = scanner.digits("a number")
    fraction = ""
    if scanner.peek() and scanner.peek() in points:
        scanner.position += 1
        fraction = scanner.digits("the digits of a fraction")[:_MOST_DIGITS]
    if len(whole) > _MOST_DIGITS:
        scanner.fail(f"a length of time of more than {_LONGEST_YEARS:,} years", start)
    return _Number(int(whole + fraction), len(fraction), start)


def _times(scanner: Scanner, number: _Number, unit: Period) -> Period:
    """`number` units; a fraction of a calendar unit must come out at whole months."""
    scale = 10**number.places
    steps, part = divmod(number.value * (unit.years * 12 + unit.months), scale)
    if part:
        scanner.fail("a part of a month has no fixed length", number.start, "whole months, or days")
    return Period(months=steps, microseconds=number.value * unit.microseconds // scale)


def _iso(scanner: Scanner) -> Period:
    """`P1Y2M3W4DT5H6M7.5S`: ISO 8601."""
    scanner.position += 1
    total = Period()
    if scanner.peek() not in ("T", "t"):
        total = _iso_part(scanner, _ISO_DATE)
    if scanner.accept("T") or scanner.accept("t"):
        total = total + _iso_part(scanner, _ISO_TIME)
    return total


def _iso_part(scanner: Scanner, units: tuple[tuple[str, str], ...]) -> Period:
    """The numbers before or after the `T`: at least one, each designator once and in order."""
    total = Period()
    following = list(units)
    while True:
        number = _number(scanner, ".,")
        designators = [designator for designator, _ in following]
        letter = scanner.peek()
        if not letter.isascii() or letter.upper() not in designators:
            scanner.fail_here(choices(designators))
        index = designators.index(letter.upper())
        scanner.position += 1
        total = total + _times(scanner, number, UNITS[following[index][1]])
        following = following[index + 1 :]
        if not following or not scanner.at_digit():
            return total


def _at_eps_span(scanner: Scanner) -> bool:
    """Whether digits and a slash come next."""
    ahead = 0
    while scanner.peek(ahead) and scanner.peek(ahead) in "0123456789":
        ahead += 1
    return ahead > 0 and scanner.peek(ahead) == "/"


def _eps_span(scanner: Scanner) -> Period:
    """`0/0/2 0:01:05`: years, months and days, then hours, minutes and seconds."""
    years = scanner.number("a number of years")
    scanner.require("/", "'/'")
    months = scanner.number("a number of months")
    scanner.require("/", "'/'")
    days = scanner.number("a number of days")
    period = Period(years, months, days * DAY)
    scanner.skip_blanks()
    if scanner.at_digit():
        period = period + _eps_time(scanner)
    return period


def _eps_time(scanner: Scanner) -> Period:
    """The `h:mm:ss[.fff]` of an EPS span."""
    hours = scanner.number("a number of hours")
    scanner.require(":", "':' and minutes")
    minutes = _below_sixty(scanner, "minutes")
    scanner.require(":", "':' and seconds")
    start = scanner.position
    seconds = _number(scanner, ".")
    if seconds.value >= 60 * 10**seconds.places:
        scanner.fail("seconds are out of range: 0 to 59", start)
    return Period(microseconds=hours * HOUR + minutes * MINUTE) + _times(scanner, seconds, UNITS["sec"])


def _below_sixty(scanner: Scanner, name: str) -> int:
    start = scanner.position
    value = scanner.number(name)
    if value >= 60:
        scanner.fail(f"{name} are out of range: 0 to 59", start)
    return value


def render_period(period: Period) -> str:
    """The normalised form of 003 section 2.1, without brackets: `1*min+5*sec`."""
    rest = period.microseconds
    counts: list[tuple[int, str]] = [(period.years, "year"), (period.months, "month")]
    for length, unit in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "min"), (SECOND, "sec")):
        count, rest = _split(rest, length)
        counts.append((count, unit))
    terms = [f"{count}*{unit}" for count, unit in counts if count]
    if rest:
        terms.append(f"{_decimal(rest, MSEC)}*msec")
    return "+".join(terms).replace("+-", "-") or "0*sec"


def render_eps_span(period: Period) -> str:
    """The form of 000 section 5: `years/months/days h:mm:ss`, with a fraction only where it is not zero."""
    sign = "-" if period.microseconds < 0 else ""
    days, rest = divmod(abs(period.microseconds), DAY)
    hours, rest = divmod(rest, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    seconds, rest = divmod(rest, SECOND)
    fraction = f".{rest:06}".rstrip("0") if rest else ""
    return f"{period.years}/{period.months}/{sign}{days} {hours}:{minutes:02}:{seconds:02}{fraction}"


def human_period(period: Period) -> str:
    """The short form for people: `1h 30m`, `1.5s`, `250ms`."""
    rest = period.microseconds
    counts: list[tuple[int, str]] = [(period.years, "y"), (period.months, "mo")]
    for length, unit in ((DAY, "d"), (HOUR, "h"), (MINUTE, "m")):
        count, rest = _split(rest, length)
        counts.append((count, unit))
    parts = [f"{count}{unit}" for count, unit in counts if count]
    if abs(rest) >= SECOND:
        parts.append(f"{_decimal(rest, SECOND)}s")
    elif abs(rest) >= MSEC:
        parts.append(f"{_decimal(rest, MSEC)}ms")
    elif rest:
        parts.append(f"{rest}us")
    return " ".join(parts) or "0s"


def _split(microseconds: int, length: int) -> tuple[int, int]:
    """How many whole lengths, and what is left, both with the sign of the whole."""
    count, rest = divmod(abs(microseconds), length)
    return (count, rest) if microseconds >= 0 else (-count, -rest)


def _decimal(microseconds: int, length: int) -> str:
    """The number of lengths as a decimal; `length` is a power of ten."""
    whole, rest = divmod(abs(microseconds), length)
    sign = "-" if microseconds < 0 else ""
    return f"{sign}{whole}" if rest == 0 else f"{sign}{whole}.{rest:0{len(str(length)) - 1}}".rstrip("0")
