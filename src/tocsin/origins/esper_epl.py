"""EPL of Esper: statements over patterns, and over `match_recognize`."""

from __future__ import annotations

from typing import Final

from tocsin.algebra.guards import Attribute, Call, Guard, walk
from tocsin.algebra.patterns import THIS, Run
from tocsin.algebra.rules import Rule
from tocsin.errors import Fault, Span
from tocsin.languages.lexer import Kind, Token
from tocsin.origins.atoms import Told, in_core
from tocsin.origins.conditions import Conditions, both
from tocsin.origins.every_combination import combinations, is_of_all
from tocsin.origins.patterns import (
    Absent,
    All,
    Any,
    Every,
    Expression,
    Filter,
    Limited,
    Loop,
    Part,
    Then,
    Timer,
    filters_in,
    in_order,
    refuse_names,
)
from tocsin.origins.row_automata import rule_of
from tocsin.origins.row_patterns import read_clause
from tocsin.origins.spans import length
from tocsin.origins.words import Words, mistake, refusal
from tocsin.time.periods import SECOND, Period

NAME: Final = "esper-epl"
_MOST_TIMES: Final = 100

Selected = list[tuple[Guard, str, Span]]


def read_statement(words: Words, number: int) -> Rule | None:
    """One statement; None if it detects nothing."""
    start = words.token
    name = _annotated(words) or f"statement_{number}"
    if words.at("create") or words.at("module") or words.at("import") or words.at("uses"):
        words.skip_statement()
        return None
    if words.at("context"):
        raise refusal("a context", words.token, "equal values in all events are a rule's 'by: k'")
    if words.accept("insert"):
        words.expect("into")
        name = words.name("a stream").text
    words.expect("select")
    for word in ("irstream", "rstream", "distinct"):
        if words.at(word):
            raise refusal(f"'{word}'", words.token, "leave it out")
    selected = _selected(words)
    words.expect("from")
    if words.accept("pattern"):
        rule = _over_pattern(words, selected, name, start)
    else:
        rule = _over_rows(words, selected, name, start)
    for word in ("where", "group", "having", "output", "order", "limit", "unidirectional"):
        if words.at(word):
            hint = "put conditions into the pattern; once per key and time is a rule's 'suppress:'"
            raise refusal(f"'{word}' behind the pattern", words.token, hint)
    if not words.accept(";"):
        words.expect_end()
    return rule


def _annotated(words: Words) -> str | None:
    """`@name('pair')`: what the rule is called; other annotations are passed over."""
    found = None
    while words.accept("@"):
        annotation = words.name("an annotation")
        opener = words.accept("(")
        if opener is not None and annotation.text.lower() == "name":
            found = words.expect_kind(Kind.STRING, "a name in quotes").value
            words.close(opener, ")")
        elif opener is not None:
            while not words.at(")") and words.token.kind is not Kind.END:
                words.advance()
            words.close(opener, ")")
    return found or None


# -- what is selected ------------------------------------------------------------------------------------------


class _Selection(Conditions):
    """Values over the events of a match, by their tags: `a.n`, `a[0].n`."""

    def named(self, first: Token) -> Guard:
        words = self.words
        if words.at("("):
            raise refusal(f"the function '{first.text}'", first, "select the attributes, and count where they are read")
        if words.accept("["):
            index = words.whole_number("which of them")
            words.expect("]")
            words.expect(".")
            column = words.name("an attribute")
            span = words.span_from(first.start)
            if index:
                raise refusal(f"the event {index} of several", span, "the first can be said: a[0].n")
            return Call("first", (Attribute(first.text, column.text, span=span),), span=span)
        if not words.accept("."):
            return Attribute("", first.text, span=first.span)
        column = words.name("an attribute")
        if words.at("(") or words.at("."):
            raise refusal("a method of a value", words.token, "select the attribute itself")
        return Attribute(first.text, column.text, span=words.span_from(first.start))


def _selected(words: Words) -> Selected | None:
    """What is selected, each with its name; None for all."""
    found: Selected = []
    selection = _Selection(words)
    while True:
        start = words.token
        if words.accept("*"):
            return None
        value = selection.value()
        text = words.source.text[start.start : words.last_stop]
        name = words.name("a name").text if words.accept("as") else text
        found.append((value, name, words.span_from(start.start)))
        if not words.accept(","):
            return found


def _select(selected: Selected | None, tags: set[str], several: set[str]) -> tuple[tuple[str, Guard], ...]:
    made: list[tuple[str, Guard]] = []
    for value, name, span in selected or ():
        for each in _attributes(value):
            if each.variable not in tags:
                what = f"'{each.variable or each.name}', which no event of the pattern is called"
                raise refusal(what, span, "name an event of the pattern, and what of it: a.n")
            if isinstance(value, Attribute) and each.variable in several:
                raise refusal(
                    f"'{each.variable}', which stands for several events", span, f"say which: {each.variable}[0]"
                )
        made.append((name, value))
    return tuple(made)


def _attributes(guard: Guard) -> list[Attribute]:
    return [part for part in walk(guard) if isinstance(part, Attribute)]


# -- match_recognize -------------------------------------------------------------------------------------------


def _over_rows(words: Words, selected: Selected | None, name: str, start: Token) -> Rule:
    stream = words.name("a stream")
    if not words.at("match_recognize"):
        hint = "only patterns and match_recognize over a stream become rules"
        raise refusal(f"'{words.token.text or 'the end'}' behind the stream", words.token, hint)
    words.advance()
    clause = read_clause(words, in_epl=True)
    columns: list[tuple[str, str, Span]] | None = None
    if selected is not None:
        columns = []
        for value, new, span in selected:
            if not isinstance(value, Attribute) or value.variable:
                raise refusal("a value computed from measures", span, "say it under measures")
            columns.append((value.name, new, span))
    told = Told(name, span=words.span_from(start.start))
    return rule_of(clause, stream.text, told, columns, default_skip="past")


# -- patterns --------------------------------------------------------------------------------------------------


def _over_pattern(words: Words, selected: Selected | None, name: str, start: Token) -> Rule:
    for what in ("@",):
        if words.at(what):
            raise refusal(
                "an annotation of the pattern", words.token, "discarding partials is a rule's 'context' or 'run'"
            )
    opener = words.expect("[")
    part = _Patterns(words).pattern()
    words.close(opener, "]")
    filters = list(filters_in(part))
    refuse_names(filters)
    several = {each.tag for loop in _loops(part) for each in filters_in(loop.part) if each.tag}
    tags = {each.tag for each in filters if each.tag}
    told = Told(name, _select(selected, tags, several), span=words.span_from(start.start))
    return rule_of_parts(part, told)


def _loops(part: Part) -> list[Loop]:
    match part:
        case Loop():
            return [part]
        case Every(part=inner) | Limited(part=inner) | Absent(part=inner):
            return _loops(inner)
        case All(parts=parts) | Any(parts=parts) | Then(parts=parts):
            return [found for each in parts for found in _loops(each)]
    return []


def rule_of_parts(part: Part, told: Told) -> Rule:
    """The rule of a whole pattern: how often it begins, and what it goes through."""
    parts = in_order(part)
    run = Run.ONCE
    first = parts[0]
    if isinstance(first, Every):
        if is_of_all(parts):
            return combinations(parts, told)
        inner = in_order(first.part)
        if len(parts) > 1 and (len(inner) > 1 or not isinstance(inner[0], Filter)):
            what = "'every' around the beginning of a pattern"
            raise refusal(what, first.span, "put it around all of it, or make the beginning a rule of its own")
        run = Run.EVERY if len(inner) == 1 and isinstance(inner[0], Filter) else Run.AGAIN
        parts = (*inner, *parts[1:])
    made = Expression({each.type for each in filters_in(part)})
    for each in parts:
        made.then(each)
    return in_core(made.pattern, run, told)


class _Patterns:
    """Reads patterns. Tightest first: `where`, then `every` and `not`, `until`, `and`, `or`, `->`."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.tags: set[str] = set()
        """The events that a filter can name: those before it."""

    def pattern(self) -> Part:
        """All of it."""
        words = self.words
        start = words.token
        parts = [self._or()]
        while words.at("->") or words.at("-"):
            if words.at("-"):
                raise refusal(
                    "'-[n]>', with a bound on what waits", words.token, "write '->', and give the rule a window"
                )
            words.advance()
            parts.append(self._or())
        return parts[0] if len(parts) == 1 else Then(words.span_from(start.start), tuple(parts))

    def _or(self) -> Part:
        start, parts = self.words.token, [self._and()]
        while self.words.accept("or"):
            parts.append(self._and())
        return parts[0] if len(parts) == 1 else Any(self.words.span_from(start.start), tuple(parts))

    def _and(self) -> Part:
        start, parts = self.words.token, [self._until()]
        while self.words.accept("and"):
            parts.append(self._until())
        return parts[0] if len(parts) == 1 else All(self.words.span_from(start.start), tuple(parts))

    def _until(self) -> Part:
        words, start = self.words, self.words.token
        times = self._times()
        part = self._qualified()
        end = self._until() if words.accept("until") else None
        if times is None and end is None:
            return part
        least, most = times or (0, None)
        span = words.span_from(start.start)
        if end is None and least != most:
            raise refusal("a loop without an end", span, "end it: a=A until b=B")
        if end is not None and most is not None:
            raise refusal("a loop that is complete at a number, too", span, "write '[n:] a=A until b=B', or '[n] a=A'")
        return Loop(span, part, least, most, end)

    def _times(self) -> tuple[int, int | None] | None:
        """`[3]`, `[2:]`, `[2:4]`."""
        words = self.words
        opener = words.accept("[")
        if opener is None:
            return None
        what = "how often"
        least = words.whole_number(what) if words.token.kind is Kind.NUMBER else 0
        most: int | None = least
        if words.accept(":"):
            most = words.whole_number(what) if words.token.kind is Kind.NUMBER else None
        words.close(opener, "]")
        if least > _MOST_TIMES or (most == 0):
            words.refuse(Fault(f"how often must be from 1 to {_MOST_TIMES}", words.span_from(opener.start)))
        return least, most

    def _qualified(self) -> Part:
        words, start = self.words, self.words.token
        if (words.at("every") and words.follows("distinct")) or (words.at("every") and words.follows("-")):
            raise refusal("'every-distinct'", words.token, "a rule's 'suppress:' tells once per key and time")
        if words.at("every") or words.at("not"):
            word = words.advance().text.lower()
            words.nested(start)
            times = self._times() if word == "every" else None
            inner = self._qualified()
            words.depth -= 1
            if times is not None:
                if times[0] != times[1]:
                    raise refusal("a loop without an end", inner.span, "end it: a=A until b=B")
                inner = Loop(words.span_from(start.start), inner, *times)
            span = words.span_from(start.start)
            return Every(span, inner) if word == "every" else Absent(span, inner)
        part = self._atom()
        return self._guarded(part, start)

    def _guarded(self, part: Part, start: Token) -> Part:
        words = self.words
        if words.at("while"):
            raise refusal("'while', which ends a pattern at an event of its own", words.token, "put it into the filter")
        if not words.accept("where"):
            return part
        period = self._timer(("within",))
        return Limited(words.span_from(start.start), part, period)

    def _timer(self, kinds: tuple[str, ...]) -> Period:
        words, start = self.words, self.words.token
        words.expect("timer")
        words.expect(":")
        kind = words.name("a kind of timer")
        if kind.text.lower() not in kinds:
            what = f"'timer:{kind.text}'"
            raise refusal(what, words.span_from(start.start), f"there is 'timer:{kinds[0]}(5 minutes)'")
        opener = words.expect("(")
        period = length(words, plain=SECOND)
        words.close(opener, ")")
        return period

    def _atom(self) -> Part:
        words, start = self.words, self.words.token
        if words.at("("):
            words.nested(words.advance())
            part = self.pattern()
            words.close(start, ")")
            words.depth -= 1
            return part
        if words.at("timer") and words.follows(":"):
            return Timer(words.span_from(start.start), self._timer(("interval",)))
        first = words.name("an event, 'every', 'not' or a timer")
        tag = None
        if words.accept("="):
            tag, first = first.text, words.name("a type of events")
        if words.at(".") or words.at("#"):
            raise refusal("a part of a type, or a view of it", words.token, "name a type of events")
        guard = self._filter(tag) if words.at("(") else None
        if words.at("@"):
            raise refusal("an annotation of a filter", words.token, "what is used up is a rule's 'context'")
        if tag is not None:
            self.tags.add(tag)
        return Filter(words.span_from(start.start), tag, first.text, guard)

    def _filter(self, tag: str | None) -> Guard | None:
        words = self.words
        opener = words.advance()
        words.nested(opener)
        guard: Guard | None = None
        while not words.at(")"):
            guard = both(guard, _FilterConditions(words, self.tags, tag).condition())
            if not words.accept(","):
                break
        words.close(opener, ")")
        words.depth -= 1
        return guard


class _FilterConditions(Conditions):
    """Conditions on an event: a bare name is an attribute of its own, `a.n` one of an event before it."""

    def __init__(self, words: Words, tags: set[str], own: str | None) -> None:
        super().__init__(words)
        self.tags, self.own = tags, own

    def named(self, first: Token) -> Guard:
        words = self.words
        if words.at("("):
            raise refusal(f"the function '{first.text}'", first, "compare the attributes themselves")
        if words.at("["):
            raise refusal("one of several events", words.token, "compare with an event that stands alone")
        if not words.accept("."):
            return Attribute(THIS, first.text, span=first.span)
        column = words.name("an attribute")
        span = words.span_from(first.start)
        if words.at("(") or words.at("."):
            raise refusal("a method of a value", words.token, "compare the attribute itself")
        if first.text == self.own:
            return Attribute(THIS, column.text, span=span)
        if first.text not in self.tags:
            raise mistake(
                f"'{first.text}', which no event before it is called", span, "name an event that comes before"
            )
        return Attribute(first.text, column.text, span=span)
