"""Composite events in words: from the algebra back to what `pretty_expressions` reads."""

from __future__ import annotations

from tocsin.algebra.patterns import (
    Absence,
    After,
    Aggregate,
    AnyEvent,
    At,
    AtInstant,
    Between,
    Both,
    By,
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
)
from tocsin.languages.events import is_single
from tocsin.languages.guard_text import render_variable
from tocsin.languages.guards import render_guard
from tocsin.languages.lexer import quote
from tocsin.languages.pretty_aggregates import aggregate_text
from tocsin.languages.pretty_expressions import (
    BOTH,
    EITHER,
    GUARD,
    LEAF,
    NAMED,
    PREFIX,
    REPEAT,
    RESERVED,
    SEQUENCE,
    WINDOW,
)
from tocsin.languages.sel_times import render_span
from tocsin.languages.writer import PatternWriter
from tocsin.time.calendar import render_instant, render_time_point


class PrettyWriter(PatternWriter):
    """Writes event expressions in words. A guard or window on a window stands outside parentheses, for the reader."""

    language = "the pretty language"
    reserved = RESERVED

    def write(self, pattern: Pattern, least: int) -> str:
        match pattern:
            case Within(pattern=inner, period=period):
                level, text = WINDOW, f"{self.write(inner, GUARD)} within {render_span(period)}"
            case Between(pattern=inner, start=start, stop=stop):
                edges = f"{quote(render_instant(start))} and {quote(render_instant(stop))}"
                level, text = WINDOW, f"{self.write(inner, GUARD)} between {edges}"
            case Where(pattern=inner, guard=guard):
                level, text = GUARD, f"{self.write(inner, SEQUENCE)} where {render_guard(guard)}"
            case Partitioned(pattern=inner, attributes=attributes) if least == 0:
                level, text = 0, f"{self.write(inner, 0)} partition by {_listed(attributes)}"
            case By(pattern=inner, attributes=attributes):
                level, text = WINDOW, f"{self.write(inner, GUARD)} by {_listed(attributes)}"
            case Sequence(parts=parts, order=order):
                level, text = SEQUENCE, self.chain(parts, f" {self._then(order)} ", SEQUENCE)
            case Aggregate():
                level, text = SEQUENCE, self._aggregate(pattern)
            case Streak():
                level, text = self._streak(pattern)
            case Repeat(same=same) if same:
                level, text = EITHER, self._repeat(pattern)
            case Times():
                level, text = self._any(pattern)
            case Absence():
                level, text = SEQUENCE, self._absence(pattern)
            case Either(parts=parts):
                level, text = EITHER, self.chain(parts, " or ", EITHER)
            case Both(parts=parts):
                level, text = BOTH, self.chain(parts, " and ", BOTH)
            case _:
                level, text = self._tight(pattern)
        return text if level >= least else f"({text})"

    def _absence(self, pattern: Absence) -> str:
        if pattern.guard is not None:
            self.refuse("a guard on what must be absent between two events (GEM's `{a ; b} ! c when g`)")
        steps = f"{self.write(pattern.first, SEQUENCE)} {self._then(pattern.order)} {self.write(pattern.last, EITHER)}"
        return f"{steps} without {self.write(pattern.without, EITHER)}"

    def _then(self, order: Precedence) -> str:
        if order is Precedence.WEAK:
            return "followed by or with"
        if order is not Precedence.GAP:
            self.refuse("a sequence whose parts may overlap (`;` in GEM, EPS and GLOBAL)")
        return "followed by"

    def _aggregate(self, pattern: Aggregate) -> str:
        """An aggregate, which takes whatever condition goes on behind a number: it mostly stands in parentheses."""
        by = f" by {_listed(pattern.same)}" if pattern.same else ""
        return aggregate_text(pattern, self._leaf, render_span, by)

    def _streak(self, pattern: Streak) -> tuple[int, str]:
        """A number of times. Behind an attribute `and` would add another: in a conjunction it needs parentheses."""
        count = _times(str(pattern.count))
        text = f"{self.write(pattern.pattern, REPEAT)} {'at least ' * pattern.once}{count}"
        compared = _compared(pattern.same, pattern.different)
        if pattern.period is not None:
            return WINDOW, f"{text}{compared} within {render_span(pattern.period)}"
        return (EITHER if compared else REPEAT), text + compared

    def _repeat(self, pattern: Repeat) -> str:
        is_fixed = pattern.least == pattern.most and not is_single(pattern.pattern)
        count = str(pattern.least) if is_fixed else f"{pattern.least} to {pattern.most}"
        return f"{self.write(pattern.pattern, REPEAT)} {_times(count)}{_compared(pattern.same, None)}"

    def _any(self, pattern: Times) -> tuple[int, str]:
        attribute = () if pattern.attribute is None else (pattern.attribute,)
        compared = _compared(attribute, None) if pattern.same else _compared((), pattern.attribute)
        return (EITHER if compared else PREFIX), f"any {pattern.count} {self.write(pattern.pattern, NAMED)}{compared}"

    def _tight(self, pattern: Pattern) -> tuple[int, str]:
        """What stands before or behind one operand, and leaves."""
        match pattern:
            case Never(pattern=inner):
                return PREFIX, f"not {self.write(inner, PREFIX)}"
            case Instant(pattern=inner):
                return PREFIX, f"end of {self.write(inner, PREFIX)}"
            case After(pattern=inner, period=period, instant=True) if period.is_positive:
                return PREFIX, f"{render_span(period)} after {self.write(inner, PREFIX)}"
            case After(instant=True):
                self.refuse("a time after an event that is no later (SEL's `delta 0 seconds`)")
            case After():
                self.refuse("a timer that begins with what it waits for (GEM's `e + [t]`)")
            case Repeat():
                return REPEAT, self._repeat(pattern)
            case Every(period=period):
                # A number of times right behind it would be read as part of the span.
                return PREFIX, f"every {render_span(period)}"
            case Named():
                return NAMED, self._named(pattern)
        return LEAF, self._leaf(pattern)

    def _named(self, pattern: Named) -> str:
        """`e as x`, or only `e` where the type is its own variable."""
        inner = pattern.pattern
        if self.names_itself(pattern):
            return self.write(inner, NAMED)
        if isinstance(inner, Named) and self.names_itself(inner):
            # Left to itself, a type right under a variable gets no name of its own.
            own = f"{self.write(inner.pattern, NAMED)} as {render_variable(inner.name)}"
            return f"{own} as {render_variable(pattern.name)}"
        return f"{self.write(inner, NAMED)} as {render_variable(pattern.name)}"

    def _leaf(self, pattern: Pattern) -> str:
        match pattern:
            case Primitive():
                return self.event_type(pattern)
            case AnyEvent():
                return "any event"
            case AtInstant(instant=instant):
                return f"at {quote(render_instant(instant))}"
            case At(point=point):
                return f"at [{render_time_point(point)}]"
        self.lacks(pattern)


def _times(count: str) -> str:
    return "1 time" if count == "1" else f"{count} times"


def _compared(same: tuple[str, ...], different: str | None) -> str:
    """What makes a group, and what differs in it."""
    words = [f"the same {_listed(same)}"] if same else []
    words += [] if different is None else [f"different {_attribute(different)}"]
    return f" with {' and '.join(words)}" if words else ""


def _listed(attributes: tuple[str, ...]) -> str:
    return " and ".join(_attribute(name) for name in attributes)


def _attribute(name: str) -> str:
    is_plain = name.isidentifier() and name not in ("with", "the", "same", "different")
    return name if is_plain else quote(name)
