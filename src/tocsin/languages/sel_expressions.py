"""SEL event expressions (004 section III.A): from text to the algebra.

    expression  = sequence {"if" guard | "in" span | "at" "[" time "," time "]"}
    sequence    = either {("->" | "->=") either}
    either      = conjunction {"|" conjunction}
    conjunction = negation {"&" negation}
    negation    = {"!"} repeated
    repeated    = event {"*" count | "*" "[" count "," count "]" | "delta" span}
    event       = {variable ":"} (type | "(" expression ")" | "{" expression "}")
    type        = name | string

`if`, `in` and `at` bind loosest and apply to all that stands before them, one after the other: `e if g in w` is
`(e if g) in w`. What the expressions need to have their ends bounded is checked in `algebra/checks.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from tocsin.algebra.patterns import (
    After,
    Between,
    Both,
    Either,
    Instant,
    Never,
    Pattern,
    Precedence,
    Repeat,
    Where,
    Within,
)
from tocsin.errors import Fault
from tocsin.languages.events import EventExpressions, flat, followed
from tocsin.languages.guards import GUARD_OPERATORS, parse_guard
from tocsin.languages.lexer import Kind, Syntax, Token
from tocsin.languages.parser import Fixity, Operator
from tocsin.languages.sel_times import read_edges, read_span
from tocsin.languages.times import positive_period
from tocsin.time.spans import parse_period

OPERATORS: Final = (*GUARD_OPERATORS, ";", "&", "|", "{", "}", "->", "→", "->=")
EXPRESSION_SYNTAX: Final = Syntax(OPERATORS)

WINDOW, GUARD, SEQUENCE, EITHER, BOTH, NEVER, REPEAT, NAMED, LEAF = range(1, 10)
"""How tightly each construct binds; what is read treats a guard as a window, for both stand behind everything."""

RESERVED: Final = frozenset(("if", "in", "at", "delta", "Δ"))
_CONFUSED: Final = {
    "||": "'||' joins guards; either of two events is written |",
    "&&": "'&&' joins guards; both of two events is written &",
    ";": "in SEL followed by is written ->",
    "when": "in SEL a guard follows 'if'",
    "within": "in SEL a window is written 'in 20 seconds'",
    "+": "in SEL a time after an event is written e delta 5 seconds",
}
_ALL: Final = ("'*'", "'delta'", "'&'", "'|'", "'->'", "'if'", "'in'", "'at'")
_NOT: Final = Operator("!", NEVER, Fixity.PREFIX)
_ARROW: Final = Operator("->", SEQUENCE, flat=True)
_DELTA: Final = Operator("delta", REPEAT, Fixity.POSTFIX)


class SelExpressions(EventExpressions):
    """Reads SEL event expressions."""

    naming = Operator(":", NAMED, Fixity.PREFIX)
    reserved = RESERVED

    operators: ClassVar[Mapping[str, Operator]] = {
        "in": Operator("in", WINDOW, Fixity.POSTFIX),
        "at": Operator("at", WINDOW, Fixity.POSTFIX),
        "if": Operator("if", WINDOW, Fixity.POSTFIX),
        "->": _ARROW,
        "→": _ARROW,
        "->=": Operator("->=", SEQUENCE, flat=True),
        "|": Operator("|", EITHER, flat=True),
        "&": Operator("&", BOTH, flat=True),
        "*": Operator("*", REPEAT, Fixity.POSTFIX),
        "delta": _DELTA,
        "Δ": _DELTA,
    }
    labels: ClassVar[tuple[tuple[int, str], ...]] = tuple(
        zip((REPEAT, REPEAT, BOTH, EITHER, SEQUENCE, WINDOW, WINDOW, WINDOW), _ALL, strict=True)
    )
    binding_hint = "'if', 'in' and 'at' bind loosest: put parentheses around what they are written on"

    def prefix(self, floor: int) -> tuple[Operator, Token] | None:
        cursor = self.cursor
        if cursor.token.text != "!":
            return super().prefix(floor)
        if floor > NEVER:
            cursor.fail("an event", hint="put parentheses around '!' and what it negates")
        return _NOT, cursor.advance()

    def infix(self) -> Operator | None:
        token = self.cursor.token
        if token.text in _CONFUSED:
            self.cursor.fail(*_ALL, hint=_CONFUSED[token.text])
        return super().infix()

    def join(self, operator: Operator, token: Token, parts: list[Pattern]) -> Pattern:
        match operator.symbol:
            case ":":
                return self.named(token, parts[0])
            case "!":
                return Never(parts[0], span=token.span | parts[0].span)
            case "&":
                return flat(Both, parts)
            case "|":
                return flat(Either, parts)
        return followed(parts, Precedence.WEAK if operator.symbol == "->=" else Precedence.GAP)

    def suffix(self, operator: Operator, token: Token, operand: Pattern) -> Pattern:
        cursor = self.cursor
        match operator.symbol:
            case "*":
                least, most = self._counts()
                return Repeat(operand, least, most, span=cursor.span_from(token.start) | operand.span)
            case "delta":
                # 004 section III.B.1: `{E}` is `E delta 0 seconds`, so nothing is a span here.
                span = read_span(cursor).read(parse_period)
                return After(operand, span, instant=True, span=cursor.span_from(token.start) | operand.span)
            case "in":
                window = positive_period(read_span(cursor))
                return Within(operand, window, span=cursor.span_from(token.start) | operand.span)
            case "at":
                start, stop = read_edges(cursor)
                return Between(operand, start, stop, span=cursor.span_from(token.start) | operand.span)
        guard = parse_guard(cursor)
        return Where(operand, guard, span=cursor.span_from(token.start) | operand.span)

    def operand(self) -> Pattern:
        cursor = self.cursor
        token = cursor.token
        if token.text == "(":
            return self.group(token, ")")
        if token.text == "{":
            inner = self.group(token, "}")
            return Instant(inner, span=inner.span)
        if token.kind is Kind.STRING or (token.kind is Kind.NAME and token.text not in RESERVED):
            return self.event_type()
        return cursor.fail("an event")

    def _counts(self) -> tuple[int, int]:
        """The rest of `*n` or `*[n, m]`."""
        cursor = self.cursor
        opener = cursor.accept("[")
        if opener is None:
            count = self._count()
            return count, count
        least = self._count()
        cursor.expect(",")
        most = self._count()
        cursor.close(opener, "]")
        if most < least:
            span = cursor.span_from(opener.start)
            cursor.refuse(Fault(f"a run of at least {least} cannot be one of at most {most}", span))
        return least, most

    def _count(self) -> int:
        count = self.cursor.expect_kind(Kind.NUMBER, "a number of events")
        if not count.text.isdigit() or int(count.text) < 1:
            self.cursor.refuse(Fault("the number of events must be a whole number from 1 on", count.span))
        return int(count.text)
