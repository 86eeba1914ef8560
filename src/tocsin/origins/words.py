"""The words of other engines' texts: SQL, EPL and Siddhi are cut alike, and their keywords are written in any case."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final, NamedTuple

from tocsin.errors import Fault, RuleError, Source, Span
from tocsin.languages.lexer import Kind, Syntax, Token
from tocsin.languages.parser import Cursor

MOST_NESTED: Final = 50
"""Brackets inside brackets. Nobody writes more, and whatever reads them stays within Python's stack."""

MOST_TIMES: Final = 100
"""How often something may be asked for in a row."""

_WORD: Final = re.compile(
    r"(?P<gap>\s++|--[^\n]*+|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)"
    r"|(?P<open>/\*)"
    r"|(?P<name>[^\W\d]\w*+)"
    r"|(?P<quoted>`[^`\n]++`)"
    r"|(?P<number>[0-9]++(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+[lLdDfF]?+(?!\w))"
    r"|(?P<string>'(?:[^'\n]|'')*+'|\"(?:[^\"\n]|\"\")*+\")"
    r"|(?P<operator>->|=>|==|<=|>=|<>|!=|\|\||&&|[-+*/%=<>!(),.;:?{}\[\]@#|^$])"
)
_OPENING: Final = frozenset("([{")
_CLOSING: Final = frozenset(")]}")
_SIGNS: Final = Syntax((), quiet="")


@dataclass
class Lexer:
    """The tokens of a text. A name in backticks is a NAME whose `value` says so: it is never a keyword."""

    text: str
    source: Source
    position: int = 0
    depth: int = 0

    def next(self) -> Token:
        """The next token; after the last one END, again and again."""
        while (found := _WORD.match(self.text, self.position)) is not None and found.lastgroup == "gap":
            self.position = found.end()
        start = self.position
        if found is None:
            if start >= len(self.text):
                return Token(Kind.END, "", start, start, source=self.source)
            self.position = start + 1
            reason = "the string is not closed on its line" if self.text[start] in "'\"`" else ""
            return Token(Kind.ERROR, self.text[start], start, start + 1, reason, source=self.source)
        self.position = found.end()
        return self._token(str(found.lastgroup), found[0], start)

    def _token(self, group: str, text: str, start: int) -> Token:
        stop = start + len(text)
        if group == "quoted":
            return Token(Kind.NAME, text[1:-1], start, stop, "quoted", source=self.source)
        if group == "open":
            return Token(Kind.ERROR, text, start, stop, "the comment is never closed", source=self.source)
        value = text[1:-1].replace(text[0] * 2, text[0]) if group == "string" else ""
        return Token(Kind[group.upper()], text, start, stop, value, source=self.source)


class Counts(NamedTuple):
    """How often: at least, and at most."""

    least: int
    most: int | None
    span: Span


class Words(Cursor):
    """A place in a text of another engine. Keywords match in any case, names in backticks match none."""

    def __init__(self, source: Source) -> None:
        super().__init__(Source("", source.file), _SIGNS)
        self.source = source
        self.lexer = Lexer(source.text, source)  # type: ignore[assignment] # it cuts other words, and is asked alike
        self.token = self.lexer.next()
        self.last_stop = self.token.start
        self.variables: set[str] = set()
        """What the text has declared as a variable of its own, as EPL can."""

    def at(self, word: str) -> bool:
        """Whether a sign or a keyword stands here; remembered as something that could."""
        token = self.token
        is_word = token.kind is Kind.OPERATOR or (token.kind is Kind.NAME and not token.value)
        if is_word and token.text.lower() == word.lower():
            return True
        self.wants(f"'{word}'")
        return False

    def follows(self, word: str) -> bool:
        """Whether a sign or a keyword stands behind the present word."""
        ahead = self.peek()
        return ahead.kind in (Kind.OPERATOR, Kind.NAME) and not ahead.value and ahead.text.lower() == word.lower()

    def at_words(self, *words: str) -> bool:
        """Whether two keywords stand here, one behind the other."""
        return self.at(words[0]) and self.follows(words[1])

    def _ahead_of_bracket(self) -> Iterator[Token]:
        """The tokens from the bracket that opens here up to the one behind its end."""
        ahead, depth = Lexer(self.source.text, self.source, self.token.start), 0
        while True:
            token = ahead.next()
            yield token
            depth += (token.text in _OPENING) - (token.text in _CLOSING) if token.kind is Kind.OPERATOR else 0
            if depth <= 0 or token.kind in (Kind.END, Kind.ERROR):
                yield ahead.next()
                return

    def inside_bracket(self) -> list[Token]:
        """The tokens inside the bracket that opens here."""
        return list(self._ahead_of_bracket())[1:-2]

    def behind_bracket(self) -> Token:
        """The token behind the bracket that opens here."""
        return list(self._ahead_of_bracket())[-1]

    def name(self, what: str) -> Token:
        """Steps over a name."""
        return self.expect_kind(Kind.NAME, what)

    def whole_number(self, what: str) -> int:
        """Steps over a whole number."""
        token = self.expect_kind(Kind.NUMBER, what)
        if not token.text.isdecimal() or len(token.text) > 9:
            self.refuse(Fault(f"'{token.text}' is no whole number here", token.span, what))
        return int(token.text)

    def counts(self, opener: str, separator: str, closer: str) -> Counts | None:
        """How often, in brackets: `{3}`, `{2,}`, `{2,4}`, if the bracket stands here."""
        bracket = self.accept(opener)
        if bracket is None:
            return None
        what = "how often"
        least = self.whole_number(what) if self.token.kind is Kind.NUMBER else 0
        most: int | None = least
        if self.accept(separator):
            most = self.whole_number(what) if self.token.kind is Kind.NUMBER else None
        self.close(bracket, closer)
        span = self.span_from(bracket.start)
        if most is not None and (most < least or most == 0):
            self.refuse(Fault("the second number must be at least the first, and more than 0", span))
        if max(least, most or 0) > MOST_TIMES:
            raise refusal(f"more than {MOST_TIMES} times", span, "end the loop with what ends it")
        return Counts(least, most, span)

    def nested(self, token: Token) -> None:
        """Goes one bracket down."""
        self.depth += 1
        if self.depth > MOST_NESTED:
            self.refuse(Fault(f"nested more than {MOST_NESTED} brackets deep", token.span))

    def statement(self) -> Iterator[Token]:
        """The tokens from here to the next semicolon."""
        return takewhile(lambda token: token.text != ";", self.since(self.token, len(self.source.text)))

    def since(self, first: Token, stop: int | None = None) -> Iterator[Token]:
        """The tokens from the first on, up to where this stands."""
        ahead = Lexer(self.source.text, self.source, first.start)
        stop = self.token.start if stop is None else stop
        while (token := ahead.next()).kind is not Kind.END and token.start < stop:
            yield token

    def restart(self, token: Token) -> None:
        """Goes back to a token."""
        self.lexer = Lexer(self.source.text, self.source, token.start)  # type: ignore[assignment]
        self._ahead = None
        self._expected.clear()
        self.token = self.lexer.next()

    def skip_statement(self) -> None:
        """Steps to behind the next semicolon outside of brackets and blocks, or to the end of the text."""
        depth, behind, in_block = 0, "", False
        while self.token.kind is not Kind.END:
            if behind == ")" and self.at("begin"):  # Siddhi: partition with (k of A) begin ...; ...; end
                in_block = True
            elif in_block and self.at("end") and (self.follows(";") or self.peek().kind is Kind.END):
                in_block = False
            token = self.advance()
            if token.kind is Kind.OPERATOR:
                depth += (token.text in _OPENING) - (token.text in _CLOSING)
                if token.text == ";" and depth <= 0 and not in_block:
                    break
            behind = token.text
        self.depth = 0


def refusal(what: str, where: Span | Token | None, nearest: str = "") -> RuleError:
    """The error that says, at its place, what of the other engine cannot be said here, and what comes nearest."""
    return mistake(f"{what} cannot be said here", where, nearest)


def mistake(message: str, where: Span | Token | None, hint: str = "") -> RuleError:
    """The error that says what is wrong with the text itself."""
    span = where.span if isinstance(where, Token) else where
    fault = Fault(message, span, hint=hint)
    if span is not None and span.source is not None:
        fault = replace(fault, place=span.source.at(span))
    return RuleError(fault)
