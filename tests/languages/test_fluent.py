"""Patterns built in Python are the patterns the languages parse, and what cannot be meant is refused."""

from __future__ import annotations

import pytest

import tocsin as tc
from tocsin.algebra.guards import or_absent
from tocsin.algebra.patterns import (
    Absence,
    After,
    Both,
    By,
    Either,
    Instant,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
)
from tocsin.errors import Source, UsageError
from tocsin.languages.fluent import Fluent, Term
from tocsin.languages.guards import parse_guard_text
from tocsin.time.spans import parse_period

a, b, c = tc.event("a"), tc.event("b"), tc.event("c")
A, B, C = (Named(name, Primitive(name)) for name in "abc")
MINUTE = parse_period("1 min")

SHAPES: list[tuple[Fluent, Pattern]] = [
    (a.then(b), Sequence((A, B), Precedence.GAP)),
    (a.then(b).then(c), Sequence((A, B, C), Precedence.GAP)),
    (a.then(b, c), Sequence((A, B, C), Precedence.GAP)),
    (a.then(b.then(c)), Sequence((A, Sequence((B, C), Precedence.GAP)), Precedence.GAP)),
    (b.after(a), Sequence((A, B), Precedence.GAP)),
    (a.after(b.repeated(3)), Sequence((Repeat(B, 3, 3), A), Precedence.GAP)),
    (a & b & c, Both((A, B, C))),
    (a | b | c, Either((A, B, C))),
    (a.then(b).without(c), Absence(A, B, C, order=Precedence.GAP)),
    (a.then(b).without(c, where=c.v == a.v), Absence(A, B, C, or_absent((c.v == a.v).guard, "c"), Precedence.GAP)),
    (
        a.then(b).without(c.within("1 min"), where=c.v == a.v),
        Absence(A, B, Within(C, MINUTE), or_absent((c.v == a.v).guard, "c"), Precedence.GAP),
    ),
    (a.then(b).without(c, when=c.v == a.v), Absence(A, B, C, (c.v == a.v).guard, Precedence.GAP)),
    (a.then(b.never()).within("1 min"), Within(Sequence((A, Never(B)), Precedence.GAP), MINUTE)),
    (a.then_or_with(b), Sequence((A, B), Precedence.WEAK)),
    (a.then(b).by("ip", "host"), By(Sequence((A, B), Precedence.GAP), ("ip", "host"))),
    (a.times(3), Streak(3, A)),
    (a.times(3, same="user"), Streak(3, A, ("user",))),
    (a.times(3, same=["user", "host"], different="port"), Streak(3, A, ("user", "host"), "port")),
    (a.times(3, same="user").within("1 min"), Streak(3, A, ("user",), None, MINUTE)),
    (a.times(2, 4, same="user"), Repeat(A, 2, 4, ("user",))),
    (a.then(b).times(2), Repeat(Sequence((A, B), Precedence.GAP), 2, 2)),
    (a.at_least(3).within("1 min"), Streak(3, A, (), None, MINUTE, True)),
    (a.any_of(3), Times(3, A, None, True)),
    (a.any_of(3, same="user"), Times(3, A, "user", True)),
    (a.any_of(3, different="port"), Times(3, A, "port", False)),
    (a.repeated(2, 4), Repeat(A, 2, 4)),
    (a.later("1 min"), After(A, MINUTE, instant=True)),
    (a.then(b).at_once(), Instant(Sequence((A, B), Precedence.GAP))),
    (tc.event("a", "x"), Named("x", Primitive("a"))),
    (a.named("x"), Named("x", Primitive("a"))),
    (tc.event("a", site="s1"), Named("a", Primitive("a", "s1"))),
]

TERMS: list[tuple[Term, str]] = [
    (a.v == b.v, "a.v == b.v"),
    ((a.v + 1 > 2) & ~(b.w != "x"), "a.v + 1 > 2 && !(b.w != 'x')"),
    ((a.v - b.v < 3) | (a.v * 2 >= b.v / 3) | (a.v % 2 <= 0), "a.v - b.v < 3 || a.v * 2 >= b.v / 3 || a.v % 2 <= 0"),
    (a["v"].is_in("p", "q"), "a.v in ('p', 'q')"),
    (a.v.contains("x") & a.v.starts_with("y"), "contains(a.v, 'x') && startswith(a.v, 'y')"),
    (abs(-a.v) == 1, "abs(-a.v) == 1"),
    (b.end_ - a.start_ < MINUTE, "@b - |@a < [1*min]"),
    (
        (a.v.first() == a.v.last()) & (a.v.sum() / a.itself_.count() > a.v.avg()),
        "first(a.v) == last(a.v) && sum(a.v) / count(a) > avg(a.v)",
    ),
    ((a.v.min() < a.v.max()) | (a.v.list() == b.v), "min(a.v) < max(a.v) || list(a.v) == b.v"),
    ((a.source_ == b.source_) & (a.itself_ != b.itself_), "$a == $b && a != b"),
]


@pytest.mark.parametrize(("built", "shape"), SHAPES, ids=lambda each: repr(each)[:60])
def test_steps_make_the_shapes_of_the_algebra(built: Fluent, shape: Pattern) -> None:
    assert built.pattern == shape


@pytest.mark.parametrize(("term", "text"), TERMS, ids=[text[:60] for _, text in TERMS])
def test_terms_make_the_guards_of_the_grammar(term: Term, text: str) -> None:
    assert term.guard == parse_guard_text(Source(text))


def test_where_takes_several_terms() -> None:
    pattern = a.then(b).where(a.v == 1, b.v == 2).pattern
    assert isinstance(pattern, Where)
    assert isinstance(pattern.pattern, Where)


def test_select_is_the_data_of_a_detection() -> None:
    rule = tc.rule("r", a.then(b).select(rise=b.v - a.v).within("1 min"))
    found = tc.detect([rule], [{"type": "a", "time": 1, "data": {"v": 2}}, {"type": "b", "time": 2, "data": {"v": 5}}])
    assert [one.data for one in found] == [{"rise": 3}]


def test_the_example_of_the_interface() -> None:
    rule = tc.rule("pair", a.then(b).within("1 min").where(a.host == b.host))
    rows = [("a", 0, 1), ("b", 30, 2), ("b", 40, 1), ("b", 61, 1)]
    events = [{"type": kind, "time": time, "data": {"host": host}} for kind, time, host in rows]
    assert [one.events for one in tc.detect([rule], events)] == [("1", "3")]


def test_an_event_built_in_python_is_written_in_a_language() -> None:
    assert tc.render(a & b, "eps") == "a & b"
    assert str(tc.parse("a ; b", "gem")) == "a ; b"


@pytest.mark.parametrize(
    "mistake",
    [
        lambda: a.without(b),
        lambda: a.then(b).without(c, where=c.v == b.v),
        lambda: a.then(b).without(c, where=a.v == 1),
        lambda: a.then(b).without(c | tc.event("d"), where=c.v == 1),
        lambda: a.then(b).without(tc.unnamed("c"), where=c.v == 1),
        lambda: a.then(b).without(c, where=c.v == 1, when=c.v == 1),
        lambda: a.any_of(3, same="x", different="y"),
        lambda: a.times(2, 4, different="y"),
        lambda: a.then(b).times(2, same="x"),
        lambda: a.then(b).at_least(2),
        lambda: a.then(b).by(),
        lambda: a.where(True),  # type: ignore[arg-type]
        lambda: a.then(b).where(a.v == 1 and b.v == 2),
        lambda: a.v == object(),
    ],
)
def test_what_cannot_be_meant_is_refused(mistake: object) -> None:
    with pytest.raises(UsageError):
        mistake()  # type: ignore[operator]


def test_a_method_that_is_misspelt_names_the_nearest() -> None:
    a, b = tc.event("a"), tc.event("b")
    with pytest.raises(tc.UsageError, match=r"no method 'folowed_by'.*did you mean 'followed_by'"):
        a.folowed_by(b)
    with pytest.raises(AttributeError, match="a pattern has no 'witin'; did you mean 'within'"):
        _ = a.then(b).witin  # type: ignore[attr-defined]
    assert "followed_by" in dir(a)


def test_names_that_are_imported_when_they_are_used_complete() -> None:
    assert {"detect", "rule", "Live", "spark", "testing"} <= set(dir(tc))
    assert not {"TYPE_CHECKING", "annotations", "import_module"} & set(dir(tc))
    with pytest.raises(AttributeError, match="no attribute 'detct'; did you mean 'detect'"):
        _ = tc.detct  # type: ignore[attr-defined]


def test_a_rule_for_each_value() -> None:
    """The partition goes from the pattern to the rule; on a part of a pattern it is refused."""
    rule = tc.rule("r", a.then(b).partition_by("user"))
    assert (rule.partition, rule.pattern) == (("user",), a.then(b).pattern)
    assert tc.rule("r", a.then(b), partition="user") == rule
    with pytest.raises(tc.UsageError, match="partition_by"):
        a.partition_by()
    with pytest.raises(tc.RuleError, match="is for a whole rule"):
        tc.detect(tc.rule("r", a.partition_by("user").then(b)), [])
