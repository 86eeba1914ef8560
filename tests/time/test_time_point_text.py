"""GEM's time points as text: read, refused where they are wrong, and written back."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.time.strategies import partial_points
from tocsin.errors import RuleError
from tocsin.time import TimePoint, full_year, parse_time_point, render_instant, render_time_point, validate

PARSED = [
    ("01:30 Thu 29/Feb/1996", TimePoint(1, 30, 0, 0, 3, 29, 2, 1996)),
    ("10:30:0.0 Mon 15/5/95", TimePoint(10, 30, 0, 0, 0, 15, 5, 1995)),
    ("10:30:01.5", TimePoint(10, 30, 1, 5)),
    ("10:30:01.050", TimePoint(10, 30, 1, 50)),
    ("Fri 13/-/-", TimePoint(weekday=4, day=13)),
    ("fri", TimePoint(weekday=4)),
    ("WEDNESDAY", TimePoint(weekday=2)),
    ("-/Feb/96", TimePoint(month=2, year=1996)),
    ("-/february/69", TimePoint(month=2, year=2069)),
    ("1/1/70", TimePoint(day=1, month=1, year=1970)),
    ("1/1/00", TimePoint(day=1, month=1, year=2000)),
    ("1/1/0096", TimePoint(day=1, month=1, year=96)),
    ("29/Feb", TimePoint(day=29, month=2)),
    ("  8:00\tMon\n1/-/- ", TimePoint(8, 0, 0, 0, 0, 1)),
    ("Mon -/-/-", TimePoint(weekday=0)),
]


@pytest.mark.parametrize(("text", "point"), PARSED, ids=[c[0] for c in PARSED])
def test_time_points_as_003_writes_them(text: str, point: TimePoint) -> None:
    assert parse_time_point(text) == point


REFUSED = [
    ("", "ends too soon", 0, 0, "a time of day, a weekday or a date"),
    (" ! ", "unexpected '!'", 1, 2, "a time of day, a weekday or a date"),
    ("10", "ends too soon", 2, 2, "':' and minutes, or '/' and a month"),
    ("10:", "ends too soon", 3, 3, "a minute"),
    ("10:x", "unexpected 'x'", 3, 4, "a minute"),
    ("10:-", "unexpected '-'", 3, 4, "a minute"),
    ("-:30", "unexpected ':'", 1, 2, "'/' and a month"),
    ("10:30:", "ends too soon", 6, 6, "a second"),
    ("10:30:0.", "ends too soon", 8, 8, "milliseconds, 0 to 999"),
    ("10:30:0.1234", "at most 3 digits", 8, 12, "milliseconds, 0 to 999"),
    ("10:30Fri", "unexpected 'Fri'", 5, 8, "a blank or the end"),
    ("10:30.5", "unexpected '.'", 5, 6, "a blank or the end"),
    ("Fri 10:30", "the time of day comes too late", 4, 9, "a date"),
    ("10:30 11:30", "the time of day comes twice", 6, 11, "a weekday or a date"),
    ("1/2/96 Fri", "the weekday comes too late", 7, 10, "nothing more"),
    ("1/2/96 !", "unexpected '!'", 7, 8, "nothing more"),
    ("Fry", "unknown weekday 'Fry'", 0, 3, "a weekday, as Mon or Monday"),
    ("Frid", "unknown weekday 'Frid'", 0, 4, "a weekday, as Mon or Monday"),
    ("01:30 29/Fev/96", "unknown month 'Fev'", 9, 12, "a month, as Feb, February or 2"),
    ("29/", "ends too soon", 3, 3, "a month or '-'"),
    ("29/Feb/", "ends too soon", 7, 7, "a year or '-'"),
    ("29/Feb/96/1", "unexpected '/'", 9, 10, "a blank or the end"),
    ("01:30 25:00", "the time of day comes twice", 6, 11, "a weekday or a date"),
    ("25:00", "hour 25 is out of range: 0 to 23", 0, 2, ""),
    ("1:60", "minute 60 is out of range: 0 to 59", 2, 4, ""),
    ("1:00:60.1", "second 60 is out of range: 0 to 59", 5, 7, ""),
    ("Fri 32/-/-", "day 32 is out of range: 1 to 31", 4, 6, ""),
    ("1/13/96", "month 13 is out of range: 1 to 12", 2, 4, ""),
    ("1/1/0000", "year 0 is out of range: 1 to 9999", 4, 8, ""),
    ("1/1/" + "9" * 5000, "is out of range", 4, 5004, ""),
    ("01:30 29/Feb/1995", "February 1995 has 28 days", 6, 17, ""),
    ("01:30 Fri 29/Feb/1996", "wrong weekday: 29/Feb/1996 is a Thu", 6, 9, ""),
    ("30/Feb/-", "30/Feb/- can never match", 0, 8, ""),
    ("Mon 31/-/1996", "Mon 31/-/1996 can never match", 4, 13, ""),
]


@pytest.mark.parametrize(("text", "message", "start", "stop", "expected"), REFUSED, ids=[c[0][:24] for c in REFUSED])
def test_a_bad_time_point_is_refused_where_it_is_wrong(
    text: str, message: str, start: int, stop: int, expected: str
) -> None:
    with pytest.raises(RuleError) as caught:
        parse_time_point(text)
    (fault,) = caught.value.faults
    assert message in fault.message
    assert fault.span is not None
    assert (fault.span.start, fault.span.stop, fault.expected) == (start, stop, expected)


def test_hints_name_what_was_probably_meant() -> None:
    for text, hint in [
        ("Wednesdy", "did you mean 'Wednesday'?"),
        ("10:-", "'-' can stand only for"),
        ("Fri 10:30", "the order is"),
    ]:
        with pytest.raises(RuleError) as caught:
            parse_time_point(text)
        assert hint in caught.value.faults[0].hint


@settings(deadline=None)
@given(partial_points())
def test_rendering_parses_back_to_an_equal_point(point: TimePoint) -> None:
    if validate(point) is None:
        assert parse_time_point(render_time_point(point)) == point


@given(st.dates(), st.booleans())
def test_rendering_an_exact_date_of_any_year_parses_back(day: date, with_weekday: bool) -> None:
    point = TimePoint(weekday=day.weekday() if with_weekday else None, day=day.day, month=day.month, year=day.year)
    assert parse_time_point(render_time_point(point)) == point
    assert render_instant(point.instant()) == f"{day.isoformat()}T00:00:00Z"


RENDERED = [
    (TimePoint(1, 30, weekday=3, day=29, month=2, year=1996), "01:30 Thu 29/Feb/1996"),
    (TimePoint(1, 30, 0, 7), "01:30:00.007"),
    (TimePoint(weekday=4, day=13), "Fri 13/-/-"),
    (TimePoint(weekday=4), "Fri"),
    (TimePoint(), "-/-/-"),
]


@pytest.mark.parametrize(("point", "text"), RENDERED, ids=[c[1] for c in RENDERED])
def test_points_are_rendered_in_the_form_of_003(point: TimePoint, text: str) -> None:
    assert render_time_point(point) == text


def test_two_digit_years() -> None:
    assert [full_year(year) for year in (0, 69, 70, 99, 100, 1996)] == [2000, 2069, 1970, 1999, 100, 1996]
