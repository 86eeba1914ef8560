"""Core expressions (001 section 5.2, appendix B): from text to the algebra.

    text        = {definition} expression
    definition  = label "=" (intersection | expression) end of the line
    expression  = alternation {"||" alternation}
    alternation = sequence {"|" sequence}
    sequence    = concatenation {";" concatenation}
    concatenation = iteration {iteration}
    iteration   = part {"*" | "+" | "?" | "{" count ["," [count]] "}"}
    part        = "[" union ["in" intersection] "]" | "[" expression "in" intersection "]" | "(" expression ")" | timing
    timing      = "(" expression "," expression ")" "{" label "=" (span | instant) "}"
    label       = name | string

`core_sets.py` has the rest of it.

A set that is defined is put in the place of its name. An expression that is defined is a detector of its own, which
the others know by its name as an event type (SEMANTICS, CORE: not a macro). So is a `||` that stands inside another
expression (SEMANTICS section 7): it is defined under a name that the text does not have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import ClassVar, Final, NamedTuple

from tocsin.algebra.guards import NAMING
from tocsin.algebra.guards import walk as walk_guard
from tocsin.algebra.names import bound, members
from tocsin.algebra.patterns import (
    Alternation,
    Atom,
    Automaton,
    Concatenation,
    Described,
    Iteration,
    Parallel,
    Pattern,
    Timing,
    Widened,
    walk,
)
from tocsin.errors import Fault, Source, Span
from tocsin.languages.core_depth import too_deep
from tocsin.languages.core_sets import SUBSETS, CoreCursor, SetReader
from tocsin.languages.lexer import Kind, Token
from tocsin.languages.parser import Expressions, Operator
from tocsin.languages.statements import take_name
from tocsin.languages.times import positive_period, stretch_to
from tocsin.time.calendar import parse_instant
from tocsin.time.spans import Period

PARALLEL, ALTERNATION, SEQUENCE, CONCATENATION, ITERATION, PART = range(1, 7)
"""How tightly the operators bind, the loosest first."""

QUANTIFIERS: Final[Mapping[str, tuple[int, int | None]]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
MOST_TIMES: Final = 1_000
"""In braces: each of them is a state of the automaton."""
_INSTANT: Final = re.compile(r"\d{4}\s*[-/]", re.ASCII)
_PAIR: Final = "pair"
"""What a `||` inside an expression is called."""


class Definition(NamedTuple):
    """`D = expression`: a detector of its own, known by its name."""

    name: str
    pattern: Automaton
    span: Span | None

    @property
    def is_unnamed(self) -> bool:
        """Whether it is a `||` inside another expression: it stands where its name would."""
        return self.span == self.pattern.span


class CoreReader:
    """Reads a whole text: definitions, then the expression."""

    def __init__(self, source: Source) -> None:
        self._cursor = CoreCursor(source)
        self._sets = SetReader(self._cursor)
        self._definitions: dict[str, Definition] = {}

    def read(self) -> tuple[tuple[Definition, ...], Automaton]:
        """The definitions that are expressions, and the expression."""
        cursor = self._cursor
        while cursor.token.kind in (Kind.NAME, Kind.STRING) and cursor.peek().text == "=":
            self._definition()
        detector = self._detector(CoreExpressions(cursor, self._sets, line_ends=False, detach=self._detach))
        if cursor.token.kind is Kind.NAME and cursor.peek().text == "=":
            cursor.fail(f"the {Kind.END.value}", hint="definitions stand before the expression")
        cursor.expect_end()
        return tuple(self._definitions.values()), detector

    def _definition(self) -> None:
        cursor = self._cursor
        token = cursor.token
        name = take_name(cursor, "a name")
        if name in self._sets.defined or name in self._definitions:
            cursor.refuse(Fault(f"'{name}' is defined twice", token.span))
        cursor.advance()
        if cursor.token.text in ("[", "("):
            detector = self._detector(CoreExpressions(cursor, self._sets, line_ends=True, detach=self._detach))
            self._definitions[name] = Definition(name, detector, token.span)
        else:
            self._sets.define(name)
        if (used := self._sets.used.get(name)) is not None:
            where = "in its own definition" if used.start > token.start else "before it is defined"
            cursor.refuse(Fault(f"'{name}' is used {where}", used.span))
        if cursor.token.kind is Kind.NEWLINE:
            cursor.advance()
        elif cursor.token.kind is not Kind.END:
            cursor.fail("the end of the line", hint="one definition a line")

    def _detector(self, expressions: CoreExpressions) -> Automaton:
        pattern = expressions.expression()
        for fault in (too_deep(pattern), next(outside_names(pattern, self._definitions), None)):
            if fault is not None:
                self._cursor.refuse(fault)
        return Automaton(pattern, span=pattern.span)

    def _detach(self, pair: Parallel) -> Atom:
        """A `||` inside an expression, as a detector of its own, and what stands for it there."""
        if (fault := too_deep(pair)) is not None:
            self._cursor.refuse(fault)
        text = self._cursor.source.text
        names = (f"{_PAIR}{number}" for number in count(1))
        name = next(each for each in names if each not in text and each not in self._definitions)
        self._definitions[name] = Definition(name, Automaton(pair, span=pair.span), pair.span)
        return Atom(Described(name), span=pair.span)


def outside_names(pattern: Pattern, definitions: Mapping[str, Definition]) -> Iterator[Fault]:
    """What a `||` inside an expression names and cannot: events and time events of the expression around it."""
    pairs = _pairs(pattern, definitions)
    known = {name for each in (pattern, *pairs) for name in bound(each)}
    for pair in pairs:
        others = known - bound(pair).keys()
        for guard in [each.guard for each in _described(pair) if each.guard is not None]:
            for part in walk_guard(guard):
                if isinstance(part, NAMING) and part.variable in others:
                    yield _outside(f"'{part.variable}' is bound", part.span or guard.span)
    for timing in [part for part in walk(pattern) if isinstance(part, Timing)]:
        for pair in _pairs(timing.second, definitions):
            found = next((each for each in _described(pair) if each.type == timing.timer), None)
            if found is not None:
                yield _outside(f"the time event '{timing.timer}' is made", found.span or pair.span)


def _pairs(pattern: Pattern, definitions: Mapping[str, Definition]) -> list[Pattern]:
    """Every `||` inside an expression, and inside those."""
    found: dict[str, Pattern] = {}
    ahead = [pattern]
    while ahead:
        for each in _described(ahead.pop()):
            if each.type in definitions and each.type not in found and definitions[each.type].is_unnamed:
                found[each.type] = definitions[each.type].pattern
                ahead.append(found[each.type])
    return list(found.values())


def _outside(what: str, span: Span | None) -> Fault:
    hint = "let a guard of the rule compare them, or write the two orders as alternatives"
    return Fault(f"{what} outside of '||', which runs two detectors of its own and cannot see it", span, hint=hint)


def _described(pattern: Pattern) -> Iterator[Described]:
    for part in walk(pattern):
        if isinstance(part, Atom):
            yield from members(part.accepts)
            yield from () if part.domain is None else members(part.domain)
        elif isinstance(part, Widened):
            yield from members(part.domain)


class CoreExpressions(Expressions[Pattern]):
    """Reads core expressions. `line_ends`: the end of a line ends the expression, as it does a definition's."""

    operators: ClassVar[Mapping[str, Operator]] = {
        "||": Operator("||", PARALLEL),
        "|": Operator("|", ALTERNATION, flat=True),
        ";": Operator(";", SEQUENCE, flat=True),
    }
    labels: ClassVar[tuple[tuple[int, str], ...]] = (
        *((ITERATION, f"'{each}'") for each in ("*", "+", "?", "{")),
        (CONCATENATION, "an atom"),
        (SEQUENCE, "';'"),
        (ALTERNATION, "'|'"),
        (PARALLEL, "'||'"),
    )

    def __init__(
        self, cursor: CoreCursor, sets: SetReader, line_ends: bool, detach: Callable[[Parallel], Atom]
    ) -> None:
        super().__init__(cursor)
        self._sets, self._line_ends, self._detach = sets, line_ends, detach

    def operand(self) -> Pattern:
        """Parts side by side: C1 C2, each perhaps repeated."""
        cursor = self.cursor
        parts: list[Pattern] = []
        while not parts or cursor.token.text in ("[", "("):
            token = cursor.token
            if token.text == "[":
                part = self._bracketed(token)
            elif token.text == "(":
                part = self._parenthesised(token)
            else:
                hint = "an event type stands in brackets, as [A]" if token.kind in (Kind.NAME, Kind.STRING) else ""
                cursor.fail("an atom", "'('", hint=hint)
            parts.append(self._iterated(part))
            self._skip_line_ends()
        return parts[0] if len(parts) == 1 else self._chained(parts, strong=False)

    def join(self, operator: Operator, token: Token, parts: list[Pattern]) -> Pattern:
        if operator.symbol == "||":
            whole = parts[0]
            for part in parts[1:]:
                whole = Parallel(whole, part, span=_cover([whole, part]))
            return whole
        if operator.symbol == ";":
            return self._chained(parts, strong=True)
        parts = list(map(self._apart, parts))
        before = parts[0].parts if isinstance(parts[0], Alternation) else parts[:1]
        return Alternation((*before, *parts[1:]), span=_cover(parts))

    def _chained(self, parts: list[Pattern], strong: bool) -> Pattern:
        parts = list(map(self._apart, parts))
        first = parts[0]
        before = first.parts if isinstance(first, Concatenation) and first.strong == strong else (first,)
        return Concatenation((*before, *parts[1:]), strong, span=_cover(parts))

    def _iterated(self, part: Pattern) -> Pattern:
        """A part with how often it comes behind it."""
        cursor = self.cursor
        start = cursor.token.start if part.span is None else part.span.start
        quantifiers = 0
        while cursor.token.text in QUANTIFIERS or self._at_count():
            part = self._apart(part)
            quantifiers += 1
            self._limit(quantifiers)
            token = cursor.advance()
            least, most = QUANTIFIERS[token.text] if token.text in QUANTIFIERS else self._counts(token)
            part = Iteration(part, least, most, span=cursor.span_from(start))
        return part

    def _at_count(self) -> bool:
        return self.cursor.token.text == "{" and self.cursor.peek().kind is Kind.NUMBER

    def _counts(self, brace: Token) -> tuple[int, int | None]:
        """The rest of `{n}`, `{n,}` or `{n,m}`."""
        cursor = self.cursor
        least = self._count()
        most: int | None = least
        if cursor.accept(",") is not None:
            most = self._count() if cursor.at_kind(Kind.NUMBER, "a number of times") else None
        cursor.close(brace, "}")
        span = cursor.span_from(brace.start)
        if most == 0:
            cursor.refuse(Fault("this would come no times at all", span, "a number from 1 on"))
        if most is not None and most < least:
            cursor.refuse(Fault(f"what comes at least {least} times cannot come at most {most} times", span))
        return least, most

    def _count(self) -> int:
        token = self.cursor.expect_kind(Kind.NUMBER, "a number of times")
        if not token.text.isdigit() or int(token.text) > MOST_TIMES:
            self.cursor.refuse(Fault(f"a number of times is a whole number up to {MOST_TIMES}", token.span))
        return int(token.text)

    def _parenthesised(self, opener: Token) -> Pattern:
        """`(C)` or `(C1, C2){T = t}`."""
        cursor = self.cursor
        cursor.enter(opener)
        cursor.advance()
        first = self.expression()
        second = self.expression() if cursor.accept(",") else None
        cursor.close(opener, ")")
        cursor.leave()
        if second is not None:
            return self._timing(opener, first, second)
        if cursor.token.text == "{" and not self._at_count():
            cursor.fail(hint="a time is set between two expressions: (C1, C2){T = 5 min}")
        return replace(first, span=cursor.span_from(opener.start))

    def _timing(self, opener: Token, first: Pattern, second: Pattern) -> Pattern:
        cursor = self.cursor
        first, second = self._apart(first), self._apart(second)
        self._skip_line_ends()
        brace = cursor.expect("{")
        token = cursor.token
        timer = take_name(cursor, "a name for the time event")
        if timer in self._sets.defined:
            cursor.refuse(Fault(f"'{timer}' is a set, and here it would be a time event", token.span, "another name"))
        cursor.expect("=")
        when = self._when()
        cursor.close(brace, "}")
        return Timing(first, second, timer, when, span=cursor.span_from(opener.start))

    def _when(self) -> Period | int:
        """A span after the first expression, or an absolute time, which begins with the four digits of a year."""
        stretch = stretch_to(self.cursor, "}")
        return stretch.read(parse_instant) if _INSTANT.match(stretch.text) else positive_period(stretch)

    def _bracketed(self, opener: Token) -> Pattern:
        """`[A, B in S]`, or `[C in S]` with C an expression, which begins with a bracket of its own."""
        cursor = self.cursor
        cursor.advance()
        if cursor.token.text in ("[", "("):
            cursor.enter(opener)
            inner = self._apart(self.expression())
            if not self._at_subset():
                cursor.fail(hint="an expression in brackets says what it looks at: [C in S]")
            cursor.advance()
            domain = self._sets.looked_at()
            cursor.close(opener, "]")
            cursor.leave()
            return Widened(inner, domain, span=cursor.span_from(opener.start))
        accepts = self._sets.accepted()
        looks = None
        if self._at_subset():
            cursor.advance()
            looks = self._sets.looked_at()
        cursor.close(opener, "]")
        return Atom(accepts, looks, span=cursor.span_from(opener.start))

    def _at_subset(self) -> bool:
        return self.cursor.at("in") or self.cursor.token.text in SUBSETS

    def _skip_line_ends(self) -> None:
        while not self._line_ends and self.cursor.token.kind is Kind.NEWLINE:
            self.cursor.advance()

    def _apart(self, part: Pattern) -> Pattern:
        """The part of an expression; a `||` there is a detector of its own."""
        return self._detach(part) if isinstance(part, Parallel) else part


def _cover(parts: list[Pattern]) -> Span | None:
    first = parts[0].span
    return None if first is None else first | parts[-1].span
