"""Instants as text: RFC 3339 and its relatives."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.errors import RuleError
from tocsin.time import instants, parse_instant, render_instant
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT, date_from_days, days_from_date, weekday_of

WRITTEN = [
    ("1970-01-01T00:00:00Z", 0),
    ("2026-11-15T20:00:00Z", 1_794_772_800_000_000),
    ("2026-11-15t20:00:00z", 1_794_772_800_000_000),
    ("2026-11-15 20:00:00", 1_794_772_800_000_000),
    ("2026-11-15T20:00:00", 1_794_772_800_000_000),
    ("2026/11/15 20:00:00", 1_794_772_800_000_000),
    ("2026/1/5 0:01:05", 1_767_571_265_000_000),
    ("2026-11-15", 1_794_700_800_000_000),
    ("2026/11/15", 1_794_700_800_000_000),
    (" 2026-11-15 ", 1_794_700_800_000_000),
    ("2026-11-15T20:00:00+01:30", 1_794_767_400_000_000),
    ("2026-11-15T20:00:00.5-00:30", 1_794_774_600_500_000),
    ("2026-11-15T20:00:00-00:00", 1_794_772_800_000_000),
    ("2026-11-15T20:00:00.123456789Z", 1_794_772_800_123_456),
    ("2026-11-15T20:00:00.1Z", 1_794_772_800_100_000),
    ("1969-12-31T23:59:59.999999Z", -1),
    ("1990-12-31T23:59:60Z", 662_688_000_000_000),
    ("1990-12-31T15:59:60-08:00", 662_688_000_000_000),
    ("1990-12-31T23:59:60.25Z", 662_688_000_250_000),
    ("0001-01-01T00:00:00Z", FIRST_INSTANT),
    ("9999-12-31T23:59:59.999999Z", LAST_INSTANT),
    ("2000-02-29T00:00:00Z", 951_782_400_000_000),
]


@pytest.mark.parametrize(("text", "instant"), WRITTEN)
def test_instants_as_people_write_them(text: str, instant: int) -> None:
    assert parse_instant(text) == instant


REFUSED = [
    ("", "ends too soon", 0, 0),
    ("now", "unexpected 'now'", 0, 3),
    ("12.5", "year '12' does not have 4 digits", 0, 2),
    ("2026-1-05", "month '1' does not have 2 digits", 5, 6),
    ("2026-13-05", "month 13 is out of range: 1 to 12", 5, 7),
    ("2026-00-05", "month 0 is out of range", 5, 7),
    ("2026-02-30", "February 2026 has 28 days", 0, 10),
    ("1900-02-29T00:00:00Z", "February 1900 has 28 days", 0, 10),
    ("2026-11-31", "November 2026 has 30 days", 0, 10),
    ("2026-11-15T24:00:00Z", "hour 24 is out of range: 0 to 23", 11, 13),
    ("2026-11-15T23:60:00Z", "minute 60 is out of range", 14, 16),
    ("2026-11-15T23:59:61Z", "second 61 is out of range: 0 to 60", 17, 19),
    ("2026-11-15T20:00Z", "unexpected 'Z'", 16, 17),
    ("2026-11-15T20:00:00.Z", "unexpected 'Z'", 20, 21),
    ("2026-11-15T20:00:00,5Z", "unexpected ','", 19, 20),
    ("2026-11-15T", "ends too soon", 11, 11),
    ("2026-11-15T20:00:00+0100", "offset hour '0100'", 20, 24),
    ("2026-11-15T20:00:00+24:00", "offset hour 24 is out of range", 20, 22),
    ("2026-11-15T20:00:00+01:60", "offset minute 60", 23, 25),
    ("2026-11-15T20:00:00Z!", "unexpected '!'", 20, 21),
    ("2026-11/15", "unexpected '/'", 7, 8),
    ("20261115", "does not have 4 digits", 0, 8),
    ("0000-01-01", "year 0 is out of range", 0, 4),
    ("+2026-11-15", "unexpected '+'", 0, 1),
    ("0001-01-01T00:00:00+00:01", "outside the years 1 to 9999", 0, 25),
    ("9999-12-31T23:59:60Z", "outside the years 1 to 9999", 0, 20),
    ("2026-11-15T20:00:00\x00", "unexpected", 19, 20),
    ("\ud800", "unexpected", 0, 1),
    ("\N{FULLWIDTH DIGIT TWO}026-11-15T20:00:00Z", "unexpected", 0, 4),
    ("2026-11-15T20:00:00Z\n\N{NO-BREAK SPACE}", "unexpected", 21, 22),
    ("2026/" + "1" * 5000, "out of range", 5, 5005),
]


@pytest.mark.parametrize(("text", "message", "start", "stop"), REFUSED, ids=[ascii(c[0][:24]) for c in REFUSED])
def test_a_bad_instant_is_refused_where_it_is_wrong(text: str, message: str, start: int, stop: int) -> None:
    with pytest.raises(RuleError) as caught:
        parse_instant(text)
    (fault,) = caught.value.faults
    assert message in fault.message
    assert fault.span is not None
    assert (fault.span.start, fault.span.stop) == (start, stop)


@given(st.integers(FIRST_INSTANT, LAST_INSTANT))
def test_rendering_parses_back_and_agrees_with_the_standard_library(instant: int) -> None:
    text = render_instant(instant)
    assert parse_instant(text) == instant
    expected = (datetime(1970, 1, 1) + timedelta(microseconds=instant)).isoformat()
    if "." in expected:
        expected = expected.rstrip("0")
    assert text == expected + "Z"


@given(
    st.datetimes(min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29)),
    st.integers(-23 * 60 - 59, 23 * 60 + 59),
)
def test_offsets_agree_with_the_standard_library(moment: datetime, offset: int) -> None:
    local = moment.replace(tzinfo=timezone(timedelta(minutes=offset)))
    expected = (local - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    assert parse_instant(local.isoformat()) == expected


@st.composite
def usual_texts(draw: st.DrawFn) -> str:
    """Texts of the usual form, with fields that may be just out of range."""
    year, month, day = draw(st.integers(0, 9999)), draw(st.integers(0, 13)), draw(st.integers(0, 32))
    hour, minute, second = draw(st.integers(0, 25)), draw(st.integers(0, 61)), draw(st.integers(0, 61))
    fraction = draw(st.sampled_from(["", ".0", ".5", ".123456", ".9999999"]))
    separator, zone = draw(st.sampled_from("T ")), draw(st.sampled_from(["Z", ""]))
    return f"{year:04}-{month:02}-{day:02}{separator}{hour:02}:{minute:02}:{second:02}{fraction}{zone}"


@given(usual_texts())
def test_the_fast_way_and_the_scanner_read_the_same(text: str) -> None:
    fast = instants._usual(text)
    try:
        careful: int | None = instants._scanned(text)
    except RuleError:
        careful = None
    if fast is not None:
        assert fast == careful
    elif careful is not None:
        assert ":60" in text


@pytest.mark.parametrize("instant", [FIRST_INSTANT - 1, LAST_INSTANT + 1, 10**30, -(10**30)])
def test_what_cannot_be_written_is_refused_cleanly(instant: int) -> None:
    with pytest.raises(RuleError, match="outside the years 1 to 9999"):
        render_instant(instant)


def test_a_fraction_is_shown_only_where_it_is_not_zero() -> None:
    assert render_instant(1_000_000) == "1970-01-01T00:00:01Z"
    assert render_instant(1_250_000) == "1970-01-01T00:00:01.25Z"
    assert render_instant(1) == "1970-01-01T00:00:00.000001Z"


def test_every_day_of_the_calendar_agrees_with_the_standard_library() -> None:
    first = datetime(1970, 1, 1).toordinal()
    # Every day of one whole cycle around now, then one day in 101 of all there are.
    days = [*range(-50_000, 100_000), *range(1 - first, datetime(9999, 12, 31).toordinal() - first, 101)]
    for day in days:
        year, month, number = date_from_days(day)
        date = datetime.fromordinal(first + day)
        assert (year, month, number) == (date.year, date.month, date.day)
        assert days_from_date(year, month, number) == day
        assert weekday_of(day) == date.weekday()
