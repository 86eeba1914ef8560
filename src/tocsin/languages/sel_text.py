"""SEL event expressions as text: from the algebra back to what `sel_expressions` reads."""

from __future__ import annotations

from typing import Final

from tocsin.algebra.patterns import (
    After,
    Between,
    Both,
    Either,
    Instant,
    Named,
    Never,
    Pattern,
    Precedence,
    Primitive,
    Repeat,
    Sequence,
    Where,
    Within,
)
from tocsin.languages.guards import render_guard
from tocsin.languages.sel_expressions import (
    BOTH,
    EITHER,
    GUARD,
    LEAF,
    NAMED,
    NEVER,
    REPEAT,
    RESERVED,
    SEQUENCE,
    WINDOW,
)
from tocsin.languages.sel_times import render_edges, render_span
from tocsin.languages.writer import PatternWriter

_OTHER_ORDERS: Final = {
    Precedence.ENDS: "the order of ends (GEM's and EPS's `;`)",
    Precedence.GLOBAL: "a sequence by 2g-precedence (GLOBAL's `;`)",
}


class SelWriter(PatternWriter):
    """Writes SEL event expressions. A guard or window on a window stands outside parentheses, for the reader."""

    language = "SEL"
    reserved = RESERVED

    def write(self, pattern: Pattern, least: int) -> str:
        match pattern:
            case Primitive():
                return self.event_type(pattern)
            case Named():
                return self.named(pattern, NAMED)
            case Within(pattern=inner, period=period):
                level, text = WINDOW, f"{self.write(inner, GUARD)} in {render_span(period)}"
            case Between(pattern=inner, start=start, stop=stop):
                level, text = WINDOW, f"{self.write(inner, GUARD)} at {render_edges(start, stop)}"
            case Where(pattern=inner, guard=guard):
                level, text = GUARD, f"{self.write(inner, SEQUENCE)} if {render_guard(guard)}"
            case Sequence(parts=parts, order=order):
                if order in _OTHER_ORDERS:
                    self.refuse(_OTHER_ORDERS[order])
                arrow = " ->= " if order is Precedence.WEAK else " -> "
                level, text = SEQUENCE, self.chain(parts, arrow, SEQUENCE)
            case Either(parts=parts):
                level, text = EITHER, self.chain(parts, " | ", EITHER)
            case Both(parts=parts):
                level, text = BOTH, self.chain(parts, " & ", BOTH)
            case Never(pattern=inner):
                level, text = NEVER, f"!{self.write(inner, NEVER)}"
            case _:
                level, text = self._counted(pattern)
        return text if level >= least else f"({text})"

    def _counted(self, pattern: Pattern) -> tuple[int, str]:
        """What stands behind its operand, or in braces."""
        match pattern:
            case Repeat(same=same) if same:
                self.refuse("runs of each group (in words, `2 to 4 times with the same x`)")
            case Repeat(pattern=inner, least=least, most=most):
                count = str(least) if least == most else f"[{least}, {most}]"
                return REPEAT, f"{self.write(inner, REPEAT)}*{count}"
            case After(pattern=inner, period=period, instant=True):
                return REPEAT, f"{self.write(inner, REPEAT)} delta {render_span(period)}"
            case After():
                self.refuse("a timer that begins with what it waits for (GEM's `e + [t]`)")
            case Instant(pattern=inner):
                return LEAF, f"{{{self.write(inner, 0)}}}"
        self.lacks(pattern)
