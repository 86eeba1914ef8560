"""004's examples on the meaning alone: the patterns are built by hand until SEL has its parser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.algebra.building import both, detections, either, instant, later, named, no, p, seq, times, within
from tocsin.algebra.checks import pattern_faults
from tocsin.algebra.guards import Attribute, Binary
from tocsin.algebra.patterns import Pattern, Where
from tocsin.algebra.rules import Rule
from tocsin.errors import Fault

A, B, C, D, E, F = (p(name) for name in "abcdef")

PATTERNS: dict[str, Pattern] = {
    "ex1-not-followed-by": within(seq(A, no("b")), "20 seconds"),
    "ex2-not-preceded-by": within(seq(no("b"), A), "5 minutes"),
    "ex3-nothing-in-between": within(seq(A, no("c"), B), "40 seconds"),
    "ex4-first-b-only": within(seq(A, no("b"), B), "2 minutes"),
    "ex5-absence-after-and-before": within(seq(no("c"), within(instant(seq(A, no("b"))), "2 minutes")), "5 minutes"),
    "ex6-nested-windows": seq(within(seq(no("b"), A), "20 seconds"), within(both(C, either(D, no("e"))), "2 minutes")),
    "ex7-four-cuts-no-rise": within(seq(C, no("i"), C, no("i"), C, no("i"), C), "730 days"),
    "ex7-with-repetition": within(seq(times(seq(C, no("i")), 3), C), "730 days"),
    "f-but-no-e-between": within(seq(A, both(F, no("e")), B), "60 seconds"),
    "link-down-alert": within(
        seq(no("LinkADownAlert"), instant(within(seq(p("LinkADown"), no("LinkAUp")), "2 minutes"))), "5 minutes"
    ),
    "gap-order": within(seq(seq(A, B), seq(C, D)), "60 seconds"),
    "overlapping-order-by-braces": within(seq(instant(seq(A, B)), instant(seq(C, D))), "60 seconds"),
    "repetition-runs": within(times(A, 3), "60 seconds"),
    "delayed-instant": later(A, "30 seconds", at_once=True),
    "attribute-constraint": within(
        Where(seq(named("x", "a"), named("y", "b")), Binary("==", Attribute("x", "k"), Attribute("y", "k"))),
        "60 seconds",
    ),
    "both-facing-ends-fluid": within(seq(A, no("b"), no("c"), D), "60 seconds"),
    "both-outer-ends-fluid": within(seq(no("a"), B, no("c")), "60 seconds"),
}
CASES = yaml.safe_load((Path(__file__).parent.parent / "cases" / "sel.yaml").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_examples(case: dict[str, Any]) -> None:
    pattern = PATTERNS[str(case["name"])]
    faults: list[Fault] = []
    pattern_faults(Rule("r", pattern, "sel"), faults.append)
    if "error" in case:
        assert any(str(case["error"]) in fault.message for fault in faults)
        return
    assert faults == []
    found = detections(pattern, case["events"])
    wanted = [each if isinstance(each, dict) else {"events": each} for each in case["expect"]]
    assert sorted(list(d.events) for d in found) == sorted([str(e) for e in w["events"]] for w in wanted)
    by_events = {d.events: d for d in found}
    for each in wanted:
        one = by_events[tuple(str(e) for e in each["events"])]
        for key in ("start", "time", "detected"):
            assert key not in each or getattr(one, key) == each[key] * 1_000_000


def test_five_cuts_differ_in_the_two_forms() -> None:
    """SEMANTICS: a fluid end inside a run is bounded by its neighbour, so example 7's forms give 5 and 3."""
    rows = [[n, "c", n * 10] for n in range(1, 6)]
    assert len(detections(PATTERNS["ex7-four-cuts-no-rise"], rows)) == 5
    assert len(detections(PATTERNS["ex7-with-repetition"], rows)) == 3
