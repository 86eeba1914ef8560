"""The global event expressions of 002 (Schwiderski, Herbert & Moody), definition 3.1: text to the algebra and back.

    expression = event {"," event} | event {"|" event} | event {(";" | ";=") event} | event {"||" event}
               | event {";" "NOT" event ";" event} | event {"*" event}
    event      = {variable ":"} (type ["@" site] | "(" expression ")" | timer)
    timer      = "at" "(" (instant | expression "," span) ")" | "every" "(" span ")"
    type       = name | string              site = name | string

The paper gives the operators no binding, so different ones need parentheses between them (SEMANTICS section 6); equal
ones associate to the left, and `a ; NOT b ; c` is one operator. Time events are those of EPS; a span begins with a
digit, which tells its comma from the operator.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tocsin.algebra.names import name_leaves
from tocsin.algebra.patterns import (
    Absence,
    Accumulate,
    After,
    At,
    AtInstant,
    Both,
    Concurrent,
    Either,
    Every,
    Named,
    Pattern,
    Precedence,
    Primitive,
    Sequence,
)
from tocsin.errors import Source, Span
from tocsin.languages.eps_expressions import EXPRESSION_SYNTAX, EpsExpressions, EpsWriter
from tocsin.languages.events import flat, followed
from tocsin.languages.lexer import Kind, Token, quote
from tocsin.languages.parser import Cursor
from tocsin.languages.writer import render_name

__all__ = ["NAME", "parse", "render"]

NAME: Final = "global"

_NOT: Final = "NOT"
_NEGATION: Final = "; NOT"
_SYMBOLS: Final = (",", "|", ";", ";=", "||", "*")
_TIMERS: Final = ("at", "every")
_RESERVED: Final = frozenset((*_TIMERS, _NOT, "not", "when"))
_CONFUSED: Final = {
    "&": "both is written a , b",
    "&&": "both is written a , b",
    "!": "absence is written a ; NOT b ; c",
    "when": "a guard is the condition of the rule",
    "not": "NOT is written in capitals",
}
_UNBEGUN: Final = "an absence has a beginning: a ; NOT b ; c is one operator"
_CHAIN, _EVENT = 1, 2


def parse(source: Source) -> Pattern:
    """The global event expression that the whole text is."""
    cursor = Cursor(source, EXPRESSION_SYNTAX)
    pattern = GlobalExpressions(cursor).expression()
    cursor.expect_end()
    cursor.refuse_deep(pattern)
    return name_leaves(pattern)


def render(pattern: Pattern) -> str:
    """`pattern` as a global event expression; parsing it gives `pattern` again."""
    return GlobalWriter(pattern).text()


class GlobalExpressions(EpsExpressions):
    """Reads global event expressions. Types, variables and time events are those of EPS; the operators are not."""

    reserved = _RESERVED

    def expression(self) -> Pattern:
        """Operands with one operator between them."""
        cursor = self.cursor
        current = self.operand()
        chosen = self._operator_here()
        if chosen is None:
            cursor.wants(*(f"'{symbol}'" for symbol in _SYMBOLS))
            return current
        parts, links = [current], 0
        while (operator := self._operator_here()) is not None:
            if operator != chosen:
                cursor.fail(f"'{chosen}'", hint="put parentheses between different operators, as in (a ; b) | c")
            cursor.advance()
            links += 1
            if chosen not in _FLAT:
                self._limit(links)
            if chosen == _NEGATION:
                parts += self._negated()
            else:
                parts.append(self.operand())
        cursor.wants(f"'{chosen}'")
        return _joined(chosen, parts)

    def _operator_here(self) -> str | None:
        """The operator that stands here, if one does."""
        token = self.cursor.token
        if token.text in _CONFUSED:
            self.cursor.fail(*(f"'{symbol}'" for symbol in _SYMBOLS), hint=_CONFUSED[token.text])
        if token.kind is not Kind.OPERATOR or token.text not in _SYMBOLS:
            return None
        if token.text == ";" and self.cursor.peek().text == _NOT:
            return _NEGATION
        if token.text == "," and self.cursor.peek().kind is Kind.NUMBER:
            return None  # the comma of `at(a, 0/0/0 0:00:05)`
        return token.text

    def _negated(self) -> list[Pattern]:
        """The rest of `a ; NOT b ; c`: what must not occur, and the end."""
        cursor = self.cursor
        cursor.expect(_NOT)
        without = self.operand()
        if not cursor.at(";"):
            cursor.fail(hint="an absence has an end: a ; NOT b ; c is one operator")
        cursor.advance()
        return [without, self.operand()]

    def operand(self) -> Pattern:
        cursor = self.cursor
        names: list[Token] = []
        while cursor.token.text != _NOT and (found := self.prefix(0)) is not None:
            names.append(found[1])
            self._limit(len(names))
        token = cursor.token
        if token.text == "(":
            pattern = self.group(token, ")")
        elif token.kind is Kind.NAME and token.text in _TIMERS:
            pattern = self._function()
        elif token.kind in (Kind.NAME, Kind.STRING):
            hint = _UNBEGUN if token.text == _NOT else _CONFUSED.get(token.text, "")
            pattern = cursor.fail("an event", hint=hint) if hint else self._at_site()
        else:
            pattern = cursor.fail("an event", hint=_CONFUSED.get(token.text, ""))
        for name in reversed(names):
            pattern = self.named(name, pattern)
        return pattern

    def _at_site(self) -> Pattern:
        """`type` or `type@site`."""
        cursor = self.cursor
        primitive = self.event_type()
        if not cursor.accept("@"):
            return primitive
        if not cursor.at_kind(Kind.NAME, "a site") and cursor.token.kind is not Kind.STRING:
            cursor.fail()
        site = cursor.advance()
        name = site.value if site.kind is Kind.STRING else site.text
        return replace(primitive, site=name, span=site.span | primitive.span)


def _joined(operator: str, parts: list[Pattern]) -> Pattern:
    """What an operator makes of its operands, which associate to the left."""
    first = parts[0]
    if operator in _FLAT:
        return _FLAT[operator](parts)
    if operator == _NEGATION:
        for without, last in zip(parts[1::2], parts[2::2], strict=True):
            first = Absence(first, last, without, order=Precedence.GLOBAL, span=_cover(first, last))
        return first
    for part in parts[1:]:
        span = _cover(first, part)
        first = Concurrent(first, part, span=span) if operator == "||" else Accumulate(first, part, span=span)
    return first


_FLAT: Final[dict[str, Callable[[list[Pattern]], Pattern]]] = {
    ",": lambda parts: flat(Both, parts),
    "|": lambda parts: flat(Either, parts),
    ";": lambda parts: followed(parts, Precedence.GLOBAL),
    ";=": lambda parts: followed(parts, Precedence.WEAK),
}
"""The operators whose chains are one node with many operands; of the others, every link is a level of nesting."""


def _cover(first: Pattern, last: Pattern) -> Span | None:
    return None if first.span is None else first.span | last.span


class GlobalWriter(EpsWriter):
    """Writes global event expressions."""

    language = "GLOBAL"
    reserved = _RESERVED

    def write(self, pattern: Pattern, least: int) -> str:
        match pattern:
            case Primitive():
                return self.event_type(pattern)
            case Named(name=name):
                if name == _NOT and not self.names_itself(pattern):
                    self.refuse("an event called NOT")
                return self.named(pattern, _EVENT)
            case Both(parts=parts):
                text = self.chain(parts, " , ", _CHAIN)
            case Either(parts=parts):
                text = self.chain(parts, " | ", _CHAIN)
            case Sequence(parts=parts, order=Precedence.GLOBAL):
                text = self.chain(parts, " ; ", _CHAIN)
            case Sequence(parts=parts, order=Precedence.WEAK):
                text = self.chain(parts, " ;= ", _CHAIN)
            case Concurrent(left=left, right=right):
                text = f"{self._first(left, pattern)} || {self.write(right, _EVENT)}"
            case Accumulate(each=each, last=last):
                text = f"{self._first(each, pattern)} * {self.write(last, _EVENT)}"
            case Absence(first=first, last=last, without=without, guard=None, order=Precedence.GLOBAL):
                rest = f"{self.write(without, _EVENT)} ; {self.write(last, _EVENT)}"
                text = f"{self._first(first, pattern)} ; NOT {rest}"
            case Sequence() | Absence():
                self.refuse("a guard inside the expression, or an order other than 2g-precedence")
            case After() | At() | AtInstant() | Every():
                return super().write(pattern, least)
            case _:
                self.lacks(pattern)
        return text if least < _EVENT else f"({text})"

    def chain(self, parts: tuple[Pattern, ...], symbol: str, level: int) -> str:
        """`a ; b ; c`: what has another operator stands in parentheses."""
        if not parts:
            self.refuse("a chain of nothing")
        return symbol.join([self.write(part, _EVENT) for part in parts])

    def _first(self, first: Pattern, whole: Pattern) -> str:
        """The first operand, which may be a chain of the same operator."""
        return self.write(first, _CHAIN if type(first) is type(whole) else _EVENT)

    def event_type(self, pattern: Primitive) -> str:
        text = render_name(pattern.type, self.reserved)
        if pattern.site is None:
            return text
        return f"{text}@{pattern.site if pattern.site.isidentifier() else quote(pattern.site)}"
