"""What all languages share when they write a pattern: names, parentheses, and the refusal of what they lack."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from typing import ClassVar, Final, NoReturn

from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    Aggregate,
    AnyEvent,
    At,
    AtInstant,
    Automaton,
    Between,
    Both,
    By,
    Concurrent,
    Either,
    Every,
    Instant,
    Named,
    Never,
    Partitioned,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
    Within,
    walk,
)
from tocsin.errors import Fault, RuleError
from tocsin.languages.depth import refuse_deep
from tocsin.languages.guard_text import render_variable
from tocsin.languages.lexer import quote

CONSTRUCTS: Final[dict[type[Pattern], str]] = {
    Primitive: "an event type",
    AnyEvent: "any event (GEM's `*`)",
    At: "a partial time point (GEM's `at[...]`)",
    AtInstant: "an absolute timer (EPS's `at(...)`)",
    Every: "a periodic timer",
    Named: "an event variable",
    Where: "a guard inside the expression",
    Both: "both, in any order",
    Either: "either",
    Sequence: "a sequence",
    Concurrent: "concurrency (GLOBAL's `a || b`)",
    Absence: "absence between two events (GEM's `{a ; b} ! c`)",
    Times: "counting by an attribute (EPS's TimesEq and TimesDf)",
    Repeat: "repetition (SEL's `e*n`)",
    Streak: "so many in a row (in words, `3 times`)",
    Aggregate: "an aggregate over a window (in words, `count(a by k) >= 5 within 1 minute`)",
    By: "a key for all parts (in words, `by ip`)",
    Partitioned: "a partition inside the expression (a rule's `partition: user`)",
    Accumulate: "accumulation (GLOBAL's `a * b`)",
    After: "a relative timer",
    Instant: "an expression as one instant (SEL's `{e}`)",
    Within: "a sliding window (SEL's `in`)",
    Between: "a fixed window (SEL's `at [t1, t2]`)",
    Never: "free negation (SEL's `!e`)",
    Automaton: "an automaton (CORE)",
}
"""What people call each shape, for the message where a language has no way to write it."""

_ORDERS: Final = {
    Precedence.ENDS: "the order of ends (GEM's and EPS's `;`)",
    Precedence.GAP: "a sequence without overlap (SEL's `->`)",
    Precedence.GLOBAL: "a sequence by 2g-precedence (GLOBAL's `;`)",
    Precedence.WEAK: "a sequence that equal instants pass (in words, `followed by or with`)",
}


class PatternWriter(ABC):
    """Writes patterns in one language, each with no more parentheses than it needs.

    Invariant: parsing what is written gives the pattern again, where the parser could have made it.
    """

    language: ClassVar[str]
    reserved: ClassVar[frozenset[str]]
    """Words that are no event type unless they stand in quotes."""

    def __init__(self, pattern: Pattern) -> None:
        refuse_deep(pattern)
        self._pattern = pattern
        parts = list(walk(pattern))
        self._types = Counter(part.type for part in parts if isinstance(part, Primitive))
        self._names = Counter(part.name for part in parts if isinstance(part, Named))

    def text(self) -> str:
        """The whole pattern."""
        return self.write(self._pattern, 0)

    @abstractmethod
    def write(self, pattern: Pattern, least: int) -> str:
        """`pattern` as an operand that must bind at least as tightly as level `least`."""

    def names_itself(self, pattern: Pattern) -> bool:
        """Whether it is an event type that is its own variable, as one that occurs once is by itself."""
        return (
            isinstance(pattern, Named)
            and isinstance(pattern.pattern, Primitive)
            and pattern.name == pattern.pattern.type
            and self._types[pattern.name] == 1
            and self._names[pattern.name] == 1
        )

    def named(self, pattern: Named, level: int) -> str:
        """`x:e`, or only `e` where the type is its own variable."""
        if self.names_itself(pattern):
            return self.write(pattern.pattern, level)
        inner = pattern.pattern
        if isinstance(inner, Named) and self.names_itself(inner):
            # `x:e:e`: left to itself, a type right under a variable gets no name of its own.
            return f"{render_variable(pattern.name)}:{render_variable(inner.name)}:{self.write(inner.pattern, level)}"
        return f"{render_variable(pattern.name)}:{self.write(inner, level)}"

    def event_type(self, pattern: Primitive) -> str:
        """The type, in quotes where it is no name or means something else."""
        if pattern.site is not None:
            self.refuse("an event type at a site (GLOBAL's `e@s`)")
        return render_name(pattern.type, self.reserved)

    def chain(self, parts: tuple[Pattern, ...], symbol: str, level: int) -> str:
        """`a ; b ; c`: the first operand may be such a chain itself, for the operator associates to the left."""
        if not parts:
            self.refuse("a chain of nothing")
        first, *others = parts
        return symbol.join([self.write(first, level), *[self.write(part, level + 1) for part in others]])

    def by_ends(self, order: Precedence) -> str:
        """What stands between the parts of a sequence by their ends; any other is refused."""
        if order is Precedence.WEAK:
            return ";="
        if order is not Precedence.ENDS:
            self.refuse(_ORDERS[order])
        return ";"

    def lacks(self, pattern: Pattern) -> NoReturn:
        """Refuses a shape that the language cannot write."""
        self.refuse(CONSTRUCTS.get(type(pattern), f"{type(pattern).__name__} (a part of a CORE automaton)"))

    def refuse(self, construct: str) -> NoReturn:
        raise RuleError(Fault(f"{self.language} has no way to write {construct}"))


def render_name(name: str, reserved: frozenset[str]) -> str:
    """A name of an event type or a rule, in quotes where it is no identifier or a word of the language."""
    if not name:
        raise RuleError(Fault("an empty name cannot be written"))
    return name if name.isidentifier() and name not in reserved else quote(name)
