"""Lengths of time: `INTERVAL '1 02' DAY TO HOUR` of SQL, `5 minutes 30 sec` of EPL and Siddhi."""

from __future__ import annotations

import re
from typing import Final

from tocsin.errors import Fault
from tocsin.languages.lexer import Kind
from tocsin.origins.words import Words, refusal
from tocsin.time.periods import DAY, HOUR, MINUTE, MSEC, SECOND, WEEK, Period

_UNITS: Final = {
    **dict.fromkeys(("week", "weeks"), WEEK),
    **dict.fromkeys(("day", "days"), DAY),
    **dict.fromkeys(("hour", "hours"), HOUR),
    **dict.fromkeys(("minute", "minutes", "min"), MINUTE),
    **dict.fromkeys(("second", "seconds", "sec"), SECOND),
    **dict.fromkeys(("millisecond", "milliseconds", "millisec", "msec"), MSEC),
    **dict.fromkeys(("microsecond", "microseconds", "usec"), 1),
}
UNIT_NAMES: Final = frozenset((*_UNITS, "month", "months", "year", "years"))
_FIELDS: Final = ("day", "hour", "minute", "second")
_NO_MONTHS = "count it in days: a month has no fixed length"


def length(words: Words, plain: int | None = None) -> Period:
    """`5 minutes 30 sec`. A number without a unit counts `plain` microseconds, where it may have none."""
    start = words.token
    total = 0
    while words.at_kind(Kind.NUMBER, "a length of time, as 5 minutes"):
        number = words.advance()
        unit = words.token
        if unit.kind is not Kind.NAME or unit.text.lower() not in UNIT_NAMES:
            if plain is None or total:
                words.fail("a unit of time, as sec, min, hour or day")
            total += _microseconds(number.text.rstrip("lLdDfF"), plain)
            break
        words.advance()
        if unit.text.lower() not in _UNITS:
            raise refusal(f"a span of {unit.text.lower()}", unit, _NO_MONTHS)
        total += _microseconds(number.text, _UNITS[unit.text.lower()])
    if not total:
        if words.token is start:
            words.fail()
        words.refuse(Fault("a length of time must be more than nothing", words.span_from(start.start)))
    return Period(microseconds=total)


def interval(words: Words) -> Period:
    """`INTERVAL '5' MINUTE`, `INTERVAL '0 00:05:00' DAY TO SECOND(3)`."""
    words.expect("interval")
    text = words.expect_kind(Kind.STRING, "a number in quotes, as '5'")
    unit = words.name("a unit of time, as MINUTE")
    first = unit.text.lower()
    last = first
    _precision(words)
    if words.accept("to"):
        last = words.name("a smaller unit of time").text.lower()
        _precision(words)
    if first in ("year", "month"):
        raise refusal(f"an interval of {first}s", unit, _NO_MONTHS)
    if first == last == "week":
        return Period(microseconds=_microseconds(text.value, WEEK))
    if first not in _FIELDS or last not in _FIELDS or _FIELDS.index(first) > _FIELDS.index(last):
        words.refuse(Fault(f"'{first}' to '{last}' is no stretch of units", unit.span, "DAY, HOUR, MINUTE or SECOND"))
    names = _FIELDS[_FIELDS.index(first) : _FIELDS.index(last) + 1]
    numbers = re.split(r"[ :]", text.value.strip())
    if len(numbers) != len(names) or not all(re.fullmatch(r"\d{1,9}(\.\d{1,9})?", each) for each in numbers):
        words.refuse(Fault(f"{text.text} is no interval of {' '.join(names)}", text.span))
    total = sum(_microseconds(number, _UNITS[name]) for number, name in zip(numbers, names, strict=True))
    return Period(microseconds=total)


def _precision(words: Words) -> None:
    """`(3)`, how many digits: of no matter."""
    if words.accept("("):
        words.whole_number("how many digits")
        if words.accept(","):
            words.whole_number("how many digits")
        words.expect(")")


def _microseconds(number: str, unit: int) -> int:
    whole, _, part = number.partition(".")
    return int(whole) * unit + (int(part) * unit // 10 ** len(part) if part else 0)
