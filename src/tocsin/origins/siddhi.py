"""SiddhiQL: patterns (`->`) and sequences (`,`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tocsin.algebra.guards import Attribute, Call, Guard
from tocsin.algebra.patterns import Described, Pattern, Run
from tocsin.algebra.rules import Rule
from tocsin.errors import Fault
from tocsin.languages.lexer import Kind, Token
from tocsin.origins.atoms import Told, chain, in_core, only
from tocsin.origins.conditions import Conditions, both
from tocsin.origins.every_combination import combinations, is_of_all
from tocsin.origins.filters import TwoValued
from tocsin.origins.patterns import (
    Absent,
    All,
    Any,
    Every,
    Expression,
    Filter,
    Loop,
    Part,
    Then,
    Timer,
    filters_in,
    in_order,
    refuse_names,
)
from tocsin.origins.spans import length
from tocsin.origins.words import Words, mistake, refusal
from tocsin.time.periods import Period

NAME: Final = "siddhi"


def read_statement(words: Words, number: int) -> Rule | None:
    """One query; None if it detects nothing: definitions of streams, settings of the application."""
    start = words.token
    name = _annotated(words)
    if words.at("define"):
        words.skip_statement()
        return None
    if words.at("partition"):
        hint = "take its queries out of the block, and translate them by themselves with --partition k"
        raise refusal("a partition", words.token, hint)
    if words.token.kind is Kind.END:
        return None
    words.expect("from")
    query = _Query(words)
    part, within = query.pattern()
    if isinstance(part, Filter) and part.tag is None:
        hint = f"only patterns and sequences become rules: from every e1={part.type} ..."
        raise refusal("a query without a pattern", part.span, hint)
    selected = _selected(words, query)
    if words.at("output"):
        raise refusal("'output'", words.token, "once per key and time is a rule's 'suppress:'")
    words.expect("insert")
    words.expect("into")
    target = words.name("a stream").text
    told = Told(name or target, selected, within, words.span_from(start.start))
    if not words.accept(";"):
        words.expect_end()
    filters = list(filters_in(part))
    refuse_names(filters)
    return _sequence_rule(part, told, query) if query.is_sequence else _pattern_rule(part, told)


def _annotated(words: Words) -> str | None:
    """`@info(name = 'pair')`; other annotations are passed over."""
    found = None
    while words.accept("@"):
        words.name("an annotation")
        if words.accept(":"):
            words.name("a setting of the application")
        opener = words.accept("(")
        while opener is not None and not words.at(")") and words.token.kind is not Kind.END:
            key = words.advance()
            if key.text.lower() == "name" and words.accept("="):
                found = words.expect_kind(Kind.STRING, "a name in quotes").value
        if opener is not None:
            words.close(opener, ")")
    return found


# -- rules -----------------------------------------------------------------------------------------------------


def _pattern_rule(part: Part, told: Told) -> Rule:
    parts = in_order(part)
    first = parts[0]
    run = Run.ONCE
    if isinstance(first, Every):
        if is_of_all(parts):
            if told.window is not None:
                hint = "compare the times: e2=B[time - e1.time <= 5000]"
                raise refusal("'within' of every combination", told.span, hint)
            return combinations(parts, told)
        inner = in_order(first.part)
        if len(parts) > 1 and len(inner) > 1:
            raise refusal("'every' around the beginning of a pattern", first.span, "put it around all of it")
        run = Run.EVERY if isinstance(inner[0], Filter) and len(inner) == 1 else Run.AGAIN
        parts = (*inner, *parts[1:])
    _refuse_beginning(parts[0], run)
    if run is Run.AGAIN:
        _refuse_again(parts, told)
    if told.window is not None and any(isinstance(each, Loop) or _has_timer(each) for each in parts):
        hint = "leave it out: the absence has a time of its own, and a loop can be written out"
        raise refusal("'within' around a loop, or an absence for a time", told.span, hint)
    made = Expression({each.type for each in filters_in(part)})
    for each in parts:
        made.then(each)
    return in_core(made.pattern, run, told)


def _refuse_beginning(first: Part, run: Run) -> None:
    """Where Siddhi finds otherwise than it is written."""
    if isinstance(first, All):
        if any(isinstance(each, Timer | Absent) for each in first.parts):
            hint = "begin with an event: every e1=A -> not B for 5 sec"
            raise refusal("an absence at the beginning of a pattern", first.span, hint)
        hint = "write a rule for each order: every (x=A -> y=B)"
        raise refusal("'and' at the beginning, of which Siddhi finds one order", first.span, hint)
    if isinstance(first, Loop) and run is not Run.ONCE:
        hint = "write out how often: every e1=A -> e2=A -> e3=B"
        raise refusal("a loop behind 'every', which Siddhi begins while it goes on", first.span, hint)


def _refuse_again(parts: Sequence[Part], told: Told) -> None:
    """Inside of `every (...)` events that are waited for, and nothing that can fail or go on."""
    if told.window is not None:
        raise refusal("'within' of a pattern that begins again", told.span, "write: every e1=A -> e2=B within 5 sec")
    for each in parts:
        if not isinstance(each, Filter | Any):
            raise refusal("'every' around more than events", each.span, "put 'every' before the first event alone")


def _has_timer(part: Part) -> bool:
    return isinstance(part, All) and any(isinstance(each, Timer) for each in part.parts)


def _sequence_rule(part: Part, told: Told, query: _Query) -> Rule:
    """Every event of the streams that the sequence names must be the next of it."""
    parts = in_order(part)
    first = parts[0]
    if not isinstance(first, Every):
        raise refusal("a sequence without 'every'", told.span, "write: every e1=A, e2=B")
    parts = (*in_order(first.part), *parts[1:])
    types = dict.fromkeys(each.type for each in filters_in(part))
    looks = [Described(each) for each in types]
    made: list[Pattern] = []
    for place, each in enumerate(parts):
        if isinstance(each, Loop):
            raise refusal("a loop in a sequence", each.span, "write out how often: e1=A, e2=A, e3=B")
        if not isinstance(each, Filter):
            raise refusal("anything but a single event in a sequence", each.span, "write a pattern, with '->'")
        made.append(only(each.events, looks if place else ()))
    return in_core(chain(made), Run.EVERY, told)


# -- queries ---------------------------------------------------------------------------------------------------


class _Query:
    """Reads what stands between `from` and `select`."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.tags: set[str] = set()
        self.several: set[str] = set()
        """The tags of loops."""
        self.is_sequence = False

    def pattern(self) -> tuple[Part, Period | None]:
        """All of it, and how long it may last."""
        words, start = self.words, self.words.token
        parts = [self._element()]
        if words.at(","):
            self.is_sequence = True
        sign = "," if self.is_sequence else "->"
        while words.accept(sign):
            parts.append(self._element())
        within = None
        if words.accept("within"):
            within = length(words)
        span = words.span_from(start.start)
        return (parts[0] if len(parts) == 1 else Then(span, tuple(parts))), within

    def _element(self) -> Part:
        words, start = self.words, self.words.token
        if words.accept("every"):
            words.nested(start)
            inner = self._element()
            words.depth -= 1
            return Every(words.span_from(start.start), inner)
        if words.at("("):
            opener = words.advance()
            words.nested(opener)
            inner, within = self.pattern()
            if within is not None:
                raise refusal("'within' inside a pattern", words.span_from(start.start), "put it at the end")
            words.close(opener, ")")
            words.depth -= 1
            if words.at("within"):
                raise refusal("'within' inside a pattern", words.token, "put it at the end, without the brackets")
            return inner
        return self._logical()

    def _logical(self) -> Part:
        words, start = self.words, self.words.token
        first = self._single()
        for word in ("and", "or"):
            if not words.at(word):
                continue
            words.advance()
            second = self._single()
            span = words.span_from(start.start)
            if isinstance(first, Absent) and isinstance(second, Absent):
                raise refusal("two absences at once", span, "write a rule for each")
            if word == "or" and (isinstance(first, Absent) or isinstance(second, Absent)):
                raise refusal("an absence, or an event", span, "write a rule for each")
            if any(isinstance(each, All) for each in (first, second)):
                raise refusal("an absence for a time, beside an event", span, "write a rule for each")
            return (All if word == "and" else Any)(span, (first, second))
        if isinstance(first, Absent):
            words.fail("'for' or 'and'")
        return first

    def _single(self) -> Part:
        words, start = self.words, self.words.token
        if words.accept("not"):
            inner = self._filter()
            absent = Absent(words.span_from(start.start), inner)
            if words.accept("for"):
                period = length(words)
                span = words.span_from(start.start)
                return All(span, (Timer(span, period), absent))
            return absent
        part = self._filter()
        times = self._times()
        if times is None:
            return part
        if part.tag is not None:
            self.several.add(part.tag)
        return Loop(words.span_from(start.start), part, *times)

    def _filter(self) -> Filter:
        words, start = self.words, self.words.token
        first = words.name("a stream, 'every' or 'not'")
        tag = None
        if words.accept("="):
            tag, first = first.text, words.name("a stream")
        if words.at("#"):
            raise refusal("a window or a function of a stream", words.token, "say it in the filter")
        guard: Guard | None = None
        while words.at("["):
            opener = words.advance()
            words.nested(opener)
            guard = both(guard, TwoValued(words, self.tags, (tag, first.text)).condition())
            words.close(opener, "]")
            words.depth -= 1
        if tag is not None:
            self.tags.add(tag)
        return Filter(words.span_from(start.start), tag, first.text, guard)

    def _times(self) -> tuple[int, int | None] | None:
        """`<2:4>`, `<2:>`, `<3>`; in sequences `*`, `+` and `?`."""
        words = self.words
        for sign, times in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if words.accept(sign):
                return times
        counts = words.counts("<", ":", ">")
        if counts is None:
            return None
        if counts.least < 1:
            raise refusal("a count that may be 0", counts.span, "from 1 on: <1:5>")
        return counts.least, counts.most


class _Selection(Conditions):
    """Values over the events of a match: `e1.n`, `e1[0].n`, `e1[last].n`."""

    def __init__(self, words: Words, query: _Query) -> None:
        super().__init__(words)
        self.query = query

    def named(self, first: Token) -> Guard:
        words = self.words
        if words.at("(") or words.at(":"):
            raise refusal(f"the function '{first.text}'", first, "select the attributes themselves")
        function = None
        if words.accept("["):
            function = "last" if words.accept("last") else "first"
            if function == "first" and words.whole_number("which of them"):
                raise refusal("an event between the first and the last", first, "e1[0] and e1[last] can be said")
            words.expect("]")
        words.expect(".")
        column = words.name("an attribute")
        span = words.span_from(first.start)
        if first.text not in self.query.tags:
            raise mistake(f"'{first.text}', which no event of the pattern is called", span, "name one of the pattern")
        made = Attribute(first.text, column.text, span=span)
        if first.text in self.query.several:
            if function is None:
                raise refusal(f"'{first.text}', which stands for several events", span, f"say which: {first.text}[0]")
            return Call(function, (made,), span=span)
        return made


def _selected(words: Words, query: _Query) -> tuple[tuple[str, Guard], ...]:
    if not words.accept("select"):
        return ()
    made: dict[str, Guard] = {}
    selection = _Selection(words, query)
    while True:
        if words.accept("*"):
            break
        start = words.token
        value = selection.value()
        name = words.name("a name").text if words.accept("as") else _own_name(value, words, start)
        if name in made:
            words.refuse(Fault(f"there are two values '{name}'", words.span_from(start.start)))
        made[name] = value
        if not words.accept(","):
            break
    for word in ("group", "having", "order", "limit", "offset"):
        if words.at(word):
            raise refusal(f"'{word}' behind the pattern", words.token, "put conditions into the pattern")
    return tuple(made.items())


def _own_name(value: Guard, words: Words, start: Token) -> str:
    if not isinstance(value, Attribute):
        words.fail("'as'")
    return value.name
