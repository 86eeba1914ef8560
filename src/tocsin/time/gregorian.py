"""The Gregorian calendar as arithmetic: days since 1970 to year, month, day and back.

Proleptic and without limits, so that adding a period never fails; the standard library's dates stop at
the year 9999. The instants that can be written do too: `FIRST_INSTANT` and `LAST_INSTANT`.
"""

from __future__ import annotations

from typing import Final

DAY_LENGTH: Final = 86_400_000_000
"""Microseconds in a day; there are no leap seconds inside."""

MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

FIRST_YEAR: Final = 1
LAST_YEAR: Final = 9999
FIRST_INSTANT: Final = -62_135_596_800_000_000
"""0001-01-01T00:00:00Z."""
LAST_INSTANT: Final = 253_402_300_799_999_999
"""9999-12-31T23:59:59.999999Z."""

# The calendar repeats, weekdays included, after 400 years: 146,097 days are 20,871 whole weeks.
CYCLE_YEARS: Final = 400
_CYCLE_DAYS: Final = 146_097
# Days from 1 March of the year 0, where a computed year begins, to 1 January 1970.
_MARCH_TO_1970: Final = 719_468


def is_leap(year: int) -> bool:
    """Whether `year` has a 29th of February."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year: int, month: int) -> int:
    """How many days the month has in that year."""
    if month == 2:
        return 29 if is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def most_days_in_month(month: int) -> int:
    """How many days the month has at most, in any year."""
    return days_in_month(4, month)


def days_from_date(year: int, month: int, day: int) -> int:
    """The number of days from 1970-01-01 to that date.

    Years are counted from March, so that the leap day is a year's last and lengthens no month before it.
    """
    march_year = year - 1 if month <= 2 else year
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    leap_days = march_year // 4 - march_year // 100 + march_year // 400
    return march_year * 365 + leap_days + day_of_year - _MARCH_TO_1970


def date_from_days(days: int) -> tuple[int, int, int]:
    """Year, month and day of the date that many days after 1970-01-01."""
    cycle, day_of_cycle = divmod(days + _MARCH_TO_1970, _CYCLE_DAYS)
    year_of_cycle = (day_of_cycle - day_of_cycle // 1460 + day_of_cycle // 36_524 - day_of_cycle // 146_096) // 365
    day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle // 4 - year_of_cycle // 100)
    month_from_march = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month_from_march + 2) // 5 + 1
    month = month_from_march + 3 if month_from_march < 10 else month_from_march - 9
    year = year_of_cycle + cycle * CYCLE_YEARS
    return (year + 1 if month <= 2 else year), month, day


def weekday_of(days: int) -> int:
    """The weekday of the date that many days after 1970-01-01, which was a Thursday; Monday is 0."""
    return (days + 3) % 7
