"""Periods: what people write, what it is added to an instant, and back to text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.errors import RuleError
from tocsin.time import (
    DAY,
    HOUR,
    MINUTE,
    MSEC,
    SECOND,
    UNITS,
    WEEK,
    Period,
    human_period,
    parse_instant,
    parse_period,
    render_eps_span,
    render_instant,
    render_period,
)

periods = st.builds(Period, st.integers(0, 4000), st.integers(0, 40), st.integers(0, 10**17)) | st.builds(
    Period, st.just(0), st.just(0), st.integers(0, 3 * DAY)
)
instants = st.integers(-(10**16), 10**16)

WRITTEN = [
    ("5 min", Period.of(microseconds=5 * MINUTE)),
    ("1h30m", Period.of(microseconds=90 * MINUTE)),
    ("1h 30m", Period.of(microseconds=90 * MINUTE)),
    ("1 hour + 30 minutes", Period.of(microseconds=90 * MINUTE)),
    ("90 seconds", Period.of(microseconds=90 * SECOND)),
    ("1.5 h", Period.of(microseconds=90 * MINUTE)),
    ("0.5 weeks", Period.of(microseconds=WEEK // 2)),
    ("250 ms", Period.of(microseconds=250 * MSEC)),
    ("7us", Period.of(microseconds=7)),
    ("  2 Days ", Period.of(microseconds=2 * DAY)),
    ("[2*day+12*hour]", Period.of(microseconds=60 * HOUR)),
    ("[day + 12 * hour]", Period.of(microseconds=36 * HOUR)),
    ("[min]", Period.of(microseconds=MINUTE)),
    ("2*day", Period.of(microseconds=2 * DAY)),
    ("[65*sec]", Period.of(microseconds=65 * SECOND)),
    ("PT5M", Period.of(microseconds=5 * MINUTE)),
    ("P1DT12H", Period.of(microseconds=36 * HOUR)),
    ("P1Y2M", Period(1, 2, 0)),
    ("P1Y2M3W4DT5H6M7.5S", Period(1, 2, 25 * DAY + 5 * HOUR + 6 * MINUTE + 7_500_000)),
    ("pt0,5s", Period.of(microseconds=SECOND // 2)),
    ("P1.5DT1H", Period.of(microseconds=37 * HOUR)),
    ("P2W", Period.of(microseconds=2 * WEEK)),
    ("P1M", Period(months=1)),
    ("PT1M", Period.of(microseconds=MINUTE)),
    ("0/0/2 0:01:05", Period.of(microseconds=2 * DAY + 65 * SECOND)),
    ("1/14/3 100:00:00.25", Period(2, 2, 3 * DAY + 100 * HOUR + 250_000)),
    ("0/0/2", Period.of(microseconds=2 * DAY)),
    ("90", Period.of(microseconds=90 * SECOND)),
    ("0.25", Period.of(microseconds=SECOND // 4)),
    ("0", Period()),
    ("14 months", Period(1, 2, 0)),
    ("1.5 years", Period(1, 6, 0)),
    ("0.0000019 sec", Period.of(microseconds=1)),
    ("0." + "1" * 5000 + " s", Period.of(microseconds=111_111)),
    ("10000 years", Period(10_000)),
]


@pytest.mark.parametrize(("text", "period"), WRITTEN, ids=[text[:20] for text, _ in WRITTEN])
def test_periods_as_people_write_them(text: str, period: Period) -> None:
    assert parse_period(text) == period


# text, the part of the message, where the fault begins and ends, the part of what was expected
REFUSED = [
    ("", "ends too soon", 0, 0, "a length of time"),
    ("   ", "ends too soon", 3, 3, "a length of time"),
    ("[", "ends too soon", 1, 1, "a length of time"),
    ("5 mni", "unknown unit of time 'mni'", 2, 5, "a unit of time"),
    ("-5 min", "unexpected '-'", 0, 1, "a length of time"),
    ("5 min -", "unexpected '-'", 6, 7, "nothing more"),
    ("1.5 months", "a part of a month", 0, 10, "whole months"),
    ("2h 0.1 year", "a part of a month", 3, 11, "whole months"),
    ("P0.5M", "a part of a month", 1, 5, "whole months"),
    ("1h 30", "ends too soon", 5, 5, "a unit of time"),
    ("5 +", "unexpected '+'", 2, 3, "a unit of time"),
    ("5 min +", "ends too soon", 7, 7, "a number or a unit"),
    ("5*", "ends too soon", 2, 2, "a unit of time"),
    ("1.", "ends too soon", 2, 2, "fraction"),
    ("day hour", "unexpected 'hour'", 4, 8, "nothing more"),
    ("[5 min", "ends too soon", 6, 6, "']'"),
    ("5 min]", "unexpected ']'", 5, 6, "nothing more"),
    ("P", "ends too soon", 1, 1, "a number"),
    ("PT", "ends too soon", 2, 2, "a number"),
    ("P1H", "unexpected 'H'", 2, 3, "Y, M, W or D"),
    ("PT5M3H", "unexpected 'H'", 5, 6, "S"),
    ("P1D2Y", "unexpected '2Y'", 3, 5, "nothing more"),
    ("P1YT2H3M4S5", "unexpected '5'", 10, 11, "nothing more"),
    ("P1D T1H", "unexpected 'T1H'", 4, 7, "nothing more"),
    ("PT1\N{LATIN SMALL LETTER LONG S}", "unexpected", 3, 4, "H, M or S"),
    ("0/0 0:01:05", "unexpected ' '", 3, 4, "'/'"),
    ("0/0/2 0:60:05", "minutes are out of range: 0 to 59", 8, 10, ""),
    ("0/0/2 0:01:60", "seconds are out of range: 0 to 59", 11, 13, ""),
    ("0/0/2 0:01", "ends too soon", 10, 10, "':' and seconds"),
    ("10001 years", "more than 10,000 years", 0, 11, ""),
    ("[9999999999999 sec]", "more than 10,000 years", 1, 18, ""),
    ("9" * 5000, "more than 10,000 years", 0, 5000, ""),
    ("9" * 5000 + "/0/0", "out of range", 0, 5000, ""),
    ("\N{ARABIC-INDIC DIGIT FIVE} min", "unexpected", 0, 1, "a length of time"),
]


@pytest.mark.parametrize(("text", "message", "start", "stop", "expected"), REFUSED, ids=[c[0][:20] for c in REFUSED])
def test_a_bad_period_is_refused_where_it_is_wrong(
    text: str, message: str, start: int, stop: int, expected: str
) -> None:
    with pytest.raises(RuleError) as caught:
        parse_period(text)
    (fault,) = caught.value.faults
    assert message in fault.message
    assert fault.span is not None
    assert (fault.span.start, fault.span.stop) == (start, stop)
    assert expected in fault.expected
    assert bool(expected) == bool(fault.expected)


def test_a_misspelt_unit_is_guessed_and_a_negative_length_explained() -> None:
    with pytest.raises(RuleError) as caught:
        parse_period("5 secnds")
    assert "did you mean 'seconds'?" in str(caught.value)
    with pytest.raises(RuleError, match="never negative"):
        parse_period("-5 min")


def test_every_unit_word_is_read_as_the_unit_it_names() -> None:
    for word, unit in UNITS.items():
        assert parse_period(f"3 {word}") == unit.scaled(3)
        assert parse_period(f"3{word.upper()}") == unit.scaled(3)
    words = "msec ms millisecond us microsecond s sec second m min minute h hour d day w week month y year"
    assert set(words.split()) <= set(UNITS)
    plurals = "milliseconds microseconds secs seconds mins minutes hours days weeks months years"
    assert set(plurals.split()) <= set(UNITS)


RENDERED = [
    (Period(), "0*sec", "0/0/0 0:00:00", "0s"),
    (Period.of(microseconds=65 * SECOND), "1*min+5*sec", "0/0/0 0:01:05", "1m 5s"),
    (Period.of(microseconds=2 * DAY + 65 * SECOND), "2*day+1*min+5*sec", "0/0/2 0:01:05", "2d 1m 5s"),
    (Period.of(microseconds=90 * MINUTE), "1*hour+30*min", "0/0/0 1:30:00", "1h 30m"),
    (Period.of(microseconds=WEEK), "7*day", "0/0/7 0:00:00", "7d"),
    (Period.of(microseconds=1500), "1.5*msec", "0/0/0 0:00:00.0015", "1.5ms"),
    (Period.of(microseconds=1), "0.001*msec", "0/0/0 0:00:00.000001", "1us"),
    (Period.of(microseconds=1_500_000), "1*sec+500*msec", "0/0/0 0:00:01.5", "1.5s"),
    (Period(1, 2, 3), "1*year+2*month+0.003*msec", "1/2/0 0:00:00.000003", "1y 2mo 3us"),
]


@pytest.mark.parametrize(("period", "gem", "eps", "human"), RENDERED, ids=[c[1] for c in RENDERED])
def test_periods_are_rendered_in_their_normal_form(period: Period, gem: str, eps: str, human: str) -> None:
    assert (render_period(period), render_eps_span(period), human_period(period)) == (gem, eps, human)


@given(periods)
def test_every_rendering_parses_back_to_an_equal_period(period: Period) -> None:
    assert parse_period(render_period(period)) == period
    assert parse_period(f"[{render_period(period)}]") == period
    assert parse_period(render_eps_span(period)) == period
    assert parse_period(human_period(period)) == period


def test_negative_periods_show_their_sign() -> None:
    assert render_period(Period.of(microseconds=-65 * SECOND)) == "-1*min-5*sec"
    assert human_period(Period.of(microseconds=-1500)) == "-1.5ms"
    assert render_eps_span(Period.of(microseconds=-65 * SECOND)) == "0/0/-0 0:01:05"


STEPS = [
    ("1995-01-31T10:30:00.5Z", "1 month", "1995-02-28T10:30:00.5Z"),
    ("1996-01-31T10:30:00Z", "1 month", "1996-02-29T10:30:00Z"),
    ("1996-02-29T00:00:00Z", "1 year", "1997-02-28T00:00:00Z"),
    ("1996-02-29T00:00:00Z", "4 years", "2000-02-29T00:00:00Z"),
    ("1896-02-29T00:00:00Z", "4 years", "1900-02-28T00:00:00Z"),
    ("2026-11-30T23:59:59Z", "3 months", "2027-02-28T23:59:59Z"),
    ("2026-08-31T00:00:00Z", "13 months", "2027-09-30T00:00:00Z"),
    ("1995-01-31T00:00:00Z", "1 month + 1 day", "1995-03-01T00:00:00Z"),
    ("1995-12-31T23:00:00Z", "2 h", "1996-01-01T01:00:00Z"),
    ("1969-12-31T00:00:00Z", "2 months", "1970-02-28T00:00:00Z"),
]


@pytest.mark.parametrize(("start", "period", "end"), STEPS)
def test_calendar_steps_are_clamped_to_the_end_of_the_month(start: str, period: str, end: str) -> None:
    assert render_instant(parse_period(period).added_to(parse_instant(start))) == end


def test_the_nth_of_a_series_does_not_drift() -> None:
    start = parse_instant("1995-01-31")
    month = Period(months=1)
    days = [render_instant(month.scaled(n).added_to(start))[:10] for n in range(5)]
    assert days == ["1995-01-31", "1995-02-28", "1995-03-31", "1995-04-30", "1995-05-31"]


@given(st.integers(-60_000_000_000_000_000, 200_000_000_000_000_000), st.integers(0, 500))
def test_a_step_of_months_agrees_with_the_standard_library(instant: int, months: int) -> None:
    begin = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=instant)
    index = begin.year * 12 + begin.month - 1 + months
    day = begin.day
    while True:
        try:
            end = begin.replace(year=index // 12, month=index % 12 + 1, day=day)
            break
        except ValueError:
            day -= 1
    expected = (end - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    assert Period(months=months).added_to(instant) == expected


def test_adding_beyond_what_can_be_written_is_still_arithmetic() -> None:
    last = parse_instant("9999-12-31T00:00:00Z")
    assert Period(years=400).added_to(last) == last + 146_097 * DAY


@given(periods, periods, instants)
def test_addition_of_fixed_lengths_is_plain_addition(a: Period, b: Period, instant: int) -> None:
    fixed = Period.of(microseconds=a.microseconds)
    assert fixed.added_to(instant) == instant + a.microseconds
    assert (a + b).length() == (b + a).length()
    assert a + b == b + a


@given(periods, periods)
def test_periods_are_ordered_by_length(a: Period, b: Period) -> None:
    assert (a < b) == (a.length() < b.length()) == (b > a)
    assert (a <= b) == (a.length() <= b.length()) == (b >= a)


@given(periods, st.integers(0, 50))
def test_scaling_is_repeated_addition(period: Period, times: int) -> None:
    total = Period()
    for _ in range(times):
        total = total + period
    assert total == period.scaled(times)


def test_a_month_counts_for_30_days_and_a_year_for_365_when_compared() -> None:
    month, year = Period(months=1), Period(years=1)
    assert Period.of(microseconds=30 * DAY) <= month <= Period.of(microseconds=30 * DAY)
    assert Period.of(microseconds=29 * DAY) < month < Period.of(microseconds=31 * DAY)
    assert Period.of(microseconds=364 * DAY) < year < Period.of(microseconds=366 * DAY)
    assert month != Period.of(microseconds=30 * DAY)


def test_months_are_normalised_however_the_period_is_made() -> None:
    assert Period(0, 25, 0) == Period(2, 1, 0) == Period.of(months=25)
    assert hash(Period(0, 12, 7)) == hash(Period(1, 0, 7))
    assert (Period(months=7) + Period(months=7)).months == 2
    assert Period(months=-1) == Period(-1, 11, 0)
    assert Period() != 0


def test_only_what_is_longer_than_nothing_is_positive() -> None:
    assert Period(months=1).is_positive
    assert Period.of(microseconds=1).is_positive
    assert not Period().is_positive
    assert not Period.of(microseconds=-1).is_positive
