"""Composite events in words (001 section 8): from text to the algebra.

    expression  = sequence {"where" guard | alike | "within" span | "between" time "and" time}
    alike       = ("by" | "with" ["the"] "same") attributes
    sequence    = either {then either | "without" either | "unless" either}
    then        = ("followed" "by" | "followed_by" | "then") ["or" "with"]
    either      = conjunction {"or" conjunction}
    conjunction = part {"and" part}
    part        = {"not" | "end" "of" | span "after"} repeated
    repeated    = event {["at" "least"] count ["to" count] ("times" | "time") [with]} | "any" count event [with]
    with        = "with" ["the"] ("same" attributes | "different" attribute) {("and" | "with") ...}
    attributes  = attribute {("and" | ",") attribute}
    event       = (type | aggregate | timer | "any" "event" | "(" expression ")") {"as" variable}
    aggregate   = as `pretty_aggregates.py` has it: count(type by attribute) >= 5 within span
    timer       = "every" span | "at" "[" point "]" | "at" time
    span        = number unit {number unit} | string              type = name | string
    time        = string

001 gives one sentence of this language and no grammar. What the words mean is what SEL's operators do: `followed by` is
`->`, `not` is `!`, `unless x` is `-> !x`. `without` stands between the last two steps, as GEM's `!` does. `3 times` are
three in a row, `any 3` are all choices of three.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from tocsin.algebra.guards import Guard, Reference
from tocsin.algebra.patterns import (
    Absence,
    After,
    AnyEvent,
    At,
    AtInstant,
    Between,
    Both,
    By,
    Either,
    Every,
    Instant,
    Named,
    Never,
    Pattern,
    Precedence,
    Repeat,
    Sequence,
    Streak,
    Times,
    Where,
)
from tocsin.algebra.rules import Suppress
from tocsin.errors import Fault
from tocsin.languages.events import EventExpressions, flat, followed, is_single, limited
from tocsin.languages.guards import GUARD_OPERATORS, parse_guard, parse_value, parse_variable
from tocsin.languages.lexer import Kind, Syntax, Token
from tocsin.languages.parser import Cursor, Fixity, Operator, as_type
from tocsin.languages.pretty_aggregates import begins_aggregate, parse_aggregate
from tocsin.languages.sel_times import read_span
from tocsin.languages.times import Stretch, bracketed_point, positive_period
from tocsin.time.calendar import parse_instant
from tocsin.time.spans import Period

OPERATORS: Final = (*GUARD_OPERATORS, ";", "&", "|", "{", "}", "->", "→")
EXPRESSION_SYNTAX: Final = Syntax(OPERATORS)

WINDOW, GUARD, SEQUENCE, EITHER, BOTH, PREFIX, REPEAT, NAMED, LEAF = range(1, 10)
"""How tightly each construct binds; what is read treats a guard as a window, for both stand behind everything."""

RESERVED: Final = frozenset(
    (
        *("and", "or", "not", "then", "followed", "followed_by", "without", "unless", "where", "within", "between"),
        *("as", "every", "any", "at", "end", "after", "times", "time", "with", "by"),
    )
)
_CONFUSED: Final = {
    "&": "in words, both of two events is written 'and'",
    "&&": "in words, both of two events is written 'and'",
    "|": "in words, either of two events is written 'or'",
    "||": "in words, either of two events is written 'or'",
    ";": "in words, one event after another is written 'followed by'",
    "->": "in words, one event after another is written 'followed by'",
    "→": "in words, one event after another is written 'followed by'",
    "!": "in words, what must not happen is written 'not', 'without' or 'unless'",
    ":": "an event is named behind it: 'login as x'",
    "if": "a guard follows 'where'",
    "when": "a guard follows 'where'",
    "in": "a window is written 'within 20 seconds'",
    "*": "a repetition is written 'login 3 times'",
}
_ALL: Final = (
    *("'as'", "a number of times", "'and'", "'or'", "'followed by'", "'without'", "'unless'"),
    *("'where'", "'by'", "'within'", "'between'"),
)
_NOT: Final = Operator("not", PREFIX, Fixity.PREFIX)
_END: Final = Operator("end", PREFIX, Fixity.PREFIX)
_AFTER: Final = Operator("after", PREFIX, Fixity.PREFIX)
_THEN: Final = Operator("then", SEQUENCE, flat=True)
_THEN_OR_WITH: Final = Operator("then or with", SEQUENCE, flat=True)
_TIMES: Final = Operator("times", REPEAT, Fixity.POSTFIX)
_AT_LEAST: Final = Operator("at least", REPEAT, Fixity.POSTFIX)
_COMPARING: Final = frozenset(("with", "the", "same", "different"))
_COUNTED: Final = "only single events are counted like this"
_COUNTED_HINT: Final = "make a rule of it, and count that by its name"
_DIFFERENT_HINT: Final = (
    "that is said of a number of times, 'login 3 times with different host', or as a guard: 'where x.host != y.host'"
)
_SPAN_HINT: Final = "a span of time is written as 20 seconds or '1h'"


class PrettyExpressions(EventExpressions):
    """Reads event expressions in words."""

    reserved = RESERVED

    operators: ClassVar[Mapping[str, Operator]] = {
        "where": Operator("where", WINDOW, Fixity.POSTFIX),
        "by": Operator("by", WINDOW, Fixity.POSTFIX),
        "with": Operator("with", WINDOW, Fixity.POSTFIX),
        "within": Operator("within", WINDOW, Fixity.POSTFIX),
        "between": Operator("between", WINDOW, Fixity.POSTFIX),
        "then": _THEN,
        "followed_by": _THEN,
        "without": Operator("without", SEQUENCE),
        "unless": Operator("unless", SEQUENCE),
        "or": Operator("or", EITHER, flat=True),
        "and": Operator("and", BOTH, flat=True),
        "as": Operator("as", NAMED, Fixity.POSTFIX),
    }
    labels: ClassVar[tuple[tuple[int, str], ...]] = tuple(
        zip((NAMED, REPEAT, BOTH, EITHER, SEQUENCE, SEQUENCE, SEQUENCE, *[WINDOW] * 4), _ALL, strict=True)
    )
    binding_hint = "'where', 'by', 'within' and 'between' bind loosest: put parentheses around what they are written on"

    def __init__(self, cursor: Cursor) -> None:
        super().__init__(cursor)
        self._spans: dict[int, Period] = {}
        """Of what is still to be read after `5 minutes after`, by where that begins."""

    # -- operators -------------------------------------------------------------------------------------------------

    def prefix(self, floor: int) -> tuple[Operator, Token] | None:
        cursor, token = self.cursor, self.cursor.token
        operator = {"not": _NOT, "end": _END}.get(token.text) if token.kind is Kind.NAME else None
        is_span = token.kind is Kind.NUMBER or (token.kind is Kind.STRING and cursor.peek().text == "after")
        if operator is None and not is_span:
            return None
        if floor > PREFIX:
            cursor.fail("an event", hint="put parentheses around it and what it is about")
        if is_span:
            period = self._span()
            cursor.expect("after")
            self._spans[token.start] = period
            return _AFTER, token
        assert operator is not None
        cursor.advance()
        if operator is _END:
            cursor.expect_after(token, "of")
        return operator, token

    def infix(self) -> Operator | None:
        cursor, token = self.cursor, self.cursor.token
        if token.kind is not Kind.STRING and token.text in _CONFUSED:
            cursor.fail(*_ALL, hint=_CONFUSED[token.text])
        if token.kind is Kind.NUMBER:
            return _TIMES
        if token.kind is Kind.NAME and token.text == "at":
            cursor.advance()
            cursor.expect("least")
            if not cursor.at_kind(Kind.NUMBER, "a number of times"):
                cursor.fail()
            return _AT_LEAST
        if token.kind is Kind.NAME and token.text == "followed":
            cursor.advance()
            if not cursor.at("by"):
                cursor.fail()
            return self._or_with()
        if token.kind is Kind.NAME and token.text in ("followed_by", "then"):
            return self._or_with()
        return super().infix()

    def _or_with(self) -> Operator:
        """Whether the word that stands here goes on as `... or with`."""
        cursor = self.cursor
        if cursor.peek().text != "or":
            return _THEN
        cursor.advance()
        cursor.advance()
        if not cursor.at("with"):
            cursor.fail(hint="what may come at the same time, too, is written 'a followed by or with b'")
        return _THEN_OR_WITH

    def join(self, operator: Operator, token: Token, parts: list[Pattern]) -> Pattern:
        span = token.span | parts[-1].span
        match operator.symbol:
            case "not":
                return Never(parts[0], span=span)
            case "end":
                return Instant(parts[0], span=span)
            case "after":
                return After(parts[0], self._spans.pop(token.start), instant=True, span=span)
            case "and":
                return flat(Both, parts)
            case "or":
                return flat(Either, parts)
            case "without":
                return self._without(token, parts[0], _any_of(parts[1:]))
            case "unless":
                return followed([parts[0], Never(_any_of(parts[1:]), span=span)])
            case "then or with":
                return followed(parts, Precedence.WEAK)
        return followed(parts)

    def _without(self, token: Token, steps: Pattern, absent: Pattern) -> Pattern:
        """Nothing of `absent` between the last two steps."""
        if not isinstance(steps, Sequence):
            hint = "as in 'a followed by b without c'; what must not come after a is 'a unless c within 5 minutes'"
            self.cursor.refuse(Fault("'without' needs two steps to stand between", token.span, hint=hint))
        *before, last = steps.parts
        first = before[0] if len(before) == 1 else Sequence(tuple(before), steps.order, span=steps.span)
        span = None if steps.span is None else steps.span | absent.span
        return Absence(first, last, absent, order=steps.order, span=span)

    def suffix(self, operator: Operator, token: Token, operand: Pattern) -> Pattern:
        cursor = self.cursor
        match operator.symbol:
            case "as":
                name = parse_variable(cursor)
                return Named(name.text, operand, span=cursor.span_from(token.start) | operand.span)
            case "times" | "at least":
                return self._times(token, operand, once=operator is _AT_LEAST)
            case "by" | "with":
                if operator.symbol == "with":
                    cursor.accept("the")
                    if not cursor.at("same"):
                        is_other = cursor.token.text == "different"
                        cursor.fail(hint=_DIFFERENT_HINT if is_other else "")
                    cursor.advance()
                attributes = self._attributes()
                return By(operand, attributes, span=cursor.span_from(token.start) | operand.span)
            case "within":
                window = self._span()
                return limited(operand, window, cursor.span_from(token.start) | operand.span)
            case "between":
                start = self._time()
                cursor.expect("and")
                return Between(operand, start, self._time(), span=cursor.span_from(token.start) | operand.span)
        guard = parse_guard(cursor)
        return Where(operand, guard, span=cursor.span_from(token.start) | operand.span)

    def _times(self, token: Token, operand: Pattern, *, once: bool) -> Pattern:
        """The rest of `3 times`, `3 to 5 times`, `3 times with the same user`; `token` is the first number."""
        cursor = self.cursor
        least = most = self._count(token)
        is_range = not once and cursor.accept("to") is not None
        if is_range:
            second = cursor.expect_kind(Kind.NUMBER, "a number of times")
            most = self._count(second)
            if most < least:
                cursor.refuse(Fault(f"a run of at least {least} cannot be one of at most {most}", second.span))
        if cursor.accept("times") is None:
            cursor.expect("time")
        same, different = self._compared()
        span = cursor.span_from(token.start) | operand.span
        if is_range and different is not None:
            cursor.refuse(Fault("what has different values comes a fixed number of times", span))
        is_counted = once or bool(same) or different is not None
        if is_counted and not is_single(operand):
            cursor.refuse(Fault(_COUNTED, span, hint=_COUNTED_HINT))
        if is_range or not is_single(operand):
            return Repeat(operand, least, most, same, span=span)
        return Streak(least, operand, same, different, None, once, span=span)

    def _any(self, token: Token) -> Pattern:
        """The rest of `any 3 login with the same user`: all choices of so many."""
        cursor = self.cursor
        count = self._count(cursor.advance())
        counted = self.operand()
        while cursor.accept("as") is not None:
            name = parse_variable(cursor)
            counted = Named(name.text, counted, span=cursor.span_from(token.start))
        same, different = self._compared()
        span = cursor.span_from(token.start)
        if not is_single(counted):
            cursor.refuse(Fault(_COUNTED, span, hint=_COUNTED_HINT))
        if len(same) + (different is not None) > 1:
            hint = "a number of times may have several: 'login 3 times with the same user and host'"
            cursor.refuse(Fault("'any' compares one attribute", span, hint=hint))
        return Times(count, counted, same[0] if same else different, different is None, span=span)

    def _compared(self) -> tuple[tuple[str, ...], str | None]:
        """`with the same user and host`, `with the same ip and different port`: a group, and what differs in it."""
        cursor = self.cursor
        same: list[str] = []
        different: str | None = None
        goes_on = cursor.accept("with") is not None
        while goes_on:
            cursor.accept("the")
            if cursor.accept("same") is not None:
                same += self._attributes()
            else:
                word = cursor.expect("different")
                if different is not None:
                    cursor.refuse(Fault("one attribute is different, the others may be the same", word.span))
                different = self._attribute_name()
            goes_on = cursor.accept("with") is not None
            if not goes_on and cursor.token.text == "and" and cursor.peek().text in _COMPARING:
                cursor.advance()
                cursor.accept("with")
                goes_on = True
        if (same or different) and (cursor.token.kind is Kind.NUMBER or cursor.token.text in ("as", "at")):
            cursor.fail(hint="'and' adds an attribute here: put parentheses around '(... with the same ...)' and go on")
        return tuple(dict.fromkeys(same)), different

    def _attributes(self) -> tuple[str, ...]:
        """`user and host`, `user, host`."""
        cursor = self.cursor
        found = [self._attribute_name()]
        while cursor.token.text == "," or (cursor.token.text == "and" and cursor.peek().text not in _COMPARING):
            cursor.advance()
            found.append(self._attribute_name())
        return tuple(dict.fromkeys(found))

    def _attribute_name(self) -> str:
        cursor = self.cursor
        if not cursor.at_kind(Kind.NAME, "an attribute") and cursor.token.kind is not Kind.STRING:
            cursor.fail()
        name = cursor.advance()
        return name.value if name.kind is Kind.STRING else name.text

    def _count(self, token: Token) -> int:
        if not token.text.isdigit() or int(token.text) < 1:
            self.cursor.refuse(Fault("the number of times must be a whole number from 1 on", token.span))
        return int(token.text)

    # -- operands --------------------------------------------------------------------------------------------------

    def operand(self) -> Pattern:
        cursor = self.cursor
        token = cursor.token
        if token.text == "(":
            return self.group(token, ")")
        if begins_aggregate(cursor):
            return parse_aggregate(cursor, self.event_type, self._span)
        if token.kind is Kind.NAME:
            match token.text:
                case "any":
                    cursor.advance()
                    if cursor.at_kind(Kind.NUMBER, "a number"):
                        return self._any(token)
                    cursor.expect_after(token, "event")
                    return AnyEvent(span=cursor.span_from(token.start))
                case "every":
                    cursor.advance()
                    if cursor.token.kind not in (Kind.NUMBER, Kind.STRING):
                        cursor.fail("a number", hint=as_type(token.text))
                    return Every(self._span(), span=cursor.span_from(token.start))
                case "at":
                    return self._timer(token)
        if token.kind is Kind.STRING or (token.kind is Kind.NAME and token.text not in RESERVED):
            return self.event_type()
        return cursor.fail("an event")

    def _timer(self, token: Token) -> Pattern:
        cursor = self.cursor
        cursor.advance()
        if cursor.token.kind is Kind.STRING:
            return AtInstant(self._time(), span=cursor.span_from(token.start))
        if cursor.token.text != "[":
            cursor.fail("'['", "a time in quotes", hint=as_type(token.text))
        return At(bracketed_point(cursor), span=cursor.span_from(token.start))

    # -- times -----------------------------------------------------------------------------------------------------

    def partition(self) -> tuple[str, ...]:
        """`partition by user, host`: a rule for each value."""
        cursor = self.cursor
        cursor.expect("partition")
        cursor.expect("by")
        return self._attributes()

    def suppression(self) -> Suppress:
        """`once per x.ip, x.user in 10 minutes`, or `once in 10 minutes`: what a rule tells."""
        cursor = self.cursor
        first = cursor.expect("once")
        by: list[Guard] = []
        if cursor.at("per"):
            cursor.advance()
            by.append(self._key())
            while cursor.at(","):
                cursor.advance()
                by.append(self._key())
        cursor.expect("in")
        period = self._span()
        return Suppress(tuple(by), period, span=cursor.span_from(first.start))

    def _key(self) -> Guard:
        """An attribute of an event, or what `first(x.ip)` and the like make of several."""
        cursor = self.cursor
        if not cursor.at_kind(Kind.NAME, "an attribute, as x.ip"):
            cursor.fail()
        key = parse_value(cursor)
        if isinstance(key, Reference):
            hint = f"an attribute of one of the events, as x.{key.variable}"
            cursor.refuse(Fault(f"'{key.variable}' is not said to be of an event", key.span, hint=hint))
        return key

    def _span(self) -> Period:
        """A span longer than nothing: `20 seconds`, `'1h'`."""
        token = self.cursor.token
        if token.kind is Kind.STRING:
            self.cursor.advance()
            return positive_period(Stretch(self.cursor, token.value, token.start + 1))
        if token.kind is not Kind.NUMBER:
            self.cursor.fail("a number", hint=_SPAN_HINT)
        return positive_period(read_span(self.cursor))

    def _time(self) -> int:
        """An instant, in quotes."""
        token = self.cursor.expect_kind(Kind.STRING, "a time in quotes, as '2026-11-15T20:00:00Z'")
        return Stretch(self.cursor, token.value, token.start + 1).read(parse_instant)


def _any_of(absent: list[Pattern]) -> Pattern:
    """`without b without c`, `unless b unless c`: neither of them, so that the second adds to the first."""
    return absent[0] if len(absent) == 1 else flat(Either, absent)
