"""Describable sets of events in the core language (001 section 5.2, appendix A.2).

union        = intersection {"," intersection}
intersection = element {"&" element}
element      = {"!"} ("*" | "{" union "}" | set name | [variable ":"] type ["(" filter ")"])
type         = name | string
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NoReturn

from tocsin.algebra.guards import Guard
from tocsin.algebra.patterns import Complement, Described, EventSet, Everything, Intersection, Union
from tocsin.errors import Fault, Source
from tocsin.languages.core_depth import too_deep
from tocsin.languages.core_filters import CAPITALS, NO_VARIABLES, as_read
from tocsin.languages.depth import MAX_DEPTH, TOO_DEEP
from tocsin.languages.guards import GUARD_OPERATORS, parse_guard
from tocsin.languages.lexer import Kind, Syntax, Token
from tocsin.languages.parser import Cursor

SUBSETS: Final = ("in", "⊆", "⊂")
RESERVED: Final = frozenset(("in",))
"""Words that are no event type unless they stand in quotes."""

MOST_COPIED: Final = 100_000
"""Characters that sets may bring in by their names: sets of sets of sets double fast."""

_COMPLEMENTS: Final = ("!", "¬")
_CONTINUED: Final = frozenset((";", "|", "||", "&", "=", ","))
_SYNTAX: Final = Syntax((*GUARD_OPERATORS, ";", "&", "|", "{", "}", "¬", "⊆", "⊂"), newlines=True, joining=_CONTINUED)


class CoreCursor(Cursor):
    """A cursor that, inside a filter, also takes the words of the guard language in capitals."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, _SYNTAX)
        self.in_filter = False

    def advance(self) -> Token:
        token = super().advance()
        here = self.token
        if self.in_filter and here.kind is Kind.NAME and here.text in CAPITALS and token.text != ".":
            here.text = here.text.lower()
        return token


class SetReader:
    """Reads sets. Knows the sets that are defined so far, and the names that stood for event types."""

    def __init__(self, cursor: CoreCursor) -> None:
        self.cursor = cursor
        self.defined: dict[str, EventSet] = {}
        self.used: dict[str, Token] = {}
        self._sizes: dict[str, int] = {}
        self._copied = 0

    def accepted(self) -> EventSet:
        """`A, o:B, ...`: what an atom accepts. Only its events may have names."""
        return self._union(may_name=True)

    def looked_at(self) -> EventSet:
        """The domain on the right of `in`."""
        events = self._intersection(may_name=False)
        if self.cursor.token.text == ",":
            self.cursor.fail("'&'", "']'", hint="several sets to look at stand in braces: [A in {A, B}]")
        return events

    def define(self, name: str) -> None:
        """Reads the set on the right of `name =`."""
        start, copied = self.cursor.token.start, self._copied
        self.defined[name] = self._intersection(may_name=False)
        self._sizes[name] = self.cursor.last_stop - start + self._copied - copied

    def _union(self, may_name: bool) -> EventSet:
        first = self.cursor.token
        sets = [self._intersection(may_name)]
        while self.cursor.accept(","):
            sets.append(self._intersection(may_name))
        return sets[0] if len(sets) == 1 else Union(tuple(sets), span=self.cursor.span_from(first.start))

    def _intersection(self, may_name: bool) -> EventSet:
        first = self.cursor.token
        sets = [self._element(may_name)]
        while self.cursor.accept("&"):
            sets.append(self._element(may_name))
        if len(sets) == 1:
            return sets[0]
        if isinstance(sets[0], Intersection):
            sets[:1] = sets[0].sets  # it associates to the left, as everything does
        return Intersection(tuple(sets), span=self.cursor.span_from(first.start))

    def _element(self, may_name: bool) -> EventSet:
        cursor = self.cursor
        signs: list[Token] = []
        while cursor.token.text in _COMPLEMENTS:
            signs.append(cursor.advance())
            if len(signs) > MAX_DEPTH:
                cursor.refuse(Fault(TOO_DEEP, signs[-1].span))
        token = cursor.token
        if token.text == "*":
            events: EventSet = Everything(span=cursor.advance().span)
        elif token.text == "{":
            events = self._braces(token, may_name and not signs)
        elif token.kind is Kind.NAME and cursor.peek().text == ":":
            events = self._named(may_name and not signs)
        else:
            events = self._type(None)
        for sign in reversed(signs):
            events = Complement(events, span=cursor.span_from(sign.start))
        return events

    def _braces(self, opener: Token, may_name: bool) -> EventSet:
        cursor = self.cursor
        cursor.enter(opener)
        cursor.advance()
        if cursor.token.text == "}":
            cursor.refuse(Fault("a set has at least one member", opener.span | cursor.token.span))
        events = self._union(may_name)
        cursor.close(opener, "}")
        cursor.leave()
        return replace(events, span=cursor.span_from(opener.start))

    def _named(self, may_name: bool) -> EventSet:
        """`o:Open`: an event that later filters can speak of."""
        cursor = self.cursor
        name = cursor.token
        if name.text in NO_VARIABLES:
            cursor.refuse(Fault(f"no event can be called '{name.text}'", name.span, hint="it is a word of filters"))
        if not may_name:
            cursor.refuse(Fault("only an event that an atom accepts can have a name", name.span))
        cursor.advance()
        cursor.advance()
        if cursor.token.kind is Kind.NAME and cursor.token.text in self.defined:
            self._refuse_set(cursor.token, "a name")
        return replace(self._type(name), span=cursor.span_from(name.start))

    def _type(self, name: Token | None) -> EventSet:
        """An event type with its filter, or a set by its name."""
        cursor = self.cursor
        token = cursor.token
        if token.kind is not Kind.STRING and (token.kind is not Kind.NAME or token.text in RESERVED):
            cursor.fail("an event type", *(("'{'", "'*'", "'!'") if name is None else ()))
        cursor.advance()
        kind = token.text if token.kind is Kind.NAME else token.value
        if not kind:
            cursor.refuse(Fault("an event type cannot be empty", token.span))
        if token.kind is Kind.NAME and kind in self.defined:
            if cursor.token.text == "(":
                self._refuse_set(token, "a filter")
            self._copied += self._sizes[kind]
            if self._copied > MOST_COPIED:
                cursor.refuse(Fault("the sets that stand for these names are too large together", token.span))
            return replace(self.defined[kind], span=token.span)
        self.used.setdefault(kind, token)
        guard = self._filter(cursor.token) if cursor.at("(") else None
        return Described(kind, guard, None if name is None else name.text, span=cursor.span_from(token.start))

    def _refuse_set(self, token: Token, what: str) -> NoReturn:
        self.cursor.refuse(Fault(f"'{token.text}' is a set, and {what} belongs to an event type", token.span))

    def _filter(self, opener: Token) -> Guard:
        """`(temp < 15)`; its parenthesis stands here."""
        cursor = self.cursor
        cursor.enter(opener)
        cursor.in_filter = True
        cursor.advance()
        guard = parse_guard(cursor)
        if (fault := too_deep(guard, MAX_DEPTH - cursor.depth)) is not None:
            cursor.refuse(fault)
        cursor.in_filter = False
        cursor.close(opener, ")")
        cursor.leave()
        return as_read(guard)
