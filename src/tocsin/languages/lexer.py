"""Words: how every language's text is cut into tokens. One pass, in time proportional to the text.

The languages differ only in their operators and in whether the end of a line means something (`Syntax`).
Names, numbers, strings, comments and GEM's backslash at the end of a line are the same everywhere. A stretch
that is no token at all becomes an ERROR token: no grammar accepts one, so the parser stops there and the
fault says what is wrong with the text itself.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import Final

from tocsin.errors import Fault, RuleError, Source, Span


class Kind(Enum):
    """What a token is."""

    NAME = "name"
    NUMBER = "number"
    STRING = "string"
    OPERATOR = "operator"
    NEWLINE = "end of the line"
    END = "end of the text"
    ERROR = "error"


@dataclass(slots=True)
class Token:
    """A word of a text and where it stands. `value` is what a string stands for; of an ERROR, the reason."""

    kind: Kind
    text: str
    start: int
    stop: int
    value: str = ""
    fresh: bool = False
    """The first token of its line."""
    source: Source | None = None
    """The text it is a word of, for spans to remember."""

    @property
    def span(self) -> Span:
        return Span(self.start, self.stop, self.source)

    def shown(self) -> str:
        """How messages call the token."""
        if self.kind in (Kind.NEWLINE, Kind.END):
            return str(self.kind.value)
        text = self.text if len(self.text) <= _SHOWN else f"{self.text[:_SHOWN]}..."
        return text if self.kind is Kind.STRING else f"'{text}'"

    def fault(self) -> Fault:
        """What is wrong with the stretch of text of an ERROR token."""
        if self.value:
            return Fault(self.value, self.span, hint=_HINTS.get(self.value, ""))
        return Fault(f"illegal character {character_name(self.text)}", self.span)


@dataclass(frozen=True)
class Syntax:
    """What a language's words look like, beyond what all have in common."""

    operators: tuple[str, ...]
    newlines: bool = False
    """Whether the end of a line is a token; it never is inside one of the `quiet` brackets."""
    quiet: str = "([{"
    joining: frozenset[str] = field(default_factory=frozenset)
    """Tokens after which the end of a line means nothing: the line goes on."""
    divides_whole: bool = False
    """Whether `/` between two whole numbers gives a whole one (GEM)."""


MAX_DIGITS: Final = 400
"""A longer number is a mistake, and turning it into a value takes time that grows with the square."""

PATTERN_WORDS: Final = ("matches", "like")
"""Behind these words a string is a pattern, in which backslashes have a meaning of their own and are left alone."""
_SHOWN: Final = 24
_CLOSERS: Final = {"(": ")", "[": "]", "{": "}"}

_UNCLOSED_STRING: Final = "the string is not closed on its line"
_UNCLOSED_COMMENT: Final = "the comment is never closed"
_STRAY_BACKSLASH: Final = "a backslash may stand only at the end of a line"
_LONE_SURROGATE: Final = "half of a surrogate pair is no character"
_UNKNOWN_ESCAPE: Final = "unknown escape in a string"
_HINTS: Final = {
    _UNCLOSED_STRING: "a quote inside a string is written with a backslash, and the end of a line as \\n",
    _UNCLOSED_COMMENT: "a comment is closed by */",
    _UNKNOWN_ESCAPE: "the escapes are \\\" \\' \\\\ \\n \\t and \\uXXXX",
}

_ILLEGAL: Final = re.compile("[\x00\ud800-\udfff]")
_ESCAPE: Final = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL
)
DIVISOR: Final = re.compile(
    r"//[ \t-]*+(?:\(|[0-9][0-9.]*+(?:[eE][+-]?[0-9]++)?+(?!\w)"
    r"|[^\W\d]\w*+(?:\(|\.[\w\"']|[ \t]*+(?:[)=<>]|!=|&&|\|\|)))"
)
"""`//` and what can be a number behind it: `2`, `x.attr`, a call, parentheses, or a name that is compared."""
_SIMPLE_ESCAPES: Final = {'"': '"', "'": "'", "\\": "\\", "n": "\n", "t": "\t"}


class Lexer:
    """The tokens of a text, one at a time."""

    def __init__(self, text: str, syntax: Syntax, source: Source | None = None) -> None:
        self._text, self._syntax, self._source = text, syntax, source
        self._match = _words(syntax.operators).match
        self._position = 1 if text.startswith("\ufeff") else 0  # the mark some editors put before a file
        self._last: Token | None = None
        self._before_last = ""
        self._opening = frozenset(syntax.quiet)
        self._closing = frozenset(_CLOSERS[opener] for opener in syntax.quiet)
        self.depth = 0
        """How many `quiet` brackets are open."""

    def next(self) -> Token:
        """The next token; after the last one END, again and again."""
        token = self._next()
        token.source = self._source
        self._before_last = self._last.text if self._last is not None else ""
        self._last = token
        if token.kind is Kind.OPERATOR:
            if token.text in self._opening:
                self.depth += 1
            elif token.text in self._closing:
                self.depth = max(0, self.depth - 1)
        return token

    def _next(self) -> Token:
        text = self._text
        fresh = self._last is None or self._last.kind is Kind.NEWLINE
        while True:
            start = self._position
            found = self._match(text, start)
            if found is None:
                return self._odd(start, fresh)
            self._position = stop = found.end()
            group = found.lastgroup
            if group == "name":
                return Token(Kind.NAME, found.group(), start, stop, "", fresh)
            if group == "operator":
                return Token(Kind.OPERATOR, found.group(), start, stop, "", fresh)
            if group == "newline":
                fresh = True
                if self._ends_line():
                    return self._at_last(Kind.NEWLINE)
            elif group == "number":
                if stop - start > MAX_DIGITS:
                    return self._error(start, stop, f"a number of more than {MAX_DIGITS} digits")
                return Token(Kind.NUMBER, found.group(), start, stop, "", fresh)
            elif group == "string":
                return self._string(start, stop, fresh)
            elif (error := self._gap(start, stop)) is not None:
                return error

    def _ends_line(self) -> bool:
        """Whether the end of the line here is a token."""
        if not self._syntax.newlines or self.depth or self._last is None or self._last.kind is Kind.NEWLINE:
            return False
        return self._last.text not in self._syntax.joining

    def _at_last(self, kind: Kind) -> Token:
        """A token without text, right behind the last one: there the eye looks for what is missing."""
        at = self._last.stop if self._last is not None else 0
        return Token(kind, "", at, at)

    def _error(self, start: int, stop: int, reason: str = "") -> Token:
        return Token(Kind.ERROR, self._text[start:stop], start, stop, reason)

    def _gap(self, start: int, stop: int) -> Token | None:
        """Steps over blanks or a comment; an ERROR if it cannot, and an operator if it only looks like a comment."""
        if self._text.startswith("//", start) and self._divides(start):
            self._position = start + 2
            return Token(Kind.OPERATOR, "//", start, start + 2)
        if self._text.startswith("/*", start):
            stop = self._text.find("*/", start + 2) + 2
            if stop < 2:
                self._position = len(self._text)
                return self._error(start, start + 2, _UNCLOSED_COMMENT)
            self._position = stop
        bad = _ILLEGAL.search(self._text, start, stop)
        return None if bad is None else self._error(bad.start(), bad.end())

    def _divides(self, start: int) -> bool:
        """Whether `//` divides here: between what can be a number and, on the same line, what can be another.

        A comment after a guard begins with a word, as a rule. A plain name can be a number only in a core filter.
        """
        last = self._last
        if last is None or "//" not in self._syntax.operators or "\n" in self._text[last.stop : start]:
            return False
        is_attribute = last.kind in (Kind.NAME, Kind.STRING) and (self._before_last == "." or self.depth > 0)
        is_number = is_attribute or last.kind is Kind.NUMBER or last.text in (")", "]")
        return is_number and DIVISOR.match(self._text, start) is not None

    def _string(self, start: int, stop: int, fresh: bool) -> Token:
        raw = self._text[start:stop]
        if (bad := _ILLEGAL.search(raw)) is not None:
            return self._error(start + bad.start(), start + bad.end())
        if "\\" not in raw or (self._last is not None and self._last.text in PATTERN_WORDS):
            return Token(Kind.STRING, raw, start, stop, raw[1:-1], fresh)
        parts: list[str] = []
        position = 1
        for escape in _ESCAPE.finditer(raw, 1, len(raw) - 1):
            character = _escaped(escape)
            if len(character) != 1:
                return self._error(start + escape.start(), start + escape.end(), character)
            parts += (raw[position : escape.start()], character)
            position = escape.end()
        parts.append(raw[position:-1])
        return Token(Kind.STRING, raw, start, stop, "".join(parts), fresh)

    def _odd(self, start: int, fresh: bool) -> Token:
        """What the pattern does not match: the end, a name with letters beyond ASCII, or a mistake."""
        text = self._text
        if start >= len(text):
            return self._at_last(Kind.END)
        character = text[start]
        stop = start + 1
        if character.isidentifier():
            while stop < len(text) and ("a" + text[stop]).isidentifier():
                stop += 1
            self._position = stop
            return Token(Kind.NAME, text[start:stop], start, stop, fresh=fresh)
        if character in "\"'":
            end = text.find("\n", start)
            self._position = len(text) if end < 0 else end
            return self._error(start, self._position, _UNCLOSED_STRING)
        self._position = stop
        return self._error(start, stop, _STRAY_BACKSLASH if character == "\\" else "")


@cache
def _words(operators: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern for everything that is common. Possessive throughout, so that it never backtracks."""
    by_length = sorted(operators, key=len, reverse=True)
    return re.compile(
        r"(?P<gap>[ \t\r\f\v]++|//[^\n]*+|/\*|\\[ \t\r]*+(?:\n|\Z))"
        r"|(?P<newline>\n[ \t\r\n\f\v]*+)"
        # A name that goes on beyond ASCII is left to `_odd`, which asks Python what a letter is.
        r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*+(?![^\x00-\x7f]))"
        r"|(?P<number>[0-9]++(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+)"
        r'|(?P<string>"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"|' + r"'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+')"
        r"|(?P<operator>" + ("|".join(re.escape(operator) for operator in by_length) or "(?!)") + ")"
    )


def _escaped(escape: re.Match[str]) -> str:
    """The one character that an escape stands for, or the reason why it stands for none."""
    high, low, unit, simple = escape.groups()
    if high is not None:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    if unit is not None:
        code = int(unit, 16)
        return _LONE_SURROGATE if 0xD800 <= code <= 0xDFFF else chr(code)
    return _SIMPLE_ESCAPES.get(simple, _UNKNOWN_ESCAPE)


def character_name(character: str) -> str:
    """`U+00A0 (NO-BREAK SPACE)`: a character that may be invisible, made plain."""
    code = f"U+{ord(character):04X}"
    if character.isprintable() and character.isascii():
        return f"'{character}'"
    name = unicodedata.name(character, "")
    return f"{code} ({name})" if name else code


def quote(text: str) -> str:
    """`text` as a string literal that lexes to it."""
    parts: list[str] = []
    for character in text:
        if character in '"\\':
            parts.append("\\" + character)
        elif character == "\n":
            parts.append("\\n")
        elif character == "\t":
            parts.append("\\t")
        elif "\ud800" <= character <= "\udfff":
            raise RuleError(Fault(f"a string with {character_name(character)} cannot be written: {_LONE_SURROGATE}"))
        elif character.isprintable():
            parts.append(character)
        else:
            parts.append(_unit_escapes(character))
    return '"' + "".join(parts) + '"'


def quote_pattern(text: str) -> str | None:
    """`text` as a string behind one of PATTERN_WORDS; None if there is none that lexes to it."""
    for mark in "'\"":
        written = f"{mark}{text}{mark}"
        whole = _words(()).match(written)
        is_plain = all(character.isprintable() for character in text)
        if is_plain and whole is not None and whole.lastgroup == "string" and whole.end() == len(written):
            return written
    return None


def _unit_escapes(character: str) -> str:
    """`\\uXXXX`, or a pair of them for a character beyond the first 65,536."""
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
