"""Correlations of Sigma over values of a timespan, and counts that stay low."""

from __future__ import annotations

import pytest

from tests.rules.test_sigma import found, happened

TRANSFER = """\
title: Transfer
name: transfer
logsource: {product: bank}
detection: {s: {kind: out}, condition: s}
---
title: hit
correlation:
    type: TYPE
    rules: [transfer]
    group-by: [user, bank]
    timespan: 1h
    condition: CONDITION
"""
END = (99_999, {"kind": "in"})
"""Time goes on."""


def hits(kind: str, condition: str, *given: tuple[float, float], user: str = "u") -> list[str]:
    """The events of each hit, among transfers of so much at these seconds."""
    text = TRANSFER.replace("TYPE", kind).replace("CONDITION", condition)
    made = [(at, {"kind": "out", "user": user, "bank": "b", "amount": amount}) for at, amount in given]
    return [ids for rule, ids in found(text, happened(*made, END, kind="bank")) if rule == "hit"]


@pytest.mark.parametrize(
    ("kind", "condition", "told"),
    [
        ("value_sum", "{field: amount, gt: 100}", ["2"]),
        ("value_sum", "{field: amount, gte: 100.5, lt: 150}", ["2"]),
        ("value_avg", "{field: amount, lt: 50}", ["3"]),
        ("value_median", "{field: amount, eq: 50}", ["1", "3"]),
        ("value_percentile", "{field: amount, percentile: 0, lte: 10}", ["3"]),
        ("value_avg", "{field: amount, neq: 50}", ["2"]),
    ],
)
def test_values_of_a_timespan(kind: str, condition: str, told: list[str]) -> None:
    """The hit is the event with which the comparison becomes true."""
    assert hits(kind, condition, (0, 50), (10, 50.5), (20, 10)) == told


def test_a_value_is_of_one_group() -> None:
    text = TRANSFER.replace("TYPE", "value_sum").replace("CONDITION", "{field: amount, gte: 3}")
    rows = [{"kind": "out", "user": "u", "bank": bank, "amount": 1} for bank in "abcabab"]
    assert found(text, happened(*enumerate(rows), kind="bank")) == [("hit", "6"), ("hit", "7")]


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        ("{lt: 3}", ["1"]),
        ("{lte: 1}", []),
        ("{eq: 2}", ["1 2"]),
        ("{eq: 1}", []),
        ("{gte: 2, lte: 4}", ["1 2"]),
        ("{neq: 2}", []),
        ("{neq: 3}", ["1"]),
        ("{neq: 1}", ["2"]),
    ],
)
def test_a_count_that_stays_low_is_known_when_the_time_is_over(condition: str, told: list[str]) -> None:
    assert hits("event_count", condition, (0, 1), (3_000, 1)) == told


def test_the_next_timespan_begins_after_one_without_events() -> None:
    assert hits("event_count", "{lt: 3}", (0, 1), (3_000, 1), (6_000, 1), (20_000, 1), (20_001, 1), (20_002, 1)) == [
        "1"
    ]


def test_few_different_values() -> None:
    assert hits("value_count", "{field: amount, lte: 1}", (0, 1), (10, 1), (9_000, 1), (9_010, 2)) == ["1"]
