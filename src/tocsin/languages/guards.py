"""The guard grammar, the same in every language.

    guard      = and {("||" | "or") and}
    and        = not {("&&" | "and") not}
    not        = {"!" | "not"} comparison
    comparison = sum [comparator sum | "in" list | ("matches" | "like") string]
    comparator = "==" | "=" | "!=" | "<" | "<=" | "=<" | ">" | ">="
    list       = "(" guard {"," guard} ")" | "cidr" "(" string {"," string} ")" | variable "." path
    sum        = product {("+" | "-") product}
    product    = minus {("*" | "/" | "//" | "%") minus}
    minus      = {"-"} value
    value      = string | number [unit] | "true" | "false" | "null" | "now" | "self" | time | "(" guard ")"
               | variable ["." path] | ("@" | "|@" | "$" | "?") variable | function "(" [guard {"," guard}] ")"
    path       = attribute {"." attribute | "[" digits "]"}
    time       = "[" period or time point "]"
    attribute  = name | string

What ends a guard is whatever cannot go on it: `;`, `&` and `|` belong to the event expression around it.

`/` is real division, and in GEM, between two whole numbers, whole. What is parsed says which: GEM's is the function
`quotient`, unless one side is written with a fraction, and `ratio(g, g)` is the real one in any language.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Final

from tocsin.algebra.functions import FUNCTIONS
from tocsin.algebra.guards import (
    LOGIC,
    Attribute,
    Binary,
    Call,
    Duration,
    End,
    Guard,
    Literal,
    Negative,
    Not,
    Now,
    Occurred,
    Point,
    Reference,
    Self,
    SourceOf,
    Start,
    joined,
)
from tocsin.errors import Fault, Source, Span, choices, nearest
from tocsin.languages.guard_text import (
    COMPARISON,
    LEVELS,
    NEGATION,
    NEGATIVE,
    RATIO,
    WORDS,
    is_ratio,
    render_guard,
)
from tocsin.languages.lexer import PATTERN_WORDS, Kind, Syntax, Token
from tocsin.languages.parser import Cursor, Expressions, Fixity, Operator
from tocsin.languages.times import Stretch, bracketed, is_period
from tocsin.time.calendar import parse_time_point
from tocsin.time.spans import UNITS, parse_period

__all__ = [
    *("GUARD_OPERATORS", "parse_arguments", "parse_guard", "parse_guard_text", "parse_value", "parse_variable"),
    "render_guard",
]

GUARD_OPERATORS: Final = (
    *("||", "&&", "!", "==", "=", "!=", "<", "<=", "=<", ">", ">=", "+", "-", "*", "/", "//", "%"),
    *("(", ")", "[", "]", ",", ".", "@", "|@", "$", "?", ":"),
)
"""The operators of guards and of the times in them, for the syntax of a language that has guards."""

# With what ends a guard elsewhere, so that it is called unexpected and not illegal.
_SYNTAX: Final = Syntax((*GUARD_OPERATORS, ";", "&", "|", "{", "}"))
_GEM_SYNTAX: Final = replace(_SYNTAX, divides_whole=True)
_OTHERWISE: Final = {"or": "||", "and": "&&", "=": "==", "=<": "<="}
_CONSTANTS: Final = {"true": True, "false": False, "null": None}
_ACCESS: Final = {"@": End, "|@": Start, "$": SourceOf, "?": Occurred}
FOLDED: Final = {"iequals": "==", **{each.folded: name for name, each in FUNCTIONS.items() if each.folded}}
"""Tests of texts whatever their case: those of both in small letters."""
_CALLABLE: Final = tuple(sorted((FUNCTIONS.keys() | {RATIO, *FOLDED}) - WORDS))
_NOT: Final = Operator("!", NEGATION, Fixity.PREFIX)
_MINUS: Final = Operator("-", NEGATIVE, Fixity.PREFIX)
_INFIX: Final = {
    symbol: Operator(symbol, level, chains=level != COMPARISON, flat=symbol in LOGIC)
    for symbol, level in LEVELS.items()
}


def parse_guard_text(source: Source, language: str = "") -> Guard:
    """The guard that the whole text is, in a rule of that language."""
    cursor = Cursor(source, _GEM_SYNTAX if language == "gem" else _SYNTAX)
    guard = parse_guard(cursor)
    cursor.expect_end()
    cursor.refuse_deep(guard)
    return guard


def parse_guard(cursor: Cursor) -> Guard:
    """The guard that begins here, as far as it goes. Who asks for it checks the depth of the whole."""
    return Guards(cursor).expression()


def parse_value(cursor: Cursor) -> Guard:
    """The attribute, the call or other value without operators that begins here."""
    return Guards(cursor).operand()


def parse_arguments(cursor: Cursor) -> tuple[Guard, ...]:
    """`(g, g, ...)`, possibly empty; the parenthesis stands here."""
    guards = Guards(cursor)
    opener = cursor.expect("(")
    cursor.enter(opener)
    arguments: list[Guard] = []
    if not cursor.at(")"):
        arguments.append(guards.expression())
        while cursor.accept(","):
            arguments.append(guards.expression())
    cursor.close(opener, ")")
    cursor.leave()
    return tuple(arguments)


def parse_variable(cursor: Cursor) -> Token:
    """The name of an event variable."""
    if cursor.token.kind is Kind.NAME and cursor.token.text in WORDS:
        cursor.fail("an event variable", hint=f"'{cursor.token.text}' is a word of the guard language")
    return cursor.expect_kind(Kind.NAME, "an event variable")


class Guards(Expressions[Guard]):
    """Reads guards."""

    operators: ClassVar[Mapping[str, Operator]] = {
        **_INFIX,
        **{word: _INFIX[symbol] for word, symbol in _OTHERWISE.items()},
        **{word: Operator(word, COMPARISON, Fixity.POSTFIX, chains=False) for word in ("in", *PATTERN_WORDS)},
    }
    labels: ClassVar[tuple[tuple[int, str], ...]] = (
        (LEVELS["||"], "'||'"),
        (LEVELS["&&"], "'&&'"),
        (COMPARISON, "a comparison"),
        (LEVELS["*"], "an arithmetic operator"),
    )
    chain_hint = "comparisons do not chain: join them with &&, or use parentheses"

    def infix(self) -> Operator | None:
        operator = super().infix()
        # Other languages have an `in` of their own after a guard (SEL's windows): here a list must follow.
        if operator is not None and operator.symbol == "in" and not self._has_list():
            self.cursor.wants("'in (...)'")
            return None
        # Neither word is one of the guard language: only a pattern makes it an operator.
        is_pattern = operator is not None and operator.symbol in PATTERN_WORDS
        return None if is_pattern and self.cursor.peek().kind is not Kind.STRING else operator

    def _has_list(self) -> bool:
        """Whether a list, or an attribute that may be one, follows the `in` here."""
        following = self.cursor.peek()
        behind = self.cursor.source.text[following.stop : following.stop + 1]
        is_attribute = following.kind is Kind.NAME and behind == "." and following.text not in WORDS
        return following.text == "(" or is_attribute or (following.text == "cidr" and behind == "(")

    def prefix(self, floor: int) -> tuple[Operator, Token] | None:
        cursor = self.cursor
        text = cursor.token.text
        if text == "-" and cursor.peek().kind is not Kind.NUMBER:
            return _MINUS, cursor.advance()
        if text in ("!", "not") and cursor.token.kind is not Kind.STRING:
            if floor > NEGATION:
                cursor.fail("a value", hint=f"put parentheses around '{text}' and what it negates")
            return _NOT, cursor.advance()
        return None

    def join(self, operator: Operator, token: Token, parts: list[Guard]) -> Guard:
        first = parts[0]
        if operator.fixity is Fixity.PREFIX:
            span = token.span | first.span
            return Not(first, span=span) if operator is _NOT else Negative(first, span=span)
        if operator.symbol in LOGIC:
            return joined(operator.symbol, parts)
        for part in parts[1:]:
            first = self._binary(operator.symbol, first, part)
        return first

    def _binary(self, symbol: str, left: Guard, right: Guard) -> Guard:
        span = _cover(left, right)
        if symbol == "/" and self.cursor.syntax.divides_whole and not is_ratio(left, right):
            return Call("quotient", (left, right), span=span)
        return Binary(symbol, left, right, span=span)

    def suffix(self, operator: Operator, token: Token, operand: Guard) -> Guard:
        if operator.symbol != "in":
            pattern = self.cursor.advance()
            written = Literal(pattern.value, span=pattern.span)
            return Call(operator.symbol, (operand, written), span=self.cursor.span_from(token.start) | operand.span)
        function = "cidr" if self.cursor.token.text == "cidr" else "in"
        if function == "cidr":
            self.cursor.advance()
        members = parse_arguments(self.cursor) if self.cursor.token.text == "(" else (self._variable(),)
        if not members:
            self.cursor.refuse(Fault("'in' needs at least one value", self.cursor.span_from(token.start), "a value"))
        span = self.cursor.span_from(token.start) | operand.span
        return Call(function, (operand, *members), span=span)

    def operand(self) -> Guard:
        cursor = self.cursor
        token = cursor.token
        if token.kind is Kind.NAME:
            if cursor.peek().text == "(" and token.text not in WORDS:
                return self._applied(self._function(), parse_arguments(cursor))
            return self._word() if token.text in WORDS else self._variable()
        if token.kind is Kind.NUMBER or token.text == "-":
            return self._number()
        if token.kind is Kind.STRING:
            cursor.advance()
            return Literal(token.value, span=token.span)
        if token.text == "(":
            return self.group(token, ")")
        if token.text == "[":
            return self._time()
        if (access := _ACCESS.get(token.text)) is not None:
            cursor.advance()
            return access(parse_variable(cursor).text, span=cursor.span_from(token.start))
        return cursor.fail("a value")

    def _variable(self) -> Guard:
        """An event, or an attribute of one."""
        cursor = self.cursor
        token = cursor.advance()
        if cursor.token.text != ".":
            return Reference(token.text, span=token.span)
        cursor.advance()
        if not cursor.at_kind(Kind.NAME, "an attribute") and cursor.token.kind is not Kind.STRING:
            cursor.fail()
        return Attribute(token.text, self._path(), span=cursor.span_from(token.start))

    def _path(self) -> str:
        """The name of an attribute, and of what is inside it: `user.name`, `tags[0]`."""
        cursor = self.cursor
        path = _part(cursor.advance())
        while True:
            if cursor.token.text == "." and cursor.peek().kind in (Kind.NAME, Kind.STRING):
                cursor.advance()
                path = f"{path}.{_part(cursor.advance())}"
            elif cursor.token.text == "[" and cursor.token.start == cursor.last_stop and self._is_index():
                cursor.advance()
                path = f"{path}[{cursor.advance().text}]"
                cursor.expect("]")
            else:
                return path

    def _is_index(self) -> bool:
        number = self.cursor.peek()
        return number.kind is Kind.NUMBER and number.text.isdigit() and len(number.text) < 10

    def _word(self) -> Guard:
        """A word of the guard language that is a value."""
        token = self.cursor.token
        if token.text not in ("now", "self", *_CONSTANTS):
            self.cursor.fail("a value")
        self.cursor.advance()
        match token.text:
            case "now":
                return Now(span=token.span)
            case "self":
                return Self(span=token.span)
        return Literal(_CONSTANTS[token.text], span=token.span)

    def _function(self) -> Token:
        """The name of a function that exists."""
        name = self.cursor.advance()
        if name.text not in _CALLABLE:
            hint = nearest(name.text, _CALLABLE) or f"the functions are {choices(_CALLABLE, 'and')}"
            self.cursor.refuse(Fault(f"unknown function {name.shown()}", name.span, hint=hint))
        return name

    def _applied(self, name: Token, arguments: tuple[Guard, ...]) -> Guard:
        """A call, with as many arguments as the function takes."""
        span = self.cursor.span_from(name.start)
        own = FUNCTIONS.get(name.text)
        count, most = (2, 2) if own is None else (own.least, own.most)
        if not count <= len(arguments) <= most:
            takes = f"{name.text} takes {'two arguments' if count == 2 else 'one argument'}, not {len(arguments)}"
            self.cursor.refuse(Fault(takes, span))
        if name.text == RATIO:
            return Binary("/", *arguments, span=span)
        if name.text in FOLDED:
            one, other = (_lower(each) for each in arguments)
            function = FOLDED[name.text]
            return Binary("==", one, other, span=span) if function == "==" else Call(function, (one, other), span=span)
        return Call(name.text, arguments, span=span)

    def _number(self) -> Guard:
        """A number, perhaps negative; with a unit of time behind it, a duration."""
        cursor = self.cursor
        sign = cursor.advance() if cursor.token.text == "-" else None
        number = cursor.advance()
        unit = cursor.token
        if unit.kind is Kind.NAME and unit.text.lower() in UNITS:
            cursor.advance()
            text = number.text + " " * (unit.start - number.stop) + unit.text
            stretch = Stretch(cursor, text, number.start)
            duration = Duration(stretch.read(parse_period), span=stretch.span)
            return duration if sign is None else Negative(duration, span=sign.span | duration.span)
        value: int | float = int(number.text) if number.text.isdigit() else float(number.text)
        if isinstance(value, float) and math.isinf(value):
            cursor.refuse(Fault("the number is out of range", number.span))
        if sign is None:
            return Literal(value, span=number.span)
        return Literal(-value, span=sign.span | number.span)

    def _time(self) -> Guard:
        opener = self.cursor.token
        stretch = bracketed(self.cursor)
        span = self.cursor.span_from(opener.start)
        if is_period(stretch.text):
            return Duration(stretch.read(parse_period), span=span)
        return Point(stretch.read(parse_time_point), span=span)


def _lower(guard: Guard) -> Guard:
    """A text in small letters; one that is written out becomes so at once."""
    if isinstance(guard, Literal) and isinstance(guard.value, str):
        return Literal(guard.value.lower(), span=guard.span)
    return Call("lower", (guard,), span=guard.span)


def _part(token: Token) -> str:
    """A part of an attribute's name, which may stand in quotes."""
    return token.value if token.kind is Kind.STRING else token.text


def _cover(left: Guard, right: Guard) -> Span | None:
    return right.span if left.span is None else left.span | right.span
