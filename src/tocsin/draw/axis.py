"""The axis of time: where instants stand across a picture, and which of them are named."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from tocsin.draw.svg import EDGE, GREY, INK, LINE, WIDTH, shortened, tag, text_at
from tocsin.time.gregorian import MONTHS, date_from_days, days_from_date
from tocsin.time.spans import DAY, HOUR, MINUTE, MSEC, SECOND

_DATED: Final = re.compile(r"(\d{4})-(0[1-9]|1[0-2])-(\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?", re.A)
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?", re.A)
_TENS, _SIXTIETHS = (1, 2, 5, 10, 20, 50, 100, 200, 500), (1, 2, 5, 10, 15, 30)
_UNITS: Final = ((1, _TENS), (MSEC, _TENS), (SECOND, _SIXTIETHS), (MINUTE, _SIXTIETHS), (HOUR, (1, 2, 3, 6, 12)))
_CLOCK_STEPS: Final = tuple(unit * times for unit, counts in (*_UNITS, (DAY, (1, 2, 7))) for times in counts)
_MONTH: Final = 30 * DAY

ShowTime = Callable[[int], str]
"""How an instant is written for people."""


@dataclass(frozen=True)
class Scale:
    """From instants to places across the picture."""

    low: int
    high: int
    left: float
    right: float

    def x(self, instant: int) -> float:
        """Where an instant stands; one later than the picture reaches, at the right edge."""
        if self.low == self.high:
            return (self.left + self.right) / 2
        return self.left + (self.right - self.left) * ((min(instant, self.high) - self.low) / (self.high - self.low))


def axis(scale: Scale, show_time: ShowTime, top: float, bottom: float) -> Iterator[str]:
    """Lines at round instants with their names below, and above too where the picture is tall.

    The second line of a name (the date under a time of day) is written where it changes.
    """
    ticks, step = _ticks(scale.low, scale.high, _NUMBER.fullmatch(show_time(scale.low)) is not None)
    before = ""
    for tick in ticks:
        x, (name, context) = scale.x(tick), _tick_name(show_time(tick), step)
        yield tag("path", d=f"M{x:.1f},{top - 2:.1f}V{bottom + 6:.1f}", stroke=LINE)
        for y in (bottom + 21, top - 8) if bottom - top > 700 else (bottom + 21,):
            yield text_at(x, y, name, size=11, fill=GREY, text_anchor="middle", class_="tick")
        if context != before:
            yield text_at(x, bottom + 36, context, size=11, fill=INK, text_anchor="middle")
        before = context
    yield tag("path", d=f"M{scale.left - 10:.1f},{bottom:.1f}H{WIDTH - EDGE + 10}", stroke=GREY)


def _ticks(low: int, high: int, decimal: bool) -> tuple[list[int], int]:
    """At most ten round instants and the step between them: of the clock and the calendar, or decimal for numbers."""
    if low == high:
        return [low], 1
    for step in (digit * 10**zeros for zeros in range(40) for digit in (1, 2, 5)) if decimal else _CLOCK_STEPS:
        if high - low <= 9 * step:
            shift = 4 * DAY if step == 7 * DAY else 0  # weeks begin on Mondays; 1970 began on a Thursday
            first = shift - (shift - low) // step * step  # rounded up
            return list(range(first, high + 1, step)), step
    years = (digit * 10**zeros for zeros in range(40) for digit in (1, 2, 5))
    months = next(n for n in (1, 3, 6, *(12 * year for year in years)) if high - low <= 9 * n * _MONTH)
    (year, month, _), (last_year, last_month, _) = date_from_days(low // DAY), date_from_days(high // DAY)
    numbers = range((year * 12 + month - 1) // months, (last_year * 12 + last_month - 1) // months + 1)
    firsts = (days_from_date(n * months // 12, n * months % 12 + 1, 1) * DAY for n in numbers)
    return [first for first in firsts if low <= first <= high], months * _MONTH


def _tick_name(text: str, step: int) -> tuple[str, str]:
    """A tick's name no finer than the step asks, and what it belongs to."""
    found = _DATED.fullmatch(text)
    if found is None:
        return shortened(text.removesuffix(".0"), 110, 11), ""
    year, month, day, clock, seconds = found.groups()
    month = MONTHS[int(month) - 1][:3]
    if step >= _MONTH:
        return (year, "") if step >= 12 * _MONTH else (month, year)
    if step >= DAY:
        return f"{int(day)} {month}", year
    return clock + (seconds or "" if step < MINUTE else ""), f"{int(day)} {month} {year}"
