"""Whatever text a parser of times is given, it returns a value or raises a RuleError that can be shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.errors import RuleError, Source
from tocsin.time import parse_instant, parse_period, parse_time_point

PARSERS: list[Callable[[str], object]] = [parse_period, parse_time_point, parse_instant]
SEEDS = [
    "5 min",
    "[2*day+12*hour]",
    "P1Y2M3DT4H5M6.7S",
    "0/0/2 0:01:05.5",
    "01:30:00.5 Thu 29/Feb/1996",
    "Fri 13/-/-",
    "2026-11-15T20:00:00.25+01:30",
    "2026/11/15 20:00:00",
]

anything = st.text(st.characters(exclude_categories=()))
lookalikes = st.text(
    "0123456789:/-+.,*[] \tTZPWYMDHSmsinhdayFriFeb\x00\ud800\N{ARABIC-INDIC DIGIT TWO}\N{SUPERSCRIPT TWO}"
)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A good text with a stretch of it replaced by something else."""
    text = draw(st.sampled_from(SEEDS))
    start, stop = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
    return text[:start] + draw(anything | lookalikes | st.integers().map(str)) + text[stop:]


@pytest.mark.parametrize("parse", PARSERS)
@given(text=anything | lookalikes | damaged())
def test_a_value_or_a_rule_error(parse: Callable[[str], object], text: str) -> None:
    try:
        parse(text)
    except RuleError as error:
        (fault,) = error.faults
        assert fault.message
        assert fault.span is not None
        assert 0 <= fault.span.start <= fault.span.stop <= len(text)
        str(error.located(Source(text))).encode()


@pytest.mark.parametrize("parse", PARSERS)
@pytest.mark.parametrize(
    "text",
    ["9" * 100_000, "1/" * 50_000, "1h" * 50_000 + "x", " " * 100_000, "\x00", "\udfff", "-" * 9999, "a" * 100_000],
)
def test_long_and_odd_texts_are_refused_quickly(parse: Callable[[str], object], text: str) -> None:
    with pytest.raises(RuleError):
        parse(text)
