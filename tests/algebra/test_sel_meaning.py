"""004 on the meaning alone: its examples as patterns, and random patterns against an independent reading.

The second reading goes from the root down. It chooses an event for every leaf and a branch for every `|` first (a
`Proof`), then asks where its rigid ends are, and only then whether everything holds where it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.algebra.building import SECOND, both, detections, either, instant, later, named, no, p, seq, times, within
from tocsin.algebra.checks import pattern_faults
from tocsin.algebra.ends import back_is_fluid, floats, front_is_fluid
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
    Order,
    Pattern,
    Primitive,
    Repeat,
    Sequence,
    Where,
    Within,
    children,
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
            assert key not in each or getattr(one, key) == each[key] * SECOND


def faults_of(pattern: Pattern) -> list[Fault]:
    faults: list[Fault] = []
    pattern_faults(Rule("r", pattern, "sel"), faults.append)
    return faults


def test_five_cuts_differ_in_the_two_forms() -> None:
    """SEMANTICS: a fluid end inside a run is bounded by its neighbour, so example 7's forms give 5 and 3."""
    rows = [[n, "c", n * 10] for n in range(1, 6)]
    assert len(detections(PATTERNS["ex7-four-cuts-no-rise"], rows)) == 5
    assert len(detections(PATTERNS["ex7-with-repetition"], rows)) == 3


# -- an independent reading -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Proof:
    """A pattern with an event for every leaf, one branch of every `|`, and a length for every run."""

    pattern: Pattern
    parts: tuple[Proof, ...] = ()
    event: Event | None = None

    @property
    def events(self) -> frozenset[Event]:
        own = frozenset() if self.event is None else frozenset({self.event})
        return own.union(*(part.events for part in self.parts))


@dataclass(frozen=True)
class Place:
    """Where a proof stands: events from `first` to `last`; a fluid end takes `front` or `back` (None: not known)."""

    first: int
    last: int
    front: int
    back: int | None


EVERYWHERE = Place(-FAR, FAR, -FAR, FAR)
Ends = tuple[int | None, int | None]


def proofs(pattern: Pattern, log: list[Event]) -> Iterator[Proof]:
    match pattern:
        case Primitive(type=kind):
            yield from (Proof(pattern, (), event) for event in log if event.type == kind)
        case Never():
            yield Proof(pattern)
        case Either(parts=parts):
            yield from (Proof(pattern, (one,)) for part in parts for one in proofs(part, log))
        case Both(parts=parts) | Sequence(parts=parts):
            choices = product(*([*proofs(part, log)] for part in parts))
            yield from (Proof(pattern, chosen) for chosen in choices)
        case Repeat(pattern=inner, least=least, most=most):
            for length in range(least, most + 1):
                yield from (Proof(pattern, chosen) for chosen in product([*proofs(inner, log)], repeat=length))
        case Within(pattern=Instant(pattern=inner), period=period):
            # A window written on {E} bounds E: it is {E in w}.
            bounded: Pattern = Within(inner, period)
            yield from (Proof(Instant(bounded), (Proof(bounded, (one,)),)) for one in proofs(inner, log))
        case Between(pattern=Instant(pattern=inner), start=start, stop=stop):
            bounded = Between(inner, start, stop)
            yield from (Proof(Instant(bounded), (Proof(bounded, (one,)),)) for one in proofs(inner, log))
        case _:
            yield from (Proof(pattern, (one,)) for one in proofs(children(pattern)[0], log))


def ends(proof: Proof) -> Ends:
    """When it begins and ends, as far as its own events say; None for a fluid end."""
    match proof.pattern:
        case Primitive():
            assert proof.event is not None
            return proof.event.start, proof.event.end
        case Never():
            return None, None
        case Both():
            starts, stops = zip(*map(ends, proof.parts), strict=True)
            return None if None in starts else min(starts), None if None in stops else max(stops)
        case Sequence() | Repeat():
            found = chain_ends(proof.parts)
            return found[0][0], found[-1][1]
        case Instant():
            return (ends(proof.parts[0])[1],) * 2
        case After(period=period):
            end = ends(proof.parts[0])[1]
            assert end is not None
            return (period.added_to(end),) * 2
        case Within(pattern=inner, period=period) if not floats(proof.pattern):
            start, end = ends(proof.parts[0])
            if front_is_fluid(inner):
                assert end is not None
                return end - period.length() if start is None else start, end
            assert start is not None
            return start, start + period.length() if end is None else end
        case Between(start=first, stop=last):
            start, end = ends(proof.parts[0])
            return first if start is None else start, last if end is None else end
    return ends(proof.parts[0])


def chain_ends(parts: tuple[Proof, ...]) -> list[Ends]:
    """The ends of the parts of a sequence; a window that floats hangs on the part before it, or else after it."""
    found: list[Ends] = []
    for place, part in enumerate(parts):
        start, end = ends(part)
        if isinstance(part.pattern, Within) and floats(part.pattern):
            width = part.pattern.period.length()
            edge = found[-1][1] if place else ends(parts[1])[0]
            assert edge is not None
            low, high = (edge, edge + width) if place else (edge - width, edge)
            start, end = low if start is None else start, high if end is None else end
        found.append((start, end))
    return found


def stands(proof: Proof, place: Place, log: list[Event]) -> tuple[int, int] | None:
    """When the proof begins and ends if it holds there, else None."""
    match proof.pattern:
        case Primitive():
            assert proof.event is not None
            inside = place.first <= proof.event.start and proof.event.end <= place.last
            return (proof.event.start, proof.event.end) if inside else None
        case Never(pattern=inner):
            if place.back is None:
                return place.front, place.front
            hit = any(stands(one, place, log) is not None for one in proofs(inner, log))
            return None if hit else (place.front, place.back)
        case Both() | Either():
            found = [stands(part, place, log) for part in proof.parts]
            sure = [each for each in found if each is not None]
            return (min(s for s, _ in sure), max(e for _, e in sure)) if len(sure) == len(found) else None
        case Sequence():
            return chain_stands(proof.parts, place, log)
        case Repeat(pattern=inner):
            return chain_stands(proof.parts, place, log) if are_next(inner, proof.parts, place, log) else None
    found = stands_alone(proof, log)
    return found if found is not None and place.first <= found[0] and found[1] <= place.last else None


def stands_alone(proof: Proof, log: list[Event]) -> tuple[int, int] | None:
    """What has bounds of its own: windows, instants and delays."""
    part = proof.parts[0]
    start, end = ends(part)
    match proof.pattern:
        case Within(pattern=inner, period=period) if front_is_fluid(inner):
            assert end is not None
            begin = end - period.length()
            found = stands(part, Place(begin + 1, end, begin, end), log)
            return found if found is not None and found[1] == end else None
        case Within(period=period):
            assert start is not None
            finish = start + period.length()
            found = stands(part, Place(start, finish, start, finish), log)
            return found if found is not None and found[0] == start else None
        case Between(start=first, stop=last):
            return stands(part, Place(first, last, first, last), log)
        case Instant():
            found = stands(part, EVERYWHERE, log)
            return None if found is None else (found[1], found[1])
        case After(period=period):
            found = stands(part, EVERYWHERE, log)
            return None if found is None else (period.added_to(found[1]),) * 2
    raise AssertionError(proof.pattern)


def chain_stands(parts: tuple[Proof, ...], place: Place, log: list[Event]) -> tuple[int, int] | None:
    """Each part between the rigid ends that face it."""
    found: list[tuple[int, int]] = []
    facing = chain_ends(parts)
    hangs = [isinstance(part.pattern, Within) and floats(part.pattern) for part in parts]
    for number, part in enumerate(parts):
        # What hangs on this part does not bound it.
        before = facing[number - 1][1] if number and not (number == 1 and hangs[0]) else None
        behind = facing[number + 1][0] if number + 1 < len(parts) and not hangs[number + 1] else None
        if before is not None and behind is not None and before >= behind:
            return None
        first, front = (place.first, place.front) if before is None else (max(place.first, before + 1), before)
        last, back = (place.last, place.back) if behind is None else (min(place.last, behind - 1), behind)
        if isinstance(part.pattern, Within) and floats(part.pattern):
            width = part.pattern.period.length()
            if before is not None:
                one = stands(part.parts[0], Place(before + 1, before + width, before, before + width), log)
                one = one if one is not None and one[1] <= last else None
            else:
                assert behind is not None
                one = stands(part.parts[0], Place(behind - width, behind - 1, behind - width, behind), log)
                one = one if one is not None and first <= one[0] else None
        else:
            one = stands(part, Place(first, last, front, back), log)
        if one is None:
            return None
        found.append(one)
    return found[0][0], found[-1][1]


def are_next(inner: Pattern, parts: tuple[Proof, ...], place: Place, log: list[Event]) -> bool:
    """Whether each of a run is the next after the one before; a fluid end reaches no further than its own events."""

    def core(one: Proof, first: int, front: int) -> tuple[int, int] | None:
        return stands(one, Place(first, place.last, front, None if back_is_fluid(inner) else place.back), log)

    front = (place.first, place.front)
    for one, following in pairwise(parts):
        this = core(one, *front)
        if this is None:
            return False
        front = (max(place.first, this[1] + 1), this[1])
        others = [found for each in proofs(inner, log) if (found := core(each, *front)) is not None]
        chosen = core(following, *front)
        if chosen is None or chosen[::-1] != min(found[::-1] for found in others):
            return False
    return True


def read(pattern: Pattern, log: list[Event]) -> set[tuple[frozenset[Event], int, int]]:
    """Every occurrence, read the second way."""
    found = ((one.events, stands(one, EVERYWHERE, log)) for one in proofs(pattern, log))
    return {(events, *when) for events, when in found if when is not None}


# -- random patterns ------------------------------------------------------------------------------------------------

SPANS = st.integers(1, 4).map(lambda n: Period.of(microseconds=n * SECOND))
LEAVES = st.sampled_from("abc").map(Primitive)
Ask = tuple[bool, bool]
"""Whether the front and the back of a pattern are to be fluid."""


def shaped(draw: st.DrawFn, ask: Ask, depth: int) -> Pattern:
    """A legal pattern whose ends are as asked."""
    front, back = ask
    if depth == 0:
        parts = [*([Never(draw(LEAVES))] * front), draw(LEAVES), *([Never(draw(LEAVES))] * back)]
        return (
            Never(draw(LEAVES))
            if front and back
            else Sequence(tuple(parts), Order.GAP)
            if ask != (False, False)
            else parts[0]
        )
    kinds = ["leaf", "sequence", "sequence", "combined"]
    kinds += ["never"] if front and back else ["repeat"]
    kinds += ["window", "window", "fixed", "instant", "later", "hung"] if not (front or back) else []
    match draw(st.sampled_from(kinds)):
        case "sequence":
            return Sequence(tuple(_chain(draw, ask, depth)), Order.GAP)
        case "combined":
            asks = draw(st.sampled_from([(ask, ask), (ask, (False, False)), ((front, False), (False, back))]))
            return draw(st.sampled_from([Both, Either]))(tuple(shaped(draw, each, depth - 1) for each in asks))
        case "never":
            return Never(shaped(draw, draw(st.tuples(st.booleans(), st.booleans())), depth - 1))
        case "repeat":
            least, more = draw(st.tuples(st.integers(1, 2), st.integers(0, 1)))
            return Repeat(shaped(draw, ask, depth - 1), least, min(least + more, 2))
        case "window":
            inner = shaped(draw, draw(st.sampled_from([(False, True), (True, False), (False, False)])), depth - 1)
            return Within(draw(st.sampled_from([inner, Instant(inner)])), draw(SPANS))
        case "fixed":
            inner = shaped(draw, draw(st.tuples(st.booleans(), st.booleans())), depth - 1)
            first, width = draw(st.tuples(st.integers(0, 6), st.integers(0, 5)))
            inner = draw(st.sampled_from([inner, Instant(inner)]))
            return Between(inner, first * SECOND, (first + width) * SECOND)
        case "instant":
            return Instant(shaped(draw, ask, depth - 1))
        case "later":
            return After(shaped(draw, ask, depth - 1), draw(SPANS), True)
        case "hung":
            hung, rigid = Within(shaped(draw, (True, True), depth - 1), draw(SPANS)), shaped(draw, ask, depth - 1)
            parts = draw(st.sampled_from([(rigid, hung), (hung, rigid), (rigid, hung, shaped(draw, ask, 0))]))
            return Sequence(parts, Order.GAP)
    return shaped(draw, ask, 0)


def _chain(draw: st.DrawFn, ask: Ask, depth: int) -> Iterator[Pattern]:
    """The parts of a sequence; of two facing ends at most one is fluid."""
    front = ask[0]
    for _ in range(draw(st.integers(1, 2))):
        back, following = draw(st.sampled_from([(False, False), (False, True), (True, False)]))
        yield shaped(draw, (front, back), depth - 1)
        front = following
    yield shaped(draw, (front, ask[1]), depth - 1)


@st.composite
def patterns(draw: st.DrawFn) -> Pattern:
    """Patterns that are whole, of few events."""
    made = shaped(draw, (False, False), draw(st.integers(1, 3)))
    assume(sum(isinstance(part, Primitive) for part in walk(made)) <= 6 and not faults_of(made))
    return made


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    """A few events in order of time, from an event that nobody waits for at 0."""
    kinds = draw(st.lists(st.tuples(st.integers(0, 8), st.sampled_from("abc")), max_size=5))
    rows = [(0, "x"), *sorted(kinds, key=lambda row: row[0])]
    return [
        Event(kind, time * SECOND, time * SECOND, str(number), "", {}, time * SECOND, number=number)
        for number, (time, kind) in enumerate(rows)
    ]


MANY = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


@given(patterns(), logs())
@MANY
def test_occurrences_agree_with_an_independent_reading(pattern: Pattern, log: list[Event]) -> None:
    found = {(frozenset(one.events), one.start, one.end) for one in occurrences(pattern, History(log, FAR))}
    wanted = read(pattern, log)
    # Of two readings of the same events, with and without a negation beside them, one is kept.
    assert found <= wanted
    assert {events for events, _, _ in found} == {events for events, _, _ in wanted}
