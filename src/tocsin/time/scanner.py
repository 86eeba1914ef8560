"""A cursor over a short text about time, which knows how to say what is wrong and where.

Only ASCII digits are digits here: `int` would take any script's, and what people see must be what is read.
"""

from __future__ import annotations

from typing import Final, NoReturn

from tocsin.errors import Fault, RuleError, Span

_DIGITS: Final = "0123456789"
_BLANKS: Final = " \t\r\n"
_MOST_DIGITS: Final = 18
"""Longer numbers are out of range wherever they stand, and converting a very long one is slow."""
_SHOWN: Final = 24


class Scanner:
    """A text and a position in it; every refusal is a `RuleError` with a span of that text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.skip_blanks()

    def at_end(self) -> bool:
        return self.position >= len(self.text)

    def peek(self, ahead: int = 0) -> str:
        """The character at the position (or further on), or nothing at the end."""
        at = self.position + ahead
        return self.text[at] if at < len(self.text) else ""

    def at_digit(self) -> bool:
        return not self.at_end() and self.text[self.position] in _DIGITS

    def at_letter(self) -> bool:
        return not self.at_end() and self.text[self.position].isalpha()

    def skip_blanks(self) -> bool:
        """Steps over blanks; whether there were any."""
        start = self.position
        while not self.at_end() and self.text[self.position] in _BLANKS:
            self.position += 1
        return self.position > start

    def accept(self, character: str) -> bool:
        """Steps over `character` if it is next."""
        if self.peek() != character:
            return False
        self.position += 1
        return True

    def require(self, characters: str, expected: str) -> str:
        """The next character, which must be one of `characters`."""
        character = self.peek()
        if not character or character not in characters:
            self.fail_here(expected)
        self.position += 1
        return character

    def digits(self, expected: str) -> str:
        """The digits from here on, at least one."""
        start = self.position
        while self.at_digit():
            self.position += 1
        if self.position == start:
            self.fail_here(expected)
        return self.text[start : self.position]

    def number(self, name: str) -> int:
        """The whole number from here on; `name` says what it counts."""
        start = self.position
        written = self.digits(name)
        if len(written) > _MOST_DIGITS:
            self.fail(f"{name} {shown(written)} is out of range", start)
        return int(written)

    def fixed(self, count: int, name: str) -> int:
        """A number written with exactly `count` digits."""
        start = self.position
        expected = f"{count} digits for the {name}"
        written = self.digits(expected)
        if len(written) != count:
            self.fail(f"{name} {shown(written)} does not have {count} digits", start, expected)
        return int(written)

    def word(self) -> str:
        """The letters from here on, possibly none."""
        start = self.position
        while self.at_letter():
            self.position += 1
        return self.text[start : self.position]

    def finish(self, expected: str) -> None:
        """Nothing but blanks may follow."""
        self.skip_blanks()
        if not self.at_end():
            self.fail_here(expected)

    def fail_here(self, expected: str, hint: str = "") -> NoReturn:
        """Refuses the text at the position: the word, the number or the character that stands there."""
        if self.at_end():
            raise RuleError(Fault("the text ends too soon", Span(self.position, self.position), expected, hint))
        start, stop = self.position, self.position + 1
        while self.text[start].isalnum() and stop < len(self.text) and self.text[stop].isalnum():
            stop += 1
        raise RuleError(Fault(f"unexpected {shown(self.text[start:stop])}", Span(start, stop), expected, hint))

    def fail(self, message: str, start: int, expected: str = "", hint: str = "") -> NoReturn:
        """Refuses what stands from `start` up to the position."""
        raise RuleError(Fault(message, Span(start, self.position), expected, hint))


def shown(part: str) -> str:
    """A part of a text in quotes, cut short where it is long."""
    return f"'{part}'" if len(part) <= _SHOWN else f"'{part[:_SHOWN]}...'"
