"""Words of other engines where they mean nothing here: what they say there, and how that is written here.

Flink, Esper, Siddhi and SQL's MATCH_RECOGNIZE have words that somebody who comes from there will type. Where a text
cannot be read and such a word stands at that place, or right before it, the fault gets the way to say it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from tocsin.errors import Fault, RuleError, TextError

PRETTY: Final = "pretty"


@dataclass(frozen=True)
class Borrowed:
    """What words of other engines mean, and an example of it in each of our languages that can say it."""

    words: tuple[str, ...]
    meaning: str
    examples: Mapping[str, str] = field(default_factory=dict)
    is_setting: bool = False
    """Whether it is said by a setting of the rule, so that it can be said in every language."""
    besides: Mapping[str, str] = field(default_factory=dict)
    """What the same word is meant for in a language of ours."""

    def hint(self, word: str, language: str) -> str:
        """What to tell who wrote `word` in a text of `language`."""
        example, words = self.examples.get(language), self.examples.get(PRETTY)
        told = f"'{word}': {self.meaning}"
        if example is not None:
            told += f", as in {example}"
        elif words is not None:
            told += (
                f"; in words it is {words}" if self.is_setting else f"; {language} cannot say it, words can: {words}"
            )
        return f"{told}; {self.besides[language]}" if language in self.besides else told


_SEQUENCES: Final = {
    "pretty": "a followed by b",
    "sel": "a -> b",
    "gem": "a ; b",
    "eps": "a ; b",
    "global": "a ; b",
    "core": "[a][b]",
    "python": "tc.event('a').then(tc.event('b'))",
}
_BETWEEN: Final = {
    "pretty": "a followed by c without b",
    "sel": "a -> !b -> c",
    "gem": "{a ; c} ! b",
    "global": "a ; NOT b ; c",
    "core": "[a][c in {b, c}]",
    "python": "tc.event('a').then(tc.event('c')).without(tc.event('b'))",
}

BORROWED: Final = (
    Borrowed(
        ("until",),
        "what ends a loop is what must not come within it",
        {**_BETWEEN, "core": "[a in {a, b}]+ [c in {b, c}]"},
    ),
    Borrowed(
        ("next", "immediately", "strict", "consecutive", "adjacent"),
        "right after it is with no other event between them",
        {
            "pretty": "a followed by b without any event",
            "gem": "{a ; b} ! *",
            "core": "[a][b in *]",
            "python": "tc.event('a').then(tc.event('b')).without(tc.any_event())",
        },
    ),
    Borrowed(("notnext", "notfollowedby"), "what must not come is an absence", _BETWEEN),
    Borrowed(
        ("every", "begin"),
        "every match counts here, with no word for it; how often events are used is the rule's 'context' (core: 'run')",
        _SEQUENCES,
    ),
    Borrowed(("followedby", "followedbyany", "->", "→", "=>"), "one event after another", _SEQUENCES),
    Borrowed(
        ("+", "oneormore", "timesormore"),
        "one or more is a repetition",
        {
            "pretty": "a 1 to 5 times",
            "sel": "a*[1,5]",
            "core": "[a]+",
            "python": "tc.event('a').repeated(1, 5)",
        },
        besides={
            "sel": "a time after an event is written e delta 5 seconds",
            "gem": "a time after an event is written e + [5*sec]",
        },
    ),
    Borrowed(
        ("?", "optional"),
        "what may be left out is written as two alternatives, with it and without it",
        {
            "pretty": "(a followed by b followed by c) or (a followed by c)",
            "sel": "(a -> b -> c) | (a -> c)",
            "gem": "(a ; b ; c) | (a ; c)",
            "eps": "(a ; b ; c) || (a ; c)",
            "global": "(a ; b ; c) | (a ; c)",
            "core": "[a] [b]? [c]",
            "python": "tc.event('a').then(tc.event('b'), tc.event('c')) | tc.event('a').then(tc.event('c'))",
        },
    ),
    Borrowed(
        ("{", "times"),
        "so many is a repetition",
        {
            "pretty": "a 2 to 5 times",
            "sel": "a*[2,5]",
            "core": "[a]{2,5}",
            "eps": "TimesEq(3, a, user)",
            "python": "tc.event('a').repeated(2, 5)",
        },
    ),
    Borrowed(
        ("partition", "group", "keyby"),
        "a rule for each value is its 'partition: user' in a rules file",
        {
            "pretty": "a followed by b partition by user",
            "python": "tc.event('a').then(tc.event('b')).partition_by('user')",
        },
        is_setting=True,
    ),
    Borrowed(
        ("pattern", "match_recognize", "context", "sequence"),
        "the expression is the pattern, with no word before it",
        _SEQUENCES,
    ),
    Borrowed(
        ("measures", "select", "output", "insert", "emit"),
        "what a detection says is the rule's 'select:' in a rules file: names, each with an expression",
    ),
    Borrowed(("from",), "the expression names the types of its events, and they come from all inputs", _SEQUENCES),
    Borrowed(
        ("define", "having", "filter", "where", "when", "if"),
        "what is asked of events is a guard",
        {
            "pretty": "a as x where x.v > 3",
            "sel": "x:a if x.v > 3",
            "gem": "x:a when x.v > 3",
            "core": "[x:a(v > 3)]",
            "python": "tc.event('a').named('x').where(tc.guard('x.v > 3'))",
        },
    ),
    Borrowed(
        ("skip", "aftermatch"),
        "what a match ends of others is the rule's 'run' in core: past last, to next, to first x; else its 'context'",
    ),
    Borrowed(
        ("timer", "interval", "wait", "waiting"),
        "a time after an event is a timer",
        {
            "pretty": "5 minutes after a",
            "sel": "a delta 5 minutes",
            "gem": "a + [5*min]",
            "eps": "at(a, 0/0/0 0:05:00)",
            "core": "([a], [T]){T = 5 min}",
            "python": "tc.event('a').later('5 min')",
        },
    ),
    Borrowed(
        ("within", "in"),
        "how long a match may last is the rule's 'window:' in a rules file, or --window",
        {
            "pretty": "a followed by b within 5 minutes",
            "sel": "a -> b in 5 minutes",
            "core": "([a], [b in {b, T}]){T = 5 min}",
            "python": "tc.event('a').then(tc.event('b')).within('5 min')",
        },
        is_setting=True,
    ),
)

_AS_TYPE: Final = " is a word of this language"
_JOINING: Final = frozenset(
    ("followed", "followed_by", "then", "and", "or", "without", "unless", "where", "within", "between", "by", "as")
)
_BY_WORD: Final = {word: each for each in BORROWED for word in each.words}
_UNREADABLE: Final = ("unexpected ", "illegal character", "this is not Python", "this builds no pattern")
_WORD: Final = re.compile(r"[^\W\d]\w*|->|=>|\S")
_BEFORE: Final = frozenset(
    (
        *(
            "every",
            "begin",
            "partition",
            "group",
            "pattern",
            "match_recognize",
            "sequence",
            "context",
            "from",
            "define",
        ),
        *("measures", "select", "insert", "output", "next", "until", "skip", "timer", "when", "where", "if", "+"),
    )
)
"""What a language may read as an event type or an operator of its own, and then stops at what follows."""


def advised(error: TextError, text: str, language: str) -> RuleError:
    """The same faults; those at a word of other engines tell how what it means is written in `language`."""
    return RuleError([_advised(fault, text, language) for fault in error.faults])


def _advised(fault: Fault, text: str, language: str) -> Fault:
    is_method = language == "python" and "()'" in fault.message
    if fault.span is None or not (is_method or fault.message.startswith(_UNREADABLE)):
        return fault
    text = fault.span.source.text if fault.span.source is not None else text
    if _is_type(fault, text):
        return fault
    for word in _near(text, fault, language):
        meant = _BY_WORD.get(word.lower())
        if meant is not None:
            return replace(fault, hint=meant.hint(word, language))
    return fault


def _is_type(fault: Fault, text: str) -> bool:
    """Whether a word of the language was meant as a type of events, as the hint says: `every followed by b`."""
    assert fault.span is not None
    if _AS_TYPE not in fault.hint:
        return False
    here = _WORD.match(text, fault.span.start)
    return here is None or here[0] in _JOINING or fault.hint.startswith(f"'{here[0]}'")


def _near(text: str, fault: Fault, language: str) -> Iterator[str]:
    """The word where the text could not be read, then the one right before it; in Python all of the line."""
    assert fault.span is not None
    if language == "python":
        is_text = not fault.message.startswith("this is not Python")
        yield from reversed(_WORD.findall(text[fault.span.start : fault.span.stop] if is_text else text))
        return
    here = _WORD.match(text, fault.span.start)
    if here is not None and (here[0] != "{" or re.match(r"\{\s*\d", text[here.start() :])):
        yield here[0]
    before = _WORD.findall(text[: fault.span.start])[-1:]
    is_operand = here is not None and here[0][0].isalnum()
    yield from (word for word in before if word.lower() in _BEFORE and not (word == "+" and is_operand))
