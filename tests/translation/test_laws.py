"""Each law where it holds, and where it does not: another context, another time model, something that lasts."""

from __future__ import annotations

import pytest

from tests.translation.comparing import read, translation
from tocsin.algebra.rules import Program
from tocsin.languages import render
from tocsin.languages.guards import render_guard
from tocsin.rules.documents import read_document
from tocsin.rules.loader import load_expression
from tocsin.rules.options import context_of
from tocsin.runtime.options import Options, completed

HOLDS = [
    # overlap_or_gap
    ("a ; b ; c", "gem", "sel", "a -> b -> c"),
    ("(a & b) ; c", "gem", "sel", "a & b -> c"),
    ("a ; (b | c)", "gem", "pretty", "a followed by b or c"),
    ("a -> b -> c", "sel", "global", "a ; b ; c"),
    ("a ; b", "global", "gem", "a ; b"),
    # gaps_associate
    ("a -> (b -> c)", "sel", "gem", "a ; b ; c"),
    # sequence_as_guard
    ("a -> (b & c)", "sel", "gem", "a & (b & c) when @a < |@b && @a < |@c"),
    ("a ; (b & c)", "gem", "sel", "a & (b & c) if @a < @b || @a < @c"),
    ("a -> y:(b & c)", "sel", "gem", "a & y:(b & c) when @a < |@y"),
    # absence_in_another_order, absence_as_negation, negation_as_absence
    ("{a ; b} ! c", "gem", "pretty", "a followed by b without c"),
    ("{(a & b) ; c} ! d", "gem", "sel", "a & b -> !d -> c"),
    ("a ; NOT b ; c", "global", "gem", "{a ; c} ! b"),
    ("a -> !c -> b -> d", "sel", "gem", "{a ; b} ! c ; d"),
    ("a -> !(c | d) -> b", "sel", "gem", "{a ; b} ! (c | d)"),
    ("{x:a ; y:b} ! z:c when z.k == x.k || !?z", "gem", "sel", "x:a -> !(z:c if z.k == x.k) -> y:b"),
    ("{x:a ; y:b} ! z:c when z.k == x.k && y.k == 1", "gem", "sel", "x:a -> !(z:c if false) -> y:b if false"),
    ("x:a -> !(z:c if z.k == x.k) -> y:b", "sel", "gem", "{x:a ; y:b} ! z:c when z.k == x.k || !?z"),
    ("{a ; y:b} ! z:c when z.k == 1 && !(z.k == y.k)", "gem", "sel", "a -> !(z:c if z.k == 1) -> y:b if false"),
    ("{a ; b} ! z:c when ?z && z.k == 1 || !?z", "gem", "sel", "a -> !(z:c if z.k == 1) -> b"),
    # ends of a composite are those of its last part
    ("(a ; b) ; (c & d)", "gem", "sel", "a & b & (c & d) if @a < @b && (@b < @c || @b < @d)"),
    ("a ; (b ; c) ; (d & e)", "gem", "sel", "a & (b -> c) & (d & e) if @a < @c && (@c < @d || @c < @e)"),
    # window_as_guard
    ("a -> b in 5 seconds", "sel", "gem", "a ; b when @b - |@a <= [5*sec]"),
    ("a -> !c -> b in 5 seconds", "sel", "gem", "{a ; b} ! c when @b - |@a <= [5*sec]"),
    ("(a & b) -> c in 5 seconds", "sel", "gem", "a & b ; c when @c - |@a <= [5*sec] && @c - |@b <= [5*sec]"),
    ("any 2 a with the same k within 5 seconds", "pretty", "eps", "TimesEq(2, a, k)"),
    # site_as_guard, concurrency_as_guard
    ("a@s1 ; b", "global", "sel", '(a if $a == "s1") -> b'),
    ("a || b", "global", "gem", "a & b when @a == @b"),
    # automata
    ("[x:a(k > 1), y:b]", "core", "gem", "(x:a when x.k > 1) | y:b"),
    ("[*]", "core", "pretty", "any event"),
    ("(x:a when x.k in (1, 2)) | b", "gem", "core", "[x:a(k in (1, 2)), b:b]"),
    ("*", "gem", "core", "[*]"),
    ("[x:a in {a, b}]", "core", "sel", "x:a"),
]

FAILS = [
    # What lasts: the order of ends is not that of gaps.
    ("{a ; (b & c)} ! d", "gem", "sel", {}),
    ("{a ; b} ! (c ; d)", "gem", "pretty", {}),
    ("{a ; (b & c)} ! d", "gem", "pretty", {}),
    ("a -> !(c -> d) -> b", "sel", "gem", {}),
    ("a followed by b without (3 seconds after c)", "pretty", "sel", {}),
    ("a followed by b without (c 2 times)", "pretty", "sel", {}),
    ("a ; (b + [5*sec])", "gem", "sel", {}),
    ("a ; ((b & c) | c)", "gem", "sel", {}),
    # Intervals: an event itself lasts.
    ("{a ; b} ! c", "gem", "sel", {"model": "interval"}),
    ("a -> !c -> b", "sel", "global", {"model": "interval"}),
    ("[x:a] ; [y:b]", "core", "gem", {"model": "interval"}),
    # 2g: nothing is rewritten.
    ("a ; b", "gem", "global", {"model": "2g"}),
    ("a ; NOT b ; c", "global", "gem", {"model": "2g"}),
    ("a -> b in 5 seconds", "sel", "gem", {"model": "2g"}),
    ("a -> (b -> c)", "sel", "gem", {"model": "2g"}),
    ("a@s1 ; b", "global", "python", {"model": "2g", "exact": True}),
    ("[x:a]", "core", "gem", {"model": "2g"}),
    # Contexts that use up at every operator.
    ("a -> (b -> c)", "sel", "gem", {"context": "chronicle"}),
    ("a ; (b & c)", "gem", "sel", {"context": "recent"}),
    ("{a ; b} ! c", "gem", "sel", {"context": "chronicle"}),
    ("(x:a when x.k == 1) ; b", "gem", "eps", {"context": "continuous"}),
    ("x:a & y:b when x.k == y.k", "gem", "eps", {"context": "chronicle"}),
    # What is used up: only GEM forgets it.
    ("{x:a ; b} ! y:a", "gem", "pretty", {}),
    ("{x:a ; b} ! *", "gem", "pretty", {}),
    ("a -> !x:a -> b", "sel", "gem", {"context": "generic"}),
    ("{x:a ; b} ! y:a", "gem", "pretty", {"context": "unrestricted", "exact": True}),
    ("x:a -> !y:a -> b", "sel", "gem", {"exact": True}),
    ("x:a -> !y:a -> b", "sel", "pretty", {"context": "generic", "exact": True}),
    # What has no name of its own, or more than one thing a guard could speak of.
    ("a -> (a & b)", "sel", "gem", {}),
    ("a || (b ; c)", "global", "gem", {}),
    ("any 2 a with the same k within 1 month", "pretty", "eps", {}),
    ("any 2 a with the same k within 5 seconds", "pretty", "eps", {"model": "interval"}),
    ("a -> b in 1 month", "sel", "gem", {}),
    ("a -> b at [0.0005, 3]", "sel", "gem", {}),
    ("x:a -> !(z:c if z.k == y.k) -> y:b", "sel", "gem", {}),
    ("{x:a ; y:b} ! z:c when (z.k == 1) == false", "gem", "sel", {}),
    ("{x:a ; y:b} ! z:c when ?z == false", "gem", "sel", {}),
    ("((a & b) | c) when 1 == 1", "gem", "core", {}),
    ("(x:a when now > @x) + [5*sec]", "gem", "eps", {}),
    ("[A]", "core", "gem", {}),
    ("[x:a, y:a]", "core", "gem", {}),
    ("[x:a in {b, c}]", "core", "gem", {}),
    ("[x:a(k > 1)] | [y:a]", "core", "gem", {}),
]


def rule(text: str, language: str, context: str | None = None) -> Program:
    options = Options(context=None if context is None else context_of(context))
    return completed(load_expression(text, language), options)


@pytest.mark.parametrize(("text", "language", "target", "wanted"), HOLDS, ids=lambda each: str(each)[:40])
def test_a_law_where_it_holds(text: str, language: str, target: str, wanted: str) -> None:
    made = translation(rule(text, language), target)
    assert made is not None
    assert render(read(made).rules[-1].pattern, target) == wanted


@pytest.mark.parametrize(("text", "language", "target", "how"), FAILS, ids=lambda each: str(each)[:40])
def test_a_law_where_it_does_not_hold(text: str, language: str, target: str, how: dict[str, str]) -> None:
    made = translation(rule(text, language, how.get("context")), target, how.get("model", "point"))
    assert (made is not None) == bool(how.get("exact"))


@pytest.mark.parametrize(
    ("text", "target", "expression", "condition"),
    [
        ("(x:a when x.k == 1) ; (y:b when y.k == 2)", "eps", "x:a ; y:b", "x.k == 1 && y.k == 2"),
        ("(x:a when x.k == 1) | y:b", "eps", "x:a || y:b", "!?x || x.k == 1"),
        ("({x:a ; y:b} ! z:c when x.k == y.k) ; d", "global", "(x:a ; NOT z:c ; y:b) ; d", "x.k == y.k"),
        ("(x:a when x.k == 1) + [5*sec]", "global", "at(x:a, 0/0/0 0:00:05)", "x.k == 1"),
    ],
)
def test_guards_inside_become_the_condition(text: str, target: str, expression: str, condition: str) -> None:
    made = translation(rule(text, "gem"), target)
    assert made is not None
    found = read(made).rules[-1]
    assert found.condition is not None
    assert (render(found.pattern, target), render_guard(found.condition)) == (expression, condition)


def test_what_another_rule_makes_lasts() -> None:
    """`d` is a rule: its occurrences begin and end at different times, so its ends say nothing of its beginning."""
    text = (
        "rules:\n- {name: d, language: gem, expression: a ; b}\n- {name: r, language: gem, expression: '{a ; d} ! c'}"
    )
    program = read_document(text, "r.yaml")
    assert translation(program, "sel") is None
    assert translation(program, "global") is not None
    alone = text.replace("name: d", "name: e")
    assert translation(read_document(alone, "r.yaml"), "sel") is not None


def test_a_window_counts_from_the_beginning_of_what_lasts() -> None:
    """Of intervals, the first begins before it ends: what is measured is from there."""
    made = translation(rule("a -> b in 5 seconds", "sel"), "gem", "interval")
    assert made is not None
    assert "(a & b when @a < |@b) when @b - |@a <= [5*sec]" in made
