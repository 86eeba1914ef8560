"""The operators, functions and words of the notations: how each is written, an example, and what it means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tocsin.algebra.functions import FUNCTIONS
from tocsin.languages.guards import FOLDED


@dataclass(frozen=True)
class Term:
    """Something that can be written: `sign` as it stands in a text, a whole expression with it, what it means."""

    sign: str
    example: str
    means: str


GUARD_TERMS: Final = (
    Term("==", "x.host == y.host", "equal; `!=` not equal, `<` `<=` `>` `>=` less and greater"),
    Term("&&", "x.t > 30 && y.t > 30", "both hold; also `and`"),
    Term("||", "x.t > 30 || y.t > 30", "one of them holds; also `or`"),
    Term("!", "!(x.ok == true)", "does not hold; also `not`. Looser than in C: `!x.a == 1` is `!(x.a == 1)`"),
    Term("in", "x.country in ('DE', 'FR')", "is one of these values, or one of the items of a list"),
    Term("matches", "x.path matches 'temp'", "the regular expression (RE2) matches somewhere in the text"),
    Term("like", "x.path like 'C:%.exe'", "the whole text is like the pattern: `%` is anything, `_` one character"),
    Term("cidr", "x.ip in cidr('10.0.0.0/8')", "is an address in one of these networks"),
    Term("@", "@y - @x < 5 min", "when it occurred: the end of its interval"),
    Term("|@", "|@x > |@y", "when it began"),
    Term("$", "$x == $y", "the source (site) it came from"),
    Term("?", "?x", "whether it has occurred"),
    Term("now", "now - @x > 1 h", "the detector's clock"),
)
"""What guards are made of, in every language alike."""

_FOLLOWED: Final = Term(";", "a ; b", "b ends after a has ended; they may overlap")
_OR_WITH: Final = Term(";=", "a ;= b", "b ends after a, or at the same instant")
_BOTH: Final = Term("&", "a & b", "both, in any order")
_NAME: Final = Term(":", "x:a", "a, called x in guards")
_EVERY: Final = Term("every", "every(0/0/1 0:00:00)", "again and again, counted from when the rule is enabled")
_AT: Final = Term("at", "at(2026/11/15 20:00:00)", "once, at that moment (UTC); `at(a, SPAN)`: so long after each a")

TERMS: Final[dict[str, tuple[Term, ...]]] = {
    "gem": (
        *(_FOLLOWED, _OR_WITH, _BOTH, _NAME),
        Term("|", "a | b", "either"),
        Term("!", "{a ; b} ! c", "a, then b, and no c between them"),
        Term("+", "a + [5*sec]", "five seconds after a"),
        Term("when", "x:a when x.t > 30", "only where the guard holds"),
        Term("every", "every[2*hour]", "every two hours from when the rule is enabled"),
        Term("at", "at[10:30]", "at 10:30 every day (UTC); parts that are left out are open"),
        Term("*", "*", "any event of a declared class"),
    ),
    "eps": (
        *(_FOLLOWED, _OR_WITH, _BOTH, _NAME, _AT, _EVERY),
        Term("||", "a || b", "either"),
        Term(
            "TimesEq",
            "TimesEq(3, login_failed, user)",
            "the third of three events with the same value of the attribute",
        ),
        Term("TimesDf", "TimesDf(3, scan, port)", "the third of three events with pairwise different values"),
    ),
    "sel": (
        *(_BOTH, _NAME),
        Term("->", "a -> b", "b begins after a has ended"),
        Term("->=", "a ->= b", "b ends after a, or at the same instant; they may overlap"),
        Term("|", "a | b", "either"),
        Term("!", "a -> !b -> c", "no b: as far as what bounds it on both sides"),
        Term("*", "a*[2, 4]", "a run of so many, one after the other"),
        Term("delta", "a delta 5 minutes", "the moment five minutes after a"),
        Term("if", "x:a if x.t > 30", "only where the guard holds"),
        Term("in", "a -> b in 20 seconds", "all of it within a window of this length"),
        Term("at", "a at [10, 20]", "inside a fixed window, both ends included"),
        Term("{", "{a -> b} -> c", "as if it had happened at one instant, its end"),
    ),
    "pretty": (
        Term("then", "a then b", "b begins after a has ended; also `followed by`"),
        Term("or with", "a followed by or with b", "b ends after a, or at the same instant"),
        Term("and", "a and b", "both, in any order"),
        Term("or", "a or b", "either"),
        Term("not", "not b then a within 5 minutes", "no such event"),
        Term("without", "a then b without c", "none between the last two steps"),
        Term("unless", "a unless b within 5 minutes", "a, and no b after it until the window ends"),
        Term("where", "a as x where x.t > 30", "only where the guard holds"),
        Term("by", "a then b by host", "all events, those that must not occur too, have equal values"),
        Term("within", "a then b within 20 seconds", "all of it within a window of this length"),
        Term("between", "a between '2026-11-15' and '2026-11-16'", "all of it between two instants"),
        Term("as", "a as x", "a, called x in guards"),
        Term("times", "a 3 times", "so many in a row; `with the same user`, `with different port`"),
        Term(
            "at least",
            "a at least 5 times within 1 minute",
            "told when there are so many, and not again until there were fewer",
        ),
        Term("any", "any 3 a", "every choice of so many; `any event`: an event of any type"),
        Term("every", "every 10 minutes", "again and again, counted from when the rule is enabled"),
        Term("after", "30 seconds after a", "the moment so long after it"),
        Term("end of", "end of (a then b)", "as if it had happened at one instant, its end"),
        Term("at", "at [10:30 Fri]", "an event that the clock makes at this time"),
    ),
    "global": (
        *(_NAME, _AT, _EVERY),
        Term(";", "a ; b", "b is after a: so much later that clocks cannot deceive (2g-precedence)"),
        Term(";=", "a ;= b", "b is not before a"),
        Term(",", "a , b", "both, in any order"),
        Term("|", "a | b", "either"),
        Term("||", "a || b", "concurrent: neither is surely before the other"),
        Term("NOT", "a ; NOT b ; c", "a, then c, and no b between them"),
        Term("*", "a * b", "b, with all the a before it that are not used up"),
        Term("@", "a@berlin", "of this site (source)"),
    ),
    "core": (
        Term(";", "[A] ; [B]", "B strongly follows: it begins after A is over"),
        Term("|", "[A] | [B]", "either; states are shared"),
        Term("||", "[A] || [B]", "both in parallel, in any order"),
        Term("*", "[A]*", "any number, one weakly after the other; none is possible too"),
        Term("in", "[A in {A, B}]", "what the state looks at: any other event of the set ends the attempt"),
        Term("[", "[A]", "one event of the set"),
        Term(":", "[x:A] ; [B(k = x.k)]", "an event with a name, for filters that come later"),
        Term("!", "[!A in {A, B}]", "the events that the state looks at and are none of these"),
        Term("&", "[A & A(room = 1)]", "events in both sets"),
        Term(
            "{", "([A], [T in {T, B}]){T = 5 min}", "the second part also sees T, a time event so long after the first"
        ),
        Term("this", "[A(this.t > 30)]", "the event itself; a bare name in a filter is its attribute"),
    ),
    "python": (
        Term("tc.event", 'tc.event("a")', 'an event of a type; `tc.event("a", "x")`: called x'),
        Term("then", 'tc.event("a").then(tc.event("b"))', "begins after the first has ended"),
        Term("without", 'tc.event("a").then(tc.event("b")).without(tc.event("c"))', "none between the last two steps"),
        Term("never", 'tc.event("a").then(tc.event("b").never()).within("5 min")', "no such event"),
        Term("within", 'tc.event("a").then(tc.event("b")).within("5 min")', "all of it within a window of this length"),
        Term("where", 'a = tc.event("a")\na.where(a.t > 30)', "only where the guard holds"),
        Term("by", 'tc.event("a").then(tc.event("b")).by("ip")', "all events have equal values of the attributes"),
        Term("times", 'tc.event("a").times(3, same="user")', "so many in a row"),
        Term(
            "at_least",
            'tc.event("a").at_least(5).within("1 min")',
            "told when there are so many, and not again until there were fewer",
        ),
        Term(
            "having",
            'tc.event("a").having("count(a) >= 5", within="1 min")',
            "the event with which aggregates over a window meet a condition",
        ),
        Term("any_of", 'tc.event("a").any_of(3)', "every choice of so many"),
        Term("&", 'tc.event("a") & tc.event("b")', "both, in any order"),
        Term("|", 'tc.event("a") | tc.event("b")', "either"),
    ),
}
"""What expressions are made of, by language. Every example is an expression of its language."""


def _calls() -> Iterator[Term]:
    """What the table of functions says of those that are called by their names, and of the forms that ignore case."""
    for name, each in FUNCTIONS.items():
        if each.means:
            yield Term(name, f"{name}({each.example})", each.means)
            if each.folded:
                means = each.means.partition(";")[0]  # what it is of texts
                yield Term(each.folded, f"{each.folded}({each.example})", f"{means}, whatever the case")
    yield Term("iequals", "iequals(x.name, 'r')", "whether two texts are equal, whatever the case")
    yield Term("ilike", "ilike(x.name, 'r%')", "as `like`, whatever the case")
    yield Term("ratio", "ratio(x.n, 2)", "real division, in every language")


CALLS: Final[dict[str, Term]] = {term.sign: term for term in _calls()}
"""The functions of guards."""

CALLABLE: Final = frozenset({*FUNCTIONS, *FOLDED, "ratio"} - {"in", "matches", "like", "cidr"})
"""The functions that are called by their names; CALLS says something about each of them."""

GEM_STATEMENTS: Final = (
    Term("event", "event temp(double t)", "declares a class of events and what they carry"),
    Term(
        "rule",
        "rule hot { x:temp when x.t > 30 ==> notify alarm(x.t) }",
        "defines a rule; `rule r [5*min]`: with a window",
    ),
    Term("enable", "enable hot", "switches a rule on; rules start disabled"),
    Term("disable", "disable hot", "switches a rule off and discards what it remembers"),
    Term("load", 'load "more.gem"', "goes on with the statements of a file"),
    Term("stop", "stop", "halts the monitor"),
    Term("notify", "rule hot { temp ==> notify alarm(temp.t) }", "reports a new event to the outside; no rule sees it"),
    Term("forward", "rule hot { temp ==> forward temp }", "reports the primitive events of a variable as they are"),
    Term("trigger", "rule hot { temp ==> trigger alarm(temp.t) }", "makes a new event that the other rules see"),
)
EPS_CLAUSES: Final = (
    Term("request", "request hot {\n  event: temp\n}", "a request for notification: a rule that is enabled at once"),
    Term("event", "", "what to detect; the only clause a request must have"),
    Term("condition", "", "a guard that decides whether to notify"),
    Term("notification", "", "the text to send; `{x.attr}` is replaced by the attribute"),
    Term("callback", "", "the address a service sends it to"),
    Term("window", "", "how old an event may be and still count"),
    Term("context", "", "which occurrences combine and which are used up; `generic` unless stated"),
    Term("order", "", "when arrivals are evaluated"),
)

SETTINGS: Final = {
    "name": "what the rule is called; its detections are events of this type, which other rules may use",
    "language": "the notation of its expression",
    "expression": "what to detect",
    "condition": "a guard that must hold",
    "by": "attributes that all events of a detection have in common",
    "partition": "attributes for each of whose values the rule is there once",
    "context": "which occurrences combine and which are used up",
    "window": "how old an event may be and still count: 5 min",
    "order": "when arrivals are evaluated",
    "run": "when an automaton of the core language begins anew",
    "notify": "a text with values: link {x.link} is down",
    "select": "names with guards over the events: the detection's data",
    "suppress": "told once per key in a length of time: {by: x.ip, for: 10 minutes}",
    "severity": "how bad a detection is",
    "tags": "words to find it by",
    "description": "what it is for",
    "references": "where to read more",
    "enabled": "whether it runs from the start",
    "reported": "whether its detections are told, or only there for other rules",
}
"""The keys of a rule in a rules file."""
