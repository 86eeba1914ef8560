"""002's operators under 2g-precedence on the meaning alone, built by hand until its notation has a parser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.algebra.building import SECOND, both, detections, p, seq
from tocsin.algebra.patterns import Absence, Accumulate, Concurrent, Order, Pattern
from tocsin.algebra.rules import BEST_EFFORT, Context
from tocsin.algebra.rules import Order as Policy

A, B, C = p("a"), p("b"), p("c")

PATTERNS: dict[str, Pattern] = {
    "a || b": Concurrent(A, B),
    "a ; b": seq(A, B, order=Order.GLOBAL),
    "(a || b) || c": Concurrent(Concurrent(A, B), C),
    "a , b": both(A, B),
    "a ; NOT b ; c": Absence(A, C, B, order=Order.GLOBAL),
    "a * b": Accumulate(A, B),
    "(a ; b) , c": both(seq(A, B, order=Order.GLOBAL), C),
}
CASES = yaml.safe_load((Path(__file__).parent.parent / "cases" / "global.yaml").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_examples(case: dict[str, Any]) -> None:
    order = Policy(str(case["order"])) if "order" in case else BEST_EFFORT
    found = detections(
        PATTERNS[str(case["expr"])],
        case["events"],
        context=Context.CHRONICLE,
        order=order,
        granularity=SECOND,
    )
    wanted = [each if isinstance(each, dict) else {"events": each} for each in case["expect"]]
    assert sorted(list(d.events) for d in found) == sorted([str(e) for e in w["events"]] for w in wanted)
    for each in wanted:
        one = next(d for d in found if list(d.events) == [str(e) for e in each["events"]])
        assert "stamp" not in each or one.stamp == each["stamp"]
        assert "time" not in each or one.time == each["time"] * SECOND


def test_without_the_model_concurrent_means_equal_instants() -> None:
    rows = [[1, "a", 10], [2, "b", 10], [3, "b", 11]]
    assert [d.events for d in detections(Concurrent(A, B), rows, context=Context.CHRONICLE)] == [("1", "2")]


def test_an_a_concurrent_with_b_stays_for_the_next_b() -> None:
    rows = [[1, "a", 4, {}, {"source": "A"}], [2, "b", 5, {}, {"source": "B"}], [3, "b", 8, {}, {"source": "B"}]]
    found = detections(Accumulate(A, B), rows, context=Context.CHRONICLE, granularity=SECOND)
    assert [d.events for d in found] == [("2",), ("1", "3")]
