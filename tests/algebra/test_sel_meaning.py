"""004 on the meaning alone: its examples as patterns, and random patterns against an independent reading."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.algebra.building import SECOND, both, detections, either, instant, later, named, no, p, seq, times, within
from tests.algebra.sel_reading import read
from tests.amounts import examples
from tocsin.algebra.checks import pattern_faults
from tocsin.algebra.ends import end_faults
from tocsin.algebra.guards import Attribute, Binary
from tocsin.algebra.meaning import occurrences
from tocsin.algebra.names import name_leaves
from tocsin.algebra.patterns import (
    After,
    Between,
    Both,
    Either,
    Instant,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Where,
    Within,
    walk,
)
from tocsin.algebra.rules import Rule
from tocsin.algebra.scene import FAR, History
from tocsin.errors import Fault, Source
from tocsin.events import Event
from tocsin.languages import sel
from tocsin.time.spans import Period

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
    "gap-order": within(seq(A, B, seq(C, D)), "60 seconds"),
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
    assert sel.parse(Source(case["expr"])) == name_leaves(pattern)
    faults = faults_of(pattern)
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
            assert key not in each or getattr(one, f"{key}_us") == each[key] * SECOND


def faults_of(pattern: Pattern) -> list[Fault]:
    faults: list[Fault] = []
    pattern_faults(Rule("r", pattern, "sel"), faults.append)
    return faults


def test_five_cuts_differ_in_the_two_forms() -> None:
    """SEMANTICS: a fluid end inside a run is bounded by its neighbour, so example 7's forms give 5 and 3."""
    rows = [[n, "c", n * 10] for n in range(1, 6)]
    assert len(detections(PATTERNS["ex7-four-cuts-no-rise"], rows)) == 5
    assert len(detections(PATTERNS["ex7-with-repetition"], rows)) == 3


# -- what a detector has to do with them ------------------------------------------------------------------------------


def seen(expression: str, rows: list[list[Any]]) -> list[tuple[tuple[str, ...], float]]:
    """The events and the clock of each detection."""
    return [(one.events, one.detected_us / SECOND) for one in detections(sel.parse(Source(expression)), rows)]


def test_two_windows_from_one_instant_are_two() -> None:
    rows: list[list[Any]] = [[1, "a", 5], [2, "a", 5], [3, "b", 5]]
    assert seen("a -> !b in 20 seconds", rows) == [(("1",), 25), (("2",), 25)]
    assert seen("a -> (!b in 20 seconds)", rows) == [(("1",), 25), (("2",), 25)]


@pytest.mark.parametrize(
    "expression",
    ["(a -> !b in 5 seconds) & (c -> !d in 5 seconds)", "a delta 5 seconds & c delta 5 seconds"],
)
def test_two_moments_at_one_instant_are_one_detection(expression: str) -> None:
    assert seen(expression, [[1, "a", 0], [2, "c", 0]]) == [(("1", "2"), 5)]


@pytest.mark.parametrize(
    ("expression", "when"),
    [
        ("a delta 5 seconds -> (!b in 10 seconds)", 15),
        ("(a -> !b in 5 seconds) -> (!c in 10 seconds)", 15),
        ("a -> (!b in 5 seconds) -> (!c in 10 seconds)", 15),
        ("a delta 7 seconds -> (!b in 10 seconds)", 17),
        ("a delta 2 seconds -> (!b in 3 seconds) -> (!c in 4 seconds)", 9),
    ],
)
def test_a_window_that_hangs_on_a_moment_already_past(expression: str, when: int) -> None:
    """A late event has its place: what hangs on a moment it has made is waited for, also if that moment is past."""
    late = [2, "a", 0, {}, {"arrival": 7}]
    assert seen(expression, [[1, "x", 7], late]) == [(("2",), when)]
    assert seen(expression, [[3, "b", 4], [4, "b", 8], [5, "c", 8.5], late]) == []


def test_a_long_sequence_is_within_pythons_stack() -> None:
    parts = [f"e{n}" for n in range(100)]
    rows = [[n, f"e{n}", n] for n in range(100)]
    for joint in (" -> ", " -> !x -> "):
        assert len(seen(f"{joint.join(parts)} in 5 minutes", rows)) == 1


# -- random patterns ------------------------------------------------------------------------------------------------

Ask = tuple[bool, bool]
"""Whether the front and the back of a pattern are to be fluid."""
RIGID: Ask = (False, False)
SOMETIMES: tuple[Ask, ...] = (RIGID, (False, True), (True, False))
ANYHOW: tuple[Ask, ...] = (*SOMETIMES, (True, True))


class Maker:
    """Makes patterns with ends as asked, and logs to look for them in."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def leaf(self) -> Pattern:
        return Primitive(self.random.choice("abc"))

    def span(self) -> Period:
        return Period.of(microseconds=self.random.randint(1, 5) * SECOND)

    def pattern(self, ask: Ask, depth: int) -> Pattern:
        kinds = [self.least, self.sequence, self.sequence, self.combined]
        if ask == RIGID:
            kinds += [self.window, self.window, self.fixed, self.moment, self.hung]
        kinds.append(self.never if ask == (True, True) else self.run)
        return self.least(ask, 0) if depth == 0 else self.random.choice(kinds)(ask, depth - 1)

    def least(self, ask: Ask, depth: int) -> Pattern:
        if ask in (RIGID, (True, True)):
            return self.leaf() if ask == RIGID else Never(self.leaf())
        parts = (Never(self.leaf()), self.leaf())
        return Sequence(parts if ask[0] else parts[::-1], Precedence.GAP)

    def sequence(self, ask: Ask, depth: int) -> Pattern:
        return Sequence(tuple(self._parts(ask, depth)), Precedence.GAP)

    def _parts(self, ask: Ask, depth: int) -> Iterator[Pattern]:
        """Of two facing ends at most one is fluid."""
        front = ask[0]
        for _ in range(self.random.randint(1, 2)):
            back, following = self.random.choice(SOMETIMES)
            yield self.pattern((front, back), depth)
            front = following
        yield self.pattern((front, ask[1]), depth)

    def combined(self, ask: Ask, depth: int) -> Pattern:
        asks = self.random.choice([(ask, ask), (ask, RIGID), ((ask[0], False), (False, ask[1]))])
        return self.random.choice([Both, Either])(tuple(self.pattern(each, depth) for each in asks))

    def never(self, ask: Ask, depth: int) -> Pattern:
        return Never(self.pattern(self.random.choice(ANYHOW), depth))

    def run(self, ask: Ask, depth: int) -> Pattern:
        least = self.random.randint(1, 2)
        return Repeat(self.pattern(ask, min(depth, 1)), least, self.random.randint(least, 2))

    def window(self, ask: Ask, depth: int) -> Pattern:
        return Within(self._braced(self.pattern(self.random.choice(SOMETIMES), depth)), self.span())

    def fixed(self, ask: Ask, depth: int) -> Pattern:
        start = self.random.randint(0, 6)
        stop = start + self.random.randint(0, 5)
        return Between(self._braced(self.pattern(self.random.choice(ANYHOW), depth)), start * SECOND, stop * SECOND)

    def _braced(self, inner: Pattern) -> Pattern:
        return self.random.choice([inner, Instant(inner)])

    def moment(self, ask: Ask, depth: int) -> Pattern:
        inner = self.pattern(ask, depth)
        return self.random.choice([Instant(inner), After(inner, self.span(), instant=True)])

    def hung(self, ask: Ask, depth: int) -> Pattern:
        window, event = Within(self.pattern((True, True), depth), self.span()), self.pattern(ask, depth)
        parts = self.random.choice([(event, window), (window, event), (event, window, self.leaf())])
        return Sequence(parts, Precedence.GAP)

    def legal(self) -> Pattern:
        """A whole pattern of a few events."""
        while True:
            made = self.pattern(RIGID, self.random.randint(1, 3))
            if 2 <= sum(isinstance(part, Primitive) for part in walk(made)) <= 5 and not list(end_faults(made)):
                return made

    def log(self) -> list[Event]:
        """Events in order of time, from one at 0 that nobody waits for."""
        rows = sorted((self.random.randint(0, 10), self.random.choice("abc")) for _ in range(self.random.randint(2, 6)))
        return [
            Event(kind, time * SECOND, time * SECOND, str(number), "", {}, time * SECOND, number=number)
            for number, (time, kind) in enumerate([(0, "x"), *rows])
        ]


SEEDS = st.integers(0, 10**9)
MANY = settings(max_examples=examples(250), deadline=None)


@given(SEEDS)
@MANY
def test_occurrences_agree_with_an_independent_reading(seed: int) -> None:
    maker = Maker(seed)
    pattern, log = maker.legal(), maker.log()
    found = {(frozenset(one.events), one.start, one.end) for one in occurrences(pattern, History(log, FAR))}
    wanted = read(pattern, log)
    # Of two readings of the same events, with and without a negation beside them, one is kept.
    assert found <= wanted, sel.render(pattern)
    assert {events for events, _, _ in found} == {events for events, _, _ in wanted}, sel.render(pattern)


@given(SEEDS)
@MANY
def test_what_occurs_is_detected_when_it_ends(seed: int) -> None:
    maker = Maker(seed)
    pattern, log = maker.legal(), maker.log()
    rows = [[event.id, event.type, event.end / SECOND] for event in log]
    found = detections(pattern, rows)
    events = {one.events for one in found}
    wanted = {tuple(event.id for event in one.events) for one in occurrences(pattern, History(log, FAR))}
    # Of what ends at one instant, each may be the next of a run until the others have arrived.
    has_runs = any(isinstance(part, Repeat) for part in walk(pattern))
    assert wanted <= events if has_runs else wanted == events, sel.render(pattern)
    assert all(one.detected_us == one.time_us for one in found), sel.render(pattern)
