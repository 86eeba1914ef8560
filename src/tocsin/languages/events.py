"""What the event expressions of all languages read alike: types, variables, and chains of one operator."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from tocsin.algebra.patterns import (
    AnyEvent,
    At,
    AtInstant,
    Both,
    By,
    Either,
    Every,
    Named,
    Pattern,
    Precedence,
    Primitive,
    Sequence,
    Streak,
    Where,
    Within,
)
from tocsin.errors import Fault, Span
from tocsin.languages.guards import parse_variable
from tocsin.languages.lexer import Kind, Token
from tocsin.languages.parser import Expressions, Operator
from tocsin.time.spans import Period


class EventExpressions(Expressions[Pattern]):
    """Event expressions in which `x:e` names an event and a type is a name or a string."""

    naming: ClassVar[Operator]
    """The prefix operator `x:`."""
    reserved: ClassVar[frozenset[str]]
    """Words that are no event type unless they stand in quotes."""

    def prefix(self, floor: int) -> tuple[Operator, Token] | None:
        cursor = self.cursor
        if cursor.token.kind is not Kind.NAME or cursor.peek().text != ":":
            return None
        name = parse_variable(cursor)
        cursor.advance()
        return self.naming, name

    def named(self, token: Token, pattern: Pattern) -> Named:
        """What the naming operator makes of its operand; `token` is the variable."""
        return Named(token.text, pattern, span=token.span | pattern.span)

    def event_type(self) -> Primitive:
        """The type that must stand here."""
        cursor = self.cursor
        token = cursor.token
        if token.kind is Kind.STRING:
            if not token.value:
                cursor.refuse(Fault("an event type cannot be empty", token.span))
            cursor.advance()
            return Primitive(token.value, span=token.span)
        if token.kind is not Kind.NAME or token.text in self.reserved:
            cursor.fail("an event type")
        cursor.advance()
        return Primitive(token.text, span=token.span)


def flat(shape: type[Both] | type[Either] | type[Sequence], parts: list[Pattern]) -> Pattern:
    """The operands of an operator that associates to the left, as one node: `(a ; b) ; c` is `a ; b ; c`."""
    first = parts[0]
    span = None if first.span is None else first.span | parts[-1].span
    if isinstance(first, Both | Either | Sequence) and isinstance(first, shape):
        return shape((*first.parts, *parts[1:]), span=span)
    return shape(tuple(parts), span=span)


def followed(parts: list[Pattern], order: Precedence = Precedence.GAP) -> Pattern:
    """`a -> b -> c`, each after the one before, as one node; it associates to the left."""
    first = parts[0]
    span = None if first.span is None else first.span | parts[-1].span
    before = first.parts if isinstance(first, Sequence) and first.order is order else (first,)
    return Sequence((*before, *parts[1:]), order, span=span)


def is_single(pattern: Pattern) -> bool:
    """Whether it is one event, whatever its names and guards: what can be counted."""
    while isinstance(pattern, Named | Where):
        pattern = pattern.pattern
    return isinstance(pattern, Primitive | AnyEvent | At | AtInstant | Every)


def limited(pattern: Pattern, period: Period, span: Span | None = None) -> Pattern:
    """All of it within a span of time. `a 3 times within w` is a run that lasts no longer, not a window around one."""
    inner = _limited(pattern, period)
    return Within(pattern, period, span=span) if inner is None else replace(inner, span=span)


def _limited(pattern: Pattern, period: Period) -> Pattern | None:
    if isinstance(pattern, Streak) and pattern.period is None:
        return replace(pattern, period=period)
    if isinstance(pattern, Named | Where | By):
        inner = _limited(pattern.pattern, period)
        return None if inner is None else replace(pattern, pattern=inner)
    return None
