"""Aggregates over windows in words: `count(failed by ip) >= 5 within 1 minute`.

    aggregate = condition ("within" | "per") span ["with" "no" "gap" "of" span] ["each" "time"]
    condition = a guard that compares calls: function "(" counted ["," number] ")", "previous" "(" call ")", numbers
    counted   = (type | "any" "event") ["." path] ["as" variable] ["where" guard] ["by" attributes]

What is counted is said in full where it is spoken of first; after that its name is enough.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from tocsin.algebra.aggregates import INCREMENTAL, PREVIOUS
from tocsin.algebra.guards import Attribute, Binary, Call, Guard, Negative, Not, Reference
from tocsin.algebra.patterns import Aggregate, AnyEvent, Named, Pattern, Primitive, Where
from tocsin.errors import Fault, RuleError
from tocsin.languages.guard_text import WORDS, render_guard
from tocsin.languages.guards import Guards, parse_guard, parse_variable
from tocsin.languages.lexer import Kind, Token
from tocsin.languages.parser import Cursor
from tocsin.time.spans import Period

ANY: Final = "event"
"""What `any event` is called, if it has no name."""
_ANOTHER: Final = "an aggregate goes over events of one kind: name another's rule, and combine the two"


def begins_aggregate(cursor: Cursor) -> bool:
    """Whether the call of an aggregate stands here."""
    token = cursor.token
    return token.kind is Kind.NAME and token.text in (*INCREMENTAL, PREVIOUS) and cursor.peek().text == "("


def parse_aggregate(cursor: Cursor, event_type: Callable[[], Primitive], span: Callable[[], Period]) -> Aggregate:
    """The aggregate that begins here."""
    token = cursor.token
    conditions = Conditions(cursor, event_type)
    guard = conditions.expression()
    if conditions.counted is None:
        cursor.refuse(Fault("nothing is counted here", guard.span, "an event, as in count(failed by ip) >= 5"))
    aligned = not cursor.at("within")
    if aligned and not cursor.at("per"):
        cursor.fail(hint="an aggregate goes over a window: 'within 5 minutes', or 'per 1 hour' from hour to hour")
    cursor.advance()
    period, gap = span(), None
    if cursor.at("with"):
        for word in ("with", "no", "gap", "of"):
            cursor.expect(word)
        gap = span()
    each = cursor.accept("each") is not None
    if each:
        cursor.expect("time")
    place = cursor.span_from(token.start)
    return Aggregate(conditions.counted, guard, period, conditions.same, aligned, gap, each, span=place)


class Conditions(Guards):
    """Reads what an aggregate is compared with, and in it what is counted."""

    def __init__(self, cursor: Cursor, event_type: Callable[[], Primitive]) -> None:
        super().__init__(cursor)
        self._event_type = event_type
        self.counted: Pattern | None = None
        self.same: tuple[str, ...] = ()
        self._names: tuple[str, ...] = ()

    def operand(self) -> Guard:
        cursor, token = self.cursor, self.cursor.token
        if not begins_aggregate(cursor):
            return super().operand()
        cursor.advance()
        opener = cursor.expect("(")
        cursor.enter(opener)
        arguments = [self.operand() if token.text == PREVIOUS else self._counted(token)]
        while cursor.accept(","):
            arguments.append(self.expression())
        cursor.close(opener, ")")
        cursor.leave()
        return self._applied(token, tuple(arguments))

    def _counted(self, function: Token) -> Guard:
        """The events that a call goes over, or an attribute of them."""
        cursor, begun = self.cursor, self.cursor.token
        leaf: Pattern
        if begun.text == "any" and cursor.peek().text == "event":
            cursor.advance()
            cursor.advance()
            leaf, name = AnyEvent(span=cursor.span_from(begun.start)), ANY
        else:
            made = self._event_type()
            leaf, name = made, _usual_name(made)
        path = ""
        if cursor.accept(".") is not None:
            if not cursor.at_kind(Kind.NAME, "an attribute") and cursor.token.kind is not Kind.STRING:
                cursor.fail()
            path = self._path()
        elif function.text != "count":
            cursor.fail("'.'", hint=f"of an attribute, as in {function.text}({name}.amount)")
        if self.counted is None:
            name = self._introduce(leaf, name)
        elif name not in self._names:
            cursor.refuse(Fault(f"'{name}' is not what is counted here", begun.span, f"'{self._names[0]}'", _ANOTHER))
        else:
            name = self._names[0]
        span = cursor.span_from(begun.start)
        return Attribute(name, path, span=span) if path else Reference(name, span=span)

    def _introduce(self, leaf: Pattern, name: str) -> str:
        """The rest of what is counted: its name, its guard and its groups."""
        cursor, called = self.cursor, name
        if cursor.accept("as") is not None:
            called = parse_variable(cursor).text
        counted: Pattern = Named(called, leaf, span=leaf.span)
        if cursor.accept("where") is not None:
            counted = Where(counted, parse_guard(cursor), span=leaf.span)
        if cursor.accept("by") is not None:
            self.same = self._attributes()
        self.counted, self._names = counted, (called, name)
        return called

    def _attributes(self) -> tuple[str, ...]:
        cursor, found = self.cursor, list[str]()
        while True:
            if not cursor.at_kind(Kind.NAME, "an attribute") and cursor.token.kind is not Kind.STRING:
                cursor.fail()
            name = cursor.advance()
            found.append(name.value if name.kind is Kind.STRING else name.text)
            goes_on = cursor.at("and") or (cursor.at(",") and cursor.peek().kind is not Kind.NUMBER)
            if not goes_on:
                return tuple(dict.fromkeys(found))
            cursor.advance()


def _usual_name(leaf: Pattern) -> str:
    """What is counted is called as its type, where guards can speak of that."""
    is_name = isinstance(leaf, Primitive) and leaf.type.isidentifier() and leaf.type not in WORDS
    return leaf.type if isinstance(leaf, Primitive) and is_name else ANY


_HERE: Final = "the_events_that_are_counted_here"


def aggregate_text(
    pattern: Aggregate, leaf: Callable[[Pattern], str], span: Callable[[Period], str], attributes: str
) -> str:
    """An aggregate in words; parsing them gives it again."""
    counted, where = pattern.pattern, ""
    while isinstance(counted, Where):
        where = f" where {render_guard(counted.guard)}"
        counted = counted.pattern
    assert isinstance(counted, Named)
    usual = _usual_name(counted.pattern)
    rest = f"{'' if counted.name == usual else f' as {counted.name}'}{where}{attributes}"
    guard, first = _marked(pattern.guard)
    if first is None or not render_guard(guard).startswith(tuple(f"{name}(" for name in (*INCREMENTAL, PREVIOUS))):
        raise RuleError(Fault("in words, the condition of an aggregate begins with an aggregate"))
    path = render_guard(first).removeprefix(_HERE)
    text = render_guard(guard).replace(_HERE + path, f"{leaf(counted.pattern)}{path}{rest}", 1)
    text += f" {'per' if pattern.aligned else 'within'} {span(pattern.period)}"
    text += "" if pattern.gap is None else f" with no gap of {span(pattern.gap)}"
    return text + " each time" * pattern.each


def _marked(guard: Guard) -> tuple[Guard, Attribute | Reference | None]:
    """A guard with the first mention of what is counted under a name of its own, and that mention."""
    match guard:
        case Attribute() | Reference():
            made = replace(guard, variable=_HERE)
            return made, made
        case Not(operand=inner) | Negative(operand=inner):
            inner, found = _marked(inner)
            return replace(guard, operand=inner), found
        case Binary(left=left, right=right):
            left, found = _marked(left)
            if found is None:
                right, found = _marked(right)
            return replace(guard, left=left, right=right), found
        case Call(arguments=(first, *others)):
            first, found = _marked(first)
            return replace(guard, arguments=(first, *others)), found
    return guard, None
