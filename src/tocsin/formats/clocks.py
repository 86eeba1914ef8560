"""How the times of one input are written: a unit of numbers, a format of texts, a zone.

A number is seconds since 1970. One that cannot be seconds, because it would lie beyond the year 9999, is a count of
milli-, micro- or nanoseconds: which of them, the first number of an input decides for all that follow, so that one
wrong number among seconds is still refused.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from decimal import Decimal, InvalidOperation
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tocsin.errors import UsageError, nearest
from tocsin.formats.instants import SECOND, Instant, to_instant
from tocsin.formats.refused import Refused, shown
from tocsin.time.calendar import render_instant
from tocsin.time.gregorian import LAST_INSTANT

UNITS: Final = {"epoch-s": 1, "epoch-ms": 10**3, "epoch-us": 10**6, "epoch-ns": 10**9}
"""Counts since 1970, and how many of them make a second."""
_WORDS: Final = {1: "seconds", 10**3: "milliseconds", 10**6: "microseconds", 10**9: "nanoseconds"}
_MOST_SECONDS: Final = LAST_INSTANT // SECOND + 1
_NO_YEAR: Final = "2000 "
"""The year of times whose format has none: a leap year, so that each of them has its 29th of February."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


class InputClock:
    """Reads the times of one input. `remark` says what it made of numbers that are no seconds, where it met some."""

    def __init__(self, time_format: str | None = None, zone: str | None = None) -> None:
        self._zone = None if zone is None else _zone_of(zone)
        self._per_second = None if time_format is None else UNITS.get(time_format)
        self._format = None if time_format is None or self._per_second is not None else _checked(time_format)
        self._is_told = time_format is not None
        self.remark = ""

    @property
    def is_plain(self) -> bool:
        """Whether times are as everywhere: numbers are seconds, texts without a zone are UTC."""
        return self._format is None and self._zone is None and self._per_second in (None, 1)

    @property
    def is_rfc3339(self) -> bool:
        """Whether texts are RFC 3339, and UTC where they name no zone."""
        return self._format is None and self._zone is None and not self._is_told

    @property
    def per_second(self) -> int | None:
        """How many of what numbers count make a second; None where they are digits of a format, or none came yet."""
        return None if self._format is not None else self._per_second

    def instant(self, value: object, name: str) -> int:
        """The instant that a field's value stands for."""
        if type(value) is str:
            return self._of_text(value, name)
        if self._format is not None and isinstance(value, int | Decimal) and not isinstance(value, bool | Instant):
            return self._of_text(str(value), name)  # digits alone, which a table takes for a number
        if isinstance(value, int | float | Decimal) and not isinstance(value, bool | Instant):
            return self._of_number(value, name)
        if isinstance(value, datetime) and value.tzinfo is None and self._zone is not None:
            return to_instant(value.replace(tzinfo=self._zone), name)
        return to_instant(value, name)

    def _of_number(self, value: int | float | Decimal, name: str) -> int:
        if self._per_second is None:
            self._per_second = unit_of(value)
            if self._per_second != 1:
                what = _WORDS[self._per_second]
                when = render_instant(_scaled(value, self._per_second, name))
                self.remark = f"times are read as {what} since 1970: {value} is {when}"
        if self._per_second != 1:
            return _scaled(value, self._per_second, name)
        try:
            return to_instant(value, name)
        except Refused as refused:
            unit = unit_of(value)
            if unit == 1:
                raise
            option = next(word for word, each in UNITS.items() if each == unit)
            hint = f"as {_WORDS[unit]} it is {render_instant(_scaled(value, unit, name))}: --time-format {option}"
            raise Refused(refused.reason, expected=refused.expected, hint=hint) from None

    def _of_text(self, text: str, name: str) -> int:
        if self._format is not None:
            return self._formatted(text, name)
        if self._is_told:
            try:
                return self._of_number(Decimal(text.strip()), name)
            except InvalidOperation:
                raise Refused(
                    f"{name} is {shown(text)}", expected=f"{_WORDS[self._per_second or 1]} since 1970"
                ) from None
        try:
            local = to_instant(text, name)
        except Refused as refused:
            hint = "a number in quotes: --time-format epoch-s, or epoch-ms"
            hint = hint if _is_number(text) else "say how it is written, as in --time-format '%d/%m/%Y %H:%M:%S'"
            raise Refused(refused.reason, refused.column, refused.expected, hint) from None
        if self._zone is None or _has_offset(text):
            return local
        return _in_zone(_EPOCH.replace(tzinfo=None) + timedelta(microseconds=local), self._zone)

    def _formatted(self, text: str, name: str) -> int:
        assert self._format is not None
        try:
            if "%Y" in self._format or "%y" in self._format or "%c" in self._format or "%s" in self._format:
                moment = datetime.strptime(text.strip(), self._format)
            else:
                moment = datetime.strptime(_NO_YEAR + text.strip(), "%Y " + self._format)
        except ValueError:
            raise Refused(
                f"{name} is {shown(text)}", expected=f"a time as --time-format {self._format!r} has it"
            ) from None
        return _in_zone(moment, self._zone or UTC)


def unit_of(value: int | float | Decimal) -> int:
    """How many of what a number counts make a second: of the units that put it before the year 10000, the coarsest."""
    size = abs(Decimal(value))
    return next((unit for unit in UNITS.values() if size.is_finite() and size < _MOST_SECONDS * unit), 1)


def _scaled(value: int | float | Decimal, per_second: int, name: str) -> int:
    """The instant of so many units since 1970, to the nearest microsecond; of nanoseconds, cut."""
    if isinstance(value, int):
        return to_instant(Instant(value * SECOND // per_second), name)
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    if not exact.is_finite():
        return to_instant(value, name)  # which refuses it
    return to_instant(Instant(int((exact * SECOND / per_second).to_integral_value())), name)


def _in_zone(moment: datetime, zone: tzinfo) -> int:
    """The instant of a date and time, in its own zone or, if it names none, in the one given."""
    return int(((moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)) - _EPOCH) // _MICROSECOND)


def _has_offset(text: str) -> bool:
    """Whether a text says its zone: what follows its time of day is `Z` or an offset."""
    return text.rstrip()[-1:] in "Zz" or "+" in text or "-" in text.partition(":")[2]


def _is_number(text: str) -> bool:
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False


def _zone_of(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(f"unknown time zone {name!r}: as in UTC, Europe/Lisbon or America/Sao_Paulo") from None


def _checked(time_format: str) -> str:
    """A format of dates and times as `strptime` has them, tried once."""
    if "%" not in time_format:
        near = nearest(time_format, UNITS)
        known = f"{', '.join(UNITS)}, or a format such as '%d/%m/%Y %H:%M:%S'"
        raise UsageError(f"--time-format is {time_format!r}: {known}; {near}".rstrip("; "))
    try:
        datetime.strptime(datetime(2000, 1, 2, tzinfo=UTC).strftime(time_format), time_format)
    except ValueError as error:
        raise UsageError(f"--time-format {time_format!r}: {error}") from None
    return time_format
