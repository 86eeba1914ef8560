"""Time points as text: what stands between the brackets of `at[01:30 Fri 13/-/-]` (003 section 2.1).

    point   = [time] [weekday] [date]         at least one of them, with blanks between
    time    = hour ":" minute [":" second ["." millisecond]]
    weekday = Mon | Tuesday | ...             three letters or in full, capital or small
    date    = day "/" month ["/" year]        each a number or `-`, the month also by name

The number after the point of a time is the millisecond field, not a fraction: `10:30:0.5` is 5 milliseconds.
"""

from __future__ import annotations

from typing import Final, NoReturn

from tocsin.errors import Fault, RuleError, Span, nearest
from tocsin.time.gregorian import MONTHS, WEEKDAYS
from tocsin.time.instants import parse_instant, render_instant
from tocsin.time.points import TimePoint, fault_of, full_year, render_date, validate
from tocsin.time.scanner import Scanner, shown

__all__ = [
    "TimePoint",
    "full_year",
    "parse_instant",
    "parse_time_point",
    "render_instant",
    "render_time_point",
    "validate",
]

_AFTER: Final = ("a time of day, a weekday or a date", "a weekday or a date", "a date", "nothing more")
"""What may still come, by the number of the part that came last."""
_PARTS: Final = ("the time of day", "the weekday", "the date")
_ORDER: Final = "the order is: time of day, weekday, date"


def parse_time_point(text: str) -> TimePoint:
    """The time point that `text` stands for, checked: a fault's span is the field or the part that is wrong."""
    return _PointParser(text).point()


class _PointParser:
    """One pass over the text of a time point: the fields read so far, and where each of them stands."""

    def __init__(self, text: str) -> None:
        self._scanner = Scanner(text)
        self._fields: dict[str, int | None] = {}
        self._spans: dict[str, Span] = {}

    def point(self) -> TimePoint:
        """The whole text."""
        scanner = self._scanner
        stage = 0
        if scanner.at_end():
            scanner.fail_here(_AFTER[0])
        while not scanner.at_end():
            start = scanner.position
            part = self._part_ahead(stage)
            if part < stage:
                self._fail_order(part, stage)
            (self._time, self._weekday, self._date)[part]()
            self._spans[("time", "weekday", "date")[part]] = Span(start, scanner.position)
            stage = part + 1
            if not scanner.skip_blanks() and not scanner.at_end():
                scanner.fail_here("a blank or the end")
        return self._checked()

    def _part_ahead(self, stage: int) -> int:
        """Which part begins here: 0 a time of day, 1 a weekday, 2 a date."""
        scanner = self._scanner
        if scanner.at_letter():
            return 1
        if scanner.peek() == "-":
            return 2
        if not scanner.at_digit():
            scanner.fail_here(_AFTER[stage])
        start = scanner.position
        scanner.digits("a number")
        separator = scanner.peek()
        if separator not in (":", "/"):
            scanner.fail_here("':' and minutes, or '/' and a month")
        scanner.position = start
        return 0 if separator == ":" else 2

    def _fail_order(self, part: int, stage: int) -> NoReturn:
        """Refuses a part that comes twice or too late."""
        scanner = self._scanner
        start = scanner.position
        while not scanner.at_end() and not scanner.peek().isspace():
            scanner.position += 1
        twice = _PARTS[part] + (" comes twice" if part == stage - 1 else " comes too late")
        scanner.fail(twice, start, _AFTER[stage], _ORDER)

    def _time(self) -> None:
        scanner = self._scanner
        self._number("hour")
        scanner.require(":", "':' and minutes")
        self._number("minute")
        if not scanner.accept(":"):
            return
        self._number("second")
        if not scanner.accept("."):
            return
        start = scanner.position
        if len(scanner.digits("milliseconds, 0 to 999")) > 3:
            scanner.fail("milliseconds have at most 3 digits", start, "milliseconds, 0 to 999")
        scanner.position = start
        self._number("millisecond")

    def _weekday(self) -> None:
        self._fields["weekday"] = self._name(WEEKDAYS, "weekday", "a weekday, as Mon or Monday")

    def _date(self) -> None:
        scanner = self._scanner
        self._number_or_wildcard("day")
        scanner.require("/", "'/' and a month")
        if scanner.at_letter():
            self._fields["month"] = self._name(MONTHS, "month", "a month, as Feb, February or 2") + 1
        else:
            self._number_or_wildcard("month")
        if not scanner.accept("/"):
            return
        digits_from = scanner.position
        self._number_or_wildcard("year")
        year = self._fields["year"]
        if year is not None and scanner.position - digits_from <= 2:
            self._fields["year"] = full_year(year)

    def _number_or_wildcard(self, name: str) -> None:
        if self._scanner.accept("-"):
            self._fields[name] = None
        else:
            self._number(name, " or '-'")

    def _number(self, name: str, otherwise: str = "") -> None:
        scanner = self._scanner
        start = scanner.position
        if not scanner.at_digit():
            hint = "'-' can stand only for a day, a month or a year" if scanner.peek() == "-" else ""
            scanner.fail_here(f"{'an' if name == 'hour' else 'a'} {name}{otherwise}", hint)
        self._fields[name] = scanner.number(name)
        self._spans[name] = Span(start, scanner.position)

    def _name(self, names: tuple[str, ...], kind: str, expected: str) -> int:
        """Which of the names stands here, with three letters or in full."""
        scanner = self._scanner
        start = scanner.position
        written = scanner.word()
        for index, name in enumerate(names):
            if written.lower() in (name.lower(), name[:3].lower()):
                self._spans[kind] = Span(start, scanner.position)
                return index
        scanner.fail(f"unknown {kind} {shown(written)}", start, expected, nearest(written.capitalize(), names))

    def _checked(self) -> TimePoint:
        """The point of the fields read, if there can be such a point."""
        get = self._fields.get
        point = TimePoint(
            get("hour"),
            get("minute"),
            get("second"),
            get("millisecond"),
            get("weekday"),
            get("day"),
            get("month"),
            get("year"),
        )
        found = fault_of(point)
        if found is not None:
            raise RuleError(Fault(found[1], self._spans.get(found[0])))
        return point


def render_time_point(point: TimePoint) -> str:
    """The point in the form of 003, with only what is needed; `-/-/-` is every day at 0:00."""
    parts: list[str] = []
    if point.hour is not None:
        time = f"{point.hour:02}:{point.minute or 0:02}"
        if point.second or point.millisecond:
            time += f":{point.second or 0:02}"
        parts.append(f"{time}.{point.millisecond:03}" if point.millisecond else time)
    if point.weekday is not None:
        parts.append(WEEKDAYS[point.weekday][:3])
    dated = point.day is not None or point.month is not None or point.year is not None
    if dated or not parts:
        parts.append(render_date(point))
    return " ".join(parts)
