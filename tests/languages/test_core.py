"""The core language (001 section 5.2): each form, how operators bind, definitions, and what is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.languages.building import all_of, comparing
from tocsin import languages
from tocsin.algebra import patterns as p
from tocsin.algebra.guards import Attribute, Binary, Call, End, Guard, Literal, Not, Now, Reference
from tocsin.algebra.patterns import THIS, Atom, Automaton, Concatenation, Described, EventSet, Pattern
from tocsin.errors import RuleError, Source
from tocsin.languages import core
from tocsin.rules.loader import load_expression
from tocsin.time.calendar import parse_instant
from tocsin.time.spans import parse_period


def parse(text: str) -> Pattern:
    detector = core.parse(Source(text))
    assert isinstance(detector, Automaton)
    assert detector.run is p.Run.EVERY
    return detector.pattern


def some(*names: str) -> EventSet:
    return Described(names[0]) if len(names) == 1 else p.Union(tuple(map(Described, names)))


def both(*sets: EventSet) -> EventSet:
    return p.Intersection(sets)


def atom(name: str, *domain: str, guard: Guard | None = None) -> Atom:
    return Atom(Described(name, guard), some(*domain) if domain else None)


def weak(*parts: Pattern) -> Pattern:
    return Concatenation(parts, False)


def strong(*parts: Pattern) -> Pattern:
    return Concatenation(parts, True)


def either(*parts: Pattern) -> Pattern:
    return p.Alternation(parts)


def many(pattern: Pattern) -> Pattern:
    return p.Iteration(pattern)


def timed(first: Pattern, second: Pattern, timer: str, span: str) -> Pattern:
    return p.Timing(first, second, timer, parse_period(span))


A, B, C, D, P = (atom(name) for name in "ABCDP")
SA, SB, SC, SD = (Described(name) for name in "ABCD")
NOT_B = p.Complement(SB)
IN_OFFICE = comparing("this.location", "==", "Office FE02")
COLD = all_of(IN_OFFICE, comparing("this.temp", "<", 15))
OCCUPIED = either(atom("PersonEvent", guard=IN_OFFICE), atom("DoorEvent", guard=IN_OFFICE))
SAME_ROOM = Binary("==", Attribute(THIS, "room"), Attribute("o", "room"))
JEAN = Described("Login", comparing("this.user", "==", "jean"))
MEETING = weak(atom("Pers"), many(atom("Pers")), atom("Board_off"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 001 section 5.2, examples 1 to 4
        ("[B]; [P]", strong(B, P)),
        ("[B ⊆ {B, P}]", atom("B", "B", "P")),
        ("([B], [P ⊆ {P, T_1}]){T_1 = 1 h}", timed(B, atom("P", "P", "T_1"), "T_1", "1 h")),
        ("[B] [¬B ⊆ A] [B]", weak(B, Atom(NOT_B, SA), B)),
        ("A = {B, P, J}\n[B] [!B in A] [B]", weak(B, Atom(NOT_B, some("B", "P", "J")), B)),
        # ... and in its text
        ("[A, B, C in S]", Atom(some("A", "B", "C"), Described("S"))),
        ("[A][A in {A,B}]*[C]", weak(A, many(atom("A", "A", "B")), C)),
        # 001 section 5: the primitive events, scenario 1
        ("[PersonEvent(location='Office FE02')]", atom("PersonEvent", guard=IN_OFFICE)),
        ("[TempEvent(location='Office FE02' AND temp<15)]", atom("TempEvent", guard=COLD)),
        (
            "([PersonEvent(location='Office FE02')] | [DoorEvent(location='Office FE02')],\n"
            " [TempEvent(location='Office FE02' AND temp<15)]){t = 5 min}",
            timed(OCCUPIED, atom("TempEvent", guard=COLD), "t", "5 min"),
        ),
        # 001 section 6.1
        ("([B];[P]) | [M]", either(strong(B, P), atom("M"))),
        ("[C1] | [M]", either(atom("C1"), atom("M"))),
        # 001 section 7.1, formulas (1) and (2): scenario 2
        (
            "([C1(room = 1)], [T1 in {T1, Login(user = 'jean')}]){T1 = 5 min}",
            timed(
                atom("C1", guard=comparing("this.room", "==", 1)),
                Atom(Described("T1"), p.Union((Described("T1"), JEAN))),
                "T1",
                "5 min",
            ),
        ),
        (
            "[Board_on] [[Pers] [Pers]* [Board_off] in {Pers, Board_off}]",
            weak(atom("Board_on"), p.Widened(MEETING, some("Pers", "Board_off"))),
        ),
        # sets
        ("[*]", Atom(p.Everything())),
        ("[A in *]", Atom(SA, p.Everything())),
        ("[!{A, B} & C, D in {*}]", Atom(p.Union((both(p.Complement(some("A", "B")), SC), SD)), p.Everything())),
        ("[A & B & {C & D}]", Atom(both(SA, SB, both(SC, SD)))),
        ("[{A & B} & C]", Atom(both(SA, SB, SC))),
        ("[{A}]", A),
        ("[{{A, B}, C}]", Atom(p.Union((some("A", "B"), SC)))),
        ("[!!A ⊂ {A}]", Atom(p.Complement(p.Complement(SA)), SA)),
        ("['com.example.login', \"in\"]", Atom(some("com.example.login", "in"))),
        # filters
        ("[o:Open];[Close(room = o.room)]", strong(Atom(Described("Open", None, "o")), atom("Close", guard=SAME_ROOM))),
        ("[A(this.room = 1)]", atom("A", guard=comparing("this.room", "==", 1))),
        ("[A(@this < now)]", atom("A", guard=Binary("<", End(THIS), Now()))),
        (
            "[A(NOT (k IN (1, 2) OR this.AND = NULL))]",
            atom(
                "A",
                guard=Not(
                    Binary(
                        "||",
                        Call("in", (Attribute(THIS, "k"), Literal(1), Literal(2))),
                        comparing("this.AND", "==", Literal(None)),
                    )
                ),
            ),
        ),
        ("[A(during(this, o))]", atom("A", guard=Call("during", (Reference(THIS), Reference("o"))))),
        ("[A(contains(name, 'x'))]", atom("A", guard=Call("contains", (Attribute(THIS, "name"), Literal("x"))))),
        ("[A(contains(o, this))]", atom("A", guard=Call("contains", (Reference("o"), Reference(THIS))))),
        ("[x:A, y:B(k > 1) & *]", Atom(p.Union((Described("A", None, "x"), both(Described("B", comparing("this.k", ">", 1), "y"), p.Everything()))))),
        # times
        ("([A], [B]){T = 2026-11-15T20:00:00Z}", p.Timing(A, B, "T", parse_instant("2026-11-15T20:00:00Z"))),
        ("([A], [B]){T = 2026/11/15 20:00:00}", p.Timing(A, B, "T", parse_instant("2026-11-15T20:00:00Z"))),
        ("([A], [B]){T = 0/0/2 0:01:05}", timed(A, B, "T", "0/0/2 0:01:05")),
        ("([A], [B]){'T 1' = PT5M}", timed(A, B, "T 1", "5 min")),
        # lines and comments
        ("// first\nS = {A, // these\n  B}\n\n[S]\n[C] /* and */\n; [D]", strong(weak(Atom(some("A", "B")), C), D)),
        ("([A],\n[B])\n{T = 5\nmin}\n[C]", weak(timed(A, B, "T", "5 min"), C)),
    ],
)  # fmt: skip
def test_forms(text: str, expected: Pattern) -> None:
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[A] [B]* | [C] ; [D] || [P]", p.Parallel(either(weak(A, many(B)), strong(C, D)), P)),
        ("[A] [B] ; [C] [D]", strong(weak(A, B), weak(C, D))),
        ("[A] ; [B]*", strong(A, many(B))),
        ("([A] ; [B])*", many(strong(A, B))),
        ("[A]**", many(many(A))),
        ("([A] [B]) [C]", weak(A, B, C)),
        ("[A] ([B] [C])", weak(A, weak(B, C))),
        ("([A] ; [B]) ; [C]", strong(A, B, C)),
        ("([A] ; [B]) [C]", weak(strong(A, B), C)),
        ("[A] | ([B] | [C])", either(A, either(B, C))),
        ("([A] | [B]) | [C]", either(A, B, C)),
        ("[A] || [B] || [C]", p.Parallel(p.Parallel(A, B), C)),
        ("[A] || ([B] || [C])", p.Parallel(A, p.Parallel(B, C))),
        ("([A] || [B])", p.Parallel(A, B)),
        ("([A], [B]){T = 1 s}*", many(timed(A, B, "T", "1 s"))),
        ("[[A] | [B] in C]", p.Widened(either(A, B), SC)),
    ],
)
def test_operators_bind_and_associate_to_the_left(text: str, expected: Pattern) -> None:
    assert parse(text) == expected


class TestDefinitions:
    def test_a_set_stands_in_the_place_of_its_name(self) -> None:
        sets = p.Union((some("A", "B"), SC))
        assert parse("S = {A, B}\nR = {S, C} & !D\n[S in R]") == Atom(some("A", "B"), both(sets, p.Complement(SD)))
        assert parse("S = {A, B}\n['S']") == Atom(Described("S"))

    def test_an_expression_is_a_detector_known_by_its_name(self) -> None:
        definitions, pattern = core.parse_rules(Source("D = [A] ;\n [B]\n'my event' = ([C]\n)\n[D] ['my event']"))
        assert [(name, detector.pattern) for name, detector, _ in definitions] == [("D", strong(A, B)), ("my event", C)]
        assert pattern == Automaton(weak(D, atom("my event")))

    def test_it_becomes_a_hidden_rule(self) -> None:
        program = load_expression("D = [A] ; [B]\n[D] [C]", "core")
        assert [(rule.hidden, rule.language) for rule in program.rules] == [(True, "core"), (False, "core")]
        hidden, rule = program.rules
        assert "D" in hidden.name
        assert hidden.name != "D"  # nobody else can name it
        assert rule.name == "rule"

    def test_a_pattern_alone_has_no_room_for_it(self) -> None:
        with pytest.raises(RuleError, match="'D' is a detector of its own"):
            core.parse(Source("D = [A]\n[D]"))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("(([A]))", "[A]"),
        ("[A][B];[C]|[D]||[P]", "[A] [B] ; [C] | [D] || [P]"),
        ("([A] ; [B]) [C]*", "([A] ; [B]) [C]*"),
        ("([A] | [B])*", "([A] | [B])*"),
        ("([A]*)*", "[A]**"),
        ("[¬B ⊆ {B, {P}}]", "[!B in {B, P}]"),
        ("[!{A & B} & {C & D}, A]", "[!{A & B} & {C & D}, A]"),
        ("[{A, B}, C in {A, {B, C}}]", "[{A, B}, C in {A, {B, C}}]"),
        ("[[A] | [B] in {C}]", "[[A] | [B] in C]"),
        ("([A] | [B], [C] ; [D]){T = 90 min}", "([A] | [B], [C] ; [D]){T = 1 hour 30 min}"),
        ("([A], [B]){'T 1' = 2026/11/15 20:00:00}", '([A], [B]){"T 1" = 2026-11-15T20:00:00Z}'),
        ("[o:'a b'(this.room = 1 AND this.'x y' = this.this)]", '[o:"a b"(room == 1 && this."x y" == this.this)]'),
        ("[A(during(this, o))]", "[A(during(this, o))]"),
        ("[A(this.in = this.AND)]", "[A(this.in == this.AND)]"),
        ("S = {A, B}\n[S]", "[A, B]"),
    ],
)
def test_expressions_are_written_without_needless_brackets(text: str, written: str) -> None:
    assert core.render(core.parse(Source(text))) == written
    assert core.parse(Source(written)) == core.parse(Source(text))


def test_the_run_is_no_part_of_the_text() -> None:
    assert core.render(Automaton(A, p.Run.AGAIN)) == "[A]"
    assert str(Automaton(weak(A, B))) == "[A] [B]"


@pytest.mark.parametrize(
    ("pattern", "part"),
    [
        (p.Primitive("a"), "CORE has no way to write an event type"),
        (p.Sequence((p.Primitive("a"),)), "CORE has no way to write a sequence"),
        (A, "Atom (a part of a CORE automaton)"),
        (Automaton(p.Primitive("a")), "CORE has no way to write an event type"),
        (Automaton(weak(A, p.Parallel(B, C))), "parallel detection inside another expression"),
        (Automaton(either()), "a chain of nothing"),
        (Automaton(Atom(p.Union(()))), "a set of nothing"),
        (Automaton(Atom(p.Intersection(()))), "a set of nothing"),
        (Automaton(Atom(Described("A", None, "this"))), 'an event called "this"'),
        (Automaton(Atom(Described("A", None, "a b"))), 'an event called "a b"'),
        (Automaton(atom("A", guard=Reference("o"))), "the event 'o' by itself"),
        (Automaton(atom("A", guard=End("AND"))), "can be called 'AND'"),
        (Automaton(p.Timing(A, B, "T", parse_period("0 sec"))), "the span 0*sec"),
        (Automaton(p.Timing(A, B, "T", parse_period("1 sec").scaled(-1))), "the span -1*sec"),
    ],
)
def test_what_cannot_be_written_is_named(pattern: Pattern, part: str) -> None:
    with pytest.raises(RuleError) as caught:
        languages.render(pattern, "core")
    assert part in str(caught.value)


PAGE = (Path(__file__).parents[2] / "docs" / "languages" / "core.md").read_text(encoding="utf-8")


def test_what_the_page_shows_is_read() -> None:
    tables = [PAGE[PAGE.index(f"| {heading} |") :].split("\n\n")[0] for heading in ("expression", "set", "filter", "binding, tightest first")]  # fmt: skip
    rows = [row for table in tables for row in table.splitlines()[2:]]
    shown = [code.replace("\\|", "|") for row in rows for code in re.findall(r"`([^`]+)`", row.split(" | ")[0])]
    assert len(shown) > 20
    for text in shown:
        core.parse_rules(Source(text))
    for block in re.findall(r"^```core\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        core.parse_rules(Source(block))


def test_the_message_shown_is_the_one_given() -> None:
    with pytest.raises(RuleError) as caught:
        core.parse(Source("[d:Door] ([Temp(room = d.room)] || [Pers])"))
    assert f"```\n{caught.value}\n```" in PAGE
