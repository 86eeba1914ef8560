"""Mutated texts, and what must hold for every one of them.

A parser gives a value or a RuleError, within a second; a fault has a place inside the text; what was read can be
written, and reading that gives the same again.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.fuzz import corpus
from tocsin.algebra.patterns import Automaton
from tocsin.errors import Fault, RuleError, Source, Span
from tocsin.languages import core, eps, gem, global_, pretty, python_, sel
from tocsin.languages.core_sets import RESERVED
from tocsin.languages.guards import parse_guard_text, render_guard
from tocsin.languages.writer import render_name
from tocsin.time.calendar import parse_time_point, render_time_point
from tocsin.time.spans import parse_period, render_period

TIME_LIMIT = 1.0
"""Seconds of CPU that no text may take: what else the machine does makes no difference."""

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_STRANGE = (
    "\x00",
    "\ud800",
    "\udfff",
    "\u00a0",
    "\ufeff",
    "\u2028",
    "\U0001f600",
    "é",
    "²",
    "\\",
    '"',
    "'",
    "/*",
    "*/",
    "//",
)
_SIGNS = (
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ":",
    ",",
    ".",
    "&",
    "|",
    "!",
    "+",
    "-",
    "*",
    "/",
    "=",
    "<",
    ">",
    "@",
    "$",
    "?",
)
_WORDS = (
    "when",
    "at",
    "every",
    "in",
    "if",
    "delta",
    "->",
    "not",
    "now",
    "rule",
    "event",
    "enable",
    "TimesEq",
    "request",
    "9" * 30,
    "\n",
    "\\\n",
)


@dataclass(frozen=True)
class Subject:
    """A parser, its inverse, and the texts to start from."""

    name: str
    parse: Callable[[str], Any]
    render: Callable[[Any], str]
    texts: Sequence[str]


PARSERS: dict[str, Callable[[Source], Any]] = {
    "core": core.parse,
    "core-rules": core.parse_rules,
    "eps": eps.parse,
    "eps-document": eps.parse_document,
    "gem": gem.parse,
    "gem-script": gem.parse_script,
    "global": global_.parse,
    "guard": parse_guard_text,
    "pretty": pretty.parse,
    "python": python_.parse,
    "sel": sel.parse,
}


def _of_source(parse: Callable[[Source], Any]) -> Callable[[str], Any]:
    return lambda text: parse(Source(text, "fuzz"))


Named = tuple[tuple[str, Automaton], ...]
"""Detectors with their names; the last, which is the rule's own, has none."""


def _core_rules(text: str) -> Named:
    definitions, last = core.parse_rules(Source(text, "fuzz"))
    return (*((each.name, each.pattern) for each in definitions), ("", last))


def _render_rules(detectors: Named) -> str:
    lines = [f"{render_name(name, RESERVED)} = {core.render(pattern)}" for name, pattern in detectors[:-1]]
    return "\n".join([*lines, core.render(detectors[-1][1])])


def _python(text: str) -> Any:
    """A pattern that can be written again: some variables have names that guards cannot speak of."""
    pattern = python_.parse(Source(text, "fuzz"))
    try:
        python_.render(pattern)
    except RuleError as error:
        raise RuleError(Fault(error.faults[0].message, Span(0, len(text)))) from None
    return pattern


SUBJECTS = (
    Subject("core", _of_source(core.parse), core.render, corpus.CORE_EXPRESSIONS),
    Subject("core-rules", _core_rules, _render_rules, corpus.CORE_RULES),
    Subject("eps", _of_source(eps.parse), eps.render, corpus.EPS_EXPRESSIONS),
    Subject("eps-document", _of_source(eps.parse_document), eps.render_document, corpus.EPS_DOCUMENTS),
    Subject("gem", _of_source(gem.parse), gem.render, corpus.GEM_EXPRESSIONS),
    Subject("gem-script", _of_source(gem.parse_script), gem.render_script, corpus.GEM_SCRIPTS),
    Subject("global", _of_source(global_.parse), global_.render, corpus.GLOBAL_EXPRESSIONS),
    Subject("guard", _of_source(parse_guard_text), render_guard, corpus.GUARDS),
    Subject("pretty", _of_source(pretty.parse), pretty.render, corpus.PRETTY_EXPRESSIONS),
    Subject("python", _python, python_.render, corpus.PYTHON_EXPRESSIONS),
    Subject("sel", _of_source(sel.parse), sel.render, corpus.SEL_EXPRESSIONS),
    Subject("time-point", parse_time_point, render_time_point, corpus.TIME_POINTS),
    Subject("period", parse_period, render_period, corpus.PERIODS),
)


def mutated(subject: Subject, seed: int, number: int) -> str:
    """The mutated text of that number: one of the subject's with a few of its tokens or characters changed.

    Every text has a generator of its own, so that any of them can be made again without the others.
    """
    rng, texts = random.Random(f"{seed}/{subject.name}/{number}"), subject.texts
    text = rng.choice(texts)
    for _ in range(1 + min(int(rng.expovariate(0.7)), 8)):
        text = rng.choice(_MUTATIONS)(rng, text, texts)
    return text


def _tokens_changed(
    change: Callable[[random.Random, list[str]], None],
) -> Callable[[random.Random, str, Sequence[str]], str]:
    def mutate(rng: random.Random, text: str, texts: Sequence[str]) -> str:
        tokens = _TOKEN.findall(text)
        if tokens:
            change(rng, tokens)
        return "".join(tokens)

    return mutate


def _swap(rng: random.Random, tokens: list[str]) -> None:
    one, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    tokens[one], tokens[other] = tokens[other], tokens[one]


def _delete(rng: random.Random, tokens: list[str]) -> None:
    start = rng.randrange(len(tokens))
    del tokens[start : start + rng.choice((1, 1, 1, 2, 5))]


def _duplicate(rng: random.Random, tokens: list[str]) -> None:
    start = rng.randrange(len(tokens))
    piece = tokens[start : start + rng.choice((1, 1, 2, 5))]
    tokens[start:start] = piece * rng.choice((1, 1, 1, 2, 20))


def _insert(rng: random.Random, tokens: list[str]) -> None:
    tokens.insert(rng.randrange(len(tokens) + 1), rng.choice(rng.choice((_STRANGE, _SIGNS, _WORDS))))


def _flip(rng: random.Random, text: str, texts: Sequence[str]) -> str:
    """One bit of one character changed."""
    if not text:
        return text
    at = rng.randrange(len(text))
    return text[:at] + chr(ord(text[at]) ^ (1 << rng.randrange(8))) + text[at + 1 :]


def _splice(rng: random.Random, text: str, texts: Sequence[str]) -> str:
    """The beginning of one text and the end of another."""
    other = rng.choice(texts)
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1) :]


_MUTATIONS = (*(_tokens_changed(change) for change in (_swap, _delete, _duplicate, _insert)), _flip, _splice)


def complaint(subject: Subject, text: str) -> str:
    """What is wrong with how the parser takes `text`, or nothing."""
    begin = time.thread_time()
    try:
        problem = _judge(subject, text)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
        problem = f"{type(error).__name__}: {error}"
    taken = time.thread_time() - begin
    return problem or (f"took {taken:.1f} s" if taken > TIME_LIMIT else "")


def _judge(subject: Subject, text: str) -> str:
    try:
        value = subject.parse(text)
    except RuleError as error:
        for fault in error.faults:
            if not fault.message or fault.span is None or not 0 <= fault.span.start <= fault.span.stop <= len(text):
                return f"a fault without a place: {fault!r}"
        str(error).encode("utf-8")
        return ""
    written = subject.render(value)
    return "" if subject.parse(written) == value else f"reads as something else when written: {written!r}"
