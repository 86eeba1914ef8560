"""Periods: lengths of time in calendar steps and microseconds (003 section 2.1 "time period", 000 "span")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tocsin.time.gregorian import DAY_LENGTH, date_from_days, days_from_date, days_in_month

MSEC: Final = 1_000
SECOND: Final = 1_000_000
MINUTE: Final = 60_000_000
HOUR: Final = 3_600_000_000
DAY: Final = DAY_LENGTH
WEEK: Final = 7 * DAY
MONTH_LENGTH: Final = 30 * DAY
"""What a month counts for when periods are compared."""
YEAR_LENGTH: Final = 365 * DAY
"""What a year counts for when periods are compared."""


@dataclass(frozen=True)
class Period:
    """A length of time: years and months step through the calendar, the rest is a count of microseconds.

    Invariant: 0 <= months < 12. Two periods are equal if they do the same to every instant; `<` and the like
    compare lengths, so a month is neither less nor greater than 30 days, and yet not equal to them.
    """

    years: int = 0
    months: int = 0
    microseconds: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.months < 12:
            # A frozen dataclass is completed this way; plain assignment is refused.
            object.__setattr__(self, "years", self.years + self.months // 12)
            object.__setattr__(self, "months", self.months % 12)

    def __reduce__(self) -> tuple[type[Period], tuple[int, int, int]]:
        """How it is sent to Spark's workers: compiled, it has no state that could be set from outside."""
        return Period, (self.years, self.months, self.microseconds)

    @staticmethod
    def of(*, years: int = 0, months: int = 0, microseconds: int = 0) -> Period:
        """The period of these parts together."""
        return Period(years, months, microseconds)

    def added_to(self, instant: int) -> int:
        """The instant this much later: first the calendar step, clamped to the month's end, then the rest.

        Repeating a clamped step drifts (31 January, 28 February, 28 March): the n-th instant of a series is
        `scaled(n).added_to(start)`.
        """
        steps = self.years * 12 + self.months
        if steps == 0:
            return instant + self.microseconds
        days, time_of_day = divmod(instant, DAY)
        year, month, day = date_from_days(days)
        year, month = divmod(year * 12 + month - 1 + steps, 12)
        day = min(day, days_in_month(year, month + 1))
        return days_from_date(year, month + 1, day) * DAY + time_of_day + self.microseconds

    def length(self) -> int:
        """Microseconds, for comparison: a month counts as 30 days and a year as 365."""
        return self.years * YEAR_LENGTH + self.months * MONTH_LENGTH + self.microseconds

    @property
    def is_positive(self) -> bool:
        """Whether it is longer than nothing, as a window and `every` demand."""
        return self.length() > 0

    def scaled(self, n: int) -> Period:
        """The period `n` times over."""
        return Period(self.years * n, self.months * n, self.microseconds * n)

    def __add__(self, other: Period) -> Period:
        return Period(self.years + other.years, self.months + other.months, self.microseconds + other.microseconds)

    # Equality and hash are spelt out because mypyc drops the dataclass's own from a class that defines `<`.
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Period):
            return False
        return self.years == other.years and self.months == other.months and self.microseconds == other.microseconds

    def __hash__(self) -> int:
        return hash((self.years, self.months, self.microseconds))

    def __lt__(self, other: Period) -> bool:
        return self.length() < other.length()

    def __le__(self, other: Period) -> bool:
        return self.length() <= other.length()

    def __gt__(self, other: Period) -> bool:
        return self.length() > other.length()

    def __ge__(self, other: Period) -> bool:
        return self.length() >= other.length()


def _spellings() -> dict[str, Period]:
    """Every way a unit is written, in small letters."""
    written: tuple[tuple[Period, str], ...] = (
        (Period(microseconds=1), "us usec usecs µs μs microsecond microseconds"),
        (Period(microseconds=MSEC), "ms msec msecs millisecond milliseconds"),
        (Period(microseconds=SECOND), "s sec secs second seconds"),
        (Period(microseconds=MINUTE), "m min mins minute minutes"),
        (Period(microseconds=HOUR), "h hr hrs hour hours"),
        (Period(microseconds=DAY), "d day days"),
        (Period(microseconds=WEEK), "w week weeks"),
        (Period(months=1), "mo month months"),
        (Period(years=1), "y yr yrs year years"),
    )
    return {word: unit for unit, words in written for word in words.split()}


UNITS: dict[str, Period] = _spellings()
"""Every unit word, singular, plural and short, with the period it stands for; words are in small letters."""
