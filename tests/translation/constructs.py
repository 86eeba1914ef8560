"""One rule a construct, as the page about translation lists them: which languages can say it, and which cannot."""

from __future__ import annotations

from typing import NamedTuple


class Construct(NamedTuple):
    """A row of the table: what it is, the language it is written in, and its text there."""

    what: str
    language: str
    text: str
    context: str | None = None


CONSTRUCTS = (
    Construct("both, in any order", "gem", "a & b"),
    Construct("either", "gem", "a | b"),
    Construct("followed by, events", "gem", "a ; b"),
    Construct("followed by, no overlap", "sel", "a -> b"),
    Construct("followed by, a composite last", "gem", "a ; (b & c)"),
    Construct("followed by, a composite last, no overlap", "sel", "a -> (b & c)"),
    Construct("followed by, alternatives of composites", "gem", "a ; ((b & c) | c)"),
    Construct("followed by, from two sites", "global", "a@s ; b@t"),
    Construct("followed by, or at once", "pretty", "a followed by or with b"),
    Construct("concurrent", "global", "a || b", "unrestricted"),
    Construct("concurrent, using up", "global", "a || b"),
    Construct("absence between two", "gem", "{a ; b} ! c"),
    Construct("absence between two, using up", "global", "a ; NOT c ; b"),
    Construct("absence, a guard chooses", "gem", "{x:a ; y:b} ! z:c when !(z.k == x.k)"),
    Construct("absence between two composites", "sel", "(a & b) -> !c -> b"),
    Construct("absence until a window ends", "sel", "a -> !b in 3 seconds"),
    Construct("counting by an attribute", "eps", "TimesEq(2, a, k)"),
    Construct("counting different values", "pretty", "any 2 a with different k"),
    Construct("so many in a row", "pretty", "a 2 times followed by b"),
    Construct("once a burst", "pretty", "a at least 2 times within 3 seconds"),
    Construct("repetition", "sel", "a*2 -> b"),
    Construct("accumulation", "global", "a * b"),
    Construct("a timer that begins with its event", "gem", "a + [2*sec]"),
    Construct("a timer that is an instant", "sel", "a delta 2 seconds"),
    Construct("as one instant", "sel", "{a -> b}"),
    Construct("sliding window over a sequence", "sel", "a -> b in 3 seconds"),
    Construct("sliding window over an alternative", "sel", "(a -> b) | c in 3 seconds"),
    Construct("sliding window over a count", "pretty", "any 2 a with the same k within 3 seconds"),
    Construct("fixed window", "sel", "a -> b at [1, 6]"),
    Construct("guard on one event", "gem", "(x:a when x.k == 1) ; b"),
    Construct("guard between two", "sel", "x:a -> y:b if x.k == y.k"),
    Construct("guard in an alternative", "gem", "(x:a when x.k == 1) | y:b"),
    Construct("guard inside a negation", "sel", "x:a -> !(z:c if z.k == x.k) -> y:b"),
    Construct("any event", "gem", "x:* ; b"),
    Construct("periodic timer", "gem", "every[2*sec] ; a"),
    Construct("partial time point", "gem", "at[00:00:03] ; a"),
    Construct("absolute timer", "eps", "at(1970/1/1 0:00:03) ; a"),
    Construct("one event of a set", "core", "[x:a, y:b(k < 2)]"),
    Construct("the first that follows", "core", "[x:a] ; [y:b]"),
    Construct("side by side", "core", "[x:a] || [y:b]"),
)
