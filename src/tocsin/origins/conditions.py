"""Conditions of SQL, EPL and Siddhi as guards.

A column that is null is an attribute that is missing. In SQL and EPL what is compared with null is unknown, and so is
its opposite: `NOT (v > 3)` holds of no row without v. Our `!` holds of what is not true. So NOT is carried inwards, to
comparisons, where both agree; only `IS NOT TRUE` is our `!`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, Final

from tocsin.algebra.guards import Attribute, Binary, Call, Duration, Guard, Literal, Negative, Not
from tocsin.languages.lexer import Kind, Token
from tocsin.origins.spans import UNIT_NAMES, interval
from tocsin.origins.words import Words, mistake, refusal

_OPPOSITE: Final = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", "<=": ">", ">": "<="}
_COMPARISONS: Final = {"=": "==", "==": "==", "<>": "!=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
TRUE, NOTHING = Literal(True), Literal(None)


def both(first: Guard | None, second: Guard | None) -> Guard | None:
    """What holds where both do; None always does."""
    if first is None or second is None:
        return second if first is None else first
    return Binary("&&", first, second, span=first.span)


def present(value: Guard) -> Guard:
    """Whether a value is there: it is equal to itself."""
    return Binary("==", value, value, span=value.span)


class Conditions(ABC):
    """Reads conditions. What a name stands for, and which functions there are, is a matter of each engine."""

    knows_unknown: ClassVar[bool] = True
    """Whether the opposite of what is unknown is unknown, too, as in SQL; in Siddhi it is true, and so is `!=`."""

    def __init__(self, words: Words) -> None:
        self.words = words

    @abstractmethod
    def named(self, first: Token) -> Guard:
        """What a name stands for; it has been stepped over, and dots, brackets or arguments may follow."""

    def condition(self) -> Guard:
        """What holds, or does not."""
        return self._or(opposite=False)

    def value(self) -> Guard:
        """A value."""
        words = self.words
        made = self._product()
        while words.at("+") or words.at("-"):
            operator = words.advance().text
            made = Binary(operator, made, self._product(), span=made.span)
        return made

    # -- conditions --------------------------------------------------------------------------------------------

    def _or(self, *, opposite: bool) -> Guard:
        return self._chain("or", "and" if opposite else "or", opposite=opposite)

    def _chain(self, word: str, meaning: str, *, opposite: bool) -> Guard:
        """`a or b or c`, or its opposite, `!a and !b and !c`; likewise with `and`."""
        part = self._not if word == "and" else self._and
        made = part(opposite=opposite)
        while self.words.accept(word):
            operator = "&&" if meaning == "and" else "||"
            made = Binary(operator, made, part(opposite=opposite), span=made.span)
        return made

    def _and(self, *, opposite: bool) -> Guard:
        return self._chain("and", "or" if opposite else "and", opposite=opposite)

    def _not(self, *, opposite: bool) -> Guard:
        words = self.words
        times = 0
        while words.accept("not") or words.accept("!"):
            times += 1
        return self._comparison(opposite=opposite ^ (times % 2 == 1))

    def _comparison(self, *, opposite: bool) -> Guard:
        """A comparison, or a condition in brackets. What begins with a bracket may be either: it is tried."""
        words = self.words
        if words.at("(") and self._holds_condition():
            is_judged = words.behind_bracket().text.lower() == "is"
            opener = words.advance()
            words.nested(opener)
            inner = self._or(opposite=opposite and not is_judged)
            words.close(opener, ")")
            words.depth -= 1
            return self._judged(inner, opposite) if is_judged else inner
        left = self.value()
        return self._compared(left, opposite=opposite)

    def _holds_condition(self) -> bool:
        """Whether the bracket that opens here holds a condition, not a value: something is compared inside of it."""
        return any(
            token.text.lower() in _TELLING and token.kind in (Kind.OPERATOR, Kind.NAME)
            for token in self.words.inside_bracket()
        )

    def _judged(self, inner: Guard, opposite: bool) -> Guard:
        """`(...) IS [NOT] TRUE`."""
        words = self.words
        words.expect("is")
        negated = words.accept("not") is not None
        words.expect("true")
        return Not(inner, span=inner.span) if negated ^ opposite else inner

    def _compared(self, left: Guard, *, opposite: bool) -> Guard:
        words = self.words
        for sign, operator in _COMPARISONS.items():
            if words.at(sign):
                words.advance()
                right = self.value()
                if NOTHING in (left, right):
                    raise mistake("a comparison with null, which is never true", left.span, "write 'is null'")
                if not self.knows_unknown:
                    is_not = operator == "!="
                    made: Guard = Binary("==" if is_not else operator, left, right, span=left.span)
                    return Not(made, span=left.span) if opposite ^ is_not else made
                return Binary(_OPPOSITE[operator] if opposite else operator, left, right, span=left.span)
        if words.accept("is"):
            negated = words.accept("not") is not None
            if words.accept("true"):
                held = self._held(left, opposite=False)
                return Not(held, span=left.span) if negated ^ opposite else held
            words.expect("null")
            there = present(left)
            return there if negated ^ opposite else Not(there, span=left.span)
        negated = words.at("not") and words.accept("not") is not None
        return self._among(left, opposite=opposite ^ negated)

    def _among(self, left: Guard, *, opposite: bool) -> Guard:
        """`BETWEEN`, `IN`, `LIKE`; else what is true by itself."""
        words = self.words
        if words.accept("between"):
            least = self.value()
            words.expect("and")
            most = self.value()
            below = Binary("<" if opposite else ">=", left, least, span=left.span)
            above = Binary(">" if opposite else "<=", left, most, span=left.span)
            return Binary("||" if opposite else "&&", below, above, span=left.span)
        made: Guard
        if words.accept("in"):
            opener = words.expect("(")
            members = [self.value()]
            while words.accept(","):
                members.append(self.value())
            words.close(opener, ")")
            if not all(isinstance(each, Literal) for each in members):
                raise refusal("a list with anything but plain values", left.span, "compare with each: a = b or a = c")
            made = Call("in", (left, *members), span=left.span)
        elif words.accept("like"):
            text = words.expect_kind(Kind.STRING, "a pattern in quotes")
            made = Call("like", (left, Literal(text.value.replace("\\", "\\\\"), span=text.span)), span=left.span)
        else:
            return self._held(left, opposite=opposite)
        if not opposite:
            return made
        denied: Guard = Not(made, span=left.span)
        return Binary("&&", present(left), denied, span=left.span) if self.knows_unknown else denied

    def _held(self, value: Guard, *, opposite: bool) -> Guard:
        """A value that is a condition by itself: `flag`."""
        if isinstance(value, Attribute):
            return Binary("==", value, Literal(not opposite), span=value.span)
        if isinstance(value, Literal) and isinstance(value.value, bool):
            return Literal(value.value ^ opposite, span=value.span)
        if isinstance(value, Call) and value.function in ("contains", "startswith", "endswith"):
            there = present(value.arguments[0])
            return Binary("&&", there, Not(value, span=value.span), span=value.span) if opposite else value
        self.words.fail("a comparison")

    # -- values ------------------------------------------------------------------------------------------------

    def _product(self) -> Guard:
        words = self.words
        made = self._unary()
        while words.at("*") or words.at("/") or words.at("%"):
            sign = words.advance()
            if sign.text != "*":
                hint = "multiply the other side instead: a > 2 * b"
                raise refusal(f"'{sign.text}', which cuts whole numbers there and not here", sign, hint)
            made = Binary("*", made, self._unary(), span=made.span)
        return made

    def _unary(self) -> Guard:
        sign = self.words.accept("-")
        if sign is None:
            return self._single()
        self.words.nested(sign)
        made = Negative(self._unary(), span=sign.span)
        self.words.depth -= 1
        return made

    def _single(self) -> Guard:
        words = self.words
        token = words.token
        if words.at("("):
            words.nested(words.advance())
            made = self.value()
            words.close(token, ")")
            words.depth -= 1
            return made
        if token.kind is Kind.NUMBER:
            return self._number(words.advance())
        if token.kind is Kind.STRING:
            return Literal(words.advance().value, span=token.span)
        for word, value in (("true", True), ("false", False), ("null", None)):
            if words.at(word):
                return Literal(value, span=words.advance().span)
        if words.at("interval") and words.peek().kind is Kind.STRING:
            return Duration(interval(words), span=token.span)
        first = words.name("an attribute, a number or a text")
        if first.text in words.variables and not words.at("."):
            raise refusal(f"the variable '{first.text}'", first, "write its value")
        return self.named(first)

    def _number(self, token: Token) -> Guard:
        words = self.words
        text = token.text.rstrip("lLdDfF")
        if words.token.kind is Kind.NAME and words.token.text.lower() in UNIT_NAMES:
            words.fail(hint="a time is compared with timer:within or within here")
        return Literal(float(text) if not text.isdecimal() else int(text), span=token.span)

    def call(self, first: Token, function: str, count: int) -> Guard:
        """A function of ours, whose arguments stand in brackets."""
        opener = self.words.expect("(")
        arguments = [self.value()]
        while self.words.accept(","):
            arguments.append(self.value())
        self.words.close(opener, ")")
        span = self.words.span_from(first.start)
        if len(arguments) != count:
            raise mistake(f"'{first.text}' takes {count} here, and there are {len(arguments)}", span)
        return Call(function, tuple(arguments), span=span)


_TELLING: Final = frozenset(
    (*_COMPARISONS, "and", "or", "not", "is", "in", "like", "between", "!")  # in a value none of them can stand
)


def inside(guard: Guard, change: Callable[[Guard], Guard]) -> Guard:
    """The guard with what is directly inside it changed."""
    match guard:
        case Not(operand=inner) | Negative(operand=inner):
            return replace(guard, operand=change(inner))
        case Binary(left=left, right=right):
            return replace(guard, left=change(left), right=change(right))
        case Call(arguments=arguments):
            return replace(guard, arguments=tuple([change(each) for each in arguments]))
    return guard


def rebuilt(guard: Guard, change: Callable[[Guard], Guard | None]) -> Guard:
    """The guard with every part replaced for which `change` gives another; those inside first."""
    guard = inside(guard, lambda part: rebuilt(part, change))
    made = change(guard)
    return guard if made is None else made
