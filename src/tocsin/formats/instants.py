"""Times as events carry them, and how they are written back.

A time comes as seconds (a number), as RFC 3339 text, or as a date and time of some library; inside it is an
integer count of microseconds. Detections are written in the way the first event's time was.
"""

from __future__ import annotations

import math
import re
import sys
from array import array
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Final

from tocsin.errors import RuleError
from tocsin.formats.refused import Refused, shown
from tocsin.time.calendar import parse_instant, render_instant
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT

SECOND: Final = 1_000_000
EXPECTED: Final = "RFC 3339 text or seconds as a number"

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_MOST_SECONDS: Final = 10**12
"""Beyond every instant that can be written; caught before the arithmetic, which would take a huge number's time."""
EXACT_SECONDS: Final = 2.0**31
"""Below this, `round(seconds * 1e6)` is right for every decimal of six places: both roundings stay under a half."""


MANY: Final = 256
"""Values from which on NumPy is quicker than Python: each call of it costs as much as some fifty of them."""


class Instant(int):
    """Microseconds since 1970 that are already known as such: never taken for seconds."""

    __slots__ = ()


def to_instant(value: object, name: str) -> int:
    """The instant that a value stands for; `name` is the field it comes from."""
    if type(value) is float and -EXACT_SECONDS < value < EXACT_SECONDS:
        return round(value * SECOND)
    if type(value) is str:
        try:
            return parse_instant(value)
        except RuleError as error:
            reason = Refused.because(error, f"{name} {shown(value)}")
            raise Refused(reason.reason, expected=reason.expected or EXPECTED) from None
    instant = _converted(value, name)
    if not FIRST_INSTANT <= instant <= LAST_INSTANT:
        told = str(value) if isinstance(value, Decimal) else shown(value)  # as it was written
        raise Refused(f"{name} {told} is outside the years 1 to 9999")
    return instant


def _converted(value: object, name: str) -> int:
    """The instant of any value but plain text, its range not yet checked."""
    if isinstance(value, Instant):
        return int(value)
    if isinstance(value, bool):
        raise Refused(f"{name} is {shown(value)}", expected=EXPECTED)
    if isinstance(value, int | float | Decimal):
        return _from_seconds(value, name)
    if isinstance(value, datetime):
        moment = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
        try:
            return int((moment - _EPOCH) // _MICROSECOND)
        except OverflowError:  # a library's own kind of date may lie beyond every year of Python's
            return _MOST_SECONDS * SECOND
    if isinstance(value, date):
        return (value - _EPOCH.date()) // _MICROSECOND
    raise Refused(f"{name} is {shown(value)}", expected=EXPECTED)


def _from_seconds(value: float | Decimal, name: str) -> int:
    """Seconds in microseconds, to the nearest."""
    if isinstance(value, int):
        return value * SECOND if -_MOST_SECONDS < value < _MOST_SECONDS else _MOST_SECONDS * SECOND
    if not math.isfinite(value):
        raise Refused(f"{name} is {value}, which is no time", expected=EXPECTED)
    # The shortest decimal that is this float is what was written, if it had six places.
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    if abs(exact) >= _MOST_SECONDS:
        return _MOST_SECONDS * SECOND
    return int((exact * SECOND).to_integral_value())


# -- many at once ----------------------------------------------------------------------------------------------------

_MINUTE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:", re.ASCII)
_MINUTE_LENGTH: Final = 17
_SECONDS: Final = {f"{second:02}": second * SECOND for second in range(60)}
_PLACES: Final = 6


def instants_of_floats(seconds: list[float]) -> array[int]:
    """The instants of seconds, all of them small enough to be exact; else a ValueError."""
    numpy = sys.modules.get("numpy")
    if numpy is None or len(seconds) < MANY:  # it is not worth importing for this, but who has it is quicker
        if min(seconds) <= -EXACT_SECONDS or max(seconds) >= EXACT_SECONDS:
            raise ValueError("a time may not be exact")
        return array("q", list(map(float.__round__, map(float(SECOND).__mul__, seconds))))
    given = numpy.array(seconds)
    if not (numpy.abs(given) < EXACT_SECONDS).all():  # not what is no number either
        raise ValueError("a time may not be exact")
    made = numpy.rint(given * SECOND)
    return array("q", made.astype("int64").tobytes())


def instants_of_wholes(counts: list[int], per_second: int) -> array[int]:
    """The instants of so many units since 1970, all of them in range; else a ValueError."""
    made = [count * SECOND // per_second for count in (min(counts), max(counts))]
    if made[0] < FIRST_INSTANT or made[1] > LAST_INSTANT:
        raise ValueError("a time is out of range")
    if per_second == SECOND:
        return array("q", counts)
    if per_second < SECOND:
        factor = SECOND // per_second
        return array("q", [count * factor for count in counts])
    divisor = per_second // SECOND
    return array("q", [count // divisor for count in counts])


def instants_of_texts(texts: list[str]) -> array[int]:
    """The instants of RFC 3339 texts. Most share their minute with others: it is read once."""
    minutes: dict[str, int | None] = {}
    made: list[int] = []
    for text in texts:
        head, tail = text[:_MINUTE_LENGTH], text[_MINUTE_LENGTH:]
        if head in minutes:
            minute = minutes[head]
        else:
            minute = minutes[head] = to_instant(f"{head}00Z", "time") if _MINUTE.fullmatch(head) else None
        second, fraction = _SECONDS.get(tail[:2]), tail[3:-1]
        if minute is None or second is None or tail[-1] != "Z":
            made.append(to_instant(text, "time"))
        elif len(tail) == 3:
            made.append(minute + second)
        elif tail[2] == "." and len(fraction) <= _PLACES and fraction.isdecimal() and fraction.isascii():
            made.append(minute + second + int(fraction.ljust(_PLACES, "0")))
        else:
            made.append(to_instant(text, "time"))
    return array("q", made)


_PLAIN_FROM: Final = 100
"""A float below 0.0001 is written with an exponent."""
_PLAIN_TO: Final = 2**51
"""Up to here floats of seconds lie closer than half a microsecond: the shortest text of one is that of its instant."""


class TimeStyle:
    """How times are written: as seconds where the first event's was a number, else as RFC 3339 text.

    One of these is given to the reader, which notes the first time it sees, and to the writer, which asks:
    a writer that streams cannot know the style before the first event has been read.
    """

    __slots__ = ("_seconds",)

    def __init__(self, seconds: bool | None = None) -> None:
        self._seconds = seconds

    @property
    def seconds(self) -> bool:
        """Whether times are written as numbers."""
        return self._seconds is True

    def note(self, value: object) -> None:
        """Learns from the first event's `time`, as it was given; what comes later changes nothing."""
        if self._seconds is None:
            first = value[0] if isinstance(value, list | tuple) and value else value
            self._seconds = isinstance(first, int | float | Decimal) and not isinstance(first, Instant | bool)

    def text(self, instant: int) -> str:
        """The instant for people: `12.5` or `2026-11-15T20:00:00Z`."""
        if self.seconds or not FIRST_INSTANT <= instant <= LAST_INSTANT:
            return render_seconds(instant)
        return render_instant(instant)

    def json(self, instant: int) -> str:
        """The instant as JSON: a number or a string."""
        text = self.text(instant)
        return f'"{text}"' if text.endswith("Z") else text

    def json_of_many(self, instants: Sequence[int]) -> list[str]:
        """The same of many instants. Python writes most as a float just as we do, and sooner."""
        if self.seconds and instants and min(instants) >= _PLAIN_FROM and max(instants) <= _PLAIN_TO:
            return [repr(instant / SECOND) for instant in instants]
        return list(map(self.json, instants))


def render_seconds(instant: int) -> str:
    """Seconds as a decimal with all its microseconds and at least one place; no float can lose any on the way."""
    whole, rest = divmod(abs(instant), SECOND)
    places = f"{rest:06}".rstrip("0") or "0"
    return f"{'-' if instant < 0 else ''}{whole}.{places}"
