"""Expected against found: pairs are made as well as they can be, and what is left says how it differs."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tocsin.events import Detection
from tocsin.formats import TimeStyle
from tocsin.testing.cases import Expected, Wanted
from tocsin.testing.comparison import Comparison, compared, differing
from tocsin.testing.expectations import expected_of

STYLE = TimeStyle(True)


def found(*events: str, rule: str = "r", time: int = 0, **data: Any) -> Detection:
    return Detection(rule, rule, 0, time, time, events, data)


def against(value: object, *some: Detection) -> Comparison:
    return compared(expected_of(value, ["r", "s"]), some, STYLE)


@pytest.mark.parametrize(
    ("value", "some"),
    [
        ("none", []),
        (None, []),
        ({}, []),
        (2, [found("1"), found("2", rule="s")]),
        ([["1"], [2]], [found("2"), found("1")]),
        ([{"rule": "r", "data": {"x": 1}}], [found(x=1.0, y=2)]),
        ([{"time": 1.5, "events": []}], [found(time=1_500_000)]),
        ({"r": [[1]], "s": 1}, [found("7", rule="s"), found("1")]),
        ([{"data": {"l": [1, "a"], "m": {"k": None}}}], [found(l=(1, "a"), m={"k": None})]),
        ([{"notification": None}], [found()]),
    ],
)
def test_as_expected(value: object, some: list[Detection]) -> None:
    assert against(value, *some).is_good


@pytest.mark.parametrize(
    ("value", "some"),
    [
        ("none", [found("1")]),
        (1, []),
        ({"r": 1}, [found("1"), found("2", rule="s")]),
        ({"r": 1, "s": "none"}, [found("1"), found("2", rule="s")]),
        ([["1"]], []),
        ([["1"]], [found("1"), found("1")]),
        ([["1", "2"]], [found("2", "1")]),
        ([{"data": {"x": 1}}], [found()]),
        ([{"data": {"x": True}}], [found(x=1)]),
        ([{"data": {"x": "1"}}], [found(x=1)]),
        ([{"data": {"x": 1}}], [found(x=1.01)]),
        ([{"time": 1}], [found(time=1_000_001)]),
    ],
)
def test_not_as_expected(value: object, some: list[Detection]) -> None:
    assert not against(value, *some).is_good


def test_what_says_little_does_not_take_what_another_needs() -> None:
    assert against([{"rule": "r"}, {"rule": "r", "time": 5}], found("1", time=5_000_000), found("2")).is_good


def test_the_nearest_are_shown_together() -> None:
    value = [{"rule": "r", "events": [1, 2], "time": 3, "data": {"x": 1}}, {"rule": "r", "events": [9]}]
    near, far = found("1", "2", time=4_000_000, x=2), found("5", "6", time=9_000_000)
    comparison = against(value, far, near)
    (different,) = comparison.different
    assert different.found is near
    assert different.fields == ("time", "data.x")
    assert [wanted.fields["events"] for wanted in comparison.missing] == [("9",)]
    assert comparison.unexpected == (far,)


WANTED = st.fixed_dictionaries({}, optional={"rule": st.sampled_from("rs"), "events": st.sampled_from([["1"], ["2"]])})
FOUND = st.builds(lambda rule, event: found(event, rule=rule), st.sampled_from("rs"), st.sampled_from("12"))


@given(st.lists(WANTED, max_size=4), st.lists(FOUND, max_size=4))
def test_it_is_good_if_there_is_any_way_to_pair_them(value: list[dict[str, Any]], some: list[Detection]) -> None:
    expected = expected_of(value, ["r", "s"])
    possible = len(value) == len(some) and any(
        all(not differing(wanted, one, STYLE) for wanted, one in zip(expected.wanted, order, strict=True))
        for order in permutations(some)
    )
    comparison = compared(expected, some, STYLE)
    assert comparison.is_good == possible
    told = [*comparison.as_expected, *(each.found for each in comparison.different), *comparison.unexpected]
    assert sorted(map(id, told)) == sorted(map(id, some))
    assert len(comparison.missing) + len(comparison.different) + len(comparison.as_expected) == len(value)


def test_an_open_case_expects_nothing_yet() -> None:
    assert expected_of("update", ["r"]) == Expected(is_open=True)
    assert expected_of([[1]], ["r"]).wanted == (Wanted({"events": ("1",)}),)
