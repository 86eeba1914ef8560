"""Reading: a cursor over tokens that knows what it was looking for, and expressions with operators.

`Cursor` says in one sentence what stands there and everything that could have stood there instead.
`Expressions` reads operands and operators with a stack of its own (shunting-yard), so that a level of
parentheses costs three Python frames whatever operators surround it, and a chain of operators none at all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar, Final, Generic, NoReturn, TypeVar

from tocsin.errors import Fault, RuleError, Source, Span, choices, nearest
from tocsin.languages.depth import MAX_DEPTH, TOO_DEEP, Node, too_deep
from tocsin.languages.lexer import Kind, Lexer, Syntax, Token

__all__ = ["MAX_DEPTH", "Cursor", "Expressions", "Fixity", "Operator", "Pending"]


def as_type(word: str) -> str:
    """What to do about a word of the language that was meant as a type of events."""
    return f"'{word}' is a word of this language: an event type of that name stands in quotes, \"{word}\""


class Cursor:
    """A place in a text, one token ahead. Remembers what was looked for there, for the message if nothing fits."""

    def __init__(self, source: Source, syntax: Syntax) -> None:
        self.source, self.syntax = source, syntax
        self.lexer = Lexer(source.text, syntax, source)
        self.token = self.lexer.next()
        self.last_stop = self.token.start
        self.depth = 0
        self._ahead: Token | None = None
        self._expected: list[str] = []

    # -- looking and stepping --------------------------------------------------------------------------------

    def peek(self) -> Token:
        """The token after the present one."""
        if self._ahead is None:
            self._ahead = self.lexer.next()
        return self._ahead

    def advance(self) -> Token:
        """Steps over the present token and returns it."""
        token = self.token
        self.last_stop = token.stop
        if self._ahead is None:
            self.token = self.lexer.next()
        else:
            self.token, self._ahead = self._ahead, None
        if self._expected:
            self._expected.clear()
        return token

    def at(self, word: str) -> bool:
        """Whether the operator or keyword `word` stands here; remembered as something that could."""
        token = self.token
        if token.text == word and (token.kind is Kind.OPERATOR or token.kind is Kind.NAME):
            return True
        self.wants(f"'{word}'")
        return False

    def at_kind(self, kind: Kind, label: str) -> bool:
        """Whether a token of that kind stands here; `label` is what people call it."""
        if self.token.kind is kind:
            return True
        self.wants(label)
        return False

    def accept(self, word: str) -> Token | None:
        """Steps over `word` if it stands here."""
        return self.advance() if self.at(word) else None

    def expect(self, word: str) -> Token:
        """Steps over `word`, which must stand here."""
        if not self.at(word):
            self.fail()
        return self.advance()

    def expect_after(self, keyword: Token, word: str) -> Token:
        """Steps over `word`, without which `keyword` means nothing."""
        if not self.at(word):
            self.fail(hint=as_type(keyword.text))
        return self.advance()

    def expect_kind(self, kind: Kind, label: str) -> Token:
        """Steps over a token of that kind, which must stand here."""
        if not self.at_kind(kind, label):
            self.fail()
        return self.advance()

    def expect_end(self) -> None:
        """The text must end here."""
        if not self.at_kind(Kind.END, f"the {Kind.END.value}"):
            self.fail()

    def close(self, opener: Token, closer: str) -> Token:
        """Steps over the bracket that closes `opener`; if the text ends before it, the message says which."""
        if not self.at(closer):
            hint = ""
            if self.token.kind in (Kind.END, Kind.NEWLINE):
                place = self.source.at(opener.span)
                hint = f"the '{opener.text}' of line {place.line}, column {place.column} is not closed"
            self.fail(hint=hint)
        return self.advance()

    def span_from(self, start: int) -> Span:
        """From `start` to the end of the last token stepped over."""
        return Span(start, max(start, self.last_stop), self.source)

    # -- depth -------------------------------------------------------------------------------------------------

    def enter(self, token: Token) -> None:
        """Goes one level down, at `token`."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.refuse(Fault(TOO_DEEP, token.span))

    def leave(self) -> None:
        """Comes one level up."""
        self.depth -= 1

    def refuse_deep(self, root: Node) -> None:
        """Refuses what was read if its parts nest too deeply, brackets or not."""
        if (fault := too_deep(root)) is not None:
            self.refuse(fault)

    # -- refusing ----------------------------------------------------------------------------------------------

    def wants(self, *labels: str) -> None:
        """Remembers what could stand here."""
        self._expected.extend(labels)

    def fail(self, *labels: str, hint: str = "") -> NoReturn:
        """Refuses the present token; `labels` are added to what was looked for. A misspelt word gets a hint."""
        self.wants(*labels)
        token = self.token
        if token.kind is Kind.ERROR:
            self.refuse(token.fault())
        if not hint and token.kind is Kind.NAME:
            words = [label[1:-1] for label in self._expected if label[0] == "'" and label[1:-1].isidentifier()]
            hint = nearest(token.text, words)
        if not hint and token.kind is Kind.NAME and any(label.startswith("an event") for label in self._expected):
            hint = as_type(token.text)
        expected = choices(list(dict.fromkeys(self._expected)))
        self.refuse(Fault(f"unexpected {token.shown()}", token.span, expected, hint))

    def refuse(self, fault: Fault) -> NoReturn:
        """Raises `fault`, placed in the text."""
        raise RuleError(self.source.place(fault))

    # -- going on after a fault --------------------------------------------------------------------------------

    def recover(self, first: Token, resumes: Callable[[Token], bool]) -> None:
        """Skips, from `first` on, to the end of the line or to a line's first token where `resumes` says to go on."""
        self.depth = 0
        if self.token is first:
            self.advance()
        while self.token.kind is not Kind.NEWLINE and self.token.kind is not Kind.END:
            if self.token.fresh and resumes(self.token):
                self.lexer.depth = 0
                return
            self.advance()


class Fixity(Enum):
    """Where an operator stands. A POSTFIX one is followed by something other than an operand: `e + [5*sec]`."""

    PREFIX = "before its operand"
    INFIX = "between its operands"
    POSTFIX = "after its operand"


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator of an expression. The higher the level, the tighter it binds."""

    symbol: str
    level: int
    fixity: Fixity = Fixity.INFIX
    chains: bool = True
    """Whether it may follow itself and others of its level without parentheses."""
    flat: bool = False
    """Whether a chain is one node with many operands; if not, every link is a level of nesting."""


T = TypeVar("T", bound=Node)

_HIGHEST: Final = 1_000


@dataclass(slots=True)
class Pending(Generic[T]):
    """An operator that waits for its last operand, with those it has, and the number of links below it."""

    operator: Operator
    token: Token
    parts: list[T]
    links: int = 1


class Expressions(ABC, Generic[T]):
    """Expressions over operands of one kind: `operators` says how they bind, the methods what they mean."""

    operators: ClassVar[Mapping[str, Operator]]
    labels: ClassVar[tuple[tuple[int, str], ...]]
    """What messages call the operators that may follow an operand, with their levels."""
    binding_hint: ClassVar[str] = ""
    """Said when an operator follows a postfix one that binds more loosely."""
    chain_hint: ClassVar[str] = ""
    """Said when an operator that does not chain follows one of its level."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor

    @abstractmethod
    def operand(self) -> T:
        """Reads one operand: a leaf, or anything in brackets."""

    @abstractmethod
    def join(self, operator: Operator, token: Token, parts: list[T]) -> T:
        """What a prefix operator makes of one part, or an infix one of two (many, if it is flat)."""

    def suffix(self, operator: Operator, token: Token, operand: T) -> T:
        """What a postfix operator makes of its operand; reads the rest of it."""
        raise NotImplementedError

    def prefix(self, floor: int) -> tuple[Operator, Token] | None:
        """Steps over a prefix operator, if there is one that may stand right of operators of level `floor`."""
        return None

    def infix(self) -> Operator | None:
        """The infix or postfix operator that stands here."""
        token = self.cursor.token
        if token.kind is Kind.OPERATOR or token.kind is Kind.NAME:
            return self.operators.get(token.text)
        return None

    def expression(self) -> T:
        """Reads operands and operators as long as they go on."""
        pending: list[Pending[T]] = []
        self._prefixes(pending)
        current = self.operand()
        ceiling, suffixes = _HIGHEST, 0
        while (operator := self.infix()) is not None:
            if operator.level > ceiling:
                self._want_operators(pending, ceiling)
                self.cursor.fail(hint=self.binding_hint)
            current = self._reduce(pending, current, operator.level)
            if not operator.chains and operator.level in (ceiling, pending[-1].operator.level if pending else 0):
                self._want_operators(pending, ceiling)
                self.cursor.fail(hint=self.chain_hint)
            if operator.fixity is Fixity.POSTFIX:
                ceiling, suffixes = operator.level, suffixes + 1
                self._limit(suffixes)
                current = self.suffix(operator, self.cursor.advance(), current)
            else:
                self._push(pending, operator, current)
                ceiling, suffixes = _HIGHEST, 0
                self._prefixes(pending)
                current = self.operand()
        self._want_operators(pending, ceiling)
        return self._reduce(pending, current, 0)

    def group(self, opener: Token, closer: str) -> T:
        """The expression in brackets whose opener stands here; its span includes them."""
        cursor = self.cursor
        cursor.enter(opener)
        cursor.advance()
        inner = self.expression()
        cursor.close(opener, closer)
        cursor.leave()
        return replace(inner, span=cursor.span_from(opener.start))

    def _prefixes(self, pending: list[Pending[T]]) -> None:
        """Lets the prefix operators that stand here wait for their operand."""
        while (found := self.prefix(pending[-1].operator.level if pending else 0)) is not None:
            pending.append(Pending(*found, []))
            self._limit(len(pending))

    def _push(self, pending: list[Pending[T]], operator: Operator, current: T) -> None:
        """Lets the infix operator that stands here wait for its right operand."""
        top = pending[-1] if pending else None
        if top is None or top.operator.level != operator.level:
            pending.append(Pending(operator, self.cursor.advance(), [current]))
            return
        top.links += 1
        if not operator.flat:
            self._limit(top.links)
        if top.operator.symbol != operator.symbol:
            top.parts, current = [], self.join(top.operator, top.token, [*top.parts, current])
        top.parts.append(current)
        top.operator, top.token = operator, self.cursor.advance()

    def _reduce(self, pending: list[Pending[T]], current: T, level: int) -> T:
        """Gives every waiting operator that binds tighter than `level` its last operand."""
        while pending and pending[-1].operator.level > level:
            top = pending.pop()
            current = self.join(top.operator, top.token, [*top.parts, current])
        return current

    def _limit(self, links: int) -> None:
        if links > MAX_DEPTH:
            self.cursor.refuse(Fault(TOO_DEEP, self.cursor.token.span))

    def _want_operators(self, pending: list[Pending[T]], ceiling: int) -> None:
        """Remembers which operators could go on here, for the message if something else stands here."""
        taken = {waiting.operator.level for waiting in pending if not waiting.operator.chains}
        self.cursor.wants(*(label for level, label in self.labels if level <= ceiling and level not in taken))
