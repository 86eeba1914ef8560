"""001's expressions on the meaning alone: built by hand, and held to laws and to another way of building automata."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.algebra.building import SECOND, log
from tests.algebra.core_oracle import TYPES, oracle
from tests.amounts import examples
from tocsin.algebra.automata import build
from tocsin.algebra.checks import program_faults
from tocsin.algebra.guards import Attribute, Binary, Guard, Literal
from tocsin.algebra.patterns import (
    THIS,
    Alternation,
    Atom,
    Automaton,
    Complement,
    Concatenation,
    Described,
    EventSet,
    Iteration,
    Parallel,
    Pattern,
    Primitive,
    Run,
    Timing,
    Union,
    Widened,
)
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import Command, Define, Enable, Program, Rule
from tocsin.errors import Source
from tocsin.events import Detection, Event
from tocsin.languages import core
from tocsin.time.spans import parse_period


def some(*names: str) -> EventSet:
    return Described(names[0]) if len(names) == 1 else Union(tuple(Described(name) for name in names))


def atom(name: str, *domain: str, guard: Guard | None = None) -> Atom:
    return Atom(Described(name, guard), some(*domain) if domain else None)


def strong(*parts: Pattern) -> Pattern:
    return Concatenation(parts, True)


def weak(*parts: Pattern) -> Pattern:
    return Concatenation(parts, False)


def timed(first: Pattern, second: Pattern, timer: str, span: str) -> Pattern:
    return Timing(first, second, timer, parse_period(span))


def here(attribute: str, operator: str, value: str | int) -> Guard:
    return Binary(operator, Attribute(THIS, attribute), Literal(value))


A, B, C, P = atom("A"), atom("B"), atom("C"), atom("P")
IN_ROOM = here("location", "==", "FE02")
COLD = Binary("&&", IN_ROOM, here("temp", "<", 15))
MEETING = weak(
    atom("BoardOn"),
    Widened(weak(atom("Pers"), Iteration(atom("Pers")), atom("BoardOff")), some("Pers", "BoardOff")),
)

PATTERNS: dict[str, Pattern] = {
    "strong-sequence": strong(B, P),
    "every-run-starts-anew": strong(B, P),
    "b-before-p": atom("B", "B", "P"),
    "b-not-before-p": atom("B", "B", "P"),
    "within-an-hour": timed(B, atom("P", "P", "T1"), "T1", "1 h"),
    "someone-else-while-brian-is-away": weak(B, Atom(Complement(Described("B")), some("B", "P", "J")), B),
    "iteration-matches": weak(A, Iteration(atom("A", "A", "B")), C),
    "iteration-fails-on-b": weak(A, Iteration(atom("A", "A", "B")), C),
    "overlap-is-not-a-sequence": strong(A, B),
    "overlap-may-be-a-concatenation": weak(A, B),
    "parallel-any-order": Parallel(strong(A, B), C),
    "scenario-1-cold-occupied-room": timed(
        Alternation((atom("Pers", guard=IN_ROOM), atom("Door", guard=IN_ROOM))), atom("Temp", guard=COLD), "t", "5 min"
    ),
}
CASES = yaml.safe_load((Path(__file__).parent.parent / "cases" / "core.yaml").read_text())["cases"]
SINGLE = [case for case in CASES if "expr" in case]


def detected(pattern: Pattern, rows: list[list[object]], run: str = "every") -> list[Detection]:
    rule = Rule("r", Automaton(pattern, Run(run)), "core")
    return list(replay(Program((Define(rule), Command(Enable("r")))), log(rows)))


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: case["name"])
def test_the_parser_makes_what_is_built_by_hand(case: dict[str, Any]) -> None:
    assert core.parse(Source(case["expr"])) == Automaton(PATTERNS[str(case["name"])])


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: case["name"])
def test_examples(case: dict[str, Any]) -> None:
    found = detected(PATTERNS[str(case["name"])], case["events"], str(case.get("run", "every")))
    wanted = [each if isinstance(each, dict) else {"events": each} for each in case["expect"]]
    assert sorted(list(d.events) for d in found) == sorted([str(e) for e in w["events"]] for w in wanted)
    for one, each in zip(found, wanted, strict=True):
        for key in ("start", "time"):
            assert key not in each or getattr(one, f"{key}_us") == each[key] * SECOND


def test_scenario_2_uses_a_rule_by_name() -> None:
    case = next(case for case in CASES if case["name"] == "scenario-2-no-login-after-the-meeting")
    rules = [
        Rule("c1", Automaton(MEETING, Run.AGAIN), "core"),
        Rule("c", Automaton(timed(atom("c1"), atom("T1", "T1", "Login"), "T1", "5 min")), "core"),
    ]
    program = Program(tuple(s for rule in rules for s in (Define(rule), Command(Enable(rule.name)))))
    found = [(d.rule, d.events, d.detected_us) for d in replay(program, log(case["events"]))]
    assert found == [
        ("c1", ("1", "2", "3", "4"), 100 * SECOND),
        ("c", ("1", "2", "3", "4"), 400 * SECOND),
        ("c1", ("5", "6", "7"), 1100 * SECOND),
    ]


def test_merged_domains_fail_the_other_branch() -> None:
    """SEMANTICS: `[A]([B in {B,X}] | [C])` fails on A X C, for the two branches begin in one state."""
    pattern = weak(A, Alternation((atom("B", "B", "X"), C)))
    assert detected(pattern, [[1, "A", 0], [2, "X", 1], [3, "C", 2]]) == []
    assert [d.events for d in detected(pattern, [[1, "A", 0], [3, "C", 2]])] == [("1", "3")]


def test_an_accepting_state_with_exits_detects_each_time() -> None:
    found = detected(weak(A, Iteration(B)), [[1, "A", 0], [2, "B", 1], [3, "B", 2]])
    assert [d.events for d in found] == [("1",), ("1", "2"), ("1", "2", "3")]


def test_a_filter_on_an_earlier_event_belongs_to_the_domain() -> None:
    """`[o:Open];[Close(room = o.room)]`: the closing of another room is ignored, and does not fail."""
    opened = Atom(Described("Open", None, "o"))
    closed = Atom(Described("Close", Binary("==", Attribute(THIS, "room"), Attribute("o", "room"))))
    rows: list[list[object]] = [[1, "Open", 0, {"room": 1}], [2, "Close", 1, {"room": 2}], [3, "Close", 2, {"room": 1}]]
    assert [d.events for d in detected(strong(opened, closed), rows)] == [("1", "3")]


def test_a_strong_empty_step_stays_strong_over_an_empty_part() -> None:
    """A ; (B* C): where B* matches nothing, C must still strongly follow A."""
    pattern = strong(A, weak(Iteration(B), C))
    overlapping: list[list[object]] = [[1, "A", [0, 3]], [2, "C", [2, 5]]]
    apart: list[list[object]] = [[1, "A", [0, 3]], [2, "C", [4, 5]]]
    assert detected(pattern, overlapping) == []
    assert [d.events for d in detected(pattern, apart)] == [("1", "2")]


# -- laws, and another way of building ---------------------------------------------------------------------------------

SETS = st.sets(st.sampled_from(TYPES), min_size=1, max_size=2).map(lambda names: some(*sorted(names)))
ATOMS = st.one_of(
    st.builds(Atom, SETS),
    st.builds(Atom, SETS, SETS.map(lambda events: Union((events, Described("x"))))),
    st.builds(Atom, SETS.map(Complement), st.just(some(*TYPES))),
    st.builds(lambda events: Atom(Complement(events), Union((events, Described("c")))), SETS),
)


def _larger(inner: st.SearchStrategy[Pattern]) -> st.SearchStrategy[Pattern]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Concatenation, several, st.booleans()),
        st.builds(Alternation, several),
        st.builds(Iteration, inner),
        st.builds(Iteration, inner, st.integers(0, 2), st.none() | st.integers(2, 3)),
        st.builds(Iteration, inner, st.just(0), st.just(1)),
        st.builds(Widened, inner, SETS),
    )


PARTS = st.recursive(ATOMS, _larger, max_leaves=5)
RUNS = st.sampled_from([Run.EVERY, Run.AGAIN, Run.ONCE])  # the oracle knows no others
MANY = settings(max_examples=examples(150), deadline=None)


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    """Few types and instants, points and intervals, two sources, some late."""
    made: list[Event] = []
    clock = 0
    for number in range(draw(st.integers(0, 7))):
        end = draw(st.integers(0, 6)) + number
        start = end - draw(st.sampled_from([0, 0, 0, 1, 3]))
        clock = max(clock, end)
        source = draw(st.sampled_from(("s", "t")))
        kind = draw(st.sampled_from(TYPES))
        made.append(Event(kind, end, start, str(number), source, {}, clock))
    return made


def found(pattern: Pattern, events: list[Event], run: Run) -> list[tuple[str, ...]]:
    rule = Rule("r", Automaton(pattern, run), "core")
    return sorted(one.events for one in replay(Program((Define(rule), Command(Enable("r")))), events))


@MANY
@given(PARTS, logs(), RUNS)
def test_automata_agree_with_those_that_keep_their_empty_steps(pattern: Pattern, events: list[Event], run: Run) -> None:
    assert found(pattern, events, run) == sorted(oracle(pattern, events, run))


@MANY
@given(PARTS, PARTS, PARTS, st.booleans(), st.booleans(), logs(), RUNS)
def test_concatenation_and_sequence_are_associative_among_each_other(
    one: Pattern, two: Pattern, three: Pattern, first: bool, second: bool, events: list[Event], run: Run
) -> None:
    left = Concatenation((Concatenation((one, two), first), three), second)
    right = Concatenation((one, Concatenation((two, three), second)), first)
    assert found(left, events, run) == found(right, events, run)


@MANY
@given(PARTS, PARTS, logs(), RUNS)
def test_other_laws(one: Pattern, two: Pattern, events: list[Event], run: Run) -> None:
    assert found(Alternation((one, two)), events, run) == found(Alternation((two, one)), events, run)
    assert found(Alternation((one, one)), events, run) == found(one, events, run)
    assert found(Iteration(Iteration(one)), events, run) == found(Iteration(one), events, run)


def test_an_automaton_is_as_large_as_its_expression() -> None:
    either = Alternation((A, B))
    assert len(build(weak(*[either] * 100))) == 201
    assert len(build(weak(*[Iteration(either)] * 50, C))) == 102


@pytest.mark.parametrize(
    ("pattern", "part"),
    [
        (weak(A, Parallel(B, C)), "only at the top of an expression"),
        (Parallel(A, Iteration(Parallel(B, C))), "only at the top of an expression"),
        (weak(A, Primitive("b")), "'primitive' is no part of an automaton"),
        (Timing(A, B, "T", parse_period("0 sec")), "later than what it is counted from"),
        (weak(A, atom("B", guard=Attribute("o", "k"))), "there is no event variable 'o' here"),
        (weak(A, atom("B", guard=Literal(1))), "a guard must be true or false"),
        (Widened(A, Described("B", Literal(1))), "a guard must be true or false"),
    ],
)
def test_what_cannot_run_is_refused_before(pattern: Pattern, part: str) -> None:
    faults = program_faults(Program((Define(Rule("r", Automaton(pattern), "core")),)))
    assert part in " ".join(fault.message for fault in faults)


def test_parallel_in_parallel_can_run() -> None:
    assert program_faults(Program((Define(Rule("r", Automaton(Parallel(Parallel(A, B), C)), "core")),))) == []
