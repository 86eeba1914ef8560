"""Every operator in every context, run and model that it can be in, under every policy: the engine is the meaning.

The searched contexts are in `test_engine_meaning.py`; here are the contexts that use up, the automata of the core
language in their runs, and 2g stamps in all contexts. What differs is seen again, and made smaller, by
`.venv/bin/python tests/fuzz/engine.py --of KIND --seed 0 --number N`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from tests.amounts import examples
from tests.engine import comparing
from tests.engine.automating import NETWORK, automaton_operators
from tests.engine.comparing import Cell, difference, given_by_engine
from tests.engine.kinds import KINDS, WINDOWS
from tests.engine.shrinking import script
from tests.engine.strategies import POLICIES, Example, is_sound
from tests.engine.test_memories import saved_at
from tests.engine.test_verbs import cuts
from tests.fuzz.engine import main, numbered, run, table
from tocsin.algebra import interpreter as interpreting
from tocsin.algebra.contexts import NODES
from tocsin.algebra.guards import Attribute, Binary, Literal, Not
from tocsin.algebra.notes import Notes
from tocsin.algebra.patterns import (
    THIS,
    Alternation,
    Atom,
    Automaton,
    Complement,
    Concatenation,
    Described,
    Iteration,
    Run,
    Timing,
    Union,
    walk,
)
from tocsin.algebra.replay import replay
from tocsin.algebra.rules import SEARCHED, Context, Rule
from tocsin.events import Detection, Event
from tocsin.rules.programs import rules_program
from tocsin.time.periods import Period

NEW = ("remembering", "automata", "2g", "long", "recurring", "linked", "partitioned", "skipping")
MOST_ROUNDS = 60
"""Examples for a cell that is hard to meet."""


@pytest.mark.parametrize("of", NEW)
def test_every_cell_is_met(of: str) -> None:
    """A rule that needs the operator has fired in the engine, and found what the meaning finds.

    Examples are run only for cells that no other example has met yet.
    """
    cells, met = KINDS[of].cells, Counter[Cell]()
    for number in range(MOST_ROUNDS * len(cells)):
        if not met[cells[number % len(cells)]]:
            _, failed, seen = run(0, [number], of)
            assert failed == []
            met += seen
    assert [cell for cell in cells if not met[cell]] == []


def test_what_is_put_to_the_test() -> None:
    """All six contexts, all runs, all policies; and no operator is left out but where it cannot be."""
    for of, columns in (("remembering", 4), ("2g", 6), ("automata", 4)):
        kind = KINDS[of]
        assert len(kind.columns) == columns
        assert len(kind.cells) == len(POLICIES) * (len(kind.operators) * columns - len(kind.impossible))
    assert {run.value for run in Run} | {NETWORK} == {*KINDS["automata"].columns, *KINDS["skipping"].operators}
    assert {context.value for context in Context} == set(KINDS["2g"].columns)
    drawn = [numbered(0, number, "remembering") for number in range(len(KINDS["remembering"].cells))]
    shapes = {type(part) for one in drawn for rule in one.program.rules for part in walk(rule.pattern)}
    assert set(NODES) <= shapes


def test_stamps_make_a_difference() -> None:
    """With 2g stamps other events are before each other: the examples are not those of exact time once more."""
    differ = Counter[str]()
    for number, (_, context, _) in enumerate(KINDS["2g"].cells):
        if number % 2 == 0:
            one = numbered(0, number, "2g")
            stamped, exact = (given_by_engine(each)[0] for each in (one, replace(one, granularity=None)))
            differ[context] += [each.events for each in stamped] != [each.events for each in exact]
    assert min(differ[context] for context in Context) > 4


@pytest.mark.parametrize("of", NEW)
def test_what_is_remembered_can_be_saved(of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saved and made anew at any place, the engine goes on: with time events, filters, and what is gathered too."""
    monkeypatch.setattr(interpreting, "MOST_TRIGGERS", 3)
    compared = 0
    for number in range(examples(60 if of == "long" else 100)):
        one = numbered(7, number, of)
        should = list(replay(one.program, one.log, until=one.until, granularity=one.granularity))
        pieces = cuts(Random(number), one.log)
        assert list(map(repr, saved_at(pieces, one.program, one.until, one.granularity))) == list(map(repr, should))
        compared += len(should)
    assert compared > 100


# -- what cannot be ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("of", ["remembering", "2g"])
def test_windows_are_refused_in_contexts_that_use_up(of: str) -> None:
    contexts = {Context(context) for _, context in KINDS[of].impossible}
    assert contexts == set(Context) - set(SEARCHED)
    assert {operator for operator, _ in KINDS[of].impossible} == set(WINDOWS)
    for place, (operator, _, _) in enumerate(KINDS["searched"].cells):
        if operator in WINDOWS:
            pattern = numbered(0, place).program.rules[0].pattern
            if operator == "absence inside" and all(isinstance(part, NODES) for part in walk(pattern)):
                continue  # a gap around it, and no window: that has nodes
            assert not any(is_sound(rules_program([Rule("r", pattern, context=each)])) for each in contexts)


def test_automata_that_are_no_chains_are_not_in_the_network() -> None:
    cells = KINDS["automata"].cells
    without = {operator for operator, _ in KINDS["automata"].impossible}
    _, _, seen = run(0, [place for place, cell in enumerate(cells) if cell[0] in without], "automata")
    assert {operator for operator, _, _ in seen} >= without
    assert [cell for cell in seen if cell[0] in without and cell[1] == NETWORK] == []


# -- what a cell says ------------------------------------------------------------------------------------------------

A, B = Atom(Described("a")), Atom(Described("b"))


def test_an_iteration_counts_where_it_was_gone_through() -> None:
    rule = Rule("r", Automaton(Concatenation((A, Iteration(B)), False)), "core")
    assert automaton_operators(rule, 1) == {"atom", "weak"}
    assert automaton_operators(rule, 2) == {"atom", "weak", "iteration"}


def test_an_alternative_needs_none_of_its_parts() -> None:
    timing = Timing(A, Atom(Described("T")), "T", Period.of(microseconds=1))
    assert automaton_operators(Rule("r", Automaton(timing), "core"), 1) == {"atom", "timing", "time event"}
    assert automaton_operators(Rule("r", Automaton(Alternation((timing, B))), "core"), 1) == {"alternation"}


# -- found by these examples -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("context", Context)
def test_an_automaton_has_runs_in_place_of_a_context(context: Context) -> None:
    """Whichever context is asked for; `generic` made the engine fail."""
    rule = Rule("r", Automaton(Concatenation((A, B), True)), "core", context=context)
    log = [Event(kind, n, n, str(n), arrival=n) for n, kind in enumerate("aab")]
    cells: Counter[Cell] = Counter()
    assert not difference(Example(rules_program([rule]), tuple(log)), cells, KINDS["automata"].cells_of)
    assert cells["strong", NETWORK, "best-effort"] == 1


def test_a_difference_in_what_cannot_be_compared_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules on the plain meaning inside the engine ask what the meaning asks, and count what cannot be compared."""
    guard = Binary("<", Attribute(THIS, "k"), Literal(1))
    automaton = Automaton(Atom(Described("a", guard)), Run.ONCE)
    log = tuple(Event("a", n, n, str(n), data={"k": "x"}, arrival=n) for n in range(3))
    one = Example(rules_program([Rule("r", automaton, "core")]), log)
    assert not difference(one)

    def forgetful(example: Example, seconds: float = 0) -> tuple[list[Detection], Notes]:
        found, notes = given_by_engine(example, seconds)
        notes.incomparable.clear()
        return found, notes

    monkeypatch.setattr(comparing, "given_by_engine", forgetful)
    assert difference(one).startswith("the meaning cannot compare")


def test_what_a_type_is_never_in_is_not_asked() -> None:
    """A complement is taken within the domain, whose filters the engine does not ask a second time; but it counts."""
    filtered = Described("c", Not(Binary("<", Attribute(THIS, "k"), Literal(1))))
    atom = Atom(Complement(Described("c")), Union((Described("b"), filtered)))
    log = tuple(Event("c", n, n, str(n), data={"k": "x"}, arrival=n) for n in range(3))
    one = Example(rules_program([Rule("r", Automaton(atom, Run.ONCE), "core")]), log)
    assert not difference(one)
    should, found = comparing.expected(one)[1].incomparable, given_by_engine(one)[1].incomparable
    assert Counter() < found < should


def test_the_script_of_a_difference_has_the_stamps() -> None:
    one = numbered(0, 0, "2g")
    assert f'"granularity": {one.granularity}' in script(one, "", "")


# -- the command ------------------------------------------------------------------------------------------------------


def test_the_command_takes_a_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--examples", "20", "--of", "automata"]) == 0
    assert capsys.readouterr().out == "20 passed, 0 failed\n"


def test_the_command_prints_all_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--examples", "10", "--of", "all", "--table"]) == 0
    shown = capsys.readouterr().out
    assert [line for line in shown.splitlines() if line.endswith(":")] == [f"{of}:" for of in KINDS]
    assert shown.count("| operator |") == len(KINDS)


def test_what_cannot_be_is_a_dash_in_the_table() -> None:
    rows = {line.split(" | ")[0].strip("| "): line for line in table(Counter(), "2g").splitlines()[2:]}
    assert rows["within"].count(" - ") == 4 * len(POLICIES)
    assert rows["accumulate"].count(" 0 ") == 6 * len(POLICIES)
