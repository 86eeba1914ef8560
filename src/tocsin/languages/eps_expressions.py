"""EPS event expressions (000 section 5): from text to the algebra and back.

    expression = sequence {"||" sequence}
    sequence   = conjunction {(";" | ";=") conjunction}
    conjunction = event {"&" event}
    event      = {variable ":"} (type | "(" expression ")" | times | timer)
    times      = ("TimesEq" | "TimesDf") "(" count "," [variable ":"] type "," attribute ")"
    timer      = "at" "(" (instant | expression "," span) ")" | "every" "(" span ")"
    type       = name | string              attribute = name | string

A type that is no name, as most of CloudEvents are, stands in quotes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from tocsin.algebra.patterns import (
    After,
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
    Times,
)
from tocsin.errors import Fault, RuleError, nearest
from tocsin.languages.events import EventExpressions, flat, followed
from tocsin.languages.guard_text import render_attribute
from tocsin.languages.guards import GUARD_OPERATORS
from tocsin.languages.lexer import Kind, Syntax, Token
from tocsin.languages.parser import Fixity, Operator
from tocsin.languages.times import positive_period, stretch_to
from tocsin.languages.writer import PatternWriter
from tocsin.time.calendar import parse_instant, render_instant
from tocsin.time.spans import Period, render_eps_span

OPERATORS: Final = (*GUARD_OPERATORS, ";", ";=", "&", "|", "{", "}")
EXPRESSION_SYNTAX: Final = Syntax(OPERATORS)

_EITHER, _SEQUENCE, _BOTH, _NAMED, _LEAF = 1, 2, 3, 4, 5
_TIMERS: Final = ("at", "every")
_TIMES: Final = ("TimesEq", "TimesDf")
RESERVED: Final = frozenset((*_TIMERS, *_TIMES))
_CONFUSED: Final = {
    "|": "in EPS either is written ||",
    "&&": "in EPS both is written &",
    "!": "EPS has no negation (000 section 5)",
    "when": "in EPS a guard is the condition of the request",
}


class EpsExpressions(EventExpressions):
    """Reads EPS event expressions."""

    naming = Operator(":", _NAMED, Fixity.PREFIX)
    reserved = RESERVED

    operators: ClassVar[Mapping[str, Operator]] = {
        "||": Operator("||", _EITHER, flat=True),
        ";": Operator(";", _SEQUENCE, flat=True),
        ";=": Operator(";=", _SEQUENCE, flat=True),
        "&": Operator("&", _BOTH, flat=True),
    }
    labels: ClassVar[tuple[tuple[int, str], ...]] = ((_BOTH, "'&'"), (_SEQUENCE, "';'"), (_EITHER, "'||'"))

    def infix(self) -> Operator | None:
        token = self.cursor.token
        if token.text in _CONFUSED:
            self.cursor.fail("'&'", "';'", "'||'", hint=_CONFUSED[token.text])
        return super().infix()

    def join(self, operator: Operator, token: Token, parts: list[Pattern]) -> Pattern:
        match operator.symbol:
            case ":":
                return self.named(token, parts[0])
            case "&":
                return flat(Both, parts)
            case ";" | ";=":
                return followed(parts, Precedence.ENDS if operator.symbol == ";" else Precedence.WEAK)
        return flat(Either, parts)

    def operand(self) -> Pattern:
        cursor = self.cursor
        token = cursor.token
        if token.text == "(":
            return self.group(token, ")")
        if token.kind is Kind.NAME and (cursor.peek().text == "(" or token.text in RESERVED):
            return self._function()
        if token.kind in (Kind.NAME, Kind.STRING):
            return self.event_type()
        return cursor.fail("an event", hint=_CONFUSED.get(token.text, ""))

    def _function(self) -> Pattern:
        """What is written as a name and parentheses: repetitions and timers."""
        cursor = self.cursor
        token = cursor.token
        if token.text not in RESERVED:
            cursor.fail("an event", hint=nearest(token.text, RESERVED) or "an event type has no parentheses")
        cursor.advance()
        opener = cursor.expect_after(token, "(")
        if token.text in _TIMES:
            return self._times(token, opener)
        if token.text == "every":
            period = positive_period(stretch_to(cursor, ")"))
            cursor.close(opener, ")")
            return Every(period, span=cursor.span_from(token.start))
        if cursor.token.kind is Kind.NUMBER:
            instant = stretch_to(cursor, ")").read(parse_instant)
            cursor.close(opener, ")")
            return AtInstant(instant, span=cursor.span_from(token.start))
        cursor.enter(opener)
        pattern = self.expression()
        cursor.expect(",")
        period = positive_period(stretch_to(cursor, ")"))
        cursor.close(opener, ")")
        cursor.leave()
        return After(pattern, period, span=cursor.span_from(token.start))

    def _times(self, token: Token, opener: Token) -> Pattern:
        """The rest of `TimesEq(3, x:e, attribute)`."""
        cursor = self.cursor
        count = cursor.expect_kind(Kind.NUMBER, "a number of events")
        if not count.text.isdigit() or int(count.text) < 1:
            cursor.refuse(Fault("the number of events must be a whole number from 1 on", count.span))
        cursor.expect(",")
        named = self.prefix(0)
        pattern: Pattern = self.event_type()
        if named is not None:
            pattern = self.named(named[1], pattern)
        cursor.expect(",")
        if not cursor.at_kind(Kind.NAME, "an attribute") and cursor.token.kind is not Kind.STRING:
            cursor.fail()
        name = cursor.advance()
        cursor.close(opener, ")")
        attribute = name.value if name.kind is Kind.STRING else name.text
        same = token.text == "TimesEq"
        return Times(int(count.text), pattern, attribute, same, span=cursor.span_from(token.start))


class EpsWriter(PatternWriter):
    """Writes EPS event expressions."""

    language = "EPS"
    reserved = RESERVED

    def write(self, pattern: Pattern, least: int) -> str:
        match pattern:
            case Primitive():
                return self.event_type(pattern)
            case Named():
                return self.named(pattern, _NAMED)
            case Either(parts=parts):
                level, text = _EITHER, self.chain(parts, " || ", _EITHER)
            case Sequence(parts=parts, order=order):
                level, text = _SEQUENCE, self.chain(parts, f" {self.by_ends(order)} ", _SEQUENCE)
            case Both(parts=parts):
                level, text = _BOTH, self.chain(parts, " & ", _BOTH)
            case Times(count=count, pattern=inner, attribute=str(attribute), same=same):
                name = "TimesEq" if same else "TimesDf"
                level, text = _LEAF, f"{name}({count}, {self._single(inner)}, {render_attribute(attribute)})"
            case After(pattern=inner, period=period, instant=False):
                level, text = _LEAF, f"at({self.write(inner, 0)}, {_span(period)})"
            case _:
                level, text = _LEAF, self._timer(pattern)
        return text if level >= least else f"({text})"

    def _timer(self, pattern: Pattern) -> str:
        match pattern:
            case AtInstant(instant=instant):
                return f"at({_instant(instant)})"
            case At(point=point) if point.exact:
                # An exact time point occurs once, as an absolute timer does.
                return f"at({_instant(point.instant())})"
            case Every(period=period):
                return f"every({_span(period)})"
            case After():
                self.refuse("a timer that begins where it ends (SEL's `delta`)")
        return self.lacks(pattern)

    def _single(self, pattern: Pattern) -> str:
        """What a repetition counts: events of one type."""
        inner = pattern.pattern if isinstance(pattern, Named) else pattern
        if not isinstance(inner, Primitive):
            self.refuse("a repetition of anything but an event type")
        return self.write(pattern, _NAMED)


def _instant(instant: int) -> str:
    """`2026/11/15 20:00:00`."""
    return render_instant(instant).replace("-", "/").replace("T", " ").removesuffix("Z")


def _span(period: Period) -> str:
    if min(period.years, period.months, period.microseconds) < 0:
        raise RuleError(Fault(f"EPS has no way to write the negative span {render_eps_span(period)}"))
    return render_eps_span(period)
