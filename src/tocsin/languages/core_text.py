"""Core expressions as text (001 section 5.2), each with no more parentheses than it needs."""

from __future__ import annotations

from tocsin.algebra.patterns import (
    Alternation,
    Atom,
    Complement,
    Concatenation,
    Described,
    EventSet,
    Everything,
    Intersection,
    Iteration,
    Parallel,
    Pattern,
    Timing,
    Union,
    Widened,
    children,
    walk,
)
from tocsin.algebra.rules import shown_name
from tocsin.errors import Fault, RuleError
from tocsin.languages.core_depth import refuse_deep
from tocsin.languages.core_expressions import (
    ALTERNATION,
    CONCATENATION,
    ITERATION,
    PARALLEL,
    PART,
    QUANTIFIERS,
    SEQUENCE,
)
from tocsin.languages.core_filters import NO_VARIABLES, render_filter
from tocsin.languages.core_sets import RESERVED
from tocsin.languages.lexer import quote
from tocsin.languages.writer import PatternWriter, render_name
from tocsin.time.calendar import render_instant
from tocsin.time.spans import Period, render_period

_INTERSECTION, _ELEMENT = 1, 2


class CoreWriter(PatternWriter):
    """Writes core expressions."""

    language = "CORE"
    reserved = RESERVED

    def __init__(self, pattern: Pattern) -> None:
        refuse_deep(pattern)
        super().__init__(pattern)
        for part in walk(pattern):
            if not isinstance(part, Parallel) and any(isinstance(child, Parallel) for child in children(part)):
                self.refuse("parallel detection inside another expression")

    def write(self, pattern: Pattern, least: int) -> str:
        match pattern:
            case Parallel(left=left, right=right):
                level, text = PARALLEL, f"{self.write(left, PARALLEL)} || {self.write(right, ALTERNATION)}"
            case Alternation(parts=parts):
                level, text = ALTERNATION, self.chain(parts, " | ", ALTERNATION)
            case Concatenation(parts=parts, strong=True):
                level, text = SEQUENCE, self.chain(parts, " ; ", SEQUENCE)
            case Concatenation(parts=parts):
                level, text = CONCATENATION, self.chain(parts, " ", CONCATENATION)
            case Iteration(pattern=inner):
                level, text = ITERATION, f"{self.write(inner, ITERATION)}{quantifier(pattern)}"
            case _:
                level, text = PART, self._part(pattern)
        return text if level >= least else f"({text})"

    def _part(self, pattern: Pattern) -> str:
        match pattern:
            case Atom(accepts=accepts, domain=None):
                return f"[{self._accepted(accepts)}]"
            case Atom(accepts=accepts, domain=EventSet() as domain):
                return f"[{self._accepted(accepts)} in {self._set(domain, _INTERSECTION)}]"
            case Widened(pattern=inner, domain=domain):
                return f"[{self.write(inner, ALTERNATION)} in {self._set(domain, _INTERSECTION)}]"
            case Timing(first=first, second=second, timer=timer, when=when):
                parts = f"{self.write(first, ALTERNATION)}, {self.write(second, ALTERNATION)}"
                return f"({parts}){{{render_name(timer, frozenset())} = {_when(when)}}}"
        return self.lacks(pattern)

    # -- sets ----------------------------------------------------------------------------------------------------

    def _accepted(self, events: EventSet) -> str:
        """What an atom accepts: several sets stand there without braces."""
        return self._members(events) if isinstance(events, Union) else self._set(events, _INTERSECTION)

    def _members(self, events: Union) -> str:
        if not events.sets:
            self.refuse("a set of nothing")
        return ", ".join([self._set(each, _INTERSECTION) for each in events.sets])

    def _set(self, events: EventSet, least: int) -> str:
        """A set as an operand that must bind at least as tightly as `least`. Braces stand for parentheses."""
        match events:
            case Everything():
                return "*"
            case Union():
                return f"{{{self._members(events)}}}"
            case Complement(set=inner):
                return f"!{self._set(inner, _ELEMENT)}"
            case Intersection(sets=(first, *others)):
                parts = [self._set(first, _INTERSECTION), *[self._set(each, _ELEMENT) for each in others]]
                text = " & ".join(parts)
                return text if least <= _INTERSECTION else f"{{{text}}}"
            case Described():
                return self._described(events)
        return self.refuse("a set of nothing")

    def _described(self, events: Described) -> str:
        name = ""
        if events.name is not None:
            if not events.name.isidentifier() or events.name in NO_VARIABLES:
                self.refuse(f"an event called {quote(events.name)}")
            name = f"{events.name}:"
        guard = "" if events.guard is None else f"({render_filter(events.guard)})"
        return f"{name}{render_name(shown_name(events.type), RESERVED)}{guard}"


def quantifier(loop: Iteration) -> str:
    """How often: `*`, `+`, `?`, `{3}`, `{3,}` or `{3,5}`."""
    least, most = loop.least, loop.most
    for symbol, counts in QUANTIFIERS.items():
        if (least, most) == counts:
            return symbol
    if least == most:
        return f"{{{least}}}"
    return f"{{{least},{'' if most is None else most}}}"


def _when(when: Period | int) -> str:
    """`1 hour 30 min`, or an instant."""
    if isinstance(when, int):
        return render_instant(when)
    if min(when.years, when.months, when.microseconds) < 0 or not when.is_positive:
        raise RuleError(Fault(f"CORE has no way to write the span {render_period(when)}"))
    return render_period(when).replace("*", " ").replace("+", " ")
