"""Composite events in words: from the algebra back to what `pretty_expressions` reads."""

from __future__ import annotations

from tocsin.algebra.patterns import (
    Absence,
    After,
    AnyEvent,
    At,
    AtInstant,
    Between,
    Both,
    Either,
    Every,
    Instant,
    Named,
    Never,
    Order,
    Pattern,
    Primitive,
    Repeat,
    Sequence,
    Times,
    Where,
    Within,
)
from tocsin.languages.guard_text import render_attribute, render_variable
from tocsin.languages.guards import render_guard
from tocsin.languages.lexer import quote
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
from tocsin.languages.writing import PatternWriter
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
            case Sequence(parts=parts, order=order):
                self._only_gaps(order)
                level, text = SEQUENCE, self.chain(parts, " followed by ", SEQUENCE)
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
        self._only_gaps(pattern.order)
        if pattern.guard is not None:
            self.refuse("a guard on what must be absent between two events (GEM's `{a ; b} ! c when g`)")
        steps = f"{self.write(pattern.first, SEQUENCE)} followed by {self.write(pattern.last, EITHER)}"
        return f"{steps} without {self.write(pattern.without, EITHER)}"

    def _only_gaps(self, order: Order) -> None:
        if order is not Order.GAP:
            self.refuse("a sequence whose parts may overlap (`;` in GEM, EPS and GLOBAL)")

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
            case Repeat(pattern=inner, least=few, most=many):
                count = str(few) if few == many else f"{few} to {many}"
                return REPEAT, f"{self.write(inner, REPEAT)} {_times(count)}"
            case Times(count=count, pattern=inner, attribute=attribute, same=same):
                which = "the same" if same else "different"
                counted = f"{self.write(inner, REPEAT)} {_times(str(count))}"
                return REPEAT, f"{counted} with {which} {render_attribute(attribute)}"
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
