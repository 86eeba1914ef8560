"""EPL of Esper: statements over patterns, and over `match_recognize`."""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from tocsin.algebra.guards import Attribute, Call, Guard, walk
from tocsin.algebra.patterns import Run
from tocsin.algebra.rules import Rule
from tocsin.errors import Span
from tocsin.languages.lexer import Kind, Token
from tocsin.origins.atoms import Told, in_core
from tocsin.origins.conditions import Conditions
from tocsin.origins.epl_patterns import EplPatterns
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
    filters_in,
    in_order,
    refuse_names,
)
from tocsin.origins.row_automata import rule_of
from tocsin.origins.row_patterns import read_clause
from tocsin.origins.words import Words, refusal

NAME: Final = "esper-epl"

Selected = list[tuple[Guard, str, Span]]


def read_statement(words: Words, number: int) -> Rule | None:
    """One statement; None if it detects nothing."""
    start = words.token
    name = _annotated(words) or f"statement_{number}"
    if any(words.at(word) for word in ("create", "module", "import", "uses")):
        _declare(words)
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


def _declare(words: Words) -> None:
    """Steps over what detects nothing. What a pattern must know of it is kept, or it is refused."""
    statement = list(words.statement())
    texts = ["" if token.value else token.text.lower() for token in statement]
    if "schema" in texts[1:3] and "inherits" in texts:
        hint = "a pattern of the one hears events of the other there: write it for each"
        raise refusal("a type that inherits from another", statement[texts.index("inherits")], hint)
    if "variable" in texts[1:3]:  # create constant variable int[] limits = {1, 2}
        *_, name = takewhile(lambda token: token.text not in ("=", ":"), statement)
        words.variables.add(name.text)
    words.skip_statement()


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
    if words.at("@"):
        raise refusal("an annotation of the pattern", words.token, "what is used up is a rule's 'context' or 'run'")
    opener = words.expect("[")
    part = EplPatterns(words).pattern()
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
