"""002's operators under 2g-precedence on the meaning alone: built by hand, and held to a plain reading of 4.5 and 4.12."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.algebra.building import SECOND, both, detections, p, seq
from tests.amounts import examples
from tocsin.algebra.names import name_leaves
from tocsin.algebra.patterns import Absence, Accumulate, Concurrent, Pattern, Precedence
from tocsin.algebra.rules import BEST_EFFORT, Context
from tocsin.algebra.rules import Order as Policy
from tocsin.errors import Source
from tocsin.languages import global_

A, B, C = p("a"), p("b"), p("c")

PATTERNS: dict[str, Pattern] = {
    "a || b": Concurrent(A, B),
    "a ; b": seq(A, B, order=Precedence.GLOBAL),
    "(a || b) || c": Concurrent(Concurrent(A, B), C),
    "a , b": both(A, B),
    "a ; NOT b ; c": Absence(A, C, B, order=Precedence.GLOBAL),
    "a * b": Accumulate(A, B),
    "(a ; b) , c": both(seq(A, B, order=Precedence.GLOBAL), C),
}
CASES = yaml.safe_load((Path(__file__).parent.parent / "cases" / "global.yaml").read_text())["cases"]


@pytest.mark.parametrize("text", PATTERNS)
def test_the_parser_makes_what_is_built_by_hand(text: str) -> None:
    assert global_.parse(Source(text)) == name_leaves(PATTERNS[text])


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
        assert "time" not in each or one.time_us == each["time"] * SECOND


def test_without_the_model_concurrent_means_equal_instants() -> None:
    rows = [[1, "a", 10], [2, "b", 10], [3, "b", 11]]
    assert [d.events for d in detections(Concurrent(A, B), rows, context=Context.CHRONICLE)] == [("1", "2")]


def test_an_a_concurrent_with_b_stays_for_the_next_b() -> None:
    rows = [[1, "a", 4, {}, {"source": "A"}], [2, "b", 5, {}, {"source": "B"}], [3, "b", 8, {}, {"source": "B"}]]
    found = detections(Accumulate(A, B), rows, context=Context.CHRONICLE, granularity=SECOND)
    assert [d.events for d in found] == [("2",), ("1", "3")]


# -- a plain reading of definition 4.5 and algorithm 4.12, for operators on primitive events -----------------------------

Row = list[Any]
TENTH = 10


def is_before(one: Row, other: Row) -> bool:
    """T1 < T2: two ticks apart, or at one site by the local clock."""
    (site, time), (other_site, other_time) = (one[4]["source"], one[2]), (other[4]["source"], other[2])
    return int(other_time) - int(one[2]) >= 2 or (site == other_site and time < other_time)


def is_concurrent(one: Row, other: Row) -> bool:
    """T1 ~ T2: less than two ticks apart, and not of one site, unless at the same local time."""
    apart = abs(int(one[2]) - int(other[2]))
    return apart < 2 and (one[4]["source"] != other[4]["source"] or one[2] == other[2])


def read(operator: str, rows: list[Row]) -> list[list[str]]:
    """What is detected, arrival by arrival: the oldest that fits, and both are used up."""
    waiting: dict[str, list[Row]] = {"a": [], "b": [], "c": []}
    found: list[list[Row]] = []
    last = "c" if operator == "NOT" else "b"

    def fits(first: Row, second: Row) -> bool:
        match operator:
            case ",":
                return True
            case "||":
                return is_concurrent(first, second)
            case "NOT":
                between = any(is_before(first, one) and is_before(one, second) for one in waiting["b"])
                return is_before(first, second) and not between
        return is_before(first, second)

    for row in rows:
        kind = row[1]
        if operator == "*" and kind == "b":
            taken = [one for one in waiting["a"] if is_before(one, row)]
            waiting["a"] = [one for one in waiting["a"] if one not in taken]
            found.append([*taken, row])
            continue
        other = {"a": last, last: "a"}.get(kind, "")
        partners = [one for one in waiting.get(other, []) if (fits(one, row) if kind == last else fits(row, one))]
        if operator == "*" or not partners:
            waiting[kind].append(row)
            continue
        partner = min(partners, key=lambda one: (int(one[2]), one[2], rows.index(one)))
        waiting[other].remove(partner)
        found.append([partner, row])
    return sorted([one[0] for one in sorted(each, key=lambda one: (one[2], rows.index(one)))] for each in found)


@st.composite
def arrivals(draw: st.DrawFn) -> list[Row]:
    """Events of three types at three sites within a few ticks, in any order of arrival."""
    rows: list[Row] = []
    for number in range(draw(st.integers(0, 8))):
        kind, site = draw(st.sampled_from("abc")), draw(st.sampled_from("ABC"))
        time = draw(st.integers(0, 6 * TENTH)) / TENTH
        rows.append([str(number), kind, time, {}, {"source": site, "arrival": 100 + number}])
    return rows


@settings(max_examples=examples(200), deadline=None)
@given(st.sampled_from([",", ";", "||", "*", "NOT"]), arrivals())
def test_operators_agree_with_a_plain_reading(operator: str, rows: list[Row]) -> None:
    text = "a ; NOT b ; c" if operator == "NOT" else f"a {operator} b"
    seen = detections(PATTERNS[text], rows, context=Context.CHRONICLE, granularity=SECOND)
    if operator != "NOT":
        rows = [row for row in rows if row[1] != "c"]
    assert sorted(list(one.events) for one in seen) == read(operator, rows)
