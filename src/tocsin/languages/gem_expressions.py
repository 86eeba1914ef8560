"""GEM event expressions (003 section 2): from text to the algebra and back.

    expression  = either {"when" guard}
    either      = sequence {"|" sequence}
    sequence    = conjunction {(";" | ";=") conjunction}
    conjunction = absence {"&" absence}
    absence     = timed | ("{" sequence "}" | "(" sequence ")") "!" timed
    timed       = event {"+" "[" period "]"}
    event       = {variable ":"} (type | "*" | "every" "[" period "]" | ["at"] "[" time point "]" | "(" expression ")")
    type        = name | string

`when` binds loosest, so a guarded event among others stands in parentheses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Final

from tocsin.algebra.guards import variables_of
from tocsin.algebra.names import bound
from tocsin.algebra.patterns import (
    Absence,
    After,
    AnyEvent,
    At,
    AtInstant,
    Both,
    Either,
    Every,
    Named,
    Pattern,
    Precedence,
    Primitive,
    Sequence,
    Where,
)
from tocsin.errors import Fault
from tocsin.languages.events import EventExpressions, flat, followed
from tocsin.languages.guard_text import render_bracketed_period, render_gem_guard
from tocsin.languages.guards import GUARD_OPERATORS, parse_guard
from tocsin.languages.lexer import Kind, Syntax, Token
from tocsin.languages.parser import Fixity, Operator
from tocsin.languages.times import bracketed_period, bracketed_point
from tocsin.languages.writer import PatternWriter
from tocsin.time.calendar import TimePoint, render_time_point
from tocsin.time.gregorian import DAY_LENGTH, date_from_days

OPERATORS: Final = (*GUARD_OPERATORS, ";", ";=", "&", "|", "{", "}", "==>", "~")
EXPRESSION_SYNTAX: Final = Syntax(OPERATORS, divides_whole=True)

_WHEN, _EITHER, _SEQUENCE, _BOTH, _ABSENCE, _AFTER, _NAMED, _LEAF = range(1, 9)
RESERVED: Final = frozenset(("when", "at", "every"))
_CONFUSED: Final = {
    "||": "'||' joins guards; either of two events is written |",
    "&&": "'&&' joins guards; both of two events is written &",
}
_INTERVAL: Final = "a closed interval, as in {e1 ; e2} ! e3"


class GemExpressions(EventExpressions):
    """Reads GEM event expressions."""

    naming = Operator(":", _NAMED, Fixity.PREFIX)
    reserved = RESERVED

    operators: ClassVar[Mapping[str, Operator]] = {
        "when": Operator("when", _WHEN, Fixity.POSTFIX),
        "|": Operator("|", _EITHER, flat=True),
        ";": Operator(";", _SEQUENCE, flat=True),
        ";=": Operator(";=", _SEQUENCE, flat=True),
        "&": Operator("&", _BOTH, flat=True),
        "!": Operator("!", _ABSENCE, chains=False),
        "+": Operator("+", _AFTER, Fixity.POSTFIX),
    }
    labels: ClassVar[tuple[tuple[int, str], ...]] = (
        (_AFTER, "'+'"),
        (_BOTH, "'&'"),
        (_SEQUENCE, "';'"),
        (_EITHER, "'|'"),
        (_WHEN, "'when'"),
    )
    binding_hint = "'when' binds loosest: put parentheses around the guarded event"
    chain_hint = "put parentheses around the first absence"

    def infix(self) -> Operator | None:
        token = self.cursor.token
        if token.text in _CONFUSED:
            self.cursor.fail(*(label for _, label in self.labels), hint=_CONFUSED[token.text])
        return super().infix()

    def join(self, operator: Operator, token: Token, parts: list[Pattern]) -> Pattern:
        match operator.symbol:
            case ":":
                return self.named(token, parts[0])
            case "!":
                return self._absence(token, parts[0], parts[1])
            case "&":
                return flat(Both, parts)
            case ";" | ";=":
                return followed(parts, Precedence.ENDS if operator.symbol == ";" else Precedence.WEAK)
        return flat(Either, parts)

    def suffix(self, operator: Operator, token: Token, operand: Pattern) -> Pattern:
        cursor = self.cursor
        if operator.symbol == "+":
            period = bracketed_period(cursor)
            return After(operand, period, span=cursor.span_from(token.start) | operand.span)
        guard = parse_guard(cursor)
        span = cursor.span_from(token.start) | operand.span
        if isinstance(operand, Absence) and operand.guard is None:
            return replace(operand, guard=guard, span=span)
        return Where(operand, guard, span=span)

    def operand(self) -> Pattern:
        cursor = self.cursor
        token = cursor.token
        if token.text == "(":
            inner = self.group(token, ")")
            if isinstance(inner, Sequence):
                cursor.wants("'!'")
            return inner
        if token.text == "{":
            return self._interval(token, self.group(token, "}"))
        if token.text == "[":
            return At(bracketed_point(cursor), span=cursor.span_from(token.start))
        if token.text == "*":
            cursor.advance()
            return AnyEvent(span=token.span)
        if token.kind is Kind.NAME and token.text in RESERVED:
            return self._timer()
        if token.kind in (Kind.NAME, Kind.STRING):
            return self.event_type()
        hint = "an absence stands between two events: {a ; c} ! b" if token.text == "!" else ""
        return cursor.fail("an event", hint=hint)

    def _timer(self) -> Pattern:
        """`at[...]` or `every[...]`."""
        cursor = self.cursor
        token = cursor.token
        if token.text == "when":
            cursor.fail("an event")
        cursor.advance()
        if token.text == "at":
            return At(bracketed_point(cursor), span=cursor.span_from(token.start))
        return Every(bracketed_period(cursor), span=cursor.span_from(token.start))

    def _interval(self, opener: Token, inner: Pattern) -> Pattern:
        """What stands in braces: a sequence, to be followed by what must not come between."""
        if not isinstance(inner, Sequence):
            fault = Fault("a sequence is needed between { and }", inner.span, "e1 ; e2")
            self.cursor.refuse(fault)
        if not self.cursor.at("!"):
            self.cursor.fail()
        return inner

    def _absence(self, token: Token, left: Pattern, without: Pattern) -> Pattern:
        """`{first ; last} ! without`; 003 section 6.2 writes parentheses for the braces."""
        if not isinstance(left, Sequence):
            hint = "put parentheses around the whole: x:({e1 ; e2} ! e3)" if isinstance(left, Named) else ""
            self.cursor.refuse(Fault("'!' has no interval on its left", token.span, _INTERVAL, hint))
        *before, last = left.parts
        first = followed(before, left.order) if len(before) > 1 else before[0]
        span = token.span | left.span | without.span
        return Absence(first, last, without, order=left.order, span=span)


class GemWriter(PatternWriter):
    """Writes GEM event expressions."""

    language = "GEM"
    reserved = RESERVED

    def write(self, pattern: Pattern, least: int) -> str:
        match pattern:
            case Primitive():
                return self.event_type(pattern)
            case Named():
                return self.named(pattern, _NAMED)
            case Where():
                level, text = _WHEN, self._where(pattern)
            case Either(parts=parts):
                level, text = _EITHER, self.chain(parts, " | ", _EITHER)
            case Sequence(parts=parts, order=order):
                level, text = _SEQUENCE, self.chain(parts, f" {self.by_ends(order)} ", _SEQUENCE)
            case Both(parts=parts):
                level, text = _BOTH, self.chain(parts, " & ", _BOTH)
            case Absence():
                level, text = self._absence(pattern)
            case After(pattern=inner, period=period, instant=False):
                level, text = _AFTER, f"{self.write(inner, _AFTER)} + {render_bracketed_period(period)}"
            case _:
                level, text = _LEAF, self._leaf(pattern)
        return text if level >= least else f"({text})"

    def _where(self, pattern: Where) -> str:
        inner = pattern.pattern
        if isinstance(inner, Absence) and inner.guard is None:
            # A guard written right on an absence chooses what cancels. Where it could not, both mean the same;
            # elsewhere a guard that always holds takes that place.
            selects = variables_of(pattern.guard) & bound(inner.without).keys()
            written = self.write(inner, _EITHER)
            return f"{f'({written} when true)' if selects else written} when {render_gem_guard(pattern.guard)}"
        return f"{self.write(inner, _EITHER)} when {render_gem_guard(pattern.guard)}"

    def _absence(self, pattern: Absence) -> tuple[int, str]:
        then = self.by_ends(pattern.order)
        first, last = self.write(pattern.first, _SEQUENCE), self.write(pattern.last, _BOTH)
        text = f"{{{first} {then} {last}}} ! {self.write(pattern.without, _AFTER)}"
        if pattern.guard is None:
            return _ABSENCE, text
        return _WHEN, f"{text} when {render_gem_guard(pattern.guard)}"

    def _leaf(self, pattern: Pattern) -> str:
        match pattern:
            case AnyEvent():
                return "*"
            case At(point=point):
                return f"at[{render_time_point(point)}]"
            case AtInstant(instant=instant):
                return f"at[{render_time_point(self._point(instant))}]"
            case Every(period=period):
                return f"every{render_bracketed_period(period)}"
            case After():
                self.refuse("a timer that begins where it ends (SEL's `delta`)")
        return self.lacks(pattern)

    def _point(self, instant: int) -> TimePoint:
        """The exact time point of an absolute timer; GEM's fields end at the millisecond."""
        if instant % 1000:
            self.refuse("an instant finer than a millisecond")
        days, rest = divmod(instant // 1000, DAY_LENGTH // 1000)
        seconds, millisecond = divmod(rest, 1000)
        year, month, day = date_from_days(days)
        return TimePoint(seconds // 3600, seconds // 60 % 60, seconds % 60, millisecond, None, day, month, year)
