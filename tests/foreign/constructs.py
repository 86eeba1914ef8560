"""The constructs that can be translated: a rule for each, and which engines can say it."""

from __future__ import annotations

from dataclasses import dataclass

from tocsin.algebra.patterns import Automaton, Run
from tocsin.algebra.rules import Context, Rule
from tocsin.rules.loader import load_expression
from tocsin.rules.options import window_of


@dataclass(frozen=True)
class Construct:
    """A rule that shows a construct. `ties`: exact also where several events have one time."""

    name: str
    language: str
    text: str
    condition: str | None = None
    window: str | None = None
    run: str | None = None
    context: str | None = "unrestricted"
    flink: bool = True
    esper: bool = True
    ties: bool = True

    def rule(self) -> Rule:
        made = load_expression(self.text, self.language, self.condition, name=self.name).rules[-1]
        pattern = made.pattern
        if self.run is not None:
            assert isinstance(pattern, Automaton)
            pattern = Automaton(pattern.pattern, Run(self.run), span=pattern.span)
        context = None if self.language == "core" or self.context is None else Context(self.context)
        window = None if self.window is None else window_of(self.window)
        return Rule(
            made.name, pattern, made.language, made.condition, context, window, span=made.span, select=made.select
        )


CONSTRUCTS = (
    # -- single events and guards
    Construct("event", "gem", "a", context=None),
    Construct("guard", "eps", "x:a", "x.n >= 2 && !(x.v < 1.0) || x.s == 'beta\\'s'"),
    Construct("arithmetic", "eps", "x:a", "x.n * 2 + 1 > x.v - 0.5 && -(x.n) != -1"),
    Construct(
        "texts",
        "eps",
        "x:a",
        "contains(x.s, 'a') && !startswith(lower(x.s), 'alphab') && upper(x.s) != 'B' && !endswith(x.s, 'ta')",
    ),
    Construct("members", "eps", "x:a", "x.k in ('x', 'y') && x.flag == true && abs(x.n - 2) <= 1"),
    Construct("source", "eps", "x:a", "$x == 'p'"),
    Construct("site", "global", "a@p"),
    Construct("either", "eps", "a || b"),
    # -- every combination
    Construct("sequence", "eps", "x:a ; y:b ; z:c", window="3 sec", flink=False),
    Construct("keyed", "eps", "x:a ; y:b ; z:c", "x.k == y.k && y.k == z.k && z.n > x.n", "10 sec", flink=False),
    Construct("global-sequence", "global", "a@p ; b", window="1 sec", flink=False),
    Construct("gap", "sel", "x:a -> y:b if x.k == y.k in 4 sec", flink=False),
    Construct("same-type", "sel", "x:a -> y:a if x.k == y.k && x.v < y.v in 4 sec", flink=False),
    Construct("both", "eps", "x:a & y:b", "x.k == y.k", "2 sec", flink=False),
    Construct("three-in-any-order", "eps", "x:a & y:b & z:c", "x.k == y.k && x.k == z.k", "5 sec", flink=False),
    Construct("count-same", "eps", "TimesEq(3, a, k)", window="6 sec", flink=False),
    Construct("count-different", "eps", "TimesDf(3, a, k)", window="5 sec", flink=False),
    Construct("absence-gem", "gem", "{x:a ; y:b} ! c", "x.k == y.k", "10 sec", flink=False, ties=False),
    Construct("absence-sel", "sel", "x:a -> !(c if c.k == x.k) -> y:b if y.k == x.k in 8 sec", flink=False, ties=False),
    Construct("absence-pretty", "pretty", "a followed by b without c within 5 seconds", flink=False, ties=False),
    Construct("absence-of-either", "sel", "x:a -> !(b | c) -> y:a in 8 sec", flink=False, ties=False),
    Construct("absence-then", "sel", "x:a -> !c -> y:b -> z:a if x.k == z.k in 6 sec", flink=False, ties=False),
    Construct("absence-later", "sel", "x:a -> y:b -> !c -> z:a if x.k == z.k in 6 sec", flink=False, ties=False),
    Construct("absence-of-some", "sel", "x:a -> !(z:b if z.n > 1) -> y:b in 6 sec", flink=False, esper=False),
    # -- the first
    Construct("first", "sel", "x:a -> !b -> y:b in 5 sec", ties=False),
    Construct("first-gem", "gem", "{x:a ; y:b} ! b", "x.k == y.k && y.n > x.n", ties=False),
    Construct("first-or-other", "sel", "x:a -> !(b | c) -> y:b if x.n < y.n in 5 sec", ties=False),
    Construct("run", "sel", "a*3 in 4 sec", ties=False),
    Construct("run-guarded", "sel", "(x:a if x.n > 1)*2 in 4 sec", ties=False),
    # -- nothing follows
    Construct("nothing", "sel", "x:a -> !b in 1 sec", flink=False),
    Construct("nothing-keyed", "sel", "x:a -> !(y:b if x.k == y.k) in 3 sec", flink=False),
    Construct("unless", "pretty", "a unless b within 2 seconds", flink=False),
    # -- the core language
    Construct("core", "core", "[a];[b];[c]"),
    Construct("core-keyed", "core", "[x:a];[b(k = x.k)];[c(k = x.k)]", window="20 sec"),
    Construct("core-compared", "core", "[x:a];[b(n > x.n)]", window="4 sec"),
    Construct("core-compared-for-ever", "core", "[x:a];[b(n > x.n)]", flink=False),
    Construct("core-weak", "core", "[a] [b] [c]"),
    Construct("core-mixed", "core", "[a];[b] [a]"),
    Construct("core-domain", "core", "[a];[b in {b, c}]"),
    Construct("core-domain-keyed", "core", "[x:a];[b(k = x.k) in {b(k = x.k), c(k = x.k)}]"),
    Construct("core-domain-own", "core", "[a];[b(n > 1) in {b}];[c in {c, a}]"),
    Construct("core-everything", "core", "[a];[b in *]", esper=False),
    Construct("core-types", "core", "[a];[b, c]", esper=False),
    Construct("core-widened", "core", "[[a];[b] in {c}]"),
    Construct("core-condition", "core", "[x:a];[y:b]", "x.k == y.k"),
    Construct("core-again", "core", "[a];[b];[c]", run="again"),
    Construct("core-again-filter", "core", "[a(n > 1)];[b(k = 'x')]", run="again"),
    Construct("core-before-timer", "core", "([a],[b in {b, T1}]){T1 = 2 sec}"),
    Construct("core-before-timer-long", "core", "([a];[b],[c in {c, T1}]){T1 = 2 sec}"),
    Construct("core-timer", "core", "([a],[T1 in {b, T1}]){T1 = 1 sec}", flink=False),
    Construct("core-timer-long", "core", "([x:a];[b(k = x.k)],[T1 in {c(k = x.k), T1}]){T1 = 1 sec}", flink=False),
)
