"""GEM's time points: Table 1 of 003, the calendar over decades, validation, comparison."""

from __future__ import annotations

from bisect import bisect_left
from datetime import date, timedelta
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amounts import examples
from tests.time.strategies import partial_points
from tocsin.errors import UsageError
from tocsin.time import (
    DAY,
    TimePoint,
    parse_instant,
    parse_time_point,
    render_instant,
    validate,
)
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT


def occurrences(text: str, start: str, count: int) -> list[str | None]:
    """The first `count` occurrences at or after `start`, then strictly after each; None where there are no more."""
    point = parse_time_point(text)
    found: list[str | None] = []
    instant = point.next_at_or_after(parse_instant(start))
    for _ in range(count):
        found.append(None if instant is None else render_instant(instant))
        instant = None if instant is None else point.next_after(instant)
    return found


TABLE_1 = [
    ("10:30", False, "1996-02-28T10:30:00Z", ["1996-02-28T10:30:00Z", "1996-02-29T10:30:00Z", "1996-03-01T10:30:00Z"]),
    ("10:30", False, "1996-02-28T10:30:00.000001Z", ["1996-02-29T10:30:00Z", "1996-03-01T10:30:00Z"]),
    ("Fri", False, "1996-02-01", ["1996-02-02T00:00:00Z", "1996-02-09T00:00:00Z", "1996-02-16T00:00:00Z"]),
    ("29/Feb/96", True, "1990-01-01", ["1996-02-29T00:00:00Z", None]),
    ("29/Feb/96", True, "1996-02-29T00:00:00.000001Z", [None]),
    ("01:30 29/Feb/96", True, "1996-02-29", ["1996-02-29T01:30:00Z", None]),
    ("01:30 Fri", False, "1996-02-02T01:30:00.5Z", ["1996-02-09T01:30:00Z", "1996-02-16T01:30:00Z"]),
    ("01:30 -/Feb/96", False, "1996-02-28", ["1996-02-28T01:30:00Z", "1996-02-29T01:30:00Z", None]),
    ("01:30 -/Feb/96", False, "1970-01-01", ["1996-02-01T01:30:00Z", "1996-02-02T01:30:00Z"]),
    (
        "Fri 13/-/-",
        False,
        "2026-01-01",
        ["2026-02-13T00:00:00Z", "2026-03-13T00:00:00Z", "2026-11-13T00:00:00Z", "2027-08-13T00:00:00Z"],
    ),
    ("1/-/96", False, "1996-10-01T00:00:01Z", ["1996-11-01T00:00:00Z", "1996-12-01T00:00:00Z", None]),
    ("1/-/96", False, "1995-06-01", ["1996-01-01T00:00:00Z", "1996-02-01T00:00:00Z"]),
]


@pytest.mark.parametrize(("text", "exact", "start", "expected"), TABLE_1, ids=[f"{c[0]} from {c[2]}" for c in TABLE_1])
def test_table_1(text: str, exact: bool, start: str, expected: list[str | None]) -> None:
    assert parse_time_point(text).exact == exact
    assert occurrences(text, start, len(expected)) == expected


def test_bounded_points_of_table_1_end() -> None:
    assert len([o for o in occurrences("01:30 -/Feb/96", "1970-01-01", 40) if o]) == 29
    assert len([o for o in occurrences("1/-/96", "1970-01-01", 40) if o]) == 12


CALENDAR = [
    ("29/Feb/-", "1995-01-01", ["1996-02-29", "2000-02-29", "2004-02-29"]),
    ("29/Feb/-", "1896-03-01", ["1904-02-29"]),  # 1900 is no leap year
    ("29/Feb/-", "1996-03-01", ["2000-02-29"]),  # 2000 is one
    ("29/Feb/-", "2096-03-01", ["2104-02-29"]),  # 2100 is none
    ("Mon 29/Feb/-", "1996-01-01", ["2016-02-29", "2044-02-29", "2072-02-29", "2112-02-29"]),
    (
        "31/-/-",
        "2026-01-31",
        [
            "2026-01-31",
            "2026-03-31",
            "2026-05-31",
            "2026-07-31",
            "2026-08-31",
            "2026-10-31",
            "2026-12-31",
            "2027-01-31",
        ],
    ),
    ("30/-/-", "2026-01-31", ["2026-03-30"]),
    ("-/Feb/-", "2026-02-27", ["2026-02-27", "2026-02-28", "2027-02-01"]),
    ("-/-/96", "1996-12-30", ["1996-12-30", "1996-12-31"]),
    ("-/-/-", "1999-12-31", ["1999-12-31", "2000-01-01"]),
    ("Sun -/Feb/-", "2026-02-20", ["2026-02-22", "2027-02-07"]),
    ("Sun -/-/1999", "1990-01-01", ["1999-01-03", "1999-01-10"]),
]


@pytest.mark.parametrize(("text", "start", "expected"), CALENDAR, ids=[f"{c[0]} from {c[1]}" for c in CALENDAR])
def test_the_calendar(text: str, start: str, expected: list[str]) -> None:
    assert occurrences(text, start, len(expected)) == [f"{day}T00:00:00Z" for day in expected]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Fri 13/-/-", 688),
        ("Sun 13/-/-", 687),
        ("29/Feb/-", 97),
        ("Mon 29/Feb/-", 15),
        ("Sun 29/Feb/-", 13),
        ("31/-/-", 2800),
    ],
)
def test_how_often_in_the_400_years_of_the_calendar(text: str, count: int) -> None:
    point = parse_time_point(text)
    instant = point.next_at_or_after(parse_instant("1601-01-01"))
    end = parse_instant("2001-01-01")
    found = 0
    while instant is not None and instant < end:
        found += 1
        instant = point.next_after(instant)
    assert found == count


def test_time_begins_with_the_year_1_and_ends_with_the_year_9999() -> None:
    noon = parse_time_point("12:00")
    assert noon.next_at_or_after(FIRST_INSTANT - 10**30) == FIRST_INSTANT + DAY // 2
    assert noon.next_at_or_after(LAST_INSTANT - DAY) == LAST_INSTANT + 1 - DAY // 2
    assert noon.next_at_or_after(LAST_INSTANT) is None
    assert noon.next_after(LAST_INSTANT + 1 - DAY // 2) is None
    assert noon.next_at_or_after(10**30) is None
    assert parse_time_point("29/Feb/-").next_after(parse_instant("9996-02-29")) is None


@cache
def _table() -> list[tuple[int, int, int, int, int]]:
    """Every day from 1890 to 2110, by the standard library: days since 1970, weekday, day, month, year."""
    first, days = date(1890, 1, 1), (date(2111, 1, 1) - date(1890, 1, 1)).days
    rows = []
    for offset in range(days):
        day = first + timedelta(days=offset)
        rows.append((day.toordinal() - 719_163, day.weekday(), day.day, day.month, day.year))
    return rows


@settings(deadline=None, max_examples=examples(150))
@given(partial_points(), st.integers(-28_000 * DAY, 32_000 * DAY))
def test_the_next_occurrence_is_what_looking_at_every_day_finds(point: TimePoint, instant: int) -> None:
    table = _table()
    fields = [point.hour, point.minute, point.second, point.millisecond]
    hour, minute, second, millisecond = [field or 0 for field in fields]
    time_of_day = (((hour * 60 + minute) * 60 + second) * 1000 + millisecond) * 1000
    expected = None
    for index in range(bisect_left(table, (instant // DAY,)), len(table)):
        days, weekday, day, month, year = table[index]
        if (
            (point.weekday is None or point.weekday == weekday)
            and (point.day is None or point.day == day)
            and (point.month is None or point.month == month)
            and (point.year is None or point.year == year)
            and days * DAY + time_of_day >= instant
        ):
            expected = days * DAY + time_of_day
            break
    found = point.next_at_or_after(instant)
    if expected is None and found is not None:
        assert found > table[-1][0] * DAY + DAY
    else:
        assert found == expected
    if expected is not None:
        assert point.next_at_or_after(expected) == expected
        following = point.next_after(expected)
        assert following is None or following >= expected + DAY


VALIDATION = [
    (TimePoint(hour=24, minute=0), "hour 24 is out of range: 0 to 23"),
    (TimePoint(hour=0, minute=60), "minute 60 is out of range: 0 to 59"),
    (TimePoint(hour=0, minute=0, second=60), "second 60 is out of range: 0 to 59"),
    (TimePoint(hour=0, minute=0, second=0, millisecond=1000), "millisecond 1000 is out of range: 0 to 999"),
    (TimePoint(hour=-1, minute=0), "hour -1 is out of range: 0 to 23"),
    (TimePoint(weekday=7), "weekday 7 is out of range: 0 to 6"),
    (TimePoint(day=0), "day 0 is out of range: 1 to 31"),
    (TimePoint(day=32), "day 32 is out of range: 1 to 31"),
    (TimePoint(month=13), "month 13 is out of range: 1 to 12"),
    (TimePoint(year=0), "year 0 is out of range: 1 to 9999"),
    (TimePoint(year=10_000), "year 10000 is out of range: 1 to 9999"),
    (TimePoint(hour=10), "a time of day needs its hours and minutes"),
    (TimePoint(minute=10), "a time of day needs its hours and minutes"),
    (TimePoint(day=29, month=2, year=1995), "February 1995 has 28 days"),
    (TimePoint(day=30, month=2, year=1996), "February 1996 has 29 days"),
    (TimePoint(day=29, month=2, year=1900), "February 1900 has 28 days"),
    (TimePoint(day=31, month=4, year=1996), "April 1996 has 30 days"),
    (TimePoint(weekday=4, day=29, month=2, year=1996), "wrong weekday: 29/Feb/1996 is a Thu"),
    (TimePoint(day=30, month=2), "30/Feb/- can never match: February has at most 29 days"),
    (TimePoint(day=31, month=11), "31/Nov/- can never match: November has 30 days"),
    (TimePoint(weekday=0, day=31, year=1996), "Mon 31/-/1996 can never match"),
    (TimePoint(weekday=3, day=29, month=2, year=1996), None),
    (TimePoint(day=29, month=2, year=2000), None),
    (TimePoint(day=29, month=2), None),
    (TimePoint(weekday=6, day=29, month=2), None),
    (TimePoint(weekday=2, day=31, year=1996), None),
    (TimePoint(), None),
    (TimePoint(hour=23, minute=59, second=59, millisecond=999), None),
]


@pytest.mark.parametrize(("point", "message"), VALIDATION, ids=[str(c[1]) + f" {i}" for i, c in enumerate(VALIDATION)])
def test_validation(point: TimePoint, message: str | None) -> None:
    assert validate(point) == message


@settings(deadline=None)
@given(partial_points())
def test_a_valid_point_occurs_and_an_invalid_one_never_does(point: TimePoint) -> None:
    assert (validate(point) is None) == (point.next_at_or_after(FIRST_INSTANT) is not None)


def test_seconds_and_milliseconds_left_out_are_zero() -> None:
    assert TimePoint(10, 30) == TimePoint(10, 30, 0, 0) == parse_time_point("10:30")
    assert TimePoint(weekday=4) != TimePoint(0, 0, 0, 0, 4)


def test_only_an_exact_point_is_an_instant() -> None:
    assert parse_time_point("01:30 29/Feb/96").instant() == parse_instant("1996-02-29T01:30:00Z")
    with pytest.raises(UsageError):
        parse_time_point("Fri 13/-/-").instant()


COMPARED = [
    ("Mon", "2026-11-16T00:00:00Z", 0),
    ("Mon", "2026-11-17T00:00:00Z", 1),
    ("Fri", "2026-11-20T16:45:00Z", 0),  # Friday afternoon
    ("Fri", "2026-11-19T23:59:59Z", -1),
    ("Fri", "2026-11-22T00:00:00Z", 1),  # Sunday is the last day of the week
    ("10:00", "2026-11-15T10:00:30Z", 1),
    ("10:00", "2026-11-15T10:00:00Z", 0),
    ("10:00", "1970-01-01T09:59:59.999999Z", -1),
    ("10:00", "2026-11-15T10:00:00.000001Z", 1),
    ("8:00 Mon", "2026-11-16T07:00:00Z", -1),
    ("8:00 Mon", "2026-11-17T07:00:00Z", 1),
    ("-/Feb/-", "2026-02-28T12:00:00Z", 0),
    ("-/Feb/-", "1996-03-01T00:00:00Z", 1),
    ("-/Feb/96", "1995-12-01T00:00:00Z", -1),
    ("-/Feb/96", "1996-01-31T00:00:00Z", -1),
    ("-/-/96", "1996-12-31T23:00:00Z", 0),
    ("13/Feb/-", "1996-01-20T00:00:00Z", -1),  # the month counts before the day
    ("13/Feb/-", "1996-03-01T00:00:00Z", 1),
    ("13/-/96", "1997-01-01T00:00:00Z", 1),
    ("10:00 13/-/-", "1997-01-12T11:00:00Z", -1),
    ("13/-/-", "2026-11-12T23:00:00Z", -1),
    ("Fri 13/-/-", "2026-11-13T23:00:00Z", 0),
    ("Fri 13/-/-", "2026-12-13T23:00:00Z", 1),
    ("29/Feb/96", "1996-02-29T00:00:00Z", 0),  # exact: that very instant
    ("29/Feb/96", "1996-02-29T00:00:00.000001Z", 1),
    ("29/Feb/96", "1996-02-28T23:59:59.999999Z", -1),
    ("-/-/-", "2026-11-15T10:00:00Z", 0),
]


@pytest.mark.parametrize(("text", "instant", "expected"), COMPARED, ids=[f"{c[0]} {c[1]}" for c in COMPARED])
def test_comparison_looks_only_at_the_fields_written(text: str, instant: str, expected: int) -> None:
    assert parse_time_point(text).compare(parse_instant(instant)) == expected


def test_monday_to_friday_includes_friday_afternoon() -> None:
    monday, friday = parse_time_point("Mon"), parse_time_point("Fri")
    noon_of_week = [parse_instant(f"2026-11-{day}T16:00:00Z") for day in range(16, 23)]
    assert [monday.compare(t) >= 0 and friday.compare(t) <= 0 for t in noon_of_week] == [True] * 5 + [False] * 2


@settings(deadline=None)
@given(partial_points(), st.integers(-28_000 * DAY, 32_000 * DAY))
def test_an_occurrence_is_where_the_comparison_is_equal(point: TimePoint, instant: int) -> None:
    found = point.next_at_or_after(instant)
    if found is not None:
        assert point.compare(found) == 0
