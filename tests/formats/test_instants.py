"""Times as events carry them: exact to the microsecond, whatever they are written in."""

import io
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.formats.reading import as_tuple, read
from tocsin.formats import TimeStyle, events_from, read_events
from tocsin.formats.instants import Instant, render_seconds, to_instant
from tocsin.formats.refused import Refused
from tocsin.time.gregorian import FIRST_INSTANT, LAST_INSTANT

INSTANTS = st.integers(FIRST_INSTANT, LAST_INSTANT)


@given(INSTANTS)
@example(1_700_000_000_123_457)
@example(FIRST_INSTANT)
@example(LAST_INSTANT)
@example(-1)
def test_seconds_as_decimal_text_lose_no_microsecond(instant: int) -> None:
    assert as_tuple(read(f'{{"type": "a", "time": {render_seconds(instant)}}}')[0])[4] == instant
    assert as_tuple(read(f"type,time\na,{render_seconds(instant)}\n", "csv")[0])[4] == instant


@given(INSTANTS, INSTANTS)
def test_intervals_lose_none_either(one: int, other: int) -> None:
    low, high = sorted((one, other))
    event = read(f'{{"type": "a", "time": [{render_seconds(low)}, {render_seconds(high)}]}}')[0]
    assert as_tuple(event)[3:5] == (low, high)


@given(st.integers(-(2**33) * 10**6, 2**33 * 10**6))
def test_a_float_is_taken_for_the_shortest_decimal_it_is(instant: int) -> None:
    assert to_instant(instant / 1e6, "time") == instant


@pytest.mark.parametrize(
    ("value", "instant"),
    [
        (0.1 + 0.2, 300_000),
        (12, 12_000_000),
        (-0.5, -500_000),
        (Decimal("1.0000004"), 1_000_000),
        (Decimal("1e-999999"), 0),
        (Instant(5), 5),
        ("1970-01-01T00:00:01.5Z", 1_500_000),
        ("1970-01-01T01:00:00+01:00", 0),
        (datetime(1970, 1, 1, 0, 0, 1), 1_000_000),
        (datetime(1970, 1, 1, 1, tzinfo=timezone(timedelta(hours=1))), 0),
        (datetime.min.replace(tzinfo=UTC), FIRST_INSTANT),
        (datetime.max.replace(tzinfo=UTC), LAST_INSTANT),
        (date(1970, 1, 2), 86_400_000_000),
    ],
)
def test_values_that_are_times(value: object, instant: int) -> None:
    assert to_instant(value, "time") == instant


@pytest.mark.parametrize(
    "value",
    [None, True, [], {}, "", "12.5", "2020-02-30T00:00:00Z", float("nan"), float("inf"), 1e13, 10**4000, -(10**4000), Decimal("nan"), Decimal("1e999999"), Instant(2**62), timedelta(1), b"1", object()],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_values_that_are_not(value: object) -> None:
    with pytest.raises(Refused):
        to_instant(value, "time")


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        ("5", True),
        ("5.5", True),
        ("[1, 2]", True),
        ('"1970-01-01T00:00:01Z"', False),
        ('["1970-01-01T00:00:01Z", 5]', False),
    ],
)
def test_the_first_events_time_sets_the_style(time: str, seconds: bool) -> None:
    other = '{"type": "a", "time": "1970-01-01T00:00:09Z"}' if seconds else '{"type": "a", "time": 9}'
    arrivals = read_events(io.StringIO(f'bad\n{{"type": "a", "time": {time}}}\n{other}\n'), on_error="skip")
    assert not arrivals.style.seconds
    list(arrivals)
    assert arrivals.style.seconds is seconds
    assert arrivals.skipped == 1


@given(
    st.lists(st.integers(0, 2**52) | st.integers(2**51 - 99, 2**51 + 99) | st.integers(-200, 200), max_size=20),
    st.booleans(),
)
@example([100, 2**51], True)
@example([10**6 * 2**31 - 1, 10**6 * 2**31 + 1, 2**51 - 1], True)
def test_many_instants_are_written_as_each_of_them(instants: list[int], seconds: bool) -> None:
    style = TimeStyle(seconds)
    assert style.json_of_many(instants) == [style.json(each) for each in instants]


@given(st.lists(st.integers(100, 2**51), min_size=1, max_size=50))
def test_many_instants_that_floats_write_are_written_as_each_of_them(instants: list[int]) -> None:
    style = TimeStyle(True)
    assert style.json_of_many(instants) == [style.json(each) for each in instants]


def test_a_style_can_be_shared_and_is_set_once() -> None:
    style = TimeStyle()
    list(events_from([{"type": "a", "time": 1}], style=style))
    list(events_from([{"type": "a", "time": datetime(2020, 1, 1)}], style=style))
    assert style.seconds
    assert (style.json(1_500_000), TimeStyle(seconds=False).json(1_500_000)) == ("1.5", '"1970-01-01T00:00:01.5Z"')


@given(st.integers())
def test_seconds_always_have_a_point_and_no_zeros_at_the_end(instant: int) -> None:
    text = render_seconds(instant)
    assert Decimal(text) * 10**6 == Decimal(instant) or abs(instant) > 10**27
    whole, _, places = text.partition(".")
    assert whole
    assert places == "0" or not places.endswith("0")
