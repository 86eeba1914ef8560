"""The papers' examples end to end: those that docs/papers.md names and no other test runs."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tests.docs.running import SECOND, Rows, detected, events, noted, records, seen, times, written
from tocsin import api
from tocsin.algebra.guards import Attribute, Binary, Literal
from tocsin.algebra.patterns import (
    THIS,
    Absence,
    After,
    Alternation,
    AtInstant,
    Atom,
    Automaton,
    Between,
    Both,
    Complement,
    Concatenation,
    Described,
    Either,
    Every,
    Everything,
    Instant,
    Intersection,
    Iteration,
    Named,
    Never,
    Parallel,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Run,
    Sequence,
    Timing,
    Union,
    Where,
    Within,
)
from tocsin.algebra.rules import Rule
from tocsin.algebra.values import Surroundings, evaluate
from tocsin.errors import EventError, RuleError, Source
from tocsin.events import Heartbeat
from tocsin.formats import events_from, read_events
from tocsin.languages.guards import parse_guard_text
from tocsin.rules.declared_events import conformer
from tocsin.rules.loader import load_file
from tocsin.session import Session
from tocsin.time.spans import Period, parse_period

A, B, C, E, F = (Primitive(name) for name in "abcef")


def rule(pattern: Pattern, name: str = "r") -> Rule:
    return api.rule(name, pattern)


# -- 000, EPS --------------------------------------------------------------------------------------------------------


SECTION_5: Rows = [[1, "E1", 1, {"attr1": 5}], [2, "E2", 2], [3, "E1", 3, {"attr1": 6}], [4, "E1", 4, {"attr1": 5}]]


class TestEps:
    def test_section_5_expression_all_combinations(self) -> None:
        either = api.rule("r", "TimesEq(2, E1, attr1) || (E2; E1)", context="unrestricted")
        assert seen(either, SECTION_5) == [("2", "3"), ("1", "4"), ("2", "4")]

    def test_section_5_expression_one_notification_an_arrival(self) -> None:
        either = api.rule("r", "TimesEq(2, E1, attr1) || (E2; E1)")
        assert seen(either, SECTION_5) == [("2", "3"), ("1", "4")]

    def test_section_1_start_reaction(self) -> None:
        reaction = api.rule(
            "start_reaction",
            "(t:temperature || p:pressure) & tank_is_full",
            condition="(?t && t.value > 80) || (?p && p.value > 3)",
        )
        rows: Rows = [
            [1, "temperature", 1, {"value": 70}],
            [2, "tank_is_full", 2],
            [3, "pressure", 3, {"value": 2}],
            [4, "temperature", 4, {"value": 90}],
        ]
        assert seen(reaction, rows) == [("2", "4")]

    def test_section_4_requests_from_a_file(self, tmp_path: Path) -> None:
        text = """
request hot {
  event: x:E1 & y:E2
  condition: x.v > 10
  notification: "E1 was {x.v}"
  callback: "http://localhost/hot"
}
request all { event: (E1 & E2) & E3 }
"""
        rows: Rows = [[1, "E1", 1, {"v": 5}], [2, "E2", 2], [3, "E1", 3, {"v": 20}], [4, "E3", 4]]
        found = detected(written(tmp_path, text, "requests.eps"), rows)
        assert [(one.rule, one.events, one.notification) for one in found] == [
            ("hot", ("2", "3"), "E1 was 20"),
            ("all", ("1", "2", "4"), None),
        ]

    def test_section_7_1_scheduler_time_waits_for_late_instances(self) -> None:
        late: Rows = [["b", "b", 2], ["a", "a", 1, {}, {"arrival": 4}]]
        pair = api.rule("r", "a ; b", context="chronicle")
        (found,) = detected(pair, late, order="delay:5 sec")
        assert (found.events, found.detected_us / SECOND) == (("a", "b"), 7)


# -- 001, CORE -------------------------------------------------------------------------------------------------------


def atom(name: str, *domain: str) -> Atom:
    return Atom(Described(name), Union(tuple(Described(each) for each in domain)) if domain else None)


def core(pattern: Pattern, run: Run = Run.EVERY, name: str = "r") -> Rule:
    return Rule(name, Automaton(pattern, run), "core")


class TestCore:
    def test_section_5_1_strong_then_weak(self) -> None:
        """The diagram with a < b and b weakly before c: b is the first of its domain that strongly follows a."""
        strong = Concatenation((atom("A"), atom("B")), strong=True)
        whole = core(Concatenation((strong, atom("C")), strong=False))
        rows: Rows = [[1, "A", [0, 3]], [2, "B", [2, 4]], [3, "B", [5, 8]], [4, "C", [6, 9]]]
        assert seen(whole, rows) == [("1", "3", "4")]

    def test_section_5_1_two_composites_within_a_minute(self) -> None:
        """C1 and C2 in either order, the second before a time event one minute after the first."""

        def within(first: str, second: str) -> Pattern:
            return Timing(atom(first), atom(second, second, "T"), "T", parse_period("1 min"))

        either = core(Alternation((within("C1", "C2"), within("C2", "C1"))))
        rows: Rows = [[1, "C2", 0], [2, "C1", 59], [3, "C1", 1000], [4, "C2", 1061]]
        assert seen(either, rows) == [("1", "2")]

    def test_section_5_1_all_matching_transitions_are_followed(self) -> None:
        """[A] ([B] [C] | [B] [D]): after B both branches go on, and neither fails the other."""

        def then(*names: str) -> Pattern:
            return Concatenation(tuple(atom(name) for name in names), strong=False)

        whole = core(Concatenation((atom("A"), Alternation((then("B", "C"), then("B", "D")))), strong=False))
        rows: Rows = [[1, "A", 0], [2, "B", 1], [3, "D", 2], [4, "C", 3]]
        assert seen(whole, rows) == [("1", "2", "3"), ("1", "2", "4")]

    @pytest.mark.parametrize(("first", "second", "expected"), [("s", "t", 1), ("s", "s", 1), ("t", "s", 0)])
    def test_section_4_2_equal_stamps_go_by_source_then_by_arrival(
        self, first: str, second: str, expected: int
    ) -> None:
        pair = core(Concatenation((atom("A"), atom("B")), strong=False))
        rows: Rows = [[1, "A", 5, {}, {"source": first}], [2, "B", 5, {}, {"source": second}]]
        assert len(seen(pair, rows)) == expected

    def test_parallel_occurrences_pair_with_the_next_of_the_other(self) -> None:
        rows: Rows = [[1, "A", 1], [2, "A", 2], [3, "B", 3], [4, "B", 4], [5, "A", 5]]
        found = seen(core(Parallel(atom("A"), atom("B"))), rows)
        assert found == [("1", "3"), ("2", "3"), ("3", "5"), ("4", "5")]

    def test_appendix_a_2_maximal_set_and_intersection(self) -> None:
        """The state looks at everything: what is not a Door of room 1 fails the branch."""
        in_room = Described("Door", Binary("==", Attribute(THIS, "room"), Literal(1)))
        whole = core(
            Concatenation((atom("A"), Atom(Intersection((Described("Door"), in_room)), Everything())), strong=False)
        )
        assert seen(whole, [[1, "A", 0], [2, "Door", 1, {"room": 1}]]) == [("1", "2")]
        assert seen(whole, [[1, "A", 0], [2, "Door", 1, {"room": 2}], [3, "Door", 2, {"room": 1}]]) == []
        assert seen(whole, [[1, "A", 0], [2, "Other", 1], [3, "Door", 2, {"room": 1}]]) == []

    def test_negation_of_a_set(self) -> None:
        other = core(Concatenation((atom("B"), Atom(Complement(Described("B")), Everything())), strong=False))
        assert seen(other, [[1, "B", 0], [2, "B", 1], [3, "X", 2]]) == [("2", "3")]

    def test_timing_at_an_absolute_time(self) -> None:
        """T at 10 seconds past 1970: B before it. One that is already past never occurs."""
        before = core(Timing(atom("A"), atom("B", "B", "T"), "T", 10 * SECOND))
        assert seen(before, [[1, "A", 0], [2, "B", 9]]) == [("1", "2")]
        assert seen(before, [[1, "A", 0], [2, "B", 11]]) == []
        assert seen(before, [[1, "A", 20], [2, "B", 21]]) == [("1", "2")]

    def test_timing_that_waits_for_the_time_event(self) -> None:
        """Not within an interval: T itself is what is waited for, and B fails the branch."""
        quiet = core(Timing(atom("A"), atom("T", "T", "B"), "T", parse_period("5 sec")))
        found = detected(quiet, [[1, "A", 0], [2, "A", 10], [3, "B", 12]])
        assert [(one.events, one.time_us / SECOND) for one in found] == [(("1",), 5)]

    def test_section_6_1_an_expression_reuses_a_detector_by_name(self) -> None:
        first = core(Concatenation((atom("B"), atom("P")), strong=True), name="C1")
        second = core(Alternation((atom("C1"), atom("M"))), name="C2")
        found = detected([first, second], [[1, "B", 0], [2, "P", 1], [3, "M", 2]])
        assert [(one.rule, one.events) for one in found] == [("C1", ("1", "2")), ("C2", ("1", "2")), ("C2", ("3",))]

    def test_iteration_of_nothing_is_no_detection(self) -> None:
        assert seen(core(Iteration(atom("A"))), [[1, "X", 0]]) == []

    @pytest.mark.parametrize(("run", "expected"), [("every", [("1", "3"), ("2", "3")]), ("again", [("1", "3")])])
    def test_runs(self, run: str, expected: list[tuple[str, ...]]) -> None:
        whole = core(Concatenation((atom("B"), atom("P")), strong=True), Run(run))
        assert seen(whole, [[1, "B", 0], [2, "B", 1], [3, "P", 2]]) == expected


# -- 002, GLOBAL -----------------------------------------------------------------------------------------------------


def on_site(name: str, row: list[object]) -> list[object]:
    return [*row, {}, {"source": name}]


class TestGlobal:
    def test_example_4_11(self) -> None:
        """((a, E1) ; b) | (c ; NOT E2 ; d); the leaves E1 and E2 are global events evaluated elsewhere."""
        left = Sequence((Both((Primitive("a"), Primitive("E1"))), Primitive("b")), Precedence.GLOBAL)
        right = Absence(Primitive("c"), Primitive("d"), Primitive("E2"), order=Precedence.GLOBAL)
        rules = [
            rule(Sequence((Primitive("p"), Primitive("q")), Precedence.GLOBAL), "E1"),
            rule(Both((Primitive("u"), Primitive("v"))), "E2"),
            rule(Either((left, right)), "whole"),
        ]
        rows: Rows = [
            on_site("A", ["c1", "c", 0]),
            on_site("B", ["p", "p", 2]),
            on_site("C", ["q", "q", 5]),  # E1 at tick 5
            on_site("A", ["a", "a", 6]),  # concurrent with it: the stamps are joined
            on_site("B", ["u", "u", 8]),
            on_site("C", ["v", "v", 9]),  # E2 at ticks 8 to 9
            on_site("B", ["b", "b", 12]),
            on_site("B", ["d1", "d", 15]),  # an E2 lies between c1 and d1
            on_site("A", ["c2", "c", 20]),
            on_site("B", ["d2", "d", 25]),
        ]
        found = detected(rules, rows, context="chronicle", time_model="2g:1 sec")
        assert [(one.rule, one.events) for one in found] == [
            ("E1", ("p", "q")),
            ("E2", ("u", "v")),
            ("whole", ("p", "q", "a", "b")),
            ("whole", ("c2", "d2")),
        ]
        assert found[1].stamp == {"base": 8, "interval": 1, "offset": {"B": 0, "C": 1}}
        assert found[2].stamp == {"base": 12, "interval": 0, "offset": {"B": 0}}

    def test_definition_4_10_disjunction_has_the_stamp_of_what_occurred(self) -> None:
        rows: Rows = [on_site("A", [1, "a", 3]), on_site("B", [2, "b", 4])]
        found = detected(rule(Either((A, B))), rows, context="chronicle", time_model="2g:1 sec")
        assert [one.stamp for one in found] == [
            {"base": 3, "interval": 0, "offset": {"A": 0}},
            {"base": 4, "interval": 0, "offset": {"B": 0}},
        ]

    def test_section_3_primitive_expressions_are_of_one_site(self) -> None:
        here = rule(Sequence((Primitive("a", "A"), Primitive("b", "B")), Precedence.GLOBAL))
        rows: Rows = [
            on_site("B", [1, "a", 0]),
            on_site("A", [2, "a", 2]),
            on_site("A", [3, "b", 5]),
            on_site("B", [4, "b", 6]),
        ]
        assert seen(here, rows, context="chronicle", time_model="2g:1 sec") == [("2", "4")]

    @pytest.mark.parametrize(
        "timer", [Every(parse_period("10 sec")), AtInstant(10 * SECOND), After(Primitive("c"), parse_period("10 sec"))]
    )
    def test_section_3_time_events_are_events_like_others(self, timer: Pattern) -> None:
        """A time event at 10 seconds; an a of another site is after it two ticks later, not one."""
        pair = rule(Sequence((timer, A), Precedence.GLOBAL))
        rows: Rows = [on_site("A", [0, "c", 0]), on_site("A", [1, "a", 11]), on_site("A", [2, "a", 12])]
        found = seen(pair, rows, context="chronicle", time_model="2g:1 sec")
        assert [ids[-1] for ids in found] == ["2"]

    def test_section_4_2_1_late_events_are_accepted_or_ignored(self) -> None:
        late: Rows = [[1, "b", 5], [2, "a", 1, {}, {"arrival": 6}]]
        pair = rule(Sequence((A, B), Precedence.GLOBAL))
        assert seen(pair, late, context="chronicle") == [("2", "1")]
        assert seen(pair, late, context="chronicle", late="ignore") == []

    def test_section_4_2_2_dummy_events_let_a_silent_site_report(self) -> None:
        """001 section 6.3 calls them heartbeats: without B's, the a of site A would wait for the end of the input."""
        arrivals = [
            *events_from(records([on_site("A", [1, "a", 1])])),
            Heartbeat("B", 2 * SECOND, 2 * SECOND),
            *events_from(records([on_site("A", [2, "x", 3])])),
            *events_from(records([on_site("B", [3, "x", 50])])),
        ]
        (found,) = api.detect(rule(A), arrivals, order="guaranteed")
        assert (found.events, found.detected_us / SECOND) == (("1",), 3)


# -- 003, GEM --------------------------------------------------------------------------------------------------------


class TestGem:
    def test_section_2_1_reports_of_a_declared_class(self, tmp_path: Path) -> None:
        """The paper's report, read against its declaration and seen by a rule."""
        text = """
event warning(double temp, string mesg)
event cold(string where, string why)
rule low { w:warning when w.temp < 0 ==> notify cold($w, w.mesg) }
enable low
"""
        session = Session(load_file(written(tmp_path, text)))
        declared = session.program.declarations
        report = io.StringIO('warning "sensor1" [10:30 27/6/95] (-4.5, "Temperature too low")\n')
        names = {name: [attribute for attribute, _ in each.attributes] for name, each in declared.items()}
        arrivals = read_events(report, "gem", declared=names, conform=conformer(declared))
        (found,) = session.detections(arrivals)
        assert (found.type, dict(found.data)) == ("cold", {"where": "sensor1", "why": "Temperature too low"})

    def test_section_2_1_a_time_that_is_past_is_warned_of_and_never_comes(self, tmp_path: Path) -> None:
        text = "event tick\nevent hit\nrule r { at[1/1/95] ==> notify hit }\nenable r\n"
        found, notes = noted(written(tmp_path, text), [[1, "tick", "2026-11-15T00:00:00Z"]])
        assert found == []
        assert notes.warnings == ["rule 'r' waits for a time that is past: it never comes"]

    def test_section_2_1_periods_start_when_the_rule_is_enabled(self, tmp_path: Path) -> None:
        text = "event go\nevent hit\nrule r { every[10*sec] ==> notify hit }\nrule s { go ==> enable r }\nenable s\n"
        assert times(detected(written(tmp_path, text), [[1, "x", 0], [2, "go", 7], [3, "x", 30]])) == [17, 27]

    def test_section_2_1_an_exact_time_comes_once(self, tmp_path: Path) -> None:
        text = "event tick\nevent hit\nrule r { at[0:00:10 1/1/70] ==> notify hit }\nenable r\n"
        assert times(detected(written(tmp_path, text), [[1, "tick", 5], [2, "tick", 500_000]])) == [10]

    def test_table_1_a_bounded_set_of_times_ends(self, tmp_path: Path) -> None:
        text = "event tick\nevent hit\nrule r { at[1/-/26] ==> notify hit }\nenable r\n"
        rows: Rows = [[1, "tick", "2026-10-15T00:00:00Z"], [2, "tick", "2027-06-01T00:00:00Z"]]
        found = detected(written(tmp_path, text), rows)
        assert times(found) == [1_793_491_200, 1_796_083_200]  # 1 November and 1 December, then no more

    def test_table_2_plus_a_day_and_a_half(self, tmp_path: Path) -> None:
        text = "event e1\nevent e2\nevent hit\nrule r { (e1 & e2) + [1*day+12*hour] ==> notify hit }\nenable r\n"
        (found,) = detected(written(tmp_path, text), [[1, "e2", 0], [2, "e1", 10]])
        assert (found.events, found.start_us, found.time_us / SECOND) == (("1", "2"), 0, 10 + 36 * 3600)

    def test_table_2_sequence_is_short_for_both_with_a_guard(self) -> None:
        rows: Rows = [[1, "e2", 1], [2, "e1", 2], [3, "e1", 3], [4, "e2", 3], [5, "e2", 4]]
        short = api.rule("r", "e1 ; e2", language="gem")
        long = api.rule("r", "(e1 & e2) when (@e1 < @e2)", language="gem")
        for context in ("unrestricted", "generic"):
            assert seen(short, rows, context=context) == seen(long, rows, context=context) != []

    def test_section_2_3_nested_guards(self) -> None:
        text = "((e1 when e1.a=<10) & (e2 when e2.b>20)) when (e1.c==e2.d) && (e1.e>=e2.f)"
        rows: Rows = [
            [1, "e1", 1, {"a": 11, "c": 1, "e": 5}],
            [2, "e1", 2, {"a": 10, "c": 1, "e": 5}],
            [3, "e2", 3, {"b": 20, "d": 1, "f": 5}],
            [4, "e2", 4, {"b": 21, "d": 2, "f": 5}],
            [5, "e2", 5, {"b": 21, "d": 1, "f": 6}],
            [6, "e2", 6, {"b": 21, "d": 1, "f": 5}],
        ]
        assert seen(api.rule("r", text, language="gem"), rows, context="unrestricted") == [("2", "6")]

    def test_section_2_3_variables_of_a_sequence_of_one_class(self) -> None:
        text = "x:(e1;e1;y:e1) when (@x - |@x) >= [2*sec] && y.v == 3"
        rows: Rows = [[n, "e1", n, {"v": n}] for n in (1, 2, 3)]
        assert seen(api.rule("r", text, language="gem"), rows) == [("1", "2", "3")]

    @pytest.mark.parametrize(
        ("guard", "expected"),
        [
            ("@x < |@y", []),  # x before y
            ("|@y < @x && @x < @y && |@x < |@y", [("1", "2", "3", "4")]),  # x overlaps y
            ("overlaps(x, y)", [("1", "2", "3", "4")]),
            ("|@x <= |@y && @y <= @x", []),  # y during x
            ("during(y, x)", []),
            ("!before(x, y) && !after(x, y)", [("1", "2", "3", "4")]),
        ],
    )
    def test_figure_3_relations_of_two_intervals(self, guard: str, expected: list[tuple[str, ...]]) -> None:
        rows: Rows = [[1, "a", 0], [2, "c", 1], [3, "b", 2], [4, "d", 3]]
        text = f"(x:(a ; b) & y:(c ; d)) when {guard}"
        assert seen(api.rule("r", text, language="gem"), rows) == expected

    @pytest.mark.parametrize(
        ("relation", "x", "y"),
        [
            ("before", (0, 1), (2, 3)),
            ("meets", (0, 2), (2, 3)),
            ("overlaps", (0, 2), (1, 3)),
            ("starts", (0, 1), (0, 3)),
            ("during", (1, 2), (0, 3)),
            ("finishes", (1, 3), (0, 3)),
            ("equals", (0, 3), (0, 3)),
            ("after", (2, 3), (0, 1)),
            ("met_by", (2, 3), (0, 2)),
            ("overlapped_by", (1, 3), (0, 2)),
            ("started_by", (0, 3), (0, 1)),
            ("contains", (0, 3), (1, 2)),
            ("finished_by", (0, 3), (1, 3)),
        ],
    )
    def test_the_thirteen_relations_exclude_each_other(
        self, relation: str, x: tuple[int, int], y: tuple[int, int]
    ) -> None:
        names = "before meets overlaps starts during finishes equals"
        names += " after met_by overlapped_by started_by contains finished_by"
        rows: Rows = [[1, "a", list(x), {}, {"arrival": 3}], [2, "b", list(y), {}, {"arrival": 3}]]
        holding = [n for n in names.split() if seen(api.rule("r", "x:a & y:b", condition=f"{n}(x, y)"), rows)]
        assert holding == [relation]

    def test_section_2_3_a_sequence_of_times_and_a_guard_differ(self, tmp_path: Path) -> None:
        text = """
event tick
event e1
event hit
rule i { at[10:00] ; e1 ; at[12:00] ==> notify hit }
rule ii { e1 when ([10:00] < @e1 ) && ( @e1 < [12:00]) ==> notify hit }
enable *
"""
        rows: Rows = [
            [0, "tick", "2026-11-15T09:00:00Z"],
            [1, "e1", "2026-11-15T10:30:00Z"],
            [2, "e1", "2026-11-15T11:00:00Z"],
            [3, "tick", "2026-11-15T13:00:00Z"],
        ]
        found = detected(written(tmp_path, text), rows)
        at = {"10:30": 1_794_738_600, "11:00": 1_794_740_400, "12:00": 1_794_744_000}
        assert [(one.rule, one.events, one.time_us / SECOND) for one in found] == [
            ("ii", ("1",), at["10:30"]),
            ("ii", ("2",), at["11:00"]),
            ("i", ("1",), at["12:00"]),
        ]

    def test_section_3_2_3_a_notify(self, tmp_path: Path) -> None:
        text = """
event a
event e1
event e2(long l)
event e3(long l, double d, string s)
rule testrule {\\
  a ==>\\
    notify e1;\\
    notify e2(10);\\
    notify e3(10, 3.4, "Hello World")\\
}
enable testrule
"""
        found = detected(written(tmp_path, text), [[1, "a", 1]])
        assert [(one.type, dict(one.data), one.source) for one in found] == [
            ("e1", {}, "self"),
            ("e2", {"l": 10}, "self"),
            ("e3", {"l": 10, "d": 3.4, "s": "Hello World"}, "self"),
        ]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("rule R1 { e1 ; e2 ==> forward e2 }\nenable R1", [("e2", ("2",))]),
            ("rule R2 { e1 ; e2 ; x:e2 ==> forward x }\nenable R2", [("e2", ("4",))]),
            ("rule R3 { e1 ; x:(e2 & e3) ==> forward x }\nenable R3", [("e2", ("2",)), ("e3", ("3",))]),
            ("rule failure { e1 when $e1 == 'link' ==> forward e1 }\nenable failure", [("e1", ("5",))]),
        ],
    )
    def test_section_3_2_3_b_forward(self, text: str, expected: list[object], tmp_path: Path) -> None:
        script = f"event e1\nevent e2\nevent e3\n{text}\n"
        rows: Rows = [[1, "e1", 1], [2, "e2", 2], [3, "e3", 3], [4, "e2", 4], [5, "e1", 5, {}, {"source": "link"}]]
        assert [(one.type, one.events) for one in detected(written(tmp_path, script), rows)] == expected

    def test_section_3_2_3_c_trigger(self, tmp_path: Path) -> None:
        """signal_loss names a composite event once, for all rules; the outside sees what r2 notifies, and no more."""
        text = """
event a
event b
event signal_loss(long a, string m)
event alarm(long a, string m)
rule r1 { a ; b ==> signal_loss(20, "Link Failure") }
rule r2 { s:signal_loss ==> notify alarm(s.a, s.m) }
enable *
"""
        (found,) = detected(
            written(tmp_path, text), [[1, "a", 1], [2, "b", 2], [3, "signal_loss", 9, {"a": 1, "m": "x"}]]
        )[:1]
        assert (found.type, found.events, dict(found.data)) == ("alarm", ("1", "2"), {"a": 20, "m": "Link Failure"})

    def test_section_3_3_load(self, tmp_path: Path) -> None:
        written(tmp_path, "event a\nevent hit\nrule r { a ==> notify hit }\n", "testfile.mi")
        found = detected(written(tmp_path, 'load "testfile.mi"\nenable r\n'), [[1, "a", 1]])
        assert [(one.rule, one.events) for one in found] == [("r", ("1",))]

    def test_section_3_3_a_file_that_loads_itself_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(RuleError, match="it is being loaded already"):
            api.load(written(tmp_path, 'load "rules.gem"\n'))

    def test_section_3_3_disable_all(self, tmp_path: Path) -> None:
        text = "event a\nevent hit\nrule r { a ==> notify hit }\nrule s { a ==> notify hit }\nenable *\ndisable *\nenable s\n"
        assert [one.rule for one in detected(written(tmp_path, text), [[1, "a", 1]])] == ["s"]

    def test_section_3_3_an_event_that_no_rule_refers_to_is_removed(self, tmp_path: Path) -> None:
        text = "event a\nevent b\n~ b\nrule r { y:* ==> forward y }\nenable r\n"
        found, notes = noted(written(tmp_path, text), [[1, "a", 1], [2, "b", 2]])
        assert events(found) == [("1",)]
        assert notes.warnings == []

    def test_section_3_3_an_event_that_rules_refer_to_stays_with_a_message(self, tmp_path: Path) -> None:
        text = "event a\nevent hit\nrule r { a ==> notify hit }\nenable r\n~ a\n"
        found, notes = noted(written(tmp_path, text), [[1, "a", 1]])
        assert events(found) == [("1",)]
        assert notes.warnings == ["event 'a' is not removed: rule r refers to it"]

    def test_section_3_1_what_is_not_declared_is_ignored_and_counted(self, tmp_path: Path) -> None:
        text = "event a\nrule r { a ==> forward a }\nenable r\n"
        found, notes = noted(written(tmp_path, text), [[1, "a", 1], [2, "unknown", 2], [3, "unknown", 3]])
        assert events(found) == [("1",)]
        assert notes.ignored == {"unknown": 2}

    def test_section_3_2_1_what_is_older_than_the_window_is_refused_and_counted(self, tmp_path: Path) -> None:
        text = "event a\nevent hit\nrule r [10*sec] { a ==> notify hit }\nenable r\n"
        found, notes = noted(
            written(tmp_path, text), [[1, "a", 0, {}, {"arrival": 11}], [2, "a", 5, {}, {"arrival": 15}]]
        )
        assert events(found) == [("2",)]
        assert notes.refused == {"older than the detection window of rule r": 1}

    def test_section_3_2_1_a_rules_own_window_overrides_the_default(self, tmp_path: Path) -> None:
        text = """
event a
event b
event hit
rule own [10*sec] { a ; b ==> notify hit }
rule default { a ; b ==> notify hit }
enable *
"""
        found = detected(written(tmp_path, text), [[1, "a", 0], [2, "b", 8]], window="5 sec")
        assert [one.rule for one in found] == ["own"]

    def test_section_2_3_now_and_self(self, tmp_path: Path) -> None:
        """The clock when the guard is evaluated, and the name of the monitor, which is the source of what it makes."""
        text = """
event a
event made
event old
event mine
rule late { a when now - @a > [3*sec] ==> made; notify old }
rule own { m:made when $m == self ==> notify mine }
enable *
"""
        rows: Rows = [[1, "a", 1], [2, "a", 2, {}, {"arrival": 6}], [3, "made", 7, {}, {"source": "s"}]]
        found = detected(written(tmp_path, text), rows)
        assert [(one.type, one.events) for one in found] == [("old", ("2",)), ("mine", ("2",))]

    def test_section_2_3_a_conjunction_stops_at_the_first_false(self) -> None:
        """What cannot be compared is counted, so it shows whether the right side was looked at."""
        around = Surroundings()
        for text in ("1 > 2 && 'a' < 1", "1 < 2 || 'a' < 1"):
            evaluate(parse_guard_text(Source(text)), {}, around)
            assert around.incomparable == {}
        evaluate(parse_guard_text(Source("1 < 2 && 'a' < 1")), {}, around)
        assert around.incomparable == {"number with string": 1}

    def test_section_4_example_1_as_it_was_meant(self, tmp_path: Path) -> None:
        text = """event power_cut
event disaster
rule disaster [10*min] {\\
    x:power_cut\\
        when ([24/Dec/95] < @x ) && ( @x < [2/Jan/96]) &&\\
            ($x=="master generator")\\
            ==> notify disaster\\
}
enable disaster
"""
        main = {"source": "master generator"}
        rows: Rows = [
            [1, "power_cut", "1995-12-23T12:00:00Z", {}, main],
            [2, "power_cut", "1995-12-25T12:00:00Z", {}, main],
            [3, "power_cut", "1995-12-26T12:00:00Z", {}, {"source": "spare generator"}],
            [4, "power_cut", "1996-01-02T00:00:00Z", {}, main],
        ]
        assert seen(written(tmp_path, text), rows) == [("2",)]

    def test_section_4_example_5_as_printed_never_backs_up_on_weekends(self, tmp_path: Path) -> None:
        """No day is a Saturday and a Sunday; `check` says so, and tests/cases/rulings.yaml has the one that was meant."""
        text = """event tick
event backup
rule backup {\\
  ( x:every[hour]\\
    when ([8:00] < @x) && (@x < [17:00]) &&\\
      ([Mon] <= @x) && (@x <= [Fri])) |\\
  ( y:every[2*hour]\\
    when ([10:00] < @y) && (@y < [16:00]) &&\\
      ([Sat] == @y) && (@y == [Sun]))\\
    ==> notify backup\\
}
enable backup
"""
        path = written(tmp_path, text)
        weekend: Rows = [[1, "tick", "2026-11-14T00:00:00Z"], [2, "tick", "2026-11-15T23:00:00Z"]]
        assert detected(path, weekend) == []
        assert [fault.message[:26] for fault in Session(load_file(path)).doubts if "guard" in fault.message] == [
            "this guard can never hold:"
        ]

    def test_section_5_1_uniform_delaying(self, tmp_path: Path) -> None:
        """Fig. 8: with D = 6 seconds the cancelling e3 is in its place before {e1 ; e2} ! e3 is evaluated."""
        text = "event e1\nevent e2\nevent e3\nevent hit\nrule r1 { {e1 ; e2} ! e3 ==> notify hit }\nenable r1\n"
        rows: Rows = [
            ["x1", "e1", 1, {}, {"arrival": 2}],
            ["x2", "e2", 4, {}, {"arrival": 5}],
            ["x3", "e3", 3, {}, {"arrival": 7}],
        ]
        path = written(tmp_path, text)
        assert seen(path, rows) == [("x1", "x2")]
        assert seen(path, rows, order="delay:6 sec") == []


# -- 004, SEL --------------------------------------------------------------------------------------------------------


def gap(*parts: Pattern) -> Sequence:
    return Sequence(parts, Precedence.GAP)


def fixed(pattern: Pattern, start: float, stop: float) -> Between:
    return Between(pattern, round(start * SECOND), round(stop * SECOND))


class TestSel:
    def test_section_3_b_1_a_fixed_window_includes_its_edges(self) -> None:
        rows: Rows = [[1, "a", 9], [2, "a", 10], [3, "a", 20], [4, "a", 21]]
        assert seen(rule(fixed(A, 10, 20)), rows) == [("2",), ("3",)]
        assert seen(rule(fixed(gap(A, A), 10, 20)), rows) == [("2", "3")]

    def test_section_3_b_1_absence_in_a_fixed_window(self) -> None:
        """!E starts with the window and ends with it, and is known then."""
        (found,) = detected(rule(fixed(Never(A), 10, 20)), [[1, "a", 9], [2, "x", 15], [3, "a", 21]])
        assert (found.start_us / SECOND, found.time_us / SECOND, found.detected_us / SECOND) == (10, 20, 20)
        assert detected(rule(fixed(Never(A), 10, 20)), [[1, "a", 9], [2, "a", 20], [3, "x", 30]]) == []

    def test_section_3_b_1_absence_up_to_the_end_of_a_fixed_window(self) -> None:
        (found,) = detected(rule(fixed(gap(A, Never(B)), 10, 20)), [[1, "a", 12], [2, "b", 21]])
        assert (found.events, found.start_us / SECOND, found.time_us / SECOND) == (("1",), 12, 20)
        assert detected(rule(fixed(gap(A, Never(B)), 10, 20)), [[1, "a", 12], [2, "b", 20], [3, "x", 30]]) == []

    def test_section_3_b_1_alternative_and_conjunction(self) -> None:
        rows: Rows = [[1, "a", 11], [2, "b", 12], [3, "a", 13]]
        assert seen(rule(fixed(Either((A, B)), 10, 20)), rows) == [("1",), ("2",), ("3",)]
        assert seen(rule(fixed(Both((A, B)), 10, 20)), rows) == [("1", "2"), ("2", "3")]

    def test_section_3_b_1_braces_are_a_delta_of_nothing(self) -> None:
        rows: Rows = [[1, "a", 1], [2, "b", 2], [3, "b", 3]]
        for pattern in (Instant(gap(A, B)), After(gap(A, B), Period(), instant=True)):
            found = detected(rule(pattern), rows)
            assert [(one.events, one.start_us / SECOND, one.time_us / SECOND) for one in found] == [
                (("1", "2"), 2, 2),
                (("1", "3"), 3, 3),
            ]

    def test_repetition_of_two_to_three(self) -> None:
        rows: Rows = [[1, "a", 1], [2, "a", 2], [3, "a", 3]]
        runs = seen(rule(Within(Repeat(A, 2, 3), parse_period("1 min"))), rows)
        assert sorted(runs) == [("1", "2"), ("1", "2", "3"), ("2", "3")]

    def test_section_2_c_contiguous_followed_by(self) -> None:
        """a is immediately followed by b, where e and f are what is relevant: a -> !(e | f) -> b."""
        whole = rule(Within(gap(A, Never(Either((E, F))), B), parse_period("1 min")))
        assert seen(whole, [[1, "a", 0], [2, "x", 1], [3, "b", 2], [4, "a", 3], [5, "f", 4], [6, "b", 5]]) == [
            ("1", "3")
        ]

    def test_section_2_c_contiguous_and_overlapping(self) -> None:
        """{a -> b} -> !e -> {c -> f}: the ends in order with no e between them; a, b, c and f may overlap."""
        ends = gap(Instant(gap(A, B)), Never(E), Instant(gap(C, F)))
        whole = rule(Within(ends, parse_period("1 min")))
        assert seen(whole, [[1, "a", 0], [2, "c", 1], [3, "b", 2], [4, "f", 3]]) == [("1", "2", "3", "4")]
        assert seen(whole, [[1, "a", 0], [2, "c", 1], [3, "b", 2], [4, "e", 3], [5, "f", 4]]) == []

    def test_section_2_b_the_same_pattern_in_gem(self) -> None:
        """f but no e between a and b: GEM needs two sequences, and a guard that makes their ends the same events."""
        rows: Rows = [[1, "a", 0], [2, "f", 10], [3, "b", 20], [4, "a", 30], [5, "f", 35], [6, "e", 40], [7, "b", 45]]
        text = "((a1:a ; f ; b1:b) & ({a2:a ; b2:b} ! e)) when a1 == a2 && b1 == b2 && @b1 - @a1 <= [60*sec]"
        written_in_gem = api.rule("r", text, language="gem", context="unrestricted")
        built = rule(Within(gap(A, Both((F, Never(E))), B), parse_period("60 seconds")))
        assert seen(written_in_gem, rows) == seen(built, rows) == [("1", "2", "3")]

    def test_a_guard_inside_a_negation_names_what_is_bound_outside(self) -> None:
        same = Binary("==", Attribute("x", "k"), Attribute("y", "k"))
        whole = rule(
            Within(gap(Named("x", A), Never(Where(Named("y", B), same)), Named("z", C)), parse_period("1 min"))
        )
        rows: Rows = [[1, "a", 0, {"k": 1}], [2, "b", 1, {"k": 2}], [3, "c", 2], [4, "b", 3, {"k": 1}], [5, "c", 4]]
        assert seen(whole, rows) == [("1", "3")]


# -- rulings that no other test holds -----------------------------------------------------------------------------------


class TestRulings:
    def test_a_rule_takes_what_arrives_while_it_is_enabled_whatever_its_time(self, tmp_path: Path) -> None:
        text = "event a\nevent go\nevent hit\nrule r { a ==> notify hit }\nrule s { go ==> enable r }\nenable s\n"
        rows: Rows = [[1, "a", 1], [2, "go", 5], [3, "a", 2, {}, {"arrival": 6}]]
        assert seen(written(tmp_path, text), rows) == [("3",)]

    def test_rules_run_in_order_of_definition(self, tmp_path: Path) -> None:
        text = "event a\nevent hit\nrule r { a ==> notify hit }\nrule s { a ==> notify hit }\nenable s\nenable r\n"
        assert [one.rule for one in detected(written(tmp_path, text), [[1, "a", 1]])] == ["r", "s"]

    def test_what_cancels_is_not_used_up_by_it(self, tmp_path: Path) -> None:
        text = "event a\nevent b\nevent c\nevent hit\nrule r { ({a ; b} ! x:c) | (y:c ; b) ==> notify hit }\nenable r\n"
        assert seen(written(tmp_path, text), [[1, "a", 1], [2, "c", 2], [3, "b", 3]]) == [("2", "3")]

    def test_a_guard_that_names_the_cancelling_event_decides_with_it_unbound(self) -> None:
        """`x.k == w.k` alone is false when the whole occurs, for there is no w: nothing is ever detected."""
        rows: Rows = [[1, "a", 0, {"k": 1}], [2, "c", 1, {"k": 2}], [3, "b", 2, {"k": 1}]]
        alone = api.rule("r", "({x:a ; y:b} ! w:c) when x.k == w.k", language="gem")
        asked = api.rule("r", "({x:a ; y:b} ! w:c) when ?y || x.k == w.k", language="gem")
        assert seen(alone, rows) == []
        assert seen(asked, rows) == [("1", "3")]

    def test_of_two_lists_of_times_the_shorter_is_the_older_where_it_begins_the_other(self) -> None:
        rows: Rows = [[1, "b", 2], [2, "a", 1, {}, {"arrival": 3}]]
        assert seen(api.rule("r", "a || (a & b)"), rows) == [("2",)]

    def test_events_of_one_time_are_listed_in_order_of_arrival(self) -> None:
        assert seen(api.rule("r", "a & b"), [["z", "b", 1], ["y", "a", 1]]) == [("z", "y")]

    def test_newer_is_by_time_in_recent(self) -> None:
        rows: Rows = [[1, "a", 5], [2, "a", 2, {}, {"arrival": 6}], [3, "b", 7]]
        assert seen(api.rule("r", "a ; b", context="recent"), rows) == [("1", "3")]

    def test_the_oldest_partner_is_the_oldest_that_fits(self) -> None:
        """A late a finds two waiting b: the older is one tick away at another site, so no sequence."""
        rows: Rows = [
            on_site("B", [1, "b", 11]),
            on_site("B", [2, "b", 12]),
            [3, "a", 10, {}, {"source": "A", "arrival": 13}],
        ]
        pair = rule(Sequence((A, B), Precedence.GLOBAL))
        assert seen(pair, rows, context="chronicle", time_model="2g:1 sec") == [("3", "2")]

    def test_what_must_not_occur_is_never_used_up(self) -> None:
        missing = rule(Absence(A, C, B, order=Precedence.GLOBAL))
        rows: Rows = [[1, "a", 0], [2, "a", 1], [3, "b", 5], [4, "c", 8], [5, "c", 9]]
        assert seen(missing, rows, context="chronicle") == []

    def test_a_detection_at_a_node_is_final(self) -> None:
        """A late b cancels nothing that was passed up already, in a consuming context."""
        rows: Rows = [[1, "a", 0], [2, "c", 8], [3, "b", 5, {}, {"arrival": 9}], [4, "e", 10]]
        whole = rule(Both((Absence(A, C, B, order=Precedence.GLOBAL), E)))
        assert seen(whole, rows, context="chronicle") == [("1", "2", "4")]
        assert seen(whole, rows, context="unrestricted") == []

    def test_a_time_event_comes_first_only_on_a_full_tie(self) -> None:
        within = core(Timing(atom("B"), atom("P", "P", "T1"), "T1", parse_period("1 h")))
        assert seen(within, [[1, "B", 0], [2, "P", 3600]]) == []
        assert seen(within, [[1, "B", 0], [2, "P", [3599, 3600]]]) == [("1", "2")]

    def test_a_window_to_the_end_starts_with_the_window(self) -> None:
        (found,) = detected(rule(Within(gap(Never(B), A), parse_period("20 sec"))), [[1, "b", 0], [2, "a", 20]])
        assert (found.start_us / SECOND, found.time_us / SECOND) == (0, 20)  # open at its beginning: b is not inside

    def test_a_window_that_floats_before_an_event(self) -> None:
        """(!b in 20 sec) -> a: the window is the 20 seconds before a, closed at its beginning and open at a."""
        floating = rule(gap(Within(Never(B), parse_period("20 sec")), A))
        assert seen(floating, [[1, "b", 0], [2, "a", 20]]) == []
        assert seen(floating, [[1, "b", 0], [2, "a", 21]]) == [("2",)]

    def test_rules_that_trigger_each_other_without_end_are_cut_with_a_warning(self, tmp_path: Path) -> None:
        text = "event a\nevent b\nrule r { a ==> b }\nrule s { b ==> a }\nenable *\n"
        found, notes = noted(written(tmp_path, text), [[1, "a", 1]])
        assert found == []
        assert ["rules that trigger each other" in text for text in notes.warnings] == [True]

    def test_timers_that_restart_each_other_after_the_last_arrival_are_cut_with_a_warning(self, tmp_path: Path) -> None:
        text = "event a\nevent b\nrule r { a + [1*sec] ==> b }\nrule s { b + [1*sec] ==> a }\nenable *\n"
        found, notes = noted(written(tmp_path, text), [[1, "a", 1]])
        assert found == []
        assert ["timers that restart each other" in text for text in notes.warnings] == [True]

    def test_a_value_that_is_not_of_its_declared_type_is_a_bad_event(self, tmp_path: Path) -> None:
        path = written(tmp_path, "event a(long n, double d, char c)\nrule r { a ==> forward a }\nenable r\n")
        good: dict[str, object] = {"n": 1, "d": 2, "c": "x"}
        assert seen(path, [[1, "a", 1, good]]) == [("1",)]  # long for double
        for data, reason in (
            (good | {"n": 1.5}, "declared as long"),
            (good | {"c": "xy"}, "declared as char"),
            ({"n": 1, "c": "x"}, "no attribute 'd'"),
        ):
            with pytest.raises(EventError, match=reason):
                detected(path, [[1, "a", 1, data]])
