"""Time points: which instants a specification like `01:30 Fri 13/-/-` stands for (003 section 2.1, Table 1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tocsin.errors import UsageError
from tocsin.time.gregorian import (
    CYCLE_YEARS,
    DAY_LENGTH,
    FIRST_INSTANT,
    FIRST_YEAR,
    LAST_YEAR,
    MONTHS,
    WEEKDAYS,
    date_from_days,
    days_from_date,
    days_in_month,
    most_days_in_month,
    weekday_of,
)

_MSEC: Final = 1_000


@dataclass(frozen=True)
class TimePoint:
    """A time of day, a weekday and a date, any of them left open: None is an omitted field and the wildcard `-`.

    Invariant: a time of day is complete or absent; seconds and milliseconds left out are zero. An absent one
    means 0:00:00.000 where the point occurs (`next_after`) and nothing where it is compared (`compare`).
    """

    hour: int | None = None
    minute: int | None = None
    second: int | None = None
    millisecond: int | None = None
    weekday: int | None = None
    day: int | None = None
    month: int | None = None
    year: int | None = None

    def __post_init__(self) -> None:
        if self.hour is None or self.minute is None:
            return
        # A frozen dataclass is completed this way; plain assignment is refused.
        if self.second is None:
            object.__setattr__(self, "second", 0)
        if self.millisecond is None:
            object.__setattr__(self, "millisecond", 0)

    @property
    def exact(self) -> bool:
        """Whether it is one single instant (a one-shot), not a set of them (003: "exact" and "partial")."""
        return self.day is not None and self.month is not None and self.year is not None

    def instant(self) -> int:
        """The instant of an exact point that `validate` has nothing against."""
        if self.day is None or self.month is None or self.year is None:
            raise UsageError("a partial time point is not one instant")
        return days_from_date(self.year, self.month, self.day) * DAY_LENGTH + self._time_of_day()

    def next_at_or_after(self, instant: int) -> int | None:
        """The first matching instant that is not before `instant`, or None if there is none up to the year 9999."""
        time_of_day = self._time_of_day()
        # Rounded up: a day whose time of day is already past does not count.
        first_day = -((time_of_day - max(instant, FIRST_INSTANT)) // DAY_LENGTH)
        day = self._next_day(first_day)
        return None if day is None else day * DAY_LENGTH + time_of_day

    def next_after(self, instant: int) -> int | None:
        """The first matching instant after `instant`, or None."""
        return self.next_at_or_after(instant + 1)

    def compare(self, instant: int) -> int:
        """-1, 0 or 1 as `instant` lies before, at or after the point, looking only at the fields written.

        Most significant first: year, month, day, weekday, time of day; an exact point is its instant.
        """
        if self.exact:
            return _sign(instant - self.instant())
        days, time_of_day = divmod(instant, DAY_LENGTH)
        year, month, day = date_from_days(days)
        if self.year is not None and year != self.year:
            return _sign(year - self.year)
        if self.month is not None and month != self.month:
            return _sign(month - self.month)
        if self.day is not None and day != self.day:
            return _sign(day - self.day)
        if self.weekday is not None and weekday_of(days) != self.weekday:
            return _sign(weekday_of(days) - self.weekday)
        return 0 if self.hour is None else _sign(time_of_day - self._time_of_day())

    def _time_of_day(self) -> int:
        """Microseconds after midnight."""
        minutes = (self.hour or 0) * 60 + (self.minute or 0)
        return ((minutes * 60 + (self.second or 0)) * 1000 + (self.millisecond or 0)) * _MSEC

    def _next_day(self, first: int) -> int | None:
        """The first matching day from `first` on, as days since 1970.

        Goes by years and months, not days. The calendar repeats after 400 years, so what has not come by then
        never comes.
        """
        first_year, first_month, _ = date_from_days(first)
        for year in self._years(first_year):
            for month in self._months(first_month if year == first_year else 1):
                found = self._day_in_month(year, month, first)
                if found is not None:
                    return found
        return None

    def _years(self, first: int) -> Iterable[int]:
        if self.year is None:
            return range(first, min(first + CYCLE_YEARS, LAST_YEAR) + 1)
        return (self.year,) if first <= self.year <= LAST_YEAR else ()

    def _months(self, first: int) -> Iterable[int]:
        if self.month is None:
            return range(first, 13)
        return (self.month,) if first <= self.month else ()

    def _day_in_month(self, year: int, month: int, first: int) -> int | None:
        """The first matching day of one month that is not before `first`."""
        month_start = days_from_date(year, month, 1)
        month_end = month_start + days_in_month(year, month) - 1
        if self.day is not None:
            found = month_start + self.day - 1
            if found < first or (self.weekday is not None and weekday_of(found) != self.weekday):
                return None
        else:
            found = max(month_start, first)
            if self.weekday is not None:
                found += (self.weekday - weekday_of(found)) % 7
        return found if found <= month_end else None


def full_year(year: int) -> int:
    """The year that a two-digit one stands for: 70 to 99 are 19xx, 0 to 69 are 20xx."""
    if 0 <= year < 70:
        return 2000 + year
    return 1900 + year if 70 <= year < 100 else year


def validate(point: TimePoint) -> str | None:
    """What is wrong with the point, or None: a field out of range, an impossible date, a wrong weekday."""
    found = fault_of(point)
    return None if found is None else found[1]


def fault_of(point: TimePoint) -> tuple[str, str] | None:
    """The first thing wrong with the point: which part of it (a field's name, or `date`), and the message."""
    return _range_fault(point) or _time_fault(point) or _date_fault(point)


def _range_fault(point: TimePoint) -> tuple[str, str] | None:
    """A field that is out of its range."""
    fields = (
        ("hour", point.hour, 0, 23),
        ("minute", point.minute, 0, 59),
        ("second", point.second, 0, 59),
        ("millisecond", point.millisecond, 0, 999),
        ("weekday", point.weekday, 0, 6),
        ("day", point.day, 1, 31),
        ("month", point.month, 1, 12),
        ("year", point.year, FIRST_YEAR, LAST_YEAR),
    )
    for name, value, least, most in fields:
        if value is not None and not least <= value <= most:
            return name, f"{name} {value} is out of range: {least} to {most}"
    return None


def _time_fault(point: TimePoint) -> tuple[str, str] | None:
    """A time of day without its hours or minutes."""
    finer = (point.minute, point.second, point.millisecond)
    if point.hour is None and any(field is not None for field in finer):
        return "hour", "a time of day needs its hours and minutes"
    if point.hour is not None and point.minute is None:
        return "minute", "a time of day needs its hours and minutes"
    return None


def _date_fault(point: TimePoint) -> tuple[str, str] | None:
    """A date that does not exist, or a weekday it does not fall on."""
    day, month, year = point.day, point.month, point.year
    if day is not None and month is not None:
        most = most_days_in_month(month) if year is None else days_in_month(year, month)
        if day > most and year is None:
            longest = f"{MONTHS[month - 1]} has {'at most ' if month == 2 else ''}{most} days"
            return "date", f"{render_date(point)} can never match: {longest}"
        if day > most:
            return "date", f"{MONTHS[month - 1]} {year} has {most} days"
        if point.weekday is not None and year is not None:
            right = weekday_of(days_from_date(year, month, day))
            if right != point.weekday:
                return "weekday", f"wrong weekday: {render_date(point)} is a {WEEKDAYS[right][:3]}"
    if point.next_at_or_after(FIRST_INSTANT) is None:
        named = "" if point.weekday is None else f"{WEEKDAYS[point.weekday][:3]} "
        return "date", f"{named}{render_date(point)} can never match"
    return None


def render_date(point: TimePoint) -> str:
    """The date as 003 writes it, `29/Feb/1996`, with `-` for what is open."""
    day = "-" if point.day is None else str(point.day)
    month = "-" if point.month is None else MONTHS[point.month - 1][:3]
    year = "-" if point.year is None else f"{point.year:04}"
    return f"{day}/{month}/{year}"


def _sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)
